"""Houses as USD (needs ``usd-core``), with the same nodes as glTF and their affordances."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from homebody.core.ground.files import write_whole
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import linear
from homebody.worlds.house.rendering.exporting import Look, Shape, find_shapes, nodes_of
from homebody.worlds.house.rendering.gltf import picture
from homebody.worlds.house.rendering.ray_scene import MeshOf


def save_usd(
    house: House,
    path: Path,
    state: HouseState | None = None,
    ceilings: bool = False,
    meshes: MeshOf | None = None,
) -> None:
    """Write a house in a state as a USD stage: ``.usda`` as text, ``.usd`` and ``.usdc`` binary.

    Every floor, wall, opening, piece of furniture, object and person is a prim below ``/house``
    that has its name and pose. It is an instance of a shape, a class below ``/shapes``. Its custom
    data contain name, category and affordances. Patterns are in a picture beside the stage, whose
    name ends in ``.jpg``.

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
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/house").GetPrim())
    nodes = list(nodes_of(house, state, ceilings, meshes))
    numbers, shapes, atlas = find_shapes(nodes, painted=True)
    photo = path.with_suffix(".jpg")
    looks = {look for shape in shapes for look, _ in shape.looks}
    for look in sorted(looks, key=lambda look: look.name):
        _add_material(stage, look, photo.name)
    for number, shape in enumerate(shapes):
        _add_shape(stage, f"/shapes/shape_{number}", shape)
    taken: dict[str, int] = {}
    for (name, _, known, pose), number in zip(nodes, numbers, strict=True):
        valid = Tf.MakeValidIdentifier(name)  # cup-1 and cup.1 are both cup_1
        taken[valid] = taken.get(valid, 0) + 1
        path_of = valid if taken[valid] == 1 else f"{valid}__{taken[valid]}"
        node = UsdGeom.Xform.Define(stage, f"/house/{path_of}")
        node.AddTranslateOp().Set(Gf.Vec3d(*pose.position))
        if pose.yaw:
            node.AddRotateZOp().Set(pose.yaw)
        prim = node.GetPrim()
        prim.GetInherits().AddInherit(f"/shapes/shape_{number}")
        prim.SetInstanceable(True)
        for key, value in known.items():
            prim.SetCustomDataByKey(
                key, Vt.StringArray(value) if isinstance(value, list) else value
            )
    if any(look.painted for look in looks):
        write_whole(photo, picture(atlas))
    if path.suffix == ".usda":
        write_whole(path, stage.GetRootLayer().ExportToString().encode())
        return
    with TemporaryDirectory() as folder:  # USD cannot write binary files to memory
        file = Path(folder) / f"house{path.suffix}"
        if not stage.GetRootLayer().Export(str(file)):
            raise HomebodyError(f"{path}: USD could not be written")
        write_whole(path, file.read_bytes())


def _add_shape(stage: Any, path: str, shape: Shape) -> None:
    """Add a class with a mesh, whose subsets have materials."""
    from pxr import Gf, Sdf, UsdGeom, UsdShade, Vt

    mesh = shape.mesh
    stage.CreateClassPrim("/shapes")
    stage.CreateClassPrim(path)
    prim = UsdGeom.Mesh.Define(stage, f"{path}/mesh")
    normals = mesh.normals.reshape(-1, 3).round(3).astype(np.float32)
    # the two sides of a sheet do not share points: Blender would drop one
    sides = np.hstack([mesh.corners.reshape(-1, 3).round(5), normals])
    points, corners = np.unique(sides, axis=0, return_inverse=True)
    points = points[:, :3]
    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points.astype(np.float32)))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(corners.reshape(-1).astype(np.int32)))
    prim.CreateFaceVertexCountsAttr(Vt.IntArray([3] * len(mesh)))
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    prim.CreateExtentAttr([Gf.Vec3f(*low), Gf.Vec3f(*high)])
    prim.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(normals))
    prim.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
    colours = prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.uniform)
    colours.Set(Vt.Vec3fArray.FromNumpy(linear(mesh.colours).astype(np.float32)))
    api = UsdGeom.PrimvarsAPI(prim)
    if any(look.painted for look, _ in shape.looks):
        kind = Sdf.ValueTypeNames.TexCoord2fArray
        places = api.CreatePrimvar("st", kind, UsdGeom.Tokens.faceVarying)
        flat = shape.places.reshape(-1, 2).astype(np.float32)
        places.Set(Vt.Vec2fArray.FromNumpy(flat))
    for look, mask in shape.looks:
        faces = Vt.IntArray.FromNumpy(np.flatnonzero(mask).astype(np.int32))
        subset = UsdGeom.Subset.CreateGeomSubset(
            prim, look.name, UsdGeom.Tokens.face, faces, UsdShade.Tokens.materialBind,
            UsdGeom.Tokens.partition,
        )  # fmt: skip
        material = UsdShade.Material.Get(stage, f"/materials/{look.name}")
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)


def _add_material(stage: Any, look: Look, photo: str) -> None:
    """Add a preview surface. Its colour comes from the faces or from the picture of patterns."""
    from pxr import Gf, Sdf, UsdShade

    types = Sdf.ValueTypeNames
    path = f"/materials/{look.name}"
    material = UsdShade.Material.Define(stage, path)

    def shader(name: str, kind: str, **inputs: tuple[Any, Any]) -> Any:
        made = UsdShade.Shader.Define(stage, f"{path}/{name}")
        made.CreateIdAttr(kind)
        for key, (type_of, value) in inputs.items():
            made.CreateInput(key, type_of).Set(value)
        return made

    optics = look.material
    surface = shader(
        "surface",
        "UsdPreviewSurface",
        roughness=(types.Float, optics.roughness),
        metallic=(types.Float, optics.metalness),
        ior=(types.Float, optics.refractive_index),
        opacity=(types.Float, 1 - optics.transmission),
    )
    if look.painted:
        places = shader("places", "UsdPrimvarReader_float2", varname=(types.String, "st"))
        tone = shader(
            "picture",
            "UsdUVTexture",
            file=(types.Asset, Sdf.AssetPath(f"./{photo}")),
            sourceColorSpace=(types.Token, "sRGB"),
        )
        tone.CreateInput("st", types.Float2).ConnectToSource(
            places.CreateOutput("result", types.Float2)
        )
        colour = tone.CreateOutput("rgb", types.Float3)
    else:
        tone = shader("tone", "UsdPrimvarReader_float3", varname=(types.String, "displayColor"))
        colour = tone.CreateOutput("result", types.Float3)
    surface.CreateInput("diffuseColor", types.Color3f).ConnectToSource(colour)
    if look.glow:
        light = Gf.Vec3f(*look.glow) * optics.emission
        surface.CreateInput("emissiveColor", types.Color3f).Set(light)
    material.CreateSurfaceOutput().ConnectToSource(surface.CreateOutput("surface", types.Token))
