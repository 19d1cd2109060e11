// SPDX-License-Identifier: MIT
#include "crowd_compare.h"

#include <string.h>

// What is compared, while it is.
typedef struct crowd_run
{
    const crowd_case* c;
    pelt_gl* gl;
    const pelt_gl_crowd* crowd;
    const pelt_gl_mesh* mesh;
    uint32_t first_joint;
    pelt_mat34* matrices; // of all joints
    pelt_palette palette; // of those of the mesh
} crowd_run;

// A mesh without weights follows one joint.
static void move_rigidly(pelt_surface* out, const pelt_mesh* mesh, const pelt_mat34* matrix)
{
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        out->positions[v] = pelt_mat34_point(matrix, mesh->positions[v]);
    }
    out->normals = NULL;
    out->tangents = NULL;
}

static int find_expected(pelt_surface* out, crowd_run* run, uint32_t i, pelt_arena* arena)
{
    const crowd_case* c = run->c;
    const pelt_mesh* mesh = c->how.mesh;
    if (c->baked->encoding == PELT_ENCODING_VERTEX)
    {
        *out = gl_surface_make(mesh, arena);
        pelt_unbake_vertices(out, c->baked, c->instance, mesh, &c->playbacks[i]);
        out->tangents = NULL;
        return 0;
    }
    pelt_unbake(run->matrices, c->baked, &c->playbacks[i]);
    memcpy(run->palette.matrices, run->matrices + run->first_joint,
           run->palette.joint_count * sizeof *run->matrices);
    pelt_palette_decompose(&run->palette);
    if (mesh->weights.vertex_count == 0)
    {
        *out = gl_surface_make(mesh, arena);
        move_rigidly(out, mesh, &run->palette.matrices[0]);
        return 0;
    }
    gl_case reference = c->how;
    reference.palette = &run->palette;
    return gl_reference(out, &reference, arena);
}

static int compare_one(gl_difference* worst, crowd_run* run, uint32_t i)
{
    const crowd_case* c = run->c;
    pelt_arena* arena = pelt_arena_create();
    pelt_error error = {0};
    pelt_surface expected = {0}, got = gl_surface_make(c->how.mesh, arena);
    pelt_gl_crowd_skin_desc desc = {.crowd = run->crowd,
                                    .mesh = run->mesh,
                                    .instance = i,
                                    .first_joint = run->first_joint,
                                    .method = c->how.method,
                                    .scale = c->scale,
                                    .mix = c->how.mix};
    int failed = pelt_gl_crowd_skin(&got, run->gl, &desc, &error) != PELT_OK;
    if (failed)
    {
        printf("  %s\n", error.message);
    }
    gl_case how = c->how;
    how.palette = &run->palette;
    failed = failed || find_expected(&expected, run, i, arena) ||
             gl_compare_surfaces(worst, &expected, &got, &how);
    pelt_arena_destroy(arena);
    return failed;
}

enum
{
    // Mesa takes a vertex array that has changed more often for one of another kind, for which
    // llvmpipe compiles the program anew.
    MESH_USES = 4
};

// A range of the playbacks.
static int compare_some(gl_difference* worst, crowd_run* run, pelt_range range)
{
    const crowd_case* c = run->c;
    pelt_gl_mesh mesh;
    bool has_vertices = c->baked->encoding == PELT_ENCODING_VERTEX;
    pelt_gl_mesh_options options = {
        .cors = c->how.cors,
        .normal_factors = c->how.factors,
        .normal_rule = c->how.rule,
        .vertex_ids = has_vertices ? c->baked->instances[c->instance].vertex_ids : NULL};
    ENSURE(pelt_gl_mesh_create(&mesh, run->gl, c->how.mesh, &options, NULL) == PELT_OK);
    run->mesh = &mesh;
    int failed = 0;
    for (uint32_t i = range.first; i < range.first + range.count && !failed; ++i)
    {
        failed = compare_one(worst, run, i);
    }
    pelt_gl_mesh_destroy(&mesh);
    return failed;
}

static int compare_all(gl_difference* worst, pelt_gl* gl, const crowd_case* c,
                       const pelt_gl_crowd* crowd)
{
    uint32_t joint_count = c->baked->joint_count > 0 ? c->baked->joint_count : 1;
    crowd_run run = {.c = c, .gl = gl, .crowd = crowd};
    pelt_arena* arena = pelt_arena_create();
    bool is_skinned = c->instance != PELT_NONE && c->baked->encoding != PELT_ENCODING_VERTEX;
    run.first_joint = is_skinned ? c->baked->instances[c->instance].first : 0;
    uint32_t palette_count =
        is_skinned ? c->baked->instances[c->instance].joint_count : joint_count;
    run.matrices = pelt_arena_alloc(arena, joint_count, sizeof *run.matrices);
    ENSURE(run.matrices != NULL);
    ENSURE(pelt_palette_create(&run.palette, palette_count > 0 ? palette_count : 1) == PELT_OK);
    int failed = 0;
    for (uint32_t i = 0; i < c->count && !failed; i += MESH_USES)
    {
        uint32_t rest = c->count - i;
        failed = compare_some(worst, &run, (pelt_range){i, rest < MESH_USES ? rest : MESH_USES});
    }
    pelt_palette_destroy(&run.palette);
    pelt_arena_destroy(arena);
    return failed;
}

int crowd_compare(gl_difference* worst, pelt_gl* gl, const crowd_case* cases, uint32_t case_count)
{
    pelt_gl_baked texture;
    pelt_gl_crowd crowd;
    pelt_error error = {0};
    const crowd_case* c = &cases[0];
    ENSURE(pelt_gl_baked_create(&texture, gl, c->baked, &error) == PELT_OK);
    // Textures of any width share a program: software takes a second to compile one.
    texture.format.width = 0;
    if (pelt_gl_crowd_create(&crowd, gl, &texture, c->count, c->kind, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    ENSURE(crowd.kind == c->kind);
    pelt_gl_crowd_update(&crowd, c->playbacks, c->count);
    ENSURE(pelt_gl_crowd_pose(&crowd, &error) == PELT_OK);
    int failed = 0;
    for (uint32_t i = 0; i < case_count && !failed; ++i)
    {
        failed = compare_all(worst, gl, &cases[i], &crowd);
    }
    pelt_gl_crowd_destroy(&crowd);
    pelt_gl_baked_destroy(&texture);
    return failed;
}
