"""Houses as USD (needs ``usd-core``), with the same nodes as glTF and their affordances."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from homebody.core.ground.files import write_whole
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import linear
from homebody.worlds.house.rendering.gltf import extras, parts
from homebody.worlds.house.rendering.ray_scene import MeshOf


def save_usd(
    house: House,
    path: Path,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> None:
    """Write a house in a state as a USD stage: ``.usda`` as text, ``.usd`` and ``.usdc`` binary.

    Every floor, wall, opening, piece of furniture, object and person is a mesh below ``/house``
    that has its name. The prim's custom data contain name, category and affordances.

    Raises:
        HomebodyError: ``usd-core`` is not installed, or the file cannot be written.
    """
    try:
        from pxr import Gf, Tf, Usd, UsdGeom, Vt
    except ImportError as error:
        raise HomebodyError("writing USD needs usd-core", "pip install 'homebody[usd]'") from error
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    root = UsdGeom.Xform.Define(stage, "/house")
    stage.SetDefaultPrim(root.GetPrim())
    taken: dict[str, int] = {}
    for name, mesh in parts(house, state, ceilings, meshes):
        valid = Tf.MakeValidIdentifier(name)  # cup-1 and cup.1 are both cup_1
        taken[valid] = taken.get(valid, 0) + 1
        path_of = valid if taken[valid] == 1 else f"{valid}__{taken[valid]}"
        prim = UsdGeom.Mesh.Define(stage, f"/house/{path_of}")
        points, corners = np.unique(
            mesh.corners.reshape(-1, 3).round(5), axis=0, return_inverse=True
        )
        prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points.astype(np.float32)))
        prim.CreateFaceVertexIndicesAttr(
            Vt.IntArray.FromNumpy(corners.reshape(-1).astype(np.int32))
        )
        prim.CreateFaceVertexCountsAttr(Vt.IntArray([3] * len(mesh)))
        prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        colours = prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.uniform)
        colours.Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(linear(mesh.colours), np.float32)))
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        prim.CreateExtentAttr([Gf.Vec3f(*low), Gf.Vec3f(*high)])
        for key, value in extras(house, name).items():
            prim.GetPrim().SetCustomDataByKey(
                key, Vt.StringArray(value) if isinstance(value, list) else value
            )
    if path.suffix == ".usda":
        write_whole(path, stage.GetRootLayer().ExportToString().encode())
        return
    _export_binary(stage, path)


def _export_binary(stage: object, path: Path) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:  # USD cannot write binary files to memory
        file = Path(folder) / f"house{path.suffix}"
        if not stage.GetRootLayer().Export(str(file)):  # type: ignore[attr-defined]
            raise HomebodyError(f"{path}: USD could not be written")
        write_whole(path, file.read_bytes())
