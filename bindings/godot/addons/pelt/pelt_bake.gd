# SPDX-License-Identifier: MIT
# The files of `pelt bake`: the JSON text, the KTX2 texture and the mesh.
class_name PeltBake
extends RefCounted

const PeltImportScript := preload("pelt_import.gd")

## What the JSON text says: docs/baked.schema.json.
var json := {}
## The words of the texture, each as four bytes of a texel.
var texture: ImageTexture
## One mesh for each entry of json.instances, with its influences sorted.
var meshes: Array[ArrayMesh] = []
## Names of clips, and their durations in seconds.
var clips := PackedStringArray()
var durations := PackedFloat32Array()


## Read a bake by the path of its JSON file. Null if that fails, with an error that says why.
static func open(path: String) -> PeltBake:
    var bake := PeltBake.new()
    var text := FileAccess.get_file_as_string(path)
    var parsed = JSON.parse_string(text) if text != "" else null
    if not parsed is Dictionary or parsed.get("format") != "pelt-bake":
        push_error("pelt: %s is no JSON file of `pelt bake`" % path)
        return null
    bake.json = parsed
    if parsed.layout != "modern" or not parsed.encoding in ["qt", "local", "matrix", "dq"]:
        push_error("pelt: %s has encoding %s and layout %s; crowds in Godot play joints: bake with --encoding qt or local" %
                [path, parsed.encoding, parsed.layout])
        return null
    for clip in parsed.clips:
        bake.clips.append(clip.name)
        bake.durations.append(clip.duration)
    var folder := path.get_base_dir()
    if not bake._read_texture(folder.path_join(parsed.texture.file)) or not bake._read_meshes(folder.path_join(parsed.mesh)):
        return null
    return bake


## The box of the character over all clips.
func box() -> AABB:
    var all := AABB()
    for clip in json.clips:
        var b = clip.bounds
        if b != null:
            var one := AABB(Vector3(b[0], b[1], b[2]), Vector3(b[3] - b[0], b[4] - b[1], b[5] - b[2]))
            all = one if all.size == Vector3.ZERO else all.merge(one)
    return all


func _read_texture(path: String) -> bool:
    var bytes := FileAccess.get_file_as_bytes(path)
    var size: int = 4 * {"rgba32ui": 4, "rgba16ui": 2, "rgba8ui": 1}.get(json.texture.texel, 0) * \
            int(json.texture.width) * int(json.texture.height)
    var is_ktx := bytes.size() > 104 and bytes.slice(1, 7).get_string_from_ascii() == "KTX 20"
    var first := bytes.decode_u64(80) if is_ktx else 0
    if not (is_ktx or json.texture.format == "raw") or size == 0 or first + size > bytes.size():
        push_error("pelt: %s is no texture of this bake; bake with --format ktx2 or raw" % path)
        return false
    # The words as a texture of their own width: one of four words per texel may be too wide.
    var width := 2048
    var height := (size / 4 + width - 1) / width
    var words := bytes.slice(first, first + size)
    words.resize(4 * width * height)
    texture = ImageTexture.create_from_image(Image.create_from_data(width, height, false, Image.FORMAT_RGBA8, words))
    return true


func _read_meshes(path: String) -> bool:
    var root: Node
    if path.begins_with("res://") and ResourceLoader.exists(path):
        root = load(path).instantiate()
    else:
        var document := GLTFDocument.new()
        var state := GLTFState.new()
        root = document.generate_scene(state) if document.append_from_file(path, state) == OK else null
    if root == null:
        push_error("pelt: cannot read %s, the mesh of the bake" % path)
        return false
    var skinned := root.find_children("*", "MeshInstance3D", true, false).filter(
            func(node: MeshInstance3D) -> bool: return node.skin != null)
    if skinned.size() != json.instances.size():
        push_error("pelt: %s has %d skinned meshes, and the bake %d" % [path, skinned.size(), json.instances.size()])
        root.free()
        return false
    for node in skinned:
        meshes.append(_prepared(node.mesh))
    root.free()
    return true


# A copy of the mesh with influences sorted, and the box of all clips.
func _prepared(mesh: Mesh) -> ArrayMesh:
    var copy := ArrayMesh.new()
    for i in mesh.get_surface_count():
        var arrays := mesh.surface_get_arrays(i)
        var format := PeltImportScript.sort_influences(arrays, mesh.surface_get_format(i))
        copy.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays, [], {},
                format & ~Mesh.ARRAY_FLAG_COMPRESS_ATTRIBUTES)
        copy.surface_set_material(i, mesh.surface_get_material(i))
    copy.custom_aabb = box()
    return copy
