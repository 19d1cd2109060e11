// SPDX-License-Identifier: MIT
// Arrays of fewer bits, by KHR_mesh_quantization.
#include "gltf_pack.h"

#include "../readers.h"

#include <string.h>

enum
{
    GRID = 65535, // steps of the longest side
};

// ---------------------------------------------------------------------------------------------
// Grids: one for all meshes that share inverse bind matrices

typedef struct grid
{
    pelt_bounds box;
    bool is_refused; // a mesh of it is shown without a skin, or is beyond the range of numbers
    float step;      // 0: not used
} grid;

typedef struct quantizer
{
    const pelt_scene* scene;
    uint32_t* parents; // of meshes, then skins: the union of all that share a grid
    grid* grids;       // by the root of the union
    pelt_pack_report* report;
} quantizer;

static uint32_t root_of(const quantizer* q, uint32_t i)
{
    while (q->parents[i] != i)
    {
        q->parents[i] = q->parents[q->parents[i]];
        i = q->parents[i];
    }
    return i;
}

static grid* grid_of_mesh(const quantizer* q, uint32_t mesh)
{
    return &q->grids[root_of(q, mesh)];
}

static void join_instances(quantizer* q)
{
    const pelt_scene* scene = q->scene;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin != PELT_NONE)
        {
            q->parents[root_of(q, instance->mesh)] = root_of(q, scene->mesh_count + instance->skin);
        }
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        bool is_skinned =
            instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.vertex_count > 0;
        grid_of_mesh(q, instance->mesh)->is_refused |= !is_skinned;
    }
}

static void choose_step(grid* inout)
{
    pelt_vec3 sides = pelt_vec3_sub(inout->box.max, inout->box.min);
    float longest = fmaxf(sides.x, fmaxf(sides.y, sides.z));
    bool is_usable = !inout->is_refused && longest > 0.0f && isfinite(longest);
    // The smallest normal float: inverse bind matrices must be able to divide by it.
    inout->step = is_usable && longest / GRID > 1e-30f ? longest / GRID : 0.0f;
}

// From the grid to the space of a joint.
static pelt_mat34 bind_from_grid(const pelt_mat34* bind, const grid* g)
{
    const double origin[3] = {(double)g->box.min.x, (double)g->box.min.y, (double)g->box.min.z};
    pelt_mat34 out;
    for (int row = 0; row < 3; ++row)
    {
        const float* m = bind->m[row];
        double moved = (double)m[3];
        for (int k = 0; k < 3; ++k)
        {
            out.m[row][k] = (float)((double)m[k] * (double)g->step);
            moved += (double)m[k] * origin[k];
        }
        out.m[row][3] = (float)moved;
    }
    return out;
}

// Matrices that would leave the range of float.
static void refuse_far_binds(quantizer* q)
{
    const pelt_scene* scene = q->scene;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        grid* g = &q->grids[root_of(q, scene->mesh_count + i)];
        for (uint32_t k = 0; g->step > 0.0f && k < scene->skins[i].joint_count; ++k)
        {
            pelt_mat34 bind = bind_from_grid(&scene->skins[i].inverse_binds[k], g);
            for (int n = 0; n < 12; ++n)
            {
                g->step = isfinite((&bind.m[0][0])[n]) ? g->step : 0.0f;
            }
        }
    }
}

