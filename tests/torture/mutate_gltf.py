# SPDX-License-Identifier: MIT
"""Damage to glTF that keeps most of it intact: members of the JSON, numbers, chunks of a GLB."""
import base64
import json
import math
import struct

import mutate_bytes
from mutate_bytes import pick_float, pick_integer

# Which array a member counts in.
REFERENCES = {
    "node": "nodes",
    "mesh": "meshes",
    "skin": "skins",
    "skeleton": "nodes",
    "bufferView": "bufferViews",
    "buffer": "buffers",
    "material": "materials",
    "source": "images",
    "scene": "scenes",
    **dict.fromkeys("input output inverseBindMatrices indices".split(), "accessors"),
    **dict.fromkeys("POSITION NORMAL TANGENT TEXCOORD_0".split(), "accessors"),
    **dict.fromkeys("JOINTS_0 WEIGHTS_0 _PELT_COR".split(), "accessors"),
}
ATTRIBUTES = """
    POSITION NORMAL TANGENT TEXCOORD_0 COLOR_0 JOINTS_0 WEIGHTS_0 JOINTS_1 WEIGHTS_1 JOINTS_7
    _PELT_COR _PELT_MIX _PELT_NORMAL_JOINTS_0 _PELT_NORMAL_WEIGHTS_0 _PELT_NORMAL_TANGENT
    _PELT_NORMAL_ALPHA_0 _PELT_NORMAL_CENTER TEXCOORD_1 TEXCOORD_2 TEXCOORD_3
""".split()
SLOTS = "normalTexture occlusionTexture emissiveTexture metallicRoughnessTexture baseColorTexture"
TYPES = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC5", "vec3", ""]
COMPONENTS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
PATHS = ["translation", "rotation", "scale", "weights", "pointer", ""]
INTERPOLATIONS = ["LINEAR", "STEP", "CUBICSPLINE", "BEZIER"]
URIS = [
    "",
    "..",
    "../../../../etc/passwd",
    "/etc/passwd",
    "%2e%2e/x",
    "file:///etc/passwd",
    "data:,",
    "data:;base64,!!!!",
    "data:application/octet-stream;base64,AAAA",
    ".",
    "http://localhost/x",
    "a\u0000b",
    "%",
    "%zz",
    "//",
    "C:\\x",
]


def pick_json_float(random):
    """Most often one that JSON has: a NaN ends the reading of it all."""
    number = pick_float(random)
    return (
        number
        if math.isfinite(number) or random.random() < 0.05
        else random.choice([1e38, -1e38, 1e-40])
    )


class Document:
    """JSON that is changed."""

    def __init__(self, text):
        self.raws = []
        self.tree = json.loads(text)

    def raw(self, text):
        """A value that is written as this text, valid or not."""
        self.raws.append(text)
        return f"@raw{len(self.raws) - 1}@"

    def text(self):
        text = json.dumps(self.tree, separators=(",", ":"))
        for i, raw in enumerate(self.raws):
            text = text.replace(f'"@raw{i}@"', raw)
        return text.encode("utf-8", "surrogatepass")


class Gltf(Document):
    """A file taken apart: its JSON, and the bytes of each buffer that could be found."""

    def __init__(self, files, name):
        self.files, self.name = dict(files), name
        self.is_glb = files[name][:4] == b"glTF"
        self.buffers = {}
        text = files[name]
        if self.is_glb:
            (size,) = struct.unpack_from("<I", text, 12)
            if len(text) > 28 + size:
                self.buffers[0] = bytearray(text[28 + size :])
            text = text[20 : 20 + size]
        super().__init__(text)
        for i, buffer in enumerate(self.tree.get("buffers", [])):
            uri = buffer.get("uri", "")
            if uri.startswith("data:") and ";base64," in uri:
                self.buffers[i] = bytearray(base64.b64decode(uri.split(",", 1)[1]))
            elif uri in files:
                self.buffers[i] = bytearray(files[uri])

    def store_buffers(self):
        """Buffers go back to where they came from: a data URI, a file, or the chunk of a GLB."""
        listed = self.tree.get("buffers")
        for i, data in self.buffers.items():
            buffer = listed[i] if isinstance(listed, list) and i < len(listed) else None
            uri = buffer.get("uri") if isinstance(buffer, dict) else None
            if isinstance(uri, str) and uri.startswith("data:") and len(uri) > 80:
                buffer["uri"] = (
                    "data:application/octet-stream;base64," + base64.b64encode(data).decode()
                )
            elif isinstance(uri, str) and uri in self.files:
                self.files[uri] = bytes(data)

    def chunks(self):
        chunks = [[b"JSON", self.text()]]
        if 0 in self.buffers:
            chunks.append([b"BIN\0", bytes(self.buffers[0])])
        return chunks


