"""`homebody house`: make, render and inspect houses."""

from __future__ import annotations

from collections import Counter
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import app, progress
from homebody.cli.command import OUTPUT, Argument, Option, is_given
from homebody.cli.printing import remark, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.worlds.house.model.house import House, Point
    from homebody.worlds.house.rendering.user_meshes import UserMeshes

house_app = app.group("house", help="Make, render and inspect houses.")

HouseFile = Annotated[
    str, Argument(help="A file made by homebody house new or import, or a seed.", metavar="HOUSE")
]


SeedKind = Annotated[
    str | None, Option(metavar="NAME", help="Kind of the scene that a seed makes. home if omitted.")
]

Force = Annotated[bool, Option(panel=OUTPUT, help="Replace an existing file.")]

_OF_VIEWS = ("yaw", "pitch", "fov", "size", "time", "samples", "quality")
"""Options of ``render`` that only apply to views from inside."""

Quality = Annotated[
    str,
    Option(
        metavar="NAME",
        panel=OUTPUT,
        help="fast, or high: path tracing with Blender (docs/reference/houses/pictures.md).",
    ),
]

OwnMeshes = Annotated[
    list[str] | None,
    Option(
        help="Use your own mesh (glb, gltf, obj, ply, stl) for a category or one object."
        " Repeatable.",
        panel=OUTPUT,
        metavar="CATEGORY=FILE",
    ),
]


@house_app.command()
def new(
    file: Annotated[Path | None, Argument(help="The JSON file to write.", metavar="FILE")] = None,
    out: Annotated[Path | None, Option("-o", panel=OUTPUT, help="Same as FILE.")] = None,
    seed: Annotated[int, Option(help="The same seed makes the same house.")] = 0,
    kind: Annotated[
        str,
        Option(
            metavar="NAME",
            help="home, office, classroom, shop, gym, restaurant, gallery, hospital, hotel or"
            " supermarket.",
        ),
    ] = "home",
    type: Annotated[
        str,
        Option(metavar="NAME", help="For a home: studio, flat, family_flat, house or shared_flat."),
    ] = "",
    rooms: Annotated[
        str, Option(metavar="ROOMS", help="Number of rooms, or their kinds: kitchen,bathroom,....")
    ] = "",
    furniture: Annotated[int | None, Option(help="Number of pieces of furniture.")] = None,
    things: Annotated[int | None, Option(help="Number of objects.")] = None,
    people: Annotated[int | None, Option(help="Maximum number of people.")] = None,
    density: Annotated[
        float, Option(help="Amount of objects: 0 bare, 1 lived in, 2 cluttered.")
    ] = 1.0,
    force: Force = False,
) -> None:
    """Generate a house and write it as JSON."""
    from homebody.worlds.house.generation.generate import generate
    from homebody.worlds.house.io import files
    from homebody.worlds.house.model.catalogue import catalogue

    path = out if file is None else file
    if path is None or None not in (file, out):
        raise HomebodyError(
            "house new needs one file to write", "for example: homebody house new flat.json"
        )
    refuse_overwrite(path, force)
    house = generate(
        seed,
        kind,
        _read_rooms(rooms),
        type=type,
        furniture=furniture,
        things=things,
        people=people,
        density=density,
    )
    files.save(house, path)
    say(f"{path}: {describe_house(house)}")
    if type:
        least, most = catalogue().scenes[kind].types[type].rooms
        if not least <= len(house.rooms) <= most:
            remark(f"a {type.replace('_', ' ')} usually has {least} to {most} rooms")


