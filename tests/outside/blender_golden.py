# SPDX-License-Identifier: MIT
# Makes tests/data/blender_golden.txt, vertices that Blender itself has skinned. Run it again with
#   blender -b --factory-startup --python tests/outside/blender_golden.py -- tests/data/blender_golden.txt
"""Each case is posed in Blender, deformed by its armature modifier with "Preserve Volume" off (lbs)
and on (dqs), and read back from the evaluated mesh. Armature and mesh sit at the identity, so mesh
space, armature space and world space are one. Before anything is written, a double-precision
reading of Blender's rules has to agree with every vertex; otherwise the exit code is 1.

Blender 3.4 scales about the rest head of each bone; since its pull request 108134 (2023) it scales
about the vertex. Here the heads are at the pivots: for case "scale" each vertex has
an armature of its own with all heads on it, which gives the newer rule with either Blender; case
"scale_origin" has all heads on the origin and needs the older one."""

import math
import os
import random
import sys
import traceback

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

# Blender works in float on coordinates of size one to four: a few units in the last place.
LBS_LIMIT = 1e-6
DQS_LIMIT = 2e-6
# Vertices nearer than this to a change of sign would test rounding, not the rule.
SIGN_MARGIN = 0.05
SHORTEST_BLEND = 0.3

HEADER = """\
# SPDX-License-Identifier: MIT
# Vertices skinned by Blender {version}. Do not edit; made by
#   blender -b --factory-startup --python tests/outside/blender_golden.py -- tests/data/blender_golden.txt
# Comments are only here, at the top. After them come tokens separated by blanks:
#   cases <count>
#   then per case
#     case <name>
#     joints <count>
#       per joint, one line: the final skinning matrix (current pose from rest pose, mesh space),
#       3 rows x 4 columns, row by row, for column vectors
#     vertices <count>
#       per vertex, one line: rest x y z, influence count, then (joint weight) per influence,
#       then the deformed position lbs x y z, then dqs x y z
# Influences are in the order in which Blender adds them up: its dqs takes each quaternion on the
# side of the sum so far ("running sum"). No weight is zero; the weights of a vertex sum to one
# exactly. Case "random" has vertices where the heaviest influence as pivot gives another result.
# Cases "scale" and "scale_origin" have scaling joints without shear. dqs then has two phases. Let
# R be the rotation and P the stretch of a joint's matrix M, by polar decomposition M = R P, and c
# the scale pivot. First the vertex v goes to the weighted sum of c + P (v - c); then the blend of
# the rigid motions with rotation R that take c to M c moves it on.
#   scale         c is the vertex, so that the first phase does nothing
#   scale_origin  c is the origin of mesh space
# Blender 3.4 takes the rest head of each bone for c, so the bones were made with their heads there
# (for "scale": an armature per vertex, all with the same skinning matrices to within 1e-6).
# All numbers are float32, written so that reading them as float gives the same bits.
"""


# --------------------------------------------------------------------------------------------------
# Building and posing in Blender


