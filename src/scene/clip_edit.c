// SPDX-License-Identifier: MIT
// Clips cut to a part, sampled at a rate, or without the motion of their root.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"
#include "scene_private.h"

#include <math.h>
#include <string.h>

const char* pelt_root_motion_name(pelt_root_motion motion)
{
    static const char* const names[PELT_ROOT_MOTION_COUNT] = {"keep", "remove", "parent"};
    PELT_ASSERT((unsigned)motion < PELT_ROOT_MOTION_COUNT);
    return names[motion];
}

// Keys of a track under construction, with room for all of them.
typedef struct key_writer
{
    float *times, *values;
    uint32_t count, row; // row: floats of a key
} key_writer;

static uint32_t row_of(const pelt_track* track)
{
    return track->width * (track->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u);
}

static bool writer_create(key_writer* out, const pelt_track* track, size_t most, pelt_arena* arena)
{
    *out = (key_writer){.row = row_of(track)};
    out->times = pelt_arena_alloc(arena, most, sizeof *out->times);
    out->values = pelt_arena_alloc(arena, most, out->row * sizeof *out->values);
    return out->times != NULL && out->values != NULL;
}

static float* writer_add(key_writer* inout, float time)
{
    inout->times[inout->count] = time;
    return inout->values + (size_t)inout->row * inout->count++;
}

static void writer_finish(pelt_track* inout, const key_writer* in)
{
    inout->times = in->times;
    inout->values = in->values;
    inout->key_count = in->count;
    if (inout->path == PELT_PATH_ROTATION && inout->interpolation != PELT_INTERPOLATION_CUBIC)
    {
        pelt_rotations_align(in->values, in->count);
    }
}

// ---------------------------------------------------------------------------------------------
// Parts

// A key on a Hermite spline between two keys: the value, and the derivative as both tangents.
static void split_spline(float* out, const pelt_track* track, uint32_t key, float time)
{
    uint32_t width = track->width;
    const float *a = track->values + (size_t)3 * width * key, *b = a + 3 * width;
    double span = (double)track->times[key + 1] - (double)track->times[key];
    double x = ((double)time - (double)track->times[key]) / span, y = 1.0 - x, square = 0.0;
    for (uint32_t k = 0; k < width; ++k)
    {
        double from = (double)a[width + k], to = (double)b[width + k];
        double leaving = (double)a[2 * width + k] * span, coming = (double)b[k] * span;
        double value = y * y * (1.0 + 2.0 * x) * from + x * y * y * leaving +
                       x * x * (3.0 - 2.0 * x) * to - x * x * y * coming;
        double slope =
            (6.0 * x * y * (to - from) + y * (y - 2.0 * x) * leaving + x * (x - 2.0 * y) * coming) /
            span;
        out[k] = out[2 * width + k] = (float)slope;
        out[width + k] = (float)value;
        square += value * value;
    }
    if (track->path == PELT_PATH_ROTATION && square > 0.0)
    {
        // Keys are unit quaternions.
        for (uint32_t k = 0; k < 3 * width; ++k)
        {
            out[k] = (float)((double)out[k] / sqrt(square));
        }
    }
}

// The first or last key of a part of a track.
static void add_edge(key_writer* inout, const pelt_track* track, float time, float shifted)
{
    uint64_t steps = 0;
    uint32_t key = pelti_track_find_key(track, time, 0, &steps);
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    bool is_outside = time <= track->times[0] || key + 1 == track->key_count;
    float* out = writer_add(inout, shifted);
    if (is_cubic && is_outside)
    {
        memset(out, 0, inout->row * sizeof *out);
        memcpy(out + track->width, track->values + (size_t)inout->row * key + track->width,
               track->width * sizeof *out);
    }
    else if (is_cubic)
    {
        split_spline(out, track, key, time);
    }
    else
    {
        pelti_track_sample_at(out, track, time, key);
    }
}

