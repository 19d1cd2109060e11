// SPDX-License-Identifier: MIT
// Cards one behind the other, whose materials have alpha and samplers: pixels known in advance.
#include "render_fixture.h"
#include "test.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CARD_COUNT = 3,
};

static pelt_gl* gl;

// Squares of one meter that face +Z, each with a mesh and a material of its own. Not lit, so that
// a pixel is a color of the material.
static struct cards
{
    render_square squares[CARD_COUNT];
    pelt_vec4 colors[CARD_COUNT][4];
    pelt_mesh meshes[CARD_COUNT];
    pelt_material materials[CARD_COUNT];
    pelt_instance instances[CARD_COUNT];
    pelt_picture textures[CARD_COUNT * PELT_SLOT_COUNT];
    pelt_scene scene;
} cards;

static void add_card(float z, pelt_alpha_mode mode, pelt_vec4 color)
{
    uint32_t i = cards.scene.mesh_count++;
    render_square* square = &cards.squares[i];
    render_square_make(square);
    for (int v = 0; v < 4; ++v)
    {
        square->positions[v].z = z;
        cards.colors[i][v] = (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f};
    }
    cards.meshes[i] = square->mesh;
    cards.meshes[i].colors = cards.colors[i];
    cards.meshes[i].material = i;
    cards.materials[i] = (pelt_material){.base_color = color, .is_unlit = true, .alpha_mode = mode};
    cards.instances[i] = (pelt_instance){.mesh = i, .skin = PELT_NONE};
    cards.scene.instance_count = cards.scene.material_count = i + 1;
}

static const pelt_color white = {255, 255, 255, 255};
static const pelt_vec4 red = {1.0f, 0.0f, 0.0f, 0.5f};
static const pelt_vec4 green = {0.0f, 1.0f, 0.0f, 0.5f};
static const pelt_vec4 blue = {0.0f, 0.0f, 1.0f, 0.5f};

static render_case make_case(void)
{
    static const pelt_node node = {
        .parent = PELT_NONE,
        .rest = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}}};
    memset(&cards, 0, sizeof cards);
    cards.scene = (pelt_scene){.node_count = 1,
                               .nodes = &node,
                               .meshes = cards.meshes,
                               .materials = cards.materials,
                               .instances = cards.instances};
    return (render_case){
        .gl = gl,
        .scene = &cards.scene,
        .camera = {.eye = {0.1f, 0.6f, 3.0f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 0.6f},
        .look = {.background = white},
        .options = {.textures = cards.textures}};
}

// All of the first card shows one point of its texture.
static void set_uvs(pelt_vec2 at)
{
    for (int v = 0; v < 4; ++v)
    {
        cards.squares[0].uvs[v] = at;
    }
}

// What is seen at a point of the plane z = 0; {0} where nothing can be drawn.
static pelt_color seen_at(const render_case* c, float x, float y)
{
    pelt_picture picture;
    pelt_error error = {{0}};
    if (render_take(&picture, c, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return (pelt_color){0};
    }
    pelt_color seen = render_pixel(&picture, render_project(&c->camera, pelt_vec3_make(x, y, 0.0f),
                                                            RENDER_WIDTH, RENDER_HEIGHT));
    pelt_picture_destroy(&picture);
    return seen;
}

static double srgb_of(double linear)
{
    return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055);
}

// Two steps of a byte: one for each rounding of a layer.
static bool is_light(pelt_color seen, double r, double g, double b)
{
    bool is_same = fabs(seen.r - srgb_of(r)) <= 2.0 && fabs(seen.g - srgb_of(g)) <= 2.0 &&
                   fabs(seen.b - srgb_of(b)) <= 2.0;
    if (!is_same)
    {
        printf("  %d %d %d %d instead of %.0f %.0f %.0f\n", seen.r, seen.g, seen.b, seen.a,
               srgb_of(r), srgb_of(g), srgb_of(b));
    }
    return is_same;
}

// ---------------------------------------------------------------------------------------------
// Blending

