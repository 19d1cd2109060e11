// SPDX-License-Identifier: MIT
// Skins, and meshes as glTF primitives: attributes, weights, indices, morph targets.
#include "../json/json_tree.h"
#include "gltf_write.h"
#include "pelt/prepare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SET_WIDTH = 4,
    SLOT_LIMIT = 32, // the widest list of influences that is kept slot by slot
};

// ---------------------------------------------------------------------------------------------
// Weights

// The slot of each influence: that of the source, so that it is there again when the file is read;
// or, if slots are too many or not unique, its rank among them.
typedef struct set_plan
{
    uint32_t set_count;
    bool is_by_slot;
} set_plan;

static set_plan plan_sets(const pelt_weights* weights)
{
    uint32_t width = 1;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        uint32_t seen = 0;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            uint32_t slot = weights->influences[i].slot;
            if (slot >= SLOT_LIMIT || (seen >> slot & 1u) != 0)
            {
                uint32_t most = weights->max_influences > 0 ? weights->max_influences : 1;
                return (set_plan){(most + SET_WIDTH - 1) / SET_WIDTH, false};
            }
            seen |= (uint32_t)1 << slot;
            width = slot >= width ? slot + 1 : width;
        }
    }
    return (set_plan){(width + SET_WIDTH - 1) / SET_WIDTH, true};
}

// By slot; influences in one slot keep their order, strongest first.
static int compare_slots(const void* left, const void* right)
{
    const pelt_influence *a = left, *b = right;
    return a->slot != b->slot       ? (a->slot > b->slot) - (a->slot < b->slot)
           : a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight)
                                    : (a->joint > b->joint) - (a->joint < b->joint);
}

typedef struct weight_set
{
    uint16_t* joints; // vertex_count * SET_WIDTH
    uint8_t* narrow_joints;
    float* weights;
    uint16_t* small_weights; // NULL: they are not quantized
    pelt_influence* ordered; // influences of each vertex, by slot
    uint32_t* next;          // of each vertex: the first that no set has yet
} weight_set;

// Weights as integers that sum to 65535, each off by less than 1: the remainder is passed on to the
// next influence, and the strongest begins.
static void quantize_weights(pelt_influence* inout, uint32_t count)
{
    uint32_t strongest = 0, taken = 0;
    float sum = 0.0f;
    for (uint32_t i = 1; i < count; ++i)
    {
        strongest = inout[i].weight > inout[strongest].weight ? i : strongest;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_influence* influence = &inout[(strongest + i) % count];
        sum += influence->weight;
        uint32_t end = i + 1 < count ? (uint32_t)(fminf(sum, 1.0f) * 65535.0f + 0.5f) : 65535;
        influence->weight = (float)(end - taken);
        taken = end;
    }
}

static void order_influences(const weight_set* out, const pelt_weights* weights)
{
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        uint32_t start = weights->first[v], end = weights->first[v + 1];
        out->next[v] = start;
        for (uint32_t i = start; i < end; ++i)
        {
            out->ordered[i] = weights->influences[i];
        }
        qsort(out->ordered + start, end - start, sizeof *out->ordered, compare_slots);
        if (out->small_weights != NULL)
        {
            quantize_weights(out->ordered + start, end - start);
        }
    }
}

// Sets are written one after the other, so that each influence is visited once.
static void fill_set(const weight_set* out, const pelt_weights* weights, const set_plan* plan,
                     uint32_t set)
{
    size_t size = (size_t)weights->vertex_count * SET_WIDTH;
    memset(out->joints, 0, size * sizeof *out->joints);
    memset(out->weights, 0, size * sizeof *out->weights);
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        for (uint32_t* i = &out->next[v]; *i < weights->first[v + 1]; ++*i)
        {
            const pelt_influence* influence = &out->ordered[*i];
            uint32_t slot = plan->is_by_slot ? influence->slot : *i - weights->first[v];
            if (slot / SET_WIDTH != set)
            {
                break;
            }
            size_t at = (size_t)v * SET_WIDTH + slot % SET_WIDTH;
            // An influence whose weight rounds to 0 gets joint 0, as glTF asks for.
            out->joints[at] = influence->weight > 0.0f ? influence->joint : 0;
            out->weights[at] = influence->weight;
        }
    }
    for (size_t i = 0; i < size; ++i)
    {
        out->narrow_joints[i] = (uint8_t)out->joints[i];
        if (out->small_weights != NULL)
        {
            out->small_weights[i] = (uint16_t)out->weights[i];
        }
    }
}

