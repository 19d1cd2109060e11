#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a report says about the bar of Le and Hodgins (2016), Figure 2, against closed forms.

Usage: compare_bar.py REPORT_JSON BAR_GLTF REST_OBJ CRS_OBJ
The report has the clips twist135 and bend120; CRS_OBJ is the end of bend120 under crs.
"""
import base64
import json
import math
import struct
import sys


def read_accessor(gltf, index):
    accessor = gltf["accessors"][index]
    view = gltf["bufferViews"][accessor["bufferView"]]
    data = base64.b64decode(gltf["buffers"][view["buffer"]]["uri"].split(",")[1])
    code = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    step = view.get("byteStride", width * struct.calcsize(code))
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return [struct.unpack_from(f"<{width}{code}", data, start + i * step)
            for i in range(accessor["count"])]


def joint_weights(gltf, attributes):
    """Weights of the joint in the middle: its bone rotates, that of the root stays."""
    joints = read_accessor(gltf, attributes["JOINTS_0"])
    weights = read_accessor(gltf, attributes["WEIGHTS_0"])
    joint = [gltf["nodes"][n]["name"] for n in gltf["skins"][0]["joints"]].index("joint")
    sums = [sum(w) for w in weights]
    return [sum(b for a, b in zip(j, w) if a == joint) / s for j, w, s in zip(joints, weights, sums)]


def to_segment(p, a, b):
    along = [y - x for x, y in zip(a, b)]
    t = sum((c - x) * d for c, x, d in zip(p, a, along)) / sum(d * d for d in along)
    t = min(max(t, 0.0), 1.0)
    return math.dist(p, [x + t * d for x, d in zip(a, along)])


def rotated(p, angle):
    c, s = math.cos(angle), math.sin(angle)
    return [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]]


def bone_distance(p, weight, angle):
    """To the bones of joints with a quarter of the largest weight; the second is rotated."""
    least = max(weight, 1.0 - weight) / 4.0
    bones = []
    if 1.0 - weight >= least:
        bones.append(([-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]))
    if weight >= least:
        bones.append(([0.0, 0.0, 0.0], rotated([1.0, 0.0, 0.0], angle)))
    return min(to_segment(p, a, b) for a, b in bones)


def dqs_bulge(points, weights, angle):
    """Under dqs every point rotates about the joint, by the mean of the quaternions."""
    most = 0.0
    for p, w in zip(points, weights):
        own = 2.0 * math.atan2(w * math.sin(angle / 2), 1.0 - w + w * math.cos(angle / 2))
        most = max(most, bone_distance(rotated(p, own), w, angle) - bone_distance(p, w, 0.0))
    return most


def obj_volume(path):
    points, total = [], 0.0
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            a, b, c = (points[int(w.split("/")[0]) - 1] for w in words[1:4])
            total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0])) / 6.0
    return total


def find(report, motion, quantity):
    found = [f for f in report["findings"] if (f["motion"], f["quantity"]) == (motion, quantity)]
    assert len(found) == 1 and found[0]["time"] == 1.0, (motion, quantity, found)
    return found[0]


def main():
    report, gltf = (json.load(open(path)) for path in sys.argv[1:3])
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    points = read_accessor(gltf, attributes["POSITION"])
    weights = joint_weights(gltf, attributes)

    # Half of a twist by a leaves cos(a / 2) of the radius under lbs.
    twist = find(report, "twist135", "radius_loss")
    lost = 1.0 - math.cos(math.radians(135.0) / 2.0)
    assert f"{100 * lost:.1f} % of its distance to the bone" in twist["text"], twist
    assert "crs keeps 100 % of the radius" in twist["text"], twist
    assert twist["worst"] == "lbs" and twist["joint"] == "joint"
    frames = {m["name"]: m["frames"] for m in report["motions"]}
    assert abs(frames["twist135"]["lbs"]["collapse"][-1] - lost) < 2e-5
    assert max(frames["twist135"][m]["radius_loss"][-1] for m in ("dqs", "crs")) < 1e-4

    # crs keeps the volume of a twist to 0.1 %, and of a bend by 120 degrees to 1.5 %.
    assert abs(find(report, "twist135", "volume_change")["values"]["crs"]) < 1e-3
    bend = find(report, "bend120", "volume_change")
    assert abs(bend["values"]["crs"]) < 0.015
    change = obj_volume(sys.argv[4]) / obj_volume(sys.argv[3]) - 1.0
    assert abs(bend["values"]["crs"] - change) < 1e-4, (bend, change)

    # dqs bulges as far as a rotation about the joint takes the skin, crs less than half of it.
    bulge = find(report, "bend120", "bulge")
    expected = dqs_bulge(points, weights, math.radians(120.0))
    assert bulge["worst"] == "dqs" and abs(bulge["values"]["dqs"] - expected) < 2e-6, (bulge, expected)
    assert f"bulges by {1e3 * expected:.1f} mm under dqs" in bulge["text"]
    assert "less than half" in bulge["text"] and bulge["values"]["crs"] < 0.5 * expected
    assert report["recommendation"]["contender"] == "crs"


main()
