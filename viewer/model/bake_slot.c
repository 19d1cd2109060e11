// SPDX-License-Identifier: MIT
#include "bake_slot.h"

#include "crowd/crowd_scene.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

bool bake_is_spherical(const view_settings* in)
{
    return in->is_spherical && in->bake_encoding == PELT_ENCODING_MATRIX;
}

bool bake_request_is_same(const bake_request* a, const bake_request* b)
{
    return a->encoding == b->encoding && a->rate == b->rate && a->is_spherical == b->is_spherical &&
           a->clip == b->clip && a->next_clip == b->next_clip &&
           a->keeps_copies == b->keeps_copies && settings_deform_is_same(&a->deform, &b->deform);
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
    out->is_spherical = skinning == SKINNING_BONE_TEXTURE && bake_is_spherical(in);
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
    return in->is_measured && settings_deform_is_same(&in->measured_by, deform);
}

void bake_slot_set_error(bake_slot* inout, const pelt_deform_options* deform,
                         const pelt_bake_error* error)
{
    memcpy(&inout->measured_by, deform, sizeof *deform);
    inout->error = error != NULL ? *error : (pelt_bake_error){.max = NAN};
    inout->is_measured = true;
}

static void unload_meshes(bake_slot* inout)
{
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_gl_mesh_destroy(&inout->meshes[i]);
    }
}

void bake_slot_unload(bake_slot* inout)
{
    if (inout->meshes != NULL)
    {
        unload_meshes(inout);
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
    free(inout->boxes);
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

// With the factors of this moment: those that were painted, too.
static pelt_result upload_meshes(bake_slot* inout, pelt_gl* gl, const bake_play* play,
                                 pelt_error* error)
{
    const pelt_scene* scene = play->scene;
    inout->mix = play->mix;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        const float* factors = play->mix_factors[scene->instances[i].mesh];
        result = bake_mesh_create(&inout->meshes[i], gl, inout->baked, scene, i, factors, error);
    }
    return result;
}

static bool is_mix_same(const mix_source* a, const mix_source* b)
{
    return a->kind == b->kind && a->revision == b->revision && a->mix == b->mix;
}

static pelt_result upload(bake_slot* inout, pelt_gl* gl, const bake_play* play, pelt_error* error)
{
    const pelt_scene* scene = play->scene;
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
    return result == PELT_OK ? upload_meshes(inout, gl, play, error) : result;
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
    pelt_playback moment = {.base = moment_of(inout, play->scene, from->clip, from->time),
                            .is_spherical = inout->request.is_spherical};
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
    PELT_TRY(inout->meshes != NULL ? PELT_OK : upload(inout, gl, play, error));
    if (!is_mix_same(&inout->mix, &play->mix))
    {
        unload_meshes(inout);
        PELT_TRY(upload_meshes(inout, gl, play, error));
    }
    start_playback(inout, play);
    PELT_TRY(pelt_gl_crowd_pose(&inout->crowd, error));
    for (uint32_t i = 0; i < play->scene->instance_count; ++i)
    {
        PELT_TRY(skin_instance(&out[i], inout, i, gl, play, error));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Boxes

static void add_joints(pelt_bounds* inout, const pelt_baked* baked, const pelt_playback* at,
                       pelt_mat34* motions)
{
    pelt_unbake(motions, baked, at);
    for (uint32_t i = 0; i < baked->joint_count; ++i)
    {
        pelt_vec3 position = pelt_mat34_point(&motions[i], baked->joints[i].pivot);
        pelt_bounds_add(&inout[i], &position, 1);
    }
}

static void add_vertices(pelt_bounds* inout, const pelt_baked* baked, const pelt_playback* at,
                         const pelt_scene* scene, pelt_vec3* positions, uint32_t stride)
{
    const pelt_surface surface = {.positions = positions};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        pelt_unbake_vertices(&surface, baked, i, mesh, at);
        for (uint32_t v = 0; v < mesh->vertex_count; v += stride)
        {
            pelt_bounds_add(inout++, &positions[v], 1);
        }
    }
}

static uint32_t count_vertices(uint32_t* most, const pelt_scene* scene, uint32_t stride)
{
    uint32_t count = 0;
    *most = 1;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t own = scene->meshes[scene->instances[i].mesh].vertex_count;
        *most = own > *most ? own : *most;
        count += (own + stride - 1) / stride;
    }
    return count;
}

static void fill_boxes(bake_slot* inout, const pelt_scene* scene, uint32_t clip, uint32_t stride,
                       void* scratch)
{
    const pelt_baked* baked = inout->baked;
    const pelt_baked_clip* from = &baked->clips[clip];
    // A few dozen moments: the boxes are looked at, not computed with.
    uint32_t count = from->key_count < 48 ? from->key_count : 48;
    for (uint32_t i = 0; i < inout->box_count; ++i)
    {
        inout->boxes[i] = pelt_bounds_empty();
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        float part = count > 1 ? (float)i / (float)(count - 1) : 0.0f;
        pelt_moment moment = {.clip = clip, .time = part * from->duration, .wrap = PELT_WRAP_CLAMP};
        const pelt_playback at = {.base = moment, .next = moment};
        if (baked->encoding == PELT_ENCODING_VERTEX)
        {
            add_vertices(inout->boxes, baked, &at, scene, scratch, stride);
        }
        else
        {
            add_joints(inout->boxes, baked, &at, scratch);
        }
    }
}

uint32_t bake_slot_boxes(const pelt_bounds** out, bake_slot* inout, const pelt_scene* scene,
                         uint32_t clip)
{
    *out = NULL;
    uint32_t found = inout->baked != NULL && clip != PELT_NONE
                         ? pelt_baked_find_clip(inout->baked, scene->clips[clip].name)
                         : PELT_NONE;
    if (found == PELT_NONE)
    {
        return 0;
    }
    if (inout->boxes == NULL || inout->box_clip != found)
    {
        bool is_vertex = inout->baked->encoding == PELT_ENCODING_VERTEX;
        uint32_t most = 1, vertex_count = count_vertices(&most, scene, 1);
        // More would hide the character.
        uint32_t stride = 1 + vertex_count / 2000;
        uint32_t count =
            is_vertex ? count_vertices(&most, scene, stride) : inout->baked->joint_count;
        void* scratch = is_vertex ? calloc(most, sizeof(pelt_vec3))
                                  : calloc((size_t)count + 1, sizeof(pelt_mat34));
        free(inout->boxes);
        inout->boxes = calloc((size_t)count + 1, sizeof *inout->boxes);
        inout->box_count = inout->boxes != NULL && scratch != NULL ? count : 0;
        inout->box_clip = found;
        if (inout->box_count > 0)
        {
            fill_boxes(inout, scene, found, stride, scratch);
        }
        free(scratch);
    }
    *out = inout->boxes;
    return inout->box_count;
}
