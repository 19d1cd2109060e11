# SPDX-License-Identifier: MIT
# Deforms the meshes of a Skeleton3D, its parent, by a method of pelt. It uploads the palette of the
# skeleton as a texture whenever a pose is ready, replaces materials by shaders with the same look,
# and sets custom_aabb from the boxes of `pelt enhance --bounds`.
@tool
class_name PeltSkin
extends Node

const PeltMaterial := preload("pelt_material.gd")

## LBS is Godot's own skinning, with the materials of the meshes, where no vertex has more than four
## influences.
enum Method { LBS, DQS, MIX, CRS }

## Change it at any time. CRS needs centers, and MIX has its factors, in CUSTOM0 of the meshes, which
## is where Godot puts `pelt enhance --carrier texcoord`.
@export var method: Method = Method.CRS:
    set(value):
        method = value
        _apply()
## For meshes without factors of their own: 0 is LBS, 1 is DQS.
@export_range(0.0, 1.0) var mix := 0.5:
    set(value):
        mix = value
        _apply()
## Joints neither scale nor shear: shaders are shorter. Scale of joints is ignored then.
@export var is_rigid := false:
    set(value):
        is_rigid = value
        _apply()
## Meshes have mix factors in CUSTOM0.
@export var has_mix_factors := false
## Boxes of meshes by their names, in the space of the mesh.
@export var boxes := {}

var _skeleton: Skeleton3D
var _meshes: Array[MeshInstance3D] = []
var _palettes := {} # of each Skin


# Matrices of joints as texels: rows of the matrix and the rotation, one row of texels per joint.
class Palette:
    var bones := PackedInt32Array()
    var binds: Array[Transform3D] = []
    var texels := PackedFloat32Array()
    var texture: ImageTexture

    func _init(skeleton: Skeleton3D, skin: Skin) -> void:
        for i in skin.get_bind_count():
            var bone := skin.get_bind_bone(i)
            if skin.get_bind_name(i) != &"":
                bone = skeleton.find_bone(skin.get_bind_name(i))
            bones.append(bone)
            binds.append(skin.get_bind_pose(i))
        texels.resize(16 * maxi(bones.size(), 1))
        texture = ImageTexture.create_from_image(_image())

    func _image() -> Image:
        return Image.create_from_data(4, texels.size() / 16, false, Image.FORMAT_RGBAF, texels.to_byte_array())

    func update(skeleton: Skeleton3D) -> void:
        for i in bones.size():
            var m := binds[i]
            if bones[i] >= 0:
                m = skeleton.get_bone_global_pose(bones[i]) * m
            for row in 3:
                texels[16 * i + 4 * row] = m.basis.x[row]
                texels[16 * i + 4 * row + 1] = m.basis.y[row]
                texels[16 * i + 4 * row + 2] = m.basis.z[row]
                texels[16 * i + 4 * row + 3] = m.origin[row]
            var q := PeltSkin.rotation_of(m.basis)
            texels[16 * i + 12] = q.x
            texels[16 * i + 13] = q.y
            texels[16 * i + 14] = q.z
            texels[16 * i + 15] = q.w
        texture.update(_image())


## The rotation of a matrix by polar decomposition (Higham 1986). Of one that mirrors, the negative is
## decomposed.
static func rotation_of(basis: Basis) -> Quaternion:
    if absf(basis.determinant()) < 1e-12:
        return Quaternion.IDENTITY
    var r := basis if basis.determinant() > 0.0 else Basis(-basis.x, -basis.y, -basis.z)
    for i in 20:
        var inverse := r.inverse().transposed()
        # Scaling makes few steps of any stretch.
        var scale := pow(r.determinant(), -1.0 / 3.0) if i == 0 else 1.0
        var next := Basis(0.5 * (scale * r.x + inverse.x / scale), 0.5 * (scale * r.y + inverse.y / scale),
                0.5 * (scale * r.z + inverse.z / scale))
        var step := (next.x - r.x).length_squared() + (next.y - r.y).length_squared() + (next.z - r.z).length_squared()
        r = next
        if step < 1e-10:
            break
    return r.get_rotation_quaternion()


