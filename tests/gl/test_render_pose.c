// SPDX-License-Identifier: MIT
// Pictures of posed characters: skinning on both sides, bones, centers, boxes, and windows.
#include "render_fixture.h"
#include "rigs.h"
#include "stage.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

static pelt_gl* gl;
static pelt_scene* arm;
static pelt_vec3* cors;

static const pelt_color white = {255, 255, 255, 255};

// A bent arm that fills the picture.
static render_case make_case(void)
{
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, arm->meshes[0].positions, arm->meshes[0].vertex_count);
    box.max.y += 0.3f;
    return (render_case){
        .gl = gl,
        .scene = arm,
        .clip = &arm->clips[0],
        .cors = cors,
        .camera = pelt_camera_frame(&box, 0.3f, 0.3f, (float)RENDER_WIDTH / RENDER_HEIGHT),
        .look = {.background = white}};
}

// Positions agree to 1e-5 of the size, so what differs are pixels on an outline, whose samples lie
// on the other side of it.
static int gpu_and_cpu_give_the_same_picture(void)
{
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        pelt_picture cpu, gpu;
        render_case c = make_case();
        c.deform = (pelt_deform_options){.method = gl_methods[i], .mix = 0.4f};
        c.skinning = PELT_SKINNING_CPU;
        ENSURE(render_take(&cpu, &c, NULL) == PELT_OK);
        c.skinning = PELT_SKINNING_GPU;
        ENSURE(render_take(&gpu, &c, NULL) == PELT_OK);
        ENSURE(render_count_different(&cpu, &gpu, 8) <= 20);
        pelt_picture_destroy(&cpu);
        pelt_picture_destroy(&gpu);
    }
    return 0;
}

// A mesh that brings its factors, some LBS, some DQS, under an option that says otherwise.
static int factors_of_a_mesh_count_on_both_sides(void)
{
    pelt_scene scene = *arm;
    pelt_mesh mesh = arm->meshes[0];
    float* factors = malloc(mesh.vertex_count * sizeof *factors);
    ENSURE(factors != NULL && arm->mesh_count == 1);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        factors[v] = (float)(v % 7) / 6.0f;
    }
    mesh.mix_factors = factors;
    scene.meshes = &mesh;
    render_case c = make_case();
    pelt_picture cpu, gpu, plain;
    c.deform = (pelt_deform_options){.method = PELT_METHOD_MIX, .mix = 0.0f};
    c.skinning = PELT_SKINNING_GPU;
    ENSURE(render_take(&plain, &c, NULL) == PELT_OK);
    c.scene = &scene;
    ENSURE(render_take(&gpu, &c, NULL) == PELT_OK);
    c.skinning = PELT_SKINNING_CPU;
    ENSURE(render_take(&cpu, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&cpu, &gpu, 8) <= 20);
    ENSURE(render_count_different(&plain, &gpu, 8) > 100);
    pelt_picture_destroy(&cpu);
    pelt_picture_destroy(&gpu);
    pelt_picture_destroy(&plain);
    free(factors);
    return 0;
}

// Shaders are for the method of the options: a mesh of another is what the CPU makes of it.
static int method_of_a_mesh_counts_on_both_sides(void)
{
    static const pelt_method own = PELT_METHOD_DQS;
    render_case c = make_case();
    pelt_picture expected, found, plain;
    c.deform = (pelt_deform_options){.method = PELT_METHOD_DQS};
    c.skinning = PELT_SKINNING_CPU;
    ENSURE(render_take(&expected, &c, NULL) == PELT_OK);
    c.deform.method = PELT_METHOD_LBS;
    c.skinning = PELT_SKINNING_GPU;
    ENSURE(render_take(&plain, &c, NULL) == PELT_OK);
    c.method = &own;
    ENSURE(render_take(&found, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&expected, &found, 0) == 0);
    ENSURE(render_count_different(&plain, &found, 8) > 100);
    pelt_picture_destroy(&expected);
    pelt_picture_destroy(&found);
    pelt_picture_destroy(&plain);
    return 0;
}

