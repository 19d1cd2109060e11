// SPDX-License-Identifier: MIT
// Factors painted on a surface.
#include "edit/mix_brush.h"
#include "sheets.h"

#include <string.h>

typedef struct painting
{
    sheets s;
    joint_mix mix;
    mix_brush brush;
    brush_mask mask;
    const pelt_vec3* positions[2];
} painting;

static const mix_dab dab = {.radius = 0.3f, .strength = 0.8f, .value = 1.0f};
static const float base = 0.25f;

static void begin(painting* out)
{
    for (uint32_t i = 0; i < out->s.scene.mesh_count; ++i)
    {
        out->positions[i] = out->s.meshes[i].positions;
    }
    joint_mix_create(&out->mix, &out->s.scene);
    joint_mix_fill(&out->mix, &out->s.scene, base, false);
}

static bool paint(painting* inout, uint32_t triangle)
{
    surface_point point = sheets_point(&inout->s, 0, triangle);
    return mix_brush_dab(&inout->brush, &inout->mask, &inout->mix, &inout->s.scene,
                         inout->positions, &point, &dab);
}

static void end(painting* in)
{
    mix_brush_destroy(&in->brush);
    brush_mask_destroy(&in->mask);
    joint_mix_destroy(&in->mix);
    sheets_destroy(&in->s);
}

static int a_dab_falls_off_smoothly(void)
{
    painting p = {0};
    sheets_add_plane(&p.s, 0.0f, 0.0f);
    begin(&p);
    surface_point point = sheets_point(&p.s, 0, 620);
    // Once more in the same stroke: nothing more happens.
    ENSURE(paint(&p, 620) && paint(&p, 620) && mix_brush_lift(&p.brush, &p.mask));
    joint_mix_fill(&p.mix, &p.s.scene, base, false);
    uint32_t count = 0;
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        float part = pelt_vec3_distance(p.positions[0][v], point.position) / dab.radius;
        float mask =
            part < 1.0f ? dab.strength * (1.0f - part * part) * (1.0f - part * part) : 0.0f;
        // Distances are within two parts in a thousand.
        ENSURE_NEAR(p.mix.vertices[0][v], base + mask * (dab.value - base), 4e-3f);
        ENSURE(part < 1.0f || p.mix.painted[0][v] < 0.0f);
        count += p.mix.painted[0][v] >= 0.0f ? 1 : 0;
    }
    ENSURE(count > 100 && count == p.mix.painted_count);
    end(&p);
    return 0;
}

static int a_second_stroke_goes_on_from_the_first(void)
{
    painting p = {0};
    sheets_add_plane(&p.s, 0.0f, 0.0f);
    begin(&p);
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(paint(&p, 620) && mix_brush_lift(&p.brush, &p.mask));
        joint_mix_fill(&p.mix, &p.s.scene, base, false);
    }
    // At the center the rest of the way is 0.2 of it, twice.
    uint32_t nearest = p.s.meshes[0].indices[3 * 620];
    float part = pelt_vec3_distance(p.positions[0][nearest], sheets_point(&p.s, 0, 620).position) /
                 dab.radius;
    float rest = 1.0f - dab.strength * (1.0f - part * part) * (1.0f - part * part);
    ENSURE_NEAR(p.mix.vertices[0][nearest], 1.0f - (1.0f - base) * rest * rest, 1e-5f);
    end(&p);
    return 0;
}

static int undo_takes_back_stroke_by_stroke(void)
{
    painting p = {0};
    sheets_add_plane(&p.s, 0.0f, 0.0f);
    begin(&p);
    enum
    {
        COUNT = SHEET_SIDE * SHEET_SIDE,
    };
    float after[3][COUNT];
    for (uint32_t i = 0; i < 3; ++i)
    {
        memcpy(after[i], p.mix.painted[0], sizeof after[i]);
        ENSURE(paint(&p, 300 + 200 * i) && paint(&p, 310 + 200 * i) &&
               mix_brush_lift(&p.brush, &p.mask));
        joint_mix_fill(&p.mix, &p.s.scene, base, false);
    }
    ENSURE(!mix_brush_lift(&p.brush, &p.mask)); // a stroke next to the character is none
    ENSURE(mix_brush_clear(&p.brush, &p.mask, &p.mix, &p.s.scene) && p.mix.painted_count == 0);
    ENSURE(mix_brush_undo(&p.brush, &p.mask, &p.mix) && p.mix.painted_count > 0);
    for (uint32_t i = 3; i > 0; --i)
    {
        ENSURE(mix_brush_undo(&p.brush, &p.mask, &p.mix));
        ENSURE(memcmp(after[i - 1], p.mix.painted[0], sizeof after[0]) == 0);
    }
    ENSURE(!mix_brush_undo(&p.brush, &p.mask, &p.mix) && p.mix.painted_count == 0);
    end(&p);
    return 0;
}

static int copies_along_a_seam_get_the_same(void)
{
    painting p = {0};
    sheets_add_cylinder(&p.s, 0.2f);
    begin(&p);
    ENSURE(paint(&p, 2 * SHEET_SQUARES * 12) && mix_brush_lift(&p.brush, &p.mask));
    uint32_t count = 0;
    for (uint32_t row = 0; row < SHEET_SIDE; ++row)
    {
        float a = p.mix.painted[0][row * SHEET_SIDE];
        ENSURE(a == p.mix.painted[0][row * SHEET_SIDE + SHEET_SQUARES]);
        count += a >= 0.0f ? 1 : 0;
    }
    ENSURE(count > 5);
    end(&p);
    return 0;
}

// Paint is above factors of joints, those above factors of the file, those above that of all.
static int paint_overrides_joints_and_the_file(void)
{
    painting p = {0};
    float own[SHEET_SIDE * SHEET_SIDE];
    sheets_add_plane(&p.s, 0.0f, 0.0f);
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        own[v] = 0.125f;
    }
    p.s.meshes[0].mix_factors = own;
    begin(&p);
    joint_mix_paint(&p.mix, 0, 7, 0.5f);
    ENSURE(joint_mix_has_any(&p.mix));
    joint_mix_fill(&p.mix, &p.s.scene, base, false);
    ENSURE(p.mix.vertices[0][7] == 0.5f && p.mix.vertices[0][8] == base);
    joint_mix_fill(&p.mix, &p.s.scene, base, true);
    ENSURE(p.mix.vertices[0][7] == 0.5f && p.mix.vertices[0][8] == 0.125f);
    joint_mix_set(&p.mix, 0, 0.75f);
    joint_mix_fill(&p.mix, &p.s.scene, base, true);
    ENSURE(p.mix.vertices[0][7] == 0.5f && p.mix.vertices[0][8] == 0.75f);
    joint_mix_paint(&p.mix, 0, 7, -1.0f);
    joint_mix_set(&p.mix, 0, -1.0f);
    ENSURE(!joint_mix_has_any(&p.mix));
    end(&p);
    return 0;
}

void test_mix_brush(void)
{
    RUN(a_dab_falls_off_smoothly);
    RUN(a_second_stroke_goes_on_from_the_first);
    RUN(undo_takes_back_stroke_by_stroke);
    RUN(copies_along_a_seam_get_the_same);
    RUN(paint_overrides_joints_and_the_file);
}
