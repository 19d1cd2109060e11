// SPDX-License-Identifier: MIT
// A crowd of 1 000 on the CPU: members share the prepared meshes of one character, and each is in a
// pose of its own. Crowds that the GPU animates are in docs/crowds.md.
#include <pelt/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
    MEMBERS = 1000,
};

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pelt_result run(const pelt_scene* scene, uint32_t member_count, pelt_error* error)
{
    pelt_frame* frames = calloc(member_count, sizeof *frames);
    pelt_pose* poses = calloc(member_count, sizeof *poses);
    uint32_t made = 0, clip = pelt_scene_default_clip(scene);
    pelt_result result = frames != NULL && poses != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    while (result == PELT_OK && made < member_count)
    {
        result = pelt_frame_create(&frames[made], scene);
        result = result == PELT_OK ? pelt_pose_create(&poses[made], scene) : result;
        if (result == PELT_OK && made == 0)
        {
            result = pelt_frame_prepare(&frames[0], scene); // once for all
        }
        else if (result == PELT_OK)
        {
            pelt_frame_share(&frames[made], &frames[0]);
        }
        ++made;
    }
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    for (int step = 0; step < 3 && result == PELT_OK; ++step)
    {
        double start = seconds();
        for (uint32_t i = 0; i < member_count && clip != PELT_NONE; ++i)
        {
            float time = (float)step / 30.0f + 0.01f * (float)i;
            pelt_pose_sample(&poses[i], scene, &scene->clips[clip], time, PELT_WRAP_LOOP);
        }
        pelt_frames_update(frames, scene, poses, member_count, &options);
        const pelt_vec3* last = frames[member_count - 1].surfaces[0].positions;
        printf("%u members of %u vertices: %.1f ms; the last is at %.4f %.4f %.4f\n", member_count,
               scene->meshes[0].vertex_count, 1e3 * (seconds() - start), (double)last->x,
               (double)last->y, (double)last->z);
    }
    // Members refer to what the first one owns.
    while (made > 0)
    {
        --made;
        pelt_pose_destroy(&poses[made]);
        pelt_frame_destroy(&frames[made]);
    }
    free(poses);
    free(frames);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

int main(int argc, char** argv)
{
    pelt_error error = {"usage: crowd INPUT"};
    pelt_scene* scene = NULL;
    pelt_pool* pool = pelt_pool_create(0); // one thread per core
    const pelt_hooks hooks = {.run = pool != NULL ? pelt_pool_run : NULL, .run_user = pool};
    pelt_hooks_set(&hooks);
    pelt_result result = PELT_ERROR_ARGUMENT;
    if (argc == 2)
    {
        result = pelt_load(&scene, argv[1], NULL, &error);
    }
    if (result == PELT_OK && scene->instance_count == 0)
    {
        result = pelt_error_set(&error, PELT_ERROR_DATA, "%s has no mesh", argv[1]);
    }
    result = result == PELT_OK ? run(scene, MEMBERS, &error) : result;
    pelt_scene_destroy(scene);
    pelt_hooks_set(&(pelt_hooks){0});
    if (pool != NULL)
    {
        pelt_pool_destroy(pool);
    }
    if (result != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
    }
    return result == PELT_OK ? 0 : 1;
}