static bool trim_track(pelt_track* inout, float start, float end, pelt_arena* arena)
{
    const pelt_track track = *inout;
    // A key nearer to an end of the part than this is that end.
    float close = 1e-6f * fmaxf(1.0f, end);
    key_writer w;
    if (!writer_create(&w, &track, (size_t)track.key_count + 2, arena))
    {
        return false;
    }
    add_edge(&w, &track, start, 0.0f);
    for (uint32_t i = 0; i < track.key_count && track.key_count > 1; ++i)
    {
        if (track.times[i] > start + close && track.times[i] < end - close)
        {
            memcpy(writer_add(&w, track.times[i] - start), track.values + (size_t)w.row * i,
                   w.row * sizeof *w.values);
        }
    }
    if (track.key_count > 1 && end > start + close)
    {
        add_edge(&w, &track, end, end - start);
    }
    writer_finish(inout, &w);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Rates

static bool is_still(const key_writer* in)
{
    for (uint32_t i = in->row; i < in->row * in->count; ++i)
    {
        if (in->values[i] != in->values[i % in->row])
        {
            return false;
        }
    }
    return true;
}

static bool resample_track(pelt_track* inout, float duration, float rate, pelt_arena* arena)
{
    pelt_track track = *inout;
    uint32_t frames = (uint32_t)floor((double)duration * (double)rate + 1e-4);
    bool has_rest = (double)duration * (double)rate - frames > 1e-3;
    inout->interpolation = track.interpolation == PELT_INTERPOLATION_STEP
                               ? PELT_INTERPOLATION_STEP
                               : PELT_INTERPOLATION_LINEAR;
    key_writer w;
    if (!writer_create(&w, inout, (size_t)frames + 2, arena))
    {
        return false;
    }
    uint32_t count = frames + 1 + (has_rest ? 1 : 0), key = 0;
    uint64_t steps = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        float time = i <= frames ? (float)((double)i / (double)rate) : duration;
        time = fminf(time, duration);
        key = pelti_track_find_key(&track, time, key, &steps);
        pelti_track_sample_at(writer_add(&w, time), &track, time, key);
    }
    w.count = is_still(&w) ? 1 : w.count;
    writer_finish(inout, &w);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Root motion

// Nodes that carry a character: more than half of the joints below the highest joint above them, or
// joints at all where there is none above.
static bool mark_carriers(bool* out, const pelt_scene* scene)
{
    uint32_t* counts = pelt_allocate((size_t)scene->node_count + 1, sizeof *counts);
    uint32_t* tops = pelt_allocate((size_t)scene->node_count + 1, sizeof *tops);
    bool is_done = counts != NULL && tops != NULL;
    if (is_done)
    {
        pelti_mark_joints(out, scene);
    }
    for (uint32_t i = 0; is_done && i < scene->node_count; ++i)
    {
        uint32_t parent = scene->nodes[i].parent;
        uint32_t top = parent != PELT_NONE ? tops[parent] : PELT_NONE;
        tops[i] = top == PELT_NONE && out[i] ? i : top;
        counts[i] = out[i] ? 1 : 0;
    }
    for (uint32_t i = is_done ? scene->node_count : 0; i-- > 0;)
    {
        uint32_t parent = scene->nodes[i].parent;
        counts[parent != PELT_NONE ? parent : i] += parent != PELT_NONE ? counts[i] : 0;
    }
    for (uint32_t i = 0; is_done && i < scene->node_count; ++i)
    {
        out[i] = tops[i] == PELT_NONE ? counts[i] > 0 : counts[i] > counts[tops[i]] / 2;
    }
    pelt_release(counts);
    pelt_release(tops);
    return is_done;
}

// The track that carries the character: the translation that is highest in the hierarchy.
// PELT_NONE: none
static uint32_t find_root_track(const pelt_clip* clip, const bool* is_carrier)
{
    uint32_t found = PELT_NONE;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        bool is_candidate = track->path == PELT_PATH_TRANSLATION && is_carrier[track->target] &&
                            pelti_track_is_moving(track);
        // Parents come before their children.
        if (is_candidate && (found == PELT_NONE || track->target < clip->tracks[found].target))
        {
            found = i;
        }
    }
    return found;
}

static pelt_mat34 rest_matrix(const pelt_scene* scene, uint32_t node)
{
    pelt_mat34 matrix = pelt_mat34_identity();
    for (; node != PELT_NONE; node = scene->nodes[node].parent)
    {
        pelt_mat34 local = pelt_mat34_from_transform(scene->nodes[node].rest);
        matrix = pelt_mat34_mul(&local, &matrix);
    }
    return matrix;
}

