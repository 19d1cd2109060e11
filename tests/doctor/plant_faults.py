#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One file for each kind of finding of pelt doctor, made of a bar without any.

Usage: plant_faults.py BAR.gltf ENHANCED.gltf, in the folder of the results: clean.gltf, KIND.gltf
for each, and harmless-NAME.gltf for what resembles a fault and is none. ENHANCED is the bar after
pelt enhance --cor. Prints the names of the kinds.
"""
import base64
import copy
import json
import math
import struct
import sys

SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LETTERS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
NAN = float("nan")


class File:
    """A .gltf file with one embedded buffer; elements of its accessors can be read and written."""

    def __init__(self, path):
        self.json = json.load(open(path))
        # Its rotation by 180 degrees is a finding by itself.
        self.json["animations"] = [a for a in self.json["animations"] if a["name"] != "twist180"]
        (buffer,) = self.json["buffers"]
        self.bytes = bytearray(base64.b64decode(buffer["uri"].split(",")[1]))

    def save(self, path):
        data = base64.b64encode(bytes(self.bytes)).decode()
        self.json["buffers"] = [{"uri": "data:application/octet-stream;base64," + data,
                                 "byteLength": len(self.bytes)}]
        json.dump(self.json, open(path, "w"))

    def locate(self, accessor, index):
        a = self.json["accessors"][accessor]
        view = self.json["bufferViews"][a["bufferView"]]
        form = "<" + LETTERS[a["componentType"]] * SIZES[a["type"]]
        stride = view.get("byteStride", struct.calcsize(form))
        return form, view.get("byteOffset", 0) + a.get("byteOffset", 0) + index * stride

    def get(self, accessor, index):
        form, offset = self.locate(accessor, index)
        return struct.unpack_from(form, self.bytes, offset)

    def put(self, accessor, index, *values):
        form, offset = self.locate(accessor, index)
        struct.pack_into(form, self.bytes, offset, *values)

    def add(self, kind, component, elements):
        """A new accessor of tuples."""
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        form = "<" + LETTERS[component] * SIZES[kind]
        data = b"".join(struct.pack(form, *element) for element in elements)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component,
                    "count": len(elements), "type": kind}
        if kind == "SCALAR":
            accessor |= {"min": list(min(elements)), "max": list(max(elements))}
        self.json["accessors"].append(accessor)
        self.bytes += data
        return len(self.json["accessors"]) - 1

    def attribute(self, name):
        return self.json["meshes"][0]["primitives"][0]["attributes"][name]

    def count(self):
        return self.json["accessors"][self.attribute("POSITION")]["count"]

    def weights(self, vertex, *pairs):
        pairs = list(pairs) + [(0, 0.0)] * (4 - len(pairs))
        self.put(self.attribute("JOINTS_0"), vertex, *(joint for joint, _ in pairs))
        self.put(self.attribute("WEIGHTS_0"), vertex, *(weight for _, weight in pairs))

    def lonely(self):
        """A vertex of the first joint alone that has its position to itself."""
        positions = [self.get(self.attribute("POSITION"), v) for v in range(self.count())]
        return next(v for v in range(self.count()) if positions.count(positions[v]) == 1 and
                    self.get(self.attribute("WEIGHTS_0"), v)[0] == 1 and
                    self.get(self.attribute("JOINTS_0"), v)[0] == 0)

    def join(self, count):
        """More joints, next to the second. Returns their numbers in the skin."""
        skin, nodes = self.json["skins"][0], self.json["nodes"]
        binds = [self.get(skin["inverseBindMatrices"], i) for i in range(2)]
        for i in range(count):
            nodes.append({"name": f"more{i}", "translation": nodes[1]["translation"]})
            nodes[0]["children"].append(len(nodes) - 1)
            skin["joints"].append(len(nodes) - 1)
        skin["inverseBindMatrices"] = self.add("MAT4", 5126, binds + [binds[1]] * count)
        return range(2, 2 + count)

    def animate(self, name, tracks, mode="LINEAR"):
        """tracks: (node, path, times, values)"""
        clip = {"name": name, "channels": [], "samplers": []}
        for node, path, times, values in tracks:
            kind = "VEC4" if path == "rotation" else "VEC3"
            clip["channels"].append({"sampler": len(clip["samplers"]),
                                     "target": {"node": node, "path": path}})
            clip["samplers"].append({"input": self.add("SCALAR", 5126, [(t,) for t in times]),
                                     "output": self.add(kind, 5126, values),
                                     "interpolation": mode})
        self.json["animations"].append(clip)


def rotate(degrees):
    """About z."""
    half = math.radians(degrees) / 2
    return (0.0, 0.0, math.sin(half), math.cos(half))


# ---------------------------------------------------------------------------------------------

def unreadable(f):
    f.json["accessors"][f.attribute("POSITION")]["count"] = 1 << 30


def not_finite(f):
    f.weights(f.lonely(), (0, 1.0), (1, NAN))


def stale_data(f):
    vertex = f.lonely()
    x, y, z = f.get(f.attribute("POSITION"), vertex)
    f.put(f.attribute("POSITION"), vertex, x + 0.01, y, z)


def other_repair(f):
    attributes = f.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = attributes["JOINTS_0"]


def missing_bounds(f):
    position = f.json["accessors"][f.attribute("POSITION")]
    del position["min"], position["max"]


def byte_stride(f):
    # Keys are packed by definition; a stride of their own size changes nothing else.
    sampler = f.json["animations"][0]["samplers"][0]
    view = f.json["accessors"][sampler["output"]]["bufferView"]
    f.json["bufferViews"][view]["byteStride"] = 16


def skin_types(f):
    # As exporters write that know no smaller integers.
    attributes = f.json["meshes"][0]["primitives"][0]["attributes"]
    joints = [f.get(attributes["JOINTS_0"], v) for v in range(f.count())]
    attributes["JOINTS_0"] = f.add("VEC4", 5125, joints)


def weight_sums(f):
    f.weights(f.lonely(), (0, 1.5))


def negative_weights(f):
    f.weights(f.lonely(), (0, 1.0), (1, -0.25))


def joint_range(f):
    f.weights(f.lonely(), (0, 1.0), (77, 0.5))


def padding_joints(f):
    f.weights(f.lonely(), (0, 1.0), (77, 0.0))


def duplicate_joints(f):
    f.weights(f.lonely(), (0, 0.5), (0, 0.5))


def unweighted_vertices(f):
    f.weights(f.lonely())


def many_influences(f):
    more = f.join(3)
    vertex = f.lonely()
    f.weights(vertex, (0, 0.4), (1, 0.2), (more[0], 0.15), (more[1], 0.15))
    rows = range(f.count())
    attributes = f.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = f.add("VEC4", 5121, [(more[2], 0, 0, 0) for v in rows])
    attributes["WEIGHTS_1"] = f.add(
        "VEC4", 5126, [(0.1 if v == vertex else 0.0, 0.0, 0.0, 0.0) for v in rows])


def seam_weights(f):
    positions = [f.get(f.attribute("POSITION"), v) for v in range(f.count())]
    first = {}
    for v, position in enumerate(positions):
        if first.setdefault(position, v) != v and position[0] > 0.5:
            f.weights(v, (0, 0.5), (1, 0.5))
            return
    raise SystemExit("the bar has no seam")


def sign_order(f):
    # 0, 120 and 240 degrees: each is less than 180 degrees from the others, but their quaternions
    # cannot agree in pairs.
    more = f.join(2)
    f.weights(f.lonely(), (0, 0.4), (more[0], 0.3), (more[1], 0.3))
    nodes = [f.json["skins"][0]["joints"][joint] for joint in more]
    f.animate("rotate", [(nodes[0], "rotation", [0, 1], [rotate(0), rotate(120)]),
                       (nodes[1], "rotation", [0, 1], [rotate(0), rotate(-120)])])


def singular_bind(f):
    # Nothing of x is left.
    accessor = f.json["skins"][0]["inverseBindMatrices"]
    matrix = list(f.get(accessor, 1))
    matrix[0:3] = [0.0, 0.0, 0.0]
    f.put(accessor, 1, *matrix)


def bind_row(f):
    accessor = f.json["skins"][0]["inverseBindMatrices"]
    matrix = list(f.get(accessor, 1))
    matrix[15] = 1.0 + 2.0 ** -23
    f.put(accessor, 1, *matrix)


def skeleton_root(f):
    f.json["skins"][0]["skeleton"] = 1


def bind_pose(f):
    f.json["nodes"][1]["translation"][1] += 0.1
    f.json["animations"] = [a for a in f.json["animations"] if "translate" not in a["name"]]


def unused_joints(f):
    f.join(1)


def scaled_joints(f):
    f.animate("grow", [(1, "scale", [0, 1], [(1, 1, 1), (1.5, 1.5, 1.5)])])


def stretched_joints(f):
    f.animate("stretch", [(1, "scale", [0, 1], [(1, 1, 1), (1, 2, 1)])], "STEP")


def mirrored_joints(f):
    f.animate("mirror", [(1, "scale", [0, 1], [(1, 1, 1), (-1, 1, 1)])], "STEP")


def degenerate_triangles(f):
    indices = f.json["meshes"][0]["primitives"][0]["indices"]
    f.put(indices, 1, *f.get(indices, 0))


def flipped_normals(f):
    normals, vertex = f.attribute("NORMAL"), f.lonely()
    f.put(normals, vertex, *(-x for x in f.get(normals, vertex)))


def missing_normals(f):
    attributes = f.json["meshes"][0]["primitives"][0]["attributes"]
    del attributes["NORMAL"], attributes["TANGENT"]


def normal_length(f):
    normals, vertex = f.attribute("NORMAL"), f.lonely()
    f.put(normals, vertex, *(3 * x for x in f.get(normals, vertex)))


def flip_risk(f):
    f.animate("far", [(1, "rotation", [0, 1, 2], [rotate(0), rotate(100), rotate(200)])])


def key_jumps(f):
    times = [i / 30 for i in range(12)]
    f.animate("jump", [(1, "rotation", times, [rotate(130 if i == 6 else i) for i in range(12)])])


def key_order(f):
    times = f.json["animations"][0]["samplers"][0]["input"]
    f.put(times, 2, *f.get(times, 1))


def rotation_length(f):
    values = f.json["animations"][0]["samplers"][0]["output"]
    f.put(values, 1, *(2 * x for x in f.get(values, 1)))


def still_clip(f):
    f.animate("still", [(1, "rotation", [0, 1], [rotate(0), rotate(0)])])


# ---------------------------------------------------------------------------------------------
# What resembles a fault and is none

def spike(node):
    return node, "rotation", [i / 30 for i in range(12)], [rotate(130 if i == 6 else i)
                                                           for i in range(12)]


def jump_without_weight(f):
    joint = f.json["skins"][0]["joints"][f.join(1)[0]]
    f.animate("jump", [spike(joint)])


def jump_while_hidden(f):
    hidden = [(0.0, 0.0, 0.0)] * 12
    f.animate("hidden", [spike(1), (1, "scale", [i / 30 for i in range(12)], hidden)], "LINEAR")


def padding_in_range(f):
    f.weights(f.lonely(), (0, 1.0), (1, 0.0))


def skeleton_above(f):
    f.json["skins"][0]["skeleton"] = f.json["skins"][0]["joints"][0]


HARMLESS = [jump_without_weight, jump_while_hidden, padding_in_range, skeleton_above]

FAULTS = [unreadable, not_finite, stale_data, other_repair, missing_bounds, byte_stride,
          skin_types, weight_sums, negative_weights, joint_range, padding_joints, duplicate_joints,
          unweighted_vertices, many_influences, seam_weights, sign_order, singular_bind, bind_row,
          skeleton_root, bind_pose, unused_joints, scaled_joints, stretched_joints,
          mirrored_joints, degenerate_triangles, flipped_normals, missing_normals, normal_length,
          flip_risk, key_jumps, key_order, rotation_length, still_clip]


def main():
    bar, enhanced = File(sys.argv[1]), File(sys.argv[2])
    bar.save("clean.gltf")
    for plant in FAULTS:
        name = plant.__name__.replace("_", "-")
        file = copy.deepcopy(enhanced if plant is stale_data else bar)
        plant(file)
        file.save(name + ".gltf")
        print(name)
    for change in HARMLESS:
        file = copy.deepcopy(bar)
        change(file)
        file.save("harmless-" + change.__name__.replace("_", "-") + ".gltf")


main()
