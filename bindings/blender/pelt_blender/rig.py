# SPDX-License-Identifier: MIT
"""From Blender to arrays: the armature modifier, joints, weights, rest positions and poses."""
import bpy
import numpy as np

from . import pelt


def find_modifier(item):
    """The armature modifier of an object. Raises pelt.Error for what cannot be shown."""
    for modifier in item.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            if modifier.vertex_group or not modifier.use_vertex_groups:
                raise pelt.Error(f"{item.name}: the armature modifier must use vertex groups, and no mask")
            return modifier
        if modifier.show_viewport:
            raise pelt.Error(f"{item.name}: apply {modifier.name}, or move it below the armature modifier")
    raise pelt.Error(f"{item.name} has no armature modifier with an armature")


def armature_of(item):
    """The armature of an object, or None."""
    return next((m.object for m in item.modifiers if m.type == "ARMATURE" and m.object), None)


def evaluated(data, depsgraph):
    """Renders have a dependency graph of their own, whose poses and values are not written back."""
    return data.evaluated_get(depsgraph or bpy.context.evaluated_depsgraph_get())


def joints_of(armature):
    """(name of a bone, None) for each bone that deforms; a bendy bone has a joint at each end of
    its segments: (name, 0) to (name, segments)."""
    joints = []
    for bone in armature.data.bones:
        if bone.use_deform and bone.bbone_segments > 1:
            if getattr(bone, "bbone_mapping_mode", "STRAIGHT") != "STRAIGHT":
                raise pelt.Error(f"{armature.name}: bone {bone.name} maps vertices along its curve; set "
                                 "Vertex Mapping to Straight")
            joints += [(bone.name, segment) for segment in range(bone.bbone_segments + 1)]
        elif bone.use_deform:
            joints.append((bone.name, None))
    return joints


def skeleton_of(armature, joints):
    """Rest positions in armature space, J x 3, and parents, J; -1: none."""
    index = {joint: i for i, joint in enumerate(joints)}
    positions, parents = np.zeros((len(joints), 3), np.float32), np.full(len(joints), -1)
    for i, (name, segment) in enumerate(joints):
        bone = armature.data.bones[name]
        along = 0.0 if segment is None else segment / bone.bbone_segments
        positions[i] = bone.head_local.lerp(bone.tail_local, along)
        if segment:
            parents[i] = i - 1
            continue
        while bone.parent is not None and parents[i] < 0:
            bone = bone.parent
            last = (bone.name, bone.bbone_segments if bone.bbone_segments > 1 else None)
            parents[i] = index.get(last, -1)
    return positions, parents


def coordinates(elements, name="co"):
    found = np.empty(3 * len(elements), np.float32)
    elements.foreach_get(name, found)
    return found.reshape(-1, 3)


def rest_positions(item, depsgraph=None):
    """Positions before the armature modifier, with shape keys at their present values."""
    keys = item.data.shape_keys
    if keys is None:
        return coordinates(item.data.vertices)
    if not keys.use_relative:
        raise pelt.Error(f"{item.name}: its shape keys are absolute; only relative ones are supported")
    if item.show_only_shape_key:
        return coordinates(item.active_shape_key.data)
    for block in keys.key_blocks:
        if block.vertex_group:
            raise pelt.Error(f"{item.name}: shape key {block.name} is masked by a vertex group")
    blocks = {block.name: coordinates(block.data) for block in keys.key_blocks}
    result = blocks[keys.reference_key.name].copy()
    values = {block.name: block.value for block in evaluated(keys, depsgraph).key_blocks}
    for block in keys.key_blocks:
        if block != keys.reference_key and not block.mute:
            result += values[block.name] * (blocks[block.name] - blocks[block.relative_key.name])
    return result


def weights_of(item, joints):
    """Weights, V x J. Vertex groups that belong to no deforming bone have no effect."""
    first = {}
    for i, (name, _) in enumerate(joints):
        first.setdefault(name, i)
    columns = {group.index: first[group.name] for group in item.vertex_groups if group.name in first}
    weights = np.zeros((len(item.data.vertices), len(joints)), np.float32)
    for vertex in item.data.vertices:
        for group in vertex.groups:
            if group.group in columns:
                weights[vertex.index, columns[group.group]] = group.weight
    armature = armature_of(item)
    to_armature = None
    for i, (name, segment) in enumerate(joints):
        if segment != 0:
            continue
        # The weight of a bendy bone goes to the two joints next to the vertex, as Blender does it.
        if to_armature is None:
            to_armature = armature.matrix_world.inverted_safe() @ item.matrix_world
            positions = coordinates(item.data.vertices)
        bone = armature.data.bones[name]
        row = np.array((bone.matrix_local.inverted_safe() @ to_armature)[1])
        at = np.clip((positions @ row[:3] + row[3]) / bone.length, 0.0, 1.0) * bone.bbone_segments
        below = np.minimum(at.astype(int), bone.bbone_segments - 1)
        whole, rows = weights[:, i].copy(), np.arange(len(weights))
        weights[:, i] = 0.0
        weights[rows, i + below] = whole * (1.0 - (at - below))
        weights[rows, i + below + 1] = whole * (at - below)
    return weights


def triangles_of(item):
    item.data.calc_loop_triangles()
    triangles = np.empty(3 * len(item.data.loop_triangles), np.int32)
    item.data.loop_triangles.foreach_get("vertices", triangles)
    return triangles.reshape(-1, 3)


def to_armature(item, depsgraph=None):
    """From the space of the object to that of its armature."""
    armature = evaluated(armature_of(item), depsgraph)
    return armature.matrix_world.inverted_safe() @ evaluated(item, depsgraph).matrix_world


def matrices_of(item, joints, depsgraph=None):
    """For each joint, from the rest pose to the pose, in the space of the object."""
    armature = evaluated(find_modifier(item).object, depsgraph)
    there = to_armature(item, depsgraph)
    back = there.inverted_safe()
    matrices = np.empty((len(joints), 4, 4))
    for index, (name, segment) in enumerate(joints):
        bone = armature.pose.bones[name]
        rest = bone.bone.matrix_local.inverted_safe()
        if armature.data.pose_position == "REST":
            moved = bone.bone.matrix_local
        elif segment is None:
            moved = bone.matrix
        else:
            moved = bone.matrix @ bone.bbone_segment_matrix(segment, rest=False) @ \
                bone.bbone_segment_matrix(segment, rest=True).inverted_safe()
        matrices[index] = back @ moved @ rest @ there
    return matrices


def check_mode(item):
    """Attributes of a mesh cannot be read in edit mode, nor its new positions."""
    if item.mode == "EDIT":
        raise pelt.Error(f"{item.name}: leave edit mode first")
