// SPDX-License-Identifier: MIT
// What a process in the sandbox of assimp's child can do, and what it cannot. Every fact is checked
// in a process of its own, which never gets out again.
#define _GNU_SOURCE
#include "assimp/child_sandbox.h"
#include "subprocess.h"

#include "pelt/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef __linux__

static pelti_sandbox features;

static bool is_refused(long result)
{
    return result < 0 && (errno == EPERM || errno == EACCES);
}

static bool can_read(const char* path)
{
    char byte;
    int file = open(path, O_RDONLY);
    bool is_read = file >= 0 && read(file, &byte, 1) == 1;
    if (file >= 0)
    {
        close(file);
    }
    return is_read;
}

static pelti_sandbox enter_folder(void)
{
    char folder[512];
    snprintf(folder, sizeof folder, "%s/inside/", subprocess_folder());
    return pelti_sandbox_enter(folder);
}

static int check_reading(const char* path)
{
    (void)path;
    int before = open(subprocess_path("outside"), O_RDONLY);
    pelti_sandbox sandbox = enter_folder();
    ENSURE(can_read(subprocess_path("inside/file")) &&
           can_read(subprocess_path("inside/deep/file")));
    ENSURE(!sandbox.has_landlock || is_refused(open(subprocess_path("outside"), O_RDONLY)));
    ENSURE(!sandbox.has_landlock || is_refused(open(subprocess_path("inside/link"), O_RDONLY)));
    ENSURE(!sandbox.has_landlock || is_refused(open("/etc/passwd", O_RDONLY)));
    // What was open before stays so.
    char byte;
    ENSURE(read(before, &byte, 1) == 1);
    return SUBPROCESS_GOOD;
}

static int check_reading_anywhere(const char* path)
{
    (void)path;
    pelti_sandbox_enter(NULL);
    ENSURE(can_read(subprocess_path("outside")) && can_read("/etc/passwd"));
    ENSURE(is_refused(open(subprocess_path("outside"), O_WRONLY)));
    return SUBPROCESS_GOOD;
}

static int check_writing(const char* path)
{
    (void)path;
    enter_folder();
    ENSURE(is_refused(open(subprocess_path("inside/file"), O_WRONLY)));
    ENSURE(is_refused(open(subprocess_path("inside/file"), O_RDWR)));
    ENSURE(is_refused(open(subprocess_path("inside/new"), O_RDONLY | O_CREAT, 0666)));
    ENSURE(is_refused(open(subprocess_path("inside/file"), O_RDONLY | O_TRUNC)));
    ENSURE(is_refused(truncate(subprocess_path("inside/file"), 0)));
    ENSURE(is_refused(rename(subprocess_path("inside/file"), subprocess_path("inside/new"))));
    ENSURE(is_refused(unlink(subprocess_path("inside/file"))));
    ENSURE(is_refused(symlink("file", subprocess_path("inside/new"))));
    ENSURE(is_refused(mkdir(subprocess_path("inside/new"), 0777)));
    return SUBPROCESS_GOOD;
}

static int check_network(const char* path)
{
    (void)path;
    enter_folder();
    ENSURE(is_refused(socket(AF_INET, SOCK_STREAM, 0)));
    ENSURE(is_refused(socket(AF_INET6, SOCK_DGRAM, 0)));
    ENSURE(is_refused(socket(AF_UNIX, SOCK_STREAM, 0)));
    int pair[2];
    ENSURE(is_refused(socketpair(AF_UNIX, SOCK_STREAM, 0, pair)));
    return SUBPROCESS_GOOD;
}

static int check_processes(const char* path)
{
    (void)path;
    pid_t parent = getppid();
    enter_folder();
    ENSURE(is_refused(fork()));
    char* const words[] = {"true", NULL};
    ENSURE(is_refused(execv("/bin/true", words)));
    ENSURE(is_refused(kill(parent, SIGTERM)) && is_refused(kill(parent, 0)));
    ENSURE(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0);
    return SUBPROCESS_GOOD;
}

