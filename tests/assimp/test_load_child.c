// SPDX-License-Identifier: MIT
// Formats that are read in a process of their own: nothing that happens there happens here.
#define _XOPEN_SOURCE 700
#include "subprocess.h"

#include "pelt/io.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Sanitizers reserve address space of their own, so that limits on it mean nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_MEMORY_LIMIT false
#elif defined(__linux__)
#define HAS_MEMORY_LIMIT true
#else
#define HAS_MEMORY_LIMIT false
#endif

static const char triangle_obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

// A node list that says how many entries it has; assimp makes them all, and compares each with
// each.
#define SMD_OF(count)                                                                              \
    "version 1\nnodes\n" count                                                                     \
    " \"a\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\nm\n"                         \
    "0 0 0 0 0 0 1 0 0 1 0 1\n0 1 0 0 0 0 1 0 0 1 0 1\n0 0 1 0 0 0 1 0 0 1 0 1\nend\n"

static const char slow_smd[] = SMD_OF("40000"), large_smd[] = SMD_OF("300000");

// The largest that this process or any it has waited for has been.
static long peak_megabytes(void)
{
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &others);
    return (own.ru_maxrss > others.ru_maxrss ? own.ru_maxrss : others.ru_maxrss) / 1024;
}

static int has_no_children(void)
{
    return waitpid(-1, NULL, WNOHANG) < 0;
}

// ---------------------------------------------------------------------------------------------
// Files made to hurt

// Refused in one sentence that has these words, in memory that any machine has.
static int check_refused(const char* path, const char* words)
{
    pelt_scene* scene;
    pelt_error error = {{0}};
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_ERROR_DATA && scene == NULL);
    ENSURE(subprocess_is_sentence(&error, path) && has_no_children());
    ENSURE(strstr(error.message, words) != NULL);
    ENSURE(peak_megabytes() < 512 || !HAS_MEMORY_LIMIT);
    return SUBPROCESS_GOOD;
}

static int check_memory(const char* path)
{
    return check_refused(path, "more than 96 MB of memory");
}

static int counts_that_ask_for_gigabytes_are_refused(void)
{
    static const char md5[] =
        "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n"
        "mesh {\nshader \"x\"\nnumverts 3\nvert 100000000 ( 0 0 ) 0 1\nnumtris 1\n"
        "tri 0 0 1 2\nnumweights 1\nweight 90000000 0 1 ( 0 0 0 )\n}\n";
    static const char ply[] =
        "ply\nformat ascii 1.0\nelement vertex 200000000\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    ENSURE(subprocess_with_text("x.md5mesh", md5, check_memory) == SUBPROCESS_GOOD);
    ENSURE(subprocess_with_text("x.ply", ply, check_memory) == SUBPROCESS_GOOD);
    // An exception that assimp does not catch.
    ENSURE(subprocess_with_text("x.smd", large_smd, check_memory) == SUBPROCESS_GOOD);
    return 0;
}

// Parts of a text, each many times.
static char* repeat(const char* start, const char* opening, const char* middle, const char* closing,
                    size_t count)
{
    size_t open = strlen(opening), close = strlen(closing);
    char* text = malloc(strlen(start) + strlen(middle) + count * (open + close) + 200);
    strcpy(text, start);
    char* at = text + strlen(text);
    for (size_t i = 0; i < count; ++i, at += open)
    {
        memcpy(at, opening, open + 1);
    }
    strcpy(at, middle);
    at += strlen(at);
    for (size_t i = 0; i < count; ++i, at += close)
    {
        memcpy(at, closing, close + 1);
    }
    return text;
}

static int check_crash(const char* path)
{
    return check_refused(path, "crashed");
}

