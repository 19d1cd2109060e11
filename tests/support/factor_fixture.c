// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "factor_fixture.h"

#include "rigs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char factor_fixture_path[64], factor_fixture_plain[64];
static char folder[32];

enum
{
    RIG_MAX = 8,
};

// A character takes half a second to build, and facts ask for the same few again and again.
static struct
{
    const char* name;
    pelt_scene* scene;
} rigs[RIG_MAX];

int factor_fixture_folder_is_made(void)
{
    strcpy(folder, "/tmp/pelt_test_XXXXXX");
    ENSURE(mkdtemp(folder) != NULL);
    snprintf(factor_fixture_path, sizeof factor_fixture_path, "%s/factored.glb", folder);
    snprintf(factor_fixture_plain, sizeof factor_fixture_plain, "%s/plain.glb", folder);
    return 0;
}

void factor_fixture_close(void)
{
    remove(factor_fixture_path);
    remove(factor_fixture_plain);
    rmdir(folder);
    for (int i = 0; i < RIG_MAX; ++i)
    {
        pelt_scene_destroy(rigs[i].scene);
        rigs[i].scene = NULL;
        rigs[i].name = NULL;
    }
}

/// @return NULL on failure; belongs to the fixture
static pelt_scene* rig_of(const char* name)
{
    int i = 0;
    while (i < RIG_MAX - 1 && rigs[i].name != NULL && strcmp(rigs[i].name, name) != 0)
    {
        ++i;
    }
    if (rigs[i].name == NULL || strcmp(rigs[i].name, name) != 0)
    {
        pelt_scene_destroy(rigs[i].scene);
        rigs[i].scene = NULL;
        rigs[i].name = pelt_rig_build(&rigs[i].scene, name, NULL) == PELT_OK ? name : NULL;
    }
    return rigs[i].scene;
}

uint32_t factor_fixture_build(factor_fixture* out, pelt_scene* scene, uint32_t limit, bool has_cors)
{
    *out = (factor_fixture){.scene = scene, .enhanced = *scene, .arena = pelt_arena_create()};
    if (scene->mesh_count > FACTOR_FIXTURE_MESH_MAX)
    {
        return 0;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        out->meshes[i] = scene->meshes[i];
        out->meshes[i].cors = NULL;
        out->meshes[i].normal_factors = NULL;
    }
    out->enhanced.meshes = out->meshes;
    // Whole triangles: this is about files.
    const pelt_cor_options whole = {.epsilon = -1.0f};
    const pelt_scene_normal_options limits = {.max_joints = limit};
    pelt_scene_normal_report report;
    if ((has_cors && pelt_scene_add_cors(&out->enhanced, PELT_PREPARE_ALL, &whole, NULL,
                                         out->arena) != PELT_OK) ||
        pelt_scene_add_normal_factors(&out->enhanced, PELT_PREPARE_ALL, &limits, &report,
                                      out->arena) != PELT_OK)
    {
        return 0;
    }
    // Into the fixture, for tests to change.
    memcpy(out->meshes, out->enhanced.meshes, scene->mesh_count * sizeof *out->meshes);
    out->enhanced.meshes = out->meshes;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (out->meshes[i].normal_factors != NULL)
        {
            out->factors[i] = *out->meshes[i].normal_factors;
            out->meshes[i].normal_factors = &out->factors[i];
        }
    }
    return report.mesh_count;
}

bool factor_fixture_build_rig(factor_fixture* out, const char* rig, uint32_t limit, bool has_cors)
{
    pelt_scene* scene = rig_of(rig);
    if (scene == NULL || factor_fixture_build(out, scene, limit, has_cors) == 0)
    {
        return false;
    }
    out->is_scene_shared = true;
    return true;
}

bool factor_fixture_quantize(factor_fixture* inout, uint32_t bits)
{
    bool is_ok = true;
    for (uint32_t i = 0; i < inout->enhanced.mesh_count && is_ok; ++i)
    {
        pelt_normal_factors source = inout->factors[i];
        is_ok = inout->meshes[i].normal_factors == NULL ||
                pelt_normal_factors_quantize(&inout->factors[i], &source, bits, inout->arena) ==
                    PELT_OK;
    }
    return is_ok;
}

void factor_fixture_free(factor_fixture* c)
{
    pelt_arena_destroy(c->arena);
    if (!c->is_scene_shared)
    {
        pelt_scene_destroy(c->scene);
    }
}

uint32_t factor_fixture_additions(pelt_addition** out, const factor_fixture* c, uint32_t slots)
{
    uint32_t count = 0;
    *out = pelt_arena_alloc(c->arena, (size_t)c->enhanced.mesh_count * 64, sizeof **out);
    for (uint32_t i = 0; i < c->enhanced.mesh_count; ++i)
    {
        pelt_addition* some;
        uint32_t more;
        if (c->meshes[i].normal_factors == NULL)
        {
            continue;
        }
        if (pelt_normal_additions(&some, &more, i, &c->meshes[i], slots, c->arena) != PELT_OK)
        {
            return 0;
        }
        memcpy(*out + count, some, more * sizeof *some);
        count += more;
        if (c->meshes[i].cors != NULL)
        {
            (*out)[count++] = (pelt_addition){.mesh = i,
                                              .vertex_count = c->meshes[i].vertex_count,
                                              .name = "_PELT_COR",
                                              .width = 3,
                                              .values = &c->meshes[i].cors->x};
        }
    }
    return count;
}
