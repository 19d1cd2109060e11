// SPDX-License-Identifier: MIT
// Normals that know about weights: the shaders against the reference, through transform feedback.
#include "gl_factors.h"
#include "gl_scene.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

static pelt_gl* gl;

enum
{
    SLOT_KINDS = 4,
};

static const uint32_t slot_counts[SLOT_KINDS] = {2, 3, 4, 8};
static uint32_t slot_rotation; // of compare_slots()

static void say(const char* what, pelt_method method, const gl_difference* worst)
{
    printf("  %-24s %s: normal %.1e, tangent %.1e, beyond rounding %.1e degrees\n", what,
           pelt_method_name(method), worst->normal, worst->tangent, worst->beyond);
}

// ---------------------------------------------------------------------------------------------
// Random points and factors

// Each number of slots with one method, each method with one number, others in the next round, as
// software takes a tenth of a second to compile a program; all with all in a full sweep. Kinds of
// palette alternate, and influences are fewer than slots, as many, or more.
static int compare_slots(gl_difference worst[GL_METHOD_COUNT], const point_set* m,
                         const gl_case* how)
{
    pelt_mesh mesh = gl_mesh_of(m);
    ++slot_rotation;
    for (uint32_t k = 0; k < SLOT_KINDS; ++k)
    {
        pelt_normal_factors factors;
        ENSURE(gl_factors_make(&factors, m, slot_counts[k], true) == 0);
        for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
        {
            if ((k + i + slot_rotation) % SLOT_KINDS != 0 && !test_is_full_sweep())
            {
                continue;
            }
            gl_case c = *how;
            c.mesh = &mesh;
            c.palette = &m->palette;
            c.cors = m->cors;
            c.method = gl_methods[i];
            c.mix = 0.3f;
            c.max_influences = 1 + (k + 2 * i) % 4;
            c.kind = (k + i / 2) % 2 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK;
            c.factors = &factors;
            ENSURE(gl_compare(&worst[i], gl, &c) == 0);
        }
    }
    return 0;
}

// Up to four slots of ten words. The reference gets what the shaders read.
static int compare_compact(gl_difference worst[GL_METHOD_COUNT], const point_set* m,
                           const gl_case* how)
{
    pelt_mesh mesh = gl_mesh_of(m);
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        pelt_normal_factors factors, rounded;
        ENSURE(gl_factors_make(&factors, m, slot_counts[i % 3], i != 1) == 0);
        factors.centers = i != 1 ? m->cors : NULL;
        factors.center_derivatives = i != 1 ? factors.center_derivatives : NULL;
        ENSURE(pelt_gpu_normals_round(&rounded, &factors, m->normals, m->arena) == PELT_OK);
        gl_case c = *how;
        c.mesh = &mesh;
        c.palette = &m->palette;
        c.cors = m->cors;
        c.method = gl_methods[i];
        c.mix = 0.3f;
        c.kind = i % 2 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK;
        c.factors = &rounded;
        c.compact = &factors;
        ENSURE(gl_compare(&worst[i], gl, &c) == 0);
    }
    return 0;
}

static int judge(const char* what, const gl_difference worst[GL_METHOD_COUNT])
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        say(what, gl_methods[i], &worst[i]);
        ENSURE(gl_difference_is_rounding(&worst[i]));
    }
    return 0;
}

static int check_random(pelt_normal_rule rule)
{
    point_set m = point_set_random(7, 1000, 40, 8, 100.0f);
    gl_difference worst[GL_METHOD_COUNT] = {0};
    gl_case how = {.rule = rule};
    ENSURE(compare_slots(worst, &m, &how) == 0);
    point_set_free(&m);
    return judge(pelt_normal_rule_name(rule), worst);
}

static int accurate_normals_follow_the_reference(void)
{
    return check_random(PELT_NORMAL_ACCURATE);
}

static int normals_of_the_paper_follow_the_reference(void)
{
    return check_random(PELT_NORMAL_PAPER);
}