// An arm whose forearm is stretched, or inverted as well. Who skins by default shows in
// the programs of the context: each pivot of scale has its own, until the CPU has it.
static int check_stretched_arm(float side, uint32_t programs, uint32_t pixels)
{
    pelt_node nodes[8];
    pelt_scene scene = *arm;
    ENSURE(arm->node_count <= 8);
    memcpy(nodes, arm->nodes, arm->node_count * sizeof *nodes);
    nodes[pelt_scene_find_node(arm, "elbow")].rest.scale = pelt_vec3_make(0.8f, 1.4f, side * 0.7f);
    scene.nodes = nodes;
    for (uint32_t i = 1; i < GL_METHOD_COUNT; ++i)
    {
        pelt_picture cpu, gpu;
        render_case c = make_case();
        c.scene = &scene;
        c.deform = (pelt_deform_options){
            .method = gl_methods[i], .scale_pivot = PELT_SCALE_ORIGIN, .mix = 0.4f};
        c.skinning = PELT_SKINNING_CPU;
        ENSURE(render_take(&cpu, &c, NULL) == PELT_OK);
        uint32_t before = pelt_gl_describe(gl).program_count;
        c.skinning = PELT_SKINNING_AUTO;
        ENSURE(render_take(&gpu, &c, NULL) == PELT_OK);
        ENSURE(pelt_gl_describe(gl).program_count == before + programs);
        ENSURE(render_count_different(&cpu, &gpu, 8) <= pixels);
        pelt_picture_destroy(&cpu);
        pelt_picture_destroy(&gpu);
    }
    return 0;
}

static int gpu_draws_joints_that_scale(void)
{
    ENSURE(check_stretched_arm(1.0f, 1, 20) == 0);
    return 0;
}

static int cpu_draws_joints_of_both_hands(void)
{
    ENSURE(check_stretched_arm(-1.0f, 0, 0) == 0);
    return 0;
}

// Pictures by the CPU and by default.
static int take_both(pelt_picture* cpu, pelt_picture* other, render_case* c)
{
    c->skinning = PELT_SKINNING_CPU;
    ENSURE(render_take(cpu, c, NULL) == PELT_OK);
    c->skinning = PELT_SKINNING_AUTO;
    ENSURE(render_take(other, c, NULL) == PELT_OK);
    return 0;
}

// Who skins shows in the programs of the context, as above; that the rule is followed, in what it
// changes on the inside of the elbow.
static int gpu_draws_accurate_normals(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors factors;
    const pelt_normal_options four = {.max_joints = 4};
    ENSURE(pelt_normal_factors_build(&factors, &arm->meshes[0], cors, &four, arena, NULL) ==
           PELT_OK);
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        pelt_picture cpu, gpu, standard;
        render_case c = make_case();
        c.factors = &factors;
        c.deform = (pelt_deform_options){.method = gl_methods[i], .mix = 0.4f};
        ENSURE(render_take(&standard, &c, NULL) == PELT_OK);
        c.deform.normal_rule = PELT_NORMAL_ACCURATE;
        uint32_t before = pelt_gl_describe(gl).program_count;
        ENSURE(take_both(&cpu, &gpu, &c) == 0);
        ENSURE(pelt_gl_describe(gl).program_count == before + 1);
        uint32_t difference = render_count_different(&cpu, &gpu, 8);
        ENSURE(difference <= 20);
        ENSURE(render_count_different(&standard, &gpu, 8) > 3 * difference + 20);
        pelt_picture_destroy(&cpu);
        pelt_picture_destroy(&gpu);
        pelt_picture_destroy(&standard);
    }
    pelt_arena_destroy(arena);
    return 0;
}

typedef struct normal_stage
{
    pelt_stage* stage;
    pelt_frame frame;
    pelt_pose pose;
} normal_stage;

// A picture on a stage that stays, by the GPU.
static int take_on(normal_stage* on, pelt_picture* out, const render_case* c)
{
    pelt_deform_options deform = c->deform;
    on->frame.normal_factors[0] = c->factors;
    ENSURE(pelt_picture_create(out, RENDER_WIDTH, RENDER_HEIGHT, NULL) == PELT_OK);
    pelt_frame_update(&on->frame, c->scene, &on->pose, &deform);
    ENSURE(pelt_stage_pose(on->stage, &on->frame, &deform, PELT_SKINNING_GPU, NULL) == PELT_OK);
    ENSURE(pelt_stage_picture(out, on->stage, &c->camera, &c->look, NULL) == PELT_OK);
    return 0;
}