static int half_red_before_green_is_half_of_both_lights(void)
{
    render_case c = make_case();
    add_card(0.2f, PELT_ALPHA_BLEND, red);
    add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
    ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 0.5, 0.5, 0.0));
    return 0;
}

static int alpha_means_nothing_to_opaque_surfaces(void)
{
    render_case c = make_case();
    add_card(0.2f, PELT_ALPHA_OPAQUE, red);
    add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
    pelt_color seen = seen_at(&c, 0.0f, 0.5f);
    ENSURE(is_light(seen, 1.0, 0.0, 0.0) && seen.a == 255);
    return 0;
}

static int alphas_of_material_vertex_and_texture_are_multiplied(void)
{
    pelt_color half = {255, 255, 255, 128};
    render_case c = make_case();
    add_card(0.2f, PELT_ALPHA_BLEND, red);
    add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
    cards.textures[0] = (pelt_picture){1, 1, &half};
    for (int v = 0; v < 4; ++v)
    {
        cards.colors[0][v].w = 0.5f;
    }
    double alpha = 0.25 * 128.0 / 255.0;
    ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), alpha, 1.0 - alpha, 0.0));
    return 0;
}

// From the front: half of red, half of the rest blue, then green.
static int layers_do_not_depend_on_the_order_of_lists(void)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; ++i)
    {
        render_case c = make_case();
        for (int k = 0; k < 3; ++k)
        {
            switch (orders[i][k])
            {
            case 0:
                add_card(0.3f, PELT_ALPHA_BLEND, red);
                break;
            case 1:
                add_card(0.0f, PELT_ALPHA_BLEND, blue);
                break;
            default:
                add_card(-0.3f, PELT_ALPHA_OPAQUE, green);
            }
        }
        ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 0.5, 0.25, 0.25));
    }
    return 0;
}

// The blue card twice in one mesh, before red and behind it, with its triangles in either order.
static int triangles_of_two_meshes_are_sorted_together(void)
{
    for (int is_flipped = 0; is_flipped < 2; ++is_flipped)
    {
        pelt_vec3 positions[8];
        uint32_t indices[12];
        render_case c = make_case();
        add_card(0.0f, PELT_ALPHA_BLEND, red);
        add_card(0.3f, PELT_ALPHA_BLEND, blue);
        add_card(-0.5f, PELT_ALPHA_OPAQUE, green);
        for (uint32_t v = 0; v < 8; ++v)
        {
            positions[v] = cards.squares[1].positions[v % 4];
            positions[v].z = (v < 4) == is_flipped ? 0.3f : -0.3f;
        }
        for (uint32_t k = 0; k < 12; ++k)
        {
            indices[k] = cards.squares[1].indices[k % 6] + 4 * (k / 6);
        }
        pelt_mesh* twice = &cards.meshes[1];
        *twice = (pelt_mesh){.vertex_count = 8,
                             .index_count = 12,
                             .positions = positions,
                             .indices = indices,
                             .material = 1};
        ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 0.25, 0.125, 0.5 + 0.125));
    }
    return 0;
}

static int opaque_surfaces_hide_blended_ones_behind_them(void)
{
    render_case c = make_case();
    add_card(-0.2f, PELT_ALPHA_BLEND, red);
    add_card(0.2f, PELT_ALPHA_OPAQUE, green);
    ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 0.0, 1.0, 0.0));
    return 0;
}

static int the_back_of_a_blended_surface_shows_when_it_has_two_sides(void)
{
    for (int is_double = 0; is_double < 2; ++is_double)
    {
        render_case c = make_case();
        add_card(0.0f, PELT_ALPHA_BLEND, red);
        cards.materials[0].is_double_sided = is_double;
        c.camera.eye.z = -3.0f;
        double rest = is_double ? 0.5 : 1.0;
        ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 1.0, rest, rest));
    }
    return 0;
}

