// SPDX-License-Identifier: MIT
#include "joint_mix.h"

#include <stdlib.h>
#include <string.h>

bool joint_mix_create(joint_mix* out, const pelt_scene* scene)
{
    *out = (joint_mix){.node_count = scene->node_count, .mesh_count = scene->mesh_count};
    out->filled_mix = -1.0f;
    out->factors = calloc((size_t)scene->node_count + 1, sizeof *out->factors);
    out->vertices = calloc((size_t)scene->mesh_count + 1, sizeof *out->vertices);
    out->painted = calloc((size_t)scene->mesh_count + 1, sizeof *out->painted);
    bool is_whole = out->factors != NULL && out->vertices != NULL && out->painted != NULL;
    for (uint32_t i = 0; is_whole && i < scene->node_count; ++i)
    {
        out->factors[i] = -1.0f;
    }
    for (uint32_t i = 0; is_whole && i < scene->mesh_count; ++i)
    {
        uint32_t count = scene->meshes[i].weights.vertex_count;
        out->vertices[i] = count > 0 ? calloc(count, sizeof **out->vertices) : NULL;
        out->painted[i] = count > 0 ? calloc(count, sizeof **out->painted) : NULL;
        is_whole = count == 0 || (out->vertices[i] != NULL && out->painted[i] != NULL);
        for (uint32_t v = 0; is_whole && v < count; ++v)
        {
            out->painted[i][v] = -1.0f;
        }
    }
    return is_whole;
}

void joint_mix_destroy(joint_mix* in)
{
    for (uint32_t i = 0; in->vertices != NULL && in->painted != NULL && i < in->mesh_count; ++i)
    {
        free(in->vertices[i]);
        free(in->painted[i]);
    }
    free(in->vertices);
    free(in->painted);
    free(in->factors);
    *in = (joint_mix){0};
}

void joint_mix_set(joint_mix* inout, uint32_t node, float factor)
{
    PELT_ASSERT(node < inout->node_count);
    inout->set_count -= inout->factors[node] >= 0.0f ? 1 : 0;
    inout->set_count += factor >= 0.0f ? 1 : 0;
    inout->factors[node] = factor >= 0.0f ? fminf(factor, 1.0f) : -1.0f;
    ++inout->revision;
}

void joint_mix_paint(joint_mix* inout, uint32_t mesh, uint32_t vertex, float factor)
{
    float* painted = &inout->painted[mesh][vertex];
    inout->painted_count -= *painted >= 0.0f ? 1 : 0;
    inout->painted_count += factor >= 0.0f ? 1 : 0;
    *painted = factor >= 0.0f ? fminf(factor, 1.0f) : -1.0f;
    ++inout->revision;
}

bool joint_mix_has_any(const joint_mix* in)
{
    return in->set_count > 0 || in->painted_count > 0;
}

// ---------------------------------------------------------------------------------------------

static void fill_mesh(float* out, const joint_mix* in, const pelt_weights* weights,
                      const pelt_skin* skin, float mix)
{
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        float sum = weights->first[v] < weights->first[v + 1] ? 0.0f : mix;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            const pelt_influence* influence = &weights->influences[i];
            float own = in->factors[skin->joints[influence->joint]];
            sum += influence->weight * (own >= 0.0f ? own : mix);
        }
        out[v] = fminf(sum, 1.0f);
    }
}

static void add_paint(float* inout, const float* painted, uint32_t count)
{
    for (uint32_t v = 0; v < count; ++v)
    {
        inout[v] = painted[v] >= 0.0f ? painted[v] : inout[v];
    }
}

void joint_mix_fill(joint_mix* inout, const pelt_scene* scene, float mix, bool has_own)
{
    if (inout->filled == inout->revision && inout->filled_mix == mix &&
        inout->filled_own == has_own)
    {
        return;
    }
    // A mesh with several skins has the factors of the last.
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        float* out = inout->vertices[instance->mesh];
        if (out == NULL || instance->skin == PELT_NONE)
        {
            continue;
        }
        if (inout->set_count == 0 && has_own && mesh->mix_factors != NULL)
        {
            memcpy(out, mesh->mix_factors, mesh->weights.vertex_count * sizeof *out);
        }
        else
        {
            fill_mesh(out, inout, &mesh->weights, &scene->skins[instance->skin], mix);
        }
        add_paint(out, inout->painted[instance->mesh], mesh->weights.vertex_count);
    }
    inout->filled = inout->revision;
    inout->filled_mix = mix;
    inout->filled_own = has_own;
}