static void set_one(pelti_gltf_document* document, json_t* attributes, const char* name,
                    uint32_t set, const pelti_gltf_array* array)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s_%u", name, set);
    pelti_gltf_set(document, attributes, numbered,
                   json_integer(pelti_gltf_add_array(document, array)));
}

static void set_all(pelti_gltf_document* document, json_t* attributes, const pelt_weights* weights,
                    const weight_set* scratch)
{
    bool is_narrow = weights->joint_count <= UINT8_MAX + 1;
    pelti_gltf_array joints = {.data = is_narrow ? (const void*)scratch->narrow_joints
                                                 : (const void*)scratch->joints,
                               .count = weights->vertex_count,
                               .width = SET_WIDTH,
                               .component = is_narrow ? PELTI_GLTF_U8 : PELTI_GLTF_U16,
                               .use = PELTI_GLTF_VERTICES};
    bool is_small = scratch->small_weights != NULL;
    pelti_gltf_array values = {.data = is_small ? (const void*)scratch->small_weights
                                                : (const void*)scratch->weights,
                               .count = weights->vertex_count,
                               .width = SET_WIDTH,
                               .component = is_small ? PELTI_GLTF_U16 : PELTI_GLTF_FLOAT,
                               .use = PELTI_GLTF_VERTICES,
                               .is_normalized = is_small};
    set_plan plan = plan_sets(weights);
    for (uint32_t set = 0; set < plan.set_count; ++set)
    {
        fill_set(scratch, weights, &plan, set);
        set_one(document, attributes, "JOINTS", set, &joints);
        set_one(document, attributes, "WEIGHTS", set, &values);
    }
}

void pelti_gltf_set_weights(pelti_gltf_document* document, json_t* attributes,
                            const pelt_weights* weights, bool is_quantized)
{
    size_t size = (size_t)weights->vertex_count * SET_WIDTH;
    weight_set scratch = {.joints = pelt_allocate(size, sizeof *scratch.joints),
                          .narrow_joints = pelt_allocate(size, sizeof *scratch.narrow_joints),
                          .weights = pelt_allocate(size, sizeof *scratch.weights),
                          .ordered =
                              pelt_allocate(weights->influence_count, sizeof *scratch.ordered),
                          .next = pelt_allocate(weights->vertex_count, sizeof *scratch.next)};
    scratch.small_weights =
        is_quantized ? pelt_allocate(size, sizeof *scratch.small_weights) : NULL;
    if (scratch.joints != NULL && scratch.narrow_joints != NULL && scratch.weights != NULL &&
        scratch.ordered != NULL && scratch.next != NULL &&
        (scratch.small_weights != NULL || !is_quantized))
    {
        order_influences(&scratch, weights);
        set_all(document, attributes, weights, &scratch);
    }
    else
    {
        document->is_out_of_memory = true;
    }
    pelt_release(scratch.joints);
    pelt_release(scratch.narrow_joints);
    pelt_release(scratch.weights);
    pelt_release(scratch.small_weights);
    pelt_release(scratch.ordered);
    pelt_release(scratch.next);
}

// ---------------------------------------------------------------------------------------------
// Skins

uint32_t pelti_gltf_add_inverse_binds(pelti_gltf_document* document, const pelt_skin* skin)
{
    float(*matrices)[16] = pelt_allocate(skin->joint_count, sizeof *matrices);
    if (matrices == NULL)
    {
        document->is_out_of_memory = true;
        return 0;
    }
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        // By columns; the fourth row of a pelt matrix is implied.
        for (uint32_t column = 0; column < 4; ++column)
        {
            for (uint32_t row = 0; row < 3; ++row)
            {
                matrices[joint][4 * column + row] = skin->inverse_binds[joint].m[row][column];
            }
            matrices[joint][4 * column + 3] = column == 3 ? 1.0f : 0.0f;
        }
    }
    pelti_gltf_array array = {
        .data = matrices, .count = skin->joint_count, .width = 16, .component = PELTI_GLTF_FLOAT};
    uint32_t accessor = pelti_gltf_add_array(document, &array);
    pelt_release(matrices);
    return accessor;
}

