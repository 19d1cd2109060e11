// SPDX-License-Identifier: MIT
// Writes the prepared data of the meshes of a scene as additions to the file that it was read from.
#include "gltf_additions.h"

#include "../readers.h"
#include "pelt/bounds.h"
#include "pelt/prepare.h"

#include <inttypes.h>
#include <string.h>

// The additions of a mesh besides the attributes of normal factors.
enum
{
    OTHERS =
        5 + PELTI_CARRIER_SETS // centers, mix factors, boxes, carrier, and what removes factors
};

static void remove_attribute(pelt_addition* out, uint32_t mesh, const char* name,
                             const char* extras)
{
    *out = (pelt_addition){.mesh = mesh, .name = name, .extras = extras};
}

static void set_floats(pelt_addition* out, uint32_t index, const pelt_mesh* mesh, const char* name,
                       uint32_t width, const float* values)
{
    *out = (pelt_addition){.mesh = index,
                           .vertex_count = mesh->vertex_count,
                           .name = name,
                           .width = width,
                           .values = values};
}

static pelt_result set_digest(pelt_addition* inout, const char* owner, const pelt_mesh* mesh,
                              pelt_arena* arena)
{
    uint64_t digest;
    if (pelt_cor_digest(&digest, mesh) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    inout->extras =
        pelt_arena_format(arena, "{\"%s\": {\"version\": \"%s\", \"digest\": \"%016" PRIx64 "\"}}",
                          owner, PELT_VERSION_STRING, digest);
    return inout->extras != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Carriers

static uint32_t count_own_sets(const pelt_mesh* mesh)
{
    uint32_t count = 0;
    for (uint32_t set = 0; set < PELT_MAX_UV_SETS; ++set)
    {
        count = pelt_mesh_uvs(mesh, set) != NULL ? set + 1 : count;
    }
    return count;
}

bool pelti_carrier_is_texcoord(const pelt_mesh* mesh)
{
    return mesh->carrier == PELT_CARRIER_TEXCOORD && count_own_sets(mesh) <= 2 &&
           (mesh->cors != NULL || mesh->mix_factors != NULL);
}

pelt_result pelti_carrier_uvs(const float** out, const pelt_mesh* mesh, uint32_t set,
                              pelt_arena* arena)
{
    *out = NULL;
    if (set < count_own_sets(mesh))
    {
        return PELT_OK;
    }
    float* uvs = pelt_arena_alloc(arena, mesh->vertex_count, 2 * sizeof *uvs);
    for (uint32_t v = 0; uvs != NULL && v < mesh->vertex_count; ++v)
    {
        const pelt_vec3 zero = {0.0f, 0.0f, 0.0f};
        pelt_vec3 cor = mesh->cors != NULL ? mesh->cors[v] : zero;
        float mix = mesh->mix_factors != NULL ? mesh->mix_factors[v] : 0.0f;
        pelt_vec2 own = mesh->uvs != NULL ? mesh->uvs[v] : (pelt_vec2){0.0f, 0.0f};
        uvs[2 * (size_t)v] = set == 2 ? cor.x : set == 3 ? cor.z : own.x;
        uvs[2 * (size_t)v + 1] = set == 2 ? cor.y : set == 3 ? mix : own.y;
    }
    *out = uvs;
    return uvs != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

const char* pelti_carrier_extras(const pelt_mesh* mesh, pelt_arena* arena)
{
    return pelt_arena_format(arena,
                             "{\"pelt_carrier\": {\"texcoord\": %u, \"centers\": %s, \"mix\": %s}}",
                             count_own_sets(mesh), mesh->cors != NULL ? "true" : "false",
                             mesh->mix_factors != NULL ? "true" : "false");
}

static pelt_result set_carrier(pelt_addition* out, uint32_t* count, uint32_t index,
                               const pelt_mesh* mesh, pelt_arena* arena)
{
    static const char* const names[PELTI_CARRIER_SETS] = {"TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2",
                                                          "TEXCOORD_3"};
    bool is_texcoord = pelti_carrier_is_texcoord(mesh);
    const char* extras =
        is_texcoord ? pelti_carrier_extras(mesh, arena) : "{\"pelt_carrier\": null}";
    out[(*count)++] = (pelt_addition){.mesh = index, .extras = extras};
    for (uint32_t set = count_own_sets(mesh); set < PELTI_CARRIER_SETS; ++set)
    {
        const float* uvs = NULL;
        if (is_texcoord && pelti_carrier_uvs(&uvs, mesh, set, arena) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
        set_floats(&out[(*count)++], index, mesh, names[set], 2, uvs);
    }
    return extras != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------

static pelt_result set_cors(pelt_addition* out, uint32_t index, const pelt_mesh* mesh,
                            pelt_arena* arena)
{
    if (mesh->cors == NULL)
    {
        remove_attribute(out, index, "_PELT_COR", "{\"pelt_cor\": null}");
        return PELT_OK;
    }
    const float* values = pelti_carrier_is_texcoord(mesh) ? NULL : &mesh->cors->x;
    set_floats(out, index, mesh, "_PELT_COR", 3, values);
    return set_digest(out, "pelt_cor", mesh, arena);
}

static json_t* describe_box(const pelt_bounds* box)
{
    return json_pack("[f, f, f, f, f, f]", (double)box->min.x, (double)box->min.y,
                     (double)box->min.z, (double)box->max.x, (double)box->max.y,
                     (double)box->max.z);
}

json_t* pelti_bounds_describe(const pelt_mesh* mesh)
{
    const pelt_mesh_bounds* bounds = mesh->bounds;
    char text[17];
    uint64_t digest;
    json_t *clips = json_array(), *joints = json_array();
    bool is_ok = pelt_cor_digest(&digest, mesh) == PELT_OK;
    for (uint32_t i = 0; i < bounds->clip_count && is_ok; ++i)
    {
        const pelt_clip_box* clip = &bounds->clips[i];
        const char* name = clip->clip != NULL ? clip->clip : "";
        json_t* entry = json_pack("{s:o, s:o}", "name", pelti_gltf_string(name, strlen(name)),
                                  "box", describe_box(&clip->box));
        is_ok = json_array_append_new(clips, entry) == 0;
    }
    for (uint32_t i = 0; i < bounds->joint_count && is_ok; ++i)
    {
        const pelt_bounds* box = &bounds->joints[i];
        json_t* entry = box->min.x <= box->max.x ? describe_box(box) : json_null();
        is_ok = json_array_append_new(joints, entry) == 0;
    }
    if (!is_ok)
    {
        json_decref(clips);
        json_decref(joints);
        return NULL;
    }
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    return json_pack("{s:{s:s, s:s, s:s, s:o, s:o, s:o}}", "pelt_bounds", "version",
                     PELT_VERSION_STRING, "digest", text, "method",
                     pelt_method_name(bounds->method), "box", describe_box(&bounds->box), "clips",
                     clips, "joints", joints);
}

static pelt_result set_bounds(pelt_addition* out, uint32_t index, const pelt_mesh* mesh,
                              pelt_arena* arena)
{
    json_t* json = pelti_bounds_describe(mesh);
    char* text = json != NULL ? pelti_gltf_text(json, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    *out = (pelt_addition){.mesh = index,
                           .vertex_count = mesh->vertex_count,
                           .extras = text != NULL ? pelt_arena_string(arena, text) : NULL};
    json_decref(json);
    pelt_release(text);
    return out->extras != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// Painted factors have no digest: they fit any mesh.
static pelt_result set_mix(pelt_addition* out, uint32_t index, const pelt_mesh* mesh,
                           pelt_arena* arena)
{
    const float* values = pelti_carrier_is_texcoord(mesh) ? NULL : mesh->mix_factors;
    set_floats(out, index, mesh, "_PELT_MIX", 1, values);
    out->extras = "{\"pelt_mix\": null}";
    return mesh->is_mix_computed ? set_digest(out, "pelt_mix", mesh, arena) : PELT_OK;
}

static bool is_stale_in(const pelt_scene* scene, uint32_t index, pelt_repair_kind kind)
{
    uint32_t i = 0;
    while (i < scene->repair_count &&
           !(scene->repairs[i].kind == kind && scene->repairs[i].mesh == index))
    {
        ++i;
    }
    return i < scene->repair_count;
}

// @param out  its list is new in the arena
static pelt_result list_mesh(pelt_addition** out, uint32_t* count, uint32_t index,
                             const pelt_scene* scene, pelt_arena* arena)
{
    const pelt_mesh* mesh = &scene->meshes[index];
    pelt_addition* factors = NULL;
    uint32_t factor_count = 0, total = 0;
    if (mesh->normal_factors != NULL &&
        pelt_normal_additions(&factors, &factor_count, index, mesh, 0, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_addition* list = pelt_arena_alloc(arena, (size_t)factor_count + OTHERS, sizeof *list);
    if (list == NULL || set_cors(&list[total++], index, mesh, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    if (mesh->mix_factors != NULL && set_mix(&list[total++], index, mesh, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    // Others stay in the file, because they may be painted.
    if (mesh->mix_factors == NULL && is_stale_in(scene, index, PELT_REPAIR_MIX_DROPPED))
    {
        remove_attribute(&list[total++], index, "_PELT_MIX", "{\"pelt_mix\": null}");
    }
    if (set_carrier(list, &total, index, mesh, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    if (mesh->bounds != NULL && set_bounds(&list[total++], index, mesh, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    if (mesh->bounds == NULL)
    {
        remove_attribute(&list[total++], index, NULL, "{\"pelt_bounds\": null}");
    }
    if (factors == NULL)
    {
        remove_attribute(&list[total++], index, "_PELT_NORMAL_*", "{\"pelt_normals\": null}");
    }
    for (uint32_t i = 0; i < factor_count; ++i)
    {
        list[total++] = factors[i];
    }
    *out = list;
    *count = total;
    return PELT_OK;
}

static bool is_stale(const pelt_repair* repair)
{
    return repair->kind == PELT_REPAIR_CORS_DROPPED || repair->kind == PELT_REPAIR_MIX_DROPPED ||
           repair->kind == PELT_REPAIR_NORMALS_DROPPED ||
           repair->kind == PELT_REPAIR_BOUNDS_DROPPED;
}

// Whether the prepared data of a mesh differ from those of the file.
static bool is_prepared(const pelt_mesh* read, const pelt_mesh* mesh)
{
    return mesh->cors != read->cors || mesh->mix_factors != read->mix_factors ||
           mesh->normal_factors != read->normal_factors ||
           mesh->is_mix_computed != read->is_mix_computed || mesh->bounds != read->bounds ||
           mesh->carrier != read->carrier;
}

// Meshes whose prepared data are to be written. NULL: out of memory
static const bool* find_prepared(const pelt_scene* scene, const pelt_scene* read, pelt_arena* arena)
{
    bool* out = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out);
    for (uint32_t i = 0; i < scene->mesh_count && out != NULL; ++i)
    {
        out[i] = is_prepared(&read->meshes[i], &scene->meshes[i]);
    }
    for (uint32_t i = 0; i < read->repair_count && out != NULL; ++i)
    {
        const pelt_repair* repair = &read->repairs[i];
        bool has_mesh = repair->mesh < scene->mesh_count;
        // Factors that were clamped are another repair.
        bool is_clamped = has_mesh && repair->kind == PELT_REPAIR_OTHER &&
                          scene->meshes[repair->mesh].mix_factors != NULL;
        if (has_mesh && (is_stale(repair) || is_clamped))
        {
            out[repair->mesh] = true;
        }
    }
    return out;
}

// @param read  NULL: all meshes; else those that were prepared otherwise
static pelt_result list_additions(pelt_addition** out, uint32_t* count, const pelt_scene* scene,
                                  const pelt_scene* read, pelt_arena* arena)
{
    const bool* is_listed = read != NULL ? find_prepared(scene, read, arena) : NULL;
    *out = NULL;
    *count = 0;
    pelt_addition** lists = pelt_arena_alloc(arena, scene->mesh_count, sizeof *lists);
    uint32_t* counts = pelt_arena_alloc(arena, scene->mesh_count, sizeof *counts);
    if (lists == NULL || counts == NULL || (read != NULL && is_listed == NULL))
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t total = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if ((read == NULL || is_listed[i]) &&
            list_mesh(&lists[i], &counts[i], i, scene, arena) != PELT_OK)
        {
            return PELT_ERROR_MEMORY;
        }
        total += counts[i];
    }
    pelt_addition* all = pelt_arena_alloc(arena, total, sizeof *all);
    if (all == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (counts[i] > 0)
        {
            memcpy(all + *count, lists[i], counts[i] * sizeof *all);
        }
        *count += counts[i];
    }
    *out = all;
    return PELT_OK;
}

pelt_result pelt_scene_additions(pelt_addition** out, uint32_t* count, const pelt_scene* scene,
                                 pelt_arena* arena)
{
    PELT_ASSERT(out != NULL && count != NULL && scene != NULL && arena != NULL);
    return list_additions(out, count, scene, NULL, arena);
}

static pelt_result check_format(const pelt_source* source, const pelt_scene* scene,
                                pelt_error* error)
{
    return scene->format == PELT_FORMAT_GLB || scene->format == PELT_FORMAT_GLTF
               ? PELT_OK
               : pelt_error_set(
                     error, PELT_ERROR_UNSUPPORTED,
                     "%s: data can be added only to glTF files; save the whole scene instead",
                     pelti_source_named(source).path);
}

pelt_result pelt_save_enhanced(const char* path, const pelt_source* source, const pelt_scene* scene,
                               pelt_error* error)
{
    PELT_ASSERT(path != NULL && source != NULL && scene != NULL);
    if (check_format(source, scene, error) != PELT_OK)
    {
        return PELT_ERROR_UNSUPPORTED;
    }
    pelt_addition* additions = NULL;
    uint32_t count = 0;
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = arena != NULL && pelt_scene_additions(&additions, &count, scene, arena) == PELT_OK;
    pelt_result result = is_ok ? pelt_save_source_additions(path, source, additions, count, error)
                               : pelt_error_memory(error);
    pelt_arena_destroy(arena);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Copies of a file whose scene has changed

static pelt_result apply(pelti_gltf_copy* copy, const void* user)
{
    return pelti_gltf_apply_changes(copy, user);
}

// Whether the output is the source, byte for byte.
static pelt_result is_same_file(bool* out, const char* path, pelt_format format,
                                const pelti_gltf_source* source, pelt_error* error)
{
    bool is_same_folder = false;
    *out = source->is_glb == (format == PELT_FORMAT_GLB);
    if (!*out || !pelti_gltf_source_has_files(source))
    {
        return PELT_OK;
    }
    if (source->file->files == NULL && format == PELT_FORMAT_GLTF &&
        pelti_path_is_same_folder(&is_same_folder, path, source->path) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    *out = is_same_folder;
    return PELT_OK;
}

static pelt_result save_copy(const char* path, pelt_format format, const pelti_gltf_source* source,
                             const pelti_gltf_change* change, pelt_error* error)
{
    pelt_addition* additions = NULL;
    uint32_t count = 0;
    bool is_same = false, has_changes = pelti_gltf_has_changes(change);
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL && list_additions(&additions, &count, change->scene,
                                                         change->read, arena) == PELT_OK
                             ? PELT_OK
                             : pelt_error_memory(error);
    const pelti_gltf_edits edits = {.additions = additions,
                                    .addition_count = count,
                                    .run = has_changes ? apply : NULL,
                                    .user = change,
                                    .is_self_contained = format == PELT_FORMAT_GLB};
    // The container itself may have been repaired, such as the order of its chunks.
    if (result == PELT_OK && count == 0 && !has_changes && change->read->repair_count == 0)
    {
        result = is_same_file(&is_same, path, format, source, error);
    }
    if (result == PELT_OK)
    {
        result = is_same ? pelt_save_bytes(path, source->file->bytes, source->file->size, error)
                         : pelti_gltf_copy_save(path, format, source, &edits, error);
    }
    pelt_arena_destroy(arena);
    return result;
}

pelt_result pelt_copy_to_glb(pelt_source* out, const pelt_source* source, const pelt_scene* read,
                             const pelt_scene* scene, pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL && read != NULL && scene != NULL);
    PELT_ASSERT(read->mesh_count == scene->mesh_count);
    *out = (pelt_source){0};
    PELT_TRY(check_format(source, read, error));
    const pelt_source named = pelti_source_named(source);
    const pelti_gltf_change change = {read, scene};
    pelti_gltf_source opened;
    PELT_TRY(pelti_gltf_source_open(&opened, &named, error));
    pelt_addition* additions = NULL;
    uint32_t count = 0;
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = arena != NULL && list_additions(&additions, &count, scene, read, arena) == PELT_OK;
    const pelti_gltf_edits edits = {.additions = additions,
                                    .addition_count = count,
                                    .run = pelti_gltf_has_changes(&change) ? apply : NULL,
                                    .user = &change,
                                    .is_self_contained = true};
    pelt_result result =
        is_ok ? pelti_gltf_copy_to_glb(out, &opened, &edits, error) : pelt_error_memory(error);
    pelt_arena_destroy(arena);
    pelti_gltf_source_close(&opened);
    return result;
}

pelt_result pelt_save_copy(const char* path, pelt_format format, const pelt_source* source,
                           const pelt_scene* read, const pelt_scene* scene, pelt_error* error)
{
    PELT_ASSERT(path != NULL && source != NULL && read != NULL && scene != NULL);
    PELT_ASSERT(read->mesh_count == scene->mesh_count);
    PELT_ASSERT(format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF);
    const pelt_source named = pelti_source_named(source);
    const pelti_gltf_change change = {read, scene};
    pelti_gltf_source opened;
    pelt_result result = check_format(source, read, error);
    result = result == PELT_OK ? pelti_gltf_source_open(&opened, &named, error) : result;
    if (result == PELT_OK)
    {
        result = save_copy(path, format, &opened, &change, error);
        pelti_gltf_source_close(&opened);
    }
    return result;
}
