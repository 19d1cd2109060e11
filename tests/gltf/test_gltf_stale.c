// SPDX-License-Identifier: MIT
// Centers and factors in a file whose mesh another program has changed: left out, never used.
#include "factor_fixture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What a program does to the mesh of a file, and leaves the attributes that it does not know.
typedef void (*edit)(pelt_mesh* inout, pelt_arena* arena);

static pelt_vec3* copy_points(const pelt_vec3* points, uint32_t count, pelt_arena* arena)
{
    pelt_vec3* copy = pelt_arena_alloc(arena, count, sizeof *copy);
    memcpy(copy, points, count * sizeof *copy);
    return copy;
}

static void keep(pelt_mesh* inout, pelt_arena* arena)
{
    (void)inout, (void)arena;
}

// To the cube from -1 to 1, as quantization does.
static void remap_positions(pelt_mesh* inout, pelt_arena* arena)
{
    pelt_vec3* positions = copy_points(inout->positions, inout->vertex_count, arena);
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, positions, inout->vertex_count);
    pelt_vec3 middle = pelt_vec3_scale(pelt_vec3_add(box.min, box.max), 0.5f);
    for (uint32_t v = 0; v < inout->vertex_count; ++v)
    {
        positions[v] =
            pelt_vec3_scale(pelt_vec3_sub(positions[v], middle), 2.0f / pelt_bounds_diagonal(&box));
    }
    inout->positions = positions;
}

// Onto a grid of 2^-13 m: next to nothing, and yet another mesh.
static void round_positions(pelt_mesh* inout, pelt_arena* arena)
{
    pelt_vec3* positions = copy_points(inout->positions, inout->vertex_count, arena);
    for (uint32_t v = 0; v < inout->vertex_count; ++v)
    {
        float* p = &positions[v].x;
        for (int k = 0; k < 3; ++k)
        {
            p[k] = roundf(p[k] * 8192.0f) / 8192.0f;
        }
    }
    inout->positions = positions;
}

static void bend_normals(pelt_mesh* inout, pelt_arena* arena)
{
    pelt_vec3* normals = copy_points(inout->normals, inout->vertex_count, arena);
    for (uint32_t v = 0; v < inout->vertex_count; ++v)
    {
        // Still across the tangents of the factors, to what these are checked for.
        normals[v] =
            pelt_vec3_normalize(pelt_vec3_add(normals[v], pelt_vec3_make(1e-4f, -1e-4f, 1e-4f)));
    }
    inout->normals = normals;
}

// The weight of one vertex, from one joint to the next.
static void move_weight(pelt_mesh* inout, pelt_arena* arena)
{
    pelt_weights* weights = &inout->weights;
    pelt_influence* influences =
        pelt_arena_alloc(arena, weights->influence_count, sizeof *influences);
    memcpy(influences, weights->influences, weights->influence_count * sizeof *influences);
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        pelt_influence* own = influences + weights->first[v];
        if (weights->first[v + 1] - weights->first[v] == 2 && own[0].weight < 0.9f)
        {
            own[0].weight += 0x1p-10f;
            own[1].weight -= 0x1p-10f;
            break;
        }
    }
    weights->influences = influences;
}

static void drop_triangle(pelt_mesh* inout, pelt_arena* arena)
{
    (void)arena;
    inout->index_count -= 3;
}

// ---------------------------------------------------------------------------------------------

static const char* make_digest(const pelt_mesh* mesh, pelt_arena* arena)
{
    uint64_t digest = 0;
    return pelt_cor_digest(&digest, mesh) == PELT_OK
               ? pelt_arena_format(arena, "{\"pelt_cor\": {\"digest\": \"%016" PRIx64 "\"}}",
                                   digest)
               : NULL;
}

// Write the mesh as it was left, with what belongs to the mesh as it was, and read it again.
static pelt_scene* load_edited(factor_fixture* c, edit change, bool has_digests)
{
    pelt_scene scene = c->enhanced, *again = NULL;
    pelt_mesh mesh = c->meshes[0];
    pelt_addition* additions;
    uint32_t count = factor_fixture_additions(&additions, c, 8);
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_cor = strcmp(additions[i].name, "_PELT_COR") == 0;
        additions[i].extras = !has_digests ? NULL
                              : is_cor     ? make_digest(&c->meshes[0], c->arena)
                                           : additions[i].extras;
    }
    mesh.cors = NULL;
    mesh.normal_factors = NULL;
    change(&mesh, c->arena);
    scene.meshes = &mesh;
    pelt_error error = {{0}};
    if (pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &scene, &error) != PELT_OK ||
        pelt_save_additions(factor_fixture_path, factor_fixture_plain, additions, count, &error) !=
            PELT_OK ||
        pelt_load(&again, factor_fixture_path, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        abort();
    }
    return again;
}

static uint32_t count_repairs(const pelt_scene* scene, pelt_repair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        count += scene->repairs[i].kind == kind;
    }
    return count;
}

