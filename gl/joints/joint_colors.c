// SPDX-License-Identifier: MIT
// A color for each joint, and weights as mixtures of them.
#include "pelt/prepare.h"
#include "pelt/render.h"

static const pelt_color gray = {150, 150, 150, 255};

typedef struct joint_hue
{
    float degrees;
    uint32_t given_count; // joints below that have theirs
    bool is_light;
} joint_hue;

// Multiples of the golden ratio: however many there are, each is far from the others.
static float spread(uint32_t index)
{
    float rotation = 0.618034f * (float)(index % 4096);
    return rotation - floorf(rotation);
}

// On the half of the circle opposite to the joint above. The first one is 137.5 degrees away, which
// keeps a chain from having the same colors again soon.
static joint_hue next_hue(joint_hue* above)
{
    float part = 0.264f + spread(above->given_count++);
    return (joint_hue){.degrees =
                           fmodf(above->degrees + 90.0f + 180.0f * (part - floorf(part)), 360.0f),
                       .is_light = !above->is_light};
}

pelt_result pelt_joint_colors(pelt_color* out, const pelt_scene* scene)
{
    pelt_joint_node* tree = pelt_allocate((size_t)scene->node_count + 1, sizeof *tree);
    joint_hue* hues = pelt_allocate((size_t)scene->node_count + 1, sizeof *hues);
    uint32_t root_count = 0;
    bool is_ok = tree != NULL && hues != NULL;
    if (is_ok)
    {
        pelt_joint_tree_find(tree, scene);
    }
    for (uint32_t node = 0; is_ok && node < scene->node_count; ++node)
    {
        uint32_t above = tree[node].above;
        if (!tree[node].is_joint)
        {
            out[node] = above != PELT_NONE ? out[above] : gray;
            continue;
        }
        hues[node] = above != PELT_NONE
                         ? next_hue(&hues[above])
                         : (joint_hue){.degrees = 360.0f * spread(root_count++) + 250.0f};
        out[node] = pelt_color_of_hue(hues[node].degrees, hues[node].is_light ? 0.75f : 0.65f);
    }
    pelt_release(tree);
    pelt_release(hues);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_color mean_color(const pelt_influence* influences, uint32_t count,
                             const uint32_t* nodes, const pelt_vec3* lights)
{
    pelt_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < count; ++i)
    {
        sum = pelt_vec3_mad(sum, influences[i].weight, lights[nodes[influences[i].joint]]);
    }
    return (pelt_color){pelt_srgb_from_linear(sum.x), pelt_srgb_from_linear(sum.y),
                        pelt_srgb_from_linear(sum.z), 255};
}

// @param lights  of the joints' colors, by node
static void fill_instance(pelt_color* out, const pelt_scene* scene, const pelt_instance* of,
                          const pelt_color* joints, const pelt_vec3* lights)
{
    const pelt_mesh* mesh = &scene->meshes[of->mesh];
    const pelt_weights* weights = &mesh->weights;
    bool is_skinned = of->skin != PELT_NONE && weights->vertex_count > 0;
    pelt_color rest = of->skin == PELT_NONE ? joints[of->node] : gray;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t first = is_skinned ? weights->first[v] : 0;
        uint32_t count = is_skinned ? weights->first[v + 1] - first : 0;
        out[v] = count > 0 ? mean_color(weights->influences + first, count,
                                        scene->skins[of->skin].joints, lights)
                           : rest;
    }
}

pelt_result pelt_weight_colors(const pelt_color* const** out, const pelt_scene* scene,
                               const pelt_color* joints, pelt_arena* arena)
{
    const pelt_color** arrays = pelt_arena_alloc(arena, scene->instance_count, sizeof *arrays);
    pelt_vec3* lights = pelt_allocate((size_t)scene->node_count + 1, sizeof *lights);
    bool is_ok = arrays != NULL && lights != NULL;
    for (uint32_t i = 0; is_ok && i < scene->node_count; ++i)
    {
        lights[i] =
            pelt_vec3_make(pelt_srgb_to_linear(joints[i].r), pelt_srgb_to_linear(joints[i].g),
                           pelt_srgb_to_linear(joints[i].b));
    }
    for (uint32_t i = 0; is_ok && i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        uint32_t count = scene->meshes[instance->mesh].vertex_count;
        pelt_color* colors = pelt_arena_alloc(arena, count, sizeof *colors);
        is_ok = colors != NULL;
        if (is_ok)
        {
            fill_instance(colors, scene, instance, joints, lights);
            arrays[i] = colors;
        }
    }
    pelt_release(lights);
    *out = is_ok ? arrays : NULL;
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
