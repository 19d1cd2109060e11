// SPDX-License-Identifier: MIT
// Where files come from, what they may cost, and whom that is told.
#define _XOPEN_SOURCE 700
#include "gltf_fixture.h"

#include "failing_heap.h"
#include "fbx_fixture.h"
#include "subprocess.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_file(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    bool is_written = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && is_written;
}

static long peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

// ---------------------------------------------------------------------------------------------
// Pipes

// Write a file into a descriptor, from a process of its own.
static void feed(int descriptor, const pelti_blob* file)
{
    fflush(stdout);
    if (fork() == 0)
    {
        for (size_t at = 0; at < file->size;)
        {
            ssize_t step = write(descriptor, file->data + at, file->size - at);
            at += step > 0 ? (size_t)step : file->size;
        }
        _exit(0);
    }
    close(descriptor);
}

static bool is_fixture(const pelt_scene* scene)
{
    return scene != NULL && scene->mesh_count == 1 && scene->meshes[0].vertex_count == 4 &&
           scene->clip_count == 1 && scene->skin_count == 1;
}

static int check_standard_input(const char* path)
{
    fixture f;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    for (int i = 0; i < 2; ++i)
    {
        int ends[2];
        pelt_scene* scene;
        pelt_error error = {{0}};
        ENSURE(pipe(ends) == 0 && dup2(ends[0], 0) == 0 && close(ends[0]) == 0);
        feed(ends[1], &file);
        ENSURE(pelt_load(&scene, i == 0 ? "-" : "/dev/stdin", NULL, &error) == PELT_OK);
        ENSURE(is_fixture(scene));
        pelt_scene_destroy(scene);
        // All of it has been read; the descriptor stays the caller's.
        ENSURE(fcntl(0, F_GETFD) >= 0);
        ENSURE(pelt_load(&scene, "-", NULL, &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, "standard input is empty") != NULL);
    }
    ENSURE(mkfifo(path, 0600) == 0);
    fflush(stdout);
    if (fork() == 0)
    {
        feed(open(path, O_WRONLY), &file);
        _exit(0);
    }
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK && is_fixture(scene));
    pelt_scene_destroy(scene);
    ENSURE(remove(path) == 0);
    free(file.data);
    return SUBPROCESS_GOOD;
}

static int pipes_are_read_to_their_end(void)
{
    ENSURE(subprocess_run(check_standard_input, subprocess_path("pipe")) == SUBPROCESS_GOOD);
    return 0;
}

// The folder of the standard input is the current one.
static int check_beside(const char* folder)
{
    fixture f;
    pelt_scene* scene;
    pelt_error error = {{0}};
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"next to.bin\",");
    for (int i = 0; i < 2; ++i)
    {
        int ends[2];
        ENSURE(pipe(ends) == 0 && dup2(ends[0], 0) == 0 && close(ends[0]) == 0);
        const pelti_blob text = {(uint8_t*)f.json, strlen(f.json)};
        feed(ends[1], &text);
        ENSURE(i == 0 || (chdir(folder) == 0 && write_file("next to.bin", &f.bin, sizeof f.bin)));
        pelt_result result = pelt_load(&scene, "-", NULL, &error);
        ENSURE(result == (i == 0 ? PELT_ERROR_READ : PELT_OK));
        ENSURE(i == 1 || strstr(error.message, "next to.bin") != NULL);
        pelt_scene_destroy(scene);
    }
    ENSURE(remove("next to.bin") == 0);
    return SUBPROCESS_GOOD;
}

static int files_that_a_pipe_names_are_in_the_current_folder(void)
{
    ENSURE(subprocess_run(check_beside, subprocess_folder()) == SUBPROCESS_GOOD);
    return 0;
}

