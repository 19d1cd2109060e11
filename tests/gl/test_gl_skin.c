// SPDX-License-Identifier: MIT
// The shaders against the reference, through transform feedback.
#include "gl_compare.h"

#include <string.h>

static pelt_gl* gl;

static const pelt_palette_kind kinds[] = {PELT_PALETTE_BLOCK, PELT_PALETTE_TEXTURE};

static void say(const char* what, pelt_method method, const gl_difference* worst)
{
    printf("  %-28s %s: position %.1e of size, normal %.1e, tangent %.1e degrees\n", what,
           pelt_method_name(method), worst->position, worst->normal, worst->tangent);
}

// Half of the methods with odd counts of influences, half with even ones, as a program takes long
// to compile; all with all in a full sweep.
static bool is_due(uint32_t i, uint32_t count)
{
    return test_is_full_sweep() || (i + count) % 2 == 0;
}

// Influence counts, each step-th, and kinds of palette, on random points that eight joints pull on.
// The kinds alternate, up to four influences not in a full sweep.
static int check_random(uint32_t i, uint32_t step)
{
    point_set m = point_set_random(7, 1000, 40, 8, 100.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_difference worst = {0};
    for (uint32_t count = 1; count <= PELT_GPU_INFLUENCE_MAX; count += step)
    {
        for (uint32_t k = 0; k < 2; ++k)
        {
            bool has_both = test_is_full_sweep() && count <= 4;
            if (!is_due(i, count) || (!has_both && k != (count / 2 + 1) % 2))
            {
                continue;
            }
            gl_case c = {.mesh = &mesh,
                         .palette = &m.palette,
                         .cors = m.cors,
                         .method = gl_methods[i],
                         .mix = 0.3f,
                         .max_influences = count,
                         .kind = kinds[k]};
            ENSURE(gl_compare(&worst, gl, &c) == 0);
        }
    }
    say("random points", gl_methods[i], &worst);
    point_set_free(&m);
    ENSURE(gl_difference_is_small(&worst));
    return 0;
}

static int random_points_follow_the_reference(void)
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        ENSURE(check_random(i, 1) == 0);
    }
    return 0;
}

// One, four and seven influences: the text is the same, and a program takes long to compile.
static int random_points_follow_the_reference_in_es(void)
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        ENSURE(check_random(i, 3) == 0);
    }
    return 0;
}

// 250 joints through the texture, and 3000, which fill no block and straddle rows of it.
static int many_joints_go_through_a_texture(void)
{
    for (uint32_t i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        bool is_huge = i >= GL_METHOD_COUNT;
        point_set m = point_set_random(11, 6000, is_huge ? 3000 : 250, 4, 100.0f);
        pelt_mesh mesh = gl_mesh_of(&m);
        gl_difference worst = {0};
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i % GL_METHOD_COUNT],
                     .mix = 0.5f,
                     .kind = is_huge ? PELT_PALETTE_AUTO : PELT_PALETTE_TEXTURE};
        ENSURE(gl_compare(&worst, gl, &c) == 0);
        say(is_huge ? "3000 joints" : "250 joints", c.method, &worst);
        ENSURE(gl_difference_is_small(&worst));
        point_set_free(&m);
    }
    return 0;
}

// q and -q are one rotation: the result is the same to the last bit, as all terms change sign.
static int signs_of_the_palette_do_not_show(void)
{
    point_set m = point_set_random(3, 2000, 12, 6, 120.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    for (uint32_t i = 1; i < GL_METHOD_COUNT; ++i)
    {
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i],
                     .mix = 0.7f};
        pelt_surface plain, flipped;
        ENSURE(gl_deform(&plain, gl, &c, m.arena) == 0);
        for (uint32_t joint = 0; joint < m.joint_count; joint += 2)
        {
            m.palette.motions[joint] = pelt_dquat_scale(m.palette.motions[joint], -1.0f);
        }
        ENSURE(gl_deform(&flipped, gl, &c, m.arena) == 0);
        ENSURE(memcmp(plain.positions, flipped.positions, 2000 * sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(plain.normals, flipped.normals, 2000 * sizeof(pelt_vec3)) == 0);
    }
    point_set_free(&m);
    return 0;
}

// A vertex whose weight for the second joint is w, twisted by an angle about z that may exceed 180
// degrees: the blend of the quaternions 1 and (0, 0, sin, cos) of half the angle, worked out.
static pelt_vec3 twisted(pelt_vec3 p, double w, double angle)
{
    double blended = 2.0 * atan2(w * sin(0.5 * angle), 1.0 - w + w * cos(0.5 * angle));
    double c = cos(blended), s = sin(blended), x = (double)p.x, y = (double)p.y;
    return pelt_vec3_make((float)(c * x - s * y), (float)(s * x + c * y), p.z);
}

