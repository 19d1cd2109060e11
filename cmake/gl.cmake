# SPDX-License-Identifier: MIT
# libpelt_gl, where epoxy and the headers of EGL are. EGL itself is not linked: epoxy opens it when
# a program asks for a context, so that programs start, and say what is missing, without it.
set(PELT_WITH_GL OFF)
if(PELT_GL OR PELT_GL STREQUAL "AUTO")
    pkg_check_modules(EPOXY IMPORTED_TARGET epoxy)
    pkg_check_modules(EGL egl)
    if(EPOXY_FOUND AND EGL_FOUND)
        set(PELT_WITH_GL ON)
    elseif(NOT PELT_GL STREQUAL "AUTO")
        message(FATAL_ERROR "PELT_GL is ${PELT_GL}, but pkg-config finds no epoxy or no egl")
    endif()
endif()

if(PELT_WITH_GL)
    pelt_embed(render_text.c shader_text.h pelti_render_text render_vertex render_light render_base render_surface
        render_cutout render_wire render_back_vertex render_back render_ground_vertex render_ground
        render_mark_vertex render_mark)
    pelt_library(pelt_gl
        gl/gpu_layout.c gl/shader_source.c "${PROJECT_BINARY_DIR}/shader_text.c"
        gl/gl_context.c gl/gl_offscreen.c gl/gl_mesh.c gl/gl_normals.c gl/gl_palette.c gl/gl_program.c
        gl/gl_skin.c gl/gl_texels.c
        "${PROJECT_BINARY_DIR}/render_text.c" gl/render_matrix.c gl/render_camera.c
        gl/render_program.c gl/render_edges.c gl/render_shapes.c gl/render_skeleton.c gl/stage.c gl/stage_texture.c
        gl/stage_pose.c gl/stage_body.c gl/stage_blend.c gl/stage_light.c gl/stage_ground.c gl/stage_marks.c
        gl/stage_draw.c gl/stage_picture.c)
    # Two libraries compile the generated file; one of them has to make it.
    add_dependencies(pelt_gl_objects pelt_gpu)
    target_include_directories(pelt_gl_objects PRIVATE gl ${EGL_INCLUDE_DIRS})
    target_link_libraries(pelt_gl_objects PRIVATE PkgConfig::EPOXY)
    target_link_libraries(pelt_gl PUBLIC pelt PRIVATE PkgConfig::EPOXY)
    target_link_libraries(pelt_gl_static PUBLIC pelt_static PkgConfig::EPOXY)
endif()
