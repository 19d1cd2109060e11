// SPDX-License-Identifier: MIT
// Techniques to draw a crowd with: whatever they cost, they draw the same.
#include "crowd/crowd_cast.h"
#include "crowd/crowd_merge.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>

enum
{
    PIXEL_COUNT = DRAW_WIDTH * DRAW_HEIGHT,
    CROWD_COUNT = 9,
};

static draw_target target;

typedef struct moment
{
    bool is_shared; // by all instances, or each plays from its own offset on
    double time;
} moment;

static int draw_with(pelt_color* out, crowd_subject* subject, crowd_technique technique,
                     uint32_t bits, crowd_stage_set off, moment at)
{
    crowd_cast cast;
    crowd_instances instances;
    pelt_error error = {0};
    crowd_cast_options options = {.capacity = CROWD_COUNT, .bits = bits};
    ENSURE(crowd_instances_create(&instances, CROWD_COUNT) == PELT_OK);
    crowd_instances_arrange(&instances, CROWD_COUNT, subject->spacing);
    for (uint32_t i = 0; i < CROWD_COUNT; ++i)
    {
        instances.offsets[i] = at.is_shared ? 0.0f : instances.offsets[i];
    }
    if (crowd_cast_create(&cast, technique, &target, subject, &options, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    crowd_cast_arrange(&cast, &instances);
    // Not at a key, and not the first frame.
    ENSURE(crowd_cast_draw(&cast, 0.1, off, &error) == PELT_OK);
    ENSURE(crowd_cast_draw(&cast, at.time, off, &error) == PELT_OK);
    draw_target_read(&target, out);
    crowd_cast_destroy(&cast);
    crowd_instances_destroy(&instances);
    return 0;
}

static int draw_crowd(pelt_color* out, crowd_subject* subject, crowd_technique technique,
                      uint32_t bits, crowd_stage_set off)
{
    return draw_with(out, subject, technique, bits, off, (moment){false, 0.4321});
}

static int draw_at(pelt_color* out, crowd_subject* subject, crowd_technique technique,
                   crowd_stage_set off, moment at)
{
    return draw_with(out, subject, technique, 0, off, at);
}

static int size_of_difference(pelt_color a, pelt_color b)
{
    int red = abs(a.r - b.r), green = abs(a.g - b.g), blue = abs(a.b - b.b);
    int most = red > green ? red : green;
    return most > blue ? most : blue;
}

// The part of the picture that differs by more than rounding of a shade.
static double part_that_differs(const pelt_color* a, const pelt_color* b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PIXEL_COUNT; ++i)
    {
        count += size_of_difference(a[i], b[i]) > 2;
    }
    return (double)count / PIXEL_COUNT;
}

static double part_that_is_covered(const pelt_color* in)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PIXEL_COUNT; ++i)
    {
        count += size_of_difference(in[i], in[0]) > 0;
    }
    return (double)count / PIXEL_COUNT;
}

typedef struct technique_case
{
    crowd_technique technique;
    uint32_t bits;
} technique_case;

static int compare_techniques(crowd_subject* subject, pelt_color* expected, pelt_color* got)
{
    static const technique_case cases[] = {{CROWD_MATRIX_TEXTURE, 16},
                                           {CROWD_MATRIX_TEXTURE, 32},
                                           {CROWD_QT_TEXTURE, 0},
                                           {CROWD_VERTEX_TEXTURE, 0}};
    ENSURE(draw_crowd(expected, subject, CROWD_GPU_MATRIX, 0, 0) == 0);
    ENSURE(part_that_is_covered(expected) > 0.03);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += test_is_full_sweep() ? 1 : 2)
    {
        ENSURE(draw_crowd(got, subject, cases[i].technique, cases[i].bits, 0) == 0);
        printf("  %s differs in %.3f %% of pixels\n",
               crowd_technique_describe(cases[i].technique)->name,
               100.0 * part_that_differs(expected, got));
        ENSURE(part_that_differs(expected, got) < 0.01);
    }
    ENSURE(draw_crowd(got, subject, CROWD_CPU_MATRIX, 0, 0) == 0);
    ENSURE(part_that_differs(expected, got) < 1e-3);
    // Eight bits are a centimeter off, less than a pixel of this picture.
    ENSURE(draw_crowd(got, subject, CROWD_THESIS_VERTEX_TEXTURE, 0, 0) == 0);
    printf("  thesis-vertex-texture differs in %.3f %% of pixels\n",
           100.0 * part_that_differs(expected, got));
    ENSURE(part_that_differs(expected, got) < 0.03);
    ENSURE(draw_crowd(expected, subject, CROWD_GPU_DQ, 0, 0) == 0);
    ENSURE(draw_crowd(got, subject, CROWD_DQ_TEXTURE, 0, 0) == 0);
    ENSURE(part_that_differs(expected, got) < 0.01);
    ENSURE(draw_crowd(got, subject, CROWD_THESIS_DQ_TEXTURE, 0, 0) == 0);
    printf("  thesis-dq-texture differs in %.3f %% of pixels\n",
           100.0 * part_that_differs(expected, got));
    ENSURE(part_that_differs(expected, got) < 0.03);
    return 0;
}

