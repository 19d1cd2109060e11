// SPDX-License-Identifier: MIT
// Animation textures on the GPU: what shaders decode and skin with is what pelt_unbake() decodes
// and pelt_deform() skins with, in one pass and in two.
#include "baked_fixture.h"
#include "gl_compare.h"

static pelt_gl* gl;

enum
{
    VERTEX_COUNT = 300,
    JOINT_COUNT = 23,
    INSTANCE_COUNT = 24,
};

static const pelt_palette_kind kinds[] = {PELT_PALETTE_BAKED, PELT_PALETTE_POSED};

// A crowd of one mesh.
typedef struct crowd_case
{
    const pelt_baked* baked;
    const pelt_playback* playbacks;
    uint32_t count;
    gl_case how; ///< mesh, method, pivot and so on
    pelt_gpu_scale scale;
    pelt_palette_kind kind;
} crowd_case;

static double worst_position, worst_normal;

static int compare_surfaces(const pelt_surface* expected, const pelt_surface* got, uint32_t count)
{
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, expected->positions, count);
    double size = (double)pelt_bounds_diagonal(&box);
    for (uint32_t v = 0; v < count; ++v)
    {
        double far = (double)pelt_vec3_distance(expected->positions[v], got->positions[v]) / size;
        double turned = gl_degrees_between(expected->normals[v], got->normals[v]);
        worst_position = far <= worst_position ? worst_position : far;
        worst_normal = turned <= worst_normal ? worst_normal : turned;
    }
    return 0;
}

static int compare_instance(const crowd_case* c, const pelt_gl_crowd* crowd,
                            const pelt_gl_mesh* mesh, uint32_t instance, pelt_palette* palette)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_surface expected = {0}, got = {0};
    pelt_error error = {0};
    got.positions = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *got.positions);
    got.normals = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *got.normals);
    pelt_unbake(palette->matrices, c->baked, &c->playbacks[instance]);
    pelt_palette_decompose(palette);
    gl_case reference = c->how;
    reference.palette = palette;
    pelt_gl_crowd_skin_desc desc = {.crowd = crowd,
                                    .mesh = mesh,
                                    .instance = instance,
                                    .method = c->how.method,
                                    .scale = c->scale,
                                    .mix = c->how.mix};
    pelt_result result = pelt_gl_crowd_skin(&got, gl, &desc, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    int failed = result != PELT_OK || gl_reference(&expected, &reference, arena) ||
                 compare_surfaces(&expected, &got, mesh->vertex_count);
    pelt_arena_destroy(arena);
    return failed;
}

static int compare_crowd(const crowd_case* c)
{
    pelt_gl_baked texture;
    pelt_gl_crowd crowd;
    pelt_gl_mesh mesh;
    pelt_palette palette;
    pelt_error error = {0};
    pelt_gl_mesh_options options = {
        .cors = c->how.cors, .normal_factors = c->how.factors, .normal_rule = c->how.rule};
    ENSURE(pelt_palette_create(&palette, c->baked->joint_count) == PELT_OK);
    ENSURE(pelt_gl_baked_create(&texture, gl, c->baked, &error) == PELT_OK);
    ENSURE(pelt_gl_mesh_create(&mesh, gl, c->how.mesh, &options, &error) == PELT_OK);
    pelt_result result = pelt_gl_crowd_create(&crowd, gl, &texture, c->count, c->kind, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    ENSURE(result == PELT_OK);
    ENSURE(crowd.kind == c->kind);
    pelt_gl_crowd_update(&crowd, c->playbacks, c->count);
    ENSURE(pelt_gl_crowd_pose(&crowd, &error) == PELT_OK);
    int failed = 0;
    for (uint32_t i = 0; i < c->count && !failed; ++i)
    {
        failed = compare_instance(c, &crowd, &mesh, i, &palette);
    }
    pelt_gl_crowd_destroy(&crowd);
    pelt_gl_mesh_destroy(&mesh);
    pelt_gl_baked_destroy(&texture);
    pelt_palette_destroy(&palette);
    return failed;
}

// ---------------------------------------------------------------------------------------------
// Random textures

static int compare_fixture(const baked_fixture_desc* desc, pelt_method method, pelt_gpu_scale scale,
                           pelt_palette_kind kind)
{
    pelt_playback playbacks[INSTANCE_COUNT];
    test_random random = {desc->seed + 100};
    pelt_baked* baked = baked_fixture_make(desc);
    ENSURE(baked != NULL);
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        playbacks[i] = baked_fixture_play(baked, &random);
    }
    point_set points = point_set_random(desc->seed, VERTEX_COUNT, desc->joint_count, 4, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&points);
    crowd_case c = {
        .baked = baked,
        .playbacks = playbacks,
        .count = INSTANCE_COUNT,
        .how = {.mesh = &mesh,
                .cors = points.cors,
                .method = method,
                .mix = 0.3f,
                .pivot = scale == PELT_GPU_SCALE_ORIGIN ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL},
        .scale = scale,
        .kind = kind};
    int failed = compare_crowd(&c);
    point_set_free(&points);
    pelt_arena_destroy(baked->arena);
    return failed;
}

