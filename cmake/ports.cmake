# SPDX-License-Identifier: MIT
# What `pelt shaders` writes beyond the library of GLSL: translations made by tools/shaders, entry
# points for them, and the texts of its README. In the program only: libpelt_gl has no use for them.
set(ports "")
foreach(language hlsl msl wgsl)
    string(REPLACE msl metal ending ${language})
    foreach(file pelt_skin pelt_normals skin_main)
        list(APPEND ports ${language}/${file}.${ending})
    endforeach()
endforeach()
foreach(text library normals glsl essl vulkan hlsl msl wgsl choices buffers
             conventions)
    list(APPEND ports readme/${text}.md)
endforeach()
list(TRANSFORM ports PREPEND "${PROJECT_SOURCE_DIR}/gl/shaders/")
add_custom_command(OUTPUT shader_ports.c
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=shader_ports.c -DHEADER=shader_set.h -DTABLE=shader_ports
            "-DFILES=${ports}" -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${ports} cmake/embed.cmake VERBATIM)
