// SPDX-License-Identifier: MIT
// Faults of a glTF file that this reader accepts and other programs may not. They are searched on
// request, after everything has been read and checked.
#include "gltf_read.h"

#include <stdio.h>
#include <string.h>

enum
{
    SET_WIDTH = 4,
    MAX_SETS = 256, // as the reader of weights
    VIEW_SHARED = 1,
    VIEW_UNALIGNED = 2,
    VIEW_STRIDE = 4,
};

// Uses of a buffer view so far.
typedef struct view_use
{
    uint32_t accessor; // of a vertex attribute, counted from 1; 0: none
    uint32_t faults;   // VIEW_ bits
} view_use;

typedef struct check
{
    pelti_gltf* g;
    view_use* views;
    uint32_t* tops; // for each glTF node the topmost node above it
} check;

static const char* name_of(const pelti_json* object)
{
    const char* name = pelti_json_string(pelti_json_get(object, "name"));
    return name != NULL ? name : "-";
}

// An index that an earlier step has checked, or PELT_NONE.
static uint32_t index_at(const pelti_json* object, const char* member, uint32_t count)
{
    const pelti_json* value = pelti_json_get(object, member);
    bool is_index = pelti_json_is(value, PELTI_JSON_NUMBER) && value->as.number >= 0.0 &&
                    value->as.number < (double)count;
    return is_index ? (uint32_t)value->as.number : PELT_NONE;
}

static uint32_t accessor_at(const check* c, const pelti_json* object, const char* member)
{
    return index_at(object, member, c->g->lists[PELTI_GLTF_ACCESSORS].count);
}

// ---------------------------------------------------------------------------------------------
// Bounds

static bool lacks_bounds(const check* c, uint32_t accessor)
{
    if (accessor == PELT_NONE)
    {
        return false;
    }
    const pelti_json* json = pelti_gltf_item(c->g, PELTI_GLTF_ACCESSORS, accessor);
    return pelti_json_size(pelti_json_get(json, "min")) == 0 ||
           pelti_json_size(pelti_json_get(json, "max")) == 0;
}

static pelt_result check_clip_bounds(const check* c, uint32_t clip)
{
    const pelti_json* json = pelti_gltf_item(c->g, PELTI_GLTF_ANIMATIONS, clip);
    const pelti_json* samplers = pelti_json_get(json, "samplers");
    uint32_t count = 0;
    for (size_t i = 0; i < pelti_json_size(samplers); ++i)
    {
        count += lacks_bounds(c, accessor_at(c, pelti_json_at(samplers, i), "input"));
    }
    return count == 0
               ? PELT_OK
               : pelti_gltf_repair_count(c->g, PELT_REPAIR_MISSING_BOUNDS, count,
                                         "clip \"%.60s\": the key times of %u %s no min and "
                                         "max",
                                         name_of(json), count,
                                         pelti_plural(count, "sampler have", "samplers have"));
}

// ---------------------------------------------------------------------------------------------
// Byte strides

static uint32_t element_size(const pelti_json* accessor)
{
    static const struct
    {
        const char* name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const pelti_json* component = pelti_json_get(accessor, "componentType");
    const char* type = pelti_json_string(pelti_json_get(accessor, "type"));
    double code = pelti_json_is(component, PELTI_JSON_NUMBER) ? component->as.number : 0.0;
    uint32_t size = code == PELTI_COMPONENT_S8 || code == PELTI_COMPONENT_U8     ? 1
                    : code == PELTI_COMPONENT_S16 || code == PELTI_COMPONENT_U16 ? 2
                                                                                 : 4;
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; ++i)
    {
        if (strcmp(type, types[i].name) == 0)
        {
            return size * types[i].width;
        }
    }
    return 4;
}

static double number_at(const pelti_json* object, const char* member)
{
    const pelti_json* value = pelti_json_get(object, member);
    return pelti_json_is(value, PELTI_JSON_NUMBER) ? value->as.number : 0.0;
}

static view_use* view_of(const check* c, uint32_t accessor, const pelti_json** json)
{
    const pelti_gltf* g = c->g;
    const pelti_json* item =
        accessor != PELT_NONE ? pelti_gltf_item(g, PELTI_GLTF_ACCESSORS, accessor) : NULL;
    uint32_t view = index_at(item, "bufferView", g->lists[PELTI_GLTF_BUFFER_VIEWS].count);
    *json = view != PELT_NONE ? pelti_gltf_item(g, PELTI_GLTF_BUFFER_VIEWS, view) : NULL;
    return view != PELT_NONE ? &c->views[view] : NULL;
}