static int check_stretched(pelt_normal_rule rule, pelt_scale_pivot pivot, gl_mirrors mirrors)
{
    point_set m = point_set_random(8, 1000, 40, 8, 100.0f);
    gl_difference worst[GL_METHOD_COUNT] = {0};
    gl_case how = {.rule = rule, .pivot = pivot};
    gl_stretch_joints(&m, mirrors);
    ENSURE(compare_slots(worst, &m, &how) == 0);
    point_set_free(&m);
    return judge(pivot == PELT_SCALE_LOCAL ? "scaled about the vertex" : "about the origin", worst);
}

static int they_do_where_joints_scale_about_the_vertex(void)
{
    return check_stretched(PELT_NORMAL_ACCURATE, PELT_SCALE_LOCAL, GL_MIRRORS_NONE);
}

static int they_do_where_joints_scale_about_the_origin(void)
{
    return check_stretched(PELT_NORMAL_ACCURATE, PELT_SCALE_ORIGIN, GL_MIRRORS_NONE);
}

static int they_do_where_joints_mirror(void)
{
    return check_stretched(PELT_NORMAL_ACCURATE, PELT_SCALE_LOCAL, GL_MIRRORS_ALL) ||
           check_stretched(PELT_NORMAL_ACCURATE, PELT_SCALE_ORIGIN, GL_MIRRORS_ALL);
}

static int those_of_the_paper_do_where_joints_scale(void)
{
    return check_stretched(PELT_NORMAL_PAPER, PELT_SCALE_LOCAL, GL_MIRRORS_ALL);
}

// Rounding twice changes nothing but the last bits, so that the shaders read what the reference
// does.
static int compact_factors_follow_the_reference(void)
{
    static const pelt_normal_rule rules[] = {PELT_NORMAL_ACCURATE, PELT_NORMAL_PAPER};
    for (int i = 0; i < 2; ++i)
    {
        point_set m = point_set_random(7, 1000, 40, 4, 100.0f);
        gl_difference worst[GL_METHOD_COUNT] = {0};
        ENSURE(compare_compact(worst, &m, &(gl_case){.rule = rules[i]}) == 0);
        point_set_free(&m);
        ENSURE(judge("compact", worst) == 0);
    }
    return 0;
}

static int they_do_in_the_compact_layout_where_joints_scale(void)
{
    point_set m = point_set_random(8, 1000, 40, 4, 100.0f);
    gl_difference worst[GL_METHOD_COUNT] = {0};
    gl_stretch_joints(&m, GL_MIRRORS_ALL);
    ENSURE(compare_compact(worst, &m, &(gl_case){.rule = PELT_NORMAL_ACCURATE}) == 0);
    point_set_free(&m);
    return judge("compact, scaled", worst);
}

// Without centers in the factors, those of the vertices are taken for constant.
static int crs_does_without_derivatives_of_centers(void)
{
    point_set m = point_set_random(9, 1000, 40, 4, 100.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    pelt_normal_factors factors;
    gl_difference worst = {0};
    ENSURE(gl_factors_make(&factors, &m, 3, false) == 0);
    gl_case c = {.mesh = &mesh,
                 .palette = &m.palette,
                 .cors = m.cors,
                 .method = PELT_METHOD_CRS,
                 .factors = &factors,
                 .rule = PELT_NORMAL_ACCURATE};
    ENSURE(gl_compare(&worst, gl, &c) == 0);
    point_set_free(&m);
    ENSURE(gl_difference_is_rounding(&worst));
    return 0;
}

// q and -q are one rotation, also of joints that only neighbors have.
static int signs_of_the_palette_do_not_show(void)
{
    point_set m = point_set_random(3, 1000, 40, 4, 120.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    pelt_normal_factors factors;
    ENSURE(gl_factors_make(&factors, &m, 8, true) == 0);
    for (uint32_t i = 1; i < GL_METHOD_COUNT; ++i)
    {
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i],
                     .mix = 0.7f,
                     .factors = &factors,
                     .rule = PELT_NORMAL_ACCURATE};
        pelt_surface plain, flipped;
        ENSURE(gl_deform(&plain, gl, &c, m.arena) == 0);
        for (uint32_t joint = 0; joint < m.joint_count; joint += 2)
        {
            m.palette.motions[joint] = pelt_dquat_scale(m.palette.motions[joint], -1.0f);
        }
        ENSURE(gl_deform(&flipped, gl, &c, m.arena) == 0);
        ENSURE(memcmp(plain.normals, flipped.normals, 1000 * sizeof(pelt_vec3)) == 0);
    }
    point_set_free(&m);
    return 0;
}