// They are uploaded once. Another rule in between does not change them, and others at the same
// position are seen.
static int normal_factors_of_a_stage_are_those_of_the_frame(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors factors;
    const pelt_normal_options four = {.max_joints = 4};
    ENSURE(pelt_normal_factors_build(&factors, &arm->meshes[0], cors, &four, arena, NULL) ==
           PELT_OK);
    render_case c = make_case();
    normal_stage on = {0};
    ENSURE(pelt_stage_create(&on.stage, gl, arm, &c.options, NULL) == PELT_OK);
    ENSURE(pelt_frame_create(&on.frame, arm) == PELT_OK);
    ENSURE(pelt_pose_create(&on.pose, arm) == PELT_OK);
    pelt_pose_sample(&on.pose, arm, c.clip, c.clip->duration, PELT_WRAP_CLAMP);
    pelt_picture pictures[4], fresh;
    for (int i = 0; i < 4; ++i)
    {
        // Accurate, standard, accurate; then other factors where those were.
        for (uint32_t k = 0; i == 3 && k < factors.factor_count; ++k)
        {
            pelt_normal_factor* factor = (pelt_normal_factor*)(uintptr_t)&factors.factors[k];
            factor->alpha *= -1.0f;
            factor->beta *= -1.0f;
        }
        c.factors = &factors;
        c.deform.normal_rule = i == 1 ? PELT_NORMAL_STANDARD : PELT_NORMAL_ACCURATE;
        ENSURE(take_on(&on, &pictures[i], &c) == 0);
    }
    c.skinning = PELT_SKINNING_GPU;
    ENSURE(render_take(&fresh, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&pictures[0], &pictures[1], 8) > 20);
    ENSURE(render_count_different(&pictures[0], &pictures[2], 0) == 0);
    ENSURE(render_count_different(&pictures[3], &fresh, 0) == 0);
    ENSURE(render_count_different(&pictures[3], &pictures[0], 8) > 20);
    for (int i = 0; i < 4; ++i)
    {
        pelt_picture_destroy(&pictures[i]);
    }
    pelt_picture_destroy(&fresh);
    pelt_pose_destroy(&on.pose);
    pelt_frame_destroy(&on.frame);
    pelt_stage_destroy(on.stage);
    pelt_arena_destroy(arena);
    return 0;
}