static pelt_result find_grids(quantizer* q, pelt_arena* arena, pelt_error* error)
{
    const pelt_scene* scene = q->scene;
    size_t count = (size_t)scene->mesh_count + scene->skin_count;
    q->parents = pelt_arena_alloc(arena, count, sizeof *q->parents);
    q->grids = pelt_arena_alloc(arena, count, sizeof *q->grids);
    if (q->parents == NULL || q->grids == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        q->parents[i] = i;
        q->grids[i].box = pelt_bounds_empty();
    }
    join_instances(q);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        pelt_bounds_add(&grid_of_mesh(q, i)->box, scene->meshes[i].positions,
                        scene->meshes[i].vertex_count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        // A mesh alone is one that no skin moves.
        q->grids[i].is_refused |= i < scene->mesh_count;
        choose_step(&q->grids[i]);
    }
    refuse_far_binds(q);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Arrays

// Numbers of a mesh as integers of an array that is added under a name.
typedef struct integers
{
    pelti_gltf_component component; // S8, S16 or U16
    bool is_normalized;
    uint32_t width, stride; // numbers of an element, and floats from one to the next
    const float* values;
    const float* origin; // width numbers, or NULL: zeros
    float scale;         // integers for 1
} integers;

static int32_t round_at(const integers* in, size_t vertex, uint32_t k)
{
    float origin = in->origin != NULL ? in->origin[k] : 0.0f;
    return (int32_t)lrintf((in->values[vertex * in->stride + k] - origin) * in->scale);
}

static void write_integer(void* out, size_t index, pelti_gltf_component component, int32_t value)
{
    if (component == PELTI_GLTF_S8)
    {
        ((int8_t*)out)[index] = (int8_t)value;
    }
    else if (component == PELTI_GLTF_S16)
    {
        ((int16_t*)out)[index] = (int16_t)value;
    }
    else
    {
        ((uint16_t*)out)[index] = (uint16_t)value;
    }
}

static void set_integers(pelti_gltf_document* document, json_t* object, const char* name,
                         const integers* in, uint32_t count, pelti_gltf_use use)
{
    uint16_t* memory = pelt_allocate((size_t)count * in->width + 1, sizeof *memory);
    if (memory == NULL)
    {
        document->is_out_of_memory = true;
        return;
    }
    for (size_t v = 0; v < count; ++v)
    {
        for (uint32_t k = 0; k < in->width; ++k)
        {
            write_integer(memory, v * in->width + k, in->component, round_at(in, v, k));
        }
    }
    pelti_gltf_array array = {.data = memory,
                              .count = count,
                              .width = in->width,
                              .component = in->component,
                              .use = use,
                              .is_normalized = in->is_normalized,
                              .is_padded = use == PELTI_GLTF_VERTICES};
    pelti_gltf_set(document, object, name, json_integer(pelti_gltf_add_array(document, &array)));
    pelt_release(memory);
}

// Whether all numbers are at least low and at most high.
static bool are_within(const float* values, size_t count, float low, float high)
{
    bool is_within = true;
    for (size_t i = 0; i < count && is_within; ++i)
    {
        is_within = values[i] >= low && values[i] <= high;
    }
    return is_within;
}

// An attribute between -1 and 1, if the primitive has it.
static void set_fractions(pelti_gltf_document* document, json_t* object, const char* name,
                          const float* values, uint32_t width, uint32_t count, bool is_small)
{
    size_t number_count = (size_t)width * count;
    if (values == NULL || json_object_get(object, name) == NULL ||
        !are_within(values, number_count, -1.0f, 1.0f))
    {
        return;
    }
    bool is_positive = !is_small && are_within(values, number_count, 0.0f, 1.0f);
    integers in = {.component = is_small      ? PELTI_GLTF_S8
                                : is_positive ? PELTI_GLTF_U16
                                              : PELTI_GLTF_S16,
                   .is_normalized = true,
                   .width = width,
                   .stride = width,
                   .values = values,
                   .scale = is_small      ? 127.0f
                            : is_positive ? 65535.0f
                                          : 32767.0f};
    set_integers(document, object, name, &in, count, PELTI_GLTF_VERTICES);
}

// glTF requires the bounds of positions as they are stored.
static void set_bounds(pelti_gltf_document* document, const json_t* object, const integers* in,
                       uint32_t count)
{
    json_t* accessor =
        json_array_get(pelti_gltf_list_of(document, "accessors"),
                       (size_t)json_integer_value(json_object_get(object, "POSITION")));
    json_t *low = json_array(), *high = json_array();
    for (uint32_t k = 0; k < in->width; ++k)
    {
        int32_t least = count > 0 ? INT32_MAX : 0, most = count > 0 ? INT32_MIN : 0;
        for (uint32_t v = 0; v < count; ++v)
        {
            int32_t value = round_at(in, v, k);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        pelti_gltf_push(document, low, json_integer(least));
        pelti_gltf_push(document, high, json_integer(most));
    }
    pelti_gltf_set(document, accessor, "min", low);
    pelti_gltf_set(document, accessor, "max", high);
}

static void set_positions(pelti_gltf_document* document, json_t* object, const grid* g,
                          const pelt_vec3* positions, uint32_t count)
{
    const integers in = {.component = PELTI_GLTF_U16,
                         .width = 3,
                         .stride = 3,
                         .values = &positions->x,
                         .origin = &g->box.min.x,
                         .scale = 1.0f / g->step};
    set_integers(document, object, "POSITION", &in, count, PELTI_GLTF_VERTICES);
    set_bounds(document, object, &in, count);
}

// Displacements in steps of the grid: integers if they fit, otherwise floats.
static void set_displacements(pelti_gltf_document* document, json_t* target, const grid* g,
                              const pelt_vec3* deltas, uint32_t count)
{
    float limit = 32767.0f * g->step;
    if (deltas == NULL || json_object_get(target, "POSITION") == NULL)
    {
        return;
    }
    integers in = {.component = PELTI_GLTF_S16,
                   .width = 3,
                   .stride = 3,
                   .values = &deltas->x,
                   .scale = 1.0f / g->step};
    if (are_within(&deltas->x, (size_t)3 * count, -limit, limit))
    {
        set_integers(document, target, "POSITION", &in, count, PELTI_GLTF_VERTICES);
        set_bounds(document, target, &in, count);
        return;
    }
    pelt_vec3* scaled = pelt_allocate((size_t)count + 1, sizeof *scaled);
    if (scaled == NULL)
    {
        document->is_out_of_memory = true;
        return;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        scaled[v] = pelt_vec3_scale(deltas[v], 1.0f / g->step);
    }
    pelti_gltf_array array = {.data = scaled,
                              .count = count,
                              .width = 3,
                              .component = PELTI_GLTF_FLOAT,
                              .use = PELTI_GLTF_VERTICES,
                              .has_bounds = true};
    pelti_gltf_set(document, target, "POSITION",
                   json_integer(pelti_gltf_add_array(document, &array)));
    pelt_release(scaled);
}

// ---------------------------------------------------------------------------------------------
// Meshes

// Data that depend on the positions are computed again for the new ones.
static void remove_prepared(json_t* primitive)
{
    static const char* const members[] = {"pelt_cor", "pelt_normals", "pelt_bounds", "pelt_carrier",
                                          "pelt_mix"};
    json_t* attributes = json_object_get(primitive, "attributes");
    json_t* extras = json_object_get(primitive, "extras");
    const json_t* carrier = json_object_get(extras, "pelt_carrier");
    const char* key;
    json_t* value;
    void* next;
    json_object_foreach_safe(attributes, next, key, value)
    {
        if (strncmp(key, "_PELT_", 6) == 0)
        {
            json_object_del(attributes, key);
        }
    }
    if (carrier != NULL)
    {
        // UV sets after those of the mesh are carriers of data.
        json_int_t own = json_integer_value(json_object_get(carrier, "texcoord"));
        for (json_int_t set = own; set < PELTI_CARRIER_SETS; ++set)
        {
            char name[32];
            snprintf(name, sizeof name, "TEXCOORD_%d", (int)set);
            json_object_del(attributes, name);
        }
    }
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i)
    {
        json_object_del(extras, members[i]);
    }
    if (extras != NULL && json_object_size(extras) == 0)
    {
        json_object_del(primitive, "extras");
    }
}

static void quantize_directions(pelti_gltf_document* document, json_t* attributes,
                                const pelt_mesh* mesh)
{
    uint32_t count = mesh->vertex_count;
    set_fractions(document, attributes, "NORMAL", mesh->normals != NULL ? &mesh->normals->x : NULL,
                  3, count, true);
    set_fractions(document, attributes, "TANGENT",
                  mesh->tangents != NULL ? &mesh->tangents->x : NULL, 4, count, true);
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS; ++i)
    {
        char name[32];
        const pelt_vec2* uvs = pelt_mesh_uvs(mesh, i);
        snprintf(name, sizeof name, "TEXCOORD_%u", i);
        set_fractions(document, attributes, name, uvs != NULL ? &uvs->x : NULL, 2, count, false);
    }
}