def pack_glb(chunks, size=None):
    body = b""
    for kind, data in chunks:
        data += (b" " if kind == b"JSON" else b"\0") * (-len(data) % 4)
        body += struct.pack("<I", len(data)) + kind + data
    return (
        b"glTF" + struct.pack("<II", 2, 12 + len(body) if size is None else size % 2**32) + body
    )


# ---------------------------------------------------------------------------------------------
# The JSON


def pick_slot(random, tree):
    """A container and a key in it, by a walk from the root: each section as often as another."""
    holder = tree
    while True:
        if not holder:
            return None
        key = (
            random.choice(list(holder))
            if isinstance(holder, dict)
            else random.randrange(len(holder))
        )
        if not isinstance(holder[key], (dict, list)) or not holder[key] or random.random() < 0.15:
            return holder, key
        holder = holder[key]


def pick_object(random, tree, section):
    items = tree.get(section)
    items = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return random.choice(items) if items else None


def pick_index(random, tree, section):
    count = len(tree.get(section) or []) if isinstance(tree.get(section), list) else 0
    return random.choice(
        [random.randrange(count + 1), random.randrange(count + 1), count, -1, 2**31, 2**32, 0]
    )


def change_value(random, gltf):
    slot = pick_slot(random, gltf.tree)
    if slot:
        holder, key = slot
        holder[key] = random.choice(
            [
                pick_integer(random),
                pick_json_float(random),
                None,
                True,
                [],
                {},
                "",
                "x" * random.choice([1, 300, 70000]),
                gltf.raw("1e999"),
                gltf.raw("-0"),
                gltf.raw("1" * 400),
                gltf.raw("0.1e-400"),
                gltf.raw('"\\ud800\\u0000"'),
                gltf.raw("01"),
                [holder[key]],
                {"index": holder[key]},
            ]
        )


def change_number(random, gltf):
    for _ in range(40):
        slot = pick_slot(random, gltf.tree)
        if slot and isinstance(slot[0][slot[1]], (int, float)):
            holder, key = slot
            value = holder[key]
            holder[key] = random.choice(
                [
                    value + 1,
                    value - 1,
                    -value,
                    value * 2,
                    pick_integer(random),
                    pick_json_float(random),
                ]
            )
            return


def retarget(random, gltf):
    """Something that counts in an array counts elsewhere, or past its end."""
    for _ in range(40):
        slot = pick_slot(random, gltf.tree)
        if slot and slot[1] in REFERENCES:
            slot[0][slot[1]] = pick_index(random, gltf.tree, REFERENCES[slot[1]])
            return


def link_nodes(random, gltf):
    """Trees that are none: cycles, two parents, joints named twice."""
    holder = random.choice(
        [
            pick_object(random, gltf.tree, "nodes"),
            pick_object(random, gltf.tree, "skins"),
            pick_object(random, gltf.tree, "scenes"),
        ]
    )
    if holder:
        key = "joints" if "joints" in holder else "nodes" if "nodes" in holder else "children"
        links = holder.get(key) if isinstance(holder.get(key), list) else []
        holder[key] = links + [
            pick_index(random, gltf.tree, "nodes") for _ in range(random.choice([1, 1, 3, 300]))
        ]


def remove_member(random, gltf):
    slot = pick_slot(random, gltf.tree)
    if slot:
        del slot[0][slot[1]]


