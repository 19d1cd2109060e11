// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "factor_fixture.h"

#include "shared_rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char factor_fixture_path[64], factor_fixture_plain[64];
static char folder[32];

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
}

static uint32_t build(factor_fixture* out, const pelt_scene* scene, uint32_t limit, bool has_cors)
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
    if ((has_cors && pelt_scene_add_cors(&out->enhanced, PELT_PREPARE_ALL, &whole, NULL, out->arena,
                                         NULL) != PELT_OK) ||
        pelt_scene_add_normal_factors(&out->enhanced, PELT_PREPARE_ALL, &limits, &report,
                                      out->arena, NULL) != PELT_OK)
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

uint32_t factor_fixture_build(factor_fixture* out, pelt_scene* scene, uint32_t limit, bool has_cors)
{
    uint32_t count = build(out, scene, limit, has_cors);
    out->owned = scene;
    return count;
}

bool factor_fixture_build_rig(factor_fixture* out, const char* rig, uint32_t limit, bool has_cors)
{
    const pelt_scene* scene = shared_rig(rig);
    return scene != NULL && build(out, scene, limit, has_cors) > 0;
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
    pelt_scene_destroy(c->owned);
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
