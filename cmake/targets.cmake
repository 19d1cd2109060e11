# SPDX-License-Identifier: MIT
# What every target of this project is compiled with, and nothing outside of it.

# Executables are linked as position-independent ones too, not only compiled so.
if(PELT_HARDEN)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
endif()

# What makes a mistake in memory harder to use: canaries in stack frames, checked calls of libc, and
# addresses of functions that are bound at the start and read-only then. Sanitizers do more, and
# checked calls need an optimizer. A level that the user's flags state is left alone.
function(pelt_harden name)
    target_compile_options(${name} PRIVATE -fstack-protector-strong)
    if(NOT "${CMAKE_C_FLAGS}" MATCHES "_FORTIFY_SOURCE")
        target_compile_options(${name} PRIVATE
            "$<$<NOT:$<CONFIG:Debug,>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>")
    endif()
    get_target_property(type ${name} TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY" AND NOT APPLE)
        target_link_options(${name} PRIVATE -Wl,-z,relro -Wl,-z,now)
    endif()
endfunction()

# Flags, language and folder of one target.
function(pelt_target name)
    set_target_properties(${name} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                          POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    # Contraction to fused multiply-add would make results depend on the machine.
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -ffp-contract=off)
    # Messages of broken contracts and debug information name files by their path in the project, so
    # that a build does not depend on where it is made.
    target_compile_options(${name} PRIVATE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
                                           "-ffile-prefix-map=${PROJECT_BINARY_DIR}/=")
    if(PELT_WERROR)
        target_compile_options(${name} PRIVATE -Werror)
    endif()
    if(PELT_SCALAR)
        target_compile_options(${name} PRIVATE -fno-tree-vectorize -fno-tree-slp-vectorize)
        target_compile_definitions(${name} PRIVATE PELT_SCALAR)
    endif()
    if(PELT_SANITIZE)
        target_compile_options(${name} PRIVATE -fsanitize=${PELT_SANITIZE} -fno-omit-frame-pointer)
        target_link_options(${name} PRIVATE -fsanitize=${PELT_SANITIZE})
        if(PELT_SANITIZE MATCHES "undefined")
            target_compile_options(${name} PRIVATE -fno-sanitize-recover=undefined)
        endif()
    endif()
    if(PELT_HARDEN AND NOT PELT_SANITIZE AND NOT WIN32)
        pelt_harden(${name})
    endif()
    # Products lie together, where the README says.
    if(PROJECT_IS_TOP_LEVEL)
        set_target_properties(${name} PROPERTIES
            ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
            RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    endif()
endfunction()

# A library as NAME (shared) and NAME_static, from the same objects and under the same file name;
# for other projects pelt::core and pelt::core_static, pelt::io ... Until 1.0 a minor version may
# change the interface, so it is part of the name that programs look for.
function(pelt_library name)
    add_library(${name}_objects OBJECT ${ARGN})
    add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
    add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
    # Installed libraries find each other wherever their folder is moved to.
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                          INSTALL_RPATH "$ORIGIN")
    set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
    target_include_directories(${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}/include")
    string(REGEX REPLACE "^pelt_?" "" component ${name})
    if(component STREQUAL "")
        set(component core)
    endif()
    pelt_target(${name}_objects)
    foreach(suffix "" _static)
        set(library ${name}${suffix})
        pelt_target(${library})
        # A project around this one may ask for static libraries everywhere.
        if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS AND NOT PROJECT_IS_TOP_LEVEL)
            add_library(pelt::${component}${suffix} ALIAS ${name}_static)
        else()
            add_library(pelt::${component}${suffix} ALIAS ${library})
        endif()
        set_target_properties(${library} PROPERTIES EXPORT_NAME ${component}${suffix})
        target_include_directories(${library} PUBLIC
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
        if(PELT_INSTALL)
            target_include_directories(${library} PUBLIC
                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        endif()
    endforeach()
    # Inside another project only what that project links is built.
    if(NOT PROJECT_IS_TOP_LEVEL AND NOT PELT_INSTALL)
        set_target_properties(${name}_objects ${name} ${name}_static PROPERTIES
                              EXCLUDE_FROM_ALL ON)
    endif()
endfunction()
