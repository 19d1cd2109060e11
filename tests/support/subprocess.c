// SPDX-License-Identifier: MIT
// Child processes, and the checks that each file goes through in one.
#define _XOPEN_SOURCE 700
#include "subprocess.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Ten times the slowest, under a sanitizer.
static const unsigned child_seconds = 20;

int subprocess_run(subprocess_work work, const char* path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        alarm(child_seconds);
        int result = work(path);
        fflush(stdout);
        _exit(result);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
    {
        return SUBPROCESS_BAD;
    }
    if (WIFSIGNALED(status))
    {
        printf("  %s: ended by signal %d\n", path, WTERMSIG(status));
        return SUBPROCESS_CRASHED;
    }
    return WEXITSTATUS(status);
}

// ---------------------------------------------------------------------------------------------
// Temporary files

static char folder[] = "/tmp/pelt_child_XXXXXX";
static bool has_folder;

const char* subprocess_folder(void)
{
    has_folder = has_folder || mkdtemp(folder) != NULL;
    return folder;
}

const char* subprocess_path(const char* name)
{
    static char paths[8][512];
    static int next;
    char* out = paths[next++ % 8];
    snprintf(out, sizeof paths[0], "%s/%s", subprocess_folder(), name);
    return out;
}

void subprocess_remove_folder(void)
{
    if (has_folder)
    {
        rmdir(folder);
        // The next one gets a new name.
        strcpy(folder + strlen(folder) - 6, "XXXXXX");
        has_folder = false;
    }
}

int subprocess_with_file(const char* name, const void* bytes, size_t size, subprocess_work work)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", subprocess_folder(), name);
    FILE* file = fopen(path, "wb");
    if (file == NULL)
    {
        return SUBPROCESS_BAD;
    }
    size_t written = fwrite(bytes, 1, size, file);
    fclose(file);
    int result = written == size ? subprocess_run(work, path) : SUBPROCESS_BAD;
    remove(path);
    return result;
}

int subprocess_with_text(const char* name, const char* text, subprocess_work work)
{
    return subprocess_with_file(name, text, strlen(text), work);
}

// ---------------------------------------------------------------------------------------------
// Checks of every scene

static bool are_finite(const pelt_vec3* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
        {
            return false;
        }
    }
    return true;
}

static int check_methods(const pelt_scene* scene, pelt_frame* frame, const pelt_pose* pose)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        // Any centers do: whether numbers stay numbers is the question here.
        frame->cors[i] = scene->meshes[i].positions;
    }
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_frame_update(frame, scene, pose,
                          &(pelt_deform_options){.method = method, .mix = 0.5f});
        for (uint32_t i = 0; i < scene->instance_count; ++i)
        {
            const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
            ENSURE(are_finite(frame->surfaces[i].positions, mesh->vertex_count));
        }
    }
    return 0;
}

static int check_scene(const pelt_scene* scene)
{
    pelt_error error;
    ENSURE(pelt_scene_validate(scene, &error) == PELT_OK);
    pelt_pose pose;
    pelt_frame frame;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    if (scene->clip_count > 0)
    {
        const pelt_clip* clip = &scene->clips[scene->clip_count - 1];
        pelt_pose_sample(&pose, scene, clip, 0.4f * clip->duration, PELT_WRAP_CLAMP);
    }
    int result = check_methods(scene, &frame, &pose);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return result;
}

bool subprocess_is_sentence(const pelt_error* error, const char* path)
{
    // The trouble may be with a file that it names, next to it.
    char folder_of_path[4096];
    snprintf(folder_of_path, sizeof folder_of_path, "%s", path);
    char* slash = strrchr(folder_of_path, '/');
    if (slash != NULL)
    {
        slash[1] = '\0';
    }
    return strstr(error->message, folder_of_path) != NULL && strchr(error->message, '\n') == NULL &&
           strlen(error->message) > strlen(folder_of_path) + 10;
}

int subprocess_load_and_deform(const char* path)
{
    pelt_scene* scene;
    pelt_error error = {""};
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        if (scene == NULL && subprocess_is_sentence(&error, path))
        {
            return SUBPROCESS_REFUSED;
        }
        printf("  %s: not one sentence: %s\n", path, error.message);
        return SUBPROCESS_BAD;
    }
    int result = check_scene(scene);
    if (result != 0)
    {
        printf("  in %s\n", path);
    }
    pelt_scene_destroy(scene);
    return result == 0 ? SUBPROCESS_GOOD : SUBPROCESS_BAD;
}