// Colors of the picture are not multiplied with its alpha.
static int clear_backgrounds_show_through_blended_surfaces(void)
{
    const pelt_vec4 gray = {0.2f, 0.1f, 0.6f, 0.25f};
    render_case c = make_case();
    add_card(0.0f, PELT_ALPHA_BLEND, gray);
    c.look.background = (pelt_color){255, 255, 255, 0};
    pelt_color seen = seen_at(&c, 0.0f, 0.5f);
    // A quarter of a byte's steps is what colors were rounded to.
    ENSURE_NEAR(seen.a, 0.25 * 255.0, 1.0);
    ENSURE_NEAR(seen.r, srgb_of(0.2), 4.0);
    ENSURE_NEAR(seen.g, srgb_of(0.1), 4.0);
    ENSURE_NEAR(seen.b, srgb_of(0.6), 4.0);

    // What is not clear behind them mixes as on any other background.
    add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
    seen = seen_at(&c, 0.0f, 0.5f);
    ENSURE(is_light(seen, 0.05, 0.75 + 0.025, 0.15) && seen.a == 255);
    return 0;
}

// Half way to a clear texel there is half of the other, and nothing of the white of the clear
// texel.
static int clear_texels_have_no_color_to_give(void)
{
    pelt_color texels[2] = {{255, 0, 0, 255}, {255, 255, 255, 0}};
    render_case c = make_case();
    add_card(0.0f, PELT_ALPHA_BLEND, (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f});
    cards.textures[0] = (pelt_picture){2, 1, texels};
    set_uvs((pelt_vec2){0.5f, 0.5f});
    c.look.background = (pelt_color){0, 0, 0, 255};
    ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), 0.5, 0.0, 0.0));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Masks

static const pelt_sampler sharp = {
    .mag_filter = PELT_TEXTURE_NEAREST, .min_filter = PELT_TEXTURE_NEAREST, .mips = PELT_MIPS_NONE};

static int masks_have_holes_below_the_cutoff(void)
{
    static const struct
    {
        float cutoff;
        bool is_hole;
    } cases[] = {{0.0f, false}, {0.5f, false}, {0.6f, true}, {0.1f, false}, {2.0f, true}};
    pelt_color texels[2] = {{255, 255, 255, 255}, {255, 255, 255, 128}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        render_case c = make_case();
        add_card(0.2f, PELT_ALPHA_MASK, (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f});
        add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
        cards.textures[0] = (pelt_picture){2, 1, texels};
        cards.materials[0].alpha_cutoff = cases[i].cutoff;
        cards.materials[0].textures[0].sampler = sharp;
        pelt_color hole = seen_at(&c, 0.25f, 0.5f), rest = seen_at(&c, -0.25f, 0.5f);
        double shows = cases[i].is_hole ? 0.0 : 1.0;
        ENSURE(is_light(hole, shows, 1.0 - shows, 0.0) && hole.a == 255);
        shows = cases[i].cutoff > 1.0f ? 0.0 : 1.0;
        ENSURE(is_light(rest, shows, 1.0 - shows, 0.0) && rest.a == 255);
    }
    return 0;
}