def make_armature(bones):
    """bones: dicts with head, tail, and optionally roll and parent (an index)."""
    data = bpy.data.armatures.new("armature")
    armature = bpy.data.objects.new("armature", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, bone in enumerate(bones):
        edit = data.edit_bones.new(f"joint{joint}")
        edit.head, edit.tail, edit.roll = bone["head"], bone["tail"], bone.get("roll", 0.0)
        if bone.get("parent") is not None:
            edit.parent = data.edit_bones[f"joint{bone['parent']}"]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def set_pose(armature, poses):
    """poses: dicts with rotation, translation, scale in the axes of the bone at rest."""
    for joint, pose in enumerate(poses):
        bone = armature.pose.bones[f"joint{joint}"]
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = pose.get("rotation", Quaternion())
        bone.location = pose.get("translation", (0.0, 0.0, 0.0))
        bone.scale = pose.get("scale", (1.0, 1.0, 1.0))
    bpy.context.view_layer.update()


def skinning_matrices(armature):
    """Joint x 3 x 4, checked against the matrix Blender's modifier takes."""
    matrices = []
    for joint in range(len(armature.pose.bones)):
        bone = armature.pose.bones[f"joint{joint}"]
        rest = np.array(bone.bone.matrix_local)[:3, :3]
        # Bones that point near -Y come out skewed by 5e-6, which would count as shear.
        assert np.abs(rest.T @ rest - np.eye(3)).max() < 1e-6, f"joint {joint}: choose another seed"
        matrix = bone.matrix @ bone.bone.matrix_local.inverted()
        difference = np.abs(np.array(matrix) - np.array(bone.matrix_channel)).max()
        assert difference < 1e-6, f"joint {joint}: matrix_channel differs by {difference}"
        matrices.append(np.array(matrix)[:3])
    return np.array(matrices)


def make_mesh(armature, vertices):
    """vertices: (position, [(joint, weight) ...]); the weights are added in that order."""
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata([position for position, _ in vertices], [], [])
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.collection.objects.link(skin)
    joint_count = len(armature.pose.bones)
    groups = [skin.vertex_groups.new(name=f"joint{joint}") for joint in range(joint_count)]
    for index, (_, influences) in enumerate(vertices):
        for joint, weight in influences:
            groups[joint].add([index], weight, "ADD")
    modifier = skin.modifiers.new("armature", "ARMATURE")
    modifier.object = armature
    modifier.use_vertex_groups = True
    modifier.use_bone_envelopes = False
    return skin


def deformed(skin, preserve_volume):
    skin.modifiers["armature"].use_deform_preserve_volume = preserve_volume
    bpy.context.view_layer.update()
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([vertex.co[:] for vertex in evaluated.data.vertices])


def stored_vertices(skin):
    """Positions and influences as Blender holds them, in its own order."""
    return [
        (vertex.co[:], [(group.group, group.weight) for group in vertex.groups])
        for vertex in skin.data.vertices
    ]


# --------------------------------------------------------------------------------------------------
# Blender's rules once more, in double precision


def quaternion_product(a, b):
    """(w, x, y, z): first b, then a."""
    real = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[real], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def rotation_of(linear):
    """The rotation nearest to a 3x3 matrix with positive determinant (polar decomposition)."""
    u, _, vt = np.linalg.svd(linear)
    return u @ vt


def quaternion_of(rotation):
    """Eigenvector form: no branches, any sign."""
    m = rotation
    symmetric = np.array(
        [
            [m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [0.0, m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [0.0, 0.0, m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1]],
            [0.0, 0.0, 0.0, m[2, 2] - m[0, 0] - m[1, 1]],
        ]
    )
    return np.linalg.eigh(symmetric, UPLO="U")[1][:, 3]


def skin_lbs(matrices, position, influences):
    total = sum(weight for _, weight in influences)
    blend = sum(weight / total * matrices[joint] for joint, weight in influences)
    return blend @ np.append(position, 1.0)


def skin_dqs(matrices, position, influences, rule="running", scale_pivot=None):
    """Returns the point, the smallest |cosine| that decided a sign, and the length of the blend.
    The scale pivot is the vertex unless given; motions without scale do not depend on it."""
    position = np.array(position)
    center = position if scale_pivot is None else np.array(scale_pivot)
    real, dual, stretched, margin = np.zeros(4), np.zeros(4), np.zeros(3), 1.0
    heaviest = max(influences, key=lambda influence: influence[1])[0]
    heaviest_q = quaternion_of(rotation_of(matrices[heaviest][:, :3]))
    for joint, weight in influences:
        matrix = matrices[joint]
        rotation = rotation_of(matrix[:, :3])
        translation = matrix @ np.append(center, 1.0) - rotation @ center
        stretched += weight * (center + rotation.T @ matrix[:, :3] @ (position - center))
        q = quaternion_of(rotation)
        towards = heaviest_q if rule == "heaviest" else real
        if towards.any():
            cosine = q @ towards / np.linalg.norm(towards)
            margin = min(margin, abs(cosine))
            q = -q if cosine < 0.0 else q
        real = real + weight * q
        dual = dual + weight * 0.5 * quaternion_product(np.append(0.0, translation), q)
    total, length = sum(weight for _, weight in influences), np.linalg.norm(real)
    real, dual = real / length, dual / length
    conjugate = real * [1.0, -1.0, -1.0, -1.0]
    point = np.append(0.0, stretched / total)
    rotated = quaternion_product(quaternion_product(real, point), conjugate)
    moved = 2.0 * quaternion_product(dual, conjugate)
    return rotated[1:] + moved[1:], margin, length / total


# --------------------------------------------------------------------------------------------------
# The cases: each returns a list of (armature, vertices), all armatures with the same motions


def cylinder(sides=8, rings=11, radius=0.375, length=2.0):
    """Around +Y, from the foot of the first bone to the tip of the second."""
    vertices = []
    for ring in range(rings):
        y = length * ring / (rings - 1)
        s = min(max((y - 0.25) / 1.5, 0.0), 1.0)
        upper = round(256.0 * s * s * (3.0 - 2.0 * s)) / 256.0
        influences = [(j, w) for j, w in ((0, 1.0 - upper), (1, upper)) if w > 0.0]
        for side in range(sides):
            angle = 2.0 * math.pi * (side + 0.25) / sides
            vertices.append(((radius * math.cos(angle), y, radius * math.sin(angle)), influences))
    return vertices


def two_bones(second_pose):
    armature = make_armature(
        [
            {"head": (0.0, 0.0, 0.0), "tail": (0.0, 1.0, 0.0)},
            {"head": (0.0, 1.0, 0.0), "tail": (0.0, 2.0, 0.0), "parent": 0},
        ]
    )
    set_pose(armature, [{}, second_pose])
    return [(armature, cylinder())]


def on_grid(values):
    """In 1/1024, so that sums and differences of such points are exact in float."""
    return Vector([round(1024.0 * value) / 1024.0 for value in values])


def random_vector(rng, size):
    return on_grid(rng.uniform(-size, size) for _ in range(3))


def random_rotation(rng, least_degrees, most_degrees):
    axis = Vector([rng.gauss(0.0, 1.0) for _ in range(3)])
    return Quaternion(axis, math.radians(rng.uniform(least_degrees, most_degrees)))


def random_bone(rng, parent=None):
    head = random_vector(rng, 0.5)
    direction = Vector([rng.gauss(0.0, 1.0) for _ in range(3)]).normalized()
    tail = head + on_grid(direction * rng.uniform(0.5, 1.0))
    return {"head": head, "tail": tail, "roll": rng.uniform(-3.0, 3.0), "parent": parent}


def random_influences(rng, joint_count):
    """Every joint once, in random order, weights in 1/256 so that their float sum is exactly 1."""
    joints = rng.sample(range(joint_count), joint_count)
    cuts = sorted(rng.sample(range(1, 256), joint_count - 1))
    parts = [high - low for low, high in zip([0] + cuts, cuts + [256])]
    return [(joint, part / 256.0) for joint, part in zip(joints, parts)]


def random_vertices(rng, matrices, vertex_count):
    """Vertices whose signs and blend are not near a tie under the running-sum rule."""
    vertices = []
    while len(vertices) < vertex_count:
        position = tuple(random_vector(rng, 1.0))
        influences = random_influences(rng, len(matrices))
        _, margin, length = skin_dqs(matrices, position, influences)
        if margin > SIGN_MARGIN and length > SHORTEST_BLEND and has_clear_heaviest(influences):
            vertices.append((position, influences))
    return vertices


def has_clear_heaviest(influences):
    weights = sorted(weight for _, weight in influences)
    return weights[-1] - weights[-2] > 1.0 / 64.0


def random_case():
    rng = random.Random(9)
    armature = make_armature(
        [random_bone(rng), random_bone(rng, 0), random_bone(rng, 0), random_bone(rng)]
    )
    poses = [
        {"rotation": random_rotation(rng, 90.0, 150.0), "translation": random_vector(rng, 0.5)}
        for _ in range(4)
    ]
    set_pose(armature, poses)
    return [(armature, random_vertices(rng, skinning_matrices(armature), 40))]


def bone_with_head_at(bone, head):
    return {**bone, "head": Vector(head), "tail": Vector(head) + bone["tail"] - bone["head"]}


def scaling_armature(rng):
    """Heads on the origin; no parents, so that no shear comes in; one of the scales is uniform."""
    bones = [bone_with_head_at(random_bone(rng), (0.0, 0.0, 0.0)) for _ in range(3)]
    poses = [
        {
            "rotation": random_rotation(rng, 30.0, 150.0),
            "translation": random_vector(rng, 0.5),
            "scale": scale,
        }
        for scale in [(1.5, 1.5, 1.5), (0.5, 1.375, 1.125), (1.25, 0.75, 2.0)]
    ]
    armature = make_armature(bones)
    set_pose(armature, poses)
    return armature, bones


def scale_case():
    rng = random.Random(7)
    model, bones = scaling_armature(rng)
    matrices = skinning_matrices(model)
    parts = []
    for vertex in random_vertices(rng, matrices, 32):
        armature = make_armature([bone_with_head_at(bone, vertex[0]) for bone in bones])
        for bone, matrix in zip(armature.pose.bones, matrices):
            bone.matrix = Matrix([*matrix.tolist(), (0.0, 0.0, 0.0, 1.0)]) @ bone.bone.matrix_local
        bpy.context.view_layer.update()
        parts.append((armature, [vertex]))
    return parts


def scale_origin_case():
    rng = random.Random(12)
    armature, _ = scaling_armature(rng)
    return [(armature, random_vertices(rng, skinning_matrices(armature), 32))]


BEND_90 = Quaternion((1.0, 0.0, 0.0), math.radians(90.0))
TWIST_150 = Quaternion((0.0, 1.0, 0.0), math.radians(150.0))
CASES = [
    ("bend90", lambda: two_bones({"rotation": BEND_90})),
    ("twist150", lambda: two_bones({"rotation": TWIST_150})),
    ("bend90_move", lambda: two_bones({"rotation": BEND_90, "translation": (0.25, 0.5, -0.125)})),
    ("random", random_case),
    ("scale", scale_case),
    ("scale_origin", scale_origin_case),
]


# --------------------------------------------------------------------------------------------------
# Checking and writing


def check_case(name, matrices, vertices, lbs, dqs):
    lbs_worst, dqs_worst, pivot_matters, order_matters = 0.0, 0.0, 0, 0
    scale_pivot = (0.0, 0.0, 0.0) if name == "scale_origin" else None
    for index, (position, influences) in enumerate(vertices):
        assert sum(weight for _, weight in influences) == 1.0, f"{name}: weights of vertex {index}"
        lbs_error = np.abs(skin_lbs(matrices, position, influences) - lbs[index]).max()
        expected = skin_dqs(matrices, position, influences, scale_pivot=scale_pivot)[0]
        dqs_error = np.abs(expected - dqs[index]).max()
        lbs_worst, dqs_worst = max(lbs_worst, lbs_error), max(dqs_worst, dqs_error)
        by_heaviest = skin_dqs(matrices, position, influences, "heaviest", scale_pivot)[0]
        pivot_matters += np.linalg.norm(by_heaviest - dqs[index]) > 0.01
        by_joint = skin_dqs(matrices, position, sorted(influences), scale_pivot=scale_pivot)[0]
        order_matters += np.linalg.norm(by_joint - dqs[index]) > 0.01
    print(
        f"{name}: {len(vertices)} vertices, lbs within {lbs_worst:.2g}, dqs within {dqs_worst:.2g},"
        f" other result by heaviest influence {pivot_matters}, by joint order {order_matters}"
    )
    assert lbs_worst < LBS_LIMIT and dqs_worst < DQS_LIMIT, f"{name}: Blender's rules have changed"
    if name == "random":
        assert min(pivot_matters, order_matters) >= 8, "random: choose another seed"


def numbers(values):
    """Nine significant digits carry a float32 exactly."""
    return " ".join(f"{float(value) + 0.0:.9g}" for value in values)


def skinned(parts):
    """Deforms every part; returns matrices, vertices as stored, and the points lbs and dqs."""
    matrices, vertices, lbs, dqs = skinning_matrices(parts[0][0]), [], [], []
    for armature, wanted in parts:
        difference = np.abs(skinning_matrices(armature) - matrices).max()
        assert difference < 1e-6, f"the motions of two parts differ by {difference}"
        skin = make_mesh(armature, wanted)
        stored = stored_vertices(skin)
        assert [influences for _, influences in stored] == [influences for _, influences in wanted]
        vertices += stored
        lbs += list(deformed(skin, False))
        dqs += list(deformed(skin, True))
    return matrices, vertices, lbs, dqs


def case_text(name, build):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    matrices, vertices, lbs, dqs = skinned(build())
    check_case(name, matrices, vertices, lbs, dqs)
    lines = [f"case {name}", f"joints {len(matrices)}"]
    lines += [numbers(matrix.ravel()) for matrix in matrices]
    lines.append(f"vertices {len(vertices)}")
    for (position, influences), linear, dual in zip(vertices, lbs, dqs):
        pairs = "  ".join(f"{joint} {numbers([weight])}" for joint, weight in influences)
        columns = [numbers(position), len(influences), pairs, numbers(linear), numbers(dual)]
        lines.append("  ".join(str(column) for column in columns))
    return "\n".join(lines) + "\n"


def main():
    if "--" not in sys.argv or len(sys.argv) != sys.argv.index("--") + 2:
        raise SystemExit("usage: blender -b --factory-startup --python <script> -- <output file>")
    path = sys.argv[-1]
    text = HEADER.format(version=bpy.app.version_string) + f"cases {len(CASES)}\n"
    text += "".join(case_text(name, build) for name, build in CASES)
    with open(path + ".part", "w", encoding="ascii", newline="\n") as file:
        file.write(text)
    os.replace(path + ".part", path)
    print(f"{path}: {len(text)} bytes")


# Blender prints an exception of a script and then exits with 0; callers need to know.
try:
    main()
except Exception:
    traceback.print_exc()
    sys.exit(1)