// Nothing is added there, to the last bit.
static int constant_weights_give_the_standard_normal(void)
{
    point_set m = point_set_random(5, 500, 40, 4, 120.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    pelt_normal_factors factors;
    ENSURE(gl_factors_make(&factors, &m, 4, true) == 0);
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i],
                     .factors = &factors};
        pelt_surface standard, accurate;
        ENSURE(gl_deform(&standard, gl, &c, m.arena) == 0);
        c.rule = PELT_NORMAL_ACCURATE;
        ENSURE(gl_deform(&accurate, gl, &c, m.arena) == 0);
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            bool is_same = memcmp(&standard.normals[v], &accurate.normals[v], 12) == 0;
            ENSURE(is_same == (factors.first[v] == factors.first[v + 1]));
        }
        ENSURE(memcmp(standard.positions, accurate.positions, 500 * sizeof(pelt_vec3)) == 0);
    }
    point_set_free(&m);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Characters

static int check_rig(const char* name)
{
    pelt_scene* scene;
    gl_scene s;
    ENSURE(pelt_rig_build(&scene, name, NULL) == PELT_OK);
    ENSURE(gl_scene_open(&s, scene) == 0);
    uint32_t step = test_is_full_sweep() ? 1 : 3;
    s.has_rotations = !test_is_full_sweep();
    for (uint32_t k = 0; k < SLOT_KINDS; k += step)
    {
        ENSURE(gl_scene_find_factors(&s, slot_counts[k]) == 0);
        for (uint32_t i = 0; i < scene->clip_count; ++i)
        {
            // Not the end of a twist by 180 degrees: there rounding decides the signs.
            gl_scene_pose(&s, &scene->clips[i], 0.9f * scene->clips[i].duration);
            gl_case how = {.kind = k % 2 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK,
                           .rule = PELT_NORMAL_ACCURATE};
            ENSURE(gl_scene_compare(&s, gl, &how) == 0);
        }
    }
    int failed = judge(name, s.worst);
    gl_scene_close(&s);
    return failed;
}

static int bar_follows_the_reference(void)
{
    return check_rig("bar?vertices=1000");
}

static int arm_follows_the_reference(void)
{
    return check_rig("arm?vertices=1500");
}

static int human_follows_the_reference(void)
{
    return check_rig("human?vertices=2000");
}

// ---------------------------------------------------------------------------------------------
// Meshes

static int mesh_of_factors(pelt_gl_mesh* out, const point_set* m,
                           const pelt_normal_factors* factors, pelt_normal_rule rule,
                           pelt_error* error)
{
    pelt_mesh mesh = gl_mesh_of(m);
    pelt_gl_mesh_options options = {.normal_factors = factors, .normal_rule = rule};
    return (int)pelt_gl_mesh_create(out, gl, &mesh, &options, error);
}

