// SPDX-License-Identifier: MIT
// Materials for display: those of Maya, 3ds Max and Blender as metallic-roughness, the names of
// their textures, and images that are embedded.
#include "../name_list.h"
#include "fbx_read.h"

#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------------------------
// Colors

static float within(double value, double low, double high)
{
    return (float)fmin(fmax(value, low), high);
}

static bool is_part(double value)
{
    return value > 0.0 && value < 1.0;
}

// FBX states opacity in up to three properties, and exporters differ in which of them they mean:
// Maya writes opaque surfaces with a TransparencyFactor of 1 and a black color, 3ds Max with a
// factor of 0 and a white color. As in Blender and three.js, the first value strictly between 0 and
// 1 is used; without one, the surface is opaque.
static double opacity_of(const pelti_fbx_object* object)
{
    double color[3];
    pelti_fbx_property_vec3(color, object, "TransparentColor", 0.0);
    double mean = (color[0] + color[1] + color[2]) / 3.0;
    double factor = pelti_fbx_property_real(object, "TransparencyFactor", 1.0);
    double opacity = pelti_fbx_property_real(object, "Opacity", 1.0);
    if (is_part(factor))
    {
        return 1.0 - factor * (mean > 0.0 ? fmin(mean, 1.0) : 1.0);
    }
    if (is_part(opacity))
    {
        return opacity;
    }
    return factor >= 1.0 && is_part(mean) ? 1.0 - mean : 1.0;
}

// A property that materials name differently, most specific first: Standard Surface and Stingray
// PBS of Maya, Physical and PBR of 3ds Max, and the classic Lambert and Phong.
typedef struct property_name
{
    const char* name;
    const char* factor; // multiplies it; NULL: none
} property_name;

static const property_name* find_property(const pelti_fbx_object* object,
                                          const property_name* names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (pelti_fbx_property_of(object, names[i].name) != NULL)
        {
            return &names[i];
        }
    }
    return NULL;
}

static void read_color(double out[3], const pelti_fbx_object* object, const property_name* names,
                       size_t count, double otherwise)
{
    const property_name* found = find_property(object, names, count);
    double factor = found != NULL && found->factor != NULL
                        ? pelti_fbx_property_real(object, found->factor, 1.0)
                        : 1.0;
    out[0] = out[1] = out[2] = otherwise;
    if (found != NULL)
    {
        pelti_fbx_property_vec3(out, object, found->name, otherwise);
    }
    for (int k = 0; k < 3; ++k)
    {
        out[k] *= factor;
    }
}

static pelt_vec4 color_of(const pelti_fbx_object* object)
{
    static const property_name names[] = {
        {"Maya|baseColor", "Maya|base"},
        {"Maya|base_color", NULL},
        {"3dsMax|Parameters|base_color", "3dsMax|Parameters|base_weight"},
        {"3dsMax|Parameters|basecolor", NULL},
        {"3dsMax|main|basecolor", NULL},
        {"DiffuseColor", "DiffuseFactor"}};
    double color[3];
    read_color(color, object, names, sizeof names / sizeof names[0], 1.0);
    return (pelt_vec4){within(color[0], 0.0, 1.0), within(color[1], 0.0, 1.0),
                       within(color[2], 0.0, 1.0), within(opacity_of(object), 0.0, 1.0)};
}

// @param has_texture  which then replaces the color that is connected
static pelt_vec3 emission_of(const pelti_fbx_object* object, bool has_texture)
{
    static const property_name names[] = {
        {"Maya|emissionColor", "Maya|emission"},
        {"Maya|emissive", "Maya|emissive_intensity"},
        {"3dsMax|Parameters|emit_color", "3dsMax|Parameters|emission"},
        {"3dsMax|main|emit_color", NULL},
        {"EmissiveColor", "EmissiveFactor"}};
    double color[3];
    read_color(color, object, names, sizeof names / sizeof names[0], 0.0);
    bool is_black = !(color[0] > 0.0 || color[1] > 0.0 || color[2] > 0.0);
    return has_texture && is_black
               ? (pelt_vec3){1.0f, 1.0f, 1.0f}
               : (pelt_vec3){within(color[0], 0.0, 1e6), within(color[1], 0.0, 1e6),
                             within(color[2], 0.0, 1e6)};
}

