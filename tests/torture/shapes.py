# SPDX-License-Identifier: MIT
"""Valid characters below 1 MB whose counts, valences, times or numbers are extreme."""
import json
import struct
import zlib

import mutate_gltf

ROTATION, TRANSLATION = "rotation", "translation"


class Builder:
    """A glTF file that grows: accessors over one buffer, nodes, and a mesh on a skin."""

    def __init__(self):
        self.body = bytearray()
        self.tree = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"mesh": 0, "skin": 0}, {"children": [2]}, {"translation": [0, 1, 0]}],
            "meshes": [{"primitives": []}],
            "skins": [{"joints": [1, 2]}],
            "accessors": [],
            "bufferViews": [],
        }

    def view(self, data):
        self.body += b"\0" * (-len(self.body) % 4)
        self.tree["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.body), "byteLength": len(data)}
        )
        self.body += data
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, form, kind, values, **more):
        """@param form  a letter of struct; values lie end to end"""
        component = {form: code for code, form in mutate_gltf.COMPONENTS.items()}[form]
        self.tree["accessors"].append(
            {
                "bufferView": self.view(struct.pack(f"<{len(values)}{form}", *values)),
                "componentType": component,
                "count": len(values) // mutate_gltf.WIDTHS[kind],
                "type": kind,
                **more,
            }
        )
        return len(self.tree["accessors"]) - 1

    def mesh(self, points, indices=None):
        """From y = 0 to 2 the weight goes from the first joint to the second."""
        bounds = {"min": list(map(min, zip(*points))), "max": list(map(max, zip(*points)))}
        weights = [max(0, min(255, int(p[1] * 127))) for p in points]
        primitive = {
            "attributes": {
                "POSITION": self.accessor("f", "VEC3", [x for p in points for x in p], **bounds),
                "JOINTS_0": self.accessor("B", "VEC4", [0, 1, 0, 0] * len(points)),
                "WEIGHTS_0": self.accessor(
                    "B", "VEC4", [x for w in weights for x in (255 - w, w, 0, 0)], normalized=True
                ),
            }
        }
        if indices is not None:
            primitive["indices"] = self.accessor("H", "SCALAR", indices)
        self.tree["meshes"][0]["primitives"].append(primitive)
        return primitive

    def clip(self, times, path=ROTATION, interpolation="LINEAR"):
        pairs = {ROTATION: [[0, 0, 0, 1], [0.6, 0, 0, 0.8]], TRANSLATION: [[0, 1, 0], [0, 2, 0]]}
        values = [x for i in range(len(times)) for x in pairs[path][i % 2]]
        kind = "VEC4" if path == ROTATION else "VEC3"
        bounds = {"min": [min(times)], "max": [max(times)]}
        return {
            "channels": [{"sampler": 0, "target": {"node": 2, "path": path}}],
            "samplers": [
                {
                    "input": self.accessor("f", "SCALAR", times, **bounds),
                    "output": self.accessor("f", kind, values),
                    "interpolation": interpolation,
                }
            ],
        }

    def files(self):
        self.tree["buffers"] = [{"byteLength": len(self.body)}]
        text = json.dumps(self.tree, separators=(",", ":")).encode()
        return {"in.glb": mutate_gltf.pack_glb([[b"JSON", text], [b"BIN\0", bytes(self.body)]])}


