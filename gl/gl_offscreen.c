// SPDX-License-Identifier: MIT
// OpenGL without a window: a surfaceless EGL context, which needs no display server.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "gl_context.h"

#include <epoxy/egl.h>
#include <sys/mman.h>

// Drivers crash, or call themselves missing, where a limit (ulimit -v) leaves them too little.
// Mesa's software driver with the compiler inside it needs 650 MB of address space to draw a
// picture.
static pelt_result check_address_space(pelt_error* error)
{
    const size_t needed = (size_t)768 << 20;
    void* room = mmap(NULL, needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
    {
        return pelt_error_set(error, PELT_ERROR_MEMORY,
                              "out of memory: an OpenGL driver may need %zu MB of address space; "
                              "raise the limit",
                              needed >> 20);
    }
    munmap(room, needed);
    return PELT_OK;
}

static EGLDisplay open_display(pelt_error* error)
{
    // epoxy ends the program when a function of a missing library is called.
    if (!epoxy_has_egl())
    {
        pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                       "libEGL was not found; install it with a driver, such as Mesa's");
        return EGL_NO_DISPLAY;
    }
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    {
        pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                       "this EGL has no surfaceless platform (EGL_MESA_platform_surfaceless); "
                       "install Mesa's libegl-mesa0");
        return EGL_NO_DISPLAY;
    }
    EGLDisplay display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
    {
        pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                       "EGL found no OpenGL driver (error 0x%x); install one, such as Mesa's "
                       "libgl1-mesa-dri",
                       (unsigned)eglGetError());
        return EGL_NO_DISPLAY;
    }
    return display;
}

static EGLContext create_context(EGLDisplay display, pelt_glsl language)
{
    static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    static const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                      EGL_NONE};
    bool is_embedded = language == PELT_GLSL_ES_300;
    if (!eglBindAPI(is_embedded ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
    {
        return EGL_NO_CONTEXT;
    }
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                            is_embedded ? embedded : desktop);
}

pelt_result pelti_offscreen_create(pelti_offscreen* out, pelt_glsl language, pelt_error* error)
{
    *out = (pelti_offscreen){0};
    PELT_TRY(check_address_space(error));
    EGLDisplay display = open_display(error);
    if (display == EGL_NO_DISPLAY)
    {
        return PELT_ERROR_UNSUPPORTED;
    }
    EGLContext context = create_context(display, language);
    if (context == EGL_NO_CONTEXT)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the driver does not support %s (EGL error 0x%x); update it",
                              language == PELT_GLSL_ES_300 ? "OpenGL ES 3.0" : "OpenGL 3.3 core",
                              (unsigned)eglGetError());
    }
    pelti_offscreen made = {display, context};
    pelt_result result = pelti_offscreen_make_current(&made, error);
    if (result != PELT_OK)
    {
        eglDestroyContext(display, context);
        return result;
    }
    *out = made;
    return PELT_OK;
}

pelt_result pelti_offscreen_make_current(const pelti_offscreen* offscreen, pelt_error* error)
{
    if (!eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, offscreen->context))
    {
        return pelt_error_set(
            error, PELT_ERROR_UNSUPPORTED,
            "the driver does not support contexts without a window (EGL error 0x%x)",
            (unsigned)eglGetError());
    }
    return PELT_OK;
}

// The display is not terminated: handles of it are shared within the process, not counted.
void pelti_offscreen_destroy(pelti_offscreen* offscreen)
{
    if (offscreen->context == NULL)
    {
        return;
    }
    if (eglGetCurrentContext() == offscreen->context)
    {
        eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    eglDestroyContext(offscreen->display, offscreen->context);
    *offscreen = (pelti_offscreen){0};
}
