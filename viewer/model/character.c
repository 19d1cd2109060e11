// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "character.h"

#include "pelt/ddm.h"
#include "pelt/io.h"
#include "pelt/metrics.h"
#include "proportions.h"
#include "rigs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double character_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------------------------------------
// Preparing

// The part of centers in the time of both: factors, which report no progress, take longer.
static const float centers_part = 0.1f;

static bool report_solving(float part, void* user)
{
    const character_request* request = user;
    return request->progress == NULL ||
           request->progress(centers_part * part, "solving for centers of rotation", request->user);
}

pelt_result character_prepare(character_data* out, const pelt_scene* scene,
                              const character_request* request, pelt_error* error)
{
    *out = (character_data){.scene = *scene,
                            .arena = pelt_arena_create(),
                            .sigma = request->sigma,
                            .epsilon = request->epsilon};
    if (out->arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_cor_options options = {.sigma = request->sigma,
                                .epsilon = request->epsilon,
                                .progress = report_solving,
                                .user = (void*)(uintptr_t)request};
    // Centers of the file are used, unless another width is requested.
    bool is_usual = request->sigma == 0.1f && request->epsilon == 0.1f;
    double start = character_clock();
    pelt_result result =
        pelt_scene_add_cors(&out->scene, is_usual ? PELT_PREPARE_MISSING : PELT_PREPARE_ALL,
                            &options, NULL, out->arena, error);
    out->solve_ms = character_clock() - start;
    if (result == PELT_OK)
    {
        result =
            pelt_scene_add_ddm(&out->scene, PELT_PREPARE_MISSING, NULL, NULL, out->arena, error);
    }
    out->is_solved = result == PELT_OK;
    if (result == PELT_OK && request->progress != NULL &&
        !request->progress(centers_part, "solving for normal factors", request->user))
    {
        result = PELT_ERROR_CANCELED;
    }
    if (result == PELT_OK)
    {
        result = pelt_scene_add_normal_factors(&out->scene, PELT_PREPARE_MISSING,
                                               &(pelt_scene_normal_options){.max_joints = 8}, NULL,
                                               out->arena, error);
    }
    if (result != PELT_OK)
    {
        character_data_destroy(out);
        return result == PELT_ERROR_CANCELED ? pelt_error_set(error, result, "solving was canceled")
                                             : result;
    }
    return PELT_OK;
}

void character_data_destroy(character_data* in)
{
    pelt_arena_destroy(in->arena);
    *in = (character_data){0};
}

// ---------------------------------------------------------------------------------------------
// The clip to begin with

typedef struct probe
{
    pelt_frame lbs, dqs;
    pelt_pose pose;
} probe;

static float distance_at(probe* inout, const pelt_scene* scene, const pelt_clip* clip, float time)
{
    pelt_pose_sample(&inout->pose, scene, clip, time, PELT_WRAP_CLAMP);
    pelt_frame_update(&inout->lbs, scene, &inout->pose, &(pelt_deform_options){0});
    // A sample of all methods that differ from LBS; CRS would need centers, which come later.
    pelt_frame_update(&inout->dqs, scene, &inout->pose,
                      &(pelt_deform_options){.method = PELT_METHOD_DQS});
    double farthest = 0.0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_difference difference = pelt_positions_compare(
            inout->lbs.surfaces[i].positions, inout->dqs.surfaces[i].positions,
            scene->meshes[scene->instances[i].mesh].vertex_count);
        farthest = fmax(farthest, difference.max);
    }
    return (float)farthest;
}

static void add_frame(outline* inout, const pelt_scene* scene, const pelt_frame* frame,
                      pelt_vec3 shift)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        outline_add(inout, frame->surfaces[i].positions,
                    scene->meshes[scene->instances[i].mesh].vertex_count, shift);
    }
}

// The number of vertices that are deformed to find the clip: a fraction of a second.
static const uint64_t affordable = 4000000;