// The projection onto the ground, of vectors of a node's parent: M^-1 diag(1, 0, 1) M.
static pelt_mat3 ground_map(const pelt_scene* scene, uint32_t parent)
{
    pelt_mat34 matrix = rest_matrix(scene, parent), inverse;
    if (!pelt_mat34_inverse(&inverse, &matrix))
    {
        return (pelt_mat3){0};
    }
    pelt_mat3 to = pelt_mat34_linear(&matrix), from = pelt_mat34_linear(&inverse);
    pelt_mat3 flat = {0};
    flat.m[0][0] = flat.m[2][2] = 1.0f;
    to = pelt_mat3_mul(&flat, &to);
    return pelt_mat3_mul(&from, &to);
}

static pelt_vec3 read_vec3(const float* at)
{
    return pelt_vec3_make(at[0], at[1], at[2]);
}

// The difference of a key of a translation from the first one in the plane of the ground; tangents
// are differences already.
static pelt_vec3 ground_motion(const pelt_track* track, const pelt_mat3* map, uint32_t index)
{
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    bool is_tangent = is_cubic && index % 3 != 1;
    pelt_vec3 first = read_vec3(track->values + (is_cubic ? 3 : 0));
    pelt_vec3 value = read_vec3(track->values + (size_t)3 * index);
    return pelt_mat3_vector(map, is_tangent ? value : pelt_vec3_sub(value, first));
}

static bool take_motion(pelt_clip* inout, uint32_t root, const pelt_scene* scene,
                        const pelt_edit_clip_options* options, pelt_arena* arena)
{
    bool is_moved = options->root_motion == PELT_ROOT_MOTION_PARENT;
    pelt_track* tracks = pelt_arena_alloc(arena, (size_t)inout->track_count + 1, sizeof *tracks);
    const pelt_track from = inout->tracks[root];
    uint32_t parent = scene->nodes[from.target].parent, count = from.key_count * row_of(&from) / 3;
    float* rest = pelt_arena_alloc(arena, (size_t)count * 3, sizeof *rest);
    float* moved = pelt_arena_alloc(arena, (size_t)count * 3, sizeof *moved);
    if (tracks == NULL || rest == NULL || moved == NULL)
    {
        return false;
    }
    pelt_mat3 map = ground_map(scene, parent);
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_tangent = from.interpolation == PELT_INTERPOLATION_CUBIC && i % 3 != 1;
        pelt_vec3 motion = ground_motion(&from, &map, i);
        pelt_vec3 left = pelt_vec3_sub(read_vec3(from.values + (size_t)3 * i), motion);
        memcpy(rest + (size_t)3 * i, &left, sizeof left);
        if (is_moved)
        {
            pelt_mat34 local = pelt_mat34_from_transform(scene->nodes[parent].rest);
            pelt_mat3 linear = pelt_mat34_linear(&local);
            motion = pelt_mat3_vector(&linear, motion);
            motion =
                is_tangent ? motion : pelt_vec3_add(scene->nodes[parent].rest.translation, motion);
            memcpy(moved + (size_t)3 * i, &motion, sizeof motion);
        }
    }
    uint32_t track_count = 0;
    for (uint32_t i = 0; i < inout->track_count; ++i)
    {
        const pelt_track* track = &inout->tracks[i];
        bool is_replaced =
            is_moved && track->path == PELT_PATH_TRANSLATION && track->target == parent;
        if (!is_replaced)
        {
            tracks[track_count] = *track;
            tracks[track_count++].values = i == root ? rest : track->values;
        }
    }
    if (is_moved)
    {
        tracks[track_count] = from;
        tracks[track_count].target = parent;
        tracks[track_count++].values = moved;
    }
    inout->tracks = tracks;
    inout->track_count = track_count;
    return true;
}

// Whether a track keeps a node where it is in the stored pose.
static bool is_at_rest(const pelt_track* track, const pelt_scene* scene)
{
    const pelt_transform* rest = &scene->nodes[track->target].rest;
    const float* values = track->path == PELT_PATH_TRANSLATION ? &rest->translation.x
                          : track->path == PELT_PATH_ROTATION  ? &rest->rotation.x
                                                               : &rest->scale.x;
    const float* first = track->values;
    first += track->interpolation == PELT_INTERPOLATION_CUBIC ? track->width : 0;
    bool is_same = !pelti_track_is_moving(track);
    for (uint32_t k = 0; k < track->width && is_same; ++k)
    {
        is_same = fabsf(first[k] - values[k]) <= 1e-5f * fmaxf(1.0f, fabsf(values[k]));
    }
    return is_same;
}