static int pipes_that_a_file_names_are_refused(void)
{
    fixture f;
    pelt_scene* scene;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"pipe.bin\",");
    ENSURE(mkfifo(subprocess_path("pipe.bin"), 0600) == 0);
    ENSURE(write_file(subprocess_path("a.gltf"), f.json, strlen(f.json)));
    ENSURE(pelt_load(&scene, subprocess_path("a.gltf"), NULL, &error) == PELT_ERROR_READ);
    ENSURE(strstr(error.message, "not a regular file") != NULL);
    remove(subprocess_path("pipe.bin"));
    remove(subprocess_path("a.gltf"));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

static pelt_result load_memory(const void* context)
{
    pelt_scene* scene;
    pelt_result result = pelt_load_memory(&scene, context, NULL, NULL);
    pelt_scene_destroy(scene);
    return result;
}

static int files_in_memory_are_read_like_others(void)
{
    fixture f;
    pelt_scene* scene;
    pelt_error error;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    const pelt_source source = {.path = "nowhere/a.bin", .bytes = file.data, .size = file.size};
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_OK && is_fixture(scene));
    ENSURE(scene->format == PELT_FORMAT_GLB);
    pelt_scene_destroy(scene);
    ENSURE(failing_heap_check(load_memory, &source, 4000) == 0);
    const pelt_source nothing = {.path = "nowhere/a.glb"};
    ENSURE(pelt_load_memory(&scene, &nothing, NULL, &error) == PELT_ERROR_DATA && scene == NULL);
    ENSURE(strstr(error.message, "nowhere/a.glb is empty") != NULL);
    free(file.data);
    return 0;
}

// One file in an archive of the caller, which counts what is open.
typedef struct archive
{
    const char* name;
    const void* bytes;
    size_t size;
    int opened, open; // ever, and now
} archive;

static bool open_member(const void** bytes, size_t* size, const char* name, void* user)
{
    archive* a = user;
    if (strcmp(name, a->name) != 0)
    {
        return false;
    }
    *bytes = a->bytes;
    *size = a->size;
    ++a->opened;
    ++a->open;
    return true;
}

static void close_member(const void* bytes, size_t size, void* user)
{
    archive* a = user;
    a->open -= bytes == a->bytes && size == a->size;
}

// The fixture as text that names its buffer, and the buffer in an archive.
static int check_archive(const char* path)
{
    fixture f;
    pelt_scene* scene;
    pelt_error error = {{0}};
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"parts/a%20b.bin\",");
    archive a = {.name = "parts/a b.bin", .bytes = &f.bin, .size = sizeof f.bin};
    const pelt_files files = {open_member, close_member, &a};
    const pelt_source source = {path, f.json, strlen(f.json), &files};
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_OK && is_fixture(scene));
    ENSURE(scene->format == PELT_FORMAT_GLTF && a.opened == 1 && a.open == 0);
    pelt_scene_destroy(scene);
    ENSURE(failing_heap_check(load_memory, &source, 4000) == 0 && a.open == 0);

    // What is added to goes the same way.
    float values[4] = {1, 2, 3, 4};
    const pelt_addition addition = {
        .vertex_count = 4, .name = "_NEW", .width = 1, .values = values};
    const char* copy = subprocess_path("copy.glb");
    ENSURE(pelt_save_source_additions(copy, &source, &addition, 1, &error) == PELT_OK);
    ENSURE(pelt_load(&scene, copy, NULL, &error) == PELT_OK && is_fixture(scene) && a.open == 0);
    pelt_scene_destroy(scene);
    remove(copy);

    a.name = "another.bin";
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_ERROR_READ && scene == NULL);
    ENSURE(strstr(error.message, "\"parts/a b.bin\"") != NULL);
    return 0;
}

static int files_that_a_file_names_come_from_the_caller(void)
{
    ENSURE(check_archive("nowhere/a.gltf") == 0);
    ENSURE(check_archive(NULL) == 0);
    return 0;
}

