# SPDX-License-Identifier: MIT
# What the layers above the core are built with. Found here, once, because imported targets belong
# to the folder that finds them, and a static library hands its own on to whoever links it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
find_package(meshoptimizer REQUIRED)
if(PELT_ASSIMP)
    pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
endif()

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

if(PELT_PROGRAMS OR PELT_TESTS OR PELT_FUZZ)
    pkg_check_modules(PICTURES REQUIRED IMPORTED_TARGET spng libjpeg libwebp libwebpmux)
endif()
if(PELT_TESTS)
    pkg_check_modules(DEMUX REQUIRED IMPORTED_TARGET libwebpdemux)
endif()
