# SPDX-License-Identifier: MIT
# make install: headers, both kinds of library, what CMake and pkg-config need to find them, the
# programs and their manual pages. Components: runtime (libraries and the program pelt), viewer, and
# development (all that a compiler needs), so that
# `cmake --install build --component runtime` is enough to run pelt.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/pelt")
set(header_folder "${CMAKE_INSTALL_INCLUDEDIR}/pelt")

# Targets of one file of the package, which find_package() reads when a component is asked for.
function(pelt_export file)
    install(TARGETS ${ARGN} EXPORT ${file}
            LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
            RUNTIME COMPONENT runtime
            ARCHIVE COMPONENT development)
    install(EXPORT ${file} NAMESPACE pelt:: DESTINATION "${package_folder}")
endfunction()

# PKG_NAME, PKG_DESCRIPTION and the PKG_* requirements go into one template.
function(pelt_pkg_config)
    cmake_parse_arguments(PKG "" "NAME;DESCRIPTION;REQUIRES;REQUIRES_PRIVATE;LIBS;LIBS_PRIVATE" ""
                          ${ARGN})
    # Relative to where the file itself lies, so that a package may be moved.
    file(RELATIVE_PATH PKG_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    configure_file(cmake/pkg-config.in ${PKG_NAME}.pc @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${PKG_NAME}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# meshoptimizer has no pkg-config file: its folder, if no linker looks there by itself, its name,
# and, where it is an archive, the C++ library that it was compiled with.
function(pelt_meshoptimizer_flags out)
    get_target_property(file meshoptimizer::meshoptimizer LOCATION)
    get_target_property(type meshoptimizer::meshoptimizer TYPE)
    get_filename_component(folder "${file}" DIRECTORY)
    set(flags "-lmeshoptimizer")
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        string(PREPEND flags "-L${folder} ")
    endif()
    if(type STREQUAL "STATIC_LIBRARY")
        string(APPEND flags " -lstdc++")
    endif()
    set(${out} "${flags}" PARENT_SCOPE)
endfunction()

pelt_export(pelt_core pelt pelt_static)
install(FILES include/pelt/pelt.h include/pelt/base.h include/pelt/math3d.h include/pelt/color.h
              include/pelt/scene.h include/pelt/pose.h include/pelt/deform.h
              include/pelt/deformer.h include/pelt/prepare.h include/pelt/metrics.h
              include/pelt/doctor.h include/pelt/skinner.h include/pelt/bake.h include/pelt/crowd.h
              include/pelt/bounds.h include/pelt/ddm.h include/pelt/helpers.h
              include/pelt/tangents.h
        DESTINATION "${header_folder}")
pelt_pkg_config(NAME pelt DESCRIPTION "${PROJECT_DESCRIPTION}" LIBS -lm LIBS_PRIVATE -pthread)

if(NOT PELT_CORE_ONLY)
    pelt_export(pelt_io pelt_io)
    pelt_export(pelt_io_static pelt_io_static)
    install(FILES include/pelt/io.h include/pelt/gpu.h DESTINATION "${header_folder}")
    pelt_export(pelt_gpu pelt_gpu pelt_gpu_static)
    pelt_pkg_config(NAME pelt_gpu DESCRIPTION "Layouts and shader text of GPU skinning for pelt"
                    REQUIRES pelt)
    set(modules "jansson zlib")
    if(PELT_WITH_ASSIMP)
        string(APPEND modules " assimp")
    endif()
    if(PELT_WITH_DRACO)
        string(APPEND modules " draco")
    endif()
    pelt_meshoptimizer_flags(meshoptimizer)
    if(PELT_WITH_DRACO AND NOT meshoptimizer MATCHES "stdc")
        string(APPEND meshoptimizer " -lstdc++")
    endif()
    pelt_pkg_config(NAME pelt_io DESCRIPTION "Files for pelt" REQUIRES pelt
                    REQUIRES_PRIVATE "${modules}" LIBS_PRIVATE "${meshoptimizer}")
endif()

if(PELT_WITH_GL)
    pelt_export(pelt_gl pelt_gl)
    pelt_export(pelt_gl_static pelt_gl_static)
    install(FILES include/pelt/gl.h include/pelt/render.h DESTINATION "${header_folder}")
    pelt_pkg_config(NAME pelt_gl DESCRIPTION "Skinning on the GPU, and pictures, for pelt"
                    REQUIRES pelt_gpu REQUIRES_PRIVATE epoxy)
endif()

configure_file(cmake/peltConfig.cmake.in peltConfig.cmake @ONLY)
# Until 1.0 a minor version may change the interface.
write_basic_package_version_file(peltConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/peltConfig.cmake"
              "${PROJECT_BINARY_DIR}/peltConfigVersion.cmake" DESTINATION "${package_folder}")

install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT development
        PATTERN CMakeLists.txt EXCLUDE)
if(TARGET pelt_cli)
    install(TARGETS pelt_cli COMPONENT runtime)
    install(FILES cli/completions/pelt.bash RENAME pelt COMPONENT runtime
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES cli/completions/_pelt COMPONENT runtime
            DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES cli/completions/pelt.fish COMPONENT runtime
            DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
if(TARGET pelt_view)
    install(TARGETS pelt_view COMPONENT viewer)
    install(FILES viewer/pelt-view.desktop COMPONENT viewer
            DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES viewer/pelt-view.svg COMPONENT viewer
            DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()
if(TARGET pelt_man)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" COMPONENT runtime
            DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" PATTERN pelt-view.1 EXCLUDE)
    install(FILES "${PROJECT_BINARY_DIR}/man/pelt-view.1" COMPONENT viewer OPTIONAL
            DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