void pelti_gltf_add_skins(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        json_t* joints = json_array();
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            pelti_gltf_push(document, joints, json_integer(layout->index_of[skin->joints[joint]]));
        }
        json_t* out = json_object();
        pelti_gltf_set_name(document, out, skin->name);
        pelti_gltf_set(document, out, "inverseBindMatrices",
                       json_integer(pelti_gltf_add_inverse_binds(document, skin)));
        pelti_gltf_set(document, out, "joints", joints);
        pelti_gltf_push(document, pelti_gltf_list_of(document, "skins"), out);
    }
}

// ---------------------------------------------------------------------------------------------
// ---------------------------------------------------------------------------------------------
// Primitives

typedef struct attribute
{
    const char* name;
    const void* values; // NULL: the mesh has none
    uint32_t width;
    bool has_bounds;
} attribute;

static void set_attributes(pelti_gltf_document* document, json_t* object, size_t vertex_count,
                           const attribute* attributes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (attributes[i].values == NULL)
        {
            continue;
        }
        pelti_gltf_array array = {.data = attributes[i].values,
                                  .count = vertex_count,
                                  .width = attributes[i].width,
                                  .component = PELTI_GLTF_FLOAT,
                                  .use = PELTI_GLTF_VERTICES,
                                  .has_bounds = attributes[i].has_bounds};
        uint32_t accessor = pelti_gltf_add_array(document, &array);
        pelti_gltf_set(document, object, attributes[i].name, json_integer(accessor));
    }
}

// Normal factors and their extras.
static void add_extras(pelti_gltf_document* document, json_t* extras, const char* text)
{
    json_t* more;
    pelti_json_text source = {.name = "extras", .bytes = text, .size = strlen(text)};
    pelt_result result = pelti_json_tree(&more, &source, NULL);
    document->is_out_of_memory |= result != PELT_OK || json_object_update(extras, more) != 0;
    json_decref(more);
}

static void set_normals(pelti_gltf_document* document, json_t* attributes, json_t* extras,
                        const pelt_mesh* mesh)
{
    pelt_addition* additions = NULL;
    uint32_t count = 0;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL || pelt_normal_additions(&additions, &count, 0, mesh, 0, arena) != PELT_OK)
    {
        document->is_out_of_memory = true;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_gltf_array array = pelti_gltf_array_of(&additions[i], mesh->vertex_count);
        if (array.data != NULL)
        {
            pelti_gltf_set(document, attributes, additions[i].name,
                           json_integer(pelti_gltf_add_array(document, &array)));
        }
        if (additions[i].extras != NULL)
        {
            add_extras(document, extras, additions[i].extras);
        }
    }
    pelt_arena_destroy(arena);
}

// Digest of the inputs of centers of rotation and computed mix factors.
static void set_digest(pelti_gltf_document* document, json_t* extras, const char* owner,
                       const pelt_mesh* mesh)
{
    uint64_t digest;
    char text[17];
    document->is_out_of_memory |= pelt_cor_digest(&digest, mesh) != PELT_OK;
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    pelti_gltf_set(document, extras, owner, json_pack("{s:s}", "digest", text));
}

static void set_method(pelti_gltf_document* document, json_t* extras, const pelt_mesh* mesh)
{
    pelti_gltf_set(document, extras, "pelt_skinning",
                   json_pack("{s:s}", "method", pelt_method_name(mesh->method)));
}

