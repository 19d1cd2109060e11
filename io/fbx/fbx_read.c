// SPDX-License-Identifier: MIT
// Read FBX, binary or text, as a scene in meters with Y up.
#include "fbx_read.h"

#include "../load_report.h"

#include <string.h>

typedef enum loss_kind
{
    LOSS_BUMP_TEXTURE,
    LOSS_SURFACE_TEXTURE,
    LOSS_TRANSPARENCY_TEXTURE,
    LOSS_TEXTURE,
    LOSS_UVS,
    LOSS_COLORS,
    LOSS_CAMERA,
    LOSS_LIGHT,
    LOSS_CONSTRAINT,
    LOSS_COUNT
} loss_kind;

// The alpha of the base color texture is kept, even if the file names it as a separate texture.
static void count_textures(pelti_loss* kinds, const pelti_fbx* f, uint32_t index)
{
    static const loss_kind kind_of[] = {
        [PELTI_FBX_ROLE_OTHER] = LOSS_TEXTURE,
        [PELTI_FBX_ROLE_COLOR] = LOSS_TEXTURE,
        [PELTI_FBX_ROLE_ALPHA] = LOSS_TRANSPARENCY_TEXTURE,
        [PELTI_FBX_ROLE_NORMAL] = LOSS_TEXTURE,
        [PELTI_FBX_ROLE_BUMP] = LOSS_BUMP_TEXTURE,
        [PELTI_FBX_ROLE_NORMAL_OR_BUMP] = LOSS_BUMP_TEXTURE,
        [PELTI_FBX_ROLE_ROUGHNESS] = LOSS_SURFACE_TEXTURE,
        [PELTI_FBX_ROLE_METALLIC] = LOSS_SURFACE_TEXTURE,
        [PELTI_FBX_ROLE_OCCLUSION] = LOSS_TEXTURE,
        [PELTI_FBX_ROLE_EMISSIVE] = LOSS_TEXTURE,
    };
    const pelti_fbx_object* material = &f->objects[index];
    bool is_alpha_kept = pelti_fbx_has_alpha_texture(f, material);
    for (uint32_t link = material->first_child; link != PELT_NONE; link = f->links[link].next_child)
    {
        uint32_t texture = f->links[link].child;
        pelti_fbx_role role = pelti_fbx_role_of(f, f->links[link].property);
        bool is_texture = f->objects[texture].kind == PELTI_FBX_TEXTURE;
        bool is_kept = role == PELTI_FBX_ROLE_ALPHA ? is_alpha_kept
                       : role == PELTI_FBX_ROLE_OTHER
                           ? false
                           : is_texture && pelti_fbx_keeps_texture(f, index, texture);
        kinds[kind_of[role]].count += is_texture && !is_kept;
    }
}

static uint32_t count_children(const pelti_fbx_node* node, const char* name)
{
    uint32_t count = 0;
    const pelti_fbx_node* child = node != NULL ? node->first_child : NULL;
    for (; child != NULL; child = child->next)
    {
        count += strcmp(child->name, name) == 0;
    }
    return count;
}

// All but the first are dropped.
static uint32_t further(uint32_t count)
{
    return count > 1 ? count - 1 : 0;
}

static void count_object(pelti_loss* kinds, const pelti_fbx* f, uint32_t index)
{
    const pelti_fbx_object* object = &f->objects[index];
    uint32_t uv_sets = 0;
    switch (object->kind)
    {
    case PELTI_FBX_MODEL:
        kinds[LOSS_CAMERA].count += pelti_fbx_is_subtype(object, "Camera");
        kinds[LOSS_LIGHT].count += pelti_fbx_is_subtype(object, "Light");
        break;
    case PELTI_FBX_MATERIAL:
        count_textures(kinds, f, index);
        break;
    case PELTI_FBX_GEOMETRY:
        uv_sets = count_children(object->node, "LayerElementUV");
        kinds[LOSS_UVS].count += uv_sets > PELT_MAX_UV_SETS ? uv_sets - PELT_MAX_UV_SETS : 0;
        kinds[LOSS_COLORS].count += further(count_children(object->node, "LayerElementColor"));
        break;
    default:
        break;
    }
}