// Readers that call themselves for each level run out of stack, which no handler survives.
static int deep_nesting_ends_the_child_alone(void)
{
    char* dae = repeat("<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><asset/>"
                       "<library_visual_scenes><visual_scene id=\"s\">",
                       "<node>", "", "</node>", 400000);
    strcat(dae, "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
                "url=\"#s\"/></scene></COLLADA>");
    char* bvh = repeat("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n",
                       "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n",
                       "End Site\n{\nOFFSET 0 0 0\n}\n}\n", "}\n", 400000);
    strcat(bvh, "MOTION\nFrames: 1\nFrame Time: 0.1\n\n");
    ENSURE(subprocess_with_text("x.dae", dae, check_crash) == SUBPROCESS_GOOD);
    ENSURE(subprocess_with_text("x.bvh", bvh, check_crash) == SUBPROCESS_GOOD);
    free(dae);
    free(bvh);
    return 0;
}

static int check_time(const char* path)
{
    pelt_scene* scene;
    pelt_error error = {{0}};
    const pelt_load_options options = {.limits = {.memory = (size_t)1 << 30, .seconds = 1}};
    ENSURE(pelt_load(&scene, path, &options, &error) == PELT_ERROR_DATA && scene == NULL);
    ENSURE(subprocess_is_sentence(&error, path) && strstr(error.message, "more than 1 s") != NULL);
    ENSURE(has_no_children());
    return SUBPROCESS_GOOD;
}

static int endless_work_is_ended(void)
{
    ENSURE(subprocess_with_text("x.smd", slow_smd, check_time) == SUBPROCESS_GOOD);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The caller's own business

static bool is_triangle(const pelt_scene* scene)
{
    return scene != NULL && scene->mesh_count == 1 && scene->meshes[0].vertex_count == 3 &&
           scene->meshes[0].index_count == 3 && scene->meshes[0].positions[1].x == 1.0f;
}

static pelt_result load_triangle(const char* path, pelt_scene** scene)
{
    return pelt_load(scene, path, NULL, NULL);
}

static bool refuse(float part, void* user)
{
    int* calls = user;
    ++*calls;
    return part < 0.0f;
}

// After some ticks of the clock, in the middle of the work.
static bool refuse_later(float part, void* user)
{
    int* calls = user;
    return part >= 0.0f && part <= 1.0f && ++*calls < 4;
}

static int check_cancel(const char* path)
{
    pelt_scene* scene;
    pelt_error error = {{0}};
    int calls = 0;
    pelt_load_options options = {.progress = refuse, .user = &calls};
    ENSURE(pelt_load(&scene, path, &options, &error) == PELT_ERROR_CANCELED && calls == 1);
    options.progress = refuse_later;
    options.limits.memory = (size_t)1 << 30;
    calls = 0;
    ENSURE(pelt_load(&scene, path, &options, &error) == PELT_ERROR_CANCELED && calls == 4);
    ENSURE(scene == NULL && subprocess_is_sentence(&error, path) && has_no_children());
    return SUBPROCESS_GOOD;
}

static int the_caller_may_cancel(void)
{
    ENSURE(subprocess_with_text("x.smd", slow_smd, check_cancel) == SUBPROCESS_GOOD);
    return 0;
}

static volatile sig_atomic_t reaped;

// A signal handler, as in many programs, that waits for any child.
static void on_child(int number)
{
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
    {
        reaped++;
    }
}

static int check_handlers(const char* path)
{
    pelt_scene* scene;
    struct sigaction action = {.sa_handler = on_child}, after;
    ENSURE(sigaction(SIGCHLD, &action, NULL) == 0);
    for (int i = 0; i < 20; ++i)
    {
        ENSURE(load_triangle(path, &scene) == PELT_OK && is_triangle(scene));
        pelt_scene_destroy(scene);
    }
    ENSURE(sigaction(SIGCHLD, NULL, &after) == 0 && after.sa_handler == on_child);
    signal(SIGCHLD, SIG_IGN);
    ENSURE(load_triangle(path, &scene) == PELT_OK && is_triangle(scene));
    pelt_scene_destroy(scene);
    return SUBPROCESS_GOOD;
}

static int handlers_of_sigchld_do_not_matter(void)
{
    ENSURE(subprocess_with_text("x.obj", triangle_obj, check_handlers) == SUBPROCESS_GOOD);
    return 0;
}

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
}

// In the middle of the work: as from the keyboard, to all processes of the group.
static bool interrupt_group(float part, void* user)
{
    int* calls = user;
    return ++*calls != 3 || (part >= 0.0f && kill(0, SIGINT) == 0);
}