static int the_caller_is_asked_for_no_file_outside_the_folder(void)
{
    static const char* const names[] = {"../a.bin", "/a.bin", "x/../../a.bin", "http://x/a.bin",
                                        "%2e%2e/a.bin"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        fixture f;
        pelt_scene* scene;
        pelt_error error = {{0}};
        char uri[80];
        fixture_start(&f);
        snprintf(uri, sizeof uri, "\"buffers\":[{\"uri\":\"%s\",", names[i]);
        fixture_change(&f, "\"buffers\":[{", uri);
        archive a = {.name = names[i], .bytes = &f.bin, .size = sizeof f.bin};
        const pelt_files files = {open_member, close_member, &a};
        const pelt_source source = {NULL, f.json, strlen(f.json), &files};
        ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, "below the folder") != NULL && a.opened == 0);
    }
    return 0;
}

// Without a path there is no folder, not even the current one.
static int check_nameless(const char* folder)
{
    fixture f;
    pelt_scene* scene;
    pelt_error error = {{0}};
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"next to.bin\",");
    ENSURE(chdir(folder) == 0 && write_file("next to.bin", &f.bin, sizeof f.bin));
    pelt_source source = {.path = "a.gltf", .bytes = f.json, .size = strlen(f.json)};
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_OK);
    pelt_scene_destroy(scene);
    source.path = NULL;
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_ERROR_READ);
    ENSURE(strstr(error.message, "memory: ") != NULL && strstr(error.message, "next to.bin"));
    ENSURE(remove("next to.bin") == 0);
    return SUBPROCESS_GOOD;
}

static int a_source_without_a_path_names_no_file(void)
{
    ENSURE(subprocess_run(check_nameless, subprocess_folder()) == SUBPROCESS_GOOD);
    return 0;
}

static int a_file_that_is_kept_can_be_added_to(void)
{
    fixture f;
    pelt_scene* scene;
    pelt_source source;
    pelt_error error;
    float values[4] = {1, 2, 3, 4};
    const pelt_addition addition = {
        .vertex_count = 4, .name = "_NEW", .width = 1, .values = values};
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    ENSURE(write_file(subprocess_path("a.glb"), file.data, file.size));
    ENSURE(pelt_load_keep(&scene, &source, subprocess_path("a.glb"), NULL, &error) == PELT_OK);
    ENSURE(source.size == file.size && memcmp(source.bytes, file.data, file.size) == 0);
    remove(subprocess_path("a.glb"));
    ENSURE(pelt_save_source_additions(subprocess_path("b.glb"), &source, &addition, 1, &error) ==
           PELT_OK);
    pelt_source_release(&source);
    pelt_scene_destroy(scene);
    ENSURE(pelt_load(&scene, subprocess_path("b.glb"), NULL, &error) == PELT_OK &&
           is_fixture(scene));
    pelt_scene_destroy(scene);
    remove(subprocess_path("b.glb"));
    free(file.data);
    return 0;
}

// Gigabytes of nothing, which take no room on the disk.
static int check_hole(const char* path)
{
    pelt_scene* scene;
    pelt_error error;
    FILE* file = fopen(path, "wb");
    bool is_text = strstr(path, "text") != NULL;
    ENSURE(file != NULL && (!is_text || fputs("{ \"a\": 1, ", file) > 0));
    ENSURE(fflush(file) == 0 && ftruncate(fileno(file), (off_t)5 << 30) == 0);
    fclose(file);
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_ERROR_DATA && scene == NULL);
    ENSURE(subprocess_is_sentence(&error, path));
    ENSURE(peak_megabytes() < 256);
    return SUBPROCESS_GOOD;
}

static int a_file_of_no_known_format_is_not_read_whole(void)
{
    static const char* const names[] = {"x.bin",  "x",     "text.json", "x.glb",
                                        "x.gltf", "x.fbx", "text.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        ENSURE(subprocess_run(check_hole, subprocess_path(names[i])) == SUBPROCESS_GOOD);
        remove(subprocess_path(names[i]));
    }
    return 0;
}