@house_app.command()
def render(
    house: HouseFile,
    out: Annotated[
        Path | None, Option("-o", panel=OUTPUT, help="The picture to write. house.png if omitted.")
    ] = None,
    room: Annotated[
        str | None, Option(metavar="NAME", help="View this room from where most of it is visible.")
    ] = None,
    at: Annotated[
        str | None, Option(metavar="X,Y[,Z]", help="View from this point, in metres.")
    ] = None,
    yaw: Annotated[
        float, Option(metavar="DEGREES", help="Direction of the view: 0 is north, 90 west.")
    ] = 0.0,
    pitch: Annotated[float, Option(metavar="DEGREES", help="Angle above the horizon.")] = -10.0,
    fov: Annotated[float, Option(metavar="DEGREES", help="Horizontal field of view.")] = 84.0,
    size: Annotated[
        str, Option(metavar="WIDTHxHEIGHT", panel=OUTPUT, help="Size in pixels.")
    ] = "640x480",
    time: Annotated[str, Option(metavar="NAME", help="day, evening or night.")] = "day",
    samples: Annotated[
        int | None,
        Option(
            panel=OUTPUT,
            help="Rays per side of a pixel (2 if omitted), or paths in high quality (12).",
        ),
    ] = None,
    quality: Quality = "fast",
    kind: SeedKind = None,
    mesh: OwnMeshes = None,
    graph: Annotated[bool, Option(help="Draw the navigation graph on the map.")] = False,
) -> None:
    """Render a house: a map, or with --room or --at a view from inside."""
    from dataclasses import replace

    from homebody.worlds.house.rendering.render import EYE, Camera, Renderer
    from homebody.worlds.house.rendering.view_sets import check_quality

    if room is not None and at is not None:
        raise HomebodyError("--room and --at are two views", "give one of them")
    inside = room is not None or at is not None
    if graph and inside:
        raise HomebodyError("--graph is drawn on the map", "leave out --room and --at")
    check_quality(quality)
    if not inside and (idle := _first_given(*_OF_VIEWS)):
        raise HomebodyError(f"{idle} applies only to views from inside", "give --room or --at")
    if room is not None and (idle := _first_given("yaw", "pitch")):
        raise HomebodyError(f"{idle} applies only to --at", "--room chooses the direction itself")
    scene = read_house(house, kind)
    meshes = read_meshes(scene, mesh or [])
    width, height = read_size(size)
    picture = out or Path("house.png")
    renderer = Renderer.of(scene, meshes=meshes, time=time)
    if room is not None:
        from homebody.worlds.house.rendering.viewpoints import good_view

        if room not in scene.room:
            raise HomebodyError(f"unknown room: {room!r}", f"choose one of: {' '.join(scene.room)}")
        camera = good_view(renderer, room, fov=fov)
    elif at is not None:
        x, y, *above = _read_numbers(at, "--at", (2, 3))
        eye = x, y, above[0] if above else EYE
        if not _is_indoors(scene, eye):
            raise HomebodyError(f"--at {at} is not in the house", _describe_extent(scene))
        camera = Camera(eye, yaw, pitch, fov=fov)
    else:
        from homebody.worlds.house.rendering.map_picture import map_picture

        marked, lines = _mark_graph(scene) if graph else ([], [])
        _write(map_picture(renderer, 70.0, furniture=True, marked=marked, lines=lines), picture)
        return
    camera = replace(camera, width=width, height=height)
    if quality == "high":
        from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer

        paths = 12 if samples is None else samples
        with progress() as report, PathTracer(renderer, samples=paths) as tracer:
            seen = tracer.picture(camera, progress=report)
    else:
        with progress() as report:
            rays = 2 if samples is None else samples
            seen = renderer.picture(camera, samples=rays, progress=report)
    _write(seen.rgb, picture)


def _first_given(*options: str) -> str:
    """Return the first of these options on the command line, or an empty string."""
    return next((f"--{option}" for option in options if is_given(option)), "")


def _mark_graph(house: House) -> tuple[list[tuple[float, float, str]], list[tuple[Point, Point]]]:
    """Return the points of a house's navigation graph with their numbers, and its edges."""
    from homebody.worlds.house.play.navigation_graph import navigation_graph

    graph = navigation_graph(house)
    at = [point.position for point in graph.points]
    marked = [(x, y, str(number)) for number, (x, y) in enumerate(at)]
    return marked, [(at[a], at[b]) for a in range(len(at)) for b in graph.neighbours(a) if a < b]


@house_app.command()
def show(
    house: HouseFile,
    room: Annotated[str | None, Option(metavar="NAME", help="Only this room.")] = None,
    kind: SeedKind = None,
) -> None:
    """List the rooms of a house with doors, furniture and objects."""
    from homebody.worlds.house.model.people import HAND
    from homebody.worlds.house.model.state import HouseState
    from homebody.worlds.house.model.told_apart import phrase
    from homebody.worlds.house.simulation.walking.doors import doors_of, open_to

    scene = read_house(house, kind)
    if room is not None and room not in scene.room:
        raise HomebodyError(f"unknown room: {room!r}", f"choose one of: {' '.join(scene.room)}")
    say(describe_house(scene))
    state = HouseState.start(scene)

    def contents(owner: str, places: tuple[str, ...], pad: str) -> None:
        for place in places:
            for name in state.objects_at((owner, place)):
                where = f" ({place})" if place else ""
                say(f"{pad}{name}{where}{_format_states(state.states[name])}")
                inner = tuple(receptacle.name for receptacle in scene.thing[name].receptacles)
                contents(name, inner, pad + "  ")

    for place in scene.rooms:
        if room is not None and place.name != room:
            continue
        say("", place.name)
        for door in doors_of(scene, place.name):
            key = f", opened by {door.key}" if door.key else ""
            beyond = door.rooms[door.rooms[0] == place.name]
            say(f"  {door.name}{_format_states(door.states)} to {beyond}{key}")
        if passages := open_to(scene, place.name):
            say(f"  open doorway to {', '.join(passages)}")
        for piece in scene.furniture:
            if piece.room == place.name:
                say(f"  {piece.name}{_format_states(piece.states)}")
                contents(piece.name, tuple(r.name for r in piece.receptacles), "    ")
        for someone in scene.people:
            if someone.room == place.name:
                on = f" on {someone.on}" if someone.on else ""
                does = f", {someone.activity}" if someone.activity else ""
                say(
                    f"  {someone.name} ({phrase(scene, someone.name)}): {someone.posture}{on}{does}"
                )
                contents(someone.name, (HAND,), "    ")
        if state.objects_at((place.floor_name, "")):
            say("  on the floor")
            contents(place.floor_name, ("",), "    ")