// More factors than shaders have room for, a limit that they do not know, or other signs.
static int cpu_draws_normals_that_shaders_do_not_know(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors factors;
    ENSURE(pelt_normal_factors_build(&factors, &arm->meshes[0], cors, NULL, arena, NULL) ==
           PELT_OK);
    for (int i = 0; i < 3; ++i)
    {
        pelt_picture cpu, other;
        pelt_normal_factors crowded = factors;
        render_case c = make_case();
        crowded.max_factors = i == 0 ? 9 : factors.max_factors;
        c.factors = &crowded;
        c.deform =
            (pelt_deform_options){.method = PELT_METHOD_DQS,
                                  .normal_rule = i == 1 ? PELT_NORMAL_PAPER : PELT_NORMAL_ACCURATE,
                                  .normal_clamp = i == 1 ? 0.5f : 0.0f,
                                  .sign_rule = i == 2 ? PELT_SIGN_RUNNING : PELT_SIGN_HEAVIEST};
        uint32_t before = pelt_gl_describe(gl).program_count;
        ENSURE(take_both(&cpu, &other, &c) == 0);
        ENSURE(pelt_gl_describe(gl).program_count == before);
        ENSURE(render_count_different(&cpu, &other, 0) == 0);
        pelt_picture_destroy(&cpu);
        pelt_picture_destroy(&other);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// lbs and dqs of the same twist look different, so the comparison above can fail; and what shaders
// cannot draw comes from the CPU, whichever device is asked for.
static int methods_are_told_apart(void)
{
    pelt_picture lbs, dqs, lms, lms_cpu, basic, basic_cpu;
    render_case c = make_case();
    c.clip = &arm->clips[1];
    ENSURE(render_take(&lbs, &c, NULL) == PELT_OK);
    c.deform.method = PELT_METHOD_DQS;
    ENSURE(render_take(&dqs, &c, NULL) == PELT_OK);
    c.deform.dqs_variant = PELT_DQS_BASIC;
    ENSURE(render_take(&basic, &c, NULL) == PELT_OK);
    c.skinning = PELT_SKINNING_CPU;
    ENSURE(render_take(&basic_cpu, &c, NULL) == PELT_OK);
    c.deform = (pelt_deform_options){.method = PELT_METHOD_LMS};
    ENSURE(render_take(&lms_cpu, &c, NULL) == PELT_OK);
    c.skinning = PELT_SKINNING_GPU;
    ENSURE(render_take(&lms, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&lbs, &dqs, 8) > 100);
    ENSURE(render_count_different(&lms, &lms_cpu, 0) == 0);
    ENSURE(render_count_different(&basic, &basic_cpu, 0) == 0);
    pelt_picture* all[] = {&lbs, &dqs, &lms, &lms_cpu, &basic, &basic_cpu};
    for (int i = 0; i < 6; ++i)
    {
        pelt_picture_destroy(all[i]);
    }
    return 0;
}

// Facets by the screen's derivatives: rounding on edges between them counts a little more.
static int meshes_without_normals_are_flat_on_both_sides(void)
{
    pelt_picture cpu, gpu, smooth;
    render_case c = make_case();
    ENSURE(arm->mesh_count == 1);
    ENSURE(render_take(&smooth, &c, NULL) == PELT_OK);
    pelt_mesh bare = arm->meshes[0];
    pelt_scene scene = *arm;
    bare.normals = NULL;
    bare.tangents = NULL;
    scene.meshes = &bare;
    c.scene = &scene;
    c.skinning = PELT_SKINNING_CPU;
    ENSURE(render_take(&cpu, &c, NULL) == PELT_OK);
    c.skinning = PELT_SKINNING_GPU;
    ENSURE(render_take(&gpu, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&cpu, &gpu, 8) <= 40);
    // As bright as with normals: a black surface would differ everywhere.
    ENSURE(render_count_different(&cpu, &smooth, 60) <= 100);
    pelt_picture_destroy(&cpu);
    pelt_picture_destroy(&gpu);
    pelt_picture_destroy(&smooth);
    return 0;
}

static int languages_give_the_same_picture(void)
{
    pelt_picture desktop, es;
    pelt_gl* other = gl_open(PELT_GL_OFFSCREEN_ES, "languages_give_the_same_picture");
    if (other == NULL)
    {
        return 0;
    }
    render_case c = make_case();
    c.deform.method = PELT_METHOD_CRS;
    c.look.show = PELT_SHOW_GROUND | PELT_SHOW_BONES | PELT_SHOW_CORS | PELT_SHOW_BOXES |
                  PELT_SHOW_JOINT_BOXES | PELT_SHOW_NORMALS;
    c.gl = other;
    ENSURE(render_take(&es, &c, NULL) == PELT_OK);
    pelt_gl_destroy(other);
    ENSURE(pelt_gl_make_current(gl, NULL) == PELT_OK);
    c.gl = gl;
    ENSURE(render_take(&desktop, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&desktop, &es, 8) <= 20);
    pelt_picture_destroy(&desktop);
    pelt_picture_destroy(&es);
    return 0;
}

static int draw_posed(pelt_picture* out, pelt_stage* stage, const pelt_frame* frame,
                      const render_case* c)
{
    ENSURE(pelt_picture_create(out, RENDER_WIDTH, RENDER_HEIGHT, NULL) == PELT_OK);
    ENSURE(pelt_stage_pose(stage, frame, &c->deform, PELT_SKINNING_GPU, NULL) == PELT_OK);
    ENSURE(pelt_stage_picture(out, stage, &c->camera, &c->look, NULL) == PELT_OK);
    return 0;
}

static int open_frame(pelt_frame* frame, const render_case* c);

// Ground and shadow are those of the palettes, whatever surfaces are in the frame.
static int shaders_need_no_surfaces(void)
{
    pelt_frame frame;
    pelt_stage* stage;
    pelt_picture with, without;
    render_case c = make_case();
    c.look.show = PELT_SHOW_GROUND | PELT_SHOW_BOXES | PELT_SHOW_NORMALS;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(pelt_stage_create(&stage, gl, arm, NULL, NULL) == PELT_OK);
    ENSURE(draw_posed(&with, stage, &frame, &c) == 0);
    memset(frame.surfaces[0].positions, 0,
           arm->meshes[0].vertex_count * sizeof *frame.surfaces[0].positions);
    ENSURE(draw_posed(&without, stage, &frame, &c) == 0);
    ENSURE(render_count_different(&with, &without, 0) == 0);
    pelt_picture_destroy(&with);
    pelt_picture_destroy(&without);
    pelt_stage_destroy(stage);
    pelt_frame_destroy(&frame);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Marks

typedef bool (*color_test)(pelt_color c);

static bool is_green(pelt_color c)
{
    return c.g > c.r + 40 && c.g > c.b + 40;
}

static bool is_yellow(pelt_color c)
{
    return c.r > 100 && c.g > 80 && c.r > c.b + 60 && c.g > c.b + 40;
}

static bool is_red(pelt_color c)
{
    return c.r > c.g + 60 && c.r > c.b + 60;
}

static bool is_blue(pelt_color c)
{
    return c.b > c.r + 40;
}

// Whether a color is there, or at a neighbor: within a pixel.
static bool is_near(const pelt_picture* picture, const render_case* c, pelt_vec3 position,
                    color_test is_color)
{
    render_point at = render_project(&c->camera, position, RENDER_WIDTH, RENDER_HEIGHT);
    for (int i = 0; i < 9; ++i)
    {
        render_point near = {at.x + i % 3 - 1, at.y + i / 3 - 1, at.z};
        if (is_color(render_pixel(picture, near)))
        {
            return true;
        }
    }
    return false;
}

static int open_frame(pelt_frame* frame, const render_case* c)
{
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, arm) == PELT_OK);
    ENSURE(pelt_frame_create(frame, arm) == PELT_OK);
    pelt_pose_sample(&pose, arm, c->clip, c->clip->duration, PELT_WRAP_CLAMP);
    pelt_frame_update(frame, arm, &pose, &c->deform);
    pelt_pose_destroy(&pose);
    return 0;
}

static int joints_and_bones_are_where_the_pose_has_them(void)
{
    pelt_frame frame;
    pelt_picture picture;
    render_case c = make_case();
    c.look.show = PELT_SHOW_BONES;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    const pelt_skin* skin = &arm->skins[0];
    uint32_t bone_count = 0;
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        pelt_vec3 at = pelt_mat34_translation(&frame.model_from_node[skin->joints[i]]);
        uint32_t parent = arm->nodes[skin->joints[i]].parent;
        ENSURE(is_near(&picture, &c, at, is_green));
        if (parent != PELT_NONE)
        {
            pelt_vec3 from = pelt_mat34_translation(&frame.model_from_node[parent]);
            ENSURE(is_near(&picture, &c, pelt_vec3_lerp(from, at, 0.4f), is_yellow));
            bone_count++;
        }
    }
    ENSURE(bone_count > 0);
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    return 0;
}

