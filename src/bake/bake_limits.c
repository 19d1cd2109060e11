// SPDX-License-Identifier: MIT
// Checks limits before anything is allocated, with 64-bit counts: times and transforms come from a
// file, and a small file may contain extreme values.
#include "../base/exact.h"

#include "bake_work.h"

#include "../scene/scene_private.h"

// Meters. Squares of distances, and sums of some of them, stay below FLT_MAX.
static const float farthest = 1e18f;

static bool is_near(float value)
{
    return fabsf(value) <= farthest; // false for NaN
}

// ---------------------------------------------------------------------------------------------
// Finite

pelt_result pelti_bake_check_rest(const pelti_bake_source* source, pelt_error* error)
{
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        if (own->is_used && !(is_near(own->scale) && is_near(own->scale * own->origin_reach) &&
                              is_near(own->scale * own->center_reach)))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "joint \"%.100s\" moves its vertices to infinity at rest; its "
                                  "node or its inverse bind matrix has an extreme scale, which "
                                  "pelt doctor finds",
                                  own->name);
        }
    }
    return is_near(source->size) && source->height > 0.0f
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "the character at rest is not finite; pelt doctor finds where");
}

// Whether a motion keeps the vertices of a joint near.
static bool is_motion_near(const pelt_mat34* motion, const pelti_bake_joint* joint)
{
    pelt_vec3 at = pelt_mat34_point(motion, joint->center);
    bool is_ok = is_near(at.x) && is_near(at.y) && is_near(at.z);
    for (int i = 0; i < 12; ++i)
    {
        float value = motion->m[i / 4][i % 4];
        is_ok = is_ok && is_near(value) && (i % 4 == 3 || is_near(value * joint->center_reach));
    }
    return is_ok;
}

pelt_result pelti_bake_check_samples(const pelti_bake_work* work, pelt_error* error)
{
    uint32_t joint_count = work->source.joint_count;
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        const pelti_samples* samples = &work->clips[c].samples;
        for (size_t i = 0; i < (size_t)samples->count * joint_count; ++i)
        {
            const pelti_bake_joint* joint = &work->source.joints[i % joint_count];
            if (!is_motion_near(&samples->motions[i], joint))
            {
                return pelt_error_set(error, PELT_ERROR_DATA,
                                      "clip %.100s moves joint \"%.100s\" to infinity; leave the "
                                      "clip out, or repair its keys",
                                      work->clips[c].clip->name, joint->name);
            }
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Memory

enum
{
    SCENE_FACTOR = 128,
    SAMPLES_PER_INTERVAL = 8, // at most, before a search tries other rates
    // Bytes of the motion of a joint at a sample: as sampled and as decoded, with scratch memory.
    MOTION_BYTES = 2 * sizeof(pelt_mat34) + 24,
    // Bytes of a vertex in a key: as floats, as bits, and again as bits in the texture.
    VERTEX_BYTES = 32,
};

static const double base_memory = 320e6;

static double scene_bytes(const pelt_scene* scene)
{
    double bytes = 0.0;
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        for (uint32_t t = 0; t < scene->clips[c].track_count; ++t)
        {
            const pelt_track* track = &scene->clips[c].tracks[t];
            bytes += 4.0 * track->key_count * (1.0 + track->width);
        }
    }
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        const pelt_mesh* mesh = &scene->meshes[m];
        bytes += 24.0 * mesh->vertex_count + 8.0 * mesh->weights.influence_count;
    }
    return bytes;
}

// Memory for the runs of a clip, from sampling until they are in the texture.
static double clip_bytes(const pelti_bake_work* work, const pelti_bake_clip* clip)
{
    bool has_vertices = work->options.encoding == PELT_ENCODING_VERTEX;
    pelti_sample_counts counts =
        pelti_clip_count_samples(&clip->source_times, SAMPLES_PER_INTERVAL);
    // A search keeps a second copy of all samples, for a table that clips share.
    double copies = work->options.has_budget && !has_vertices ? 2.0 : 1.0;
    double bytes = copies * MOTION_BYTES * (double)counts.samples * work->source.joint_count;
    return has_vertices ? bytes + VERTEX_BYTES * (double)counts.keys * work->source.vertices.count
                        : bytes;
}

pelt_result pelti_bake_check_memory(pelti_bake_work* inout, pelt_error* error)
{
    double limit = inout->options.max_memory > 0
                       ? (double)inout->options.max_memory
                       : base_memory + SCENE_FACTOR * scene_bytes(inout->source.scene);
    double bytes = 0.0, most = -1.0;
    const pelti_bake_clip* longest = NULL;
    for (uint32_t i = 0; i < inout->clip_count; ++i)
    {
        double own = clip_bytes(inout, &inout->clips[i]);
        bytes += own;
        longest = own > most ? &inout->clips[i] : longest;
        most = fmax(most, own);
    }
    for (uint32_t i = 0; i < inout->clip_count; ++i)
    {
        inout->clips[i].most_rate = limit / bytes;
    }
    if (bytes <= limit)
    {
        return PELT_OK;
    }
    pelti_sample_counts counts = pelti_clip_count_samples(&longest->source_times, 1);
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "baking would take %.1f GB, more than the %.1f GB allowed: clip %.100s "
                          "has %.4g keys in %.4g s; bake fewer clips (--clip), at a lower rate "
                          "(--rate), or allow more (--max-memory)",
                          1e-9 * bytes, 1e-9 * limit, longest->clip->name, (double)counts.keys,
                          (double)longest->clip->duration);
}

