"""Houses as MJCF: well formed, everything in it by name; in MuJoCo they load and stay at rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as XML

import numpy as np
import pytest

from homebody.worlds.house.exchange.masses import mass_of
from homebody.worlds.house.exchange.mjcf import to_mjcf
from homebody.worlds.house.exchange.moving_parts import moving_parts
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.doors import open_leaf, shut_leaf
from homebody.worlds.house.model.house import House, Person, Pose
from homebody.worlds.house.model.state import HouseState

HOUSE = generate(2, "home", 5)
HOUSE_STATE = HouseState.start(HOUSE)


def test_everything_is_in_it_by_name() -> None:
    root = XML.fromstring(to_mjcf(HOUSE))
    bodies = {body.attrib["name"] for body in root.iter("body")}
    assert {piece.name for piece in HOUSE.furniture} <= bodies
    free = {body.attrib["name"] for body in root.iter("body") if body.find("freejoint") is not None}
    held = {thing.name for thing in HOUSE.things if thing.place[0] in HOUSE.person}
    assert free == {thing.name for thing in HOUSE.things} - held
    geoms = [geom.attrib["name"] for geom in root.findall("worldbody//geom")]
    assert len(geoms) == len(set(geoms))
    assert to_mjcf(HOUSE) == to_mjcf(HOUSE)


def test_people_do_not_push_what_is_before_them() -> None:
    cup = replace(HOUSE.things[0], name="cup_99", place=(HOUSE.rooms[0].floor_name, ""))
    someone = Person("person_9", "sitting", HOUSE.rooms[0].name, cup.pose, (0.5, 0.8, 1.2))
    house = replace(HOUSE, people=(someone,), things=(cup, replace(cup, name="cup_98",
        pose=Pose((cup.pose.position[0] + 2, *cup.pose.position[1:])))))  # fmt: skip
    excluded = XML.fromstring(to_mjcf(house)).findall("contact/exclude")
    assert [pair.attrib for pair in excluded] == [{"body1": "person_9", "body2": "cup_99"}]


def test_objects_have_their_masses() -> None:
    root = XML.fromstring(to_mjcf(HOUSE))
    for thing in HOUSE.things:
        body = root.find(f"worldbody/body[@name='{thing.name}']")
        if body is not None:  # not held
            masses = [float(geom.attrib["mass"]) for geom in body.iter("geom")]
            assert sum(masses) == pytest.approx(mass_of(thing), rel=1e-4)


def loaded(house: House) -> tuple[Any, Any, Any]:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(to_mjcf(house))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return mujoco, model, data


def geoms_of(model: Any, data: Any, body: str) -> tuple[Any, Any]:
    """The lower and upper corner of all boxes of a body, in the house."""
    own = np.flatnonzero(model.geom_bodyid == model.body(body).id)
    turns = np.abs(data.geom_xmat[own].reshape(-1, 3, 3))
    half = np.einsum("nij,nj->ni", turns, model.geom_size[own])
    return (data.geom_xpos[own] - half).min(axis=0), (data.geom_xpos[own] + half).max(axis=0)


@pytest.mark.sampled
@pytest.mark.parametrize("is_open", [False, True])
def test_doors_of_rooms_swing_between_shut_and_open(is_open: bool) -> None:
    openings = tuple(
        replace(each, states={"open": is_open, "locked": False}) if each.kind == "door" else each
        for each in HOUSE.openings
    )
    house = replace(HOUSE, openings=openings)
    assert house.door
    mujoco, model, data = loaded(house)
    for name, door in house.door.items():
        joint = model.joint(name)
        assert joint.range == pytest.approx((0, np.pi / 2))
        assert data.qpos[joint.qposadr[0]] == pytest.approx(np.pi / 2 if is_open else 0)
        for angle, leaf in ((0, shut_leaf(house, door)), (np.pi / 2, open_leaf(house, door))):
            data.qpos[joint.qposadr[0]] = angle
            mujoco.mj_forward(model, data)
            low, high = geoms_of(model, data, name)
            assert low == pytest.approx(leaf.low, abs=1e-4)
            assert high == pytest.approx(leaf.high, abs=1e-4)


def test_fronts_of_furniture_open_to_the_front() -> None:
    mujoco, model, data = loaded(HOUSE)
    kinds = set()
    for piece in HOUSE.furniture:
        if piece.states.get("open") or piece.states.get("locked"):
            continue
        for part in moving_parts(piece):
            name = f"{piece.name}:{part.name}"
            joint = model.joint(name)
            shut = np.array(geoms_of(model, data, name))
            assert (shut[0] >= np.array(piece.box.low) - 1e-4).all()
            assert (shut[1] <= np.array(piece.box.high) + 1e-4).all()
            data.qpos[joint.qposadr[0]] = part.reach if part.slides else np.radians(part.reach)
            mujoco.mj_forward(model, data)
            moved = np.array(geoms_of(model, data, name)).mean(axis=0) - shut.mean(axis=0)
            turn = np.radians(piece.pose.yaw)
            ahead = moved @ (-np.sin(turn), np.cos(turn), 0)
            if part.name.startswith("lid"):
                assert moved[2] > 0.1
            else:
                assert ahead > 0.05
            data.qpos[joint.qposadr[0]] = 0
            mujoco.mj_forward(model, data)
            kinds.add(part.name.split("_")[0])
    assert kinds >= {"door", "drawer"}


@pytest.mark.slow
def test_a_drawer_takes_its_contents_along() -> None:
    mujoco, model, data = loaded(HOUSE)
    piece, part = next(
        (piece, part)
        for piece in HOUSE.furniture
        if not piece.states.get("locked")
        for part in moving_parts(piece)
        if part.slides and HOUSE_STATE.objects_at((piece.name, part.name))
    )
    (thing, *_) = HOUSE_STATE.objects_at((piece.name, part.name))
    joint, body = model.joint(f"{piece.name}:{part.name}"), model.body(thing).id
    before = data.xpos[body].copy()
    for _ in range(1000):
        data.qvel[joint.dofadr[0]] = 0.1
        mujoco.mj_step(model, data)
    opened = data.qpos[joint.qposadr[0]]
    assert 0.15 < opened < part.reach + 0.01
    assert np.linalg.norm((data.xpos[body] - before)[:2]) == pytest.approx(opened, abs=0.05)
    assert data.xpos[body][2] == pytest.approx(before[2], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["home", "office", "hospital"])
def test_everything_is_at_rest_after_ten_seconds(kind: str) -> None:
    house = HOUSE if kind == "home" else generate(0, kind)
    mujoco, model, data = loaded(house)
    start = data.xpos.copy()
    mujoco.mj_step(model, data, nstep=5000)
    assert not any(int(warning.number) for warning in data.warning)
    assert np.linalg.norm(data.xpos - start, axis=1).max() < 0.01
    assert np.abs(data.qvel).max() < 0.01
    name = next(t.name for t in house.things if t.place[0] not in house.person)
    at = model.jnt_qposadr[model.body(name).jntadr[0]]
    z = data.qpos[at + 2]
    data.qpos[at + 2] += 0.02
    mujoco.mj_step(model, data, nstep=500)
    assert data.qpos[at + 2] == pytest.approx(z, abs=0.015)
