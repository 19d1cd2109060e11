// SPDX-License-Identifier: MIT
#include "motion.h"

#include "pelt/prepare.h"

#include <math.h>
#include <string.h>

const char* const motion_kind_names[] = {"clip", "bend", "twist", "stored pose"};

// ---------------------------------------------------------------------------------------------
// Bends and twists

static void write_key(float* out, pelt_quat q)
{
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

// One second from the stored pose to the full angle, about an axis of the joint.
static pelt_clip* create_rotation(const pelt_scene* scene, uint32_t node, pelt_vec3 axis,
                                  pelt_arena* arena)
{
    pelt_clip* clip = pelt_arena_alloc(arena, 1, sizeof *clip);
    pelt_track* track = pelt_arena_alloc(arena, 1, sizeof *track);
    float* times = pelt_arena_alloc(arena, 2, sizeof *times);
    float* values = pelt_arena_alloc(arena, 8, sizeof *values);
    if (clip == NULL || track == NULL || times == NULL || values == NULL)
    {
        return NULL;
    }
    pelt_quat rotation = pelt_quat_axis_angle(axis, (float)MOTION_DEGREES * PELT_PI / 180.0f);
    pelt_quat rest = scene->nodes[node].rest.rotation;
    times[0] = 0.0f;
    times[1] = 1.0f;
    write_key(values, rest);
    write_key(values + 4, pelt_quat_normalize(pelt_quat_mul(rest, rotation)));
    pelt_rotations_align(values, 2);
    *track = (pelt_track){.target = node,
                          .path = PELT_PATH_ROTATION,
                          .key_count = 2,
                          .width = 4,
                          .times = times,
                          .values = values};
    *clip = (pelt_clip){.duration = 1.0f, .track_count = 1, .tracks = track};
    return clip;
}

static pelt_result add_rotation(motion_list* inout, const pelt_scene* scene, uint32_t node,
                                motion_kind kind, pelt_vec3 axis, pelt_arena* arena)
{
    const char* joint = scene->nodes[node].name;
    joint = joint != NULL ? joint : pelt_arena_format(arena, "node %u", node);
    pelt_clip* clip = create_rotation(scene, node, axis, arena);
    char* name =
        pelt_arena_format(arena, "%s %s", motion_kind_names[kind], joint != NULL ? joint : "");
    if (joint == NULL || clip == NULL || name == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    clip->name = name;
    inout->items[inout->count++] =
        (compare_motion){.name = name, .kind = kind, .clip = clip, .joint = joint};
    return PELT_OK;
}

// Regions of joints that can bend, those with most skin, in the order of the body.
static uint32_t choose_regions(uint32_t out[MOTION_JOINT_MAX], const pelt_body_info* body,
                               const pelt_joint_node* joints)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < body->region_count; ++i)
    {
        const pelt_metric_region* own = &body->regions[i];
        if (own->vertex_count == 0 || joints[own->node].above == PELT_NONE)
        {
            continue;
        }
        if (count < MOTION_JOINT_MAX)
        {
            out[count++] = i;
            continue;
        }
        uint32_t least = 0;
        for (uint32_t k = 1; k < count; ++k)
        {
            least = body->regions[out[k]].area < body->regions[out[least]].area ? k : least;
        }
        if (own->area > body->regions[out[least]].area)
        {
            memmove(out + least, out + least + 1, (count - least - 1) * sizeof *out);
            out[count - 1] = i;
        }
    }
    return count;
}

static pelt_result add_rotations(motion_list* inout, const pelt_scene* scene,
                                 const pelt_body_info* body, pelt_arena* arena)
{
    pelt_joint_node* joints = pelt_arena_alloc(arena, scene->node_count, sizeof *joints);
    pelt_joint_axes* axes = pelt_arena_alloc(arena, scene->node_count, sizeof *axes);
    if (joints == NULL || axes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_joint_tree_find(joints, scene);
    PELT_TRY(pelt_joint_axes_find(axes, scene));
    uint32_t regions[MOTION_JOINT_MAX];
    uint32_t count = choose_regions(regions, body, joints);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t node = body->regions[regions[i]].node;
        PELT_TRY(add_rotation(inout, scene, node, MOTION_BEND, axes[node].bend, arena));
        PELT_TRY(add_rotation(inout, scene, node, MOTION_TWIST, axes[node].along, arena));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static void add_clips(motion_list* inout, const pelt_scene* scene, const motion_request* request)
{
    uint64_t total = request->clip_count > 0 ? request->clip_count : scene->clip_count;
    uint64_t count = total < request->clip_limit ? total : request->clip_limit;
    inout->clip_total = (uint32_t)total;
    for (uint64_t i = 0; i < count; ++i)
    {
        uint32_t index = (uint32_t)(i * total / count);
        const pelt_clip* clip =
            &scene->clips[request->clip_count > 0 ? request->clips[index] : index];
        inout->items[inout->count++] =
            (compare_motion){.name = clip->name != NULL ? clip->name : "unnamed", .clip = clip};
    }
}

static double wanted_frames(const compare_motion* in)
{
    double seconds = in->clip != NULL ? (double)in->clip->duration : 0.0;
    return seconds > 0.0 ? fmax(ceil(seconds * MOTION_RATE), 1.0) + 1.0 : 1.0;
}

static void share_frames(motion_list* inout, uint32_t limit)
{
    double total = 0.0;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        total += wanted_frames(&inout->items[i]);
    }
    inout->frame_total = total;
    double part = fmin(limit / total, 1.0);
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        double wanted = wanted_frames(&inout->items[i]);
        double given = fmin(wanted, fmax(floor(wanted * part), (double)MOTION_FRAME_MIN));
        inout->items[i].first_frame = inout->frame_count;
        inout->items[i].frame_count = (uint32_t)given;
        inout->frame_count += (uint32_t)given;
    }
}

pelt_result motion_list_create(motion_list* out, const pelt_scene* scene,
                               const pelt_body_info* body, const motion_request* request,
                               pelt_arena* arena)
{
    size_t most =
        (size_t)scene->clip_count + request->clip_count + 2 * (size_t)MOTION_JOINT_MAX + 1;
    *out = (motion_list){.items = pelt_arena_alloc(arena, most, sizeof *out->items)};
    if (out->items == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = PELT_OK;
    if (scene->clip_count > 0)
    {
        add_clips(out, scene, request);
    }
    else
    {
        result = add_rotations(out, scene, body, arena);
    }
    if (out->count == 0)
    {
        out->items[out->count++] = (compare_motion){.name = "stored pose", .kind = MOTION_STORED};
    }
    share_frames(out, request->frame_limit);
    return result;
}

float motion_time(const compare_motion* in, uint32_t frame)
{
    return in->frame_count > 1 ? in->clip->duration * ((float)frame / (float)(in->frame_count - 1))
                               : 0.0f;
}
