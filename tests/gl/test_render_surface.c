// SPDX-License-Identifier: MIT
// Pictures of a square, whose pixels are known in advance.
#include "render_fixture.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static pelt_gl* gl;
static render_square square;
static const pelt_color magenta = {200, 10, 190, 255};

// From the front and a little aside, so that no edge runs along pixels.
static render_case make_case(void)
{
    const pelt_bounds box = {{-0.5f, 0.0f, 0.0f}, {0.5f, 1.0f, 0.0f}};
    render_square_make(&square);
    return (render_case){
        .gl = gl,
        .scene = &square.scene,
        .camera = pelt_camera_frame(&box, 0.2f, 0.1f, (float)RENDER_WIDTH / RENDER_HEIGHT),
        .look = {.background = magenta}};
}

static bool is_color(pelt_color a, pelt_color b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static render_point pixel_of(const render_case* c, float x, float y)
{
    return render_project(&c->camera, pelt_vec3_make(x, y, 0.0f), RENDER_WIDTH, RENDER_HEIGHT);
}

// Pixels from the line through a and b, positive to the left of it as seen in the picture.
static double distance_to_line(render_point p, render_point a, render_point b)
{
    double x = b.x - a.x, y = b.y - a.y;
    return ((p.x - a.x) * y - (p.y - a.y) * x) / sqrt(x * x + y * y);
}

// Pixels inside the square's outline; negative outside.
static double depth_in_square(const render_case* c, render_point p)
{
    const render_point corners[4] = {pixel_of(c, -0.5f, 0.0f), pixel_of(c, 0.5f, 0.0f),
                                     pixel_of(c, 0.5f, 1.0f), pixel_of(c, -0.5f, 1.0f)};
    double least = 1e9;
    for (int i = 0; i < 4; ++i)
    {
        least = fmin(least, distance_to_line(p, corners[i], corners[(i + 1) % 4]));
    }
    return least;
}

// A pixel away from the outline is all square or all background, the latter to the bit.
static int a_square_covers_its_pixels_and_no_others(void)
{
    pelt_picture picture;
    render_case c = make_case();
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < RENDER_WIDTH * RENDER_HEIGHT; ++i)
    {
        render_point p = {i % RENDER_WIDTH + 0.5, (double)(i / RENDER_WIDTH) + 0.5, 1.0};
        double depth = depth_in_square(&c, p);
        pelt_color color = picture.pixels[i];
        ENSURE(depth < 1.0 || (color.g > 60 && color.a == 255));
        ENSURE(depth > -1.0 || is_color(color, magenta));
        inside += depth >= 1.0;
    }
    ENSURE(inside > 5000);
    pelt_picture_destroy(&picture);
    return 0;
}

static int backgrounds_are_what_was_asked_for(void)
{
    const pelt_color clear = {10, 20, 30, 0}, half = {90, 130, 250, 128};
    pelt_picture picture;
    render_case c = make_case();
    c.look.background = clear;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    ENSURE(is_color(picture.pixels[0], clear));
    ENSURE(render_pixel(&picture, pixel_of(&c, 0.0f, 0.5f)).a == 255);
    pelt_picture_destroy(&picture);
    c.look.background = half;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    ENSURE(is_color(picture.pixels[0], half));
    pelt_picture_destroy(&picture);

    c.look.background = (pelt_color){0};
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    pelt_color corner = picture.pixels[0], middle = picture.pixels[RENDER_WIDTH / 2];
    ENSURE(corner.a == 255 && corner.r > 150 && middle.r > corner.r + 5 && middle.r < 245);
    pelt_picture_destroy(&picture);
    return 0;
}

// Largest component: 0 red, 1 green, 2 blue, 3 for red and green together.
static int hue_of(pelt_color c)
{
    if (c.b > c.r && c.b > c.g)
    {
        return 2;
    }
    return c.r > 2 * c.g ? 0 : c.g > 2 * c.r ? 1 : 3;
}