// Without the joint at its tip, which no vertex follows, the hand's bone goes to the end of the
// arm, and rotates with the hand.
static int bones_without_a_joint_at_their_end_are_drawn(void)
{
    pelt_frame frame;
    pelt_picture picture;
    render_case c = make_case();
    pelt_skin skin = arm->skins[0];
    pelt_mesh mesh = arm->meshes[0];
    pelt_scene shorter = *arm;
    mesh.weights.joint_count = skin.joint_count -= 1;
    shorter.skins = &skin;
    shorter.meshes = &mesh;
    c.scene = &shorter;
    c.look.show = PELT_SHOW_BONES;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    const pelt_mat34* hand = &frame.model_from_node[pelt_scene_find_node(arm, "hand")];
    ENSURE(is_near(&picture, &c, pelt_mat34_point(hand, pelt_vec3_make(0.05f, 0.0f, 0.0f)),
                   is_yellow));
    ENSURE(is_near(&picture, &c, pelt_mat34_point(hand, pelt_vec3_make(0.115f, 0.0f, 0.0f)),
                   is_yellow));
    ENSURE(!is_near(&picture, &c, pelt_mat34_point(hand, pelt_vec3_make(0.14f, 0.0f, 0.0f)),
                    is_yellow));
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    return 0;
}

