// SPDX-License-Identifier: MIT
// pelt-view: the window, its frame loop, and the files written at the end.
#define _POSIX_C_SOURCE 200809L

#include "app.h"
#include "desktop.h"
#include "keys.h"
#include "panes/panes.h"
#include "script.h"
#include "signal_cleanup.h"
#include "state_file.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Command line

/// Exit codes, as those of `pelt`.
enum
{
    VIEW_DONE = 0,
    VIEW_USAGE = 1,
    VIEW_INPUT = 2,
    VIEW_UNSUPPORTED = 3,
    VIEW_WRITE = 4,
};

typedef struct view_options
{
    const char* const* files;
    uint32_t file_count; ///< 0: the built-in human
    uint32_t frames;     ///< to draw before it ends; 0: until someone ends it
    const char* screenshot;
    const char* state;
    const char* script;
    int width, height;        ///< of the window; 0: as last time
    bool is_relative_to_rest; ///< clips of further files
    bool is_help, is_version;
} view_options;

static void show_help(void)
{
    fputs("usage: pelt-view [FILE...] [options]\n\n"
          "Shows a character deformed by several methods side by side. FILE is .glb, .gltf, .fbx\n"
          "or another that pelt reads, or a built-in character such as rig:human, the default.\n"
          "More files add their clips if they have the skeleton of the first; others are listed\n"
          "in the menu of recent files.\n\n"
          "  --retarget-rest    apply the clips of more files relative to the rest poses\n"
          "  --size WxH         of the window\n"
          "  --script FILE      timed actions: lines like \"frame 10 key space\"\n"
          "  --frames N         draw N frames of 1/60 s each, then end\n"
          "  --screenshot FILE  write the last frame as .png\n"
          "  --state FILE       write what is shown as JSON, after each input and at the end\n"
          "  --help, --version\n\n"
          "Exit codes: 0 done, 1 usage, 2 bad input, 3 no display or not in this build, 4 cannot\n"
          "write.\n",
          stdout);
}

static int usage(const char* text, const char* word)
{
    fprintf(stderr, "pelt-view: %s%s; pelt-view --help lists all options\n", text, word);
    return VIEW_USAGE;
}

static bool parse_size(view_options* out, const char* text)
{
    char rest;
    return sscanf(text, "%dx%d%c", &out->width, &out->height, &rest) == 2 && out->width >= 320 &&
           out->width <= 16384 && out->height >= 240 && out->height <= 16384;
}

static bool parse_frames(view_options* out, const char* text)
{
    char* end;
    unsigned long number = strtoul(text, &end, 10);
    out->frames = (uint32_t)number;
    return *end == '\0' && text[0] != '-' && number > 0 && number <= 100000000ul;
}

