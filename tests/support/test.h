// SPDX-License-Identifier: MIT
// A test is a function whose name states a fact; it returns 0 when the fact holds.
#ifndef PELT_TEST_H
#define PELT_TEST_H

#include "pelt/prepare.h"

#include <math.h>
#include <stdio.h>

#define ENSURE(condition)                                                                          \
    do                                                                                             \
    {                                                                                              \
        if (!(condition))                                                                          \
        {                                                                                          \
            printf("  %s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                     \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#define ENSURE_NEAR(value, expected, tolerance)                                                    \
    do                                                                                             \
    {                                                                                              \
        double value_ = (double)(value), expected_ = (double)(expected);                           \
        if (!(fabs(value_ - expected_) <= (double)(tolerance)))                                    \
        {                                                                                          \
            printf("  %s:%d: %s is %.9g, expected %.9g\n", __FILE__, __LINE__, #value, value_,     \
                   expected_);                                                                     \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#define ENSURE_POINT(value, expected, tolerance)                                                   \
    do                                                                                             \
    {                                                                                              \
        pelt_vec3 value_ = (value), expected_ = (expected);                                        \
        if (!(pelt_vec3_distance(value_, expected_) <= (float)(tolerance)))                        \
        {                                                                                          \
            printf("  %s:%d: %s is (%.9g %.9g %.9g), expected (%.9g %.9g %.9g)\n", __FILE__,       \
                   __LINE__, #value, (double)value_.x, (double)value_.y, (double)value_.z,         \
                   (double)expected_.x, (double)expected_.y, (double)expected_.z);                 \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

typedef struct test_counts
{
    int passed, failed, skipped;
} test_counts;

extern test_counts test_total;

/// Run one fact and count it.
void test_run(const char* name, int (*fact)(void));

/// Print that a fact could not be checked here, and why.
void test_skip(const char* name, const char* why);

#define RUN(fact) test_run(#fact, fact)

/// Run one fact about real characters. Without test_models_folder() it is skipped.
void test_run_on_models(const char* name, int (*fact)(void));

#define RUN_ON_MODELS(fact) test_run_on_models(#fact, fact)

/// Pseudorandom numbers that are the same on every machine.
typedef struct test_random
{
    uint64_t state;
} test_random;

float test_uniform(test_random* random, float low, float high);
pelt_vec3 test_point(test_random* random, float radius);     ///< in a cube of that half-width
pelt_quat test_rotation(test_random* random, float degrees); ///< up to that angle, any axis

/// Whether both arrays are NULL, or neither is and they have the same bits.
bool test_is_same(const void* a, const void* b, size_t count, size_t size);

/// Folder of the files in tests/data, from the command line.
extern const char* test_data_folder;

/// Folder of real characters: PELT_MODELS of the environment, or ../shared/models of the source
/// tree; NULL: there is none. See RUN_ON_MODELS().
const char* test_models_folder(void);

/// Whether PELT_SWEEP=full is set: a suite then runs all cases, which takes minutes, not a sample.
bool test_is_full_sweep(void);

/// Whether a suite that goes through all real characters takes this one: not those above a
/// megabyte, which take as long as all others, unless PELT_SWEEP=full asks for them.
bool test_takes_model(const char* path);

#endif
