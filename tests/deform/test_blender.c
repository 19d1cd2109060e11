// SPDX-License-Identifier: MIT
// Positions that Blender computed, from tests/data/blender_golden.txt. The file says how it was
// made, and tests/outside/blender_golden.py makes it again.
#include "point_set.h"

#include <string.h>

enum
{
    STRIDE = 8
};

typedef struct golden_case
{
    char name[32];
    point_set m;
    pelt_vec3* lbs;
    pelt_vec3* dqs;
} golden_case;

static bool read_floats(FILE* file, float* out, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (fscanf(file, "%f", &out[i]) != 1)
        {
            return false;
        }
    }
    return true;
}

static bool read_vertex(FILE* file, golden_case* c, uint32_t v)
{
    uint32_t count;
    if (!read_floats(file, &c->m.positions[v].x, 3) || fscanf(file, "%u", &count) != 1 ||
        count > STRIDE)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (fscanf(file, "%u %f", &c->m.joints[v * STRIDE + i],
                   &c->m.raw_weights[v * STRIDE + i]) != 2)
        {
            return false;
        }
    }
    return read_floats(file, &c->lbs[v].x, 3) && read_floats(file, &c->dqs[v].x, 3);
}

static bool read_case(FILE* file, golden_case* c)
{
    uint32_t joint_count, vertex_count;
    float matrices[16][12];
    if (fscanf(file, " case %31s joints %u", c->name, &joint_count) != 2 || joint_count > 16)
    {
        return false;
    }
    if (!read_floats(file, matrices[0], (int)joint_count * 12) ||
        fscanf(file, " vertices %u", &vertex_count) != 1)
    {
        return false;
    }
    c->m = point_set_make(vertex_count, joint_count, STRIDE);
    memcpy(c->m.palette.matrices, matrices, joint_count * sizeof matrices[0]);
    c->lbs = pelt_arena_alloc(c->m.arena, vertex_count, sizeof *c->lbs);
    c->dqs = pelt_arena_alloc(c->m.arena, vertex_count, sizeof *c->dqs);
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        if (!read_vertex(file, c, v))
        {
            return false;
        }
    }
    point_set_bind(&c->m);
    point_set_pose(&c->m);
    return true;
}

static FILE* open_golden(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/blender_golden.txt", test_data_folder);
    FILE* file = fopen(path, "r");
    for (int c = file ? fgetc(file) : EOF; c != EOF; c = fgetc(file))
    {
        if (c != '#')
        {
            ungetc(c, file);
            break;
        }
        while (c != '\n' && c != EOF)
        {
            c = fgetc(file);
        }
    }
    return file;
}

static int check_case(const golden_case* c)
{
    uint32_t count = c->m.vertex_count;
    pelt_surface lbs = point_set_deform_by(&c->m, PELT_METHOD_LBS);
    double lbs_error = point_set_distance(lbs.positions, c->lbs, count);
    printf("  %-14s lbs differs by %.1e", c->name, lbs_error);
    ENSURE(lbs_error < 1e-5);

    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    pelt_convention_apply(&options, PELT_CONVENTION_BLENDER);
    // Blender before 4.0 scaled about the heads of bones, which are on the origin in this case.
    if (strcmp(c->name, "scale_origin") == 0)
    {
        options.scale_pivot = PELT_SCALE_ORIGIN;
    }
    pelt_surface dqs = point_set_deform(&c->m, &options);
    double dqs_error = point_set_distance(dqs.positions, c->dqs, count);
    printf(", dqs by %.1e\n", dqs_error);
    ENSURE(dqs_error < 1e-5);

    // The default rule differs where influences disagree, or the case would not test the rule.
    if (strcmp(c->name, "random") == 0)
    {
        pelt_surface heaviest = point_set_deform_by(&c->m, PELT_METHOD_DQS);
        ENSURE(point_set_distance(heaviest.positions, c->dqs, count) > 0.01);
    }
    return 0;
}

static int lbs_and_dqs_are_those_of_blender(void)
{
    FILE* file = open_golden();
    uint32_t case_count = 0;
    ENSURE(file != NULL);
    ENSURE(fscanf(file, " cases %u", &case_count) == 1 && case_count >= 5);
    for (uint32_t i = 0; i < case_count; ++i)
    {
        golden_case c;
        ENSURE(read_case(file, &c));
        ENSURE(check_case(&c) == 0);
        point_set_free(&c.m);
    }
    fclose(file);
    return 0;
}

void test_blender(void)
{
    RUN(lbs_and_dqs_are_those_of_blender);
}