static int check_code(const char* path)
{
    (void)path;
    enter_folder();
    int prot = PROT_READ | PROT_WRITE;
    void* data = mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ENSURE(data != MAP_FAILED);
    ENSURE(is_refused(mprotect(data, 4096, PROT_READ | PROT_EXEC)));
    void* code = mmap(NULL, 4096, prot | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ENSURE(code == MAP_FAILED && errno == EPERM);
    return SUBPROCESS_GOOD;
}

// What an importer needs: memory, streams, exceptions' abort().
static int check_work(const char* path)
{
    (void)path;
    enter_folder();
    for (size_t size = 16; size < (size_t)64 << 20; size *= 4)
    {
        char* memory = malloc(size);
        ENSURE(memory != NULL);
        memset(memory, 1, size);
        memory = realloc(memory, 2 * size);
        ENSURE(memory != NULL && memory[size - 1] == 1);
        free(memory);
    }
    FILE* file = fopen(subprocess_path("inside/file"), "rb");
    ENSURE(file != NULL && fgetc(file) == 'x' && fclose(file) == 0);
    return SUBPROCESS_GOOD;
}

static int check_abort(const char* path)
{
    (void)path;
    enter_folder();
    signal(SIGABRT, SIG_DFL);
    abort();
}

static bool write_file(const char* path)
{
    FILE* file = fopen(path, "wb");
    return file != NULL && fputs("x", file) >= 0 && fclose(file) == 0;
}

static int run_check(subprocess_work check)
{
    return subprocess_run(check, subprocess_path("inside/file"));
}

static int files_are_read_below_the_folder_only(void)
{
    ENSURE(run_check(check_reading) == SUBPROCESS_GOOD);
    return 0;
}

static int without_a_folder_files_are_read_anywhere(void)
{
    ENSURE(run_check(check_reading_anywhere) == SUBPROCESS_GOOD);
    return 0;
}

static int nothing_is_written(void)
{
    ENSURE(run_check(check_writing) == SUBPROCESS_GOOD);
    struct stat status;
    ENSURE(stat(subprocess_path("inside/file"), &status) == 0 && status.st_size == 1);
    ENSURE(access(subprocess_path("inside/new"), F_OK) != 0);
    return 0;
}

static int there_is_no_network(void)
{
    ENSURE(run_check(check_network) == SUBPROCESS_GOOD);
    return 0;
}

static int there_are_no_other_processes_and_programs(void)
{
    ENSURE(run_check(check_processes) == SUBPROCESS_GOOD);
    return 0;
}

static int no_memory_becomes_code(void)
{
    ENSURE(run_check(check_code) == SUBPROCESS_GOOD);
    return 0;
}

static int an_importer_can_work(void)
{
    ENSURE(run_check(check_work) == SUBPROCESS_GOOD);
    ENSURE(run_check(check_abort) == SUBPROCESS_CRASHED);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The child of pelt_load() itself: it asks for files of the caller's own, so that this code of ours
// runs in it.

typedef struct attempts
{
    bool has_socket, has_process, has_file, has_limit;
} attempts;

static bool try_everything(const void** bytes, size_t* size, const char* name, void* user)
{
    static char text[64];
    struct rlimit files = {0, 0}, core = {1, 1};
    attempts found = {.has_socket = socket(AF_INET, SOCK_STREAM, 0) >= 0,
                      .has_process = fork() >= 0,
                      .has_file = open(user, O_WRONLY | O_CREAT, 0666) >= 0};
    found.has_limit = getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_max != 0 ||
                      getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0;
    // The answer comes back as the color of a material.
    snprintf(text, sizeof text, "newmtl red\nKd %d.%d %d 1\n", found.has_socket, found.has_process,
             found.has_file + 2 * found.has_limit);
    *bytes = text;
    *size = strlen(text);
    return strcmp(name, "x.mtl") == 0;
}

static int check_child(const char* path)
{
    static const char obj[] = "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    (void)path;
    pelt_scene* scene = NULL;
    pelt_error error = {{0}};
    const pelt_files files = {.open = try_everything, .user = (void*)subprocess_path("inside/new")};
    const pelt_source source = {"x.obj", obj, sizeof obj - 1, &files};
    ENSURE(pelt_load_memory(&scene, &source, NULL, &error) == PELT_OK);
    uint32_t red = scene->mesh_count == 1 ? scene->meshes[0].material : PELT_NONE;
    ENSURE(red < scene->material_count && strcmp(scene->materials[red].name, "red") == 0);
    pelt_vec4 color = scene->materials[red].base_color;
    ENSURE(color.x == 0.0f && color.y == 0.0f && color.z == 1.0f);
    pelt_scene_destroy(scene);
    return SUBPROCESS_GOOD;
}

static int the_child_of_a_load_is_confined(void)
{
    ENSURE(run_check(check_child) == SUBPROCESS_GOOD);
    ENSURE(access(subprocess_path("inside/new"), F_OK) != 0);
    return 0;
}

static int detect(const char* path)
{
    (void)path;
    pelti_sandbox found = pelti_sandbox_enter(NULL);
    return (found.has_landlock ? 16 : 0) + (found.has_seccomp ? 32 : 0);
}

void test_child_sandbox(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
    {
        _exit(detect(NULL));
    }
    bool is_known = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    features.has_landlock = is_known && (WEXITSTATUS(status) & 16) != 0;
    features.has_seccomp = is_known && (WEXITSTATUS(status) & 32) != 0;
    bool is_ready = mkdir(subprocess_path("inside"), 0777) == 0 &&
                    mkdir(subprocess_path("inside/deep"), 0777) == 0 &&
                    write_file(subprocess_path("outside")) &&
                    write_file(subprocess_path("inside/file")) &&
                    write_file(subprocess_path("inside/deep/file")) &&
                    symlink("../outside", subprocess_path("inside/link")) == 0;
    if (!is_ready || !features.has_seccomp)
    {
        test_skip("test_child_sandbox", "this kernel has no seccomp filters");
    }
    else
    {
        if (!features.has_landlock)
        {
            test_skip("files_are_read_below_the_folder_only", "this kernel has no Landlock");
        }
        RUN(files_are_read_below_the_folder_only);
        RUN(without_a_folder_files_are_read_anywhere);
        RUN(nothing_is_written);
        RUN(there_is_no_network);
        RUN(there_are_no_other_processes_and_programs);
        RUN(no_memory_becomes_code);
        RUN(an_importer_can_work);
        RUN(the_child_of_a_load_is_confined);
    }
    static const char* const names[] = {"inside/link", "inside/deep/file", "inside/deep",
                                        "inside/file", "inside",           "outside"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        remove(subprocess_path(names[i]));
    }
    subprocess_remove_folder();
}

#else

void test_child_sandbox(void)
{
    test_skip("test_child_sandbox", "this system has neither Landlock nor seccomp");
}

#endif