static int textures_are_not_upside_down(void)
{
    pelt_color pixels[4] = {
        {220, 20, 20, 255}, {20, 220, 20, 255}, {20, 20, 220, 255}, {220, 220, 20, 255}};
    const pelt_picture textures[PELT_SLOT_COUNT] = {{2, 2, pixels}};
    pelt_picture picture;
    render_case c = make_case();
    c.options.textures = textures;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    ENSURE(hue_of(render_pixel(&picture, pixel_of(&c, -0.25f, 0.75f))) == 0);
    ENSURE(hue_of(render_pixel(&picture, pixel_of(&c, 0.25f, 0.75f))) == 1);
    ENSURE(hue_of(render_pixel(&picture, pixel_of(&c, -0.25f, 0.25f))) == 2);
    ENSURE(hue_of(render_pixel(&picture, pixel_of(&c, 0.25f, 0.25f))) == 3);
    pelt_picture_destroy(&picture);
    return 0;
}

static double linear_of(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

// Light scales a color and leaves its hue: linear components keep their proportions. A step of a
// byte is below 0.01 of linear light.
static int compare_shade(pelt_color seen, pelt_color wanted)
{
    const double s[3] = {linear_of(seen.r), linear_of(seen.g), linear_of(seen.b)};
    const double w[3] = {linear_of(wanted.r), linear_of(wanted.g), linear_of(wanted.b)};
    double shade =
        (s[0] * w[0] + s[1] * w[1] + s[2] * w[2]) / (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    ENSURE(shade > 0.6 && shade <= 1.005);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(s[i], shade * w[i], 0.012);
    }
    return 0;
}

static int values_have_the_colors_of_the_map(void)
{
    for (uint32_t i = 0; i <= 20; ++i)
    {
        float t = (float)(i % 11) / 10.0f;
        const float values[4] = {t, t, t, t};
        const float* const lists[1] = {values};
        pelt_picture picture;
        render_case c = make_case();
        c.look.values = lists;
        c.look.map = i < 11 ? PELT_COLOR_MAP_WEIGHT : PELT_COLOR_MAP_UNIFORM;
        ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
        pelt_color seen = render_pixel(&picture, pixel_of(&c, 0.1f, 0.6f));
        pelt_picture_destroy(&picture);
        ENSURE(compare_shade(seen, pelt_color_map_at(c.look.map, t)) == 0);
    }
    return 0;
}

// The number is interpolated and then looked up: half way from blue to red is green, not violet.
static int values_are_interpolated_before_they_are_colors(void)
{
    const float values[4] = {0.0f, 0.0f, 1.0f, 1.0f}, broken[4] = {NAN, NAN, NAN, NAN};
    const float* lists[1] = {values};
    pelt_picture picture;
    render_case c = make_case();
    c.look.values = lists;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    const float positions[5] = {-0.49f, -0.25f, 0.0f, 0.25f, 0.49f};
    for (int i = 0; i < 5; i += 2)
    {
        // A pixel is a hundredth of the square.
        pelt_color wanted = pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, positions[i] + 0.5f);
        pelt_color seen = render_pixel(&picture, pixel_of(&c, positions[i], 0.5f));
        ENSURE(hue_of(seen) == hue_of(wanted));
    }
    pelt_picture_destroy(&picture);
    lists[0] = broken;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    pelt_color gray = pelt_color_map_at(PELT_COLOR_MAP_WEIGHT, NAN);
    ENSURE(compare_shade(render_pixel(&picture, pixel_of(&c, 0.1f, 0.6f)), gray) == 0);
    pelt_picture_destroy(&picture);
    return 0;
}