// ---------------------------------------------------------------------------------------------
// Morph targets

enum
{
    CURVE_PARTS = 4, // of an interval between two keys of a cubic track
};

// The largest displacement of a vertex by each target with weight 1, in units of the mesh.
static bool find_reaches(float* out, const pelt_mesh* mesh)
{
    bool is_any = false;
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        float square = 0.0f;
        const pelt_vec3* deltas = mesh->morphs[i].positions;
        for (uint32_t v = 0; deltas != NULL && v < mesh->vertex_count; ++v)
        {
            square = fmaxf(square, pelt_vec3_dot(deltas[v], deltas[v]));
        }
        out[i] = sqrtf(square);
        is_any = is_any || square > 0.0f;
    }
    return is_any;
}

// The largest scale from the bind pose to the model among the joints of an instance.
static double largest_scale(const pelti_bake_source* source, uint32_t instance)
{
    uint32_t skin = source->scene->instances[instance].skin;
    uint32_t count = skin == PELT_NONE ? 1 : source->scene->skins[skin].joint_count;
    const pelti_bake_joint* joints = source->joints + source->first_joints[instance];
    double scale = 0.0;
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        scale = joints[joint].is_used ? fmax(scale, (double)joints[joint].scale) : scale;
    }
    return scale;
}

// Bound on the displacement by the weights at a time relative to the default weights.
static double motion_at(float* weights, const pelt_track* track, const pelt_mesh* mesh,
                        const float* reaches, float time)
{
    double distance = 0.0;
    pelti_track_sample(weights, track, time);
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        float usual = mesh->morph_weights != NULL ? mesh->morph_weights[i] : 0.0f;
        distance += fabs((double)weights[i] - (double)usual) * (double)reaches[i];
    }
    return distance;
}

static double track_motion(const pelt_track* track, const pelti_bake_source* source)
{
    const pelt_mesh* mesh = &source->scene->meshes[source->scene->instances[track->target].mesh];
    float* reaches = pelt_allocate(mesh->morph_count, 2 * sizeof *reaches);
    if (reaches == NULL)
    {
        return INFINITY; // unknown
    }
    float* weights = reaches + mesh->morph_count;
    double most = 0.0;
    bool is_any = find_reaches(reaches, mesh);
    uint32_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? CURVE_PARTS : 1;
    for (uint32_t key = 0; is_any && key < track->key_count; ++key)
    {
        float start = track->times[key];
        float end = key + 1 < track->key_count ? track->times[key + 1] : start;
        for (uint32_t i = 0; i < parts; ++i)
        {
            float time = start + (end - start) * ((float)i / (float)parts);
            most = fmax(most, motion_at(weights, track, mesh, reaches, time));
        }
    }
    pelt_release(reaches);
    return most * largest_scale(source, track->target);
}

double pelti_clip_morph_motion(uint32_t* instance, const pelti_bake_source* source,
                               const pelt_clip* clip)
{
    double most = 0.0;
    for (uint32_t t = 0; t < clip->track_count; ++t)
    {
        const pelt_track* track = &clip->tracks[t];
        double own = track->path == PELT_PATH_MORPH ? track_motion(track, source) : 0.0;
        if (own > most && instance != NULL)
        {
            *instance = track->target;
        }
        most = fmax(most, own);
    }
    return most;
}

double pelti_morph_tolerance(const pelti_bake_source* source)
{
    return 1e-6 * (double)source->height;
}

pelt_result pelti_bake_check_morphs(const pelti_bake_work* work, pelt_error* error)
{
    const pelt_bake_options* options = &work->options;
    if (options->encoding == PELT_ENCODING_VERTEX || options->has_no_morphs)
    {
        return PELT_OK;
    }
    const pelt_scene* scene = work->source.scene;
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        uint32_t instance = 0;
        const pelt_clip* clip = work->clips[c].clip;
        double motion = pelti_clip_morph_motion(&instance, &work->source, clip);
        if (motion > pelti_morph_tolerance(&work->source))
        {
            const char* name = scene->meshes[scene->instances[instance].mesh].name;
            return pelt_error_set(
                error, PELT_ERROR_UNSUPPORTED,
                "clip %.100s animates morph targets of mesh \"%.100s\", by at most "
                "%.3g mm, and encoding %s stores joints only: bake vertices "
                "(--encoding vertex), or leave morph targets out (--force)",
                clip->name, name != NULL ? name : "", 1e3 * motion,
                pelt_encoding_name(options->encoding));
        }
    }
    return PELT_OK;
}