// @param has_digests  else the file comes from another writer
static int check_edit(edit change, bool has_digests, bool keeps_cors, bool keeps_factors)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    pelt_scene* again = load_edited(&c, change, has_digests);
    const pelt_mesh* mesh = &again->meshes[0];
    ENSURE((mesh->cors != NULL) == keeps_cors);
    ENSURE((mesh->normal_factors != NULL) == keeps_factors);
    ENSURE(count_repairs(again, PELT_REPAIR_CORS_DROPPED) == !keeps_cors);
    ENSURE(count_repairs(again, PELT_REPAIR_NORMALS_DROPPED) == !keeps_factors);
    ENSURE(again->repair_count == (uint32_t)!keeps_cors + (uint32_t)!keeps_factors);
    for (uint32_t i = 0; i < again->repair_count; ++i)
    {
        ENSURE(strstr(again->repairs[i].message, "mesh \"arm\"") != NULL);
        ENSURE(strstr(again->repairs[i].message, "left out") != NULL);
    }
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

static int what_fits_is_kept(void)
{
    ENSURE(check_edit(keep, true, true, true) == 0);
    return 0;
}

static int what_does_not_fit_is_left_out(void)
{
    static const edit edits[] = {remap_positions, round_positions, move_weight, drop_triangle};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; ++i)
    {
        ENSURE(check_edit(edits[i], true, false, false) == 0);
    }
    ENSURE(check_edit(bend_normals, true, true, false) == 0);
    return 0;
}

// A grid of 2^-13 m is 1e-4 of the arm: the tolerance is ten times that. Factors have nothing that
// would tell.
static int without_a_digest_single_vertices_are_their_own_centers(void)
{
    ENSURE(check_edit(keep, false, true, false) == 0);
    ENSURE(check_edit(round_positions, false, true, false) == 0);
    ENSURE(check_edit(remap_positions, false, false, false) == 0);
    return 0;
}

// Centers that factors were not built with.
static int factors_of_other_centers_are_left_out(void)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    pelt_mesh mesh = c.meshes[0];
    pelt_vec3* cors = copy_points(mesh.cors, mesh.vertex_count, c.arena);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        bool is_single = mesh.weights.first[v + 1] - mesh.weights.first[v] < 2;
        cors[v].x += is_single ? 0.0f : 0.01f;
    }
    const pelt_addition other = {.vertex_count = mesh.vertex_count,
                                 .name = "_PELT_COR",
                                 .width = 3,
                                 .values = &cors->x,
                                 .extras = make_digest(&mesh, c.arena)};
    pelt_scene* again = NULL;
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &c.enhanced, NULL) == PELT_OK);
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_plain, &other, 1, NULL) ==
           PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->meshes[0].cors != NULL && again->meshes[0].normal_factors == NULL);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

// Write the arm with mix factors, and let a program change its mesh. Those with a digest were
// computed; those without were painted, and fit any mesh.
static pelt_scene* load_mixed(factor_fixture* c, edit change, bool is_computed)
{
    pelt_scene scene = c->enhanced, *again = NULL;
    pelt_mesh mesh = c->meshes[0];
    float* factors = pelt_arena_alloc(c->arena, mesh.vertex_count, sizeof *factors);
    memset(factors, 0, mesh.vertex_count * sizeof *factors);
    uint64_t digest = 0;
    bool is_ok = pelt_cor_digest(&digest, &mesh) == PELT_OK;
    const pelt_addition mix = {
        .vertex_count = mesh.vertex_count,
        .name = "_PELT_MIX",
        .width = 1,
        .values = factors,
        .extras = is_computed
                      ? pelt_arena_format(
                            c->arena, "{\"pelt_mix\": {\"digest\": \"%016" PRIx64 "\"}}", digest)
                      : NULL};
    change(&mesh, c->arena);
    mesh.cors = NULL;
    mesh.normal_factors = NULL;
    scene.meshes = &mesh;
    is_ok =
        is_ok && pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &scene, NULL) == PELT_OK &&
        pelt_save_additions(factor_fixture_path, factor_fixture_plain, &mix, 1, NULL) == PELT_OK &&
        pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK;
    return is_ok ? again : NULL;
}