static int compare_rig(const char* rig)
{
    pelt_scene* scene;
    crowd_subject subject;
    pelt_color* pictures = pelt_allocate(2 * PIXEL_COUNT, sizeof *pictures);
    ENSURE(pictures != NULL && pelt_rig_build(&scene, rig, NULL) == PELT_OK);
    ENSURE(crowd_subject_create(&subject, scene, rig, NULL) == PELT_OK);
    int failed = compare_techniques(&subject, pictures, pictures + PIXEL_COUNT);
    crowd_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    pelt_release(pictures);
    return failed;
}

static int textures_draw_the_crowd_that_palettes_draw(void)
{
    return compare_rig("human?vertices=2000");
}

static int textures_draw_boxes_that_scale_as_palettes_do(void)
{
    return compare_rig("box");
}

// Control has no animation, and is still drawn at the positions of the others. With nothing
// computed and nothing uploaded all instances are in one pose.
static int what_is_left_out_shows(void)
{
    pelt_scene* scene;
    crowd_subject subject;
    pelt_color* a = pelt_allocate(2 * PIXEL_COUNT, sizeof *a);
    ENSURE(a != NULL && pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    ENSURE(crowd_subject_create(&subject, scene, "box", NULL) == PELT_OK);
    pelt_color* b = a + PIXEL_COUNT;
    ENSURE(draw_crowd(a, &subject, CROWD_GPU_MATRIX, 0, 0) == 0);
    ENSURE(draw_crowd(b, &subject, CROWD_CONTROL, 0, 0) == 0);
    ENSURE(part_that_is_covered(b) > 0.03 && part_that_differs(a, b) > 0.01);
    ENSURE(draw_crowd(b, &subject, CROWD_GPU_MATRIX, 0, CROWD_SKELETON | CROWD_UPLOAD) == 0);
    ENSURE(part_that_is_covered(b) > 0.03 && part_that_differs(a, b) > 0.01);
    ENSURE(draw_crowd(b, &subject, CROWD_GPU_MATRIX, 0, CROWD_SWITCH) == 0);
    ENSURE(part_that_differs(a, b) == 0.0);
    crowd_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    pelt_release(a);
    return 0;
}

// A shader without metadata draws the same from elsewhere; without interpolation it shows the key
// before; without skinning nothing moves.
static int check_stages(crowd_subject* subject, crowd_technique technique, pelt_color* a,
                        pelt_color* b)
{
    moment at = {false, 0.4321};
    ENSURE(draw_at(a, subject, technique, 0, at) == 0);
    ENSURE(draw_at(b, subject, technique, CROWD_METADATA, at) == 0);
    ENSURE(part_that_is_covered(a) > 0.02 && part_that_differs(a, b) == 0.0);
    ENSURE(draw_at(b, subject, technique, CROWD_SKINNING, at) == 0);
    ENSURE(part_that_is_covered(b) > 0.02 && part_that_differs(a, b) > 0.005);
    ENSURE(draw_at(a, subject, technique, CROWD_SHADER_STAGES, (moment){false, 0.1}) == 0);
    ENSURE(part_that_differs(a, b) == 0.0);

    // Its keys are 25 in a second: the tenth, for all instances, and a third of the way on.
    moment key = {true, 10.001 / 25.0}, between = {true, 10.333 / 25.0};
    ENSURE(draw_at(a, subject, technique, 0, key) == 0);
    ENSURE(draw_at(b, subject, technique, CROWD_INTERPOLATION, between) == 0);
    ENSURE(part_that_differs(a, b) < 1e-3);
    ENSURE(draw_at(b, subject, technique, 0, between) == 0);
    ENSURE(part_that_differs(a, b) > 2e-3);
    if ((crowd_technique_stages(technique) & CROWD_ORDER) != 0)
    {
        // Blends of joints are interpolated in place of joints, which moves little else.
        ENSURE(draw_at(a, subject, technique, CROWD_ORDER, between) == 0);
        ENSURE(part_that_differs(a, b) < 1e-3);
    }
    return 0;
}

static int stages_of_shaders_can_be_left_out(void)
{
    static const crowd_technique techniques[] = {CROWD_THESIS_MATRIX_TEXTURE, CROWD_MATRIX_TEXTURE,
                                                 CROWD_DQ_TEXTURE, CROWD_QT_TEXTURE,
                                                 CROWD_THESIS_DQ_TEXTURE};
    pelt_scene* scene;
    crowd_subject subject;
    pelt_color* a = pelt_allocate(2 * PIXEL_COUNT, sizeof *a);
    ENSURE(a != NULL && pelt_rig_build(&scene, "arm?vertices=500", NULL) == PELT_OK);
    ENSURE(crowd_subject_create(&subject, scene, "arm", NULL) == PELT_OK);
    // The first have the decoders that take least to compile.
    for (int i = 0; i < (test_is_full_sweep() ? 5 : 2); ++i)
    {
        ENSURE(check_stages(&subject, techniques[i], a, a + PIXEL_COUNT) == 0);
    }
    crowd_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    pelt_release(a);
    return 0;
}

// The box of the thesis has 312 vertices at 62 positions, its number of duplicates is 5.03.
static int merged_vertices_are_where_their_copies_were(void)
{
    pelt_scene *scene, merged;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(arena != NULL && pelt_rig_build(&scene, "box", NULL) == PELT_OK);
    merged = *scene;
    ENSURE(crowd_merge_vertices(&merged, arena, NULL) == PELT_OK);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh *a = &scene->meshes[i], *b = &merged.meshes[i];
        count += b->vertex_count;
        ENSURE(a->index_count == b->index_count && b->weights.vertex_count == b->vertex_count);
        ENSURE(b->weights.influence_count == b->weights.first[b->vertex_count]);
        for (uint32_t k = 0; k < a->index_count; ++k)
        {
            uint32_t v = a->indices[k], w = b->indices[k];
            ENSURE(pelt_vec3_distance(a->positions[v], b->positions[w]) < 1e-5f);
            ENSURE(a->weights.influences[a->weights.first[v]].joint ==
                   b->weights.influences[b->weights.first[w]].joint);
        }
    }
    ENSURE(count == 62);
    pelt_scene_destroy(scene);
    pelt_arena_destroy(arena);
    return 0;
}

