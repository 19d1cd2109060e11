// SPDX-License-Identifier: MIT
// pelt-view: the window, the loop over its frames, and what is left behind at the end.
#define _POSIX_C_SOURCE 200809L

#include "app.h"
#include "config_file.h"
#include "keys.h"
#include "memory_use.h"
#include "panes/screen.h"
#include "panes/texture_pane.h"
#include "script.h"
#include "signal_cleanup.h"
#include "state_file.h"
#include "view_options.h"
#include "window_size.h"

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session
{
    view_options options;
    script script;
    view_app app;
    int size[2];         // of the window, in units of the layout
    double last;         // when the last frame began, milliseconds
    uint32_t idle_count; // frames in which nothing happened
    int swap_interval;   // that the driver was told, plus 1; 0: none yet
} session;

// The signal that asks the program to end; 0: none.
static volatile sig_atomic_t end_signal;

static void on_signal(int number)
{
    end_signal = number;
}

// Settings are kept when the program is asked to end; asked again, it ends at once.
static void catch_signals(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    {
        struct sigaction old;
        // `nohup` ignores them.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static int fail(int code, const char* message)
{
    fprintf(stderr, "pelt-view: %s\n", message);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Window

static void on_drop(GLFWwindow* window, int count, const char** paths)
{
    view_app* app = glfwGetWindowUserPointer(window);
    app_open_files(app, paths, (uint32_t)count, true);
}

static void ignore_error(int code, const char* text)
{
    (void)code;
    (void)text;
}

static int open_window(session* inout)
{
    glfwSetErrorCallback(ignore_error);
    if (!glfwInit())
    {
        return fail(VIEW_UNSUPPORTED, "there is no display to open a window on; set DISPLAY, or "
                                      "run under Xvfb");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    view_app* app = &inout->app;
    app->window = glfwCreateWindow(inout->size[0], inout->size[1], "pelt-view", NULL, NULL);
    if (app->window == NULL)
    {
        glfwTerminate();
        return fail(VIEW_UNSUPPORTED, "this display has no OpenGL 3.3; update its driver, or use "
                                      "pelt render");
    }
    if (inout->options.width == 0)
    {
        window_size_fit(app->window);
    }
    window_size_limit(app->window);
    glfwShowWindow(app->window);
    glfwMakeContextCurrent(app->window);
    glfwSetWindowUserPointer(app->window, app);
    glfwSetDropCallback(app->window, on_drop);
    float scale[2];
    glfwGetWindowContentScale(app->window, &scale[0], &scale[1]);
    app->scale = fmaxf(scale[0], 1.0f);
    gui_create(app->window, app->scale);
    pelt_error error = {0};
    if (pelt_gl_create(&app->gl, PELT_GL_CURRENT, &error) != PELT_OK)
    {
        gui_destroy();
        glfwTerminate();
        return fail(VIEW_UNSUPPORTED, error.message);
    }
    performance_create(&app->performance);
    return VIEW_DONE;
}

static void close_window(session* inout)
{
    app_destroy(&inout->app);
    performance_destroy(&inout->app.performance);
    pelt_gl_destroy(inout->app.gl);
    gui_destroy();
    glfwDestroyWindow(inout->app.window);
    glfwTerminate();
}

// ---------------------------------------------------------------------------------------------
// Frames

static pelt_result save_screenshot(const char* path, uint32_t width, uint32_t height,
                                   pelt_error* error)
{
    pelt_picture picture;
    pelt_result result = pelt_picture_create(&picture, width, height, error);
    if (result != PELT_OK)
    {
        return result;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (uint32_t y = 0; y < height; ++y)
    {
        glReadPixels(0, (GLint)y, (GLsizei)width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                     picture.pixels + (size_t)(height - 1 - y) * width);
    }
    for (size_t i = 0; i < (size_t)width * height; ++i)
    {
        picture.pixels[i].a = 255;
    }
    result = pelt_picture_save(path, &picture, "pelt-view", error);
    pelt_picture_destroy(&picture);
    return result;
}

static float seconds_since(session* inout)
{
    double now = character_clock();
    double spent = inout->last > 0.0 ? now - inout->last : 16.0;
    inout->last = now;
    return inout->app.is_scripted ? 1.0f / 60.0f : (float)fmin(1e-3 * spent, 0.25);
}

static void poll_events(session* inout)
{
    const view_app* app = &inout->app;
    bool is_moving =
        app->settings.is_playing || app->settings.has_turntable || app->job.kind != JOB_NONE ||
        app->model == NULL || app->is_scripted ||
        (app->settings.mode == MODE_BENCHMARK && app->benchmark.state == BENCHMARK_RUNNING);
    if (glfwGetWindowAttrib(app->window, GLFW_ICONIFIED))
    {
        glfwWaitEventsTimeout(0.25);
    }
    else if (is_moving || inout->idle_count < 4)
    {
        glfwPollEvents();
    }
    else
    {
        glfwWaitEventsTimeout(0.05);
    }
}

// What this frame cost.
static void count_frame(view_app* inout, double interface_ms, double frame_ms,
                        uint64_t draws_before)
{
    static const model_times nothing = {0};
    bool is_drawn = inout->settings.mode == MODE_COMPARE && inout->model->is_drawn;
    const model_times* times = is_drawn ? &inout->model->times : &nothing;
    float parts[PART_COUNT] = {
        [PART_FRAME] = (float)frame_ms,         [PART_POSE] = (float)times->pose,
        [PART_PALETTE] = (float)times->palette, [PART_UPLOAD] = (float)times->upload,
        [PART_INTERFACE] = (float)interface_ms, [PART_DEFORM] = (float)times->deform};
    inout->performance.draw_count =
        (uint32_t)(pelt_gl_describe(inout->gl).draw_count - draws_before);
    performance_add(&inout->performance, parts);
    ++inout->frame;
}

// Build the interface, then the viewports that it asks for, then the picture of both.
static pelt_result draw_frame(session* inout, const char* screenshot, pelt_error* error)
{
    view_app* app = &inout->app;
    int width, height;
    glfwGetFramebufferSize(app->window, &width, &height);
    uint64_t draws = pelt_gl_describe(app->gl).draw_count;
    float seconds = seconds_since(inout);
    double begin = character_clock();
    gui_frame_begin(app->is_scripted ? seconds : 0.0f);
    keys_poll(app, seconds);
    double polled = character_clock();
    app_update(app, seconds);
    double start = character_clock(); // a script waits for files in between
    screen_layout layout = screen_arrange(app, (float)width, (float)height);
    screen_show(app, &layout);
    inout->idle_count = gui_had_input() ? 0 : inout->idle_count + 1;
    gui_frame_build();
    double built = character_clock();
    performance_gpu_begin(&app->performance);
    app_draw(app, (uint32_t)layout.views[0].width, (uint32_t)layout.views[0].height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(0.80f, 0.80f, 0.80f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    gui_frame_end();
    performance_gpu_end(&app->performance);
    pelt_result result = PELT_OK;
    if (screenshot != NULL && width > 0 && height > 0)
    {
        result = save_screenshot(screenshot, (uint32_t)width, (uint32_t)height, error);
    }
    glfwSwapBuffers(app->window);
    if (app->model != NULL)
    {
        double interface_ms = polled - begin + built - start;
        count_frame(app, interface_ms, polled - begin + character_clock() - start, draws);
    }
    return result;
}

// The file tells tests what a click has done, and when.
static pelt_result save_state(const session* in, pelt_error* error)
{
    bool is_due = in->options.state != NULL && (in->app.is_done || !in->app.is_scripted);
    return is_due ? state_file_save(in->options.state, &in->app, error) : PELT_OK;
}

static void set_vsync(session* inout, bool is_on)
{
    int wanted = is_on ? 1 : 0;
    if (inout->swap_interval != wanted + 1)
    {
        glfwSwapInterval(wanted);
        inout->swap_interval = wanted + 1;
    }
}

static pelt_result run_frame(session* inout, pelt_error* error)
{
    view_app* app = &inout->app;
    const char* screenshot = NULL;
    poll_events(inout);
    set_vsync(inout, app->settings.has_vsync && !app->is_scripted);
    if (app->model != NULL)
    {
        pelt_result result = script_run(&inout->script, app, &screenshot, error);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    bool is_last = inout->options.frames > 0 && app->frame + 1 >= inout->options.frames;
    screenshot =
        is_last && inout->options.screenshot != NULL ? inout->options.screenshot : screenshot;
    pelt_result result = draw_frame(inout, screenshot, error);
    bool has_ended = inout->options.frames > 0 && app->frame >= inout->options.frames;
    app->is_done =
        app->is_done || has_ended || end_signal != 0 || glfwWindowShouldClose(app->window);
    return result == PELT_OK ? save_state(inout, error) : result;
}

static int run(session* inout)
{
    view_app* app = &inout->app;
    pelt_error error = {0};
    if (inout->options.file_count > 0)
    {
        app_open_files(app, inout->options.files, inout->options.file_count, false);
    }
    else
    {
        app_open(app, "rig:human");
    }
    pelt_result result = PELT_OK;
    while (!app->is_done && result == PELT_OK)
    {
        result = run_frame(inout, &error);
    }
    window_size_read(inout->size, app->window);
    if (result != PELT_OK)
    {
        return fail(result == PELT_ERROR_WRITE ? VIEW_WRITE : VIEW_INPUT, error.message);
    }
    return VIEW_DONE;
}

// ---------------------------------------------------------------------------------------------

static int prepare(session* out, int count, char** words)
{
    int code = view_options_parse(&out->options, count, words);
    if (code != VIEW_DONE)
    {
        return code;
    }
    const view_options* options = &out->options;
    view_app* app = &out->app;
    app->settings = settings_default();
    app->playback = playback_of(PELT_NONE);
    app->joint = PELT_NONE;
    app->is_scripted = options->frames > 0 || options->script != NULL;
    snprintf(app->pose_path, sizeof app->pose_path, "pose.json");
    snprintf(app->mix_path, sizeof app->mix_path, "mixed.glb");
    snprintf(app->benchmark.folder, sizeof app->benchmark.folder, "crowd");
    out->size[0] = 1280;
    out->size[1] = 720;
    pelt_error error = {0};
    if (options->script != NULL && script_read(&out->script, options->script, &error) != PELT_OK)
    {
        return fail(VIEW_INPUT, error.message);
    }
    if (!app->is_scripted)
    {
        config_file_read(app, out->size);
    }
    texture_pane_reset(app);
    app->next_encoding = app->settings.bake_encoding;
    app->next_rate = app->settings.bake_rate;
    out->size[0] = options->width > 0 ? options->width : out->size[0];
    out->size[1] = options->height > 0 ? options->height : out->size[1];
    return VIEW_DONE;
}

static int show(session* inout)
{
    int code = open_window(inout);
    if (code != VIEW_DONE)
    {
        return code;
    }
    code = run(inout);
    if (!inout->app.is_scripted)
    {
        config_file_write(&inout->app, inout->size);
    }
    close_window(inout);
    return code;
}

int main(int count, char** words)
{
    static session all;
    signal_cleanup_install(NULL);
    memory_use_prepare();
    int code = prepare(&all, count, words);
    if (code != VIEW_DONE || all.options.is_help || all.options.is_version)
    {
        if (code == VIEW_DONE && all.options.is_help)
        {
            view_options_help();
        }
        else if (code == VIEW_DONE)
        {
            puts("pelt-view " PELT_VERSION_STRING);
        }
        script_destroy(&all.script);
        return code;
    }
    all.app.pool = pelt_pool_create(0);
    pelt_hooks hooks = {.run = job_run, .run_user = all.app.pool};
    if (all.app.pool != NULL)
    {
        pelt_hooks_set(&hooks);
    }
    catch_signals();
    code = show(&all);
    script_destroy(&all.script);
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_pool_destroy(all.app.pool);
    if (end_signal != 0)
    {
        raise(end_signal); // tells the parent why it ended
    }
    return code;
}