def tube(rings):
    """Points and indices of a tube with eight sides."""
    circle = [0, 0.7, 1, 0.7, 0, -0.7, -1, -0.7]
    points = [
        (0.2 * circle[i % 8], 2 * (i // 8) / rings, 0.2 * circle[(i + 2) % 8])
        for i in range(8 * (rings + 1))
    ]
    quads = [(r * 8 + s, r * 8 + (s + 1) % 8) for r in range(rings) for s in range(8)]
    return points, [x for a, b in quads for x in (a, b, a + 8, a + 8, b, b + 8)]


def with_tube(rings=6):
    builder = Builder()
    builder.mesh(*tube(rings))
    builder.tree["animations"] = [builder.clip([0.0, 0.5, 1.0])]
    return builder


# ---------------------------------------------------------------------------------------------
# Counts


def joints(random):
    """Around what an index of 16 bits can name."""
    builder = with_tube()
    count = random.choice([300, 5000, 65535, 65536, 65537, 66000])
    kind = random.choice(["same", "star", "chain"] if count < 20000 else ["same", "star", "star"])
    if kind == "same":
        builder.tree["skins"][0]["joints"] = [1, 2] * (count // 2) + [2] * (count % 2)
    else:
        builder.tree["skins"][0]["joints"] = [1, *range(3, 3 + count - 1)]
        builder.tree["nodes"] += [
            {"children": [4 + i]} if kind == "chain" and i + 2 < count else {}
            for i in range(count - 1)
        ]
        builder.tree["nodes"][1]["children"] += [3] if kind == "chain" else range(3, 2 + count)
    return builder.files()


def skins(random):
    """Joints of all skins together."""
    builder = with_tube()
    count = random.choice([40, 400, 3000])
    builder.tree["skins"] *= count
    builder.tree["skins"][0] = {"joints": [1, 2] * random.choice([1, 8, 30000])}
    builder.tree["nodes"] += [{"mesh": 0, "skin": i} for i in range(count)]
    builder.tree["scenes"][0]["nodes"] += range(3, 3 + count)
    return builder.files()


def nodes(random):
    """A chain, a star, or both: joints that hang below a long chain without any."""
    builder = with_tube()
    count = random.choice([200, 5000, 20000])
    listed = [{} for _ in range(count)]
    chain = random.choice([0, count // 2, count - 1])
    for i in range(chain):
        listed[i]["children"] = [4 + i]
    listed[chain]["children"] = list(range(4 + chain, 3 + count))
    builder.tree["nodes"] += listed
    builder.tree["nodes"][1]["children"].append(3)
    if random.random() < 0.5:
        builder.tree["skins"][0]["joints"] += range(4 + chain, min(3 + count, 4 + chain + 9000))
    return builder.files()


def clips(random):
    builder = with_tube()
    builder.tree["animations"] *= random.choice([50, 1000, 6000])
    return builder.files()


def instances(random):
    """One mesh in many instances."""
    count, rings = random.choice([(100, 300), (100, 1500), (1000, 60), (9000, 4)])
    builder = with_tube(rings)
    skin = random.choice([{"skin": 0}, {}])
    builder.tree["nodes"] += [{"mesh": 0, **skin}] * count
    builder.tree["scenes"][0]["nodes"] += range(3, 3 + count)
    return builder.files()


def morphs(random):
    builder = with_tube(30)
    primitive = builder.tree["meshes"][0]["primitives"][0]
    target = {"POSITION": primitive["attributes"]["POSITION"]}
    primitive["targets"] = [target] * random.choice([50, 3000])
    return builder.files()


# ---------------------------------------------------------------------------------------------
# Triangles


def fan(random):
    """All triangles meet in one vertex."""
    count, builder = random.choice([2000, 20000]), Builder()
    points = [(0, 1, 0)] + [(i / count, 2 * i / count, (i * 7 % 11) / 11) for i in range(count + 1)]
    builder.mesh(points, [x for i in range(count) for x in (0, i + 1, i + 2)])
    builder.tree["animations"] = [builder.clip([0.0, 1.0])]
    return builder.files()


def flat(random):
    """Triangles in one line, or in one point."""
    count, builder = random.choice([2000, 20000]), Builder()
    is_line = random.random() < 0.5
    points = [(0, 2 * i / count if is_line else 1, 0) for i in range(count + 2)]
    builder.mesh(points, [x for i in range(count) for x in (i, i + 1, i + 2)])
    builder.tree["animations"] = [builder.clip([0.0, 1.0])]
    return builder.files()


def coincident(random):
    """The same triangle again and again, with vertices of its own or with three."""
    builder, corners = Builder(), [(0, 0, 0), (1, 1, 0), (0, 2, 1)]
    if random.random() < 0.5:
        builder.mesh(corners * random.choice([1000, 10000]))
    else:
        builder.mesh(corners, [0, 1, 2] * random.choice([3000, 100000]))
    builder.tree["animations"] = [builder.clip([0.0, 1.0])]
    return builder.files()


def loose_triangles(random):
    """Triangles that share nothing, large or small, anywhere."""
    builder, size = Builder(), random.choice([0.01, 1.0])
    points = []
    for _ in range(random.choice([1000, 14000])):
        x, y, z = random.random(), 2 * random.random(), random.random()
        points += [(x, y, z), (x + size, y, z), (x, y, z + size)]
    builder.mesh(points)
    builder.tree["animations"] = [builder.clip([0.0, 1.0])]
    return builder.files()


def heap(random):
    """Hundreds of triangles for each vertex, as a list or as a strip."""
    builder, count = Builder(), random.choice([250, 2000])
    is_strip = random.random() < 0.5
    points = [(random.random(), 2 * random.random(), random.random()) for _ in range(count)]
    corners = [random.randrange(count) for _ in range(random.choice([9000, 450000]))]
    primitive = builder.mesh(points, corners)
    primitive["mode"] = 5 if is_strip else 4
    builder.tree["animations"] = [builder.clip([0.0, 1.0])]
    return builder.files()


# ---------------------------------------------------------------------------------------------
# Numbers


def times(random):
    """Clips that last for ever or no time at all, and keys next to each other."""
    builder = with_tube()
    lists = [
        [0.0, 1e6],
        [0.0, 1e-6, 1e6],
        [0.0, 1e-30, 1.0],
        [0.0, 3e38],
        [1e37, 2e37, 3e38],
        [-1e6, 0.0, 1.0],
        [1e6, 1e6 + 1],
        [i * 37.5 + (i * 7 % 5) * 1e-5 for i in range(500)],
        [i / 60.01 for i in range(2000)],
        sorted({random.randrange(1, 1 << 20) / 1024 for _ in range(700)}),
        [1e-45 * i for i in range(1, 30)],
        [2.0**i for i in range(-120, 120)],
    ]
    builder.tree["animations"] = [
        builder.clip(
            random.choice(lists),
            random.choice([ROTATION, TRANSLATION]),
            random.choice(["LINEAR", "STEP"]),
        )
        for _ in range(random.choice([1, 1, 3, 20]))
    ]
    return builder.files()


def binds(random):
    """Inverse binds that scale to nothing or to everything."""
    builder = with_tube()
    scale = random.choice([3e38, 1e30, 1e-30, 1e-45, 0.0, -1.0, -3e38])
    far = random.choice([0.0, 0.0, 1e30, 3e38])
    plain = [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]
    odd = [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, random.choice([scale, 1.0]), 0, far, 0, 0, 1.0]
    builder.tree["skins"][0]["inverseBindMatrices"] = builder.accessor("f", "MAT4", plain + odd)
    if random.random() < 0.5:
        builder.tree["nodes"][2]["scale"] = [random.choice([1e-38, 1e38, 1e-6, 0.0, 1.0])] * 3
    return builder.files()


def make_png(side):
    """A black picture of one bit for each pixel, which packs a thousandfold."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(side * (1 + (side + 7) // 8)), 9)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def pictures(random):
    """Materials that name one picture, or pictures that are nearly the same."""
    builder = with_tube()
    first = builder.tree["meshes"][0]["primitives"][0]
    points = builder.tree["accessors"][first["attributes"]["POSITION"]]["count"]
    first["attributes"]["TEXCOORD_0"] = builder.accessor("f", "VEC2", [0.5] * 2 * points)
    count, png = random.choice([2, 40, 120]), make_png(random.choice([64, 4096, 4096]))
    kind = random.choice(["same image", "same view", "copies"])
    view = builder.view(png)
    builder.tree["images"] = [{"bufferView": view, "mimeType": "image/png"}]
    for _ in range(1, 1 if kind == "same image" else count if kind == "same view" else 8):
        # Bytes after the end make another file of it.
        other = view if kind == "same view" else builder.view(png + random.randbytes(4))
        builder.tree["images"].append({"bufferView": other, "mimeType": "image/png"})
    image_count = len(builder.tree["images"])
    builder.tree["samplers"] = [{}, {"magFilter": 9728, "wrapS": 33071}, {"minFilter": 9728}]
    builder.tree["textures"] = [
        {"source": i % image_count, "sampler": i % 3} for i in range(count)
    ]
    builder.tree["materials"] = [
        {
            "pbrMetallicRoughness": {"baseColorTexture": {"index": i}},
            "alphaMode": random.choice(["OPAQUE", "OPAQUE", "MASK", "BLEND"]),
        }
        for i in range(count)
    ]
    builder.tree["meshes"][0]["primitives"] = [{**first, "material": i} for i in range(count)]
    return builder.files()


SHAPES = {
    make.__name__: make
    for make in (
        joints,
        skins,
        nodes,
        clips,
        instances,
        morphs,
        fan,
        flat,
        coincident,
        loose_triangles,
        heap,
        times,
        binds,
        pictures,
    )
}


def make(random, name, max_size):
    """Files of a shape, the first that is small enough; the smallest of each are a few kB."""
    while True:
        files = SHAPES[name](random)
        if len(files["in.glb"]) <= max_size:
            return files