static void quantize_targets(pelti_gltf_document* document, json_t* targets, const grid* g,
                             const pelt_mesh* mesh)
{
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        const pelt_morph* morph = &mesh->morphs[i];
        json_t* target = json_array_get(targets, i);
        if (g->step > 0.0f)
        {
            set_displacements(document, target, g, morph->positions, mesh->vertex_count);
        }
        set_fractions(document, target, "NORMAL",
                      morph->normals != NULL ? &morph->normals->x : NULL, 3, mesh->vertex_count,
                      true);
        set_fractions(document, target, "TANGENT",
                      morph->tangents != NULL ? &morph->tangents->x : NULL, 3, mesh->vertex_count,
                      true);
    }
}

static void quantize_weights(pelti_gltf_document* document, json_t* attributes,
                             const pelt_mesh* mesh)
{
    const char* key;
    json_t* value;
    void* next;
    if (mesh->weights.vertex_count == 0)
    {
        return;
    }
    json_object_foreach_safe(attributes, next, key, value)
    {
        if (strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0)
        {
            json_object_del(attributes, key);
        }
    }
    pelti_gltf_set_weights(document, attributes, &mesh->weights, true);
}

static void quantize_mesh(pelti_gltf_copy* copy, const quantizer* q, uint32_t index)
{
    const pelt_mesh* mesh = &q->scene->meshes[index];
    const grid* g = grid_of_mesh(q, index);
    json_t* primitive = copy->primitives[index];
    json_t* attributes = json_object_get(primitive, "attributes");
    remove_prepared(primitive);
    if (g->step > 0.0f)
    {
        set_positions(copy->document, attributes, g, mesh->positions, mesh->vertex_count);
    }
    quantize_directions(copy->document, attributes, mesh);
    quantize_targets(copy->document, json_object_get(primitive, "targets"), g, mesh);
    quantize_weights(copy->document, attributes, mesh);
    q->report->mesh_count += g->step > 0.0f;
    q->report->unpacked_count += !(g->step > 0.0f);
}

