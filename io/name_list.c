// SPDX-License-Identifier: MIT
#include "name_list.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void* left, const void* right)
{
    const pelti_name *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

pelt_result pelti_name_list_create(pelti_name_list* out, const char* const* first, size_t stride,
                                   uint32_t count)
{
    *out = (pelti_name_list){.sorted = pelt_allocate(count, sizeof *out->sorted)};
    if (out->sorted == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const char* const* name =
            (const char* const*)(const void*)((const char*)first + i * stride);
        if (*name != NULL)
        {
            out->sorted[out->count++] = (pelti_name){*name, i};
        }
    }
    qsort(out->sorted, out->count, sizeof *out->sorted, compare);
    return PELT_OK;
}

void pelti_name_list_destroy(pelti_name_list* list)
{
    pelt_release(list->sorted);
    *list = (pelti_name_list){0};
}

uint32_t pelti_name_list_find(const pelti_name_list* list, const char* name)
{
    uint32_t low = 0, high = list->count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        bool is_before = strcmp(list->sorted[middle].text, name) < 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    bool is_found = low < list->count && strcmp(list->sorted[low].text, name) == 0;
    return is_found ? list->sorted[low].index : PELT_NONE;
}
