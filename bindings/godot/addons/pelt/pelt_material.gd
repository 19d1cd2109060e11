# SPDX-License-Identifier: MIT
# Shaders with the look of a StandardMaterial3D whose vertices pelt moves. Godot does not show the code
# of its own materials, so that what glTF files have is written here once more.
@tool
extends RefCounted

const FOLDER := "res://addons/pelt/"

# Shaders by their code: a crowd of characters shares them.
static var _shaders := {}


## A material like `source` whose vertex() calls pelt_skin.gdshaderinc with these macros. A
## ShaderMaterial is copied, and does that itself.
static func skinned(source: Material, defines: PackedStringArray, has_tangents: bool) -> ShaderMaterial:
    return _made(source, defines, "pelt_vertex.gdshaderinc",
            _frame(has_tangents) + "    pelt_skin_vertex(VERTEX, NORMAL, pelt_t, pelt_b, BONE_INDICES, BONE_WEIGHTS, CUSTOM0, CUSTOM1, CUSTOM2);\n" +
            _frame_back(has_tangents))


## The same for instances that play an animation texture.
static func crowd(source: Material, defines: PackedStringArray, has_tangents: bool) -> ShaderMaterial:
    return _made(source, defines, "pelt_instance.gdshaderinc",
            _frame(has_tangents) + "    pelt_play_vertex(VERTEX, NORMAL, pelt_t, pelt_b, BONE_INDICES, BONE_WEIGHTS, CUSTOM1, CUSTOM2, INSTANCE_ID);\n" +
            _frame_back(has_tangents))


# Tangents before and after the call: Godot warns where a shader names those that a mesh does not have.
static func _frame(has_tangents: bool) -> String:
    return "    vec3 pelt_t = %s;\n    vec3 pelt_b = %s;\n" % \
            (["TANGENT", "BINORMAL"] if has_tangents else ["vec3(0.0)", "vec3(0.0)"])


static func _frame_back(has_tangents: bool) -> String:
    return "    TANGENT = pelt_t;\n    BINORMAL = pelt_b;\n" if has_tangents else ""


static func _made(source: Material, defines: PackedStringArray, include: String, call: String) -> ShaderMaterial:
    if source is ShaderMaterial:
        return source.duplicate()
    var material := ShaderMaterial.new()
    var base := source as BaseMaterial3D
    if base == null:
        base = StandardMaterial3D.new()
    var code := "shader_type spatial;\nrender_mode %s;\n" % ", ".join(_render_modes(base))
    for define in defines:
        code += "#define %s\n" % define
    code += "#include \"%s%s\"\n" % [FOLDER, include]
    code += _surface(base, material, call)
    if not _shaders.has(code):
        var shader := Shader.new()
        shader.code = code
        _shaders[code] = shader
    material.shader = _shaders[code]
    material.render_priority = base.render_priority
    material.next_pass = base.next_pass
    return material


static func _render_modes(base: BaseMaterial3D) -> PackedStringArray:
    var modes := PackedStringArray([
        ["cull_back", "cull_front", "cull_disabled"][base.cull_mode],
        ["blend_mix", "blend_add", "blend_sub", "blend_mul", "blend_premul_alpha"][base.blend_mode],
        ["depth_draw_opaque", "depth_draw_always", "depth_draw_never"][base.depth_draw_mode],
        ["diffuse_burley", "diffuse_lambert", "diffuse_lambert_wrap", "diffuse_toon"][base.diffuse_mode],
        ["specular_schlick_ggx", "specular_toon", "specular_disabled"][base.specular_mode],
    ])
    if base.shading_mode == BaseMaterial3D.SHADING_MODE_UNSHADED:
        modes.append("unshaded")
    if base.no_depth_test:
        modes.append("depth_test_disabled")
    if base.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_DEPTH_PRE_PASS:
        modes.append("depth_prepass_alpha")
    return modes