// Inverse bind matrices lead from the grid to the space of the joint.
static pelt_result quantize_skin(pelti_gltf_copy* copy, const quantizer* q, uint32_t index)
{
    const pelt_skin* skin = &q->scene->skins[index];
    const grid* g = &q->grids[root_of(q, q->scene->mesh_count + index)];
    json_t* out = json_array_get(json_object_get(copy->document->root, "skins"), index);
    if (g->step == 0.0f)
    {
        return PELT_OK;
    }
    pelt_mat34* binds = pelt_allocate((size_t)skin->joint_count + 1, sizeof *binds);
    if (binds == NULL)
    {
        return pelt_error_memory(copy->error);
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        binds[i] = bind_from_grid(&skin->inverse_binds[i], g);
    }
    pelt_skin moved = *skin;
    moved.inverse_binds = binds;
    pelti_gltf_set(copy->document, out, "inverseBindMatrices",
                   json_integer(pelti_gltf_add_inverse_binds(copy->document, &moved)));
    pelt_release(binds);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Rotations of clips

static double number_at(const json_t* object, const char* member)
{
    return json_number_value(json_object_get(object, member));
}

// An index; what cannot be one is SIZE_MAX, which no array has.
static size_t index_at(const json_t* object, const char* member)
{
    double value = number_at(object, member);
    return value >= 0.0 && value < 4294967296.0 ? (size_t)value : SIZE_MAX;
}

// The floats of a plain accessor, where the document has them. @return NULL: it is another kind
static const uint8_t* find_floats(const pelti_gltf_document* document, const json_t* accessor,
                                  uint32_t width)
{
    const json_t* view = json_array_get(json_object_get(document->root, "bufferViews"),
                                        index_at(accessor, "bufferView"));
    double offset = number_at(view, "byteOffset") + number_at(accessor, "byteOffset");
    double size = 4.0 * width * number_at(accessor, "count");
    bool is_plain = json_object_get(accessor, "bufferView") != NULL && view != NULL &&
                    json_object_get(accessor, "sparse") == NULL &&
                    json_object_get(view, "extensions") == NULL &&
                    json_object_get(view, "byteStride") == NULL &&
                    number_at(accessor, "componentType") == PELTI_GLTF_FLOAT &&
                    number_at(view, "buffer") == (double)document->buffer;
    return is_plain && offset >= 0.0 && size > 0.0 && offset + size <= (double)document->size
               ? document->bytes + (size_t)offset
               : NULL;
}

static void quantize_rotations(pelti_gltf_document* document, json_t* sampler)
{
    const json_t* accessor =
        json_array_get(json_object_get(document->root, "accessors"), index_at(sampler, "output"));
    const char* interpolation = json_string_value(json_object_get(sampler, "interpolation"));
    const uint8_t* bytes = find_floats(document, accessor, 4);
    bool is_cubic = interpolation != NULL && strcmp(interpolation, "CUBICSPLINE") == 0;
    if (bytes == NULL || is_cubic)
    {
        return;
    }
    uint32_t count = (uint32_t)number_at(accessor, "count");
    // A copy: the bytes of the document move when it grows.
    float* values = pelt_allocate((size_t)4 * count, sizeof *values);
    if (values == NULL)
    {
        document->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < (size_t)4 * count; ++i)
    {
        const uint8_t* b = bytes + 4 * i;
        uint32_t word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        memcpy(&values[i], &word, sizeof word);
    }
    if (are_within(values, (size_t)4 * count, -1.0f, 1.0f))
    {
        const integers in = {.component = PELTI_GLTF_S16,
                             .is_normalized = true,
                             .width = 4,
                             .stride = 4,
                             .values = values,
                             .scale = 32767.0f};
        set_integers(document, sampler, "output", &in, count, PELTI_GLTF_PLAIN);
    }
    pelt_release(values);
}

static void quantize_clips(pelti_gltf_document* document)
{
    const json_t* clips = json_object_get(document->root, "animations");
    for (size_t c = 0; c < json_array_size(clips); ++c)
    {
        const json_t* clip = json_array_get(clips, c);
        const json_t* channels = json_object_get(clip, "channels");
        for (size_t i = 0; i < json_array_size(channels); ++i)
        {
            const json_t* channel = json_array_get(channels, i);
            const char* path =
                json_string_value(json_object_get(json_object_get(channel, "target"), "path"));
            if (path != NULL && strcmp(path, "rotation") == 0)
            {
                quantize_rotations(document, json_array_get(json_object_get(clip, "samplers"),
                                                            index_at(channel, "sampler")));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------

static pelt_result unpack_draco(pelti_gltf_copy* copy)
{
    uint32_t* is_wanted = pelt_allocate((size_t)copy->primitive_count + 1, sizeof *is_wanted);
    if (is_wanted == NULL)
    {
        return pelt_error_memory(copy->error);
    }
    for (uint32_t i = 0; i < copy->primitive_count; ++i)
    {
        is_wanted[i] = 1;
    }
    pelt_result result = pelti_gltf_unpack_draco(copy, is_wanted);
    pelt_release(is_wanted);
    return result;
}

static pelt_result quantize(pelti_gltf_copy* copy, const void* user)
{
    const quantizer* q = user;
    PELT_TRY(unpack_draco(copy));
    for (uint32_t i = 0; i < q->scene->mesh_count; ++i)
    {
        quantize_mesh(copy, q, i);
    }
    for (uint32_t i = 0; i < q->scene->skin_count; ++i)
    {
        PELT_TRY(quantize_skin(copy, q, i));
    }
    quantize_clips(copy->document);
    pelti_gltf_require(copy->document, "KHR_mesh_quantization");
    return PELT_OK;
}

pelt_result pelti_gltf_quantize(pelt_source* out, const pelt_source* source,
                                const pelt_scene* scene, pelt_pack_report* report,
                                pelt_error* error)
{
    quantizer q = {.scene = scene, .report = report};
    const pelti_gltf_edits edits = {.run = quantize, .user = &q, .is_self_contained = true};
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL ? find_grids(&q, arena, error) : pelt_error_memory(error);
    result = result == PELT_OK ? pelti_gltf_repack(out, source, &edits, error) : result;
    pelt_arena_destroy(arena);
    return result;
}
