# SPDX-License-Identifier: MIT
"""What is to be damaged: small models from folders, and others that pelt makes of its rigs."""
import json
import os
import pathlib
import shutil
import struct
import subprocess

import mutate_gltf
import shapes

# Formats that assimp reads here; whatever else lies in a folder of models is not one.
OTHERS = set(
    """
    .dae .bvh .x .md5mesh .smd .ms3d .b3d .obj .ply .stl .off .3ds .ase .ac .lwo .md2 .mdl .irr
    .irrmesh .ogex .xgl .wrl .x3d .iqm .q3o .nff .cob .dxf .amf .blend .lws .m3d .3d .hmp .sib
    .ter .csm .mdc
""".split()
)
PICTURES = {".png", ".jpg", ".jpeg", ".webp"}
# Animation textures of every encoding, as files of plain words, so that only the JSON is packed.
BAKES = [
    ["--encoding", encoding, "--format", "raw", "--rate", "10"]
    for encoding in ("qt", "local", "matrix", "dq", "vertex")
]
POSES = [
    b'{"elbow":{"axis":[0,0,1],"degrees":120}}',
    b'{"elbow":[{"axis":[0,0,1],"degrees":-90,"space":"model"},{"scale":1.5}],'
    b'"wrist":{"translate":[0,-0.1,0],"scale":[1,2,0.5]}}',
]


class Model:
    """A file with what it names, in memory."""

    def __init__(self, name, kind, files):
        self.name, self.kind, self.files = name, kind, files
        self.size = sum(len(data) for data in files.values())


def find_kind(path, data):
    suffix = path.suffix.lower()
    if suffix == ".fbx":
        return "fbx" if data.startswith(b"Kaydara FBX Binary") else "fbx-text"
    if suffix in (".glb", ".gltf"):
        return suffix[1:]
    return "picture" if suffix in PICTURES else "other" if suffix in OTHERS else None


def read_named_files(path, data):
    """Buffers and pictures of a .gltf that lie below its folder."""
    files = {}
    tree = json.loads(data)
    for holder in tree.get("buffers", []) + tree.get("images", []):
        uri = holder.get("uri", "data:")
        sibling = path.parent / uri
        if not uri.startswith("data:") and ".." not in uri and sibling.is_file():
            files[uri] = sibling.read_bytes()
    return files


def read_model(path, max_size):
    data = path.read_bytes()
    kind = find_kind(path, data)
    if kind is None or not data:
        return None
    name = "in" + path.suffix.lower()
    files = {name: data}
    if kind in ("glb", "gltf"):
        try:
            files.update(read_named_files(path, data) if kind == "gltf" else {})
            mutate_gltf.Gltf(files, name)
        except (ValueError, AttributeError, TypeError, struct.error):
            kind = "other"  # version 1, or broken already: damaged without looking into it
    model = Model(path.name, kind, files)
    return model if model.size <= max_size else None


def read_folder(folder, max_size):
    models = []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and path.stat().st_size <= max_size:
            model = read_model(path, max_size)
            models += [model] if model else []
    return models


def make_models(pelt, folder, max_size):
    """Built-in characters, with centers and normal factors, as meshes, and a picture."""
    folder = pathlib.Path(folder)
    rigs = json.loads(
        subprocess.run([pelt, "rig", "--json"], check=True, capture_output=True).stdout
    )["rigs"]
    for rig in rigs:
        # Fewer vertices than a human has, and still enough for its fingers.
        source = "rig:" + rig["name"] + ("?vertices=2000" if rig["parameters"] else "")
        plain = folder / (rig["name"] + ".glb")
        for command in (
            [pelt, "convert", source, "-o", plain],
            # From the file, since building a rig takes longer than reading one.
            [pelt, "convert", plain, "-o", folder / (rig["name"] + ".gltf")],
            [
                pelt,
                "enhance",
                plain,
                "--cor",
                "--normals",
                "-o",
                folder / (rig["name"] + "_enhanced.glb"),
            ],
            [pelt, "deform", plain, "-o", folder / (rig["name"] + ".obj")],
            [pelt, "deform", plain, "-o", folder / (rig["name"] + ".ply")],
        ):
            subprocess.run(
                command,
                check=True,
                capture_output=True,
                env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),
            )
    bakes = []
    for options in BAKES:
        out = folder / f"bake{len(bakes)}"
        subprocess.run(
            [pelt, "bake", folder / "box.glb", "-o", out / "in.json", *options],
            check=True,
            capture_output=True,
        )
        files = {path.name: path.read_bytes() for path in out.iterdir() if path.suffix != ".svg"}
        # The first is the one to be damaged.
        files = dict(sorted(files.items(), key=lambda item: not item[0].endswith(".json")))
        bakes.append(Model(" ".join(["bake", *options]), "bake", files))
        shutil.rmtree(out)
    # Without OpenGL there is no picture, and none is needed.
    subprocess.run(
        [pelt, "render", "rig:box", "--size", "48x32", "-o", folder / "box.png"],
        capture_output=True,
    )
    models = read_folder(folder, max_size) + bakes
    return models + [Model(f"pose {i}", "pose", {"in.json": text}) for i, text in enumerate(POSES)]


def list_shapes(max_size):
    """Models of no bytes yet: each case makes its own, of at most so many."""
    models = [Model(name, "shape", {"in.glb": b""}) for name in shapes.SHAPES]
    for model in models:
        model.size = max_size
    return models