static void choose_clip(view_character* inout, probe* tool, uint32_t sample_count)
{
    const pelt_scene* scene = &inout->data.scene;
    uint64_t cost = inout->vertex_count * scene->clip_count * sample_count;
    inout->clip = pelt_scene_default_clip(scene);
    for (uint32_t c = 0; c < scene->clip_count && cost <= affordable; ++c)
    {
        const pelt_clip* clip = &scene->clips[c];
        for (uint32_t i = 0; i < sample_count; ++i)
        {
            float time = clip->duration * (float)i / (float)sample_count;
            float distance = distance_at(tool, scene, clip, time);
            if (isfinite(distance) && distance > inout->farthest)
            {
                inout->farthest = distance;
                inout->clip = c;
            }
        }
    }
}

static const pelt_vec3 no_shift = {0.0f, 0.0f, 0.0f};

static outline measure_clip(probe* tool, const pelt_scene* scene, const pelt_clip* clip,
                            uint32_t sample_count)
{
    outline still = outline_empty(), moving = outline_empty(), rest = outline_empty();
    pelt_bounds places = pelt_bounds_empty();
    for (uint32_t i = 0; i < sample_count; ++i)
    {
        float time = clip->duration * (float)i / (float)sample_count;
        pelt_pose_sample(&tool->pose, scene, clip, time, PELT_WRAP_CLAMP);
        pelt_frame_update(&tool->lbs, scene, &tool->pose, &(pelt_deform_options){0});
        pelt_vec3 place = outline_place(scene, tool->lbs.model_from_node);
        pelt_bounds_add(&places, &place, 1);
        add_frame(&still, scene, &tool->lbs, no_shift);
        add_frame(&moving, scene, &tool->lbs, pelt_vec3_scale(place, -1.0f));
        rest.box = i == 0 ? still.box : rest.box;
    }
    float height = fmaxf(rest.box.max.y - rest.box.min.y, 1e-6f);
    moving.box = still.box;
    moving.is_traveling = pelt_bounds_diagonal(&places) > 0.5f * height;
    return moving.is_traveling ? moving : still;
}

// Clips after a time limit get the outline of the clip before.
static void measure_outlines(view_character* inout, probe* tool, uint32_t sample_count)
{
    const pelt_scene* scene = &inout->data.scene;
    uint64_t cost = 0;
    outline last = outline_empty();
    pelt_pose_rest(&tool->pose, scene);
    pelt_frame_update(&tool->lbs, scene, &tool->pose, &(pelt_deform_options){0});
    add_frame(&last, scene, &tool->lbs, no_shift);
    inout->outlines[scene->clip_count] = last;
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        cost += inout->vertex_count * sample_count;
        last =
            cost <= affordable ? measure_clip(tool, scene, &scene->clips[c], sample_count) : last;
        inout->outlines[c] = last;
    }
}

const outline* character_outline(view_character* inout, uint32_t clip)
{
    const pelt_scene* scene = &inout->data.scene;
    outline* out = &inout->outlines[clip != PELT_NONE ? clip : scene->clip_count];
    probe tool = {0};
    if (out->count == 0 && pelt_frame_create(&tool.lbs, scene) == PELT_OK &&
        pelt_pose_create(&tool.pose, scene) == PELT_OK)
    {
        *out = measure_clip(&tool, scene, &scene->clips[clip], 8);
    }
    pelt_pose_destroy(&tool.pose);
    pelt_frame_destroy(&tool.lbs);
    return out->count > 0 ? out : &inout->outlines[scene->clip_count];
}

pelt_bounds character_box(view_character* inout, uint32_t clip)
{
    return character_outline(inout, clip)->box;
}