func _enter_tree() -> void:
    _skeleton = get_parent() as Skeleton3D
    if _skeleton == null:
        push_error("pelt: the parent of a PeltSkin has to be a Skeleton3D; %s is none" % get_parent().name)
        return
    _skeleton.skeleton_updated.connect(_update)


func _ready() -> void:
    _apply()


func _exit_tree() -> void:
    if _skeleton != null:
        _skeleton.skeleton_updated.disconnect(_update)
        _release()
    _skeleton = null


## The palette of a mesh as a texture of four texels per joint: three rows of its matrix, then its
## rotation. Null under LBS.
func palette_of(mesh: MeshInstance3D) -> ImageTexture:
    return _palettes[mesh.skin].texture if _palettes.has(mesh.skin) else null


# Godot's own skinning again.
func _release() -> void:
    for mesh in _meshes:
        if is_instance_valid(mesh):
            mesh.skeleton = mesh.get_path_to(_skeleton)
            for i in mesh.mesh.get_surface_count():
                mesh.set_surface_override_material(i, mesh.get_meta("pelt_materials")[i])
            mesh.remove_meta("pelt_materials")
    _meshes.clear()
    _palettes.clear()


func _apply() -> void:
    if _skeleton == null or not is_node_ready():
        return
    _release()
    for child in _skeleton.find_children("*", "MeshInstance3D", true, false):
        var mesh := child as MeshInstance3D
        if mesh.mesh == null or mesh.skin == null or mesh.get_node_or_null(mesh.skeleton) != _skeleton:
            continue
        if boxes.has(String(mesh.name)):
            mesh.custom_aabb = boxes[String(mesh.name)]
        # In the editor, materials would be saved with the scene.
        if (method != Method.LBS or _has_more_influences(mesh.mesh)) and not Engine.is_editor_hint():
            _take(mesh)
    _update()


# Influences beyond four, which the import has moved to where Godot's own skinning does not see them.
static func _has_more_influences(mesh: Mesh) -> bool:
    var more := Mesh.ARRAY_FORMAT_CUSTOM1 | Mesh.ARRAY_FORMAT_CUSTOM2
    return range(mesh.get_surface_count()).any(func(i: int) -> bool: return mesh.surface_get_format(i) & more == more)


func _take(mesh: MeshInstance3D) -> void:
    for i in mesh.mesh.get_surface_count():
        var format: int = mesh.mesh.surface_get_format(i)
        if method == Method.CRS and not format & Mesh.ARRAY_FORMAT_CUSTOM0:
            push_warning("pelt: %s has no centers for crs; write them by `pelt enhance --cor --carrier texcoord`" %
                    mesh.name)
            return
    if not _palettes.has(mesh.skin):
        _palettes[mesh.skin] = Palette.new(_skeleton, mesh.skin)
    var materials := []
    for i in mesh.mesh.get_surface_count():
        var own := mesh.get_surface_override_material(i)
        materials.append(own)
        var defines := PackedStringArray(["PELT_DEFORM pelt_deform_" + Method.keys()[method].to_lower(),
                "PELT_SCALE %d" % (0 if is_rigid else 1)])
        var format: int = mesh.mesh.surface_get_format(i)
        if format & Mesh.ARRAY_FORMAT_CUSTOM1 and format & Mesh.ARRAY_FORMAT_CUSTOM2:
            defines.append("PELT_INFLUENCES 8")
        var has_factors := has_mix_factors and (format & Mesh.ARRAY_FORMAT_CUSTOM0) != 0
        var material := PeltMaterial.skinned(own if own != null else mesh.mesh.surface_get_material(i), defines,
                (format & Mesh.ARRAY_FORMAT_TANGENT) != 0)
        material.set_shader_parameter("pelt_palette", _palettes[mesh.skin].texture)
        material.set_shader_parameter("pelt_mix", -1.0 if has_factors else mix)
        mesh.set_surface_override_material(i, material)
    mesh.set_meta("pelt_materials", materials)
    mesh.skeleton = NodePath() # vertices reach the shader as they are at rest
    _meshes.append(mesh)


func _update() -> void:
    for palette in _palettes.values():
        palette.update(_skeleton)