// Colors of vertices have light in between: half way from red to green is yellow, of half the
// light.
static int colors_are_interpolated_as_light(void)
{
    const pelt_color red = {200, 0, 0, 255}, green = {0, 200, 0, 255}, blue = {30, 60, 220, 255};
    const pelt_color colors[4] = {red, red, green, green}, plain[4] = {blue, blue, blue, blue};
    const pelt_color* lists[1] = {plain};
    pelt_picture picture;
    render_case c = make_case();
    c.look.colors = lists;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    ENSURE(compare_shade(render_pixel(&picture, pixel_of(&c, 0.1f, 0.6f)), blue) == 0);
    pelt_picture_destroy(&picture);
    lists[0] = colors;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    const pelt_color half = {(uint8_t)pelt_srgb_from_linear(0.5f * (float)linear_of(200)),
                             (uint8_t)pelt_srgb_from_linear(0.5f * (float)linear_of(200)), 0, 255};
    // A pixel is a hundredth of the way.
    ENSURE(compare_shade(render_pixel(&picture, pixel_of(&c, 0.0f, 0.5f)), half) == 0);
    pelt_picture_destroy(&picture);
    return 0;
}

// The middle of the square with one texture of one texel.
static int shade_of_texture(pelt_color* out, const render_case* start, pelt_texture_slot slot,
                            pelt_color texel)
{
    pelt_picture textures[PELT_SLOT_COUNT] = {{0}}, picture;
    textures[slot] = (pelt_picture){1, 1, &texel};
    render_case c = *start;
    c.options.textures = textures;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    *out = render_pixel(&picture, pixel_of(&c, 0.0f, 0.5f));
    pelt_picture_destroy(&picture);
    return 0;
}

static bool is_near_color(pelt_color a, pelt_color b, int most)
{
    return abs(a.r - b.r) <= most && abs(a.g - b.g) <= most && abs(a.b - b.b) <= most;
}

// A normal map with one constant normal shades as vertex normals with that normal: u goes to
// +x and v down, so that red is +x and green +y. Texels are rounded to 1/127, and ambient occlusion
// is that of the surface, which makes up to 5 levels.
static int normal_maps_change_normals(void)
{
    static const pelt_vec3 normal_directions[] = {{0.0f, 0.0f, 1.0f},
                                                  {0.6f, 0.0f, 0.8f},
                                                  {-0.6f, 0.0f, 0.8f},
                                                  {0.0f, 0.6f, 0.8f},
                                                  {0.0f, -0.6f, 0.8f}};
    render_case c = make_case();
    square.material.normal_scale = 1.0f;
    square.material.roughness = 1.0f;
    pelt_color shades[5];
    for (int i = 0; i < 5; ++i)
    {
        pelt_vec3 n = normal_directions[i], normals[4] = {n, n, n, n};
        const pelt_color texel = {(uint8_t)lrintf(127.5f + 127.5f * n.x),
                                  (uint8_t)lrintf(127.5f + 127.5f * n.y),
                                  (uint8_t)lrintf(127.5f + 127.5f * n.z), 255};
        pelt_color by_texture, by_vertex, white = {255, 255, 255, 255};
        ENSURE(shade_of_texture(&by_texture, &c, PELT_SLOT_NORMAL, texel) == 0);
        const pelt_vec3* before = square.mesh.normals;
        square.mesh.normals = normals;
        ENSURE(shade_of_texture(&by_vertex, &c, PELT_SLOT_BASE_COLOR, white) == 0);
        square.mesh.normals = before;
        shades[i] = by_texture;
    }
    // The light comes from one side.
    ENSURE(!is_near_color(shades[1], shades[2], 10) && !is_near_color(shades[3], shades[4], 10));
    return 0;
}

