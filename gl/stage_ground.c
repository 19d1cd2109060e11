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

pelt_result pelti_ground_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    uint32_t program;
    PELT_TRY(pelti_render_program(&program, stage->gl,
                                  pelti_render_file("render_ground_vertex.glsl"),
                                  stage->ground_fragment, error));
    pelt_vec3 center = pelt_vec3_lerp(stage->bounds.min, stage->bounds.max, 0.5f);
    const pelt_vec4 square = {stage->bounds.min.y, center.x, center.z, shot->ground_radius};
    pelti_lights_use(program);
    pelti_uniform_matrix(program, "clip_from_model", &shot->clip_from_model);
    pelti_uniform_vec4(program, "square", square);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    // Soles lie in it.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 2.0f);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    ++stage->gl->info.draw_count;
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return PELT_OK;
}