static pelt_result find_clip(view_character* inout)
{
    probe tool = {0};
    pelt_result result = PELT_ERROR_MEMORY;
    inout->outlines = calloc((size_t)inout->scene->clip_count + 1, sizeof *inout->outlines);
    if (inout->outlines != NULL && pelt_frame_create(&tool.lbs, &inout->data.scene) == PELT_OK &&
        pelt_frame_create(&tool.dqs, &inout->data.scene) == PELT_OK &&
        pelt_pose_create(&tool.pose, &inout->data.scene) == PELT_OK)
    {
        choose_clip(inout, &tool, 8);
        measure_outlines(inout, &tool, 8);
        result = PELT_OK;
    }
    pelt_pose_destroy(&tool.pose);
    pelt_frame_destroy(&tool.lbs);
    pelt_frame_destroy(&tool.dqs);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Loading

static bool report_loading(float part, void* user)
{
    const character_request* request = user;
    return request->progress == NULL || request->progress(part, "reading", request->user);
}

static pelt_result load_scene(view_character* inout, const character_request* request,
                              pelt_error* error)
{
    if (strncmp(request->path, "rig:", 4) == 0)
    {
        return pelt_rig_build(&inout->scene, request->path, error);
    }
    pelt_load_options options = {.progress = report_loading, .user = (void*)(uintptr_t)request};
    return pelt_load(&inout->scene, request->path, &options, error);
}

// Whether a joint has the same parent in both; folders above skeletons may differ.
static bool is_parent_same(const pelt_scene* scene, const pelt_scene* host, const uint32_t* nodes,
                           uint32_t joint)
{
    uint32_t parent = scene->nodes[joint].parent;
    uint32_t expected = parent != PELT_NONE ? nodes[parent] : PELT_NONE;
    return expected == PELT_NONE || host->nodes[nodes[joint]].parent == expected;
}

// Whether the skins of two scenes have joints of the same names.
// @param nodes     of the host, for those of the scene
// @param is_found  one for each node of the host, all false
static bool is_skeleton_same(const pelt_scene* scene, const pelt_scene* host, const uint32_t* nodes,
                             bool* is_found)
{
    uint32_t missing = 0;
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            uint32_t joint = scene->skins[s].joints[j];
            if (nodes[joint] == PELT_NONE || !is_parent_same(scene, host, nodes, joint))
            {
                return false;
            }
            is_found[nodes[joint]] = true;
        }
    }
    for (uint32_t s = 0; s < host->skin_count; ++s)
    {
        for (uint32_t j = 0; j < host->skins[s].joint_count; ++j)
        {
            missing += is_found[host->skins[s].joints[j]] ? 0 : 1;
        }
    }
    return scene->skin_count > 0 && missing == 0;
}

// Whether most tracks of a scene without a mesh move nodes of another.
static bool is_motion_of(const pelt_scene* scene, const uint32_t* nodes)
{
    uint64_t count = 0, found = 0;
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        for (uint32_t t = 0; t < scene->clips[c].track_count; ++t)
        {
            const pelt_track* track = &scene->clips[c].tracks[t];
            bool is_node = track->path != PELT_PATH_MORPH;
            count += is_node ? 1 : 0;
            found += is_node && nodes[track->target] != PELT_NONE ? 1 : 0;
        }
    }
    return 2 * found > count;
}

static pelt_result find_purpose(view_character* inout, const character_request* request)
{
    const pelt_scene *scene = inout->scene, *host = request->host;
    bool has_mesh = scene->instance_count > 0;
    bool is_asked =
        host != NULL && scene->clip_count > 0 && (!has_mesh || request->purpose != CHARACTER_OPEN);
    if (!is_asked)
    {
        return PELT_OK;
    }
    uint32_t* nodes = calloc((size_t)scene->node_count + 1, sizeof *nodes);
    bool* is_found = calloc((size_t)host->node_count + 1, sizeof *is_found);
    bool has_memory = nodes != NULL && is_found != NULL;
    pelt_result result =
        has_memory ? pelt_scene_match_nodes(nodes, host, scene) : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        inout->has_clips_only =
            has_mesh ? is_skeleton_same(scene, host, nodes, is_found) : is_motion_of(scene, nodes);
    }
    free(nodes);
    free(is_found);
    return result;
}

