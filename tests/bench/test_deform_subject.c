// SPDX-License-Identifier: MIT
// Characters of any size and number of influences.
#include "deform/deform_plan.h"
#include "deform/deform_subject.h"
#include "test.h"

#include <math.h>
#include <string.h>

// For all facts, as the rig of it takes longer than they do.
static deform_subject small;

static double mean_of(const pelt_vec3* normals, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t v = 0; v < count; ++v)
    {
        sum += (double)pelt_vec3_length(normals[v]);
    }
    return sum / count;
}

static int every_vertex_has_as_many_joints_as_asked_for(void)
{
    for (uint32_t influences = 1; influences <= 8; ++influences)
    {
        ENSURE(deform_subject_prepare(&small, 2000, influences, NULL) == PELT_OK);
        const pelt_weights* weights = &small.mesh.weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            double sum = 0.0;
            ENSURE(weights->first[v + 1] - weights->first[v] == influences);
            for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
            {
                sum += (double)weights->influences[i].weight;
            }
            ENSURE_NEAR(sum, 1.0, 1e-6);
        }
    }
    ENSURE(deform_subject_prepare(&small, 2000, DEFORM_OWN_INFLUENCES, NULL) == PELT_OK);
    ENSURE(small.mesh.weights.influences == small.scene->meshes[0].weights.influences);
    return 0;
}

// A large one is the character several times, 2 m apart, each with its own triangles.
static int a_large_character_is_copies_of_a_small_one(void)
{
    deform_subject subject = {0};
    ENSURE(deform_subject_prepare(&subject, 70000, DEFORM_OWN_INFLUENCES, NULL) == PELT_OK);
    const pelt_mesh *mesh = &subject.mesh, *one = &subject.scene->meshes[0];
    uint32_t count = one->vertex_count;
    ENSURE(mesh->vertex_count == 3 * count && mesh->index_count == 3 * one->index_count);
    ENSURE(mesh->weights.first[3 * count] == 3 * one->weights.influence_count);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t copy = v / count, from = v % count;
        const pelt_weights* weights = &mesh->weights;
        pelt_vec3 p = one->positions[from];
        ENSURE_POINT(mesh->positions[v], pelt_vec3_make(p.x + 2.0f * (float)copy, p.y, p.z), 1e-6);
        ENSURE(memcmp(&weights->influences[weights->first[v]],
                      &one->weights.influences[one->weights.first[from]],
                      (weights->first[v + 1] - weights->first[v]) * sizeof(pelt_influence)) == 0);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        ENSURE(mesh->indices[i] ==
               one->indices[i % one->index_count] + count * (i / one->index_count));
    }
    ENSURE_NEAR(mean_of(mesh->normals, mesh->vertex_count), 1.0, 1e-5);
    deform_subject_destroy(&subject);
    return 0;
}

// By chance they would begin elsewhere after another character, and memory take a quarter longer.
static int surfaces_begin_with_a_cache_line(void)
{
    for (uint32_t influences = 1; influences <= 3; ++influences)
    {
        ENSURE(deform_subject_prepare(&small, 2000, influences, NULL) == PELT_OK);
        ENSURE((uintptr_t)small.out.positions % 64 == 0);
        ENSURE((uintptr_t)small.out.normals % 64 == 0);
    }
    return 0;
}

// For other weights the rig is not built again, but whatever follows from weights is.
static int a_character_serves_again(void)
{
    ENSURE(deform_subject_prepare(&small, 2000, 2, NULL) == PELT_OK);
    const pelt_scene* scene = small.scene;
    const pelt_normal_factors* factors = deform_subject_factors(&small);
    ENSURE(factors != NULL && factors->vertex_count == small.mesh.vertex_count);
    ENSURE(deform_subject_factors(&small) == factors);
    ENSURE(deform_subject_prepare(&small, 2000, 3, NULL) == PELT_OK);
    ENSURE(small.scene == scene && small.factors.vertex_count == 0);
    return 0;
}

void test_deform_subject(void)
{
    RUN(every_vertex_has_as_many_joints_as_asked_for);
    RUN(a_large_character_is_copies_of_a_small_one);
    RUN(surfaces_begin_with_a_cache_line);
    RUN(a_character_serves_again);
    deform_subject_destroy(&small);
}