// The other textures multiply their factors: texels of 255 change nothing, and others act as
// factors of the same size. Emitted light is added, below the range that tone mapping compresses.
static int other_textures_multiply_factors(void)
{
    pelt_color plain, shade, texel = {255, 255, 255, 255};
    render_case c = make_case();
    square.material.base_color = (pelt_vec4){0.2f, 0.2f, 0.2f, 1.0f};
    square.material.roughness = 0.4f;
    square.material.metallic = 0.5f;
    square.material.occlusion_strength = 1.0f;
    ENSURE(shade_of_texture(&plain, &c, PELT_SLOT_BASE_COLOR, texel) == 0);
    ENSURE(shade_of_texture(&shade, &c, PELT_SLOT_METALLIC_ROUGHNESS, texel) == 0);
    ENSURE(is_near_color(plain, shade, 1));
    ENSURE(shade_of_texture(&shade, &c, PELT_SLOT_OCCLUSION, texel) == 0);
    ENSURE(is_near_color(plain, shade, 1));
    ENSURE(shade_of_texture(&shade, &c, PELT_SLOT_OCCLUSION, (pelt_color){0, 255, 255, 255}) == 0);
    ENSURE(shade.g + 10 < plain.g);

    pelt_color as_factor, as_texel;
    square.material.metallic = square.material.roughness = 1.0f;
    ENSURE(shade_of_texture(&as_texel, &c, PELT_SLOT_METALLIC_ROUGHNESS,
                            (pelt_color){0, 102, 51, 255}) == 0);
    square.material.roughness = 0.4f;
    square.material.metallic = 0.2f;
    ENSURE(shade_of_texture(&as_factor, &c, PELT_SLOT_BASE_COLOR, texel) == 0);
    ENSURE(is_near_color(as_texel, as_factor, 1));

    square.material.emissive = (pelt_vec3){0.0f, 0.5f, 0.0f};
    ENSURE(shade_of_texture(&shade, &c, PELT_SLOT_EMISSIVE, (pelt_color){255, 188, 255, 255}) == 0);
    double added = linear_of(shade.g) - linear_of(as_factor.g);
    ENSURE(fabs(added - 0.5 * linear_of(188)) < 0.01 && shade.r == as_factor.r);
    return 0;
}

// A texture is left out, its holes are not.
static int untextured_surfaces_keep_their_holes(void)
{
    pelt_color pixels[4] = {
        {220, 20, 20, 255}, {20, 220, 20, 255}, {20, 20, 220, 0}, {220, 220, 20, 255}};
    const pelt_picture textures[PELT_SLOT_COUNT] = {{2, 2, pixels}};
    pelt_picture picture;
    render_case c = make_case();
    c.options.textures = textures;
    c.look.show = PELT_SHOW_UNTEXTURED;
    square.material.alpha_mode = PELT_ALPHA_MASK;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    pelt_color left = render_pixel(&picture, pixel_of(&c, -0.25f, 0.75f));
    pelt_color right = render_pixel(&picture, pixel_of(&c, 0.25f, 0.75f));
    pelt_color hole = render_pixel(&picture, pixel_of(&c, -0.25f, 0.25f));
    pelt_picture_destroy(&picture);
    // The base color is gray, and the light almost: red and green were far apart.
    ENSURE(abs(left.r - left.g) < 12 && abs(right.r - right.g) < 12 && left.g > 60);
    ENSURE(is_color(hole, magenta));
    return 0;
}

static bool has_line(const pelt_picture* picture, const render_case* c, float x, float y)
{
    render_point at = pixel_of(c, x, y);
    for (int i = -1; i <= 1; ++i)
    {
        pelt_color seen = render_pixel(picture, (render_point){at.x, at.y + i, at.z});
        if (!is_color(seen, magenta))
        {
            return true;
        }
    }
    return false;
}

// The camera is close to the upper right corner, whose normal points to the right, away from the
// square. A hundredth of the diagonal is 14.1 mm; a pixel is 0.35 mm.
static int normals_are_lines_along_them(void)
{
    pelt_picture picture;
    render_case c = make_case();
    square.normals[3] = pelt_vec3_make(0.5f, 0.0f, 0.0f); // its length does not matter
    c.camera = (pelt_camera){
        .eye = {0.507f, 1.0f, 0.083f}, .target = {0.507f, 1.0f, 0.0f}, .field_of_view = 0.5f};
    for (int i = 0; i < 2; ++i)
    {
        c.look.show = i == 0 ? 0 : PELT_SHOW_NORMALS;
        ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
        ENSURE(has_line(&picture, &c, 0.501f, 1.0f) == (i == 1));
        ENSURE(has_line(&picture, &c, 0.5135f, 1.0f) == (i == 1));
        ENSURE(!has_line(&picture, &c, 0.5148f, 1.0f) && !has_line(&picture, &c, 0.507f, 1.002f));
        pelt_picture_destroy(&picture);
    }
    return 0;
}