static int parse_option(view_options* out, const char* name, const char* value)
{
    if (strcmp(name, "--size") == 0)
    {
        return parse_size(out, value) ? VIEW_DONE
                                      : usage("--size is like 1280x720, from 320x240, not ", value);
    }
    if (strcmp(name, "--frames") == 0)
    {
        return parse_frames(out, value) ? VIEW_DONE
                                        : usage("--frames is a number from 1, not ", value);
    }
    const struct
    {
        const char* name;
        const char** value;
    } texts[] = {
        {"--screenshot", &out->screenshot}, {"--state", &out->state}, {"--script", &out->script}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    {
        if (strcmp(name, texts[i].name) == 0)
        {
            *texts[i].value = value;
            return VIEW_DONE;
        }
    }
    return usage("there is no option ", name);
}

static int parse_word(view_options* out, char** words, int count, int* at)
{
    const char* word = words[*at];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    {
        out->is_help = true;
        return VIEW_DONE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
    {
        out->is_version = true;
        return VIEW_DONE;
    }
    if (strcmp(word, "--retarget-rest") == 0)
    {
        out->is_relative_to_rest = true;
        return VIEW_DONE;
    }
    if (word[0] == '-' && word[1] != '\0')
    {
        if (*at + 1 >= count)
        {
            return usage("a value is missing after ", word);
        }
        return parse_option(out, word, words[++*at]);
    }
    // Move file arguments to the front, over words that have been parsed.
    words[1 + out->file_count++] = words[*at];
    return VIEW_DONE;
}

// @return VIEW_DONE, or VIEW_USAGE after a sentence on stderr
static int parse_options(view_options* out, int count, char** words)
{
    *out = (view_options){.files = (const char* const*)words + 1};
    int code = VIEW_DONE;
    for (int i = 1; i < count && code == VIEW_DONE; ++i)
    {
        code = parse_word(out, words, count, &i);
    }
    if (code == VIEW_DONE && out->screenshot != NULL && out->frames == 0)
    {
        return usage("--screenshot needs --frames, which says when", "");
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Window size

// The size of the window is kept in units of the layout, which are pixels on an ordinary screen and
// several on a dense one. A window is measured in pixels on some systems and in larger units on
// others, a framebuffer always in pixels. @return units of the window per unit of the layout
static double units_of(GLFWwindow* window)
{
    int window_size[2], pixels[2];
    float scale[2];
    glfwGetWindowSize(window, &window_size[0], &window_size[1]);
    glfwGetFramebufferSize(window, &pixels[0], &pixels[1]);
    glfwGetWindowContentScale(window, &scale[0], &scale[1]);
    double density = pixels[0] > 0 ? (double)window_size[0] / pixels[0] : 1.0;
    return fmax((double)scale[0], 1.0) * density;
}

static void read_window_size(int out[2], GLFWwindow* window)
{
    double units = units_of(window);
    int size[2];
    glfwGetWindowSize(window, &size[0], &size[1]);
    out[0] = (int)lround(size[0] / units);
    out[1] = (int)lround(size[1] / units);
}

// Shrink a window that is not shown yet to the size of the screen.
static void fit_window(GLFWwindow* window)
{
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    int size[2], area[4] = {0}, frame[4] = {0};
    if (monitor == NULL)
    {
        return;
    }
    glfwGetMonitorWorkarea(monitor, &area[0], &area[1], &area[2], &area[3]);
    glfwGetWindowFrameSize(window, &frame[0], &frame[1], &frame[2], &frame[3]);
    glfwGetWindowSize(window, &size[0], &size[1]);
    int width = area[2] - frame[0] - frame[2], height = area[3] - frame[1] - frame[3];
    bool is_known = width > 0 && height > 0;
    if (is_known && (size[0] > width || size[1] > height))
    {
        glfwSetWindowSize(window, size[0] < width ? size[0] : width,
                          size[1] < height ? size[1] : height);
    }
}

// Do not allow a window smaller than the minimum, or than it is now.
static void limit_window(GLFWwindow* window)
{
    const double units = units_of(window);
    int least[2] = {(int)(WINDOW_MIN_WIDTH * units), (int)(WINDOW_MIN_HEIGHT * units)}, size[2];
    glfwGetWindowSize(window, &size[0], &size[1]);
    // A small screen, or --size.
    least[0] = size[0] < least[0] ? size[0] : least[0];
    least[1] = size[1] < least[1] ? size[1] : least[1];
    glfwSetWindowSizeLimits(window, least[0], least[1], GLFW_DONT_CARE, GLFW_DONT_CARE);
}

// ---------------------------------------------------------------------------------------------
// Session

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

// Settings are saved when a signal asks the program to end; a second signal ends it at once.
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
        fit_window(app->window);
    }
    limit_window(app->window);
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

// @param from  of the window, in pixels
static pelt_result save_screenshot(const char* path, gui_rect from, int window_height,
                                   pelt_error* error)
{
    uint32_t width = (uint32_t)from.width, height = (uint32_t)from.height;
    pelt_picture picture;
    PELT_TRY(pelt_picture_create(&picture, width, height, error));
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (uint32_t y = 0; y < height; ++y)
    {
        GLint row = window_height - 1 - (GLint)from.y - (GLint)y;
        glReadPixels((GLint)from.x, row, (GLsizei)width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                     picture.pixels + (size_t)y * width);
    }
    for (size_t i = 0; i < (size_t)width * height; ++i)
    {
        picture.pixels[i].a = 255;
    }
    pelt_result result = pelt_picture_save(path, &picture, "pelt-view", error);
    pelt_picture_destroy(&picture);
    return result;
}

// The viewports, as they are on the screen.
static void save_picture(view_app* inout, const screen_layout* layout, int window_height)
{
    if (!inout->is_picture_wanted || gui_has_menu())
    {
        return; // when the menu is closed
    }
    inout->is_picture_wanted = false;
    gui_rect all = layout->views[0];
    const gui_rect* last = &layout->views[layout->view_count - 1];
    all.width = last->x + last->width - all.x;
    all.height = last->y + last->height - all.y;
    pelt_error error = {0};
    char path[PATH_BYTES], wanted[PATH_BYTES];
    const char* typed = inout->picture_path[0] != '\0' ? inout->picture_path : "pelt.png";
    if (!typed_path_read(wanted, sizeof wanted, typed) || !file_free_path(path, wanted, ".png"))
    {
        app_fail(inout, "there is no free name for the picture; name another one");
    }
    else if (save_screenshot(path, all, window_height, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
    else
    {
        snprintf(inout->note, sizeof inout->note, "wrote %.120s", path);
    }
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

// Draws and vertices of characters; crowds do not draw by a stage.
static void count_work(view_app* inout)
{
    performance* out = &inout->performance;
    const view_crowd* crowd = &inout->crowd;
    switch ((view_mode)inout->settings.mode)
    {
    case MODE_CROWD:
        out->draw_count = crowd->is_drawn ? crowd->stage->counts.draw_calls : 0;
        out->vertex_count = crowd->is_drawn ? crowd->stage->counts.vertices : 0;
        break;
    case MODE_BENCHMARK:
        benchmark_count(&inout->benchmark, &out->draw_count, &out->vertex_count);
        break;
    case MODE_COMPARE:
    case MODE_COUNT:
        out->vertex_count =
            inout->model->character->vertex_count * settings_view_count(&inout->settings);
        break;
    }
}

// The cost of this frame.
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
    count_work(inout);
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
        const gui_rect all = {0.0f, 0.0f, (float)width, (float)height};
        result = save_screenshot(screenshot, all, height, error);
    }
    save_picture(app, &layout, height);
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
        PELT_TRY(script_run(&inout->script, app, &screenshot, error));
    }
    bool is_last = inout->options.frames > 0 && app->frame + 1 >= inout->options.frames;
    screenshot =
        is_last && inout->options.screenshot != NULL ? inout->options.screenshot : screenshot;
    PELT_TRY(draw_frame(inout, screenshot, error));
    bool has_ended = inout->options.frames > 0 && app->frame >= inout->options.frames;
    app->is_done = app->is_done || has_ended || end_signal != 0;
    if (glfwWindowShouldClose(app->window))
    {
        glfwSetWindowShouldClose(app->window, GLFW_FALSE);
        app_quit(app);
    }
    return save_state(inout, error);
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
    read_window_size(inout->size, app->window);
    if (result != PELT_OK)
    {
        return fail(result == PELT_ERROR_WRITE ? VIEW_WRITE : VIEW_INPUT, error.message);
    }
    return VIEW_DONE;
}

// ---------------------------------------------------------------------------------------------

static int prepare(session* out, int count, char** words)
{
    int code = parse_options(&out->options, count, words);
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
    app->is_relative_to_rest = options->is_relative_to_rest;
    snprintf(app->pose_path, sizeof app->pose_path, "pose.json");
    snprintf(app->save_path, sizeof app->save_path, "painted.glb");
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
            show_help();
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