// A rough dielectric, unless the material says otherwise. The exponent of Phong becomes a roughness
// as in Blender, whose exporter also writes metallic as ReflectionFactor.
static void read_factors(pelt_material* out, const pelti_fbx* f, const pelti_fbx_object* object)
{
    static const property_name metallics[] = {{"Maya|metalness", NULL},
                                              {"Maya|metallic", NULL},
                                              {"3dsMax|Parameters|metalness", NULL},
                                              {"3dsMax|main|metalness", NULL}};
    static const property_name roughnesses[] = {{"Maya|specularRoughness", NULL},
                                                {"Maya|roughness", NULL},
                                                {"3dsMax|Parameters|roughness", NULL},
                                                {"3dsMax|main|roughness", NULL}};
    const property_name* metallic = find_property(object, metallics, 4);
    const property_name* roughness = find_property(object, roughnesses, 4);
    bool is_phong = pelti_fbx_child_is(object->node, "ShadingModel", "phong") ||
                    pelti_fbx_child_is(object->node, "ShadingModel", "Phong");
    double shininess = pelti_fbx_property_real(
        object, "Shininess", pelti_fbx_property_real(object, "ShininessExponent", 4.0));
    double dull = is_phong ? 1.0 - sqrt(fmax(shininess, 0.0)) / 10.0 : 0.8;
    double reflection =
        f->is_blender ? pelti_fbx_property_real(object, "ReflectionFactor", 0.0) : 0.0;
    out->metallic =
        within(metallic != NULL ? pelti_fbx_property_real(object, metallic->name, 0.0) : reflection,
               0.0, 1.0);
    out->roughness = within(
        roughness != NULL ? pelti_fbx_property_real(object, roughness->name, 0.8) : dull, 0.0, 1.0);
}

// ---------------------------------------------------------------------------------------------
// Textures

pelti_fbx_role pelti_fbx_role_of(const pelti_fbx* f, const pelti_fbx_value* property)
{
    static const struct
    {
        const char* name;
        pelti_fbx_role role;
    } roles[] = {
        {"DiffuseColor", PELTI_FBX_ROLE_COLOR},
        {"Maya|baseColor", PELTI_FBX_ROLE_COLOR},
        {"Maya|TEX_color_map", PELTI_FBX_ROLE_COLOR},
        {"3dsMax|Parameters|base_color_map", PELTI_FBX_ROLE_COLOR},
        {"3dsMax|main|base_color_map", PELTI_FBX_ROLE_COLOR},
        {"TransparentColor", PELTI_FBX_ROLE_ALPHA},
        {"TransparencyFactor", PELTI_FBX_ROLE_ALPHA},
        {"Opacity", PELTI_FBX_ROLE_ALPHA},
        {"Maya|opacity", PELTI_FBX_ROLE_ALPHA},
        {"3dsMax|Parameters|cutout_map", PELTI_FBX_ROLE_ALPHA},
        {"3dsMax|main|opacity_map", PELTI_FBX_ROLE_ALPHA},
        {"NormalMap", PELTI_FBX_ROLE_NORMAL},
        {"Maya|TEX_normal_map", PELTI_FBX_ROLE_NORMAL},
        {"3dsMax|main|norm_map", PELTI_FBX_ROLE_NORMAL},
        {"Bump", PELTI_FBX_ROLE_BUMP},
        {"3dsMax|main|bump_map", PELTI_FBX_ROLE_BUMP},
        {"Maya|normalCamera", PELTI_FBX_ROLE_NORMAL_OR_BUMP},
        {"3dsMax|Parameters|bump_map", PELTI_FBX_ROLE_NORMAL_OR_BUMP},
        {"Maya|specularRoughness", PELTI_FBX_ROLE_ROUGHNESS},
        {"Maya|TEX_roughness_map", PELTI_FBX_ROLE_ROUGHNESS},
        {"3dsMax|Parameters|roughness_map", PELTI_FBX_ROLE_ROUGHNESS},
        {"3dsMax|main|roughness_map", PELTI_FBX_ROLE_ROUGHNESS},
        {"Maya|metalness", PELTI_FBX_ROLE_METALLIC},
        {"Maya|TEX_metallic_map", PELTI_FBX_ROLE_METALLIC},
        {"3dsMax|Parameters|metalness_map", PELTI_FBX_ROLE_METALLIC},
        {"3dsMax|main|metalness_map", PELTI_FBX_ROLE_METALLIC},
        {"Maya|TEX_ao_map", PELTI_FBX_ROLE_OCCLUSION},
        {"3dsMax|main|ao_map", PELTI_FBX_ROLE_OCCLUSION},
        {"EmissiveColor", PELTI_FBX_ROLE_EMISSIVE},
        {"Maya|emissionColor", PELTI_FBX_ROLE_EMISSIVE},
        {"Maya|TEX_emissive_map", PELTI_FBX_ROLE_EMISSIVE},
        {"3dsMax|Parameters|emit_color_map", PELTI_FBX_ROLE_EMISSIVE},
        {"3dsMax|main|emit_color_map", PELTI_FBX_ROLE_EMISSIVE},
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; ++i)
    {
        if (pelti_fbx_is_word(property, roles[i].name))
        {
            return roles[i].role;
        }
    }
    // What Blender's exporter connects there.
    return !f->is_blender                                     ? PELTI_FBX_ROLE_OTHER
           : pelti_fbx_is_word(property, "ReflectionFactor")  ? PELTI_FBX_ROLE_METALLIC
           : pelti_fbx_is_word(property, "Shininess")         ? PELTI_FBX_ROLE_ROUGHNESS
           : pelti_fbx_is_word(property, "ShininessExponent") ? PELTI_FBX_ROLE_ROUGHNESS
                                                              : PELTI_FBX_ROLE_OTHER;
}

