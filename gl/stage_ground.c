// SPDX-License-Identifier: MIT
// The background and the ground.
#include "stage.h"

#include <epoxy/gl.h>

pelt_result pelti_back_draw(pelt_stage* stage, pelt_error* error)
{
    uint32_t program;
    pelt_result result =
        pelti_render_program(&program, stage->gl, pelti_render_file("render_back_vertex.glsl"),
                             pelti_render_file("render_back.glsl"), error);
    if (result == PELT_OK)
    {
        glDisable(GL_DEPTH_TEST);
        glBindVertexArray(stage->empty_array);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        ++stage->gl->info.draw_count;
        glEnable(GL_DEPTH_TEST);
    }
    return result;
}

// Cuts through the ground along x and z, from one edge to the other. Between the middle ones lies
// everything that the maps of shadows show.
typedef struct ground_cuts
{
    float x[4], z[4];
} ground_cuts;

// Widen the middle by the points of the ground that a map shows: its corners, carried back.
static void add_map(ground_cuts* inout, const pelti_mat4* texture_from_model, float height)
{
    const float* m = texture_from_model->m;
    float determinant = m[0] * m[9] - m[8] * m[1];
    for (int i = 0; i < 4; ++i)
    {
        float u = (float)(i & 1) - m[4] * height - m[12];
        float v = (float)(i >> 1) - m[5] * height - m[13];
        float x = (m[9] * u - m[8] * v) / determinant, z = (m[0] * v - m[1] * u) / determinant;
        inout->x[1] = fminf(inout->x[1], x);
        inout->x[2] = fmaxf(inout->x[2], x);
        inout->z[1] = fminf(inout->z[1], z);
        inout->z[2] = fmaxf(inout->z[2], z);
    }
}

static ground_cuts find_cuts(const pelt_stage* stage, const pelti_shot* shot)
{
    pelt_vec3 center = pelt_vec3_lerp(stage->bounds.min, stage->bounds.max, 0.5f);
    float radius = shot->ground_radius;
    ground_cuts cuts = {{center.x - radius, center.x, center.x, center.x + radius},
                        {center.z - radius, center.z, center.z, center.z + radius}};
    add_map(&cuts, &stage->lights.key_from_model, stage->bounds.min.y);
    add_map(&cuts, &stage->lights.earth_from_model, stage->bounds.min.y);
    for (int i = 1; i < 3; ++i)
    {
        // A singular map gives no number; then all of the ground may have shadows.
        cuts.x[i] = isfinite(cuts.x[i]) ? fminf(fmaxf(cuts.x[i], cuts.x[0]), cuts.x[3])
                                        : cuts.x[i == 1 ? 0 : 3];
        cuts.z[i] = isfinite(cuts.z[i]) ? fminf(fmaxf(cuts.z[i], cuts.z[0]), cuts.z[3])
                                        : cuts.z[i == 1 ? 0 : 3];
    }
    return cuts;
}

// Fetching shadows takes nearly all of the time, so most of the ground is drawn without.
static pelt_result draw_ground(pelt_stage* stage, const pelti_shot* shot, bool has_shadows,
                               const ground_cuts* cuts, pelt_error* error)
{
    uint32_t program;
    PELT_TRY(
        pelti_render_program(&program, stage->gl, pelti_render_file("render_ground_vertex.glsl"),
                             has_shadows ? stage->ground_fragment : stage->grid_fragment, error));
    pelti_lights_use(program);
    pelti_uniform_matrix(program, "clip_from_model", &shot->clip_from_model);
    pelti_uniform_float(program, "height", stage->bounds.min.y);
    for (int i = 0; i < 9; ++i)
    {
        int x = i % 3, z = i / 3;
        bool is_empty = !(cuts->x[x] < cuts->x[x + 1] && cuts->z[z] < cuts->z[z + 1]);
        if ((i == 4) == has_shadows && !is_empty)
        {
            const pelt_vec4 rectangle = {cuts->x[x], cuts->z[z], cuts->x[x + 1], cuts->z[z + 1]};
            pelti_uniform_vec4(program, "rectangle", rectangle);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            ++stage->gl->info.draw_count;
        }
    }
    return PELT_OK;
}

pelt_result pelti_ground_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    ground_cuts cuts = find_cuts(stage, shot);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    // Soles lie in it.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 2.0f);
    glBindVertexArray(stage->empty_array);
    pelt_result result = draw_ground(stage, shot, true, &cuts, error);
    result = result == PELT_OK ? draw_ground(stage, shot, false, &cuts, error) : result;
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return result;
}