// Centers and mix factors as UV sets.
static void set_carrier(pelti_gltf_document* document, json_t* attributes, json_t* extras,
                        const pelt_mesh* mesh)
{
    pelt_arena* arena = pelt_arena_create();
    const char* text = arena != NULL ? pelti_carrier_extras(mesh, arena) : NULL;
    document->is_out_of_memory |= text == NULL;
    for (uint32_t set = 0; set < PELTI_CARRIER_SETS && text != NULL; ++set)
    {
        char name[32];
        attribute uvs = {name, NULL, 2, false};
        const float* values = NULL;
        document->is_out_of_memory |= pelti_carrier_uvs(&values, mesh, set, arena) != PELT_OK;
        uvs.values = values;
        snprintf(name, sizeof name, "TEXCOORD_%u", set);
        set_attributes(document, attributes, mesh->vertex_count, &uvs, 1);
    }
    if (text != NULL)
    {
        add_extras(document, extras, text);
    }
    pelt_arena_destroy(arena);
}

static json_t* make_attributes(pelti_gltf_document* document, const pelt_mesh* mesh)
{
    bool is_carried = pelti_carrier_is_texcoord(mesh);
    attribute attributes[] = {
        {"POSITION", mesh->positions, 3, true},
        {"NORMAL", mesh->normals, 3, false},
        {"TANGENT", mesh->tangents, 4, false},
        {"TEXCOORD_0", mesh->uvs, 2, false},
        {"COLOR_0", mesh->colors, 4, false},
        {"_PELT_COR", is_carried ? NULL : mesh->cors, 3, false},
        {"_PELT_MIX", is_carried ? NULL : mesh->mix_factors, 1, false},
    };
    json_t* out = json_object();
    set_attributes(document, out, mesh->vertex_count, attributes,
                   sizeof attributes / sizeof attributes[0]);
    for (uint32_t i = 1; i < PELT_MAX_UV_SETS; ++i)
    {
        char name[32];
        snprintf(name, sizeof name, "TEXCOORD_%u", i);
        const attribute uvs = {name, pelt_mesh_uvs(mesh, i), 2, false};
        set_attributes(document, out, mesh->vertex_count, &uvs, 1);
    }
    if (mesh->weights.first != NULL)
    {
        pelti_gltf_set_weights(document, out, &mesh->weights, false);
    }
    return out;
}

static json_t* make_target(pelti_gltf_document* document, const pelt_mesh* mesh,
                           const pelt_morph* morph)
{
    attribute attributes[] = {
        {"POSITION", morph->positions, 3, true},
        {"NORMAL", morph->normals, 3, false},
        {"TANGENT", morph->tangents, 3, false},
    };
    json_t* out = json_object();
    set_attributes(document, out, mesh->vertex_count, attributes,
                   sizeof attributes / sizeof attributes[0]);
    if (json_object_size(out) == 0)
    {
        // A morph target without displacements keeps its index, and glTF requires an attribute.
        pelti_gltf_array zeros = {.count = mesh->vertex_count,
                                  .width = 3,
                                  .component = PELTI_GLTF_FLOAT,
                                  .has_bounds = true};
        pelti_gltf_set(document, out, "POSITION",
                       json_integer(pelti_gltf_add_array(document, &zeros)));
    }
    return out;
}

// Sixteen bits if they suffice; 65535 itself is not an index in glTF.
uint32_t pelti_gltf_add_indices(pelti_gltf_document* document, const pelt_mesh* mesh)
{
    // Without indices, all vertices would form triangles; a triangle without area means none.
    static const uint32_t nothing[3] = {0, 0, 0};
    const uint32_t* indices = mesh->index_count > 0 ? mesh->indices : nothing;
    pelti_gltf_array array = {.data = indices,
                              .count = mesh->index_count > 0 ? mesh->index_count : 3,
                              .width = 1,
                              .component = PELTI_GLTF_U32,
                              .use = PELTI_GLTF_INDICES};
    if (mesh->vertex_count > UINT16_MAX)
    {
        return pelti_gltf_add_array(document, &array);
    }
    uint16_t* narrow = pelt_allocate(array.count, sizeof *narrow);
    if (narrow == NULL)
    {
        document->is_out_of_memory = true;
        return 0;
    }
    for (size_t i = 0; i < array.count; ++i)
    {
        narrow[i] = (uint16_t)indices[i];
    }
    array.data = narrow;
    array.component = PELTI_GLTF_U16;
    uint32_t accessor = pelti_gltf_add_array(document, &array);
    pelt_release(narrow);
    return accessor;
}

