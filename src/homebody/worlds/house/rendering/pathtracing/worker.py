"""The program that traces paths: Blender's Cycles behind a pipe.

It runs in a Python that has ``bpy`` (GPL). It does not import homebody, and homebody does not
import this file. Messages arrive on standard input, replies leave on standard output: a line of
JSON, then the bytes of the arrays that its ``arrays`` names, ``[name, dtype, shape]`` each.

- ``scene``: triangles, surfaces, textures and lights; see :mod:`.scene`. The reply is ``ready``.
- ``camera``: a camera with its view ``outdoors``. The replies are ``progress`` with the number of
  paths ``done`` for each pixel, then ``picture`` with an array ``light`` (height, width, 3) of
  linear light.

The first message is ``hello``, with the version of Blender and its device. Failures are reported as
``error``.
"""

# ruff: noqa: D103
from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from typing import Any, BinaryIO

import bpy  # type: ignore[import-not-found]
import numpy as np

MESHES = ("solid", "shadowless")


def read(stream: BinaryIO) -> dict[str, Any] | None:
    line = stream.readline()
    if not line:
        return None
    message: dict[str, Any] = json.loads(line)
    for name, kind, shape in message.pop("arrays", ()):
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        message[name] = np.frombuffer(stream.read(size), kind).reshape(shape)
    return message


def write(stream: BinaryIO, message: dict[str, Any], **arrays: Any) -> None:
    message["arrays"] = [[name, a.dtype.str, list(a.shape)] for name, a in arrays.items()]
    stream.write(json.dumps(message).encode() + b"\n")
    for array in arrays.values():
        stream.write(np.ascontiguousarray(array).tobytes())
    stream.flush()


# -- the scene -------------------------------------------------------------------------------------


def build(message: dict[str, Any]) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    atlas = image_of("atlas", message["atlas"]) if message["atlas"].size else None
    materials = []
    for surface in message["surfaces"]:
        materials.append(material_of(surface, None))
        materials.append(material_of(surface, atlas))
    shadowless = message["shadowless"].astype(bool)
    for name, mask in zip(MESHES, (~shadowless, shadowless), strict=True):
        if mask.any():
            thing = bpy.data.objects.new(name, mesh_of(name, message, mask, materials))
            thing.visible_shadow = name == "solid"
            scene.collection.objects.link(thing)
    for lamp in message["lamps"]:
        light = bpy.data.lights.new("lamp", "POINT")
        light.color, light.energy = lamp["colour"], lamp["power"]
        light.shadow_soft_size = lamp["radius"]
        light.use_shadow = lamp["shadow"]
        add_light(scene, light, lamp["position"])
    if message["sun"] is not None:
        sun = bpy.data.lights.new("sun", "SUN")
        sun.color, sun.energy = message["sun"]["colour"], message["sun"]["power"]
        sun.angle = message["sun"]["angle"]
        thing = add_light(scene, sun, (0, 0, 0))
        thing.rotation_euler = direction_of(message["sun"]["direction"])
    for window in message["windows"]:  # sampling the sky there reduces noise
        portal = bpy.data.lights.new("portal", "AREA")
        portal.shape = "RECTANGLE"
        portal.size, portal.size_y = window["size"]
        portal.cycles.is_portal = True
        thing = add_light(scene, portal, window["position"])
        thing.rotation_euler = direction_of([-x for x in window["inward"]])
    world_of(scene, message)
    settings(scene, message)


def add_light(scene: Any, light: Any, position: Any) -> Any:
    thing = bpy.data.objects.new(light.name, light)
    thing.location = position
    thing.visible_camera = thing.visible_glossy = thing.visible_transmission = False
    scene.collection.objects.link(thing)
    return thing


def direction_of(back: Any) -> Any:
    """Return the rotation of a light, which shines along its -z, to shine away from ``back``."""
    from mathutils import Vector  # type: ignore[import-not-found]

    return Vector(back).to_track_quat("Z", "Y").to_euler()


