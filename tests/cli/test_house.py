"""`homebody house ...` from end to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from homebody.cli.house import house_app
from homebody.core.ground.user_errors import HomebodyError

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("houses") / "flat.json"
    arguments = ["new", str(path), "--seed", "3", "--rooms", "living_room,kitchen"]
    result = RUNNER.invoke(house_app, [*arguments, "--things", "20"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "20 objects" in result.output
    return path


def run(*arguments: str) -> str:
    result = RUNNER.invoke(house_app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_show_lists_rooms_and_what_is_in_them(house: Path) -> None:
    text = run("show", str(house))
    assert "kitchen_0" in text
    assert "fridge_0" in text
    only = run("show", str(house), "--room", "kitchen_0")
    assert "\nliving_room_0" not in only
    assert "fridge_0" in only


@pytest.mark.slow
def test_render_writes_maps_views_and_gltf(house: Path, tmp_path: Path) -> None:
    plan, view, eye = (tmp_path / f"{name}.png" for name in ("plan", "view", "eye"))
    run("render", str(house), "-o", str(plan))
    assert Image.open(plan).size[0] > 300
    before = plan.read_bytes()
    run("render", str(house), "-o", str(plan), "--graph")
    assert plan.read_bytes() != before
    small = ("--size", "40x30", "--samples", "1")
    run("render", str(house), "-o", str(view), "--room", "kitchen_0", *small)
    run("render", str(house), "-o", str(eye), "--at", "1,1", "--yaw", "45", *small)
    assert Image.open(view).size == Image.open(eye).size == (40, 30)
    run("export", str(house), "-o", str(tmp_path / "house.glb"))
    assert (tmp_path / "house.glb").read_bytes()[:4] == b"glTF"


@pytest.mark.slow
def test_own_meshes_are_shown(house: Path, tmp_path: Path) -> None:
    mesh, first, other = tmp_path / "mesh.obj", tmp_path / "one.glb", tmp_path / "other.glb"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    run("export", str(house), "-o", str(first))
    own = ("--mesh", f"fridge={mesh}", "--mesh", f"sink={mesh}")
    run("export", str(house), "-o", str(other), *own)
    assert other.stat().st_size < first.stat().st_size
    view = tmp_path / "view.png"
    run("render", str(house), "-o", str(view), "--size", "40x30", "--room", "kitchen_0", *own)
    assert view.exists()


@pytest.mark.sampled
@pytest.mark.parametrize(
    "options",
    [
        ("--room", "cellar_0"),
        ("--room", ""),
        ("--at", ""),
        ("--at", "here"),
        ("--at", "900,900"),
        ("--at", "1,1,80"),
        ("--at", "nan,1"),
        ("--at", "1,1", "--room", "kitchen_0"),
        ("--graph", "--room", "kitchen_0"),
        ("--time", "evening"),  # a map has none
        ("--yaw", "0"),
        ("--samples", "0"),
        ("--yaw", "90", "--room", "kitchen_0"),
        ("--kind", "home"),
        ("--mesh", "fridge"),
        ("--mesh", "unicorn=unicorn.glb"),
        ("--mesh", "fridge=nowhere.glb"),
        ("--size", "40"),
        ("--room", "kitchen_0", "--size", "40x30", "-o", "picture.txt"),
        ("--room", "kitchen_0", "--size", "0x30"),
    ],
)
def test_mistakes_are_told(house: Path, options: tuple[str, ...]) -> None:
    result = RUNNER.invoke(house_app, ["render", str(house), *options])
    assert isinstance(result.exception, HomebodyError)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("show", "HOUSE", "--room", ""), "unknown room: ''"),
        (("show", "HOUSE", "--kind", "office"), "--kind applies only to seeds"),
        (("render", "HOUSE", "--room", "kitchen_0", "--samples", "0"), "0 samples"),
        (("new", "new.json", "--kind", "office", "--type", "studio"), "have no type 'studio'"),
        (("new", "new.json", "--rooms=-3"), "1 to 12 rooms, not -3"),
        (("new", "a.json", "-o", "b.json"), "needs one file to write"),
        (("new",), "needs one file to write"),
    ],
)
def test_mistakes_are_told_as_what_they_are(
    house: Path, options: tuple[str, ...], why: str
) -> None:
    given = [str(house) if option == "HOUSE" else option for option in options]
    result = RUNNER.invoke(house_app, given)
    assert isinstance(result.exception, HomebodyError)
    assert why in str(result.exception)


def test_a_studio_of_many_rooms_is_remarked_on(tmp_path: Path) -> None:
    told = run("new", "-o", str(tmp_path / "a.json"), "--type", "studio", "--rooms", "5")
    assert "a studio usually has 1 to 3 rooms" in told
    told = run("new", str(tmp_path / "b.json"), "--type", "studio", "--rooms", "2")
    assert "usually" not in told


def test_homes_have_a_type_and_a_density(tmp_path: Path):
    path = tmp_path / "home.json"
    bare = ["new", str(path), "--seed", "3", "--type", "studio", "--density", "0"]
    assert " 0 objects" in run(*bare)
    assert " 0 objects" not in run(*bare[:-1], "1", "--force")
    for option, value in (("--type", "castle"), ("--density", "nan"), ("--density", "3")):
        result = CliRunner().invoke(house_app, ["new", str(path), option, value, "--force"])
        assert isinstance(result.exception, HomebodyError)