// Elements of vertex attributes begin at multiples of four bytes, and two in one view have a
// stride.
static void use_attribute(const check* c, uint32_t accessor)
{
    const pelti_json* view;
    view_use* use = view_of(c, accessor, &view);
    if (use == NULL)
    {
        return;
    }
    const pelti_json* json = pelti_gltf_item(c->g, PELTI_GLTF_ACCESSORS, accessor);
    bool has_stride = pelti_json_get(view, "byteStride") != NULL;
    double stride = has_stride ? number_at(view, "byteStride") : element_size(json);
    bool is_aligned = fmod(stride, 4.0) == 0.0 && fmod(number_at(json, "byteOffset"), 4.0) == 0.0;
    bool is_shared = use->accessor != 0 && use->accessor != accessor + 1;
    use->faults |= is_shared && !has_stride ? VIEW_SHARED : 0;
    use->faults |= is_aligned ? 0 : VIEW_UNALIGNED;
    use->accessor = accessor + 1;
}

// All other arrays are packed.
static void use_packed(const check* c, uint32_t accessor)
{
    const pelti_json* view;
    view_use* use = view_of(c, accessor, &view);
    if (use != NULL && pelti_json_get(view, "byteStride") != NULL)
    {
        use->faults |= VIEW_STRIDE;
    }
}

static void use_attributes(const check* c, const pelti_json* attributes)
{
    bool has_names = pelti_json_is(attributes, PELTI_JSON_OBJECT);
    for (uint32_t i = 0; has_names && i < attributes->count; ++i)
    {
        use_attribute(c, accessor_at(c, attributes, attributes->as.values[2 * i].as.string));
    }
}

