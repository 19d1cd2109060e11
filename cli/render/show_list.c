// SPDX-License-Identifier: MIT
// The list of --show: the parts and colors of a picture.
#include "show_list.h"

#include "method_list.h"
#include "pelt/render.h"
#include "terminal.h"

#include <string.h>

#define VALID_NAMES                                                                                \
    "ground, wire, bones, bone-boxes, cors, boxes, normals, facets, untextured, weights, "         \
    "weights:JOINT, difference:METHOD, normal-error, none"

static const struct
{
    const char* name;
    uint32_t bit;
} layers[] = {
    {"none", 0},
    {"ground", PELT_SHOW_GROUND},
    {"wire", PELT_SHOW_WIRE},
    {"bones", PELT_SHOW_BONES},
    {"bone-boxes", PELT_SHOW_JOINT_BOXES},
    {"cors", PELT_SHOW_CORS},
    {"boxes", PELT_SHOW_BOXES},
    {"normals", PELT_SHOW_NORMALS},
    {"facets", PELT_SHOW_FACETS},
    {"untextured", PELT_SHOW_UNTEXTURED},
};

enum
{
    LAYER_COUNT = sizeof layers / sizeof layers[0],
};

static int unknown_word(const char* word)
{
    const char* names[LAYER_COUNT + 3] = {"weights", "difference", "normal-error"};
    for (uint32_t i = 0; i < LAYER_COUNT; ++i)
    {
        names[i + 3] = layers[i].name;
    }
    if (strcmp(word, "difference") == 0)
    {
        return message_usage("--show difference needs a name after it: difference:METHOD");
    }
    char bare[32];
    snprintf(bare, sizeof bare, "%.*s", (int)(strcspn(word, ":") % sizeof bare), word);
    args_near near = args_find_near(bare, names, LAYER_COUNT + 3);
    return near.names[0] != '\0'
               ? message_usage("--show cannot be \"%s\"; did you mean %s? The choices are %s", word,
                               near.names, VALID_NAMES)
               : message_usage("--show cannot be \"%s\"; the choices are %s", word, VALID_NAMES);
}

static int take_colors(show_list* inout, show_list_colors colors)
{
    if (inout->colors != SHOW_MATERIALS)
    {
        return message_usage("--show can color the surface by only one of weights, difference "
                             "and normal-error, once");
    }
    inout->colors = colors;
    return EXIT_DONE;
}

static int read_word(show_list* inout, const char* word)
{
    // Only the first colon counts: joints of many programs have one in their names.
    if (strncmp(word, "weights:", 8) == 0 && word[8] != '\0')
    {
        snprintf(inout->joint, sizeof inout->joint, "%s", word + 8);
        return take_colors(inout, SHOW_WEIGHTS);
    }
    if (strcmp(word, "weights") == 0)
    {
        return take_colors(inout, SHOW_JOINTS);
    }
    if (strncmp(word, "difference:", 11) == 0)
    {
        TRY(method_list_find(&inout->reference, word + 11, "--show difference"));
        return take_colors(inout, SHOW_DIFFERENCE);
    }
    if (strcmp(word, "normal-error") == 0)
    {
        return take_colors(inout, SHOW_NORMAL_ERROR);
    }
    for (uint32_t i = 0; i < LAYER_COUNT; ++i)
    {
        if (strcmp(layers[i].name, word) == 0)
        {
            inout->bits |= layers[i].bit;
            return EXIT_DONE;
        }
    }
    return unknown_word(word);
}

int show_list_choose(show_list* out, const char* list)
{
    *out = (show_list){.node = PELT_NONE, .focus = PELT_NONE};
    list = list != NULL ? list : "ground";
    int code = EXIT_DONE;
    while (code == EXIT_DONE && list != NULL)
    {
        char word[160];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, list);
        code = read_word(out, word);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return code;
}

uint32_t show_list_methods(const show_list* in)
{
    uint32_t bits = (in->bits & PELT_SHOW_CORS) != 0 ? METHOD_LIST_WITH(needs_centers) : 0;
    return bits | (in->colors == SHOW_DIFFERENCE ? 1u << in->reference : 0);
}

// ---------------------------------------------------------------------------------------------
// Joints

// Every joint of every skin; one that several skins have comes once for each.
static uint32_t list_joints(const char** names, uint32_t room, const pelt_scene* scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        for (uint32_t k = 0; k < skin->joint_count && count < room; ++k)
        {
            names[count++] = scene->nodes[skin->joints[k]].name;
        }
    }
    return count;
}

static int unknown_joint(const char* name, const pelt_scene* scene)
{
    const char* names[1024] = {0};
    uint32_t count = list_joints(names, 1024, scene);
    args_near near = args_find_near(name, names, count);
    if (near.names[0] != '\0')
    {
        return message_usage("unknown joint \"%s\"; did you mean %s?", name, near.names);
    }
    char list[300] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < count && used + strlen(names[i]) + 8 < sizeof list; ++i)
    {
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return count > 0 ? message_usage(
                           "unknown joint \"%s\"; the joints are %s; pelt info --joints lists all",
                           name, list)
                     : message_usage("unknown joint \"%s\": the input has no skin", name);
}

int show_list_find_joint(uint32_t* node, const char* name, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        for (uint32_t k = 0; k < skin->joint_count; ++k)
        {
            if (strcmp(scene->nodes[skin->joints[k]].name, name) == 0)
            {
                *node = skin->joints[k];
                return EXIT_DONE;
            }
        }
    }
    return unknown_joint(name, scene);
}

// ---------------------------------------------------------------------------------------------
// Normals

// Area-weighted normals, as engines compute them when they import a mesh without.
static bool compute_normals(pelt_mesh* inout, pelt_arena* arena)
{
    pelt_vec3* normals = pelt_arena_alloc(arena, inout->vertex_count, sizeof *normals);
    if (normals == NULL)
    {
        return false;
    }
    pelt_normals_compute(normals, inout->positions, inout->vertex_count, inout->indices,
                         inout->index_count);
    inout->normals = normals;
    return true;
}

int show_list_prepare_normals(pelt_scene* inout)
{
    uint32_t skinned_count = 0, computed_count = 0;
    pelt_mesh* meshes = pelt_arena_alloc(inout->arena, inout->mesh_count, sizeof *meshes);
    for (uint32_t i = 0; meshes != NULL && i < inout->mesh_count; ++i)
    {
        meshes[i] = inout->meshes[i];
        bool is_skinned = meshes[i].weights.first != NULL;
        skinned_count += is_skinned;
        if (is_skinned && meshes[i].normals == NULL)
        {
            if (!compute_normals(&meshes[i], inout->arena))
            {
                return message_memory();
            }
            ++computed_count;
        }
    }
    if (meshes == NULL)
    {
        return message_memory();
    }
    if (skinned_count == 0)
    {
        message_note("--show normal-error needs a skinned mesh; the input has none");
        return EXIT_INPUT;
    }
    if (computed_count > 0)
    {
        message_note("%u of %u skinned %s no normals; this picture uses normals computed from the "
                     "triangles of the rest pose",
                     computed_count, skinned_count,
                     message_plural(skinned_count, "mesh has", "meshes have"));
        inout->meshes = meshes;
    }
    return EXIT_DONE;
}