static int brightness(pelt_color c)
{
    return c.r + c.g + c.b;
}

// Two triangles: the outline and one diagonal. A line is a pixel wide.
static int wire_darkens_edges_only(void)
{
    pelt_picture plain, wire;
    render_case c = make_case();
    ENSURE(render_take(&plain, &c, NULL) == PELT_OK);
    c.look.show = PELT_SHOW_WIRE;
    ENSURE(render_take(&wire, &c, NULL) == PELT_OK);
    render_point a = pixel_of(&c, -0.5f, 1.0f), b = pixel_of(&c, 0.5f, 0.0f);
    uint32_t darker = 0;
    for (uint32_t i = 0; i < RENDER_WIDTH * RENDER_HEIGHT; ++i)
    {
        render_point p = {i % RENDER_WIDTH + 0.5, (double)(i / RENDER_WIDTH) + 0.5, 1.0};
        double away = fmin(fabs(depth_in_square(&c, p)), fabs(distance_to_line(p, a, b)));
        bool is_same = is_color(plain.pixels[i], wire.pixels[i]);
        ENSURE(is_same || away < 1.8);
        ENSURE(is_same || brightness(wire.pixels[i]) < brightness(plain.pixels[i]));
        darker += !is_same;
    }
    ENSURE(darker > 400);
    pelt_picture_destroy(&plain);
    pelt_picture_destroy(&wire);
    return 0;
}

static int materials_have_one_side_or_two(void)
{
    pelt_picture picture;
    for (int is_double = 0; is_double < 2; ++is_double)
    {
        const pelt_bounds box = {{-0.5f, 0.0f, 0.0f}, {0.5f, 1.0f, 0.0f}};
        render_case c = make_case();
        c.camera = pelt_camera_frame(&box, PELT_PI, 0.0f, (float)RENDER_WIDTH / RENDER_HEIGHT);
        square.material.is_double_sided = is_double;
        ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
        pelt_color seen = render_pixel(&picture, pixel_of(&c, 0.0f, 0.5f));
        ENSURE(is_color(seen, magenta) == !is_double);
        pelt_picture_destroy(&picture);
    }
    return 0;
}

// A mirror exchanges the sides of triangles, but not of the surface.
static int mirrored_nodes_are_seen_from_outside(void)
{
    pelt_picture picture;
    render_case c = make_case();
    square.node.rest.scale.x = -1.0f;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    ENSURE(!is_color(render_pixel(&picture, pixel_of(&c, 0.0f, 0.5f)), magenta));
    pelt_picture_destroy(&picture);
    return 0;
}

// On a flat square the normals of triangles are those of vertices.
static int facets_need_no_normals(void)
{
    pelt_picture smooth, flat, without;
    render_case c = make_case();
    ENSURE(render_take(&smooth, &c, NULL) == PELT_OK);
    c.look.show = PELT_SHOW_FACETS;
    ENSURE(render_take(&flat, &c, NULL) == PELT_OK);
    c.look.show = 0;
    square.mesh.normals = NULL;
    ENSURE(render_take(&without, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&smooth, &flat, 2) == 0);
    ENSURE(render_count_different(&flat, &without, 0) == 0);
    pelt_picture_destroy(&smooth);
    pelt_picture_destroy(&flat);
    pelt_picture_destroy(&without);
    return 0;
}