static pelt_result check_strides(const check* c)
{
    static const struct
    {
        uint32_t fault;
        const char *one, *many;
    } kinds[] = {
        {VIEW_SHARED, "buffer view is shared by vertex attributes and has no byteStride",
         "buffer views are shared by vertex attributes and have no byteStride"},
        {VIEW_UNALIGNED, "buffer view has vertex attributes that are not at multiples of 4 bytes",
         "buffer views have vertex attributes that are not at multiples of 4 bytes"},
        {VIEW_STRIDE, "buffer view has a byteStride, but no vertex attributes",
         "buffer views have a byteStride, but no vertex attributes"},
    };
    uint32_t count = c->g->lists[PELTI_GLTF_BUFFER_VIEWS].count;
    pelt_result result = PELT_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && result == PELT_OK; ++k)
    {
        uint32_t found = 0, first = 0;
        for (uint32_t i = count; i-- > 0;)
        {
            bool is_faulty = (c->views[i].faults & kinds[k].fault) != 0;
            found += is_faulty;
            first = is_faulty ? i : first;
        }
        if (found > 0)
        {
            result = pelti_gltf_repair_count(
                c->g, PELT_REPAIR_BYTE_STRIDE, found, "%u %s (first: /bufferViews/%u)", found,
                pelti_plural(found, kinds[k].one, kinds[k].many), first);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Meshes

static pelt_result open_set(pelti_accessor* out, const check* c, const pelti_json* attributes,
                            const char* noun, uint32_t n)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%u", noun, n);
    pelti_json_path at = {.member = name};
    return pelti_accessor_open(out, c->g, accessor_at(c, attributes, name), &at);
}

// Vertices with a joint past the end of the skin, in a slot without weight.
static pelt_result count_padding(size_t* out, const check* c, const pelti_json* attributes,
                                 uint32_t n, uint32_t joint_count)
{
    pelti_accessor joints, weights;
    pelt_result result = open_set(&joints, c, attributes, "JOINTS", n);
    if (result == PELT_OK)
    {
        result = open_set(&weights, c, attributes, "WEIGHTS", n);
    }
    if (result != PELT_OK || joints.width != SET_WIDTH || weights.width != SET_WIDTH ||
        weights.count != joints.count || !pelti_accessor_is_unsigned(&joints))
    {
        return result;
    }
    // The reader has had as much for them.
    size_t total = (size_t)SET_WIDTH * joints.count;
    uint32_t* indices = pelt_allocate(total + 1, sizeof *indices);
    float* numbers = pelt_allocate(total + 1, sizeof *numbers);
    result = indices != NULL && numbers != NULL ? PELT_OK : pelt_error_memory(c->g->error);
    if (result == PELT_OK)
    {
        pelti_accessor_integers(indices, SET_WIDTH, &joints);
        pelti_accessor_floats(numbers, SET_WIDTH, &weights);
    }
    for (size_t first = 0; first < total && result == PELT_OK; first += SET_WIDTH)
    {
        bool is_past = false;
        for (size_t k = first; k < first + SET_WIDTH; ++k)
        {
            is_past |= indices[k] >= joint_count && numbers[k] == 0.0f;
        }
        *out += is_past;
    }
    pelt_release(indices);
    pelt_release(numbers);
    return result;
}

// Whether glTF allows the component type of an accessor for joints, or for weights.
static bool is_allowed_type(const check* c, uint32_t accessor, bool is_joints)
{
    const pelti_json* json = pelti_gltf_item(c->g, PELTI_GLTF_ACCESSORS, accessor);
    const pelti_json* normalized = pelti_json_get(json, "normalized");
    double type = number_at(json, "componentType");
    bool is_small = type == PELTI_COMPONENT_U8 || type == PELTI_COMPONENT_U16;
    bool is_normalized = pelti_json_is(normalized, PELTI_JSON_TRUE);
    return is_joints ? is_small && !is_normalized
                     : type == PELTI_COMPONENT_F32 || (is_small && is_normalized);
}

// The joints and weights of a primitive, set by set.
static pelt_result check_skin(const check* c, const pelti_json* attributes, uint32_t mesh,
                              const char* name)
{
    uint32_t joint_count = c->g->meshes[mesh].joint_count, odd_types = 0;
    size_t count = 0;
    pelt_result result = PELT_OK;
    for (uint32_t n = 0; n < MAX_SETS && joint_count > 0 && result == PELT_OK; ++n)
    {
        char names[2][32];
        snprintf(names[0], sizeof names[0], "JOINTS_%u", n);
        snprintf(names[1], sizeof names[1], "WEIGHTS_%u", n);
        uint32_t joints = accessor_at(c, attributes, names[0]);
        uint32_t weights = accessor_at(c, attributes, names[1]);
        if (joints == PELT_NONE || weights == PELT_NONE)
        {
            break;
        }
        odd_types += is_allowed_type(c, joints, true) ? 0 : 1;
        odd_types += is_allowed_type(c, weights, false) ? 0 : 1;
        result = count_padding(&count, c, attributes, n, joint_count);
    }
    if (result == PELT_OK && odd_types > 0)
    {
        result = pelti_gltf_repair_count(
            c->g, PELT_REPAIR_SKIN_TYPES, odd_types,
            "mesh \"%.60s\": %u %s a component type that glTF does not allow", name, odd_types,
            pelti_plural(odd_types, "accessor of joints or weights has",
                         "accessors of joints or weights have"));
    }
    return result != PELT_OK || count == 0
               ? result
               : pelti_gltf_repair_count(c->g, PELT_REPAIR_PADDING_JOINTS, count,
                                         "mesh \"%.60s\": %zu %s joints past the %u of the skin, "
                                         "with weight 0",
                                         name, count,
                                         pelti_plural(count, "vertex names", "vertices name"),
                                         joint_count);
}

static pelt_result check_primitive(const check* c, const pelti_json* primitive, uint32_t mesh,
                                   uint32_t slot)
{
    pelti_gltf* g = c->g;
    const pelti_json* attributes = pelti_json_get(primitive, "attributes");
    const pelti_json* targets = pelti_json_get(primitive, "targets");
    bool is_in_scene = slot < g->meshes[mesh].count;
    uint32_t index = g->meshes[mesh].first + (is_in_scene ? slot : 0);
    const char* name = is_in_scene && g->scene->meshes[index].name != NULL
                           ? g->scene->meshes[index].name
                           : name_of(pelti_gltf_item(g, PELTI_GLTF_MESHES, mesh));
    use_attributes(c, attributes);
    use_packed(c, accessor_at(c, primitive, "indices"));
    uint32_t missing = lacks_bounds(c, accessor_at(c, attributes, "POSITION"));
    for (size_t i = 0; i < pelti_json_size(targets); ++i)
    {
        const pelti_json* target = pelti_json_at(targets, i);
        use_attributes(c, target);
        missing += lacks_bounds(c, accessor_at(c, target, "POSITION"));
    }
    g->repairs.mesh_number = is_in_scene ? index + 1 : 0;
    pelt_result result = PELT_OK;
    if (missing > 0)
    {
        result = pelti_gltf_repair_count(
            g, PELT_REPAIR_MISSING_BOUNDS, missing, "mesh \"%.60s\": %u %s no min and max", name,
            missing, pelti_plural(missing, "POSITION accessor has", "POSITION accessors have"));
    }
    if (result == PELT_OK && is_in_scene)
    {
        result = check_skin(c, attributes, mesh, name);
    }
    g->repairs.mesh_number = 0;
    return result;
}

static pelt_result check_meshes(const check* c)
{
    pelt_result result = PELT_OK;
    for (uint32_t m = 0; m < c->g->lists[PELTI_GLTF_MESHES].count; ++m)
    {
        const pelti_json* primitives =
            pelti_json_get(pelti_gltf_item(c->g, PELTI_GLTF_MESHES, m), "primitives");
        uint32_t slot = 0; // among those with triangles, which are the meshes of the scene
        for (uint32_t i = 0; i < pelti_json_size(primitives) && result == PELT_OK; ++i)
        {
            const pelti_json* primitive = pelti_json_at(primitives, i);
            const pelti_json* mode = pelti_json_get(primitive, "mode");
            const pelti_json* attributes = pelti_json_get(primitive, "attributes");
            if ((!pelti_json_is(mode, PELTI_JSON_NUMBER) || mode->as.number >= 4.0) &&
                pelti_json_get(attributes, "POSITION") != NULL)
            {
                result = check_primitive(c, primitive, m, slot++);
            }
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Skins

// The topmost ancestor of each node; paths are walked once.
static void find_tops(const check* c)
{
    const pelti_gltf_node* nodes = c->g->nodes;
    for (uint32_t i = 0; i < c->g->lists[PELTI_GLTF_NODES].count; ++i)
    {
        uint32_t top = i;
        while (nodes[top].parent != PELT_NONE && c->tops[top] == PELT_NONE)
        {
            top = nodes[top].parent;
        }
        top = c->tops[top] != PELT_NONE ? c->tops[top] : top;
        for (uint32_t n = i; n != PELT_NONE && c->tops[n] == PELT_NONE; n = nodes[n].parent)
        {
            c->tops[n] = top;
        }
    }
}

// Joints that are not below a node.
// @param is_below  scratch, one for each glTF node: 0 not known, 1 below, 2 not
static uint32_t count_outside(const check* c, const pelti_json* joints, uint32_t root,
                              uint8_t* is_below)
{
    const pelti_gltf_node* nodes = c->g->nodes;
    uint32_t node_count = c->g->lists[PELTI_GLTF_NODES].count, count = 0;
    memset(is_below, 0, node_count);
    is_below[root] = 1;
    for (size_t i = 0; i < pelti_json_size(joints); ++i)
    {
        uint32_t joint = (uint32_t)pelti_json_at(joints, i)->as.number, n = joint;
        while (is_below[n] == 0 && nodes[n].parent != PELT_NONE)
        {
            n = nodes[n].parent;
        }
        uint8_t verdict = is_below[n] != 0 ? is_below[n] : 2;
        for (n = joint; n != PELT_NONE && is_below[n] == 0; n = nodes[n].parent)
        {
            is_below[n] = verdict;
        }
        count += verdict == 2;
    }
    return count;
}

static pelt_result check_root(const check* c, const pelti_json* skin, const char* name,
                              uint8_t* is_below)
{
    const pelti_json* joints = pelti_json_get(skin, "joints");
    uint32_t root = index_at(skin, "skeleton", c->g->lists[PELTI_GLTF_NODES].count), strays = 0;
    uint32_t first = (uint32_t)pelti_json_at(joints, 0)->as.number;
    for (size_t i = 0; i < pelti_json_size(joints); ++i)
    {
        strays += c->tops[(uint32_t)pelti_json_at(joints, i)->as.number] != c->tops[first];
    }
    if (strays > 0)
    {
        return pelti_gltf_repair_count(c->g, PELT_REPAIR_SKELETON_ROOT, strays,
                                       "skin \"%.60s\": %u %s no root in common with the first",
                                       name, strays,
                                       pelti_plural(strays, "joint has", "joints have"));
    }
    uint32_t outside = root != PELT_NONE ? count_outside(c, joints, root, is_below) : 0;
    return outside == 0
               ? PELT_OK
               : pelti_gltf_repair_count(c->g, PELT_REPAIR_SKELETON_ROOT, outside,
                                         "skin \"%.60s\": %u %s not below node %u, which the skin "
                                         "names as skeleton",
                                         name, outside,
                                         pelti_plural(outside, "joint is", "joints are"), root);
}

static pelt_result check_rows(const check* c, uint32_t accessor, const char* name)
{
    static const float expected[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    pelti_accessor binds;
    pelti_json_path at = {.member = "inverseBindMatrices"};
    pelt_result result = pelti_accessor_open(&binds, c->g, accessor, &at);
    float* memory = result == PELT_OK && binds.width == 16
                        ? pelt_allocate((size_t)binds.count + 1, 16 * sizeof *memory)
                        : NULL;
    if (memory == NULL)
    {
        return result == PELT_OK ? pelt_error_memory(c->g->error) : result;
    }
    pelti_accessor_floats(memory, 16, &binds);
    uint32_t count = 0;
    float worst = 0.0f;
    for (uint32_t i = 0; i < binds.count; ++i)
    {
        const float* columns = memory + (size_t)16 * i;
        float off = 0.0f;
        for (int k = 0; k < 4; ++k)
        {
            off = fmaxf(off, fabsf(columns[4 * k + 3] - expected[k]));
        }
        count += off > 0.0f;
        worst = fmaxf(worst, off);
    }
    pelt_release(memory);
    return count == 0
               ? PELT_OK
               : pelti_gltf_repair_count(
                     c->g, PELT_REPAIR_BIND_ROW, count,
                     "skin \"%.60s\": the last row of %u inverse bind %s not 0 0 0 1, by "
                     "up to %.2g",
                     name, count, pelti_plural(count, "matrix is", "matrices is"), (double)worst);
}

static pelt_result check_skins(const check* c)
{
    void* is_below = NULL;
    pelt_result result =
        pelti_gltf_alloc_scratch(&is_below, c->g, c->g->lists[PELTI_GLTF_NODES].count, 1);
    for (uint32_t i = 0; i < c->g->lists[PELTI_GLTF_SKINS].count && result == PELT_OK; ++i)
    {
        const pelti_json* skin = pelti_gltf_item(c->g, PELTI_GLTF_SKINS, i);
        const char* name = c->g->scene->skins[i].name;
        uint32_t binds = accessor_at(c, skin, "inverseBindMatrices");
        use_packed(c, binds);
        result = check_root(c, skin, name, is_below);
        if (result == PELT_OK && binds != PELT_NONE)
        {
            result = check_rows(c, binds, name);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------

static pelt_result check_clips(const check* c)
{
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < c->g->lists[PELTI_GLTF_ANIMATIONS].count && result == PELT_OK; ++i)
    {
        const pelti_json* samplers =
            pelti_json_get(pelti_gltf_item(c->g, PELTI_GLTF_ANIMATIONS, i), "samplers");
        for (size_t k = 0; k < pelti_json_size(samplers); ++k)
        {
            use_packed(c, accessor_at(c, pelti_json_at(samplers, k), "input"));
            use_packed(c, accessor_at(c, pelti_json_at(samplers, k), "output"));
        }
        c->g->repairs.clip_number = i + 1;
        result = check_clip_bounds(c, i);
        c->g->repairs.clip_number = 0;
    }
    return result;
}

pelt_result pelti_gltf_check(pelti_gltf* g)
{
    check c = {.g = g};
    void *views = NULL, *tops = NULL;
    if (!g->budget.options.is_checked)
    {
        return PELT_OK;
    }
    uint32_t node_count = g->lists[PELTI_GLTF_NODES].count;
    pelt_result result = pelti_gltf_alloc_scratch(
        &views, g, g->lists[PELTI_GLTF_BUFFER_VIEWS].count, sizeof(view_use));
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&tops, g, node_count, sizeof(uint32_t));
    }
    if (result != PELT_OK)
    {
        return result;
    }
    c.views = views;
    c.tops = tops;
    memset(c.tops, 0xff, node_count * sizeof *c.tops);
    find_tops(&c);
    static pelt_result (*const steps[])(const check* c) = {check_meshes, check_skins, check_clips,
                                                           check_strides};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == PELT_OK; ++i)
    {
        result = steps[i](&c);
    }
    return result;
}
