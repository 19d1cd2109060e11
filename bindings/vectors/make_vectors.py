#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden vectors for ports of the skinning methods: bindings/vectors/make_vectors.py > skinning.json

Written from the papers in double precision, without any code of pelt. Inputs are rounded to float
first, so that every implementation starts from the same numbers.
"""
import json
import math
import random
import struct

JOINTS, VERTICES = 6, 64


def as_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def multiply(a, b):  # quaternions as (x, y, z, w)
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scale(a, s):
    return tuple(s * x for x in a)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def conjugate(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    return multiply(multiply(q, (*v, 0.0)), conjugate(q))[:3]


def matrix_of(q, t):
    columns = [rotate(q, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return [[*(columns[k][row] for k in range(3)), t[row]] for row in range(3)]


def transform(m, p):
    return tuple(dot(row[:3], p) + row[3] for row in m)


def lbs(p, influences, matrices):
    out = (0.0, 0.0, 0.0)
    for joint, weight in influences:
        out = add(out, scale(transform(matrices[joint], p), weight))
    return out


# Quaternions q and -q are the same rotation: each gets the sign of the strongest joint.
def signs(influences, motions):
    pivot = motions[influences[0][0]][0]
    return [1.0 if dot(pivot, motions[joint][0]) >= 0.0 else -1.0 for joint, _ in influences]


# Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion Blending".
def dqs(p, influences, motions):
    real = dual = (0.0, 0.0, 0.0, 0.0)
    for (joint, weight), sign in zip(influences, signs(influences, motions)):
        q, t = motions[joint]
        real = add(real, scale(q, sign * weight))
        dual = add(dual, scale(multiply((*t, 0.0), q), 0.5 * sign * weight))
    length = math.sqrt(dot(real, real))
    real, dual = scale(real, 1.0 / length), scale(dual, 1.0 / length)
    return add(rotate(real, p), scale(multiply(dual, conjugate(real))[:3], 2.0))


# Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized Centers of Rotation".
def crs(p, center, influences, motions, matrices):
    q = (0.0, 0.0, 0.0, 0.0)
    for (joint, weight), sign in zip(influences, signs(influences, motions)):
        q = add(q, scale(motions[joint][0], sign * weight))
    q = scale(q, 1.0 / math.sqrt(dot(q, q)))
    arm = add(p, scale(center, -1.0))
    return add(rotate(q, arm), lbs(center, influences, matrices))


def random_motion(rng):
    axis = [rng.gauss(0.0, 1.0) for _ in range(3)]
    length = math.sqrt(dot(axis, axis))
    half = math.radians(rng.uniform(10.0, 150.0)) / 2.0
    q = (*(math.sin(half) * x / length for x in axis), math.cos(half))
    return q, tuple(as_float(rng.uniform(-1.0, 1.0)) for _ in range(3))


# Weights are multiples of 1/64, so that they are floats and sum to one.
def random_influences(rng):
    count = rng.choice([1, 2, 2, 3, 4])
    joints = rng.sample(range(JOINTS), count)
    cuts = sorted(rng.sample(range(1, 64), count - 1))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 64])]
    return sorted(zip(joints, (part / 64.0 for part in parts)), key=lambda i: (-i[1], i[0]))


# Implementations differ in which quaternion decides the signs: only where all agree is a vertex
# a test of anything else.
def is_clear(influences, motions):
    dots = [dot(motions[a][0], motions[b][0]) for a, _ in influences for b, _ in influences]
    pivot = motions[influences[0][0]][0]
    near = [dot(pivot, motions[joint][0]) for joint, _ in influences]
    consistent = all(
        dot(motions[a][0], motions[b][0]) * near[i] * near[k] > 0.0
        for i, (a, _) in enumerate(influences)
        for k, (b, _) in enumerate(influences)
    )
    return consistent and min(map(abs, dots)) > 0.1


def main():
    rng = random.Random(1)
    motions = [random_motion(rng) for _ in range(JOINTS)]
    matrices = [[[as_float(x) for x in row] for row in matrix_of(*m)] for m in motions]
    vertices = []
    while len(vertices) < VERTICES:
        influences = random_influences(rng)
        p, center = (tuple(as_float(rng.uniform(-1.0, 1.0)) for _ in range(3)) for _ in range(2))
        if not is_clear(influences, motions):
            continue
        vertices.append(
            {
                "position": p,
                "center": center,
                "joints": [joint for joint, _ in influences],
                "weights": [weight for _, weight in influences],
                "lbs": lbs(p, influences, matrices),
                "dqs": dqs(p, influences, motions),
                "crs": crs(p, center, influences, motions, matrices),
            }
        )
    head = {
        "generator": "bindings/vectors/make_vectors.py",
        "matrices_layout": "3 rows of 4 numbers, from the bind pose to the pose; columns are x, y, z, translation",
        "quaternion_layout": "x, y, z, w",
        "tolerance": 2e-6,
    }
    print("{")
    for key, value in head.items():
        print(f" {json.dumps(key)}: {json.dumps(value)},")
    rows = ",\n  ".join(json.dumps(m) for m in matrices)
    print(f' "matrices": [\n  {rows}\n ],')
    rows = ",\n  ".join(json.dumps([*q, *t]) for q, t in motions)
    print(f' "motions": [\n  {rows}\n ],')
    rows = ",\n  ".join(json.dumps(v) for v in vertices)
    print(f' "vertices": [\n  {rows}\n ]\n}}')


main()