def refuse_overwrite(out: Path, force: bool) -> None:
    """Raise HomebodyError if ``out`` exists and ``force`` is false.

    This protects houses that somebody may have edited.
    """
    if out.is_file() and not force:
        raise HomebodyError(f"{out} exists", "give another name, or --force to replace it")


def read_house(text: str, kind: str | None) -> House:
    """Read a house from a file, or generate it from a seed.

    Raises:
        HomebodyError: There is no such file, or ``kind`` is given for a file.
    """
    if text.isdecimal() and not Path(text).exists():
        from homebody.worlds.house.generation.generate import generate

        return generate(int(text), "home" if kind is None else kind)
    if kind is not None:
        raise HomebodyError("--kind applies only to seeds", f"omit it: {text} is a file")
    from homebody.worlds.house.io import files

    return files.load(Path(text))


def read_meshes(house: House, options: list[str]) -> UserMeshes | None:
    """Read the user's meshes from options such as ``chair=chair.glb``."""
    if not options:
        return None
    from homebody.worlds.house.model.catalogue import catalogue
    from homebody.worlds.house.rendering.user_meshes import UserMeshes

    files: dict[str, Path] = {}
    categories = {*catalogue().furniture, *catalogue().things}
    categories |= {name for piece in house.furniture for name in (piece.category, piece.name)}
    categories |= {name for thing in house.things for name in (thing.category, thing.name)}
    for option in options:
        category, sign, path = option.partition("=")
        if not sign or not path:
            raise HomebodyError(f"--mesh {option!r}", "give CATEGORY=FILE, such as chair=chair.glb")
        if category not in categories:
            raise HomebodyError(f"--mesh {option!r}: there is no {category!r} in the house")
        if category in files:
            raise HomebodyError(f"--mesh {option!r}: there is already a mesh for {category}")
        files[category] = Path(path)
    return UserMeshes(house, files)


def _is_indoors(house: House, point: tuple[float, float, float]) -> bool:
    """Return whether a point is in a room, or within a wall's thickness of one."""
    from homebody.worlds.house.model.outlines import gap, parts_of

    x, y, z = point
    return any(
        0 <= z <= room.height and gap((x, y, x, y), part) <= house.wall
        for room in house.rooms
        for part in parts_of(room)
    )


def _describe_extent(house: House) -> str:
    xs, ys = zip(*(corner for room in house.rooms for corner in room.outline), strict=True)
    return f"it reaches from {min(xs):g},{min(ys):g} to {max(xs):g},{max(ys):g}"


def _read_rooms(text: str) -> int | list[str] | None:
    if not text:
        return None
    return (
        int(text)
        if text.removeprefix("-").isdecimal()
        else [kind.strip() for kind in text.split(",")]
    )


def _read_numbers(text: str, option: str, counts: tuple[int, ...]) -> list[float]:
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not all(map(isfinite, numbers)):
        raise HomebodyError(f"{option} {text!r}", f"give {' or '.join(map(str, counts))} numbers")
    return numbers


def read_size(text: str) -> tuple[int, int]:
    """Read WIDTHxHEIGHT as width and height in pixels."""
    width, height = _read_numbers(text.lower().replace("x", ","), "--size", (2,))
    return int(width), int(height)


def describe_house(house: House) -> str:
    """Return one line about what a house contains."""
    kinds = Counter(room.kind for room in house.rooms)
    rooms = ", ".join(f"{n} {kind}" if n > 1 else kind for kind, n in kinds.items())
    origin = house.source or f"seed {house.seed}"
    return (
        f"{house.kind}, {origin}: {len(house.furniture)} pieces of furniture, "
        f"{len(house.things)} objects, {len(house.people)} people in {rooms}"
    )


def _format_states(states: object) -> str:
    own = dict(states) if isinstance(states, dict) else {}
    words = [name if value else f"not {name}" for name, value in own.items()]
    return f" [{', '.join(words)}]" if words else ""


def _write(image: object, out: Path) -> None:
    import io

    from PIL import Image

    from homebody.core.ground.files import write_whole

    if out.suffix.lower() not in (".png", ".jpg", ".jpeg", ".webp"):
        raise HomebodyError(f"{out}: unknown picture format", "name it *.png")
    data = io.BytesIO()
    form = Image.registered_extensions()[out.suffix.lower()]
    try:
        Image.fromarray(image).save(data, form)  # type: ignore[arg-type]
    except ValueError as error:  # more pixels than the format allows
        raise HomebodyError(f"cannot write {out}: {error}", "name it *.png") from error
    write_whole(out, data.getvalue())
    remark(str(out))