static void begin(void)
{
    worst_position = worst_normal = 0.0;
}

static int judge(const char* what)
{
    printf("  %s: position %.1e of size, normal %.1e degrees\n", what, worst_position,
           worst_normal);
    ENSURE(worst_position <= 1e-5);
    ENSURE(worst_normal <= 0.05);
    return 0;
}

static int every_encoding_is_decoded(void)
{
    static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI,
                                        PELT_TEXEL_RGBA8UI};
    static const char* const names[] = {"qt", "local", "matrix", "dq"};
    int failed = 0;
    for (int encoding = PELT_ENCODING_QT; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        for (int i = 0; i < 6; ++i)
        {
            begin();
            baked_fixture_desc desc = {.encoding = (pelt_encoding)encoding,
                                       .texel = texels[i % 3],
                                       .seed = (uint64_t)(7 + i),
                                       .joint_count = JOINT_COUNT,
                                       .has_parents = encoding == PELT_ENCODING_LOCAL,
                                       .has_stretch = true};
            ENSURE(compare_fixture(&desc, PELT_METHOD_LBS, PELT_GPU_SCALE_NONE, kinds[i % 2]) == 0);
            failed += judge(names[encoding]);
        }
    }
    return failed;
}

// Joints turn and move: no method needs more than the product of their quaternions.
static int every_method_skins_with_rigid_joints(void)
{
    int failed = 0;
    for (int i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        begin();
        pelt_method method = gl_methods[i / 2];
        baked_fixture_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                   .texel = PELT_TEXEL_RGBA32UI,
                                   .seed = 31,
                                   .joint_count = JOINT_COUNT,
                                   .has_parents = true,
                                   .is_calm = true};
        ENSURE(compare_fixture(&desc, method, PELT_GPU_SCALE_NONE, kinds[i % 2]) == 0);
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

// Stretches of parents shear their children, whose rotation is that of a polar decomposition.
static int every_method_skins_with_joints_that_scale(void)
{
    static const pelt_gpu_scale scales[] = {PELT_GPU_SCALE_LOCAL, PELT_GPU_SCALE_ORIGIN};
    int failed = 0;
    for (int i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        begin();
        pelt_method method = gl_methods[i / 2];
        baked_fixture_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                   .texel = PELT_TEXEL_RGBA32UI,
                                   .seed = 41,
                                   .joint_count = JOINT_COUNT,
                                   .has_parents = true,
                                   .has_stretch = true,
                                   .is_calm = true};
        ENSURE(compare_fixture(&desc, method, scales[i % 2], kinds[(i + i / 2) % 2]) == 0);
        desc.encoding = PELT_ENCODING_QT;
        desc.has_parents = false;
        desc.is_mirrored = true;
        ENSURE(compare_fixture(&desc, method, scales[i % 2], kinds[(i + i / 2) % 2]) == 0);
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

void test_gl_crowd(void)
{
    for (int i = 0; i < 2; ++i)
    {
        gl = gl_open(i ? PELT_GL_OFFSCREEN_ES : PELT_GL_OFFSCREEN, "gl_crowd");
        if (gl == NULL)
        {
            continue;
        }
        RUN(every_encoding_is_decoded);
        if (i == 0)
        {
            RUN(every_method_skins_with_rigid_joints);
            RUN(every_method_skins_with_joints_that_scale);
        }
        pelt_gl_destroy(gl);
    }
}