def repeat_member(random, gltf):
    slot = pick_slot(random, gltf.tree)
    if slot and isinstance(slot[0], list):
        size = len(json.dumps(slot[0][slot[1]]))
        slot[0].extend(
            [slot[0][slot[1]]] * min(random.choice([1, 2, 16, 500, 4000]), 1 + 400000 // size)
        )
    elif slot:
        text = json.dumps(slot[0][slot[1]])
        slot[0][slot[1]] = gltf.raw(f"{text},{json.dumps(slot[1])}:{text}")


def swap_members(random, gltf):
    one, two = pick_slot(random, gltf.tree), pick_slot(random, gltf.tree)
    if one and two:
        # One may hold the other: JSON has no cycles, so what moves is a copy.
        first, second = json.dumps(one[0][one[1]]), json.dumps(two[0][two[1]])
        one[0][one[1]], two[0][two[1]] = json.loads(second), json.loads(first)


def nest(random, gltf):
    slot = pick_slot(random, gltf.tree)
    if slot:
        depth = random.choice([10, 100, 1000, 100000])
        opener, closer = random.choice([("[", "]"), ('{"a":', "}"), ('{"extras":[', "]}")])
        slot[0][slot[1]] = gltf.raw(
            opener * depth + "1" + closer * random.choice([depth, depth, depth - 1, 0])
        )


def change_accessor(random, gltf):
    accessor = pick_object(random, gltf.tree, "accessors")
    if accessor:
        view = pick_index(random, gltf.tree, "bufferViews")
        count = accessor.get("count") if isinstance(accessor.get("count"), int) else 1
        accessor.update(
            random.choice(
                [
                    {
                        "count": random.choice(
                            [0, 1, count + 1, count * 1000, count - 1, pick_integer(random)]
                        )
                    },
                    {"componentType": random.choice([*COMPONENTS, 5124, 5130, 0])},
                    {"type": random.choice(TYPES)},
                    {"byteOffset": random.choice([1, 2, 4, count * 4, pick_integer(random)])},
                    {"normalized": True},
                    {"bufferView": view},
                    {
                        "sparse": {
                            "count": random.choice([1, 2, count, count + 1, pick_integer(random)]),
                            "indices": {
                                "bufferView": view,
                                "componentType": random.choice([5121, 5123, 5125, 5126]),
                            },
                            "values": {"bufferView": pick_index(random, gltf.tree, "bufferViews")},
                        }
                    },
                ]
            )
        )
        if random.random() < 0.2:
            accessor.pop("bufferView", None)


def change_view(random, gltf):
    view = pick_object(random, gltf.tree, "bufferViews")
    if view:
        size = view.get("byteLength") if isinstance(view.get("byteLength"), int) else 4
        name = random.choice(["EXT_meshopt_compression", "KHR_meshopt_compression"])
        packed = {
            "buffer": 0,
            "byteOffset": view.get("byteOffset", 0),
            "byteLength": random.choice([size, 1, 0, size + 1]),
            "byteStride": random.choice([4, 8, 12, 16, 1, 256, 260, 0]),
            "count": random.choice([1, 16, 100, size, pick_integer(random)]),
            "mode": random.choice(["ATTRIBUTES", "TRIANGLES", "INDICES", ""]),
            "filter": random.choice(["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", ""]),
        }
        view.update(
            random.choice(
                [
                    {"byteLength": random.choice([0, size - 1, size + 1, pick_integer(random)])},
                    {"byteOffset": pick_integer(random)},
                    {"byteStride": random.choice([0, 1, 3, 4, 12, 252, 256, pick_integer(random)])},
                    {"buffer": pick_index(random, gltf.tree, "buffers")},
                    {"extensions": {name: packed}},
                ]
            )
        )
        packing = (
            view.get("extensions", {}).get(name)
            if isinstance(view.get("extensions"), dict)
            else None
        )
        if isinstance(packing, dict) and packing:
            packing[random.choice(list(packing))] = random.choice(
                [pick_integer(random), "OCTAHEDRAL", "TRIANGLES", 4]
            )


def change_draco(random, gltf, primitive):
    extensions = primitive.get("extensions")
    if not isinstance(extensions, dict):
        extensions = primitive["extensions"] = {}
    packed = extensions.get("KHR_draco_mesh_compression")
    if not isinstance(packed, dict):
        packed = {"attributes": {"POSITION": 0}}
        extensions["KHR_draco_mesh_compression"] = packed
    if random.random() < 0.5:
        packed["bufferView"] = pick_index(random, gltf.tree, "bufferViews")
    else:
        packed["attributes"] = {
            random.choice(ATTRIBUTES): random.choice([0, 1, 2, pick_integer(random)])
            for _ in range(random.choice([0, 1, 3]))
        }


def change_material(random, gltf):
    """A texture in any of the slots, with an index, a UV set or a number that may be anything."""
    material = pick_object(random, gltf.tree, "materials")
    if material is None:
        return
    slot = random.choice(SLOTS.split())
    owner = material
    if slot in ("metallicRoughnessTexture", "baseColorTexture"):
        owner = material.setdefault("pbrMetallicRoughness", {})
    if isinstance(owner, dict):
        owner[slot] = random.choice(
            [
                {"index": pick_index(random, gltf.tree, "textures")},
                {"index": 0, "texCoord": pick_integer(random)},
                {"index": 0, "scale": pick_json_float(random), "strength": pick_json_float(random)},
                {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [0, "x"]}}},
                pick_integer(random),
            ]
        )


