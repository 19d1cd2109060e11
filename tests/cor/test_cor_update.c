// SPDX-License-Identifier: MIT
// Centers after a stroke of a painting tool: those of a new solve, to the last bit.
#include "shared_rig.h"

#include <stdlib.h>
#include <string.h>

typedef struct painting
{
    const pelt_scene* scene;
    pelt_arena* arena;
    pelt_mesh mesh;      // with the weights after the stroke
    pelt_weights before; // of the rig
    uint32_t* joints;    // SLOTS per vertex
    float* weights;
    pelt_vec3 *updated, *solved, *untouched;
} painting;

enum
{
    SLOTS = 9
};

static bool make_painting(painting* out, const char* rig)
{
    *out = (painting){.scene = shared_rig(rig), .arena = pelt_arena_create()};
    if (out->scene == NULL)
    {
        return false;
    }
    out->mesh = out->scene->meshes[0];
    out->before = out->mesh.weights;
    uint32_t count = out->mesh.vertex_count;
    out->joints = pelt_arena_alloc(out->arena, (size_t)count * SLOTS, sizeof *out->joints);
    out->weights = pelt_arena_alloc(out->arena, (size_t)count * SLOTS, sizeof *out->weights);
    out->updated = pelt_arena_alloc(out->arena, count, sizeof *out->updated);
    out->solved = pelt_arena_alloc(out->arena, count, sizeof *out->solved);
    out->untouched = pelt_arena_alloc(out->arena, count, sizeof *out->untouched);
    for (uint32_t v = 0; v < count; ++v)
    {
        for (uint32_t i = out->before.first[v]; i < out->before.first[v + 1]; ++i)
        {
            uint32_t slot = v * SLOTS + i - out->before.first[v];
            out->joints[slot] = out->before.influences[i].joint;
            out->weights[slot] = out->before.influences[i].weight;
        }
    }
    return true;
}

static void free_painting(painting* p)
{
    pelt_arena_destroy(p->arena);
}

// Give a joint some weight on the `count` vertices nearest to one. Returns how many were painted.
static uint32_t paint(painting* p, uint32_t center, float radius, uint32_t joint, float weight)
{
    uint32_t painted = 0;
    for (uint32_t v = 0; v < p->mesh.vertex_count; ++v)
    {
        float d = pelt_vec3_distance(p->mesh.positions[v], p->mesh.positions[center]);
        if (d < radius)
        {
            p->joints[v * SLOTS + SLOTS - 1] = joint;
            p->weights[v * SLOTS + SLOTS - 1] = weight * (1.0f - d / radius);
            ++painted;
        }
    }
    return painted;
}

static bool bind(painting* p)
{
    pelt_weights_source source = {.vertex_count = p->mesh.vertex_count,
                                  .joint_count = p->before.joint_count,
                                  .per_vertex = SLOTS,
                                  .joints_u32 = p->joints,
                                  .weights = p->weights};
    return pelt_weights_import(&p->mesh.weights, NULL, &source, p->arena) == PELT_OK;
}

// Solve before, paint, and compare update and solve. Returns 0 when they are equal to the bit.
static int check_stroke(painting* p, const pelt_cor_options* options, pelt_cor_report* report)
{
    const pelt_mesh *old_mesh = &p->scene->meshes[0], *new_mesh = &p->mesh;
    const pelt_weights* before = &p->before;
    size_t size = p->mesh.vertex_count * sizeof *p->updated;
    ENSURE(pelt_cor_solve(&p->updated, &(pelt_cor_input){1, &old_mesh}, options, NULL, NULL) ==
           PELT_OK);
    memcpy(p->untouched, p->updated, size);
    ENSURE(pelt_cor_update(&p->updated, &(pelt_cor_input){1, &new_mesh}, &before, options, report,
                           NULL) == PELT_OK);
    ENSURE(pelt_cor_solve(&p->solved, &(pelt_cor_input){1, &new_mesh}, options, NULL, NULL) ==
           PELT_OK);
    ENSURE(memcmp(p->updated, p->solved, size) == 0);
    return 0;
}