enum
{
    TWIST_VERTICES = 17,
};

// Weights from 0 to 1, centers on the axis.
static point_set make_twist(void)
{
    point_set m = point_set_make(TWIST_VERTICES, 2, 2);
    for (uint32_t v = 0; v < TWIST_VERTICES; ++v)
    {
        float w = (float)v / (TWIST_VERTICES - 1);
        m.positions[v] = pelt_vec3_make(cosf((float)v), sinf((float)v), w);
        m.cors[v] = pelt_vec3_make(0.0f, 0.0f, w);
        m.joints[2 * v + 1] = 1;
        m.raw_weights[2 * v] = 1.0f - w;
        m.raw_weights[2 * v + 1] = w;
    }
    point_set_bind(&m);
    return m;
}

// Step by step across 180 degrees: vertices follow the closed form, and none jumps.
static int twists_go_on_beyond_180_degrees(void)
{
    static const pelt_method methods[] = {PELT_METHOD_DQS, PELT_METHOD_MIX, PELT_METHOD_CRS};
    point_set m = make_twist();
    pelt_mesh mesh = gl_mesh_of(&m);
    mesh.normals = NULL;
    mesh.tangents = NULL;
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (double degrees = 150.0; degrees <= 330.0; degrees += i == 0 ? 10.0 : 45.0)
        {
            double angle = degrees * (double)PELT_PI / 180.0, half = 0.5 * angle;
            pelt_quat q = {0.0f, 0.0f, (float)sin(half), (float)cos(half)};
            m.palette.matrices[1] = point_set_rigid(q, (pelt_vec3){0});
            point_set_pose(&m);
            // Decomposed from a matrix, it has either sign.
            m.palette.motions[1] = (pelt_dquat){.real = q};
            gl_case c = {.mesh = &mesh,
                         .palette = &m.palette,
                         .cors = m.cors,
                         .method = methods[i],
                         .mix = 1.0f,
                         .sign_rule = PELT_SIGN_HIERARCHY};
            pelt_surface out;
            ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
            for (uint32_t v = 0; v < TWIST_VERTICES; ++v)
            {
                double w = (double)v / (TWIST_VERTICES - 1);
                pelt_vec3 expected = twisted(m.positions[v], w, angle);
                ENSURE(pelt_vec3_distance(out.positions[v], expected) < 1e-5f);
            }
        }
    }
    point_set_free(&m);
    return 0;
}

// Signs at random, normals and tangents by both rules: as the reference.
static int signs_of_a_hierarchy_follow_the_reference(void)
{
    point_set m = point_set_random(41, 500, 12, 4, 170.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    for (uint32_t joint = 0; joint < m.joint_count; joint += 3)
    {
        m.palette.motions[joint] = pelt_dquat_scale(m.palette.motions[joint], -1.0f);
    }
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        gl_difference worst = {0};
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i],
                     .mix = 0.4f,
                     .kind = kinds[i % 2],
                     .sign_rule = PELT_SIGN_HIERARCHY};
        ENSURE(gl_compare(&worst, gl, &c) == 0);
        say("signs of a hierarchy", c.method, &worst);
        ENSURE(gl_difference_is_small(&worst));
    }
    point_set_free(&m);
    return 0;
}

static int vertices_without_weights_stay_exactly(void)
{
    point_set m = point_set_random(5, 64, 6, 8, 120.0f);
    memset(m.raw_weights, 0, 32 * 8 * sizeof *m.raw_weights);
    point_set_bind(&m);
    pelt_mesh mesh = gl_mesh_of(&m);
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        gl_case c = {.mesh = &mesh, .palette = &m.palette, .cors = m.cors, .method = gl_methods[i]};
        pelt_surface out;
        ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
        ENSURE(memcmp(out.positions, m.positions, 32 * sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(out.normals, m.normals, 32 * sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(out.tangents, m.tangents, 32 * sizeof(pelt_vec4)) == 0);
        ENSURE(memcmp(out.positions + 32, m.positions + 32, sizeof(pelt_vec3)) != 0);
    }
    point_set_free(&m);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Joints that scale

// Each count of influences with one pivot and one kind of palette, so that all of these meet all
// methods: a program takes long to compile, in blocks of many influences most.
static int check_stretched(uint32_t i, gl_mirrors which, uint32_t step)
{
    point_set m = point_set_random(8, 1000, 40, 8, 100.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_difference worst = {0};
    gl_stretch_joints(&m, which);
    for (uint32_t count = 1; count <= PELT_GPU_INFLUENCE_MAX; count += step)
    {
        if (!is_due(i, count))
        {
            continue;
        }
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i],
                     .mix = 0.3f,
                     .pivot = count / 2 % 2 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL,
                     .max_influences = count,
                     .kind = kinds[count > 4]};
        ENSURE(gl_compare(&worst, gl, &c) == 0);
    }
    say(which == GL_MIRRORS_ALL ? "stretched and mirrored" : "stretched", gl_methods[i], &worst);
    point_set_free(&m);
    ENSURE(gl_difference_is_small(&worst));
    return 0;
}

static int stretched_joints_follow_the_reference(void)
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        ENSURE(check_stretched(i, GL_MIRRORS_NONE, 1) == 0);
        ENSURE(check_stretched(i, GL_MIRRORS_ALL, 1) == 0);
    }
    return 0;
}

