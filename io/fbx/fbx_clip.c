// SPDX-License-Identifier: MIT
// Clips: the curves of a take as tracks of nodes and morph weights.
#include "fbx_read.h"

#include <string.h>

// Tolerance of rotations in radians; of other numbers relative to the largest value.
static const double rotation_tolerance = 4e-6, number_tolerance = 2e-7;

typedef struct clip_writer
{
    pelti_fbx* f;
    const pelti_fbx_take* take;
    pelt_track* tracks;
    uint32_t count, capacity;
} clip_writer;

// ---------------------------------------------------------------------------------------------
// Signals

static void translation_at(double* out, const pelti_fbx_signal* s, pelti_fbx_moment moment)
{
    pelti_fbx_translation_at(out, s->f, s->subject, s->take, moment);
}

static void rotation_at(double* out, const pelti_fbx_signal* s, pelti_fbx_moment moment)
{
    pelti_fbx_quat rotation = pelti_fbx_rotation_at(s->f, s->subject, s->take, moment);
    memcpy(out, &rotation, sizeof rotation);
}

static void scale_at(double* out, const pelti_fbx_signal* s, pelti_fbx_moment moment)
{
    pelti_fbx_scale_at(out, s->f, s->subject, s->take, moment);
}

static void inverse_at(double* out, const pelti_fbx_signal* s, pelti_fbx_moment moment)
{
    pelti_fbx_child_scale_at(out, s->f, s->subject, s->take, moment);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = pelti_fbx_inverse_scale(out[i]);
    }
}

static void targets_at(double* out, const pelti_fbx_signal* s, pelti_fbx_moment moment)
{
    const pelti_fbx_blend_shapes* shapes = s->f->blend_shapes_of_mesh[s->subject];
    const pelt_mesh* mesh = &s->f->scene->meshes[s->subject];
    for (uint32_t i = 0; i < shapes->count; ++i)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(s->take, shapes->channels[i]);
        const pelti_fbx_drive* drive = motion != NULL ? &motion->drives[PELTI_FBX_PERCENT] : NULL;
        double percent[3];
        if (drive == NULL || !drive->is_present)
        {
            out[i] = (double)mesh->morph_weights[i];
            continue;
        }
        pelti_fbx_drive_at(percent, drive, PELTI_FBX_PERCENT, 0, moment);
        out[i] = pelti_fbx_shape_weight(shapes, i, percent[0]);
    }
}

// ---------------------------------------------------------------------------------------------
// Tracks

static pelt_result push_track(clip_writer* w, const pelt_track* track)
{
    void* tracks = w->tracks;
    if (!pelti_fbx_grow(&w->f->file, &tracks, &w->capacity, w->count, sizeof *track))
    {
        return PELT_ERROR_MEMORY;
    }
    w->tracks = tracks;
    w->tracks[w->count++] = *track;
    return PELT_OK;
}

// A node that keeps its rest transform needs no track.
static bool is_at_rest(const pelt_track* track, const pelt_node* node)
{
    const void* rest = track->path == PELT_PATH_TRANSLATION ? (const void*)&node->rest.translation
                       : track->path == PELT_PATH_ROTATION  ? (const void*)&node->rest.rotation
                                                            : (const void*)&node->rest.scale;
    return track->key_count == 1 && track->interpolation == PELT_INTERPOLATION_LINEAR &&
           memcmp(track->values, rest, track->width * sizeof(float)) == 0;
}

// Add the same track to every node of a model, or with `is_unscaled` to their nodes that undo the
// scale.
static pelt_result add_tracks(clip_writer* w, pelt_track* track, uint32_t model, bool is_unscaled)
{
    pelti_fbx* f = w->f;
    for (uint32_t i = f->models[model].first; i != PELT_NONE; i = f->model_nodes[i].next)
    {
        track->target = is_unscaled ? f->model_nodes[i].unscaled : f->model_nodes[i].node;
        if (track->target != PELT_NONE && !is_at_rest(track, &f->nodes[track->target]))
        {
            PELT_TRY(push_track(w, track));
        }
    }
    return PELT_OK;
}

// Add the key times of the scales that are multiplied into that of a model.
static pelt_result add_scale_times(clip_writer* w, pelti_fbx_times* times, uint32_t model)
{
    pelti_fbx* f = w->f;
    pelt_result result = PELT_OK;
    bool is_more = true;
    while (is_more && result == PELT_OK)
    {
        const pelti_fbx_model* m = &f->models[model];
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(w->take, m->object);
        result = pelti_fbx_charge(&f->file, 1);
        if (motion != NULL && result == PELT_OK)
        {
            result = pelti_fbx_add_times(&f->file, times, &motion->drives[PELTI_FBX_SCALE]);
        }
        is_more = m->skips_parent_scale && m->inherit == PELTI_FBX_RRSS;
        model = m->parent;
    }
    return result;
}

// The curves that determine where a track needs keys.
typedef struct track_plan
{
    pelt_path path;
    uint32_t model;
    bool is_unscaled;
    void (*value)(double* out, const pelti_fbx_signal* signal, pelti_fbx_moment moment);
    bool uses[3]; // translation, rotation, scale of the model
    bool uses_parent;
} track_plan;