// A slanting edge between texels: with samples it has steps between the two sides, and never the
// color of the texture's alpha. All of it is as opaque as a surface.
static int edges_of_masks_are_smooth_and_opaque(void)
{
    pelt_color texels[4] = {
        {255, 255, 255, 255}, {255, 255, 255, 160}, {255, 255, 255, 90}, {255, 255, 255, 0}};
    pelt_picture picture;
    uint32_t steps = 0;
    render_case c = make_case();
    add_card(0.2f, PELT_ALPHA_MASK, (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f});
    add_card(-0.2f, PELT_ALPHA_OPAQUE, green);
    cards.textures[0] = (pelt_picture){2, 2, texels};
    cards.materials[0].textures[0].sampler.wrap_u = cards.materials[0].textures[0].sampler.wrap_v =
        PELT_TEXTURE_CLAMP;
    c.look.background = (pelt_color){255, 255, 255, 0};
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    for (uint32_t y = 45; y < 75; ++y)
    {
        for (uint32_t x = 65; x < 95; ++x)
        {
            pelt_color p = picture.pixels[y * RENDER_WIDTH + x];
            ENSURE(p.a == 255 && p.b == 0);
            steps += p.r > 20 && p.r < 235;
        }
    }
    ENSURE(steps > 10 && steps < 90);
    pelt_picture_destroy(&picture);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Samplers

static pelt_color texels_of_row[4] = {
    {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}};

// 1.375 is the middle of the second texel of four, repeated, and of the third when mirrored.
static int textures_go_on_past_their_edge_as_the_sampler_says(void)
{
    static const struct
    {
        pelt_texture_wrap wrap;
        double light[3];
    } cases[] = {{PELT_TEXTURE_REPEAT, {0.0, 1.0, 0.0}},
                 {PELT_TEXTURE_CLAMP, {1.0, 1.0, 1.0}},
                 {PELT_TEXTURE_MIRROR, {0.0, 0.0, 1.0}}};
    for (int is_vertical = 0; is_vertical < 2; ++is_vertical)
    {
        for (int i = 0; i < 3; ++i)
        {
            render_case c = make_case();
            add_card(0.0f, PELT_ALPHA_OPAQUE, (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f});
            cards.textures[0] = is_vertical ? (pelt_picture){1, 4, texels_of_row}
                                            : (pelt_picture){4, 1, texels_of_row};
            set_uvs(is_vertical ? (pelt_vec2){0.5f, 1.375f} : (pelt_vec2){1.375f, 0.5f});
            pelt_sampler* sampler = &cards.materials[0].textures[0].sampler;
            *(is_vertical ? &sampler->wrap_v : &sampler->wrap_u) = cases[i].wrap;
            const double* light = cases[i].light;
            ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), light[0], light[1], light[2]));
        }
    }
    return 0;
}

// Half way between the middles of two texels there is half of both, or one of them.
static int nearest_texels_have_hard_edges(void)
{
    for (int is_near = 0; is_near < 2; ++is_near)
    {
        render_case c = make_case();
        add_card(0.0f, PELT_ALPHA_OPAQUE, (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f});
        cards.textures[0] = (pelt_picture){4, 1, texels_of_row};
        set_uvs((pelt_vec2){0.251f, 0.5f});
        cards.materials[0].textures[0].sampler.mag_filter =
            is_near ? PELT_TEXTURE_NEAREST : PELT_TEXTURE_LINEAR;
        double left = is_near ? 0.0 : 0.5 - 0.004;
        ENSURE(is_light(seen_at(&c, 0.0f, 0.5f), left, 1.0 - left, 0.0));
    }
    return 0;
}

// A board of black and white texels, many to a pixel: the mean with smaller copies, one of the two
// without. Smaller copies are means of linear light.
static int far_textures_are_read_as_the_sampler_says(void)
{
    enum
    {
        SIDE = 1024,
    };
    pelt_color* texels = malloc(sizeof(pelt_color) * SIDE * SIDE);
    ENSURE(texels != NULL);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i)
    {
        uint8_t value = (i % SIDE + i / SIDE) % 2 == 0 ? 255 : 0;
        texels[i] = (pelt_color){value, value, value, 255};
    }
    for (int has_mips = 0; has_mips < 2; ++has_mips)
    {
        render_case c = make_case();
        add_card(0.0f, PELT_ALPHA_OPAQUE, (pelt_vec4){1.0f, 1.0f, 1.0f, 1.0f});
        cards.textures[0] = (pelt_picture){SIDE, SIDE, texels};
        cards.materials[0].textures[0].sampler = has_mips ? (pelt_sampler){0} : sharp;
        pelt_color seen = seen_at(&c, 0.0f, 0.5f);
        ENSURE(has_mips ? is_light(seen, 0.5, 0.5, 0.5) : seen.r == 0 || seen.r == 255);
    }
    free(texels);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Around

// Sum of the channels of the ground where a card throws its shadow.
static int shadow_of(pelt_alpha_mode mode, float alpha)
{
    render_case c = make_case();
    add_card(0.0f, mode, (pelt_vec4){1.0f, 1.0f, 1.0f, alpha});
    cards.materials[0].is_double_sided = true;
    c.look.show = PELT_SHOW_GROUND;
    c.camera = (pelt_camera){.eye = {0.0f, 2.0f, 4.0f}, .target = {0.0f, 0.0f, 0.0f}};
    pelt_picture picture;
    if (render_take(&picture, &c, NULL) != PELT_OK)
    {
        return -1;
    }
    render_point at = render_project(
        &(pelt_camera){.eye = c.camera.eye, .target = c.camera.target, .field_of_view = 0.5f},
        pelt_vec3_make(0.72f, 0.0f, -0.33f), RENDER_WIDTH, RENDER_HEIGHT);
    pelt_color seen = render_pixel(&picture, at);
    pelt_picture_destroy(&picture);
    return seen.r + seen.g + seen.b;
}