// One, four and seven influences.
static int stretched_joints_follow_the_reference_in_es(void)
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        ENSURE(check_stretched(i, GL_MIRRORS_ALL, 3) == 0);
    }
    return 0;
}

// Normals stay outside, tangents change hands. Where joints on both sides of the mirror pull on a
// vertex its surroundings may be flattened to nearly nothing, and then directions are rounding:
// with more than one influence, positions only, and the reference is told not to look for mirrored
// and unmirrored joints, of which shaders know nothing. Counts are those of programs that there are
// already.
static int mirrored_joints_follow_the_reference(void)
{
    point_set m = point_set_random(9, 2000, 8, 4, 150.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_stretch_joints(&m, GL_MIRRORS_ODD);
    ENSURE(m.palette.has_mixed_handedness);
    m.palette.has_mixed_handedness = false;
    for (uint32_t i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        gl_difference single = {0}, shared = {0};
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i % GL_METHOD_COUNT],
                     .mix = 0.6f,
                     .pivot = i < GL_METHOD_COUNT ? PELT_SCALE_LOCAL : PELT_SCALE_ORIGIN,
                     .max_influences = 1};
        ENSURE(gl_compare(&single, gl, &c) == 0);
        c.max_influences = i < GL_METHOD_COUNT ? 4 : 3;
        ENSURE(gl_compare(&shared, gl, &c) == 0);
        say("mirrors", c.method, &single);
        ENSURE(gl_difference_is_small(&single));
        ENSURE(shared.position <= 1e-5);
    }
    point_set_free(&m);
    return 0;
}

// Rotations by 180 degrees about x, y and z have the mean -1/3 under lbs: of negative determinant,
// but no joint mirrors.
static int blends_that_invert_are_no_mirrors(void)
{
    point_set m = point_set_make(1, 3, 3);
    for (uint32_t joint = 0; joint < 3; ++joint)
    {
        pelt_vec3 axis = {joint == 0, joint == 1, joint == 2};
        m.joints[joint] = joint;
        m.raw_weights[joint] = 1.0f / 3.0f;
        m.palette.matrices[joint] =
            point_set_rigid(pelt_quat_axis_angle(axis, PELT_PI), (pelt_vec3){0});
    }
    point_set_bind(&m);
    point_set_pose(&m);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_case c = {.mesh = &mesh, .palette = &m.palette};
    pelt_surface out;
    ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
    ENSURE_POINT(out.normals[0], m.normals[0], 1e-5);
    ENSURE(out.tangents[0].w == m.tangents[0].w);
    point_set_free(&m);
    return 0;
}

// One layout for all methods, with joints that are rigid, and that scale about either pivot.
static int shared_palettes_follow_the_reference(void)
{
    for (uint32_t i = 0; i < 3 * GL_METHOD_COUNT; ++i)
    {
        point_set m = point_set_random(31, 500, 20, 4, 120.0f);
        if (i >= GL_METHOD_COUNT)
        {
            gl_stretch_joints(&m, GL_MIRRORS_ALL);
        }
        pelt_mesh mesh = gl_mesh_of(&m);
        gl_difference worst = {0};
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i % GL_METHOD_COUNT],
                     .mix = 0.4f,
                     .pivot = i < 2 * GL_METHOD_COUNT ? PELT_SCALE_LOCAL : PELT_SCALE_ORIGIN,
                     .kind = kinds[i % 2],
                     .layout = PELT_GPU_LAYOUT_SHARED};
        ENSURE(gl_compare(&worst, gl, &c) == 0);
        say("shared", c.method, &worst);
        ENSURE(gl_difference_is_small(&worst));
        point_set_free(&m);
    }
    return 0;
}