// 4 slots and no centers: 8 floats and 4 times 8 for each vertex.
static int bytes_of_the_texture_are_counted(void)
{
    point_set m = point_set_random(1, 100, 40, 4, 90.0f);
    pelt_normal_factors factors;
    pelt_gl_mesh mesh;
    ENSURE(gl_factors_make(&factors, &m, 4, false) == 0);
    ENSURE(mesh_of_factors(&mesh, &m, &factors, PELT_NORMAL_STANDARD, NULL) == PELT_OK);
    size_t plain = mesh.byte_count;
    ENSURE(mesh.normal_texture == 0 && mesh.normals.rule == PELT_NORMAL_STANDARD);
    ENSURE(pelt_gl_mesh_set_normals(&mesh, gl, &factors, PELT_NORMAL_PAPER, NULL) == PELT_OK);
    ENSURE(mesh.normal_texture != 0 && mesh.normals.rule == PELT_NORMAL_PAPER);
    ENSURE(mesh.byte_count == plain + 100 * (8 + 4 * 8) * sizeof(float));
    ENSURE(pelt_gl_mesh_set_normals(&mesh, gl, NULL, PELT_NORMAL_PAPER, NULL) == PELT_OK);
    ENSURE(mesh.normal_texture == 0 && mesh.byte_count == plain);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&m);
    return 0;
}

static int too_many_factors_are_refused_with_a_way_out(void)
{
    point_set m = point_set_random(1, 100, 40, 4, 90.0f);
    pelt_normal_factors factors;
    pelt_gl_mesh mesh;
    pelt_error error;
    ENSURE(gl_factors_make(&factors, &m, 9, false) == 0);
    ENSURE(mesh_of_factors(&mesh, &m, &factors, PELT_NORMAL_ACCURATE, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "9") != NULL && strstr(error.message, "max_joints") != NULL);
    ENSURE(mesh.vertex_array == 0);
    point_set_free(&m);
    return 0;
}

// As by pelt_deform(), whose tangents are those of the standard rule then.
static int meshes_without_normals_stay_with_the_standard_rule(void)
{
    point_set m = point_set_random(1, 100, 40, 4, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    pelt_normal_factors factors;
    gl_difference worst = {0};
    ENSURE(gl_factors_make(&factors, &m, 4, false) == 0);
    mesh.normals = NULL;
    gl_case c = {
        .mesh = &mesh, .palette = &m.palette, .factors = &factors, .rule = PELT_NORMAL_ACCURATE};
    ENSURE(gl_compare(&worst, gl, &c) == 0);
    ENSURE(worst.tangent <= 1e-4);
    point_set_free(&m);
    return 0;
}

static void run_es(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN_ES, "gl_normals in OpenGL ES");
    if (gl == NULL)
    {
        return;
    }
    RUN(accurate_normals_follow_the_reference);
    RUN(they_do_where_joints_scale_about_the_origin);
    if (test_is_full_sweep())
    {
        RUN(normals_of_the_paper_follow_the_reference);
        RUN(they_do_where_joints_scale_about_the_vertex);
    }
    pelt_gl_destroy(gl);
}

void test_gl_normals(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_normals");
    if (gl == NULL)
    {
        return;
    }
    RUN(accurate_normals_follow_the_reference);
    RUN(normals_of_the_paper_follow_the_reference);
    RUN(they_do_where_joints_scale_about_the_vertex);
    RUN(they_do_where_joints_scale_about_the_origin);
    RUN(they_do_where_joints_mirror);
    RUN(those_of_the_paper_do_where_joints_scale);
    RUN(compact_factors_follow_the_reference);
    RUN(they_do_in_the_compact_layout_where_joints_scale);
    RUN(crs_does_without_derivatives_of_centers);
    RUN(signs_of_the_palette_do_not_show);
    RUN(constant_weights_give_the_standard_normal);
    RUN(bar_follows_the_reference);
    RUN(arm_follows_the_reference);
    RUN(human_follows_the_reference);
    RUN(bytes_of_the_texture_are_counted);
    RUN(too_many_factors_are_refused_with_a_way_out);
    RUN(meshes_without_normals_stay_with_the_standard_rule);
    pelt_gl_destroy(gl);
    run_es();
}
