# SPDX-License-Identifier: MIT
"""Textures of OpenVAT, read as the shader of its importer for Godot reads them.

Usage: openvat_outside.py BASE EXPECTED FIRST..., for BASE_vat.png, BASE-remap_info.json and
BASE.glb. EXPECTED has for each frame and mesh positions, then normals, as floats; FIRST are the
numbers of the frames that clips begin with, and of all frames."""
import json
import math
import struct
import sys
import zlib


def read_png(path):
    data, at, chunks = open(path, "rb").read(), 8, {}
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        chunks[data[at + 4:at + 8]] = data[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, color = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    assert (depth, color) == (16, 6)
    rows = zlib.decompress(chunks[b"IDAT"])
    step = 8 * width + 1
    pixels = []
    for y in range(height):
        assert rows[y * step] == 0
        pixels.append(struct.unpack_from(f">{4 * width}H", rows, y * step + 1))
    return width, height, pixels


def read_glb(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack_from("<I", data, 12)
    document, binary = json.loads(data[20:20 + size]), data[28 + size:]

    def floats(index, width):
        accessor = document["accessors"][index]
        assert accessor["componentType"] == 5126
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = struct.unpack_from(f"<{width * accessor['count']}f", binary, start)
        return [values[i:i + width] for i in range(0, len(values), width)]

    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            assert "TEXCOORD_0" in attributes
            yield floats(attributes["POSITION"], 3), floats(attributes["TEXCOORD_1"], 2)


def y_up(v):
    return v[0], v[2], -v[1]


base, expected = sys.argv[1], open(sys.argv[2], "rb").read()
first = [int(text) for text in sys.argv[3:]]
width, height, pixels = read_png(base + "_vat.png")
info = json.load(open(base + "-remap_info.json"))
low, high = info["os-remap"]["Min"], info["os-remap"]["Max"]
assert info["os-remap"]["Frames"] == first[-1]
clips = list(info["animations"].values())
assert [(c["startFrame"], c["endFrame"]) for c in clips] == [
    (first[i] + 1, first[i + 1]) for i in range(len(first) - 1)]
assert all(isinstance(c["framerate"], int) and isinstance(c["looping"], bool) for c in clips)
meshes = list(read_glb(base + ".glb"))
# Half a step of 16 bits, and what floats leave.
allowed = [(b - a) / 65535 / 2 * 1.01 + 1e-6 for a, b in zip(low, high)]
allowed = (allowed[0], allowed[2], allowed[1])


def sample(u, v):
    x, y = math.floor(u * width), math.floor(v * height)
    return [value / 65535 for value in pixels[y][4 * x:4 * x + 3]]


at = 0
for frame in range(first[-1]):
    for positions, uvs in meshes:
        count = len(positions)
        values = struct.unpack_from(f"<{6 * count}f", expected, at)
        at += 24 * count
        for i, (rest, (u, v)) in enumerate(zip(positions, uvs)):
            part = sample(u, v + frame / height)
            way = y_up([a + p * (b - a) for a, b, p in zip(low, high, part)])
            for k in range(3):
                off = abs(rest[k] + way[k] - values[3 * i + k])
                assert off <= allowed[k], (frame, i, k, off, allowed[k])
            normal = y_up([2 * c - 1 for c in sample(u, v + frame / height + 0.5)])
            wanted = values[3 * (count + i):3 * (count + i) + 3]
            assert math.dist(normal, wanted) < 4e-5, (frame, i, normal, wanted)
assert at == len(expected)