static int shadows_have_the_alpha_of_what_throws_them(void)
{
    int opaque = shadow_of(PELT_ALPHA_OPAQUE, 0.0f);
    int hole = shadow_of(PELT_ALPHA_MASK, 0.25f), solid = shadow_of(PELT_ALPHA_MASK, 0.75f);
    int none = shadow_of(PELT_ALPHA_BLEND, 0.0f), all = shadow_of(PELT_ALPHA_BLEND, 1.0f);
    int half = shadow_of(PELT_ALPHA_BLEND, 0.5f);
    ENSURE(opaque > 0 && none > opaque + 60);
    ENSURE(hole == none && solid == opaque && all == opaque);
    ENSURE(half > opaque + (none - opaque) / 4 && half < none - (none - opaque) / 4);
    return 0;
}

static int values_are_shown_on_what_would_be_clear(void)
{
    const float values[4] = {0.0f, 0.2f, 0.7f, 1.0f};
    const float* const lists[1] = {values};
    pelt_picture pictures[3];
    for (int mode = 0; mode < 3; ++mode)
    {
        // Opaque to shadows, so that these do not differ.
        render_case c = make_case();
        add_card(0.0f, (pelt_alpha_mode)mode, (pelt_vec4){1.0f, 1.0f, 1.0f, 0.0f});
        cards.materials[0].alpha_mode = (pelt_alpha_mode)mode;
        c.look.values = lists;
        ENSURE(render_take(&pictures[mode], &c, NULL) == PELT_OK);
    }
    // Without the shadow on itself, a surface may be a little lighter.
    ENSURE(render_count_different(&pictures[0], &pictures[1], 3) == 0);
    ENSURE(render_count_different(&pictures[0], &pictures[2], 3) == 0);
    for (int mode = 0; mode < 3; ++mode)
    {
        pelt_picture_destroy(&pictures[mode]);
    }
    return 0;
}

static void run_all(void)
{
    RUN(half_red_before_green_is_half_of_both_lights);
    RUN(alpha_means_nothing_to_opaque_surfaces);
    RUN(alphas_of_material_vertex_and_texture_are_multiplied);
    RUN(layers_do_not_depend_on_the_order_of_lists);
    RUN(triangles_of_two_meshes_are_sorted_together);
    RUN(opaque_surfaces_hide_blended_ones_behind_them);
    RUN(the_back_of_a_blended_surface_shows_when_it_has_two_sides);
    RUN(clear_backgrounds_show_through_blended_surfaces);
    RUN(clear_texels_have_no_color_to_give);
    RUN(masks_have_holes_below_the_cutoff);
    RUN(textures_go_on_past_their_edge_as_the_sampler_says);
    RUN(nearest_texels_have_hard_edges);
    RUN(far_textures_are_read_as_the_sampler_says);
    RUN(shadows_have_the_alpha_of_what_throws_them);
    RUN(values_are_shown_on_what_would_be_clear);
}

void test_render_alpha(void)
{
    // Where the format of a picture cannot be switched, bytes are mixed instead of light.
    gl = gl_open(PELT_GL_OFFSCREEN_ES, "render_alpha in OpenGL ES");
    if (gl != NULL)
    {
        if (epoxy_has_gl_extension("GL_EXT_sRGB_write_control"))
        {
            run_all();
        }
        pelt_gl_destroy(gl);
    }
    gl = gl_open(PELT_GL_OFFSCREEN, "render_alpha");
    if (gl == NULL)
    {
        return;
    }
    run_all();
    RUN(edges_of_masks_are_smooth_and_opaque);
    pelt_gl_destroy(gl);
}