def change_prepared(random, gltf):
    """Extras that pelt itself writes, with content of other kinds."""
    mesh = pick_object(random, gltf.tree, "meshes")
    primitive = pick_object(random, mesh, "primitives") if mesh else None
    if primitive is None:
        return
    box = [pick_json_float(random) for _ in range(random.choice([0, 5, 6, 7]))]
    extras = primitive.setdefault("extras", {})
    if isinstance(extras, dict):
        extras[random.choice(["pelt_bounds", "pelt_carrier"])] = random.choice(
            [
                {"method": "crs", "box": box, "clips": [{"name": 1, "box": box}], "joints": [box]},
                {"method": random.choice(["", "lbs"]), "box": [0] * 6, "joints": pick_integer(random)},
                {"texcoord": random.choice([0, 1, 2, 3, -1, 0.5]), "centers": True, "mix": "true"},
                {"texcoord": 0, "centers": True, "mix": True},
                pick_integer(random),
                None,
            ]
        )


def change_primitive(random, gltf):
    mesh = pick_object(random, gltf.tree, "meshes")
    primitive = pick_object(random, mesh, "primitives") if mesh else None
    attributes = primitive.get("attributes") if primitive else None
    if isinstance(attributes, dict) and attributes:
        old = random.choice(list(attributes))
        accessor = pick_index(random, gltf.tree, "accessors")
        kind = random.randrange(6)
        if kind == 0:
            attributes[random.choice(ATTRIBUTES)] = attributes.pop(old)
        elif kind == 1:
            attributes[random.choice(ATTRIBUTES)] = accessor
        elif kind == 2:
            primitive["mode"] = random.choice([0, 1, 2, 3, 4, 5, 6, 7, -1, "4"])
        elif kind == 3:
            primitive["targets"] = [{random.choice(ATTRIBUTES[:3]): accessor}] * random.choice(
                [1, 2, 64, 2000]
            )
        elif kind == 4:
            change_draco(random, gltf, primitive)
        else:
            mesh["weights"] = [pick_json_float(random)] * random.choice([0, 1, 2, 2000])


def change_animation(random, gltf):
    animation = pick_object(random, gltf.tree, "animations")
    sampler = pick_object(random, animation, "samplers") if animation else None
    channel = pick_object(random, animation, "channels") if animation else None
    if sampler and channel:
        sampler.update(
            random.choice(
                [
                    {"interpolation": random.choice(INTERPOLATIONS)},
                    {"input": pick_index(random, gltf.tree, "accessors")},
                    {"output": pick_index(random, gltf.tree, "accessors")},
                ]
            )
        )
        if isinstance(channel.get("target"), dict):
            channel["target"].update(
                random.choice(
                    [
                        {"path": random.choice(PATHS)},
                        {},
                        {"node": pick_index(random, gltf.tree, "nodes")},
                    ]
                )
            )


def change_transform(random, gltf):
    node = pick_object(random, gltf.tree, "nodes")
    if node:
        name, width = random.choice(
            [("translation", 3), ("rotation", 4), ("scale", 3), ("matrix", 16)]
        )
        node[name] = [
            random.choice([0.0, 0.0, 1.0, -1.0, pick_json_float(random)])
            for _ in range(random.choice([width, width, width, width - 1, 17]))
        ]


def change_uri(random, gltf):
    holder = random.choice(
        [pick_object(random, gltf.tree, "buffers"), pick_object(random, gltf.tree, "images")]
    )
    if holder is not None:
        holder["uri"] = random.choice([*URIS, gltf.name, "x" * 5000])


# ---------------------------------------------------------------------------------------------
# Buffers


