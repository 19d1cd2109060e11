// SPDX-License-Identifier: MIT
// Characters for JavaScript: a file in memory, its scene, a pose, and the deformed surfaces.
#include "memory_files.h"
#include "web.h"

#include "../../include/pelt/bake.h"
#include "../../include/pelt/ddm.h"
#include "../../include/pelt/io.h"
#include "../../include/pelt/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "character.h"

// ---------------------------------------------------------------------------------------------
// Load

static bool open_file(const void** bytes, size_t* size, const char* name, void* user)
{
    const web_character* character = user;
    for (uint32_t i = 0; i < character->file_count; ++i)
    {
        if (strcmp(character->files[i].name, name) == 0)
        {
            *bytes = character->files[i].bytes;
            *size = character->files[i].size;
            return true;
        }
    }
    return false;
}

// They depend on centers and mix factors.
static void drop_bounds(web_character* inout)
{
    for (uint32_t i = 0; inout->bounds != NULL && i < inout->scene.mesh_count; ++i)
    {
        pelt_skin_bounds_destroy(inout->bounds[i]);
    }
    pelt_release(inout->bounds);
    inout->bounds = NULL;
}

void WEB_EXPORT(web_character_destroy)(web_character* character)
{
    if (character == NULL)
    {
        return;
    }
    drop_bounds(character);
    pelt_frame_destroy(&character->frame);
    pelt_cursor_destroy(&character->cursor);
    pelt_pose_destroy(&character->pose);
    pelt_baked_destroy(character->baked);
    if (character->arena != NULL)
    {
        pelt_arena_destroy(character->arena);
    }
    pelt_scene_destroy(character->read);
    for (uint32_t i = 0; i < character->file_count; ++i)
    {
        pelt_release(character->files[i].name);
        pelt_release(character->files[i].bytes);
    }
    pelt_release(character->files);
    pelt_release((void*)character->source.path);
    pelt_release((void*)character->source.bytes);
    pelt_release(character);
}

// Frames refer to arrays of the scene.
static pelt_result make_frame(web_character* inout)
{
    drop_bounds(inout);
    pelt_frame_destroy(&inout->frame);
    inout->frame = (pelt_frame){0};
    if (pelt_frame_create(&inout->frame, &inout->scene) != PELT_OK ||
        pelt_frame_prepare(&inout->frame, &inout->scene) != PELT_OK)
    {
        return pelt_error_memory(&web_error);
    }
    return PELT_OK;
}

static pelt_result make_pose(web_character* inout)
{
    if (pelt_pose_create(&inout->pose, &inout->scene) != PELT_OK ||
        pelt_cursor_create(&inout->cursor, &inout->scene) != PELT_OK)
    {
        return pelt_error_memory(&web_error);
    }
    return PELT_OK;
}

/// Load a character.
/// @param name            of the file, for messages and its extension; becomes the character's, as
///                        bytes and files do
/// @param files           that the file refers to, by name
/// @param max_influences  0: all
/// @param is_checked      see pelt_load_options
/// @return NULL: see web_message()
web_character* WEB_EXPORT(web_character_load)(char* name, void* bytes, size_t size, web_file* files,
                                              uint32_t file_count, uint32_t max_influences,
                                              uint32_t is_checked)
{
    web_character* out = pelt_allocate(1, sizeof *out);
    if (out == NULL)
    {
        pelt_error_memory(&web_error);
        return NULL;
    }
    *out = (web_character){.files = files, .file_count = file_count};
    out->lookup = (pelt_files){.open = open_file, .user = out};
    out->source = (pelt_source){.path = name, .bytes = bytes, .size = size, .files = &out->lookup};
    const pelt_load_options options = {.max_influences = max_influences,
                                       .is_checked = is_checked != 0,
                                       .isolation = PELT_ISOLATION_NONE};
    pelt_result result = pelt_load_memory(&out->read, &out->source, &options, &web_error);
    if (result == PELT_OK)
    {
        out->scene = *out->read;
        out->arena = pelt_arena_create();
        result = out->arena != NULL ? make_pose(out) : pelt_error_memory(&web_error);
    }
    result = result == PELT_OK ? make_frame(out) : result;
    if (result != PELT_OK)
    {
        web_character_destroy(out);
        return NULL;
    }
    return out;
}