static pelt_result bake_plan(clip_writer* w, const track_plan* plan)
{
    pelti_fbx* f = w->f;
    const pelti_fbx_model* m = &f->models[plan->model];
    const pelti_fbx_motion* motion = pelti_fbx_motion_of(w->take, m->object);
    bool is_rotation = plan->path == PELT_PATH_ROTATION;
    uint32_t parent_cost = m->parent != PELT_NONE ? f->models[m->parent].chain : 0;
    const pelti_fbx_signal signal = {.value = plan->value,
                                     .f = f,
                                     .take = w->take,
                                     .subject = plan->model,
                                     .width = is_rotation ? 4 : 3,
                                     .is_rotation = is_rotation,
                                     .tolerance =
                                         is_rotation ? rotation_tolerance : number_tolerance,
                                     .cost = 8 + m->chain + parent_cost};
    pelti_fbx_times times = {0};
    for (int i = 0; i < 3; ++i)
    {
        if (plan->uses[i] && motion != NULL)
        {
            PELT_TRY(pelti_fbx_add_times(&f->file, &times, &motion->drives[i]));
        }
    }
    if (plan->uses_parent)
    {
        PELT_TRY(add_scale_times(w, &times, m->parent));
    }
    if (plan->is_unscaled)
    {
        PELT_TRY(add_scale_times(w, &times, plan->model));
    }
    pelt_track track;
    PELT_TRY(pelti_fbx_bake(&track, f, &signal, &times));
    track.path = plan->path;
    return add_tracks(w, &track, plan->model, plan->is_unscaled);
}

static bool has_drive(const pelti_fbx_motion* motion, pelti_fbx_property which)
{
    return motion != NULL && motion->drives[which].is_present;
}

static pelt_result write_model(clip_writer* w, uint32_t model)
{
    const pelti_fbx_model* m = &w->f->models[model];
    const pelti_fbx_motion* motion = pelti_fbx_motion_of(w->take, m->object);
    bool moves[3] = {has_drive(motion, PELTI_FBX_TRANSLATION),
                     has_drive(motion, PELTI_FBX_ROTATION), has_drive(motion, PELTI_FBX_SCALE)};
    bool is_above = m->skips_parent_scale && w->f->models[m->parent].moves_scale;
    bool has_pivots = m->local.has_pivots;
    const track_plan plans[] = {
        {PELT_PATH_TRANSLATION,
         model,
         false,
         translation_at,
         {true, has_pivots, has_pivots},
         m->skips_parent_scale},
        {PELT_PATH_ROTATION, model, false, rotation_at, {false, true, false}, false},
        {PELT_PATH_SCALE,
         model,
         false,
         scale_at,
         {false, false, true},
         m->skips_parent_scale && m->inherit == PELTI_FBX_RRSS},
        {PELT_PATH_SCALE, model, true, inverse_at, {false, false, false}, false},
    };
    const bool wanted[] = {moves[0] || is_above || (has_pivots && (moves[1] || moves[2])), moves[1],
                           moves[2] || (is_above && m->inherit == PELTI_FBX_RRSS), m->moves_scale};
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0] && result == PELT_OK; ++i)
    {
        result = wanted[i] ? bake_plan(w, &plans[i]) : PELT_OK;
    }
    return result;
}

static pelt_result write_blend_shapes(clip_writer* w, uint32_t instance)
{
    pelti_fbx* f = w->f;
    uint32_t mesh = f->scene->instances[instance].mesh;
    const pelti_fbx_blend_shapes* shapes = f->blend_shapes_of_mesh[mesh];
    if (shapes == NULL)
    {
        return PELT_OK;
    }
    const pelti_fbx_signal signal = {.value = targets_at,
                                     .f = f,
                                     .take = w->take,
                                     .subject = mesh,
                                     .width = shapes->count,
                                     .tolerance = number_tolerance,
                                     .cost = 8 + shapes->count};
    pelti_fbx_times times = {0};
    PELT_TRY(pelti_fbx_charge(&f->file, shapes->count));
    bool is_moved = false;
    for (uint32_t i = 0; i < shapes->count; ++i)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(w->take, shapes->channels[i]);
        if (has_drive(motion, PELTI_FBX_PERCENT))
        {
            is_moved = true;
            PELT_TRY(pelti_fbx_add_times(&f->file, &times, &motion->drives[PELTI_FBX_PERCENT]));
        }
    }
    pelt_track track;
    if (!is_moved)
    {
        return PELT_OK;
    }
    PELT_TRY(pelti_fbx_bake(&track, f, &signal, &times));
    track.path = PELT_PATH_MORPH;
    track.target = instance;
    return push_track(w, &track);
}

// ---------------------------------------------------------------------------------------------

static pelt_result write_clip(pelti_fbx* f, pelt_clip* out, const pelti_fbx_take* take)
{
    clip_writer w = {.f = f, .take = take};
    for (uint32_t i = 0; i < f->model_count; ++i)
    {
        PELT_TRY(write_model(&w, i));
    }
    for (uint32_t i = 0; i < f->scene->instance_count; ++i)
    {
        PELT_TRY(write_blend_shapes(&w, i));
    }
    pelt_track* tracks = pelt_arena_alloc(f->arena, w.count, sizeof *tracks);
    if (tracks == NULL)
    {
        return pelt_error_memory(f->error);
    }
    if (w.count > 0)
    {
        memcpy(tracks, w.tracks, w.count * sizeof *tracks);
    }
    float duration = (float)((take->stop - take->start) / PELTI_FBX_SECOND);
    *out = (pelt_clip){take->name, duration, w.count, tracks};
    return PELT_OK;
}

pelt_result pelti_fbx_write_clips(pelti_fbx* f)
{
    pelt_clip* clips = pelt_arena_alloc(f->arena, f->take_count, sizeof *clips);
    if (clips == NULL)
    {
        return pelt_error_memory(f->error);
    }
    for (uint32_t i = 0; i < f->take_count; ++i)
    {
        PELT_TRY(write_clip(f, &clips[i], &f->takes[i]));
    }
    f->scene->clips = clips;
    f->scene->clip_count = f->take_count;
    return PELT_OK;
}