json_t* pelti_gltf_primitive(pelti_gltf_document* document, const pelt_mesh* mesh)
{
    json_t *out = json_object(), *extras = json_object();
    json_t* attributes = make_attributes(document, mesh);
    if (mesh->cors != NULL)
    {
        set_digest(document, extras, "pelt_cor", mesh);
    }
    if (mesh->mix_factors != NULL && mesh->is_mix_computed)
    {
        set_digest(document, extras, "pelt_mix", mesh);
    }
    if (mesh->normal_factors != NULL)
    {
        set_normals(document, attributes, extras, mesh);
    }
    if (pelti_carrier_is_texcoord(mesh))
    {
        set_carrier(document, attributes, extras, mesh);
    }
    if (mesh->has_method)
    {
        set_method(document, extras, mesh);
    }
    if (mesh->bounds != NULL)
    {
        json_t* bounds = pelti_bounds_describe(mesh);
        document->is_out_of_memory |= bounds == NULL || json_object_update(extras, bounds) != 0;
        json_decref(bounds);
    }
    pelti_gltf_set(document, out, "attributes", attributes);
    pelti_gltf_set(document, out, "indices", json_integer(pelti_gltf_add_indices(document, mesh)));
    if (mesh->material != PELT_NONE)
    {
        pelti_gltf_set(document, out, "material", json_integer(mesh->material));
    }
    if (mesh->morph_count > 0)
    {
        json_t* targets = json_array();
        for (uint32_t i = 0; i < mesh->morph_count; ++i)
        {
            pelti_gltf_push(document, targets, make_target(document, mesh, &mesh->morphs[i]));
        }
        pelti_gltf_set(document, out, "targets", targets);
    }
    if (json_object_size(extras) > 0)
    {
        pelti_gltf_set(document, out, "extras", json_incref(extras));
    }
    json_decref(extras);
    return out;
}

// ---------------------------------------------------------------------------------------------

// Names of morph targets are not part of glTF itself; extras.targetNames is the convention.
static void set_target_names(pelti_gltf_document* document, json_t* out, const pelt_mesh* mesh)
{
    json_t* names = json_array();
    bool has_name = false;
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        const char* name = mesh->morphs[i].name;
        has_name = has_name || name != NULL;
        name = name != NULL ? name : "";
        pelti_gltf_push(document, names, pelti_gltf_string(name, strlen(name)));
    }
    if (!has_name)
    {
        json_decref(names);
        return;
    }
    json_t* extras = json_object();
    pelti_gltf_set(document, extras, "targetNames", names);
    pelti_gltf_set(document, out, "extras", extras);
}

static json_t* make_mesh(pelti_gltf_document* document, const pelt_mesh* mesh, bool is_shared)
{
    json_t* out = json_object();
    if (is_shared && mesh->name != NULL)
    {
        pelti_gltf_set(document, out, "name",
                       pelti_gltf_string(mesh->name, pelti_gltf_base_length(mesh->name)));
    }
    else
    {
        pelti_gltf_set_name(document, out, mesh->name);
    }
    pelti_gltf_set(document, out, "primitives", json_array());
    if (mesh->morph_count > 0 && mesh->morph_weights != NULL)
    {
        pelti_gltf_set(document, out, "weights",
                       pelti_gltf_floats(document, mesh->morph_weights, mesh->morph_count));
    }
    set_target_names(document, out, mesh);
    return out;
}

void pelti_gltf_add_meshes(pelti_gltf_document* document, const pelt_scene* scene,
                           const pelti_gltf_layout* layout)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        json_t* meshes = pelti_gltf_list_of(document, "meshes");
        if (!layout->is_joined[i])
        {
            bool is_shared = i + 1 < scene->mesh_count && layout->is_joined[i + 1];
            json_t* mesh = make_mesh(document, &scene->meshes[i], is_shared);
            pelti_gltf_push(document, meshes, mesh);
        }
        json_t* mesh = json_array_get(meshes, layout->mesh_of[i]);
        json_t* primitive = pelti_gltf_primitive(document, &scene->meshes[i]);
        pelti_gltf_push(document, json_object_get(mesh, "primitives"), primitive);
    }
}
