# SPDX-License-Identifier: MIT
# libpelt_io as a reader of plain glTF and GLB, without any dependency: no writers, no compressed
# buffers, no other formats. For systems that have no packages of what the whole library needs.
set(reader_names
    gltf_accessor gltf_bounds gltf_buffer gltf_check gltf_clip gltf_draco gltf_helper gltf_json gltf_losses gltf_material
    gltf_mesh gltf_node gltf_prepared gltf_read gltf_skin input_file json_parse load load_report no_assimp
    matrix_decompose name_list reader_only text_parse)
if(WIN32)
    list(APPEND reader_names system_windows)
endif()

# A file's name is unique, whatever folder of io/ it is in.
file(GLOB_RECURSE io_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/io/*.c")
set(reader_files "")
foreach(name ${reader_names})
    set(found ${io_files})
    list(FILTER found INCLUDE REGEX "/${name}\\.c$")
    if(NOT found)
        message(FATAL_ERROR "cmake/reader.cmake: there is no ${name}.c in io/")
    endif()
    list(APPEND reader_files ${found})
endforeach()

pelt_library(pelt_io ${reader_files})
target_link_libraries(pelt_io PUBLIC pelt)
target_link_libraries(pelt_io_static PUBLIC pelt_static)

if(PELT_INSTALL)
    pelt_export(pelt_io pelt_io)
    pelt_export(pelt_io_static pelt_io_static)
    install(FILES include/pelt/io.h DESTINATION "${header_folder}")
    pelt_pkg_config(NAME pelt_io DESCRIPTION "glTF for pelt" REQUIRES pelt)
endif()