# Uniforms and both functions; the values of uniforms go into the material.
static func _surface(base: BaseMaterial3D, material: ShaderMaterial, call: String) -> String:
    var uniforms := ""
    var body := ""
    var filter: String = ["filter_nearest", "filter_linear", "filter_nearest_mipmap", "filter_linear_mipmap",
            "filter_nearest_mipmap_anisotropic", "filter_linear_mipmap_anisotropic"][base.texture_filter]
    var repeat := "repeat_enable" if base.texture_repeat else "repeat_disable"
    var channel := ["r", "g", "b", "a", "r"] # of TextureChannel; gray is any
    # One line per texture: slot, uniform, hint.
    for slot in [[BaseMaterial3D.TEXTURE_ALBEDO, "albedo", "source_color, "],
            [BaseMaterial3D.TEXTURE_METALLIC, "metallic", ""], [BaseMaterial3D.TEXTURE_ROUGHNESS, "roughness", ""],
            [BaseMaterial3D.TEXTURE_NORMAL, "normal", "hint_normal, "],
            [BaseMaterial3D.TEXTURE_EMISSION, "emission", "source_color, "],
            [BaseMaterial3D.TEXTURE_AMBIENT_OCCLUSION, "occlusion", ""]]:
        var texture := base.get_texture(slot[0])
        if texture != null:
            uniforms += "uniform sampler2D texture_%s : %s%s, %s;\n" % [slot[1], slot[2], filter, repeat]
            material.set_shader_parameter("texture_" + slot[1], texture)
    uniforms += "uniform vec4 albedo : source_color;\nuniform vec4 factors; // metallic, roughness, specular, alpha scissor\n"
    uniforms += "uniform vec3 uv_scale;\nuniform vec3 uv_offset;\n"
    material.set_shader_parameter("albedo", base.albedo_color)
    material.set_shader_parameter("factors", Vector4(base.metallic, base.roughness, base.metallic_specular,
            base.alpha_scissor_threshold))
    material.set_shader_parameter("uv_scale", base.uv1_scale)
    material.set_shader_parameter("uv_offset", base.uv1_offset)
    body += "    vec4 color = albedo;\n"
    if base.albedo_texture != null:
        body += "    color *= texture(texture_albedo, UV);\n"
    if base.vertex_color_use_as_albedo:
        body += "    color *= COLOR;\n"
    body += "    ALBEDO = color.rgb;\n    METALLIC = factors.x;\n    ROUGHNESS = factors.y;\n    SPECULAR = factors.z;\n"
    if base.metallic_texture != null:
        body += "    METALLIC *= texture(texture_metallic, UV).%s;\n" % channel[base.metallic_texture_channel]
    if base.roughness_texture != null:
        body += "    ROUGHNESS *= texture(texture_roughness, UV).%s;\n" % channel[base.roughness_texture_channel]
    if base.normal_enabled and base.normal_texture != null:
        uniforms += "uniform float normal_scale;\n"
        material.set_shader_parameter("normal_scale", base.normal_scale)
        body += "    NORMAL_MAP = texture(texture_normal, UV).rgb;\n    NORMAL_MAP_DEPTH = normal_scale;\n"
    if base.emission_enabled:
        uniforms += "uniform vec4 emission : source_color;\nuniform float emission_energy;\n"
        material.set_shader_parameter("emission", base.emission)
        material.set_shader_parameter("emission_energy", base.emission_energy_multiplier)
        var emission := "emission.rgb"
        if base.emission_texture != null:
            var operator := "+" if base.emission_operator == BaseMaterial3D.EMISSION_OP_ADD else "*"
            emission = "(emission.rgb %s texture(texture_emission, UV).rgb)" % operator
        body += "    EMISSION = emission_energy * %s;\n" % emission
    if base.ao_enabled and base.ao_texture != null:
        uniforms += "uniform float ao_light_affect;\n"
        material.set_shader_parameter("ao_light_affect", base.ao_light_affect)
        body += "    AO = texture(texture_occlusion, UV).%s;\n    AO_LIGHT_AFFECT = ao_light_affect;\n" % channel[base.ao_texture_channel]
    match base.transparency:
        BaseMaterial3D.TRANSPARENCY_ALPHA, BaseMaterial3D.TRANSPARENCY_ALPHA_DEPTH_PRE_PASS:
            body += "    ALPHA = color.a;\n"
        BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
            body += "    ALPHA = color.a;\n    ALPHA_SCISSOR_THRESHOLD = factors.w;\n"
        BaseMaterial3D.TRANSPARENCY_ALPHA_HASH:
            body += "    ALPHA = color.a;\n    ALPHA_HASH_SCALE = 1.0;\n"
    return "%s\nvoid vertex()\n{\n%s    UV = UV * uv_scale.xy + uv_offset.xy;\n}\n\nvoid fragment()\n{\n%s}\n" % [
            uniforms, call, body]
