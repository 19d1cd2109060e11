# SPDX-License-Identifier: MIT
"""A group of geometry nodes that evaluates crs without pelt (Blender 4.2 and later).

The file keeps everything that it needs: centers and influences as attributes of the mesh, and a
collection with one empty for each joint, a child of its bone. An empty that is at the origin of the
armature at rest has the skinning matrix of its bone.
"""
import bpy
import mathutils
import numpy as np

from . import pelt, skins
from .rig import armature_of, check_mode, find_modifier, joints_of, weights_of

MOST = 8  # influences of a vertex
MODIFIER = "pelt crs"
IS_SUPPORTED = bpy.app.version >= (4, 2)  # matrices in geometry nodes


def influence_names(index):
    return f"pelt_joint_{index}", f"pelt_weight_{index}"


def write_influences(item):
    """The strongest influences of each vertex as attributes. Returns their number."""
    weights = weights_of(item, joints_of(find_modifier(item).object))
    count = int(np.clip(np.count_nonzero(weights, axis=1).max(initial=1), 1, MOST))
    order = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    values = np.take_along_axis(weights, order, axis=1)
    total = values.sum(axis=1, keepdims=True)
    values = np.divide(values, total, out=np.zeros_like(values), where=total > 0)
    for index in range(MOST):
        joint, weight = influence_names(index)
        has = index < order.shape[1]
        skins.write(item.data, joint, order[:, index].astype(np.int32) if has else None)
        skins.write(item.data, weight, values[:, index] if has else None)
    return count


def update_influences(item):
    """Write the attributes of influences again, after weights have changed."""
    modifier = item.modifiers.get(MODIFIER)
    if modifier is not None and modifier.type == "NODES":
        modifier.node_group = make_group(write_influences(item))


def joint_collection(armature):
    """One empty for each bone that deforms, in the order of joints, in a collection outside the scene."""
    name = f"pelt joints of {armature.name}"
    collection = bpy.data.collections.get(name) or bpy.data.collections.new(name)
    for empty in list(collection.objects):
        bpy.data.objects.remove(empty)
    for index, (bone, segment) in enumerate(joints_of(armature)):
        if segment is not None:
            raise pelt.Error(f"{armature.name}: bone {bone} bends; set its segments to 1 for geometry nodes")
        # Collection Info sorts by names.
        empty = bpy.data.objects.new(f"pelt {index:05} {armature.name} {bone}", None)
        empty.parent, empty.parent_type, empty.parent_bone = armature, "BONE", bone
        rest = armature.data.bones[bone]
        # Children of a bone begin at its tail.
        tail = rest.matrix_local @ mathutils.Matrix.Translation((0.0, rest.length, 0.0))
        empty.matrix_parent_inverse = tail.inverted_safe()
        collection.objects.link(empty)
    return collection