static int check_interrupt(const char* path)
{
    int calls = 0;
    pelt_scene* scene;
    pelt_error error = {{0}};
    struct sigaction action = {.sa_handler = on_interrupt};
    const pelt_load_options options = {.limits = {.memory = (size_t)1 << 30, .seconds = 60},
                                       .progress = interrupt_group,
                                       .user = &calls};
    ENSURE(setpgid(0, 0) == 0 && sigaction(SIGINT, &action, NULL) == 0);
    // A caller that goes on afterwards.
    ENSURE(pelt_load(&scene, path, &options, &error) == PELT_ERROR_CANCELED && interrupts == 1);
    ENSURE(subprocess_is_sentence(&error, path) && has_no_children());
    return SUBPROCESS_GOOD;
}

static int an_interrupt_ends_the_child_too(void)
{
    ENSURE(subprocess_with_text("x.smd", slow_smd, check_interrupt) == SUBPROCESS_GOOD);
    return 0;
}

#ifdef __linux__
static bool die(float part, void* user)
{
    int* calls = user;
    return ++*calls != 3 || (part >= 0.0f && raise(SIGKILL) == 0);
}

// Orphans become children of this process.
static int check_orphan(const char* path)
{
    ENSURE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    pid_t loader = fork();
    if (loader == 0)
    {
        int calls = 0;
        pelt_scene* scene;
        const pelt_load_options options = {
            .limits = {.memory = (size_t)1 << 30, .seconds = 60}, .progress = die, .user = &calls};
        pelt_load(&scene, path, &options, NULL);
        _exit(0);
    }
    int status;
    ENSURE(waitpid(loader, &status, 0) == loader && WIFSIGNALED(status));
    ENSURE(waitpid(-1, &status, 0) > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ENSURE(has_no_children());
    return SUBPROCESS_GOOD;
}

static int a_child_does_not_outlive_its_parent(void)
{
    ENSURE(subprocess_with_text("x.smd", slow_smd, check_orphan) == SUBPROCESS_GOOD);
    return 0;
}
#endif

static void* load_on_thread(void* path)
{
    pelt_scene* scene = NULL;
    bool is_good = true;
    for (int i = 0; i < 8; ++i)
    {
        is_good = load_triangle(path, &scene) == PELT_OK && is_triangle(scene) && is_good;
        pelt_scene_destroy(scene);
    }
    return is_good ? path : NULL;
}

// With a pool for hooks, whose threads the child does not have.
static int check_threads(const char* path)
{
    pthread_t threads[4];
    pelt_pool* pool = pelt_pool_create(3);
    pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
    for (int i = 0; i < 4; ++i)
    {
        ENSURE(pthread_create(&threads[i], NULL, load_on_thread, (void*)path) == 0);
    }
    for (int i = 0; i < 4; ++i)
    {
        void* good = NULL;
        ENSURE(pthread_join(threads[i], &good) == 0 && good != NULL);
    }
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_pool_destroy(pool);
    ENSURE(has_no_children());
    return SUBPROCESS_GOOD;
}

static int threads_load_at_the_same_time(void)
{
    ENSURE(subprocess_with_text("x.obj", triangle_obj, check_threads) == SUBPROCESS_GOOD);
    return 0;
}

#ifdef __linux__
static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;

static bool open_with_lock(const void** bytes, size_t* size, const char* name, void* user)
{
    (void)user;
    pthread_mutex_lock(&files_mutex);
    pthread_mutex_unlock(&files_mutex);
    *bytes = "newmtl red\nKd 1 0 0\n";
    *size = strlen(*bytes);
    return strcmp(name, "x.mtl") == 0;
}

// Called with 0 before there is a child, and while one works.
static bool unlock_later(float part, void* calls)
{
    (void)part;
    if (++*(int*)calls == 3)
    {
        pthread_mutex_unlock(&files_mutex);
    }
    return true;
}

// The first child finds the lock taken, and nobody there will release it.
static int check_taken_lock(const char* path)
{
    static const char obj[] = "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    (void)path;
    int calls = 0;
    pelt_scene* scene = NULL;
    pelt_error error = {{0}};
    const pelt_files files = {.open = open_with_lock};
    const pelt_source source = {"x.obj", obj, sizeof obj - 1, &files};
    const pelt_load_options options = {.progress = unlock_later, .user = &calls};
    pthread_mutex_lock(&files_mutex);
    ENSURE(pelt_load_memory(&scene, &source, &options, &error) == PELT_OK && calls > 3);
    ENSURE(is_triangle(scene) && scene->material_count > 0 && has_no_children());
    ENSURE(error.message[0] == '\0');
    pelt_scene_destroy(scene);
    return SUBPROCESS_GOOD;
}

static int a_lock_that_was_taken_is_survived(void)
{
    ENSURE(subprocess_with_text("x.obj", triangle_obj, check_taken_lock) == SUBPROCESS_GOOD);
    return 0;
}
#endif

// Nobody holds the other end of a pipe once the call is over, and no descriptor is left.
static int check_descriptors(const char* path)
{
    pelt_scene* scene;
    int before = dup(0);
    close(before);
    ENSURE(load_triangle(path, &scene) == PELT_OK);
    pelt_scene_destroy(scene);
    int after = dup(0);
    ENSURE(after == before);
    return SUBPROCESS_GOOD;
}

static int nothing_is_left_open(void)
{
    ENSURE(subprocess_with_text("x.obj", triangle_obj, check_descriptors) == SUBPROCESS_GOOD);
    return 0;
}

static int check_both_ways(const char* path)
{
    pelt_scene *here, *there;
    const pelt_load_options in_place = {.isolation = PELT_ISOLATION_NONE};
    ENSURE(pelt_load(&there, path, NULL, NULL) == PELT_OK);
    ENSURE(pelt_load(&here, path, &in_place, NULL) == PELT_OK);
    ENSURE(here->node_count == there->node_count && here->repair_count == there->repair_count);
    ENSURE(here->clip_count == there->clip_count && strcmp(here->name, there->name) == 0);
    for (uint32_t i = 0; i < here->clip_count; ++i)
    {
        ENSURE(here->clips[i].duration == there->clips[i].duration);
        ENSURE(here->clips[i].track_count == there->clips[i].track_count);
    }
    pelt_scene_destroy(here);
    pelt_scene_destroy(there);
    return SUBPROCESS_GOOD;
}

static int both_ways_give_the_same_scene(void)
{
    // A take that begins late, with a joint that does not move.
    static const char bvh[] =
        "HIERARCHY\nROOT hip\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Xposition Yposition Zposition\n"
        "  End Site\n  {\n    OFFSET 0 -4 0\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n"
        "0 9 0\n0 8 0\n";
    ENSURE(subprocess_with_text("x.bvh", bvh, check_both_ways) == SUBPROCESS_GOOD);
    ENSURE(subprocess_with_text("x.obj", triangle_obj, check_both_ways) == SUBPROCESS_GOOD);
    return 0;
}

// ---------------------------------------------------------------------------------------------

void test_load_child(void)
{
    if (subprocess_with_text("x.obj", triangle_obj, subprocess_load_and_deform) ==
        SUBPROCESS_REFUSED)
    {
        test_skip("load_child", "this build reads glTF and FBX only");
        subprocess_remove_folder();
        return;
    }
    if (HAS_MEMORY_LIMIT)
    {
        RUN(counts_that_ask_for_gigabytes_are_refused);
    }
    else
    {
        test_skip("counts_that_ask_for_gigabytes_are_refused", "no limit on memory here");
    }
    RUN(deep_nesting_ends_the_child_alone);
    RUN(endless_work_is_ended);
    RUN(the_caller_may_cancel);
    RUN(handlers_of_sigchld_do_not_matter);
    RUN(an_interrupt_ends_the_child_too);
#ifdef __linux__
    RUN(a_child_does_not_outlive_its_parent);
    RUN(a_lock_that_was_taken_is_survived);
#endif
    RUN(threads_load_at_the_same_time);
    RUN(nothing_is_left_open);
    RUN(both_ways_give_the_same_scene);
    subprocess_remove_folder();
}