// Many buffers that are one file: it is read once, and counts once.
static int check_one_file(const char* path)
{
    enum
    {
        COUNT = 300,
        SIZE = 4 << 20
    };
    char* text = malloc(400000);
    char* zeros = calloc(SIZE, 1);
    ENSURE(text != NULL && zeros != NULL && write_file(subprocess_path("zeros.bin"), zeros, SIZE));
    size_t at =
        (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < COUNT; ++i)
    {
        at += (size_t)sprintf(text + at, "%s{\"attributes\":{\"POSITION\":%d}}", i ? "," : "", i);
    }
    static const char* const lists[] = {
        "]}],\"accessors\":[",
        "{\"bufferView\":%d,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}",
        "],\"bufferViews\":[",
        "{\"buffer\":%d,\"byteLength\":36}",
        "],\"buffers\":[",
        "{\"byteLength\":36,\"uri\":\"%.*szeros.bin\"}"};
    for (int list = 0; list < 6; list += 2)
    {
        at += (size_t)sprintf(text + at, "%s", lists[list]);
        for (int i = 0; i < COUNT; ++i)
        {
            char steps[2 * COUNT + 1] = "";
            for (int k = 0; k < i; ++k)
            {
                memcpy(steps + 2 * k, "./", 3);
            }
            at += (size_t)sprintf(text + at, "%s", i > 0 ? "," : "");
            at += list < 4 ? (size_t)sprintf(text + at, lists[list + 1], i)
                           : (size_t)sprintf(text + at, lists[list + 1], 2 * i, steps);
        }
    }
    at += (size_t)sprintf(text + at, "],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]}");
    ENSURE(write_file(path, text, at));
    pelt_scene* scene;
    pelt_error error = {{0}};
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_OK && scene->mesh_count == COUNT);
    ENSURE(peak_megabytes() < 400);
    pelt_scene_destroy(scene);
    free(text);
    free(zeros);
    return SUBPROCESS_GOOD;
}

