// SPDX-License-Identifier: MIT
// What assimp shall not stumble over: files that are broken, unknown, or met without memory.
#define _XOPEN_SOURCE 700
#include "subprocess.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

static const char quad_obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char walk_bvh[] = "HIERARCHY\nROOT hip\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Xposition "
                               "Yposition Zposition\n  End Site\n  {\n    OFFSET 0 -4 0\n  }\n"
                               "}\nMOTION\nFrames: 1\nFrame Time: 0.5\n0 9 0\n";

// ---------------------------------------------------------------------------------------------
// Broken files

static int check_unknown(const char* path)
{
    pelt_scene* scene;
    pelt_error error;
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_ERROR_DATA);
    ENSURE(scene == NULL && subprocess_is_sentence(&error, path) &&
           strstr(error.message, "glTF") != NULL);
    return SUBPROCESS_GOOD;
}

static int unknown_formats_are_refused_with_a_list_of_known_ones(void)
{
    ENSURE(subprocess_with_text("notes.txt", "nothing to see", check_unknown) == SUBPROCESS_GOOD);
    ENSURE(subprocess_with_text("noextension", "nothing to see", check_unknown) == SUBPROCESS_GOOD);
    // States more vertices than there is memory, which assimp believes.
    ENSURE(subprocess_with_text("big.off", "OFF\n4000000000 1 0\n", check_unknown) ==
           SUBPROCESS_GOOD);
    return 0;
}

static int garbage_is_refused_cleanly(void)
{
    static const char* const names[] = {"x.fbx", "x.dae", "x.x", "x.md5mesh", "x.bvh", "x.b3d"};
    static const char start[] = "Kaydara FBX Binary  ";
    unsigned char noise[2048];
    test_random random = {7};
    for (size_t i = 0; i < sizeof noise; ++i)
    {
        noise[i] = (unsigned char)test_uniform(&random, 0.0f, 256.0f);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        ENSURE(subprocess_with_file(names[i], "", 0, subprocess_load_and_deform) ==
               SUBPROCESS_REFUSED);
        ENSURE(subprocess_with_file(names[i], noise, sizeof noise, subprocess_load_and_deform) ==
               SUBPROCESS_REFUSED);
    }
    ENSURE(subprocess_with_text("x.fbx", "; FBX 7.5.0 project file\n}}}{{{:::",
                                subprocess_load_and_deform) == SUBPROCESS_REFUSED);
    memcpy(noise, start, sizeof start);
    ENSURE(subprocess_with_file("x.fbx", noise, sizeof noise, subprocess_load_and_deform) ==
           SUBPROCESS_REFUSED);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

static struct
{
    int left, held; // allocations until one fails; blocks not given back
} budget;

static void* allocate_within_budget(size_t size, void* user)
{
    (void)user;
    void* memory = budget.left-- > 0 ? malloc(size) : NULL;
    budget.held += memory != NULL;
    return memory;
}

static void release_within_budget(void* memory, void* user)
{
    (void)user;
    budget.held -= memory != NULL;
    free(memory);
}

static int load_within_budgets(const char* path)
{
    pelt_hooks hooks = {.allocate = allocate_within_budget, .release = release_within_budget};
    pelt_hooks_set(&hooks);
    pelt_result result = PELT_ERROR_MEMORY;
    int allowed = 0;
    for (; result != PELT_OK && allowed < 2000; ++allowed)
    {
        pelt_scene* scene;
        budget.left = allowed;
        // Here, where failures can be arranged.
        const pelt_load_options in_place = {.isolation = PELT_ISOLATION_NONE};
        result = pelt_load(&scene, path, &in_place, NULL);
        ENSURE(result == PELT_OK || (result == PELT_ERROR_MEMORY && scene == NULL));
        pelt_scene_destroy(scene);
        ENSURE(budget.held == 0);
    }
    ENSURE(result == PELT_OK && allowed > 5);
    return SUBPROCESS_GOOD;
}

static int failed_allocations_are_results_and_leave_nothing_behind(void)
{
    ENSURE(subprocess_with_text("quad.obj", quad_obj, load_within_budgets) == SUBPROCESS_GOOD);
    ENSURE(subprocess_with_text("walk.bvh", walk_bvh, load_within_budgets) == SUBPROCESS_GOOD);
    return 0;
}

// ---------------------------------------------------------------------------------------------

void test_assimp_broken(void)
{
    if (subprocess_with_text("quad.obj", quad_obj, subprocess_load_and_deform) ==
        SUBPROCESS_REFUSED)
    {
        test_skip("assimp_broken", "this build reads glTF and FBX only");
        subprocess_remove_folder();
        return;
    }
    RUN(unknown_formats_are_refused_with_a_list_of_known_ones);
    RUN(garbage_is_refused_cleanly);
    RUN(failed_allocations_are_results_and_leave_nothing_behind);
    subprocess_remove_folder();
}
