// SPDX-License-Identifier: MIT
// Rules of helper joints in the extras of nodes, as docs/helpers.md describes them.
#include "../name_list.h"
#include "gltf_read.h"

#include <float.h>
#include <string.h>

static bool read_numbers(float* out, size_t count, const pelti_json* json)
{
    bool is_ok = pelti_json_is(json, PELTI_JSON_ARRAY) && pelti_json_size(json) == count;
    for (size_t i = 0; i < count && is_ok; ++i)
    {
        const pelti_json* number = pelti_json_at(json, i);
        is_ok =
            pelti_json_is(number, PELTI_JSON_NUMBER) && fabs(number->as.number) <= (double)FLT_MAX;
        out[i] = is_ok ? (float)number->as.number : 0.0f;
    }
    return is_ok;
}

// Programs that reorder nodes leave extras as they are: then the name tells which joint it is.
static uint32_t find_source(const pelti_gltf* g, const pelti_name_list* names,
                            const pelti_json* rule)
{
    const pelti_json* index = pelti_json_get(rule, "joint");
    const char* name = pelti_json_string(pelti_json_get(rule, "name"));
    uint32_t node = PELT_NONE, count = g->lists[PELTI_GLTF_NODES].count;
    if (pelti_json_is(index, PELTI_JSON_NUMBER) && index->as.number >= 0.0 &&
        index->as.number < (double)count)
    {
        node = g->nodes[(uint32_t)index->as.number].node;
    }
    bool is_named =
        name != NULL && (node == PELT_NONE || strcmp(g->scene->nodes[node].name, name) != 0);
    return is_named ? pelti_name_list_find(names, name) : node;
}

static bool read_rule(pelt_helper* out, const pelti_gltf* g, const pelti_name_list* names,
                      const pelti_json* rule, uint32_t index)
{
    float factor, columns[16];
    const pelti_json* number = pelti_json_get(rule, "factor");
    bool is_ok = pelti_json_is(number, PELTI_JSON_NUMBER) && number->as.number >= 0.0 &&
                 number->as.number <= 1.0 &&
                 read_numbers(&out->center.x, 3, pelti_json_get(rule, "center")) &&
                 read_numbers(columns, 16, pelti_json_get(rule, "offset"));
    if (!is_ok)
    {
        return false;
    }
    factor = (float)number->as.number;
    out->node = g->nodes[index].node;
    out->source = find_source(g, names, rule);
    out->factor = factor;
    out->source_from_parent = pelt_mat34_from_columns(columns);
    return out->source != PELT_NONE && out->source != out->node &&
           g->scene->nodes[out->node].parent != PELT_NONE;
}

static const pelti_json* rule_of(const pelti_gltf* g, uint32_t index)
{
    const pelti_json* node = pelti_gltf_item(g, PELTI_GLTF_NODES, index);
    return pelti_json_get(pelti_json_get(node, "extras"), "pelt_helper");
}

// A helper with children, or below or driven by another helper, would be placed too late.
static uint32_t keep_leaves(pelt_helper* helpers, uint32_t count, const pelti_gltf* g,
                            uint8_t* roles)
{
    enum
    {
        IS_HELPER = 1,
        HAS_CHILD = 2,
    };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        roles[helpers[i].node] |= IS_HELPER;
    }
    for (uint32_t i = 0; i < g->scene->node_count; ++i)
    {
        uint32_t parent = g->scene->nodes[i].parent;
        if (parent != PELT_NONE)
        {
            roles[parent] |= HAS_CHILD;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_leaf = (roles[helpers[i].node] & HAS_CHILD) == 0;
        if (is_leaf && (roles[helpers[i].source] & IS_HELPER) == 0)
        {
            helpers[kept++] = helpers[i];
        }
    }
    return kept;
}

pelt_result pelti_gltf_read_helpers(pelti_gltf* g)
{
    uint32_t count = 0, read = 0, node_count = g->lists[PELTI_GLTF_NODES].count;
    void *helpers = NULL, *roles = NULL;
    for (uint32_t i = 0; i < node_count; ++i)
    {
        count += rule_of(g, i) != NULL;
    }
    if (count == 0)
    {
        return PELT_OK;
    }
    pelti_name_list names;
    PELT_TRY(pelti_gltf_alloc(&helpers, g, count, sizeof(pelt_helper)));
    PELT_TRY(pelti_gltf_alloc_scratch(&roles, g, g->scene->node_count, 1));
    if (pelti_name_list_create(&names, &g->scene->nodes[0].name, sizeof *g->scene->nodes,
                               g->scene->node_count) != PELT_OK)
    {
        return pelt_error_memory(g->error);
    }
    for (uint32_t i = 0; i < node_count; ++i)
    {
        const pelti_json* rule = rule_of(g, i);
        read += rule != NULL && read_rule((pelt_helper*)helpers + read, g, &names, rule, i);
    }
    pelti_name_list_destroy(&names);
    g->scene->helpers = helpers;
    g->scene->helper_count = keep_leaves(helpers, read, g, roles);
    uint32_t lost = count - g->scene->helper_count;
    return lost == 0 ? PELT_OK
                     : pelti_gltf_repair_count(g, PELT_REPAIR_OTHER, lost,
                                               "%u helper joints have rules that are not as "
                                               "docs/helpers.md describes them; they follow clips "
                                               "only",
                                               lost);
}