/// Add the clips of another character with the same skeleton.
uint32_t WEB_EXPORT(web_character_add_clips)(web_character* inout, const web_character* from,
                                             const char* label)
{
    const pelt_add_clips_options options = {.label = label};
    if (pelt_scene_add_clips(&inout->scene, NULL, from->read, &options, inout->arena) != PELT_OK)
    {
        return pelt_error_memory(&web_error);
    }
    pelt_cursor_destroy(&inout->cursor);
    inout->cursor = (pelt_cursor){0};
    return pelt_cursor_create(&inout->cursor, &inout->scene) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(&web_error);
}

// ---------------------------------------------------------------------------------------------
// Prepare

/// Compute what methods need, as `pelt enhance` does.
/// @param what  bits of PELT_SKINNER_CENTERS and the following
/// @param all   whether to compute again what is there
/// @param max_joints, bits  of normal factors, see pelt_scene_normal_options
uint32_t WEB_EXPORT(web_character_prepare)(web_character* inout, uint32_t what, uint32_t all,
                                           uint32_t max_joints, uint32_t bits)
{
    pelt_prepare_scope scope = all != 0 ? PELT_PREPARE_ALL : PELT_PREPARE_MISSING;
    const pelt_scene_normal_options normals = {.max_joints = max_joints, .bits = bits};
    pelt_result result = PELT_OK;
    if (what & WEB_CENTERS)
    {
        const pelt_cor_options centers = {.progress = web_progress};
        result =
            pelt_scene_add_cors(&inout->scene, scope, &centers, NULL, inout->arena, &web_error);
    }
    if (result == PELT_OK && what & WEB_NORMAL_FACTORS)
    {
        result = pelt_scene_add_normal_factors(&inout->scene, scope, &normals, NULL, inout->arena,
                                               &web_error);
    }
    if (result == PELT_OK && what & WEB_MIX_FACTORS)
    {
        result = pelt_scene_add_mix_factors(&inout->scene, NULL, NULL, inout->arena, &web_error);
    }
    if (result == PELT_OK && what & WEB_BOUNDS)
    {
        const pelt_deform_options options = {.method = PELT_METHOD_LBS};
        result = pelt_scene_add_bounds(&inout->scene, &options, NULL, inout->arena, &web_error);
    }
    return result == PELT_OK ? make_frame(inout) : result;
}

// ---------------------------------------------------------------------------------------------
// Pose and deform

/// @param clip     PELT_NONE: the stored pose
/// @param changes  JSON as pelt_overrides_parse() takes it, or NULL
uint32_t WEB_EXPORT(web_character_pose)(web_character* inout, uint32_t clip, float time,
                                        uint32_t loops, const char* changes)
{
    pelt_override* overrides = NULL;
    uint32_t count = 0;
    if (changes != NULL)
    {
        PELT_TRY(pelt_overrides_parse(&overrides, &count, changes, &inout->scene, &web_error));
    }
    if (clip < inout->scene.clip_count)
    {
        pelt_pose_play(&inout->pose, &inout->cursor, &inout->scene, &inout->scene.clips[clip], time,
                       loops != 0 ? PELT_WRAP_LOOP : PELT_WRAP_CLAMP);
    }
    else
    {
        pelt_pose_rest(&inout->pose, &inout->scene);
    }
    pelt_pose_override(&inout->pose, &inout->scene, overrides, count);
    pelt_release(overrides);
    return PELT_OK;
}

// Compute what the method and the rule for normals need and meshes lack.
static pelt_result prepare_missing(web_character* inout, const pelt_deform_options* how)
{
    bool needs_centers = false, needs_factors = how->normal_rule != PELT_NORMAL_STANDARD;
    for (uint32_t i = 0; i < inout->scene.mesh_count; ++i)
    {
        const pelt_mesh* mesh = &inout->scene.meshes[i];
        bool is_skinned = mesh->weights.first != NULL;
        needs_centers |= is_skinned && mesh->cors == NULL;
    }
    needs_centers &= pelt_method_info(how->method)->needs_centers;
    if (pelt_method_info(how->method)->needs_smoothing && !inout->has_smoothing)
    {
        PELT_TRY(pelt_scene_add_ddm(&inout->scene, PELT_PREPARE_MISSING, NULL, NULL, inout->arena,
                                    &web_error));
        PELT_TRY(make_frame(inout));
        inout->has_smoothing = true;
    }
    if (needs_centers || (needs_factors && !inout->has_factors))
    {
        uint32_t what =
            (needs_centers ? WEB_CENTERS : 0) | (needs_factors ? WEB_NORMAL_FACTORS : 0);
        PELT_TRY(web_character_prepare(inout, what, 0, 0, 0));
        inout->has_factors = needs_factors;
    }
    return PELT_OK;
}