class _Tree:
    """A node group that is being built: one short method for each kind of node and link."""

    def __init__(self, name):
        self.tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
        self.row = 0

    def node(self, kind, *inputs, out=0, **settings):
        """A node with its inputs in order: sockets, values, or None. Returns its output."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        node.location = (180 * (len(self.tree.nodes) % 12), -220 * (len(self.tree.nodes) // 12))
        visible = [socket for socket in node.inputs if socket.enabled]
        for socket, value in zip(visible, inputs):
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, socket)
            elif value is not None:
                socket.default_value = value
        sockets = [socket for socket in node.outputs if socket.enabled]
        return sockets[out] if isinstance(out, int) else [sockets[i] for i in out]

    def math(self, operation, *inputs):
        return self.node("ShaderNodeMath", *inputs, operation=operation)

    def vector(self, operation, *inputs):
        return self.node("ShaderNodeVectorMath", *inputs, operation=operation)

    def scale(self, vector, factor):
        node = self.tree.nodes.new("ShaderNodeVectorMath")
        node.operation = "SCALE"
        self.tree.links.new(vector, node.inputs["Vector"])
        self.tree.links.new(factor, node.inputs["Scale"])
        return node.outputs[0]

    def attribute(self, name, kind):
        return self.node("GeometryNodeInputNamedAttribute", name, data_type=kind)


def make_group(count):
    """The node group for that many influences: the rotation is the normalized sum of the quaternions
    of joints, with the sign of the strongest, about the center of the vertex, which moves by the
    weighted sum of matrices (Le and Hodgins 2016). Stretches of joints are averaged linearly."""
    name = f"pelt crs {count}"
    if name in bpy.data.node_groups:
        return bpy.data.node_groups[name]
    t = _Tree(name)
    face = t.tree.interface
    face.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    face.new_socket("Joints", in_out="INPUT", socket_type="NodeSocketCollection")
    face.new_socket("Armature", in_out="INPUT", socket_type="NodeSocketObject")
    face.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    geometry, joints, armature, _ = t.tree.nodes.new("NodeGroupInput").outputs
    to_item = t.node("GeometryNodeObjectInfo", armature, transform_space="RELATIVE")  # from the armature
    to_armature = t.node("FunctionNodeInvertMatrix", to_item)
    empties = t.node("GeometryNodeCollectionInfo", joints, True, False, transform_space="RELATIVE")
    position = t.node("FunctionNodeTransformPoint", t.node("GeometryNodeInputPosition"), to_armature)
    center = t.node("FunctionNodeTransformPoint", t.attribute(skins.CENTERS, "FLOAT_VECTOR"), to_armature)
    offset = t.vector("SUBTRACT", position, center)
    sums, first = None, None
    for index in range(count):
        joint, weight = influence_names(index)
        weight = t.attribute(weight, "FLOAT")
        matrix = t.node("GeometryNodeSampleIndex", empties, t.node("GeometryNodeInstanceTransform"),
                        t.attribute(joint, "INT"), data_type="FLOAT4X4", domain="INSTANCE")
        matrix = t.node("FunctionNodeMatrixMultiply", to_armature, matrix)
        rotation = t.node("FunctionNodeSeparateTransform", matrix, out=1)
        w, x, y, z = t.node("FunctionNodeRotationToQuaternion", rotation, out=range(4))
        real, imaginary = w, t.node("ShaderNodeCombineXYZ", x, y, z)
        signed = weight
        if index == 0:
            first = real, imaginary
        else:
            dot = t.math("ADD", t.math("MULTIPLY", real, first[0]),
                         t.vector("DOT_PRODUCT", imaginary, first[1]))
            is_opposite = t.math("LESS_THAN", dot, 0.0)
            signed = t.math("MULTIPLY", weight, t.math("MULTIPLY_ADD", is_opposite, -2.0, 1.0))
        moved = t.node("FunctionNodeTransformPoint", center, matrix)
        stretched = t.node("FunctionNodeRotateVector", t.node("FunctionNodeTransformDirection", offset, matrix),
                           t.node("FunctionNodeInvertRotation", rotation))
        terms = [weight, t.math("MULTIPLY", real, signed), t.scale(imaginary, signed), t.scale(moved, weight),
                 t.scale(stretched, weight)]
        if sums is None:
            sums = terms
        else:
            sums = [t.math("ADD", a, b) if i < 2 else t.vector("ADD", a, b)
                    for i, (a, b) in enumerate(zip(sums, terms))]
    total, real, imaginary, moved, stretched = sums
    x, y, z = t.node("ShaderNodeSeparateXYZ", imaginary, out=range(3))
    rotation = t.node("FunctionNodeQuaternionToRotation", real, x, y, z)
    result = t.vector("ADD", moved, t.node("FunctionNodeRotateVector", stretched, rotation))
    result = t.node("FunctionNodeTransformPoint", result, to_item)
    has_weights = t.math("GREATER_THAN", total, 0.0)
    geometry = t.node("GeometryNodeSetPosition", geometry, has_weights, result)
    output = t.tree.nodes.new("NodeGroupOutput")
    t.tree.links.new(geometry, output.inputs[0])
    return t.tree


def add_nodes(item):
    """A modifier in place of the armature modifier, which is switched off."""
    if not IS_SUPPORTED:
        raise pelt.Error("geometry nodes have matrices since Blender 4.2; this is "
                         f"{bpy.app.version_string}")
    check_mode(item)
    skins.check_mesh(item)
    armature_modifier = find_modifier(item)
    if skins.read(item.data, skins.CENTERS, 3) is None:
        raise pelt.Error(f"{item.name} has no centers of rotation; press Solve Centers")
    collection = joint_collection(armature_of(item))
    group = make_group(write_influences(item))
    modifier = item.modifiers.get(MODIFIER) or item.modifiers.new(MODIFIER, "NODES")
    modifier.node_group = group
    for socket in group.interface.items_tree:
        if socket.in_out == "INPUT" and socket.name in ("Joints", "Armature"):
            modifier[socket.identifier] = collection if socket.name == "Joints" else armature_modifier.object
    armature_modifier.show_viewport = armature_modifier.show_render = False
    # It comes where the armature modifier is.
    item.modifiers.move(item.modifiers.find(MODIFIER), item.modifiers.find(armature_modifier.name) + 1)
