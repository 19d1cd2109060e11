# SPDX-License-Identifier: MIT
# make install: headers, both kinds of library, pkg-config files, the program and its man page.
set(installed pelt pelt_static)
set(headers include/pelt/math3d.h include/pelt/pelt.h include/pelt/prepare.h
    include/pelt/color.h)
if(NOT PELT_CORE_ONLY)
    list(APPEND installed pelt_io pelt_io_static)
    list(APPEND headers include/pelt/io.h picture/picture.h)
endif()
if(PELT_WITH_GL)
    list(APPEND installed pelt_gl pelt_gl_static)
    list(APPEND headers include/pelt/gl.h include/pelt/render.h)
endif()
if(TARGET pelt_cli)
    list(APPEND installed pelt_cli)
endif()
if(TARGET man)
    install(FILES "${PROJECT_BINARY_DIR}/pelt.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(TARGETS ${installed})
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/pelt")

# PKG_NAME, PKG_DESCRIPTION and the PKG_* requirements go into one template.
function(pelt_pkg_config)
    cmake_parse_arguments(PKG "" "NAME;DESCRIPTION;REQUIRES;REQUIRES_PRIVATE;LIBS_PRIVATE" "" ${ARGN})
    # Relative to where the file itself lies, so that a package may be moved.
    file(RELATIVE_PATH PKG_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    configure_file(cmake/pkg-config.in ${PKG_NAME}.pc @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${PKG_NAME}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
pelt_pkg_config(NAME pelt DESCRIPTION "${PROJECT_DESCRIPTION}" LIBS_PRIVATE "-lm -pthread")
if(NOT PELT_CORE_ONLY)
    pelt_pkg_config(NAME pelt_io DESCRIPTION "Files for pelt" REQUIRES pelt
                    REQUIRES_PRIVATE "jansson zlib")
endif()
if(PELT_WITH_GL)
    pelt_pkg_config(NAME pelt_gl DESCRIPTION "Skinning on the GPU, and pictures, for pelt" REQUIRES pelt
                    REQUIRES_PRIVATE epoxy)
endif()
