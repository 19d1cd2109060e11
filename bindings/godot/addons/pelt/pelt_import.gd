# SPDX-License-Identifier: MIT
# Import of glTF files by pelt: a PeltSkin below each skeleton whose meshes have centers, a method or
# boxes of pelt. Influences are sorted, since the first one decides the sign of quaternions, and
# influences 5 to 8 move to CUSTOM1 and CUSTOM2, because shaders of Godot see four.
#
# The editor plugin registers it for the editor. Programs that load files while they run do so too:
#     GLTFDocument.register_gltf_document_extension(PeltImport.new(), true)
@tool
class_name PeltImport
extends GLTFDocumentExtension

const PeltSkinScript := preload("pelt_skin.gd")


func _import_post(state: GLTFState, root: Node) -> Error:
    if root == null:
        return OK
    var found := _mesh_extras(state)
    for node in _nodes_below(root):
        if not ("mesh" in node and "skin" in node and "skeleton_path" in node):
            continue
        if node.skin == null or not found.has(node.mesh):
            continue
        var skeleton := node.get_node_or_null(node.skeleton_path) as Skeleton3D
        if skeleton == null:
            continue
        _sort_mesh(node.mesh)
        var extras: Dictionary = found[node.mesh]
        var skin := skeleton.get_node_or_null("PeltSkin")
        if skin == null:
            skin = PeltSkinScript.new()
            skin.name = "PeltSkin"
            skin.method = _method_of(extras)
            skeleton.add_child(skin)
            skin.owner = skeleton.owner if skeleton.owner != null else root
        skin.has_mix_factors = skin.has_mix_factors or extras.has_mix
        if extras.has("box"):
            # Boxes are in the space of the scene, custom_aabb is in that of the mesh.
            skin.boxes[String(node.name)] = _from_root(node, root).affine_inverse() * (extras.box as AABB)
    return OK


# What pelt says about each mesh that has something of pelt: method, has_centers, has_mix, box.
func _mesh_extras(state: GLTFState) -> Dictionary:
    var result := {}
    var meshes: Array = state.json.get("meshes", [])
    var imported := state.get_meshes()
    for i in mini(meshes.size(), imported.size()):
        var mesh := {"method": "", "has_centers": false, "has_mix": false}
        for primitive in meshes[i].get("primitives", []):
            var extras = primitive.get("extras", {})
            if not extras is Dictionary:
                continue
            var carrier = extras.get("pelt_carrier", {})
            mesh.has_centers = mesh.has_centers or carrier.get("centers", false)
            mesh.has_mix = mesh.has_mix or carrier.get("mix", false)
            var bounds = extras.get("pelt_bounds", {})
            var method = extras.get("pelt_skinning", {}).get("method", bounds.get("method", ""))
            mesh.method = method if mesh.method == "" else mesh.method
            var box: Array = bounds.get("box", [])
            if box.size() == 6:
                var first := Vector3(box[0], box[1], box[2])
                var one := AABB(first, Vector3(box[3], box[4], box[5]) - first)
                mesh.box = mesh.box.merge(one) if mesh.has("box") else one
        if mesh.has_centers or mesh.has_mix or mesh.method != "" or mesh.has("box"):
            result[imported[i].mesh] = mesh
    return result


func _method_of(extras: Dictionary) -> int:
    var named := ["lbs", "dqs", "mix", "crs"].find(extras.method)
    if named == PeltSkinScript.Method.CRS and not extras.has_centers:
        push_warning("pelt: the file has no centers for crs that Godot keeps; write them by " +
                "`pelt enhance --cor --carrier texcoord`. The method is dqs instead.")
        return PeltSkinScript.Method.DQS
    if extras.has_centers and extras.method == "":
        return PeltSkinScript.Method.CRS
    if extras.has_mix and extras.method == "":
        return PeltSkinScript.Method.MIX
    return maxi(named, PeltSkinScript.Method.LBS)


func _nodes_below(node: Node) -> Array[Node]:
    var result: Array[Node] = [node]
    for child in node.get_children():
        result.append_array(_nodes_below(child))
    return result


func _from_root(node: Node, root: Node) -> Transform3D:
    var result := Transform3D.IDENTITY
    while node != root and node != null:
        if node is Node3D:
            result = node.transform * result
        node = node.get_parent()
    return result


# Each surface again, with the influences of each vertex sorted by weight.
func _sort_mesh(mesh: ImporterMesh) -> void:
    var surfaces := []
    for i in mesh.get_surface_count():
        var shapes: Array[Array] = []
        for shape in mesh.get_blend_shape_count():
            shapes.append(mesh.get_surface_blend_shape_arrays(i, shape))
        surfaces.append([mesh.get_surface_primitive_type(i), mesh.get_surface_arrays(i), shapes, {},
                mesh.get_surface_material(i), mesh.get_surface_name(i), mesh.get_surface_format(i)])
    var shape_names: Array[String] = []
    for shape in mesh.get_blend_shape_count():
        shape_names.append(mesh.get_blend_shape_name(shape))
    var shape_mode := mesh.get_blend_shape_mode()
    mesh.clear()
    mesh.set_blend_shape_mode(shape_mode)
    for shape_name in shape_names:
        mesh.add_blend_shape(shape_name)
    for surface in surfaces:
        surface[6] = sort_influences(surface[1], surface[6])
        mesh.callv("add_surface", surface)


## Sort the influences in arrays of a surface, and return its format.
static func sort_influences(arrays: Array, format: int) -> int:
    if arrays[Mesh.ARRAY_BONES] == null or arrays[Mesh.ARRAY_WEIGHTS] == null:
        return format
    var bones: PackedInt32Array = arrays[Mesh.ARRAY_BONES]
    var weights: PackedFloat32Array = arrays[Mesh.ARRAY_WEIGHTS]
    var count: int = arrays[Mesh.ARRAY_VERTEX].size()
    var width := bones.size() / maxi(count, 1)
    var first_bones := PackedInt32Array()
    var first_weights := PackedFloat32Array()
    var more_bones := PackedFloat32Array()
    var more_weights := PackedFloat32Array()
    first_bones.resize(4 * count)
    first_weights.resize(4 * count)
    more_bones.resize(4 * count if width > 4 else 0)
    more_weights.resize(more_bones.size())
    for vertex in count:
        var order := range(vertex * width, vertex * width + width)
        order.sort_custom(func(a: int, b: int) -> bool:
            return weights[a] > weights[b] or (weights[a] == weights[b] and bones[a] < bones[b]))
        for i in width:
            var to := 4 * vertex + i % 4
            if i < 4:
                first_bones[to] = bones[order[i]]
                first_weights[to] = weights[order[i]]
            else:
                more_bones[to] = bones[order[i]]
                more_weights[to] = weights[order[i]]
    arrays[Mesh.ARRAY_BONES] = first_bones
    arrays[Mesh.ARRAY_WEIGHTS] = first_weights
    if width <= 4:
        return format
    arrays[Mesh.ARRAY_CUSTOM1] = more_bones
    arrays[Mesh.ARRAY_CUSTOM2] = more_weights
    return (format & ~Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS) | Mesh.ARRAY_FORMAT_CUSTOM1 | Mesh.ARRAY_FORMAT_CUSTOM2 \
            | (Mesh.ARRAY_CUSTOM_RGBA_FLOAT << Mesh.ARRAY_FORMAT_CUSTOM1_SHIFT) \
            | (Mesh.ARRAY_CUSTOM_RGBA_FLOAT << Mesh.ARRAY_FORMAT_CUSTOM2_SHIFT)
