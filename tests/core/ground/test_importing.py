"""An object is found in the module that has it."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from homebody.core.ground.importing import find_import, import_object
from homebody.suites import get_suite

ALONE = object()
SEVERAL = SimpleNamespace(first=object())


@pytest.mark.parametrize("value", [ALONE, SEVERAL.first])
def test_what_a_module_has_is_imported_again(value: object) -> None:
    place = find_import(value, __name__)
    assert place is not None
    assert place[0] == __name__
    assert import_object(*place) is value
    assert find_import(value) is not None


def test_what_no_module_has_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    own = object()
    assert find_import(own) is None
    monkeypatch.setattr(sys.modules["__main__"], "OWN", own, raising=False)
    assert find_import(own) is None  # a process of its own has another


@pytest.mark.parametrize("name", ["partnr.val", "etplan.navigation"])
def test_suites_are_sent_by_where_they_are(name: str) -> None:
    suite = get_suite(name)
    assert pickle.loads(pickle.dumps(suite)) is suite
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(replace(suite, title="Another"))