/// Deform all instances in the current pose. What the method needs and meshes lack is computed
/// first.
uint32_t WEB_EXPORT(web_character_deform)(web_character* inout, const web_options* options)
{
    const pelt_deform_options how = web_deform_options(options);
    PELT_TRY(prepare_missing(inout, &how));
    pelt_frame_update(&inout->frame, &inout->scene, &inout->pose, &how);
    return pelt_surfaces_validate(inout->frame.surfaces, &inout->scene, &web_error);
}

static pelt_result make_bounds(web_character* inout)
{
    const pelt_scene* scene = &inout->scene;
    inout->bounds = pelt_allocate(scene->mesh_count, sizeof(pelt_skin_bounds*));
    if (inout->bounds == NULL)
    {
        return pelt_error_memory(&web_error);
    }
    memset(inout->bounds, 0, scene->mesh_count * sizeof(pelt_skin_bounds*));
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        bool is_skinned = scene->meshes[i].weights.first != NULL;
        if (is_skinned && pelt_skin_bounds_create(&inout->bounds[i], &scene->meshes[i]) != PELT_OK)
        {
            drop_bounds(inout);
            return pelt_error_memory(&web_error);
        }
    }
    return PELT_OK;
}

/// A box that contains the skinned meshes in the pose, without deforming them.
/// @param out  least and largest x, y and z
uint32_t WEB_EXPORT(web_character_bounds)(float out[6], web_character* inout,
                                          const web_options* options)
{
    const pelt_deform_options how = web_deform_options(options);
    const pelt_scene* scene = &inout->scene;
    if (inout->bounds == NULL)
    {
        PELT_TRY(make_bounds(inout));
    }
    pelt_frame_pose(&inout->frame, scene, &inout->pose, &how);
    pelt_bounds all = pelt_bounds_empty();
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin == PELT_NONE || inout->bounds[instance->mesh] == NULL)
        {
            continue;
        }
        const pelt_bounds box = pelt_skin_bounds_at(
            inout->bounds[instance->mesh], &inout->frame.palettes[instance->skin], &how,
            inout->pose.morph_weights + instance->first_morph_weight);
        pelt_bounds_add(&all, &box.min, 1);
        pelt_bounds_add(&all, &box.max, 1);
    }
    memcpy(out, &all, 6 * sizeof *out);
    return PELT_OK;
}

/// An array of an instance after web_character_deform(): 0 positions, 1 normals, 2 tangents.
/// @return NULL: there is none
const void* WEB_EXPORT(web_character_surface)(const web_character* character, uint32_t instance,
                                              uint32_t which)
{
    const pelt_surface* surface = &character->frame.surfaces[instance];
    const void* const arrays[] = {surface->positions, surface->normals, surface->tangents};
    return arrays[which];
}

/// An array of a mesh: 0 positions, 1 normals, 2 tangents, 3 UVs, 4 colors, 5 indices, 6 centers, 7
/// mix factors. NULL: there is none.
const void* WEB_EXPORT(web_character_mesh)(const web_character* character, uint32_t mesh,
                                           uint32_t which)
{
    const pelt_mesh* m = &character->scene.meshes[mesh];
    const void* const arrays[] = {m->positions, m->normals, m->tangents, m->uvs,
                                  m->colors,    m->indices, m->cors,     m->mix_factors};
    return arrays[which];
}

/// Matrices of the current pose, 12 floats each, row after row, after web_character_deform():
/// model_from_node of all nodes, or of a skin from bind pose to model.
const void* WEB_EXPORT(web_character_matrices)(const web_character* character, uint32_t skin)
{
    return skin < character->scene.skin_count ? character->frame.palettes[skin].matrices
                                              : character->frame.model_from_node;
}