static int members_of_a_crowd_keep_what_they_are_as_it_grows(void)
{
    crowd_instances crowd;
    float heading[2], offset;
    ENSURE(crowd_instances_create(&crowd, 100) == PELT_OK);
    crowd_instances_arrange(&crowd, 9, 2.0f);
    heading[0] = crowd.transforms[7][2], heading[1] = crowd.transforms[7][3],
    offset = crowd.offsets[7];
    // Row 2, column 1 of three, about the origin.
    ENSURE(crowd.transforms[7][0] == 0.0f && crowd.transforms[7][1] == 2.0f);
    crowd_instances_arrange(&crowd, 100, 2.0f);
    ENSURE(heading[0] == crowd.transforms[7][2] && heading[1] == crowd.transforms[7][3]);
    ENSURE(offset == crowd.offsets[7]);
    double sum = 0.0;
    for (uint32_t i = 0; i < 100; ++i)
    {
        ENSURE_NEAR(hypotf(crowd.transforms[i][2], crowd.transforms[i][3]), 1.0, 1e-6);
        ENSURE(crowd.offsets[i] >= 0.0f && crowd.offsets[i] <= 1.0f);
        sum += (double)crowd.offsets[i];
    }
    // Three standard deviations of the mean of 100 uniform random numbers.
    ENSURE_NEAR(sum / 100.0, 0.5, 3.0 * sqrt(1.0 / 12.0 / 100.0));
    crowd_instances_destroy(&crowd);
    return 0;
}

static int techniques_are_found_by_their_names(void)
{
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        crowd_technique technique = (crowd_technique)i;
        ENSURE(crowd_technique_find(crowd_technique_describe(technique)->name) == technique);
    }
    ENSURE(crowd_technique_find("all") == CROWD_TECHNIQUE_COUNT);
    return 0;
}

void test_crowd_cast(void)
{
    pelt_error error = {0};
    RUN(members_of_a_crowd_keep_what_they_are_as_it_grows);
    RUN(techniques_are_found_by_their_names);
    RUN(merged_vertices_are_where_their_copies_were);
    if (draw_target_create(&target, &error) != PELT_OK)
    {
        test_skip("pictures of crowds", error.message);
        return;
    }
    if (test_is_full_sweep())
    {
        RUN(textures_draw_the_crowd_that_palettes_draw);
    }
    RUN(textures_draw_boxes_that_scale_as_palettes_do);
    RUN(what_is_left_out_shows);
    RUN(stages_of_shaders_can_be_left_out);
    draw_target_destroy(&target);
}