// The shadow falls to the right and behind, since the light is to the left of the camera.
static int the_ground_has_lines_and_a_shadow(void)
{
    pelt_picture picture;
    render_case c = make_case();
    const pelt_bounds wide = {{-1.0f, 0.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    c.camera = pelt_camera_frame(&wide, 0.0f, 0.5f, (float)RENDER_WIDTH / RENDER_HEIGHT);
    c.look = (pelt_look){.show = PELT_SHOW_GROUND, .background = {255, 255, 255, 255}};
    square.material.is_double_sided = true;
    ENSURE(render_take(&picture, &c, NULL) == PELT_OK);
    render_point shaded =
        render_project(&c.camera, pelt_vec3_make(0.62f, 0.0f, -0.35f), RENDER_WIDTH, RENDER_HEIGHT);
    render_point lit =
        render_project(&c.camera, pelt_vec3_make(-0.65f, 0.0f, 0.45f), RENDER_WIDTH, RENDER_HEIGHT);
    ENSURE(brightness(render_pixel(&picture, lit)) >
           brightness(render_pixel(&picture, shaded)) + 90);
    ENSURE(brightness(render_pixel(&picture, lit)) > 3 * 190);
    pelt_picture_destroy(&picture);
    return 0;
}

static int equal_scenes_give_equal_bytes(void)
{
    pelt_picture a, b;
    render_case c = make_case();
    c.look = (pelt_look){.show = PELT_SHOW_GROUND | PELT_SHOW_WIRE | PELT_SHOW_BOXES};
    ENSURE(render_take(&a, &c, NULL) == PELT_OK);
    ENSURE(render_take(&b, &c, NULL) == PELT_OK);
    ENSURE(render_count_different(&a, &b, 0) == 0);
    pelt_picture_destroy(&a);
    pelt_picture_destroy(&b);
    return 0;
}

static int too_large_pictures_are_answered_with_the_limit(void)
{
    pelt_color pixel;
    pelt_pose pose;
    pelt_frame frame;
    pelt_stage* stage;
    pelt_error error = {0};
    render_case c = make_case();
    const pelt_picture huge = {1u << 20, 1, &pixel};
    ENSURE(pelt_pose_create(&pose, c.scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, c.scene) == PELT_OK);
    pelt_frame_update(&frame, c.scene, &pose, &c.deform);
    ENSURE(pelt_stage_create(&stage, gl, c.scene, NULL, NULL) == PELT_OK);
    ENSURE(pelt_stage_pose(stage, &frame, &c.deform, PELT_SKINNING_AUTO, NULL) == PELT_OK);
    ENSURE(pelt_stage_picture(&huge, stage, &c.camera, &c.look, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "1048576") != NULL && strstr(error.message, "at most") != NULL);
    pelt_stage_destroy(stage);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return 0;
}

// Area of the square in pixels, by the shoelace formula.
static double area_of_square(const render_case* c)
{
    const render_point p[4] = {pixel_of(c, -0.5f, 0.0f), pixel_of(c, 0.5f, 0.0f),
                               pixel_of(c, 0.5f, 1.0f), pixel_of(c, -0.5f, 1.0f)};
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const render_point a = p[i], b = p[(i + 1) % 4];
        sum += a.x * b.y - b.x * a.y;
    }
    return 0.5 * fabs(sum);
}

static int cover_of_copies(pelt_cover* out, const render_case* c, uint32_t copies)
{
    pelt_scene scene = *c->scene;
    pelt_mesh mesh = scene.meshes[0];
    uint32_t* indices = malloc(6 * (size_t)copies * sizeof *indices);
    pelt_picture picture;
    pelt_stage* stage;
    pelt_frame frame;
    pelt_pose pose;
    ENSURE(indices != NULL);
    for (uint32_t i = 0; i < 6 * copies; ++i)
    {
        indices[i] = mesh.indices[i % 6];
    }
    mesh.indices = indices;
    mesh.index_count = 6 * copies;
    scene.meshes = &mesh;
    ENSURE(pelt_pose_create(&pose, &scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, &scene) == PELT_OK);
    ENSURE(pelt_picture_create(&picture, RENDER_WIDTH, RENDER_HEIGHT, NULL) == PELT_OK);
    pelt_frame_update(&frame, &scene, &pose, &c->deform);
    ENSURE(pelt_stage_create(&stage, gl, &scene, NULL, NULL) == PELT_OK);
    ENSURE(pelt_stage_pose(stage, &frame, &c->deform, PELT_SKINNING_AUTO, NULL) == PELT_OK);
    ENSURE(pelt_stage_picture(&picture, stage, &c->camera, &c->look, NULL) == PELT_OK);
    *out = pelt_stage_cover(stage);
    pelt_stage_destroy(stage);
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    free(indices);
    return 0;
}

static int pictures_end_where_triangles_cover_them_32_times(void)
{
    render_case c = make_case();
    pelt_cover cover;
    double part = area_of_square(&c) / (RENDER_WIDTH * RENDER_HEIGHT);
    ENSURE(cover_of_copies(&cover, &c, 3) == 0);
    ENSURE(cover.left_out == 0 && fabs((double)cover.layers - 3.0 * part) < 1e-3);
    ENSURE(cover_of_copies(&cover, &c, 2000) == 0);
    ENSURE(fabs((double)cover.layers - 32.0) < part);
    ENSURE(fabs(4000.0 - cover.left_out - 2.0 * 32.0 / part) < 3.0);
    return 0;
}

static uint64_t draws_of_picture(const pelt_picture* out, pelt_stage* stage,
                                 const pelt_camera* camera, const pelt_look* look)
{
    uint64_t before = pelt_gl_describe(gl).draw_count;
    return pelt_stage_picture(out, stage, camera, look, NULL) == PELT_OK
               ? pelt_gl_describe(gl).draw_count - before
               : 0;
}

static int pictures_of_a_pose_share_shadow_maps(void)
{
    render_case c = make_case();
    pelt_camera rotated = c.camera;
    pelt_picture picture;
    pelt_stage* stage;
    pelt_frame frame;
    pelt_pose pose;
    rotated.eye.x += 1.0f;
    ENSURE(pelt_pose_create(&pose, c.scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, c.scene) == PELT_OK);
    ENSURE(pelt_picture_create(&picture, RENDER_WIDTH, RENDER_HEIGHT, NULL) == PELT_OK);
    pelt_frame_update(&frame, c.scene, &pose, &c.deform);
    ENSURE(pelt_stage_create(&stage, gl, c.scene, NULL, NULL) == PELT_OK);
    ENSURE(pelt_stage_pose(stage, &frame, &c.deform, PELT_SKINNING_CPU, NULL) == PELT_OK);
    // The key light rotates with the camera, and the sky does not. A driver that draws on the
    // processor draws depths, colors and samples.
    uint64_t surface = pelt_gl_describe(gl).is_software ? 3 : 1;
    uint64_t first = draws_of_picture(&picture, stage, &c.camera, &c.look);
    uint64_t second = draws_of_picture(&picture, stage, &c.camera, &c.look);
    uint64_t other = draws_of_picture(&picture, stage, &rotated, &c.look);
    ENSURE(second == surface && other == surface + 1 && first > other);
    ENSURE(pelt_stage_pose(stage, &frame, &c.deform, PELT_SKINNING_CPU, NULL) == PELT_OK);
    ENSURE(draws_of_picture(&picture, stage, &rotated, &c.look) == first);
    pelt_stage_destroy(stage);
    pelt_picture_destroy(&picture);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return 0;
}

void test_render_surface(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "render_surface");
    if (gl == NULL)
    {
        return;
    }
    RUN(a_square_covers_its_pixels_and_no_others);
    RUN(backgrounds_are_what_was_asked_for);
    RUN(textures_are_not_upside_down);
    RUN(normal_maps_change_normals);
    RUN(other_textures_multiply_factors);
    RUN(values_have_the_colors_of_the_map);
    RUN(values_are_interpolated_before_they_are_colors);
    RUN(colors_are_interpolated_as_light);
    RUN(untextured_surfaces_keep_their_holes);
    RUN(normals_are_lines_along_them);
    RUN(wire_darkens_edges_only);
    RUN(materials_have_one_side_or_two);
    RUN(mirrored_nodes_are_seen_from_outside);
    RUN(facets_need_no_normals);
    RUN(the_ground_has_lines_and_a_shadow);
    RUN(equal_scenes_give_equal_bytes);
    RUN(too_large_pictures_are_answered_with_the_limit);
    RUN(pictures_end_where_triangles_cover_them_32_times);
    RUN(pictures_of_a_pose_share_shadow_maps);
    pelt_gl_destroy(gl);
}
