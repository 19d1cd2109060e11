# SPDX-License-Identifier: MIT
"""Which model is damaged how, and for which command: a function of seed and number alone."""
import base64
import json
import random as random_module
import struct
import zlib

import mutate_bytes
import mutate_fbx
import mutate_gltf
import mutate_text
import shapes

# How often each kind is taken: pelt's own readers most, pictures least, as drawing takes longest.
SHARES = {
    "glb": 30,
    "gltf": 14,
    "fbx": 24,
    "fbx-text": 10,
    "other": 14,
    "pose": 5,
    "picture": 3,
    "bake": 6,
    "shape": 14,
}
METHODS = ["lbs", "dqs", "mix", "crs", "lms", "sbs", "ddm"]
# Instruction sets for PELT_ISA; a machine without one takes its best.
SETS = ["base", "avx2", "avx512"]
NORMALS = ["standard", "accurate", "paper", "recompute"]


class Case:
    """Files to be written, arguments of pelt, its instruction set, and the output; None: none."""

    def __init__(self, index, model, files, names, arguments, isa, output):
        self.index, self.model, self.files, self.names = index, model, files, names
        self.arguments, self.isa, self.output = arguments, isa, output


def pick_model(random, models):
    kinds = sorted({model.kind for model in models})
    kind = random.choices(kinds, [SHARES[k] for k in kinds])[0]
    choice = [model for model in models if model.kind == kind]
    if kind == "other":
        # Formats are many and files of one few or dozens: each format as often as the next.
        suffix = random.choice(sorted({next(iter(model.files)) for model in choice}))
        choice = [model for model in choice if next(iter(model.files)) == suffix]
    # The smaller of two: most of the time goes into small files, and large ones still come up.
    return min(random.choice(choice), random.choice(choice), key=lambda model: model.size)


def fix_png(data):
    """Checksums that fit, so that the decoder looks further."""
    out, at = bytearray(data[:8]), 8
    while at + 12 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + size]
        out += struct.pack(">I", size) + body + struct.pack(">I", zlib.crc32(body))
        at += 12 + size
    return bytes(out) + data[at:]


def show_picture(data):
    """A triangle with the picture on it, as glTF."""
    numbers = struct.pack("<15f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1)
    buffer = base64.b64encode(numbers + data).decode()
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [
                {"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}
            ],
            "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            "textures": [{"source": 0}],
            "images": [{"bufferView": 2, "mimeType": "image/png"}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteLength": 36},
                {"buffer": 0, "byteOffset": 36, "byteLength": 24},
                {"buffer": 0, "byteOffset": 60, "byteLength": len(data)},
            ],
            "buffers": [
                {
                    "byteLength": 60 + len(data),
                    "uri": "data:application/octet-stream;base64," + buffer,
                }
            ],
        }
    ).encode()


def damage_plainly(random, files, name, times, names, mutate):
    data = bytearray(files[name])
    for _ in range(times):
        mutate(random, data, names)
    return {**files, name: bytes(data)}


def damage(random, model, names):
    files, name = model.files, next(iter(model.files))
    times = random.choice([1, 1, 1, 2, 4])
    is_plain = random.random() < 0.08  # every format meets plain damage as well
    if model.kind == "shape":
        return shapes.make(random, model.name, model.size)
    if model.kind == "bake" and random.random() < 0.9:
        return {**files, name: mutate_gltf.mutate_json(random, files[name], times, names)}
    if model.kind in ("glb", "gltf") and not is_plain:
        return mutate_gltf.mutate(random, files, name, times, names)
    if model.kind == "fbx" and not is_plain:
        return {**files, name: mutate_fbx.mutate(random, files[name], times, names)}
    if model.kind == "picture":
        files = damage_plainly(random, files, name, times, names, mutate_bytes.mutate)
        data = (
            fix_png(files[name])
            if files[name][:4] == b"\x89PNG" and random.random() < 0.7
            else files[name]
        )
        return {"in.gltf": show_picture(data)}
    is_text = b"\0" not in files[name][:512]
    mutate = mutate_text.mutate if is_text and random.random() < 0.9 else mutate_bytes.mutate
    return damage_plainly(random, files, name, times, names, mutate)


def pick_method(random):
    """A method with a rule of normals that it has."""
    method = random.choice(METHODS)
    has_derivative = method not in ("lms", "sbs", "ddm")
    return method, random.choice(NORMALS if has_derivative else ["standard", "recompute"])