// Whether a node is animated by a clip.
static bool is_moved_by(const pelt_scene* scene, const pelt_clip* clip, uint32_t node)
{
    bool is_moved = false;
    for (uint32_t i = 0; i < clip->track_count && !is_moved; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        is_moved =
            track->path != PELT_PATH_MORPH && track->target == node && !is_at_rest(track, scene);
    }
    return is_moved;
}

// Whether the node above the root can take the motion over.
static pelt_result check_parent(const pelt_scene* scene, const pelt_clip* clip, uint32_t root,
                                pelt_error* error)
{
    uint32_t node = clip->tracks[root].target, parent = scene->nodes[node].parent;
    if (parent == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "clip %s: %s, which moves the character, has no node above it that "
                              "its motion could go to",
                              clip->name, scene->nodes[node].name);
    }
    return !is_moved_by(scene, clip, parent)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "clip %s: %s, above the joint that moves the character, is "
                                "animated itself",
                                clip->name, scene->nodes[parent].name);
}

static pelt_result edit_root(pelt_clip* inout, const pelt_scene* scene,
                             const pelt_edit_clip_options* options, pelt_arena* arena,
                             pelt_error* error)
{
    bool* is_carrier = pelt_allocate((size_t)scene->node_count + 1, sizeof *is_carrier);
    bool is_marked = is_carrier != NULL && mark_carriers(is_carrier, scene);
    uint32_t root = is_marked ? find_root_track(inout, is_carrier) : PELT_NONE;
    pelt_release(is_carrier);
    if (!is_marked || root == PELT_NONE)
    {
        return is_marked ? PELT_OK : pelt_error_memory(error);
    }
    if (options->root_motion == PELT_ROOT_MOTION_PARENT)
    {
        PELT_TRY(check_parent(scene, inout, root, error));
    }
    return take_motion(inout, root, scene, options, arena) ? PELT_OK : pelt_error_memory(error);
}

static uint32_t shifted(uint32_t node, uint32_t from)
{
    return node != PELT_NONE && node >= from ? node + 1 : node;
}

// Put a node without a transform between a node and the one above it.
static bool insert_node(pelt_scene* inout, uint32_t at, const char* name, pelt_arena* arena)
{
    pelt_node* nodes = pelt_arena_alloc(arena, (size_t)inout->node_count + 1, sizeof *nodes);
    pelt_skin* skins = pelt_arena_alloc(arena, inout->skin_count, sizeof *skins);
    pelt_instance* instances = pelt_arena_alloc(arena, inout->instance_count, sizeof *instances);
    pelt_clip* clips = pelt_arena_alloc(arena, inout->clip_count, sizeof *clips);
    pelt_helper* helpers = pelt_arena_alloc(arena, inout->helper_count, sizeof *helpers);
    bool has_room =
        nodes != NULL && skins != NULL && instances != NULL && clips != NULL && helpers != NULL;
    for (uint32_t i = 0; has_room && i < inout->node_count; ++i)
    {
        pelt_node* node = &nodes[shifted(i, at)];
        *node = inout->nodes[i];
        node->parent = i == at ? at : shifted(node->parent, at);
    }
    for (uint32_t i = 0; has_room && i < inout->skin_count; ++i)
    {
        uint32_t count = inout->skins[i].joint_count;
        uint32_t* joints = pelt_arena_alloc(arena, count, sizeof *joints);
        has_room = joints != NULL;
        for (uint32_t k = 0; has_room && k < count; ++k)
        {
            joints[k] = shifted(inout->skins[i].joints[k], at);
        }
        skins[i] = inout->skins[i];
        skins[i].joints = joints;
    }
    for (uint32_t i = 0; has_room && i < inout->clip_count; ++i)
    {
        uint32_t count = inout->clips[i].track_count;
        pelt_track* tracks = pelt_arena_alloc(arena, count, sizeof *tracks);
        has_room = tracks != NULL;
        for (uint32_t k = 0; has_room && k < count; ++k)
        {
            tracks[k] = inout->clips[i].tracks[k];
            bool is_morph = tracks[k].path == PELT_PATH_MORPH;
            tracks[k].target = is_morph ? tracks[k].target : shifted(tracks[k].target, at);
        }
        clips[i] = inout->clips[i];
        clips[i].tracks = tracks;
    }
    if (!has_room)
    {
        return false;
    }
    for (uint32_t i = 0; i < inout->instance_count; ++i)
    {
        instances[i] = inout->instances[i];
        instances[i].node = shifted(instances[i].node, at);
    }
    for (uint32_t i = 0; i < inout->helper_count; ++i)
    {
        helpers[i] = inout->helpers[i];
        helpers[i].node = shifted(helpers[i].node, at);
        helpers[i].source = shifted(helpers[i].source, at);
    }
    nodes[at] = (pelt_node){name, inout->nodes[at].parent, pelt_transform_identity()};
    inout->nodes = nodes;
    inout->skins = skins;
    inout->instances = instances;
    inout->clips = clips;
    inout->helpers = helpers;
    ++inout->node_count;
    return true;
}

