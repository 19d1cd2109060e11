# SPDX-License-Identifier: MIT
# Reads vertices back from vertex(). The shader that the add-on has made gets an end that draws each
# vertex as one pixel, whose color is its position along an axis in 21 bits: Godot
# passes bytes from 128 on as they are.
extends RefCounted

const SIZE := 256
const UNIFORMS := """
varying flat int pelt_code;
uniform int pelt_axis;
uniform int pelt_first;
uniform int pelt_stride;
uniform float pelt_low;
uniform float pelt_span;

void vertex()"""
const PLACE := """
    pelt_code = int(clamp((VERTEX[pelt_axis] - pelt_low) / pelt_span, 0.0, 1.0) * 2097151.0 + 0.5);
    int pelt_pixel = pelt_first + VERTEX_ID + pelt_stride * INSTANCE_ID;
    vec2 pelt_at = (vec2(float(pelt_pixel % 256), float(pelt_pixel / 256)) + 0.5) / 128.0 - 1.0;
    POSITION = vec4(pelt_at, 0.5, 1.0);
    POINT_SIZE = 1.0;
}

void fragment()
{
    ALBEDO = vec3(ivec3(128) + ((ivec3(pelt_code) >> ivec3(14, 7, 0)) & ivec3(127))) / 255.0;
}
"""

var _viewport := SubViewport.new()
var _shaders := {}


func _init(tree: SceneTree) -> void:
    _viewport.size = Vector2i(SIZE, SIZE)
    _viewport.own_world_3d = true
    _viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
    var camera := Camera3D.new()
    camera.position = Vector3(0, 0, 5)
    _viewport.add_child(camera)
    tree.root.add_child(_viewport)


## Positions of all vertices in the space of the mesh, surface after surface, instance after instance.
## box  that they are in
func positions(mesh: Mesh, materials: Array, box: AABB, instances := 1) -> PackedVector3Array:
    var points := _points_of(mesh, materials)
    var count := 0
    for i in points.get_surface_count():
        points.surface_get_material(i).set_shader_parameter("pelt_first", count)
        count += points.surface_get_array_len(i)
    var multimesh := MultiMesh.new()
    multimesh.transform_format = MultiMesh.TRANSFORM_3D
    multimesh.mesh = points
    multimesh.instance_count = instances
    for i in instances:
        multimesh.set_instance_transform(i, Transform3D.IDENTITY)
    var node: GeometryInstance3D
    if instances > 1:
        node = MultiMeshInstance3D.new()
        node.multimesh = multimesh
    else:
        node = MeshInstance3D.new()
        node.mesh = points
    _viewport.add_child(node)
    var result := PackedVector3Array()
    result.resize(count * instances)
    for axis in 3:
        for i in points.get_surface_count():
            var material: ShaderMaterial = points.surface_get_material(i)
            material.set_shader_parameter("pelt_axis", axis)
            material.set_shader_parameter("pelt_stride", count)
            material.set_shader_parameter("pelt_low", box.position[axis])
            material.set_shader_parameter("pelt_span", box.size[axis])
        await RenderingServer.frame_post_draw
        await RenderingServer.frame_post_draw
        var image := _viewport.get_texture().get_image()
        for i in result.size():
            var c := image.get_pixel(i % SIZE, i / SIZE)
            var code := ((c.r8 & 127) << 14) + ((c.g8 & 127) << 7) + (c.b8 & 127)
            result[i][axis] = box.position[axis] + box.size[axis] * code / 2097151.0
    node.free()
    return result


func _points_of(mesh: Mesh, materials: Array) -> ArrayMesh:
    var points := ArrayMesh.new()
    for i in mesh.get_surface_count():
        var arrays := mesh.surface_get_arrays(i)
        arrays[Mesh.ARRAY_INDEX] = null
        var format: int = mesh.surface_get_format(i) & ~(Mesh.ARRAY_FORMAT_INDEX | Mesh.ARRAY_FLAG_COMPRESS_ATTRIBUTES)
        points.add_surface_from_arrays(Mesh.PRIMITIVE_POINTS, arrays, [], {}, format)
        var material: ShaderMaterial = materials[i].duplicate()
        var code := material.shader.code
        code = code.substr(0, code.rfind("}", code.find("void fragment()")))
        code = code.replace("render_mode ", "render_mode unshaded, ").replace("void vertex()", UNIFORMS) + PLACE
        if not _shaders.has(code): # compiling takes seconds
            _shaders[code] = Shader.new()
            _shaders[code].code = code
        material.shader = _shaders[code]
        points.surface_set_material(i, material)
    points.custom_aabb = AABB(Vector3(-1, -1, -1), Vector3(2, 2, 2))
    return points