// The box of the forearm lies along the forearm, wherever that is; corners on the far side may be
// hidden.
static int boxes_of_joints_rotate_with_them(void)
{
    pelt_frame frame;
    pelt_picture with, without;
    render_case c = make_case();
    pelt_joint_shape shapes[8];
    ENSURE(arm->node_count <= 8 && pelt_joint_shapes(shapes, arm) == PELT_OK);
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(render_take(&without, &c, NULL) == PELT_OK);
    c.look.show = PELT_SHOW_JOINT_BOXES;
    ENSURE(render_take(&with, &c, NULL) == PELT_OK);
    uint32_t elbow = pelt_scene_find_node(arm, "elbow"), seen = 0;
    const pelt_bounds* box = &shapes[elbow].box;
    for (int i = 0; i < 8; ++i)
    {
        pelt_vec3 corner = {i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                            i & 4 ? box->max.z : box->min.z};
        render_point at =
            render_project(&c.camera, pelt_mat34_point(&frame.model_from_node[elbow], corner),
                           RENDER_WIDTH, RENDER_HEIGHT);
        bool is_drawn = false;
        for (int k = 0; k < 9; ++k)
        {
            render_point near = {at.x + k % 3 - 1, at.y + k / 3 - 1, at.z};
            pelt_color a = render_pixel(&with, near), b = render_pixel(&without, near);
            is_drawn = is_drawn || memcmp(&a, &b, sizeof a) != 0;
        }
        seen += is_drawn;
    }
    ENSURE(seen >= 6);
    pelt_picture_destroy(&with);
    pelt_picture_destroy(&without);
    pelt_frame_destroy(&frame);
    return 0;
}

// Each vertex's matrix is the mean of its joints'; the picture shows no red without the bit.
static int centers_are_carried_along_as_under_lbs(void)
{
    pelt_frame frame;
    pelt_picture picture, without;
    render_case c = make_case();
    ENSURE(render_take(&without, &c, NULL) == PELT_OK);
    c.look.show = PELT_SHOW_CORS;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    const pelt_weights* weights = &arm->meshes[0].weights;
    uint32_t count = 0;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        pelt_vec3 moved = {0.0f, 0.0f, 0.0f};
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            const pelt_influence* influence = &weights->influences[i];
            pelt_vec3 p = pelt_mat34_point(&frame.palettes[0].matrices[influence->joint], cors[v]);
            moved = pelt_vec3_mad(moved, influence->weight, p);
        }
        if (memcmp(&cors[v], &arm->meshes[0].positions[v], sizeof cors[v]) != 0)
        {
            ENSURE(is_near(&picture, &c, moved, is_red));
            count++;
        }
    }
    ENSURE(count > 0 && render_count_different(&picture, &without, 8) < 2000);
    pelt_picture_destroy(&picture);
    pelt_picture_destroy(&without);
    pelt_frame_destroy(&frame);
    return 0;
}

static int boxes_have_the_corners_of_the_surface(void)
{
    pelt_frame frame;
    pelt_picture picture;
    render_case c = make_case();
    c.look.show = PELT_SHOW_BOXES;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, frame.surfaces[0].positions, arm->meshes[0].vertex_count);
    uint32_t seen = 0;
    for (int i = 0; i < 8; ++i)
    {
        pelt_vec3 corner = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                            i & 4 ? box.max.z : box.min.z};
        seen += is_near(&picture, &c, corner, is_blue);
    }
    // The arm may hide one.
    ENSURE(seen >= 7);
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Windows

static pelt_result draw_into(uint8_t* pixels, const render_case* c, const pelt_frame* frame)
{
    pelt_stage* stage;
    GLuint framebuffer, buffers[2];
    GLint bound = 0;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(2, buffers);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; ++i)
    {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, RENDER_WIDTH,
                              RENDER_HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, buffers[i]);
    }
    // What a program may have left behind.
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    glDepthFunc(GL_NEVER);
    glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    pelt_result result = pelt_stage_create(&stage, gl, c->scene, NULL, NULL);
    result =
        result == PELT_OK ? pelt_stage_pose(stage, frame, &c->deform, c->skinning, NULL) : result;
    result = result == PELT_OK
                 ? pelt_stage_draw(stage, RENDER_WIDTH, RENDER_HEIGHT, &c->camera, &c->look, NULL)
                 : result;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    glReadPixels(0, 0, RENDER_WIDTH, RENDER_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    pelt_stage_destroy(stage);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(2, buffers);
    return (GLuint)bound == framebuffer ? result : PELT_ERROR_DATA;
}

