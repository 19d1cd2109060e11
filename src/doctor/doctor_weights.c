// SPDX-License-Identifier: MIT
// Who is moved by nobody, and who moves nothing.
#include "../base/exact.h"

#include "doctor.h"

static void check_unweighted(pelti_doctor* d, uint32_t m)
{
    const pelt_weights* weights = &d->scene->meshes[m].weights;
    pelt_finding finding =
        pelti_finding_make(PELT_FINDING_UNWEIGHTED_VERTICES, PELT_SEVERITY_WARNING);
    finding.mesh = m;
    for (uint32_t v = weights->vertex_count; v-- > 0;)
    {
        if (weights->first[v] == weights->first[v + 1])
        {
            finding.count++;
            finding.vertex = v;
        }
    }
    if (finding.count > 0)
    {
        pelti_finding_add(d, &finding,
                          "mesh " PELTI_NAME ": %u of %u vertices %s no weights (first: vertex %u)",
                          pelti_mesh_name(d, m), finding.count, weights->vertex_count,
                          pelti_word(finding.count, "has", "have"), finding.vertex);
    }
}

bool* pelti_nodes_find_needed(const pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    bool* is_needed = pelt_arena_alloc(d->scratch, scene->node_count, sizeof *is_needed);
    if (is_needed == NULL)
    {
        return NULL;
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            is_needed[scene->skins[s].joints[j]] |= d->is_used[s][j];
        }
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin == PELT_NONE)
        {
            is_needed[instance->node] = true;
        }
    }
    for (uint32_t n = scene->node_count; n-- > 0;)
    {
        uint32_t parent = scene->nodes[n].parent;
        if (is_needed[n] && parent != PELT_NONE)
        {
            is_needed[parent] = true;
        }
    }
    return is_needed;
}

static void check_unused_joints(pelti_doctor* d, uint32_t s, const bool* is_needed)
{
    const pelt_skin* skin = &d->scene->skins[s];
    pelt_finding finding = pelti_finding_make(PELT_FINDING_UNUSED_JOINTS, PELT_SEVERITY_NOTE);
    for (uint32_t j = skin->joint_count; j-- > 0;)
    {
        if (!is_needed[skin->joints[j]])
        {
            finding.count++;
            finding.node = skin->joints[j];
        }
    }
    if (finding.count > 0)
    {
        pelti_finding_add(
            d, &finding, "skin " PELTI_NAME ": %u of %u joints %s nothing (first: " PELTI_NAME ")",
            skin->name != NULL ? skin->name : "-", finding.count, skin->joint_count,
            pelti_word(finding.count, "moves", "move"), pelti_node_name(d, finding.node));
    }
}

// A reader that does not say where has counted them already.
static bool has_counted_repair(const pelt_scene* scene)
{
    uint32_t i = 0;
    while (i < scene->repair_count && !(scene->repairs[i].kind == PELT_REPAIR_UNWEIGHTED &&
                                        scene->repairs[i].mesh == PELT_NONE))
    {
        ++i;
    }
    return i < scene->repair_count;
}

void pelti_check_weights(pelti_doctor* d)
{
    bool is_counted = has_counted_repair(d->scene);
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        if (d->skins[m] != PELT_NONE && !is_counted)
        {
            check_unweighted(d, m);
        }
    }
    for (uint32_t s = 0; s < d->scene->skin_count; ++s)
    {
        check_unused_joints(d, s, d->is_needed);
    }
}
