// SPDX-License-Identifier: MIT
// Runs the suites named on the command line, or all: pelt_tests [--data DIR] [SUITE ...]
// PELT_SUITES is the list of suites of this program, suites.h or suites_io.h.
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    TEST_EXIT_SKIPPED = 77, ///< SKIP_RETURN_CODE of tests/CMakeLists.txt
};

test_counts test_total;
const char* test_data_folder = "tests/data";

typedef struct suite
{
    const char* name;
    void (*run)(void);
} suite;

#define SUITE(name) void test_##name(void);
#include PELT_SUITES
#undef SUITE

static const suite suites[] = {
#define SUITE(name) {#name, test_##name},
#include PELT_SUITES
#undef SUITE
};

void test_run(const char* name, int (*fact)(void))
{
    clock_t start = clock();
    int result = fact();
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    test_total.passed += result == 0;
    test_total.failed += result != 0;
    printf("%s %s", result == 0 ? "ok  " : "FAIL", name);
    // Who waits may ask for what: seconds of all threads.
    if (seconds >= 1.0)
    {
        printf(" (%.1f s)", seconds);
    }
    printf("\n");
}

void test_skip(const char* name, const char* why)
{
    test_total.skipped++;
    printf("SKIP %s: %s\n", name, why);
}

// SplitMix64 (Steele, Lea and Flood 2014).
static uint64_t next_bits(test_random* random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

float test_uniform(test_random* random, float low, float high)
{
    float unit = (float)(next_bits(random) >> 40) / 16777216.0f;
    return low + (high - low) * unit;
}

pelt_vec3 test_point(test_random* random, float radius)
{
    float x = test_uniform(random, -radius, radius);
    float y = test_uniform(random, -radius, radius);
    float z = test_uniform(random, -radius, radius);
    return pelt_vec3_make(x, y, z);
}

pelt_quat test_rotation(test_random* random, float degrees)
{
    pelt_vec3 axis = test_point(random, 1.0f);
    float angle = test_uniform(random, 0.0f, degrees) * PELT_PI / 180.0f;
    return pelt_quat_axis_angle(axis, angle);
}

const char* test_models_folder(void)
{
    static char folder[4096];
    const char* chosen = getenv("PELT_MODELS");
    if (chosen != NULL && chosen[0] != '\0')
    {
        return chosen;
    }
    // The manifest tells whether the folder is there; C has no better way.
    char manifest[sizeof folder + 16];
    snprintf(folder, sizeof folder, "%s/../../../shared/models", test_data_folder);
    snprintf(manifest, sizeof manifest, "%s/MANIFEST.md", folder);
    FILE* file = fopen(manifest, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    fclose(file);
    return folder;
}

void test_run_on_models(const char* name, int (*fact)(void))
{
    if (test_models_folder() == NULL)
    {
        test_skip(name, "no models folder; set PELT_MODELS");
        return;
    }
    test_run(name, fact);
}

bool test_is_full_sweep(void)
{
    const char* sweep = getenv("PELT_SWEEP");
    return sweep != NULL && strcmp(sweep, "full") == 0;
}

bool test_takes_model(const char* path)
{
    FILE* file = test_is_full_sweep() ? NULL : fopen(path, "rb");
    bool is_large = file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 1000000;
    if (file != NULL)
    {
        fclose(file);
    }
    return !is_large;
}

static int is_wanted(const char* name, int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        if (strcmp(argv[i], name) == 0)
        {
            return 1;
        }
    }
    return argc <= 1;
}

int main(int argc, char** argv)
{
    // A sanitizer ends the program without flushing.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (argc > 2 && strcmp(argv[1], "--data") == 0)
    {
        test_data_folder = argv[2];
        argc -= 2;
        argv += 2;
    }
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; ++i)
    {
        if (is_wanted(suites[i].name, argc, argv))
        {
            printf("-- %s\n", suites[i].name);
            suites[i].run();
        }
    }
    printf("%d passed, %d failed, %d skipped\n", test_total.passed, test_total.failed,
           test_total.skipped);
    if (test_total.passed + test_total.failed == 0)
    {
        return test_total.skipped > 0 ? TEST_EXIT_SKIPPED : 1;
    }
    return test_total.failed > 0;
}