def pick_deform(random):
    method, normals = pick_method(random)
    options = ["--method", method, "--normals", normals]
    options += random.choice(
        [
            [],
            [],
            ["--time", "0.3"],
            ["--time", "0.3", "--wrap", "loop"],
            ["--convention", random.choice(["maya", "blender", "ogre", "usd"])],
        ]
    )
    return "deform", options, random.choice(["out.obj", "out.ply", "out.glb", "out.gltf"])


def pick_render(random):
    return "render", ["--size", "64x64", "--method", random.choice(METHODS)], "out.png"


def pick_bake(random):
    options = random.choice(
        [
            [],
            [],
            ["--max-error", "0.1mm/m"],
            ["--rate", random.choice(["auto", "30", "0.1"]), "--max-error", "1mm/m"],
            ["--encoding", random.choice(["qt", "local", "matrix", "dq", "vertex"])],
            ["--encoding", "local", "--max-bytes", "64k"],
        ]
    )
    return "bake", options, "out.json"


# With what they take: these visit every stage, and take longest.
LONG_COMMANDS = [
    pick_bake,
    pick_bake,
    lambda random: ("doctor", ["--fail-on", "error"], None),
    lambda random: ("doctor", ["--fix"], random.choice(["out.glb", "out.gltf"])),
    lambda random: ("compare", ["--no-times"], "report"),
    lambda random: ("compare", ["--no-times", "--frames", "10"], "report"),
    lambda random: ("enhance", ["--mix-map"], "out.glb"),
]
# What is cheap with any character.
COMMANDS = [
    ("info", [], None),
    ("info", ["--json", "--joints", "--gpu"], None),
    ("info", ["--json"], None),
    ("convert", [], "out.glb"),
    ("convert", [], "out.gltf"),
    ("convert", ["--json"], "out.glb"),
    ("convert", ["--quantize", "--meshopt"], "out.glb"),
    ("enhance", ["--cor"], "out.glb"),
    ("enhance", ["--normals"], "out.glb"),
    ("enhance", ["--cor", "--normals", "--normal-joints", "2"], "out.gltf"),
    ("enhance", ["--cor", "--normals", "--normal-joints", "8"], "out.gltf"),
    ("enhance", ["--cor", "--normals", "--twist", "auto"], "out.glb"),
    ("enhance", ["--twist", "auto:2", "--max-influences", "4"], "out.glb"),
]


def pick_command(random, model):
    """Arguments after the input, and the name of the output."""
    if model.kind == "bake":
        return "unbake", random.choice([[], [], ["--rate", "30"]]), "out.glb"
    # A shape is made for all commands, and damage mostly for readers.
    is_shape = model.kind == "shape"
    if model.kind == "picture" or model.name == "pictures" and random.random() < 0.7:
        return pick_render(random)
    if model.kind != "pose" and random.random() < (0.1 if is_shape else 0.015):
        return pick_render(random)
    if model.kind != "pose" and random.random() < (0.6 if is_shape else 0.15):
        return random.choice(LONG_COMMANDS)(random)
    if model.kind == "pose" or random.random() < 0.35:
        return pick_deform(random)
    return random.choice(COMMANDS)


# With clips of other files, here of the damaged file itself, or for a character that is whole.
TAKES_CLIPS = "info convert deform".split()
COMMAND_NAMES = "info convert deform enhance render bake unbake doctor compare".split()


def make_case(index, seed, models, commands):
    random = random_module.Random(f"{seed}:{index}")
    model = pick_model(random, models)
    names = []
    files = damage(random, model, names)
    command, options, output = pick_command(random, model)
    while command not in commands:
        command, options, output = random.choice(COMMANDS)
    source = "in/" + next(iter(files))
    if model.kind == "pose":
        arguments = [command, "rig:arm?vertices=300", "--pose", "@" + source]
    elif command == "convert" and model.kind not in ("bake", "picture") and random.random() < 0.1:
        arguments = [command, "rig:human?vertices=2000", "--clips", source]
    else:
        arguments = [command, source]
    if command in TAKES_CLIPS and random.random() < 0.1:
        arguments += ["--clips", source] + random.choice([[], ["--retarget-rest"]])
    arguments += options + ["--threads", random.choice("112")]
    arguments += ["-o", "out/" + output] if output else []
    return Case(index, model, files, names, arguments, random.choice(SETS), output)