// Uploaded once, drawn by every method.
static int one_shared_palette_serves_every_method(void)
{
    point_set m = point_set_random(37, 300, 9, 3, 100.0f);
    gl_stretch_joints(&m, GL_MIRRORS_NONE);
    pelt_mesh source = gl_mesh_of(&m);
    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    pelt_gl_mesh_options options = {.cors = m.cors};
    ENSURE(pelt_gl_mesh_create(&mesh, gl, &source, &options, NULL) == PELT_OK);
    ENSURE(pelt_gl_palette_create(&palette, gl, 9, PELT_PALETTE_AUTO, NULL) == PELT_OK);
    pelt_gl_palette_set_layout(&palette, PELT_GPU_LAYOUT_SHARED);
    pelt_gl_palette_update(&palette, &m.palette, PELT_METHOD_LBS, PELT_SCALE_LOCAL);
    pelt_surface out = {0};
    out.positions = pelt_arena_alloc(m.arena, 300, sizeof *out.positions);
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        pelt_deform_options reference = {.method = gl_methods[i], .mix = 0.5f};
        pelt_surface expected = point_set_deform(&m, &reference);
        palette.method = gl_methods[i];
        ENSURE(pelt_gl_skin(&out, gl, &mesh, &palette, 0.5f, NULL) == PELT_OK);
        ENSURE(point_set_distance(out.positions, expected.positions, 300) < 1e-5);
    }
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&m);
    return 0;
}

// A palette may begin to scale in any frame, and cease to. Under lbs that makes no difference.
static int palettes_change_between_rigid_and_stretched(void)
{
    point_set rigid = point_set_random(19, 500, 12, 3, 90.0f),
              stretched = point_set_random(19, 500, 12, 3, 90.0f);
    gl_stretch_joints(&stretched, GL_MIRRORS_ALL);
    pelt_mesh source = gl_mesh_of(&rigid);
    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    ENSURE(pelt_gl_mesh_create(&mesh, gl, &source, NULL, NULL) == PELT_OK);
    ENSURE(pelt_gl_palette_create(&palette, gl, 12, PELT_PALETTE_AUTO, NULL) == PELT_OK);
    for (uint32_t frame = 0; frame < 4; ++frame)
    {
        const point_set* m = frame % 2 ? &stretched : &rigid;
        pelt_surface expected = point_set_deform_by(m, PELT_METHOD_DQS), out = {0};
        out.positions = pelt_arena_alloc(rigid.arena, 500, sizeof *out.positions);
        pelt_gl_palette_update(&palette, &m->palette, PELT_METHOD_DQS, PELT_SCALE_LOCAL);
        ENSURE(palette.scale == (frame % 2 ? PELT_GPU_SCALE_LOCAL : PELT_GPU_SCALE_NONE));
        ENSURE(pelt_gl_skin(&out, gl, &mesh, &palette, 0.0f, NULL) == PELT_OK);
        ENSURE(point_set_distance(out.positions, expected.positions, 500) < 1e-5);
    }
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&rigid);
    point_set_free(&stretched);
    return 0;
}