static int update_is_a_new_solve(void)
{
    for (int i = 0; i < PELT_COR_SOLVER_COUNT * 2; ++i)
    {
        painting p;
        ENSURE(make_painting(&p, "arm?vertices=2000"));
        pelt_cor_options options = {.solver = (pelt_cor_solver)(i / 2),
                                    .epsilon = i % 2 == 0 ? -1.0f : 0.0f};
        uint32_t last = p.mesh.vertex_count - 1;
        ENSURE(paint(&p, last / 2, 0.08f, 2, 0.3f) > 5 && bind(&p));
        pelt_cor_report report;
        ENSURE(check_stroke(&p, &options, &report) == 0);
        ENSURE(memcmp(p.untouched, p.updated, p.mesh.vertex_count * sizeof *p.updated) != 0);
        free_painting(&p);
    }
    return 0;
}

// How weights of a pair are stretched over its table follows from all of them, those of vertices
// that the stroke does not concern too.
static int update_of_many_influences_is_a_new_solve(void)
{
    for (int i = 0; i < 4; ++i)
    {
        painting p;
        ENSURE(make_painting(&p, "human?vertices=5000&influences=8"));
        pelt_cor_options options = {.epsilon = i % 2 == 0 ? -1.0f : 0.0f};
        uint32_t center = (uint32_t)(i + 1) * p.mesh.vertex_count / 5;
        ENSURE(paint(&p, center, 0.1f, 3, 0.3f) > 5 && bind(&p));
        pelt_cor_report report;
        ENSURE(check_stroke(&p, &options, &report) == 0);
        ENSURE(report.tabulated_count > 10);
        ENSURE(report.solved_count < p.mesh.vertex_count);
        free_painting(&p);
    }
    return 0;
}

static int update_solves_only_what_a_stroke_concerns(void)
{
    painting p;
    ENSURE(make_painting(&p, "human?vertices=5000&influences=8"));
    uint32_t painted = paint(&p, p.mesh.vertex_count / 3, 0.1f, 3, 0.2f);
    ENSURE(painted > 10 && painted < 1000 && bind(&p));
    pelt_cor_report report;
    ENSURE(check_stroke(&p, NULL, &report) == 0);
    printf("  %u vertices painted, %u of %u solved again\n", painted, report.solved_count,
           p.mesh.vertex_count - report.single_count);
    ENSURE(report.solved_count >= painted / 2);
    ENSURE(2 * report.solved_count < p.mesh.vertex_count - report.single_count);
    free_painting(&p);
    return 0;
}

static int nothing_painted_changes_nothing(void)
{
    painting p;
    ENSURE(make_painting(&p, "arm?vertices=1000") && bind(&p));
    pelt_cor_report report;
    ENSURE(check_stroke(&p, NULL, &report) == 0);
    ENSURE(report.solved_count == 0);
    free_painting(&p);
    return 0;
}

// Both ways: from shared to one joint alone, and back.
static int vertices_may_lose_and_gain_their_pair(void)
{
    painting p;
    ENSURE(make_painting(&p, "bar?vertices=400"));
    for (uint32_t v = 0; v < p.mesh.vertex_count; v += 7)
    {
        bool is_single = p.before.first[v + 1] - p.before.first[v] == 1;
        p.joints[v * SLOTS] = 0;
        p.weights[v * SLOTS] = 0.5f;
        p.joints[v * SLOTS + 1] = 1;
        p.weights[v * SLOTS + 1] = is_single ? 0.5f : 0.0f;
    }
    pelt_cor_report report;
    ENSURE(bind(&p) && check_stroke(&p, NULL, &report) == 0);
    for (uint32_t v = 0; v < p.mesh.vertex_count; ++v)
    {
        bool is_single = p.mesh.weights.first[v + 1] - p.mesh.weights.first[v] == 1;
        ENSURE(!is_single || memcmp(&p.updated[v], &p.mesh.positions[v], sizeof(pelt_vec3)) == 0);
    }
    free_painting(&p);
    return 0;
}

void test_cor_update(void)
{
    RUN(update_is_a_new_solve);
    RUN(update_of_many_influences_is_a_new_solve);
    RUN(update_solves_only_what_a_stroke_concerns);
    RUN(nothing_painted_changes_nothing);
    RUN(vertices_may_lose_and_gain_their_pair);
}
