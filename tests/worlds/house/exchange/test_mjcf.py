"""Houses as MJCF: well formed, everything in it by name; in MuJoCo they load and stay at rest."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as XML

import numpy as np
import pytest

from homebody.worlds.house.exchange.mjcf import to_mjcf
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import Person, Pose

HOUSE = generate(2, "home", 5)


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


@pytest.mark.slow
def test_in_mujoco_it_stays_at_rest_and_what_is_dropped_falls() -> None:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(to_mjcf(HOUSE))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    start = data.xpos.copy()
    mujoco.mj_step(model, data, nstep=500)  # a second
    assert np.linalg.norm(data.xpos - start, axis=1).max() < 0.01
    name = next(t.name for t in HOUSE.things if t.place[0] in HOUSE.floors)
    joint = model.body(name).jntadr[0]
    at = model.jnt_qposadr[joint]
    data.qpos[at + 2] += 0.5
    mujoco.mj_step(model, data, nstep=500)
    assert abs(data.xpos[model.body(name).id][2] - start[model.body(name).id][2]) < 0.3
