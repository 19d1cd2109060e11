// SPDX-License-Identifier: MIT
#include "bake_slot.h"

#include "crowd/crowd_scene.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

bool bake_request_is_same(const bake_request* a, const bake_request* b)
{
    return a->encoding == b->encoding && a->rate == b->rate && a->clip == b->clip &&
           a->next_clip == b->next_clip && a->keeps_copies == b->keeps_copies &&
           memcmp(&a->deform, &b->deform, sizeof a->deform) == 0;
}

bool bake_request_of(bake_request* out, const view_settings* in, uint32_t view,
                     const playback* from)
{
    view_skinning skinning = (view_skinning)in->skinnings[view];
    *out = (bake_request){0};
    if (from->clip == PELT_NONE ||
        (skinning != SKINNING_BONE_TEXTURE && skinning != SKINNING_VERTEX_TEXTURE))
    {
        return false;
    }
    out->encoding = (pelt_encoding)in->bake_encoding;
    out->rate = in->bake_rate;
    out->clip = out->next_clip = PELT_NONE;
    if (skinning == SKINNING_VERTEX_TEXTURE)
    {
        out->encoding = PELT_ENCODING_VERTEX;
        out->clip = from->clip;
        out->next_clip = from->next_clip;
        out->deform = settings_deform_options(in, view);
        out->keeps_copies = !in->is_merged;
    }
    return true;
}

pelt_result bake_slot_bake(pelt_baked** out, const pelt_scene* scene, const bake_request* request,
                           bool (*progress)(float part, void* user), void* user, pelt_error* error)
{
    uint32_t clips[2] = {request->clip, request->next_clip};
    uint32_t count = request->clip == PELT_NONE ? 0 : request->next_clip == PELT_NONE ? 1 : 2;
    pelt_bake_options options = {
        .encoding = request->encoding,
        .timing = request->rate > 0.0f ? PELT_BAKE_RATE : PELT_BAKE_KEYS,
        .rate = request->rate,
        .clip_count = count,
        .clips = clips,
        .deform = request->deform,
        .keeps_copies = request->keeps_copies,
        .has_no_morphs = true, // the error shows what they are worth
        .progress = progress,
        .user = user,
    };
    return pelt_bake(out, scene, &options, error);
}

bool bake_slot_is_measured(const bake_slot* in, const pelt_deform_options* deform)
{
    return in->is_measured && memcmp(&in->measured_by, deform, sizeof *deform) == 0;
}

void bake_slot_set_error(bake_slot* inout, const pelt_deform_options* deform,
                         const pelt_bake_error* error)
{
    memcpy(&inout->measured_by, deform, sizeof *deform);
    inout->error = error != NULL ? *error : (pelt_bake_error){.max = NAN};
    inout->is_measured = true;
}

void bake_slot_unload(bake_slot* inout)
{
    for (uint32_t i = 0; inout->meshes != NULL && i < inout->mesh_count; ++i)
    {
        pelt_gl_mesh_destroy(&inout->meshes[i]);
    }
    if (inout->meshes != NULL)
    {
        pelt_gl_crowd_destroy(&inout->crowd);
        pelt_gl_baked_destroy(&inout->texture);
    }
    free(inout->meshes);
    inout->meshes = NULL;
    inout->crowd = (pelt_gl_crowd){0};
    inout->texture = (pelt_gl_baked){0};
    inout->is_measured = false;
}

void bake_slot_destroy(bake_slot* inout)
{
    bake_slot_unload(inout);
    pelt_baked_destroy(inout->baked);
    *inout = (bake_slot){0};
}

void bake_slot_replace(bake_slot* inout, pelt_baked* baked, const bake_request* request)
{
    bake_slot_destroy(inout);
    inout->baked = baked;
    memcpy(&inout->request, request, sizeof *request);
}

bool bake_slot_fits(const bake_slot* in, const bake_request* request)
{
    return in->baked != NULL && bake_request_is_same(&in->request, request);
}

// ---------------------------------------------------------------------------------------------

static pelt_result upload(bake_slot* inout, pelt_gl* gl, const pelt_scene* scene, pelt_error* error)
{
    inout->mesh_count = scene->instance_count;
    inout->meshes = calloc((size_t)scene->instance_count + 1, sizeof *inout->meshes);
    if (inout->meshes == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = pelt_gl_baked_create(&inout->texture, gl, inout->baked, error);
    if (result == PELT_OK)
    {
        result =
            pelt_gl_crowd_create(&inout->crowd, gl, &inout->texture, 1, PELT_PALETTE_AUTO, error);
    }
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        result = bake_mesh_create(&inout->meshes[i], gl, inout->baked, scene, i, error);
    }
    return result;
}

static pelt_moment moment_of(const bake_slot* in, const pelt_scene* scene, uint32_t clip,
                             float time)
{
    uint32_t found = pelt_baked_find_clip(in->baked, scene->clips[clip].name);
    return (pelt_moment){.clip = found != PELT_NONE ? found : 0, .time = time};
}

static void start_playback(bake_slot* inout, const bake_play* play)
{
    const playback* from = play->playback;
    pelt_playback moment = {.base = moment_of(inout, play->scene, from->clip, from->time)};
    moment.next = moment.base;
    if (from->next_clip != PELT_NONE)
    {
        moment.next = moment_of(inout, play->scene, from->next_clip, from->next_time);
        moment.fade = from->faded / from->fade_length;
    }
    pelt_gl_crowd_update(&inout->crowd, &moment, 1);
}

static pelt_result skin_instance(const pelt_surface* out, bake_slot* inout, uint32_t index,
                                 pelt_gl* gl, const bake_play* play, pelt_error* error)
{
    const pelt_scene* scene = play->scene;
    const pelt_instance* instance = &scene->instances[index];
    const pelt_normal_factors* factors = scene->meshes[instance->mesh].normal_factors;
    pelt_gl_mesh* mesh = &inout->meshes[index];
    bool is_vertex = inout->baked->encoding == PELT_ENCODING_VERTEX;
    if (!is_vertex && instance->skin != PELT_NONE)
    {
        bool has_rule = play->options->normal_rule != PELT_NORMAL_STANDARD;
        PELT_TRY(pelt_gl_mesh_set_normals(mesh, gl, has_rule ? factors : NULL,
                                          play->options->normal_rule, error));
    }
    pelt_gl_crowd_skin_desc desc = {
        .crowd = &inout->crowd,
        .mesh = mesh,
        .first_joint = inout->baked->instances[index].first,
        .method = play->options->method,
        .mix = play->options->mix,
    };
    if (instance->skin != PELT_NONE)
    {
        desc.scale = pelt_gpu_scale_of(&play->palettes[instance->skin], play->options->scale_pivot);
    }
    pelt_surface surface = {.positions = out->positions, .normals = out->normals};
    return pelt_gl_crowd_skin(&surface, gl, &desc, error);
}

pelt_result bake_slot_play(const pelt_surface* out, bake_slot* inout, pelt_gl* gl,
                           const bake_play* play, pelt_error* error)
{
    PELT_TRY(inout->meshes != NULL ? PELT_OK : upload(inout, gl, play->scene, error));
    start_playback(inout, play);
    PELT_TRY(pelt_gl_crowd_pose(&inout->crowd, error));
    for (uint32_t i = 0; i < play->scene->instance_count; ++i)
    {
        PELT_TRY(skin_instance(&out[i], inout, i, gl, play, error));
    }
    return PELT_OK;
}