static pelt_result check_scene(view_character* inout, pelt_error* error)
{
    const pelt_scene* scene = inout->scene;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        inout->vertex_count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    if (inout->vertex_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no mesh to show%s", inout->path,
                              scene->clip_count > 0 ? ", and its clips fit no joints of this "
                                                      "character; open theirs first"
                                                    : "");
    }
    if (inout->vertex_count > 20000000)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s has %llu vertices, and the viewer shows at most 20 million; use "
                              "fewer instances",
                              inout->path, (unsigned long long)inout->vertex_count);
    }
    return PELT_OK;
}

static pelt_result fill(view_character* inout, const character_request* request, pelt_error* error)
{
    pelt_result result = load_scene(inout, request, error);
    if (result == PELT_OK && find_purpose(inout, request) != PELT_OK)
    {
        result = pelt_error_memory(error);
    }
    if (result == PELT_OK && (inout->has_clips_only || request->purpose == CHARACTER_OFFER))
    {
        return PELT_OK;
    }
    if (result == PELT_OK)
    {
        result = check_scene(inout, error);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    inout->data = (character_data){.scene = *inout->scene};
    result = pelt_textures_load(&inout->textures, inout->path, inout->scene, error);
    return result != PELT_OK || find_clip(inout) == PELT_OK ? result : pelt_error_memory(error);
}

pelt_result character_load(view_character** out, const character_request* request,
                           pelt_error* error)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL || ((*out)->path = strdup(request->path)) == NULL)
    {
        free(*out);
        *out = NULL;
        return pelt_error_memory(error);
    }
    pelt_result result = fill(*out, request, error);
    if (result != PELT_OK)
    {
        character_destroy(*out);
        *out = NULL;
    }
    return result;
}

void character_destroy(view_character* in)
{
    if (in == NULL)
    {
        return;
    }
    pelt_textures_destroy(&in->textures);
    free(in->outlines);
    character_data_destroy(&in->data);
    pelt_scene_destroy(in->scene);
    free(in->path);
    free(in);
}

// ---------------------------------------------------------------------------------------------
// Clips of other files

const char* character_file_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

pelt_result character_add_clips(view_character* inout, pelt_add_clips_report* report,
                                const view_character* from, bool is_relative_to_rest)
{
    pelt_scene* scene = inout->scene;
    uint32_t old = scene->clip_count;
    char label[256]; // as long as a file name may be
    snprintf(label, sizeof label, "%s", character_file_name(from->path));
    char* ending = strrchr(label, '.');
    if (ending != NULL && ending > label)
    {
        *ending = '\0';
    }
    size_t count = (size_t)old + from->scene->clip_count + 1;
    outline* outlines = realloc(inout->outlines, count * sizeof *outlines);
    if (outlines == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    inout->outlines = outlines;
    const pelt_add_clips_options options = {.label = label,
                                            .is_relative_to_rest = is_relative_to_rest};
    pelt_result result = pelt_scene_add_clips(scene, report, from->scene, &options, scene->arena);
    inout->data.scene.clips = scene->clips;
    inout->data.scene.clip_count = scene->clip_count;
    outline rest = outlines[old];
    for (uint32_t i = old; i < scene->clip_count; ++i)
    {
        outlines[i] = outline_empty();
    }
    outlines[scene->clip_count] = rest;
    return result;
}

pelt_result character_keep_rotations(view_character* inout, uint32_t first_clip, uint32_t count)
{
    pelt_result result = proportions_keep_rotations(inout->scene, first_clip, count);
    inout->data.scene.clips = inout->scene->clips;
    for (uint32_t i = 0; i < count; ++i)
    {
        inout->outlines[first_clip + i] = outline_empty();
    }
    return result;
}