def image_of(name: str, pixels: Any, linear: bool = False) -> Any:
    """Return an image of (height, width, 3), its first row the lowest; bytes or linear light."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=linear, is_data=True)
    full = np.ones((height, width, 4), np.float32)
    full[..., :3] = pixels if linear else pixels.astype(np.float32) / 255
    image.pixels.foreach_set(full.ravel())
    image.pack()
    return image


def mesh_of(name: str, message: dict[str, Any], mask: Any, materials: list[Any]) -> Any:
    corners, codes = message["corners"][mask], message["codes"][mask]
    count = len(corners)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(3 * count)
    mesh.vertices.foreach_set("co", corners.ravel())
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", np.arange(3 * count, dtype=np.int32))
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    textured = message["textured"][mask]
    used, slot = np.unique(2 * codes.astype(np.int32) + textured, return_inverse=True)
    for number in used:
        mesh.materials.append(materials[number])
    mesh.polygons.foreach_set("material_index", slot.astype(np.int32))
    colours = mesh.attributes.new("colour", "FLOAT_COLOR", "FACE")
    full = np.ones((count, 4), np.float32)
    full[:, :3] = message["colours"][mask]
    colours.data.foreach_set("color", full.ravel())
    if textured.any():
        layer = mesh.attributes.new("place", "FLOAT2", "CORNER")
        layer.data.foreach_set("vector", message["places"][mask].ravel())
    mesh.update()
    mesh.polygons.foreach_set("use_smooth", np.ones(count, bool))
    mesh.normals_split_custom_set(message["normals"][mask].reshape(-1, 3))
    return mesh


def material_of(surface: dict[str, Any], atlas: Any) -> Any:
    """Return a material with the colour of each face or, with an atlas, the colour at its place in
    the atlas."""
    material = bpy.data.materials.new("surface")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    out = tree.nodes.new("ShaderNodeOutputMaterial")
    if atlas is None:
        node = tree.nodes.new("ShaderNodeAttribute")
        node.attribute_name = "colour"
        colour = node.outputs["Color"]
    else:
        place = tree.nodes.new("ShaderNodeAttribute")
        place.attribute_name = "place"
        picture = tree.nodes.new("ShaderNodeTexImage")
        picture.image = atlas
        tree.links.new(place.outputs["Vector"], picture.inputs["Vector"])
        square = tree.nodes.new("ShaderNodeVectorMath")  # sRGB to linear, as the fast pictures do
        square.operation = "MULTIPLY"
        for i in (0, 1):
            tree.links.new(picture.outputs["Color"], square.inputs[i])
        colour = square.outputs["Vector"]
    shader = tree.nodes.new("ShaderNodeBsdfPrincipled")
    tree.links.new(colour, shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = surface["roughness"]
    shader.inputs["Metallic"].default_value = surface["metallic"]
    shader.inputs["IOR"].default_value = surface["ior"]
    made = shader.outputs["BSDF"]
    if surface["glow"]:
        # Lamps give the light; this is only their visible surface.
        glow = tree.nodes.new("ShaderNodeEmission")
        tree.links.new(colour, glow.inputs["Color"])
        ray = tree.nodes.new("ShaderNodeLightPath")
        seen = tree.nodes.new("ShaderNodeMath")
        seen.operation = "MAXIMUM"
        tree.links.new(ray.outputs["Is Camera Ray"], seen.inputs[0])
        tree.links.new(ray.outputs["Is Glossy Ray"], seen.inputs[1])
        strength = tree.nodes.new("ShaderNodeMath")
        strength.operation = "MULTIPLY"
        strength.inputs[1].default_value = surface["glow"]
        tree.links.new(seen.outputs[0], strength.inputs[0])
        tree.links.new(strength.outputs[0], glow.inputs["Strength"])
        made = glow.outputs["Emission"]
    if surface["clear"]:
        clear = tree.nodes.new("ShaderNodeBsdfTransparent")
        mix = tree.nodes.new("ShaderNodeMixShader")
        mix.inputs["Fac"].default_value = surface["clear"]
        tree.links.new(made, mix.inputs[1])
        tree.links.new(clear.outputs["BSDF"], mix.inputs[2])
        made = mix.outputs["Shader"]
    tree.links.new(made, out.inputs["Surface"])
    return material


def world_of(scene: Any, message: dict[str, Any]) -> None:
    """Add the surroundings: a picture that lights the scene, and the visible one of each camera."""
    world = bpy.data.worlds.new("sky")
    scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    tree.nodes.clear()
    out = tree.nodes.new("ShaderNodeOutputWorld")
    sky = tree.nodes.new("ShaderNodeTexEnvironment")
    sky.image = image_of("sky", message["sky"], linear=True)
    window = tree.nodes.new("ShaderNodeTexCoord")
    seen = tree.nodes.new("ShaderNodeTexImage")
    seen.name = "outdoors"
    seen.interpolation = "Closest"
    tree.links.new(window.outputs["Window"], seen.inputs["Vector"])
    mix = tree.nodes.new("ShaderNodeMixShader")
    for number, picture in ((1, sky), (2, seen)):
        back = tree.nodes.new("ShaderNodeBackground")
        tree.links.new(picture.outputs["Color"], back.inputs["Color"])
        tree.links.new(back.outputs["Background"], mix.inputs[number])
    ray = tree.nodes.new("ShaderNodeLightPath")
    tree.links.new(ray.outputs["Is Camera Ray"], mix.inputs["Fac"])
    tree.links.new(mix.outputs["Shader"], out.inputs["Surface"])
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 256


def settings(scene: Any, message: dict[str, Any]) -> None:
    scene.render.engine = "CYCLES"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.view_settings.view_transform = "Raw"
    scene.render.use_persistent_data = True
    if message["threads"]:
        scene.render.threads_mode = "FIXED"
        scene.render.threads = message["threads"]
    cycles = scene.cycles
    cycles.device = "GPU" if choose_gpu() else "CPU"
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "ACCURATE"  # otherwise the view through glass is grainy
    cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.max_bounces = message["bounces"]
    cycles.diffuse_bounces = message["bounces"]
    cycles.glossy_bounces = 4
    cycles.transmission_bounces = 4
    cycles.transparent_max_bounces = 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.seed = 0


def device() -> str:
    """Return the name of the device that Cycles computes on."""
    wanted = choose_gpu()
    preferences = bpy.context.preferences.addons.get("cycles")
    if preferences is None:
        return "CPU"
    names = {
        f"{one.type} {one.name}"
        for one in preferences.preferences.devices
        if (one.type != "CPU") == wanted and (one.use or not wanted)
    }
    return ", ".join(sorted(names)) or "CPU"


def choose_gpu() -> bool:
    """Select a GPU for Cycles; return whether there is one."""
    preferences = bpy.context.preferences.addons.get("cycles")
    if preferences is None:
        return False
    for kind in ("OPTIX", "CUDA", "HIP", "METAL", "ONEAPI"):
        try:
            preferences.preferences.compute_device_type = kind
            preferences.preferences.refresh_devices()
        except Exception:
            continue
        devices = [one for one in preferences.preferences.devices if one.type == kind]
        for one in preferences.preferences.devices:
            one.use = one.type == kind
        if devices:
            return True
    return False


# -- pictures --------------------------------------------------------------------------------------


def picture(message: dict[str, Any], folder: str) -> Any:
    from mathutils import Matrix

    scene = bpy.context.scene
    lens = bpy.data.cameras.new("camera")
    thing = bpy.data.objects.new("camera", lens)
    scene.collection.objects.link(thing)
    right, ahead, up = message["axes"]
    rows = zip(right, up, [-x for x in ahead], message["position"], strict=True)
    thing.matrix_world = Matrix([*map(list, rows), [0, 0, 0, 1]])
    lens.sensor_fit, lens.angle = "HORIZONTAL", message["angle"]
    lens.clip_start, lens.clip_end = 0.005, 1000.0
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = message["size"]
    scene.render.resolution_percentage = 100
    scene.cycles.samples = message["samples"]
    scene.cycles.sample_clamp_indirect = message["clamp"]
    before = scene.world.node_tree.nodes["outdoors"].image
    if message["outdoors"].size:
        outdoors = image_of("outdoors", message["outdoors"][::-1], linear=True)
        scene.world.node_tree.nodes["outdoors"].image = outdoors
        if before is not None:
            bpy.data.images.remove(before)
    path = os.path.join(folder, "light.exr")
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    bpy.data.objects.remove(thing)
    bpy.data.cameras.remove(lens)
    os.unlink(path)
    return pixels.reshape(height, width, 4)[::-1, :, :3]


def report_progress(answers: BinaryIO) -> None:
    """Report the number of finished paths, which Cycles prints in its line of statistics."""

    def report(line: Any, *_: Any) -> None:
        found = re.search(r"Sample (\d+)/", line) if isinstance(line, str) else None
        if found:
            write(answers, {"kind": "progress", "done": int(found[1])})

    bpy.app.handlers.render_stats.append(bpy.app.handlers.persistent(report))


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps Blender's own output out of the replies
    report_progress(answers)
    write(answers, {"kind": "hello", "blender": bpy.app.version_string, "device": device()})
    built = False
    with tempfile.TemporaryDirectory() as folder:
        while (message := read(sys.stdin.buffer)) is not None:
            try:
                if message["kind"] == "scene":
                    built = False
                    build(message)
                    built = True
                    write(answers, {"kind": "ready"})
                elif not built:
                    write(answers, {"kind": "error", "text": "there is no scene"})
                else:
                    write(answers, {"kind": "picture"}, light=picture(message, folder))
            except Exception as error:
                write(answers, {"kind": "error", "text": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