def locate(gltf, accessor):
    """Buffer, first byte, stride, and form of an element; None: the file does not say so."""
    try:
        view = gltf.tree["bufferViews"][accessor["bufferView"]]
        form = "<" + COMPONENTS[accessor["componentType"]] * WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", struct.calcsize(form))
        if not isinstance(start, int) or not isinstance(stride, int):
            return None
        return gltf.buffers[view["buffer"]], start, stride, form
    except (KeyError, IndexError, TypeError, AttributeError):
        return None


def change_elements(random, gltf):
    accessor = pick_object(random, gltf.tree, "accessors")
    located = locate(gltf, accessor) if accessor else None
    count = accessor.get("count") if accessor else None
    if located is None or not isinstance(count, int) or count < 1:
        return
    data, start, stride, form = located
    number = pick_float(random)
    is_constant = random.random() < 0.3
    for _ in range(random.choice([1, 1, 3, 20, min(count, 2000)])):
        at = start + random.randrange(count) * stride
        if at < 0 or at + struct.calcsize(form) > len(data):
            return
        values = list(struct.unpack_from(form, data, at))
        lane = random.randrange(len(values))
        if form[1] == "f":
            values[lane] = number if is_constant else pick_float(random)
        else:
            limit = 1 << 8 * struct.calcsize("<" + form[1])
            values[lane] = pick_integer(random) % limit
            if form[1] in "bh":
                values[lane] -= limit if values[lane] >= limit // 2 else 0
        try:
            struct.pack_into(form, data, at, *values)
        except OverflowError:  # a double that no float holds
            struct.pack_into(form, data, at, *[0.0] * len(values))


def damage_buffer(random, gltf):
    buffers = [data for data in gltf.buffers.values() if data]
    if buffers:
        mutate_bytes.mutate(random, random.choice(buffers), [])


# ---------------------------------------------------------------------------------------------
# Chunks


def damage_chunks(random, gltf):
    chunks = gltf.chunks()
    chunk = random.choice(chunks)
    kind = random.randrange(8)
    if kind == 0:
        chunks.reverse()
    elif kind == 1:
        chunks.append(list(chunk))
    elif kind == 2:
        chunks.remove(chunk)
    elif kind == 3:
        chunks.insert(
            random.randrange(len(chunks) + 1),
            [b"XTRA", random.randbytes(random.choice([0, 4, 100]))],
        )
    elif kind == 4:
        chunk[0] = random.choice([b"JSON", b"BIN\0", b"bin\0"])
    elif kind == 5:
        chunk[1] = chunk[1][: random.randrange(len(chunk[1]) + 1)]
    data = bytearray(pack_glb(chunks, pick_integer(random) if kind == 6 else None))
    if kind == 7 and len(data) >= 20:
        struct.pack_into("<I", data, random.choice([4, 8, 12]), pick_integer(random) % 2**32)
    return bytes(data)


# Numbers in buffers and transforms most often: a file that is refused at once tells least.
OPERATIONS = [
    change_value,
    change_number,
    change_number,
    retarget,
    link_nodes,
    remove_member,
    repeat_member,
    swap_members,
    nest,
    change_accessor,
    change_view,
    change_primitive,
    change_material,
    change_prepared,
    change_animation,
    change_uri,
    damage_buffer,
    *[change_transform] * 3,
    *[change_elements] * 8,
]


# Numbers most often, as above.
JSON_OPERATIONS = [
    *[change_number] * 8,
    change_value,
    remove_member,
    repeat_member,
    swap_members,
    nest,
]


def mutate_json(random, text, times, names):
    """Any JSON after `times` changes."""
    document = Document(text)
    for _ in range(times):
        operation = random.choice(JSON_OPERATIONS)
        names.append(operation.__name__)
        operation(random, document)
        if not isinstance(document.tree, dict):
            break
    return document.text()


def mutate(random, files, name, times, names):
    """Files of a model after `times` changes of its main file and of what that names."""
    gltf = Gltf(files, name)
    for _ in range(times):
        operation = random.choice(OPERATIONS)
        names.append(operation.__name__)
        operation(random, gltf)
        if not isinstance(gltf.tree, dict):
            break
    gltf.store_buffers()
    if gltf.is_glb and random.random() < 0.1:
        names.append("damage_chunks")
        gltf.files[name] = damage_chunks(random, gltf)
    else:
        gltf.files[name] = pack_glb(gltf.chunks()) if gltf.is_glb else gltf.text()
    return gltf.files