static int mix_factors_are_left_out_only_if_they_were_computed(void)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    static const edit edits[] = {keep, round_positions, move_weight, drop_triangle};
    for (size_t i = 0; i < 2 * sizeof edits / sizeof edits[0]; ++i)
    {
        bool is_computed = i % 2 == 0, is_kept = !is_computed || i < 2;
        pelt_scene* again = load_mixed(&c, edits[i / 2], is_computed);
        ENSURE(again != NULL);
        ENSURE((again->meshes[0].mix_factors != NULL) == is_kept);
        ENSURE(again->meshes[0].is_mix_computed == (is_computed && is_kept));
        ENSURE(count_repairs(again, PELT_REPAIR_MIX_DROPPED) == !is_kept);
        ENSURE(again->repair_count == (uint32_t)!is_kept);
        // Enhanced again, the file has none that do not fit.
        pelt_source source;
        pelt_scene* mended = NULL;
        ENSURE(pelt_source_read(&source, factor_fixture_path, NULL) == PELT_OK);
        ENSURE(pelt_save_enhanced(factor_fixture_plain, &source, again, NULL) == PELT_OK);
        pelt_source_release(&source);
        ENSURE(pelt_load(&mended, factor_fixture_plain, NULL, NULL) == PELT_OK);
        ENSURE(mended->repair_count == 0);
        ENSURE((mended->meshes[0].mix_factors != NULL) == is_kept);
        ENSURE(mended->meshes[0].is_mix_computed == again->meshes[0].is_mix_computed);
        pelt_scene_destroy(mended);
        // And a scene that is written whole says the same.
        ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, again, NULL) == PELT_OK);
        ENSURE(pelt_load(&mended, factor_fixture_plain, NULL, NULL) == PELT_OK);
        ENSURE(mended->meshes[0].is_mix_computed == again->meshes[0].is_mix_computed);
        pelt_scene_destroy(mended);
        pelt_scene_destroy(again);
    }
    factor_fixture_free(&c);
    return 0;
}

static int pruned_weights_leave_no_centers(void)
{
    factor_fixture c;
    pelt_scene* again = NULL;
    const pelt_load_options one = {.max_influences = 1};
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    ENSURE(pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &c.enhanced, NULL) == PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, &one, NULL) == PELT_OK);
    ENSURE(again->meshes[0].cors == NULL && again->meshes[0].normal_factors == NULL);
    ENSURE(count_repairs(again, PELT_REPAIR_CORS_DROPPED) == 1);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

// Vertices and triangles backwards, and the attributes with them.
static int another_order_keeps_what_fits(void)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    const pelt_mesh* mesh = &c.meshes[0];
    uint32_t count = mesh->vertex_count, used = 0;
    pelt_mesh other = *mesh;
    pelt_vec3* positions = copy_points(mesh->positions, count, c.arena);
    pelt_vec3* normals = copy_points(mesh->normals, count, c.arena);
    pelt_vec3* cors = copy_points(mesh->cors, count, c.arena);
    uint32_t* first = pelt_arena_alloc(c.arena, count + 1, sizeof *first);
    uint32_t* indices = pelt_arena_alloc(c.arena, mesh->index_count, sizeof *indices);
    pelt_influence* influences =
        pelt_arena_alloc(c.arena, mesh->weights.influence_count, sizeof *influences);
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t from = count - 1 - v;
        positions[v] = mesh->positions[from];
        normals[v] = mesh->normals[from];
        cors[v] = mesh->cors[from];
        for (uint32_t i = mesh->weights.first[from]; i < mesh->weights.first[from + 1]; ++i)
        {
            influences[used++] = mesh->weights.influences[i];
        }
        first[v + 1] = used;
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        indices[i] = count - 1 - mesh->indices[mesh->index_count - 1 - i];
    }
    other.positions = positions;
    other.normals = normals;
    other.indices = indices;
    other.weights.first = first;
    other.weights.influences = influences;
    other.cors = NULL;
    other.normal_factors = NULL;
    other.tangents = NULL;
    other.morph_count = 0;
    const pelt_addition addition = {.vertex_count = count,
                                    .name = "_PELT_COR",
                                    .width = 3,
                                    .values = &cors->x,
                                    .extras = make_digest(mesh, c.arena)};
    pelt_scene scene = c.enhanced, *again = NULL;
    scene.meshes = &other;
    scene.morph_weight_count = 0;
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &scene, NULL) == PELT_OK);
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_plain, &addition, 1, NULL) ==
           PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->repair_count == 0 && again->meshes[0].cors != NULL);
    ENSURE(memcmp(again->meshes[0].cors, cors, count * sizeof *cors) == 0);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

// A deformed mesh has no weights, so nothing of pelt's belongs to it.
static int surfaces_carry_neither(void)
{
    factor_fixture c;
    pelt_scene* again = NULL;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm", 8, true));
    const pelt_surface surface = {.positions = (pelt_vec3*)c.meshes[0].positions,
                                  .normals = (pelt_vec3*)c.meshes[0].normals};
    ENSURE(pelt_save_surfaces(factor_fixture_path, PELT_FORMAT_GLB, &c.enhanced, &surface, NULL) ==
           PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->repair_count == 0);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

void test_gltf_stale(void)
{
    RUN(factor_fixture_folder_is_made);
    RUN(what_fits_is_kept);
    RUN(what_does_not_fit_is_left_out);
    RUN(without_a_digest_single_vertices_are_their_own_centers);
    RUN(factors_of_other_centers_are_left_out);
    RUN(mix_factors_are_left_out_only_if_they_were_computed);
    RUN(pruned_weights_leave_no_centers);
    RUN(another_order_keeps_what_fits);
    RUN(surfaces_carry_neither);
    factor_fixture_close();
}