static int buffers_that_are_one_file_share_it(void)
{
    ENSURE(subprocess_run(check_one_file, subprocess_path("many.gltf")) == SUBPROCESS_GOOD);
    remove(subprocess_path("many.gltf"));
    remove(subprocess_path("zeros.bin"));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Limits

static int check_limit(pelt_load_limits limits, const pelt_source* source, const char* words)
{
    pelt_scene* scene;
    pelt_error error = {{0}};
    const pelt_load_options options = {.limits = limits};
    ENSURE(pelt_load_memory(&scene, source, &options, &error) != PELT_OK && scene == NULL);
    ENSURE(strstr(error.message, words) != NULL && strstr(error.message, source->path) != NULL);
    return 0;
}

static int limits_are_those_of_the_caller(void)
{
    fixture f;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    const char* text = fbx_everything();
    const pelt_source gltf = {.path = "a.glb", .bytes = file.data, .size = file.size};
    const pelt_source fbx = {.path = "a.fbx", .bytes = text, .size = strlen(text)};
    const pelt_load_limits little = {.memory = 1000}, slow = {.elements = 10}, flat = {.depth = 2};
    ENSURE(check_limit(little, &gltf, "memory") == 0 && check_limit(little, &fbx, "memory") == 0);
    ENSURE(check_limit(slow, &gltf, "work") == 0 && check_limit(slow, &fbx, "work") == 0);
    ENSURE(check_limit(flat, &gltf, "levels") == 0 && check_limit(flat, &fbx, "deep") == 0);
    const pelt_load_options enough = {.limits = {1 << 24, 1 << 20, 20, 1}};
    pelt_scene* scene;
    ENSURE(pelt_load_memory(&scene, &gltf, &enough, NULL) == PELT_OK);
    pelt_scene_destroy(scene);
    ENSURE(pelt_load_memory(&scene, &fbx, &enough, NULL) == PELT_OK);
    pelt_scene_destroy(scene);
    free(file.data);
    return 0;
}

// Limits grow with the files that a small one names.
static int a_small_file_may_name_a_large_one(void)
{
    enum
    {
        VERTEX_COUNT = 3000000
    };
    char text[600];
    size_t size = (size_t)VERTEX_COUNT * 12;
    void* zeros = calloc(size, 1);
    ENSURE(zeros != NULL && write_file(subprocess_path("large.bin"), zeros, size));
    int length =
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu,"
                 "\"uri\":\"large.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,"
                 "\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
                 "\"POSITION\":0,\"NORMAL\":0}}]}]}",
                 size, size, VERTEX_COUNT);
    ENSURE(write_file(subprocess_path("small.gltf"), text, (size_t)length));
    pelt_scene* scene;
    pelt_error error = {{0}};
    ENSURE(pelt_load(&scene, subprocess_path("small.gltf"), NULL, &error) == PELT_OK);
    ENSURE(scene->meshes[0].vertex_count == VERTEX_COUNT);
    pelt_scene_destroy(scene);
    remove(subprocess_path("small.gltf"));
    remove(subprocess_path("large.bin"));
    free(zeros);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Progress

typedef struct listener
{
    int calls, last;
    float part;
    bool is_rising;
} listener;

static bool listen(float part, void* user)
{
    listener* l = user;
    l->is_rising = l->is_rising && part >= l->part && part <= 1.0f;
    l->part = part;
    return ++l->calls != l->last;
}

// Wherever the caller stops listening the answer is the same, and nothing leaks.
static int check_progress(const pelt_source* source)
{
    listener all = {.is_rising = true};
    pelt_load_options options = {.progress = listen, .user = &all};
    pelt_scene* scene;
    ENSURE(pelt_load_memory(&scene, source, &options, NULL) == PELT_OK);
    ENSURE(all.is_rising && all.calls > 3);
    pelt_scene_destroy(scene);
    for (int last = 1; last <= all.calls; ++last)
    {
        listener some = {.last = last, .is_rising = true};
        pelt_error error = {{0}};
        options.user = &some;
        ENSURE(pelt_load_memory(&scene, source, &options, &error) == PELT_ERROR_CANCELED);
        ENSURE(scene == NULL && strstr(error.message, source->path) && some.calls == last);
    }
    return 0;
}

static int a_file_that_is_read_leaves_no_sentence(void)
{
    fixture f;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    const char* text = fbx_everything();
    const pelt_source sources[] = {{.path = "a.glb", .bytes = file.data, .size = file.size},
                                   {.path = "a.fbx", .bytes = text, .size = strlen(text)}};
    for (int i = 0; i < 2; ++i)
    {
        pelt_scene* scene;
        pelt_error error = {{0}};
        ENSURE(pelt_load_memory(&scene, &sources[i], NULL, &error) == PELT_OK);
        ENSURE(error.message[0] == '\0');
        pelt_scene_destroy(scene);
    }
    free(file.data);
    return 0;
}

static int the_caller_is_told_and_may_cancel(void)
{
    fixture f;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    const char* text = fbx_everything();
    const pelt_source gltf = {.path = "a.glb", .bytes = file.data, .size = file.size};
    const pelt_source fbx = {.path = "a.fbx", .bytes = text, .size = strlen(text)};
    ENSURE(check_progress(&gltf) == 0 && check_progress(&fbx) == 0);
    free(file.data);
    return 0;
}

void test_load(void)
{
    RUN(pipes_are_read_to_their_end);
    RUN(files_that_a_pipe_names_are_in_the_current_folder);
    RUN(pipes_that_a_file_names_are_refused);
    RUN(files_in_memory_are_read_like_others);
    RUN(files_that_a_file_names_come_from_the_caller);
    RUN(the_caller_is_asked_for_no_file_outside_the_folder);
    RUN(a_source_without_a_path_names_no_file);
    RUN(a_file_that_is_kept_can_be_added_to);
    RUN(a_file_of_no_known_format_is_not_read_whole);
    RUN(buffers_that_are_one_file_share_it);
    RUN(limits_are_those_of_the_caller);
    RUN(a_small_file_may_name_a_large_one);
    RUN(a_file_that_is_read_leaves_no_sentence);
    RUN(the_caller_is_told_and_may_cancel);
    subprocess_remove_folder();
}
