// SPDX-License-Identifier: MIT
// Names in a sorted list, against a walk over all of them.
#include "name_list.h"

#include "test.h"

#include <string.h>

enum
{
    COUNT = 300
};

typedef struct item
{
    int before; // so that names do not lie side by side
    const char* name;
} item;

// Names of one or two letters out of three, so that many are equal; each seventh has none.
static void make_items(item* items, char (*texts)[3], uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        texts[i][0] = (char)('a' + (int)test_uniform(&random, 0.0f, 2.99f));
        texts[i][1] = (char)(test_uniform(&random, 0.0f, 1.0f) < 0.5f ? '\0' : texts[i][0] + 1);
        texts[i][2] = '\0';
        items[i] = (item){(int)i, i % 7 == 0 ? NULL : texts[i]};
    }
}

static uint32_t walk(const item* items, uint32_t count, const char* name)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (items[i].name != NULL && strcmp(items[i].name, name) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static int the_first_of_a_name_is_found(void)
{
    static const char* const wanted[] = {"a", "ab", "b", "bc", "c", "cd", "", "d", "abc", "A"};
    item items[COUNT];
    char texts[COUNT][3];
    for (uint32_t count = 0; count <= COUNT; count += 25)
    {
        pelti_name_list list;
        make_items(items, texts, count + 1);
        ENSURE(pelti_name_list_create(&list, &items[0].name, sizeof items[0], count) == PELT_OK);
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i)
        {
            ENSURE(pelti_name_list_find(&list, wanted[i]) == walk(items, count, wanted[i]));
        }
        pelti_name_list_destroy(&list);
    }
    return 0;
}

// As many as a file can bring: walks over all of them would take minutes.
static int many_names_are_found_without_waiting(void)
{
    enum
    {
        MANY = 300000
    };
    static const char* names[MANY];
    static char texts[MANY][8];
    for (uint32_t i = 0; i < MANY; ++i)
    {
        snprintf(texts[i], sizeof texts[i], "%u", (i * 7919u) % MANY);
        names[i] = texts[i];
    }
    pelti_name_list list;
    ENSURE(pelti_name_list_create(&list, names, sizeof names[0], MANY) == PELT_OK);
    for (uint32_t i = 0; i < MANY; ++i)
    {
        ENSURE(pelti_name_list_find(&list, texts[i]) == i);
    }
    pelti_name_list_destroy(&list);
    return 0;
}

void test_name_list(void)
{
    RUN(the_first_of_a_name_is_found);
    RUN(many_names_are_found_without_waiting);
}
