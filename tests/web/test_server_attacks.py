"""Whatever is asked, the answer is an error in words, never a traceback, and nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from web.conftest import HOST_TOKEN, Served

Serve = Callable[..., Served]
TEXTS = st.text(max_size=30) | st.sampled_from(["Pick[", "Done[]", "\x00", "../..", "'; --", "%00"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)
NAMES = ("id", "said", "revision", "suite", "task", "seats", "settings", "seed")
BODIES = VALUES | st.dictionaries(st.sampled_from(NAMES), VALUES)
PATHS = st.sampled_from(
    ["/seat", "/seat/act", "/seat/result", "/seat/image/0", "/seat/image/x", "/sessions", "/suites"]
)
METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"])


@pytest.fixture
def attacked(serve: Serve) -> tuple[TestClient, str]:
    served = serve("house.bring")
    return served.client, served.new("house.bring", {"agent": "person"})["agent"]


@pytest.mark.slow
@settings(max_examples=150)
@given(METHODS, PATHS, BODIES, st.sampled_from(["", "nobody", "mine", "host"]))
def test_no_request_is_answered_with_a_fault_of_ours(
    attacked: tuple[TestClient, str], method: str, path: str, body: Any, who: str
) -> None:
    client, token = attacked
    tokens = {"mine": token, "host": HOST_TOKEN}
    headers = {"Authorization": f"Bearer {tokens.get(who, who)}"}
    try:
        answer = client.request(method, f"/api/v1{path}", json=body, headers=headers)
    except (ValueError, UnicodeError):
        return  # the client itself could not say it
    assert answer.status_code < 500
    if answer.status_code >= 400 and method != "HEAD":
        assert answer.json().keys() == {"error", "advice"}
    if who in ("", "nobody") and path != "/suites" and method in ("GET", "POST"):
        assert answer.status_code in (404, 405, 422)


@settings(max_examples=60)
@given(st.binary(max_size=300), st.sampled_from(["", "application/json", "text/plain", "x" * 99]))
def test_no_bytes_are_either(attacked: tuple[TestClient, str], body: bytes, kind: str) -> None:
    client, token = attacked
    headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
    answer = client.post("/api/v1/seat/act", content=body, headers=headers)
    assert 400 <= answer.status_code < 500


def test_a_header_is_no_way_in(attacked: tuple[TestClient, str]) -> None:
    client, token = attacked
    for header in (token, f"Basic {token}", f"Bearer  {token}x", "Bearer " + "x" * 9_000, "Bearer"):
        answer = client.get("/api/v1/seat", headers={"Authorization": header})
        assert answer.status_code == 404
    for path in (f"/api/v1/seat?token={token}", f"/api/v1/seat/{token}"):
        assert client.get(path).status_code == 404
