"""`homebody house import` and `export`: exchange houses with other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.command import OUTPUT, Argument, Option
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
"""Suffixes of exported files: glTF, USD, and MuJoCo's MJCF."""


@house_app.command("import")
def import_scene(
    scene: Annotated[
        Path,
        Argument(
            help="A house of ProcTHOR or AI2-THOR (JSON), or Habitat's *.scene_instance.json.",
            metavar="SCENE",
        ),
    ],
    out: Annotated[Path, Option("-o", panel=OUTPUT, help="The JSON file to write.")],
    assets: Annotated[
        Path | None,
        Option(help="ProcTHOR's asset-database.json, or the procthor wheel that has it."),
    ] = None,
    root: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder of Habitat's data set. Found above SCENE if omitted."),
    ] = None,
    force: Force = False,
) -> None:
    """Convert a published scene to a house, and print the parts that could not be converted."""
    from homebody.worlds.house.exchange import habitat, procthor
    from homebody.worlds.house.io import files

    refuse_overwrite(out, force)
    if scene.name.removesuffix(".gz").endswith(".scene_instance.json"):
        imported = habitat.read_scene(scene, root)
    else:
        sizes = procthor.read_assets(assets) if assets is not None else {}
        imported = procthor.read_house(scene, sizes)
        if assets is None:
            remark("without --assets sizes are unknown; `pip download procthor --no-deps` has them")
    files.save(imported.house, out)
    say(f"{out}: {describe_house(imported.house)}")
    for note in imported.notes:
        remark(f"- {note}")
    if imported.meshes:
        first = list(imported.meshes.items())[:3]
        options = " ".join(f"--mesh {name}={file}" for name, file in first)
        remark(f"its own meshes: {options} ...")


@house_app.command()
def export(
    house: HouseFile,
    out: Annotated[
        Path,
        Option(
            "-o",
            panel=OUTPUT,
            help="A *.glb (glTF), *.usda, *.usdc (with a *.jpg) or *.xml (MuJoCo).",
        ),
    ],
    kind: SeedKind = None,
    ceilings: Annotated[bool, Option(panel=OUTPUT, help="Include ceilings (glTF, USD).")] = False,
    mesh: OwnMeshes = None,
    force: Force = False,
) -> None:
    """Export a house for other programs, with names and affordances."""
    from homebody.core.ground.files import write_whole

    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise HomebodyError(
            f"{out}: unknown format", f"use one of these extensions: {' '.join(FORMATS)}"
        )
    refuse_overwrite(out, force)
    if suffix.startswith(".usd"):  # with its picture of patterns
        refuse_overwrite(out.with_suffix(".jpg"), force)
    scene = read_house(house, kind)
    meshes = read_meshes(scene, mesh or [])
    if suffix == ".xml" and meshes is not None:
        raise HomebodyError("--mesh does not change collision boxes", "omit it for MuJoCo")
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