static pelt_result fbx_list_losses(pelti_fbx* f)
{
    pelti_loss kinds[LOSS_COUNT] = {
        [LOSS_BUMP_TEXTURE] = {"bump texture", "bump textures", 0},
        [LOSS_SURFACE_TEXTURE] = {"separate metallic or roughness texture",
                                  "separate metallic or roughness textures", 0},
        [LOSS_TRANSPARENCY_TEXTURE] = {"transparency texture", "transparency textures", 0},
        [LOSS_TEXTURE] = {"texture that glTF cannot store", "textures that glTF cannot store", 0},
        [LOSS_UVS] = {"UV set above the eighth", "UV sets above the eighth", 0},
        [LOSS_COLORS] = {"additional set of vertex colors", "additional sets of vertex colors", 0},
        [LOSS_CAMERA] = {"camera", "cameras", 0},
        [LOSS_LIGHT] = {"light", "lights", 0},
        [LOSS_CONSTRAINT] = {"constraint, which is not evaluated",
                             "constraints, which are not evaluated", 0},
    };
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        count_object(kinds, f, i);
    }
    // Constraints are not in f->objects because nothing else reads them.
    kinds[LOSS_CONSTRAINT].count =
        count_children(pelti_fbx_child(&f->file.root, "Objects"), "Constraint");
    return pelti_losses_add(f->scene, f->arena, kinds, LOSS_COUNT) ? PELT_OK
                                                                   : pelt_error_memory(f->error);
}

// =============================================================================================
// Reading

pelt_result pelti_fbx_repair(pelti_fbx* f, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_ok = pelti_repairs_add(&f->repairs, f->arena, format, arguments);
    va_end(arguments);
    return is_ok ? PELT_OK : pelt_error_memory(f->error);
}

static pelt_result finish_repairs(pelti_fbx* f)
{
    return pelti_repairs_write(f->scene, f->arena, &f->repairs) ? PELT_OK
                                                                : pelt_error_memory(f->error);
}

static pelt_result finish_nodes(pelti_fbx* f)
{
    pelt_node* nodes = pelt_arena_alloc(f->arena, f->node_count, sizeof *nodes);
    if (nodes == NULL)
    {
        return pelt_error_memory(f->error);
    }
    if (f->node_count > 0)
    {
        memcpy(nodes, f->nodes, f->node_count * sizeof *nodes);
    }
    f->scene->nodes = nodes;
    f->scene->node_count = f->node_count;
    return PELT_OK;
}

static pelt_result parse(pelti_fbx* f)
{
    return pelti_fbx_parse(&f->file);
}

static pelt_result read_settings(pelti_fbx* f)
{
    pelti_fbx_read_settings(f);
    return PELT_OK;
}

// Each step finds what it refers to. Skins may still add nodes, so nodes are copied last.
static pelt_result read_scene(pelti_fbx* f)
{
    pelt_result (*const parts[])(pelti_fbx*) = {
        parse,
        read_settings,
        pelti_fbx_read_objects,
        pelti_fbx_read_bind_poses,
        pelti_fbx_read_takes,
        pelti_fbx_read_models,
        pelti_fbx_read_materials,
        pelti_fbx_read_meshes,
        pelti_fbx_write_clips,
        fbx_list_losses,
        finish_nodes,
        finish_repairs,
    };
    const char* slash = strrchr(f->file.path, '/');
    f->scene->name = pelt_arena_string(f->arena, slash != NULL ? slash + 1 : f->file.path);
    pelt_result result = f->scene->name != NULL ? PELT_OK : pelt_error_memory(f->error);
    const size_t part_count = sizeof parts / sizeof parts[0];
    for (size_t i = 0; i < part_count && result == PELT_OK; ++i)
    {
        float part = (float)i / (float)part_count;
        result = pelti_load_progress(&f->file.budget, part, f->file.path, f->error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = parts[i](f);
    }
    return result;
}

pelt_result pelti_read_fbx(pelt_scene** out, const pelt_source* source,
                           const pelt_load_options* options, pelt_error* error)
{
    *out = NULL;
    pelti_fbx f = {
        .file = {.data = source->bytes, .size = source->size, .path = source->path, .error = error},
        .max_influences = options != NULL ? options->max_influences : 0,
        .error = error};
    pelti_load_start(&f.file.budget, options, source->size);
    f.file.scratch = pelt_arena_create();
    f.arena = pelt_arena_create();
    f.scene = f.arena != NULL ? pelt_arena_alloc(f.arena, 1, sizeof *f.scene) : NULL;
    pelt_result result;
    if (f.scene != NULL && f.file.scratch != NULL)
    {
        pelt_arena_limit(f.file.scratch, &f.file.budget.memory);
        pelt_arena_limit(f.arena, &f.file.budget.memory);
        f.scene->arena = f.arena;
        result = read_scene(&f);
    }
    else
    {
        result = pelt_error_memory(error);
    }
    pelt_arena_destroy(f.file.scratch);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(f.arena);
        return pelti_load_finish(&f.file.budget, result, source->path, error);
    }
    pelt_arena_limit(f.arena, NULL);
    *out = f.scene;
    return PELT_OK;
}