// ---------------------------------------------------------------------------------------------
// Save

/// The bytes of a file that was saved last. @return NULL: there is no such file
void* WEB_EXPORT(web_take_file)(const char* name, uint32_t* size)
{
    void* bytes = NULL;
    size_t count = 0;
    bool is_there = web_file_take(name, &bytes, &count);
    *size = (uint32_t)count;
    return is_there ? bytes : NULL;
}

void WEB_EXPORT(web_free_file)(void* bytes)
{
    free(bytes);
}

static bool is_gltf(const web_character* character)
{
    pelt_format format = character->scene.format;
    return format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
}

/// Write the character with what was prepared: a copy of a glTF file with additions, or the whole
/// scene of another format.
/// @param path  .glb or .gltf, for web_take_file()
uint32_t WEB_EXPORT(web_character_save)(const web_character* in, const char* path)
{
    web_files_clear();
    if (!is_gltf(in))
    {
        return web_character_save_scene(in, path);
    }
    bool has_new_clips = in->scene.clip_count != in->read->clip_count;
    return has_new_clips ? pelt_save_copy(path, pelt_format_of(path), &in->source, in->read,
                                          &in->scene, &web_error)
                         : pelt_save_enhanced(path, &in->source, &in->scene, &web_error);
}

/// Write the surfaces of web_character_deform() as a mesh.
/// @param path  .glb, .gltf, .obj or .ply
uint32_t WEB_EXPORT(web_character_save_surfaces)(const web_character* in, const char* path)
{
    web_files_clear();
    return pelt_save_surfaces(path, pelt_format_of(path), &in->scene, in->frame.surfaces,
                              &web_error);
}

// ---------------------------------------------------------------------------------------------
// Bake

/// Bake clips, and write the bake as files for web_take_file().
/// @param path     name.json; texture and mesh have the same name
/// @param options  as JavaScript writes them
uint32_t WEB_EXPORT(web_character_bake)(web_character* in, const char* path,
                                        const web_bake_options* options)
{
    web_files_clear();
    pelt_baked_destroy(in->baked);
    in->baked = NULL;
    const pelt_bake_options how = {.encoding = (pelt_encoding)options->encoding,
                                   .finds_encoding = options->finds_encoding != 0,
                                   .bits = options->bits,
                                   .has_budget = options->max_error > 0.0f,
                                   .max_error = (double)options->max_error,
                                   .is_relative = true,
                                   .timing = options->rate > 0.0f        ? PELT_BAKE_RATE
                                             : options->max_error > 0.0f ? PELT_BAKE_AUTO
                                                                         : PELT_BAKE_KEYS,
                                   .rate = options->rate,
                                   .clip_count = options->clip_count,
                                   .clips = options->clips,
                                   .socket_count = options->socket_count,
                                   .sockets = options->sockets,
                                   .has_no_morphs = options->has_no_morphs != 0,
                                   .progress = web_progress};
    PELT_TRY(pelt_bake(&in->baked, &in->scene, &how, &web_error));
    const pelt_save_baked_options save = {.format = PELT_TEXTURE_KTX2,
                                          .scene = &in->scene,
                                          .source = is_gltf(in) ? &in->source : NULL};
    return pelt_save_baked(path, in->baked, &save, &web_error);
}

/// The error of the last bake, between keys too. What the method needs and meshes lack is computed
/// first.
/// @param out  largest, root mean square and largest at keys, in meters
uint32_t WEB_EXPORT(web_character_measure_bake)(double out[3], web_character* in,
                                                const web_options* options)
{
    pelt_bake_report report;
    const pelt_measure_options how = {.deform = web_deform_options(options),
                                      .progress = web_progress};
    PELT_TRY(prepare_missing(in, &how.deform));
    PELT_TRY(pelt_baked_measure(&report, in->baked, &in->scene, &how, &web_error));
    out[0] = report.error.max;
    out[1] = report.error.rms;
    out[2] = report.error.max_at_keys;
    pelt_bake_report_destroy(&report);
    return PELT_OK;
}

uint32_t WEB_EXPORT(web_find_encoding)(const char* name)
{
    return pelt_encoding_find(name);
}