// A joint that scales by zero takes all to its position, and directions to nothing: they stay as
// the reference has them, whose rotation of the zero matrix is none.
static int flattened_directions_stay_unit_vectors(void)
{
    point_set m = point_set_random(13, 100, 1, 1, 0.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    m.palette.matrices[0] = (pelt_mat34){0};
    point_set_pose(&m);
    for (uint32_t i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        pelt_method method = gl_methods[i % GL_METHOD_COUNT];
        pelt_scale_pivot pivot = i < GL_METHOD_COUNT ? PELT_SCALE_LOCAL : PELT_SCALE_ORIGIN;
        pelt_deform_options options = {.method = method, .scale_pivot = pivot};
        pelt_surface expected = point_set_deform(&m, &options), out;
        gl_case c = {
            .mesh = &mesh, .palette = &m.palette, .cors = m.cors, .method = method, .pivot = pivot};
        ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
        for (uint32_t v = 0; v < 100; ++v)
        {
            ENSURE_POINT(out.positions[v], expected.positions[v], 0.0f);
            ENSURE_POINT(out.normals[v], expected.normals[v], 1e-6f);
            ENSURE(out.tangents[v].w == expected.tangents[v].w);
        }
    }
    point_set_free(&m);
    return 0;
}

// Joints that shrink to a point, a line or a plane: no result is NaN.
static int vanishing_joints_give_no_nan(void)
{
    point_set m = point_set_random(29, 300, 6, 4, 120.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    for (uint32_t joint = 0; joint < m.joint_count; ++joint)
    {
        pelt_transform t = pelt_transform_identity();
        t.scale = pelt_vec3_make(joint % 2 ? 1.0f : 0.0f, joint % 3 ? 1.0f : 0.0f, 0.0f);
        pelt_mat34 map = pelt_mat34_from_transform(t);
        m.palette.matrices[joint] = pelt_mat34_mul(&m.palette.matrices[joint], &map);
    }
    point_set_pose(&m);
    for (uint32_t i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        gl_difference worst = {0};
        gl_case c = {.mesh = &mesh,
                     .palette = &m.palette,
                     .cors = m.cors,
                     .method = gl_methods[i % GL_METHOD_COUNT],
                     .mix = 0.5f,
                     .pivot = i < GL_METHOD_COUNT ? PELT_SCALE_LOCAL : PELT_SCALE_ORIGIN,
                     .max_influences = i < GL_METHOD_COUNT ? 4 : 3};
        ENSURE(gl_compare(&worst, gl, &c) == 0);
        ENSURE(worst.position <= 1e-5);
        // NaN would be the largest.
        ENSURE(isfinite(worst.normal) && isfinite(worst.tangent));
    }
    point_set_free(&m);
    return 0;
}

// Unit quaternions on one side of the strongest never cancel; those of a broken palette may.
static int quaternions_of_no_length_give_no_nan(void)
{
    point_set m = point_set_make(1, 2, 2);
    const pelt_dquat nothing = {0};
    for (uint32_t i = 0; i < 2; ++i)
    {
        m.joints[i] = i;
        m.raw_weights[i] = 0.5f;
    }
    point_set_bind(&m);
    point_set_pose(&m);
    m.palette.motions[0] = m.palette.motions[1] = nothing;
    pelt_mesh mesh = gl_mesh_of(&m);
    for (uint32_t i = 1; i < GL_METHOD_COUNT; ++i)
    {
        pelt_surface out;
        gl_case c = {.mesh = &mesh, .palette = &m.palette, .cors = m.cors, .method = gl_methods[i]};
        ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
        ENSURE(isfinite(out.positions[0].x + out.positions[0].y + out.positions[0].z));
        ENSURE(isfinite(out.normals[0].x + out.normals[0].y + out.normals[0].z));
    }
    point_set_free(&m);
    return 0;
}

static int mix_factors_of_vertices_count(void)
{
    point_set m = point_set_random(17, 1000, 10, 4, 100.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    float factors[1000];
    for (uint32_t v = 0; v < 1000; ++v)
    {
        factors[v] = (float)v / 999.0f;
    }
    gl_difference worst = {0};
    gl_case c = {.mesh = &mesh,
                 .palette = &m.palette,
                 .mix_factors = factors,
                 .method = PELT_METHOD_MIX,
                 .mix = -1.0f};
    ENSURE(gl_compare(&worst, gl, &c) == 0);
    say("factors of vertices", c.method, &worst);
    ENSURE(gl_difference_is_small(&worst));
    point_set_free(&m);
    return 0;
}

static void run_es(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN_ES, "gl_skin in OpenGL ES");
    if (gl == NULL)
    {
        return;
    }
    RUN(random_points_follow_the_reference_in_es);
    RUN(stretched_joints_follow_the_reference_in_es);
    RUN(many_joints_go_through_a_texture);
    RUN(mix_factors_of_vertices_count);
    pelt_gl_destroy(gl);
}

void test_gl_skin(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_skin");
    if (gl == NULL)
    {
        return;
    }
    RUN(random_points_follow_the_reference);
    RUN(many_joints_go_through_a_texture);
    RUN(signs_of_the_palette_do_not_show);
    RUN(twists_go_on_beyond_180_degrees);
    RUN(signs_of_a_hierarchy_follow_the_reference);
    RUN(vertices_without_weights_stay_exactly);
    RUN(stretched_joints_follow_the_reference);
    RUN(mirrored_joints_follow_the_reference);
    RUN(blends_that_invert_are_no_mirrors);
    RUN(shared_palettes_follow_the_reference);
    RUN(one_shared_palette_serves_every_method);
    RUN(palettes_change_between_rigid_and_stretched);
    RUN(flattened_directions_stay_unit_vectors);
    RUN(vanishing_joints_give_no_nan);
    RUN(quaternions_of_no_length_give_no_nan);
    RUN(mix_factors_of_vertices_count);
    pelt_gl_destroy(gl);
    run_es();
}
