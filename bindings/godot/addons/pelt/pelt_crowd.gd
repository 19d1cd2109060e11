# SPDX-License-Identifier: MIT
# A crowd of one character: one MultiMesh per mesh of a bake, animated on the GPU. A frame sets one
# number for the whole crowd; instances cost the CPU something when they change what they play.
class_name PeltCrowd
extends Node3D

const PeltMaterial := preload("pelt_material.gd")
const ROW := 256 # instances per row of the texture of playbacks

## The JSON file of `pelt bake`. Set it before the node enters the tree.
@export_file("*.json") var bake_path := ""
@export_range(0, 1000000) var instance_count := 1
## Seconds of the crowd. It advances by itself while is_playing.
@export var time := 0.0:
    set(value):
        time = value
        for material in _materials:
            material.set_shader_parameter("pelt_time", time)
@export var is_playing := true

var bake: PeltBake
var _materials: Array[ShaderMaterial] = []
var _multimeshes: Array[MultiMesh] = []
var _playbacks := PackedFloat32Array()
var _texture: ImageTexture
var _has_changed := false


func _ready() -> void:
    bake = PeltBake.open(bake_path)
    if bake == null:
        set_process(false)
        return
    _playbacks.resize(12 * ROW * maxi((instance_count + ROW - 1) / ROW, 1))
    for i in instance_count:
        _set_clip(i, 0, 0, 0.0, 1.0, true)
        _set_clip(i, 1, 0, 0.0, 1.0, true)
        _set_fade(i, INF, INF)
    _texture = ImageTexture.create_from_image(_image())
    for i in bake.meshes.size():
        _add(bake.meshes[i], int(bake.json.instances[i].first_joint))
    time = time


func _process(delta: float) -> void:
    if is_playing:
        time += delta
    if _has_changed:
        _texture.update(_image())
        _has_changed = false


## Place an instance, in the space of the crowd.
func set_instance_transform(instance: int, transform: Transform3D) -> void:
    for multimesh in _multimeshes:
        multimesh.set_instance_transform(instance, transform)


## Play a clip, by its name or number, from `at` seconds on. With `fade`, what the instance plays
## turns into it over so many seconds.
func play(instance: int, clip: Variant, at := 0.0, speed := 1.0, repeats := true, fade := 0.0) -> void:
    var number: int = clip if clip is int else bake.clips.find(clip)
    if instance < 0 or instance >= instance_count or number < 0 or number >= bake.clips.size():
        push_error("pelt: no instance %d of %d, or no clip %s of %s" %
                [instance, instance_count, clip, ", ".join(bake.clips)])
        return
    var first := 12 * instance
    if time >= _playbacks[first + 9]: # the last fade has ended
        for i in 4:
            _playbacks[first + i] = _playbacks[first + 4 + i]
    _set_clip(instance, 1 if fade > 0.0 else 0, number, at, speed, repeats)
    _set_fade(instance, time if fade > 0.0 else INF, time + fade if fade > 0.0 else INF)
    _has_changed = true


func _set_clip(instance: int, slot: int, clip: int, at: float, speed: float, repeats: bool) -> void:
    var first := 12 * instance + 4 * slot
    _playbacks[first] = clip
    _playbacks[first + 1] = at - time * speed
    _playbacks[first + 2] = speed
    _playbacks[first + 3] = 1.0 if repeats else 0.0


func _set_fade(instance: int, begin: float, end: float) -> void:
    _playbacks[12 * instance + 8] = minf(begin, 1e30)
    _playbacks[12 * instance + 9] = minf(end, 1e30)


func _image() -> Image:
    return Image.create_from_data(3 * ROW, _playbacks.size() / (12 * ROW), false, Image.FORMAT_RGBAF,
            _playbacks.to_byte_array())


func _add(mesh: ArrayMesh, first_joint: int) -> void:
    for i in mesh.get_surface_count():
        var defines := PackedStringArray(["PELT_BAKED_KIND %s" %
                {"matrix": "PELT_BAKED_MATRIX", "dq": "PELT_BAKED_DUAL"}.get(bake.json.encoding, "PELT_BAKED_POSE")])
        defines.append("PELT_INFLUENCES %d" % (8 if mesh.surface_get_format(i) & Mesh.ARRAY_FORMAT_CUSTOM1 else 4))
        var material := PeltMaterial.crowd(mesh.surface_get_material(i), defines,
                (mesh.surface_get_format(i) & Mesh.ARRAY_FORMAT_TANGENT) != 0)
        material.set_shader_parameter("pelt_baked_bytes", bake.texture)
        material.set_shader_parameter("pelt_playbacks", _texture)
        material.set_shader_parameter("pelt_first_joint", first_joint)
        mesh.surface_set_material(i, material)
        _materials.append(material)
    var multimesh := MultiMesh.new()
    multimesh.transform_format = MultiMesh.TRANSFORM_3D
    multimesh.mesh = mesh
    multimesh.instance_count = instance_count
    _multimeshes.append(multimesh)
    var node := MultiMeshInstance3D.new()
    node.multimesh = multimesh
    add_child(node)