pelt_result pelt_scene_add_root_nodes(pelt_scene* inout, uint32_t* added, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    pelt_scene scene = *inout;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < scene.clip_count && result == PELT_OK; ++i)
    {
        bool* is_carrier = pelt_allocate((size_t)scene.node_count + 1, sizeof *is_carrier);
        bool is_marked = is_carrier != NULL && mark_carriers(is_carrier, &scene);
        uint32_t root = is_marked ? find_root_track(&scene.clips[i], is_carrier) : PELT_NONE;
        pelt_release(is_carrier);
        result = is_marked ? PELT_OK : PELT_ERROR_MEMORY;
        if (root != PELT_NONE && check_parent(&scene, &scene.clips[i], root, NULL) != PELT_OK)
        {
            bool is_taken = pelt_scene_find_node(&scene, "root") != PELT_NONE;
            bool is_added = insert_node(&scene, scene.clips[i].tracks[root].target,
                                        is_taken ? "root motion" : "root", arena);
            result = is_added ? PELT_OK : PELT_ERROR_MEMORY;
        }
    }
    if (result == PELT_OK)
    {
        if (added != NULL)
        {
            *added = scene.node_count - inout->node_count;
        }
        *inout = scene;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------

// @param times  of the part, when it is trimmed
static bool edit_tracks(pelt_clip* inout, const pelt_edit_clip_options* options, float start,
                        float end, pelt_arena* arena)
{
    pelt_track* tracks = pelt_arena_alloc(arena, inout->track_count, sizeof *tracks);
    for (uint32_t i = 0; i < inout->track_count && tracks != NULL; ++i)
    {
        tracks[i] = inout->tracks[i];
        bool is_good = !options->is_trimmed || trim_track(&tracks[i], start, end, arena);
        is_good = is_good && (options->rate == 0.0f ||
                              resample_track(&tracks[i], end - start, options->rate, arena));
        if (!is_good)
        {
            return false;
        }
    }
    inout->tracks = tracks;
    inout->duration = end - start;
    return tracks != NULL;
}

pelt_result pelt_scene_edit_clip(pelt_clip* inout, const pelt_scene* scene,
                                 const pelt_edit_clip_options* options, pelt_arena* arena,
                                 pelt_error* error)
{
    PELT_ASSERT(inout != NULL && scene != NULL && options != NULL && arena != NULL);
    PELT_ASSERT(options->rate >= 0.0f);
    pelt_clip clip = *inout;
    float start = options->is_trimmed ? options->start : 0.0f;
    float end = options->is_trimmed ? fminf(options->end, clip.duration) : clip.duration;
    if (!(start >= 0.0f && start <= end))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "clip %s lasts %g s, and the part from %g s to %g s is not in it",
                              clip.name, (double)clip.duration, (double)options->start,
                              (double)options->end);
    }
    bool has_keys = options->is_trimmed || options->rate > 0.0f;
    if (has_keys && !edit_tracks(&clip, options, start, end, arena))
    {
        return pelt_error_memory(error);
    }
    if (options->root_motion != PELT_ROOT_MOTION_KEEP)
    {
        PELT_TRY(edit_root(&clip, scene, options, arena, error));
    }
    *inout = clip;
    return PELT_OK;
}