// A window has its first row at the bottom, and here one sample for each pixel.
static int windows_get_the_same_picture_whatever_state_they_are_in(void)
{
    static uint8_t pixels[RENDER_HEIGHT][RENDER_WIDTH * 4];
    pelt_frame frame;
    pelt_picture picture;
    render_case c = make_case();
    c.look.show = PELT_SHOW_GROUND | PELT_SHOW_BONES;
    c.options.sample_count = 1;
    ENSURE(open_frame(&frame, &c) == 0);
    ENSURE(draw_into(&pixels[0][0], &c, &frame) == PELT_OK);
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    for (uint32_t y = 0; y < RENDER_HEIGHT; ++y)
    {
        ENSURE(memcmp(pixels[RENDER_HEIGHT - 1 - y], picture.pixels + y * RENDER_WIDTH,
                      sizeof pixels[0]) == 0);
    }
    ENSURE(glGetError() == GL_NO_ERROR);
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    return 0;
}

// Drivers that draw on the processor shade each pixel once, and samples take the colors of pixels.
// What differs are pixels with edges of surfaces that no pixel's center shows.
static int shading_of_pixels_gives_the_picture_of_samples(void)
{
    static const uint32_t looks[] = {0, PELT_SHOW_GROUND | PELT_SHOW_WIRE, PELT_SHOW_FACETS};
    for (uint32_t i = 0; i < sizeof looks / sizeof *looks; ++i)
    {
        pelt_frame frame;
        pelt_picture pictures[2];
        pelt_stage* stage;
        render_case c = make_case();
        c.look.show = looks[i];
        ENSURE(open_frame(&frame, &c) == 0);
        ENSURE(pelt_stage_create(&stage, gl, c.scene, NULL, NULL) == PELT_OK);
        ENSURE(pelt_stage_pose(stage, &frame, &c.deform, c.skinning, NULL) == PELT_OK);
        for (int k = 0; k < 2; ++k)
        {
            stage->shades_pixels = k == 1;
            ENSURE(pelt_picture_create(&pictures[k], RENDER_WIDTH, RENDER_HEIGHT, NULL) == PELT_OK);
            ENSURE(pelt_stage_picture(&pictures[k], stage, &c.camera, &c.look, NULL) == PELT_OK);
        }
        uint32_t different = render_count_different(&pictures[0], &pictures[1], 8);
        printf("  %u of %u pixels differ by more than 8\n", different,
               RENDER_WIDTH * RENDER_HEIGHT);
        ENSURE(100 * different <= RENDER_WIDTH * RENDER_HEIGHT);
        pelt_picture_destroy(&pictures[0]);
        pelt_picture_destroy(&pictures[1]);
        pelt_stage_destroy(stage);
        pelt_frame_destroy(&frame);
    }
    return 0;
}

static int open_arm(void)
{
    const pelt_mesh* mesh;
    ENSURE(pelt_rig_build(&arm, "rig:arm?vertices=2000", NULL) == PELT_OK);
    mesh = &arm->meshes[0];
    cors = pelt_allocate(mesh->vertex_count, sizeof *cors);
    const pelt_cor_input input = {1, &mesh};
    ENSURE(cors != NULL && pelt_cor_solve(&cors, &input, NULL, NULL, NULL) == PELT_OK);
    return 0;
}

void test_render_pose(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "render_pose");
    if (gl == NULL)
    {
        return;
    }
    RUN(open_arm);
    RUN(gpu_and_cpu_give_the_same_picture);
    RUN(cpu_draws_joints_of_both_hands);
    RUN(factors_of_a_mesh_count_on_both_sides);
    RUN(method_of_a_mesh_counts_on_both_sides);
    RUN(gpu_draws_joints_that_scale);
    RUN(shaders_need_no_surfaces);
    RUN(gpu_draws_accurate_normals);
    RUN(normal_factors_of_a_stage_are_those_of_the_frame);
    RUN(cpu_draws_normals_that_shaders_do_not_know);
    RUN(methods_are_told_apart);
    RUN(meshes_without_normals_are_flat_on_both_sides);
    RUN(languages_give_the_same_picture);
    RUN(joints_and_bones_are_where_the_pose_has_them);
    RUN(bones_without_a_joint_at_their_end_are_drawn);
    RUN(boxes_of_joints_rotate_with_them);
    RUN(centers_are_carried_along_as_under_lbs);
    RUN(boxes_have_the_corners_of_the_surface);
    RUN(shading_of_pixels_gives_the_picture_of_samples);
    RUN(windows_get_the_same_picture_whatever_state_they_are_in);
    pelt_release(cors);
    pelt_scene_destroy(arm);
    pelt_gl_destroy(gl);
}