// A layered texture is connected to the textures it consists of: the first represents all.
static uint32_t first_layer(const pelti_fbx* f, uint32_t texture)
{
    uint32_t inner = f->objects[texture].first_child;
    uint32_t layer = pelti_fbx_next_child(f, &inner, PELTI_FBX_TEXTURE);
    return layer != PELT_NONE ? layer : texture;
}

// The texture connected to the first property of that role, or PELT_NONE.
static uint32_t find_texture(const pelti_fbx* f, const pelti_fbx_object* material,
                             pelti_fbx_role role)
{
    for (uint32_t link = material->first_child; link != PELT_NONE; link = f->links[link].next_child)
    {
        const pelti_fbx_link* at = &f->links[link];
        if (f->objects[at->child].kind == PELTI_FBX_TEXTURE &&
            pelti_fbx_role_of(f, at->property) == role)
        {
            return first_layer(f, at->child);
        }
    }
    return PELT_NONE;
}

static const pelti_fbx_value* file_of(const pelti_fbx_object* object)
{
    static const char* const names[] = {"RelativeFilename", "FileName", "Filename"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        const pelti_fbx_value* text = pelti_fbx_text(pelti_fbx_child(object->node, names[i]), 0);
        if (text != NULL && text->data.size > 0)
        {
            return text;
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Embedded images

static int digit_of(uint8_t c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

// Decode base64 from several strings, each padded or cut anywhere. Other characters are skipped.
static size_t decode(uint8_t* out, const pelti_fbx_node* content)
{
    size_t size = 0;
    uint32_t bits = 0, count = 0;
    for (uint32_t i = 0; i < content->value_count; ++i)
    {
        const pelti_fbx_value* piece = pelti_fbx_text(content, i);
        for (size_t k = 0; piece != NULL && k < piece->data.size; ++k)
        {
            int digit = digit_of(piece->data.bytes[k]);
            count = piece->data.bytes[k] == '=' ? 0 : count;
            if (digit < 0)
            {
                continue;
            }
            bits = bits << 6 | (uint32_t)digit;
            if (++count % 4 != 1)
            {
                uint32_t shift = 6 - 2 * ((count - 1) % 4);
                out[size++] = (uint8_t)(bits >> shift);
            }
        }
    }
    return size;
}

static size_t size_of_content(const pelti_fbx_node* content)
{
    size_t size = 0;
    for (uint32_t i = 0; content != NULL && i < content->value_count; ++i)
    {
        const pelti_fbx_value* piece = pelti_fbx_text(content, i);
        size += piece != NULL ? piece->data.size : 0;
    }
    return size;
}

// @param is_read  whether the scene has the image of this name; updated
static pelt_result read_image(pelti_fbx* f, pelt_image* images, bool* is_read, const char* name,
                              uint32_t texture)
{
    uint32_t link = f->objects[texture].first_child;
    uint32_t video = pelti_fbx_next_child(f, &link, PELTI_FBX_VIDEO);
    const pelti_fbx_node* content =
        video != PELT_NONE ? pelti_fbx_child(f->objects[video].node, "Content") : NULL;
    size_t size = size_of_content(content);
    if (size == 0 || *is_read)
    {
        return PELT_OK;
    }
    *is_read = true;
    pelt_result result = pelti_fbx_charge(&f->file, size);
    uint8_t* bytes = result == PELT_OK ? pelt_arena_alloc(f->arena, size, 1) : NULL;
    if (bytes == NULL)
    {
        return result != PELT_OK ? result : pelt_error_memory(f->error);
    }
    if (f->file.is_text)
    {
        size = decode(bytes, content);
    }
    else
    {
        memcpy(bytes, content->values[0].data.bytes, content->values[0].data.size);
        size = content->values[0].data.size;
    }
    images[f->scene->image_count++] = (pelt_image){name, bytes, size};
    return PELT_OK;
}

static pelt_texture_wrap wrap_of(const pelti_fbx_object* texture, const char* property)
{
    return pelti_fbx_property_real(texture, property, 0.0) == 1.0 ? PELT_TEXTURE_CLAMP
                                                                  : PELT_TEXTURE_REPEAT;
}

// The index of a UV set by its name, in the first geometry that has it: exporters name sets the
// same in all geometries.
static uint32_t find_uv_set(const pelti_fbx* f, const pelti_fbx_value* name)
{
    for (uint32_t i = 0; i < f->uv_name_count && name != NULL; ++i)
    {
        const pelti_fbx_value* known = f->uv_names[i].name;
        if (known->data.size == name->data.size &&
            memcmp(known->data.bytes, name->data.bytes, name->data.size) == 0)
        {
            return f->uv_names[i].uv_set;
        }
    }
    return 0;
}

static pelt_result list_uv_names(pelti_fbx* f)
{
    f->uv_names = pelti_fbx_alloc(&f->file, PELTI_FBX_MAX_UV_NAMES, sizeof *f->uv_names);
    if (f->uv_names == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        bool is_geometry = f->objects[i].kind == PELTI_FBX_GEOMETRY;
        const pelti_fbx_node* child = is_geometry ? f->objects[i].node->first_child : NULL;
        uint32_t uv_set = 0;
        for (; child != NULL && f->uv_name_count < PELTI_FBX_MAX_UV_NAMES; child = child->next)
        {
            if (strcmp(child->name, "LayerElementUV") != 0)
            {
                continue;
            }
            const pelti_fbx_value* name = pelti_fbx_text(pelti_fbx_child(child, "Name"), 0);
            if (name != NULL && uv_set > 0 && uv_set < PELT_MAX_UV_SETS &&
                find_uv_set(f, name) == 0)
            {
                f->uv_names[f->uv_name_count++] = (pelti_fbx_uv_name){name, uv_set};
            }
            ++uv_set;
        }
    }
    return PELT_OK;
}

// V of FBX goes up, and that of pelt down, which changes the offset.
static void read_mapping(pelt_texture* out, const pelti_fbx* f, const pelti_fbx_object* texture)
{
    double offset[3], scale[3];
    pelti_fbx_property_vec3(offset, texture, "Translation", 0.0);
    pelti_fbx_property_vec3(scale, texture, "Scaling", 1.0);
    out->uv_set = find_uv_set(f, pelti_fbx_property_text(texture, "UVSet"));
    out->sampler = (pelt_sampler){.wrap_u = wrap_of(texture, "WrapModeU"),
                                  .wrap_v = wrap_of(texture, "WrapModeV")};
    out->is_transformed =
        offset[0] != 0.0 || offset[1] != 0.0 || scale[0] != 1.0 || scale[1] != 1.0;
    if (out->is_transformed)
    {
        out->scale = (pelt_vec2){within(scale[0], -1e6, 1e6), within(scale[1], -1e6, 1e6)};
        out->offset = (pelt_vec2){within(offset[0], -1e6, 1e6),
                                  within(1.0 - scale[1] - offset[1], -1e6, 1e6)};
    }
}

static pelt_result read_texture(pelti_fbx* f, pelt_texture* out, uint32_t texture)
{
    const pelti_fbx_value* file = texture != PELT_NONE ? file_of(&f->objects[texture]) : NULL;
    if (file == NULL)
    {
        return PELT_OK;
    }
    char* text = pelti_fbx_string(&f->file, file);
    out->image = text != NULL ? pelt_arena_string(f->arena, text) : NULL;
    if (out->image == NULL)
    {
        return pelt_error_memory(f->error);
    }
    read_mapping(out, f, &f->objects[texture]);
    return PELT_OK;
}

static bool is_same_file(const pelti_fbx* f, uint32_t left, uint32_t right)
{
    const pelti_fbx_value* a = left != PELT_NONE ? file_of(&f->objects[left]) : NULL;
    const pelti_fbx_value* b = right != PELT_NONE ? file_of(&f->objects[right]) : NULL;
    return a != NULL && b != NULL && a->data.size == b->data.size &&
           memcmp(a->data.bytes, b->data.bytes, a->data.size) == 0;
}

bool pelti_fbx_has_alpha_texture(const pelti_fbx* f, const pelti_fbx_object* material)
{
    return is_same_file(f, find_texture(f, material, PELTI_FBX_ROLE_COLOR),
                        find_texture(f, material, PELTI_FBX_ROLE_ALPHA));
}

// ---------------------------------------------------------------------------------------------
// Slots

// Whether the name of a texture's file has one of these words, in any case.
static bool has_word(const pelti_fbx* f, uint32_t texture, const char* const* words, size_t count)
{
    const pelti_fbx_value* file = texture != PELT_NONE ? file_of(&f->objects[texture]) : NULL;
    for (size_t k = 0; k < count && file != NULL; ++k)
    {
        size_t length = strlen(words[k]);
        for (size_t i = 0; i + length <= file->data.size; ++i)
        {
            if (strncasecmp((const char*)file->data.bytes + i, words[k], length) == 0)
            {
                return true;
            }
        }
    }
    return false;
}

// Exporters connect normal maps to the property of bumps and the reverse; where the property does
// not tell, the name of the file does.
static uint32_t find_normal_map(const pelti_fbx* f, const pelti_fbx_object* material)
{
    static const char* const normals[] = {"normal", "nrm", "_nor"};
    static const char* const bumps[] = {"bump", "height", "disp"};
    uint32_t normal = find_texture(f, material, PELTI_FBX_ROLE_NORMAL);
    uint32_t either = find_texture(f, material, PELTI_FBX_ROLE_NORMAL_OR_BUMP);
    uint32_t bump = find_texture(f, material, PELTI_FBX_ROLE_BUMP);
    return normal != PELT_NONE                                     ? normal
           : either != PELT_NONE && !has_word(f, either, bumps, 3) ? either
           : bump != PELT_NONE && has_word(f, bump, normals, 3)    ? bump
                                                                   : PELT_NONE;
}

// glTF reads roughness from green and metallic from blue of one image: the same file for both, or a
// roughness alone where nothing is metallic. Two files would have to be combined.
static uint32_t find_surface_map(const pelti_fbx* f, const pelti_fbx_object* material,
                                 float metallic)
{
    uint32_t rough = find_texture(f, material, PELTI_FBX_ROLE_ROUGHNESS);
    uint32_t metal = find_texture(f, material, PELTI_FBX_ROLE_METALLIC);
    return is_same_file(f, rough, metal) || (metal == PELT_NONE && metallic == 0.0f) ? rough
                                                                                     : PELT_NONE;
}

static pelt_result read_material(pelti_fbx* f, pelt_material* out, uint32_t* textures,
                                 const pelti_fbx_object* object)
{
    *out = (pelt_material){.name = pelt_arena_string(f->arena, object->name),
                           .base_color = color_of(object),
                           .normal_scale = 1.0f,
                           .occlusion_strength = 1.0f};
    if (out->name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    read_factors(out, f, object);
    textures[PELT_SLOT_BASE_COLOR] = find_texture(f, object, PELTI_FBX_ROLE_COLOR);
    textures[PELT_SLOT_METALLIC_ROUGHNESS] = find_surface_map(f, object, out->metallic);
    textures[PELT_SLOT_NORMAL] = find_normal_map(f, object);
    textures[PELT_SLOT_OCCLUSION] = find_texture(f, object, PELTI_FBX_ROLE_OCCLUSION);
    textures[PELT_SLOT_EMISSIVE] = find_texture(f, object, PELTI_FBX_ROLE_EMISSIVE);
    for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
    {
        PELT_TRY(read_texture(f, &out->textures[slot], textures[slot]));
    }
    // What is connected replaces the factor.
    if (out->textures[PELT_SLOT_METALLIC_ROUGHNESS].image != NULL)
    {
        bool has_metallic = find_texture(f, object, PELTI_FBX_ROLE_METALLIC) != PELT_NONE;
        out->roughness = 1.0f;
        out->metallic = has_metallic ? 1.0f : 0.0f;
    }
    out->emissive = emission_of(object, out->textures[PELT_SLOT_EMISSIVE].image != NULL);
    bool is_blended = out->base_color.w < 1.0f || pelti_fbx_has_alpha_texture(f, object);
    out->alpha_mode = is_blended ? PELT_ALPHA_BLEND : PELT_ALPHA_OPAQUE;
    return PELT_OK;
}

// Embedded images. If several have the same name, the first that is not empty is read.
static pelt_result read_images(pelti_fbx* f)
{
    size_t count = (size_t)f->scene->material_count * PELT_SLOT_COUNT;
    const char** named = pelti_fbx_alloc(&f->file, count, sizeof *named);
    pelt_image* images = pelt_arena_alloc(f->arena, count, sizeof *images);
    bool* is_read = pelti_fbx_alloc(&f->file, count, sizeof *is_read);
    if (named == NULL || images == NULL || is_read == NULL)
    {
        return pelt_error_memory(f->error);
    }
    for (size_t i = 0; i < count; ++i)
    {
        named[i] = f->scene->materials[i / PELT_SLOT_COUNT].textures[i % PELT_SLOT_COUNT].image;
    }
    pelti_name_list names = {0};
    if (pelti_name_list_create(&names, named, sizeof *named, (uint32_t)count) != PELT_OK)
    {
        return pelt_error_memory(f->error);
    }
    f->scene->images = images;
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < count && result == PELT_OK; ++i)
    {
        if (named[i] != NULL)
        {
            result = read_image(f, images, &is_read[pelti_name_list_find(&names, named[i])],
                                named[i], f->texture_of_slot[i]);
        }
    }
    pelti_name_list_destroy(&names);
    return result;
}

bool pelti_fbx_keeps_texture(const pelti_fbx* f, uint32_t material, uint32_t texture)
{
    const uint32_t* kept =
        f->texture_of_slot + (size_t)f->material_of_object[material] * PELT_SLOT_COUNT;
    uint32_t layer = first_layer(f, texture);
    bool is_kept = false;
    for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
    {
        // The same file for roughness and metallic is one texture.
        is_kept = is_kept || (kept[slot] != PELT_NONE &&
                              (kept[slot] == layer || (slot == PELT_SLOT_METALLIC_ROUGHNESS &&
                                                       is_same_file(f, kept[slot], layer))));
    }
    return is_kept;
}

pelt_result pelti_fbx_read_materials(pelti_fbx* f)
{
    uint32_t count = 0;
    f->material_of_object = pelti_fbx_alloc(&f->file, f->object_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < f->object_count && f->material_of_object != NULL; ++i)
    {
        bool is_material = f->objects[i].kind == PELTI_FBX_MATERIAL;
        f->material_of_object[i] = is_material ? count++ : PELT_NONE;
    }
    pelt_material* materials = pelt_arena_alloc(f->arena, count, sizeof *materials);
    size_t slot_count = (size_t)count * PELT_SLOT_COUNT;
    f->texture_of_slot = pelti_fbx_alloc(&f->file, slot_count, sizeof *f->texture_of_slot);
    if (f->material_of_object == NULL || materials == NULL || f->texture_of_slot == NULL)
    {
        return pelt_error_memory(f->error);
    }
    PELT_TRY(list_uv_names(f));
    f->scene->materials = materials;
    f->scene->material_count = count;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        if (f->material_of_object[i] != PELT_NONE)
        {
            uint32_t material = f->material_of_object[i];
            uint32_t* textures = f->texture_of_slot + (size_t)material * PELT_SLOT_COUNT;
            PELT_TRY(read_material(f, &materials[material], textures, &f->objects[i]));
        }
    }
    return read_images(f);
}
