// SPDX-License-Identifier: MIT
// Centres of rotation for every skinned mesh of a frame.
#include "centres.h"

#include "clock.h"
#include "message.h"
#include "progress.h"

#include <stdlib.h>

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.vertex_count > 0;
}

static pelt_result compute(centres* out, uint32_t mesh_index, const pelt_mesh* mesh, float sigma)
{
    pelt_cor_options options = {.sigma = sigma};
    pelt_cor_input input = {1, &mesh};
    out->computed[mesh_index] = pelt_allocate(mesh->vertex_count, sizeof(pelt_vec3));
    return out->computed[mesh_index] != NULL
               ? pelt_cor_solve(&out->computed[mesh_index], &input, &options, NULL)
               : PELT_ERROR_MEMORY;
}

int centres_create(centres* out, pelt_frame* frame, const pelt_scene* scene, centres_source source,
                   float sigma)
{
    *out = (centres){.mesh_count = scene->mesh_count};
    out->computed = calloc((size_t)scene->mesh_count + 1, sizeof *out->computed);
    pelt_result result = out->computed != NULL ? PELT_OK : PELT_ERROR_MEMORY;

    double start = clock_seconds();
    progress_begin("computing centres of rotation");
    for (uint32_t i = 0; result == PELT_OK && i < scene->mesh_count; ++i)
    {
        bool is_wanted = source == CENTRES_FULL || frame->cors[i] == NULL;
        if (is_skinned(&scene->meshes[i]) && is_wanted)
        {
            result = compute(out, i, &scene->meshes[i], sigma);
            frame->cors[i] = out->computed[i];
        }
    }
    progress_end();
    out->seconds = clock_seconds() - start;

    if (result != PELT_OK)
    {
        centres_destroy(out);
        return message_memory();
    }
    return EXIT_DONE;
}

void centres_destroy(centres* in)
{
    for (uint32_t i = 0; in->computed != NULL && i < in->mesh_count; ++i)
    {
        pelt_release(in->computed[i]);
    }
    free(in->computed);
    *in = (centres){0};
}
