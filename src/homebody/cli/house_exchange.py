"""Scenes of others made into houses, and houses written for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.command import Argument, Option
from homebody.cli.house import (
    Force,
    HouseFile,
    OwnMeshes,
    SeedKind,
    describe_house,
    house_app,
    read_house,
    read_meshes,
    refuse_overwrite,
)
from homebody.cli.printing import remark, say
from homebody.core import HomebodyError

FORMATS = (".glb", ".usda", ".usdc", ".usd", ".xml")
"""Of files that houses are written to: glTF, USD, and MJCF of MuJoCo."""


@house_app.command("import")
def import_scene(
    scene: Annotated[
        Path,
        Argument(
            help="A house of ProcTHOR or AI2-THOR (JSON), or a *.scene_instance.json of Habitat",
            metavar="SCENE",
        ),
    ],
    out: Annotated[Path, Option("--out", "-o", help="Where to write the house, JSON")],
    assets: Annotated[
        Path | None,
        Option(help="ProcTHOR's asset-database.json, or the wheel of `procthor` it is in"),
    ] = None,
    root: Annotated[
        Path | None, Option(help="The folder of Habitat's data set, if it is not above SCENE")
    ] = None,
    force: Force = False,
) -> None:
    """Make a house of a published scene; what could not be kept is said."""
    from homebody.worlds.house.exchange import habitat, procthor
    from homebody.worlds.house.io import files

    refuse_overwrite(out, force)
    if scene.name.removesuffix(".gz").endswith(".scene_instance.json"):
        imported = habitat.read_scene(scene, root)
    else:
        sizes = procthor.read_assets(assets) if assets is not None else {}
        imported = procthor.read_house(scene, sizes)
        if assets is None:
            remark("without --assets no size is known; `pip download procthor --no-deps` has them")
    files.save(imported.house, out)
    say(f"{out}: {describe_house(imported.house)}")
    for note in imported.notes:
        remark(f"- {note}")
    if imported.meshes:
        remark("meshes of its own: " + " ".join(
            f"--mesh {name}={file}" for name, file in list(imported.meshes.items())[:3]
        ) + " ...")  # fmt: skip


@house_app.command()
def export(
    house: HouseFile,
    out: Annotated[
        Path, Option("--out", "-o", help="*.glb (glTF), *.usda, *.usdc or *.xml (MuJoCo)")
    ],
    kind: SeedKind = None,
    ceilings: Annotated[bool, Option(help="With ceilings (glTF, USD)")] = False,
    mesh: OwnMeshes = None,
    force: Force = False,
) -> None:
    """Write a house for other programs, with names and affordances."""
    from homebody.core.ground.files import write_whole

    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise HomebodyError(f"{out}: no known format", f"name it {' '.join(FORMATS)}")
    refuse_overwrite(out, force)
    scene = read_house(house, kind)
    meshes = read_meshes(scene, mesh or [])
    if suffix == ".xml" and meshes is not None:
        raise HomebodyError("--mesh does not change collision boxes", "leave it out for MuJoCo")
    if suffix == ".xml":
        from homebody.worlds.house.exchange.mjcf import to_mjcf

        write_whole(out, to_mjcf(scene).encode())
    elif suffix == ".glb":
        from homebody.worlds.house.rendering.gltf import to_glb

        write_whole(out, to_glb(scene, None, ceilings, meshes))
    else:
        from homebody.worlds.house.exchange.usd import save_usd

        save_usd(scene, out, None, ceilings, meshes)
    say(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
