// SPDX-License-Identifier: MIT
// The joints of all skins as one tree over the nodes, the box of each joint, the end of bones that
// have no joint there, and the bones of each skin as segments in bind space.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include <string.h>

void pelt_joint_tree_find(pelt_joint_node* out, const pelt_scene* scene)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        out[node] = (pelt_joint_node){.above = PELT_NONE};
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            out[scene->skins[s].joints[j]].is_joint = true;
        }
    }
    // Parents come before their children.
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        out[node].above = parent == PELT_NONE || out[parent].is_joint ? parent : out[parent].above;
        if (out[node].is_joint && out[node].above != PELT_NONE)
        {
            ++out[out[node].above].child_count;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Boxes and ends

typedef struct joint_axes
{
    pelt_joint_node* tree;
    pelt_vec3* axes; // node_count: directions of bones without an end; zero: none, or unknown
    float* reaches;  // node_count: how far vertices extend along them
    uint32_t* slots; // node_count: joint of the current skin, or PELT_NONE
} joint_axes;

static bool is_leaf(const joint_axes* in, uint32_t node)
{
    return in->tree[node].is_joint && in->tree[node].child_count == 0;
}

// Away from the parent joint, if the skin has both.
static void find_axes(joint_axes* inout, const pelt_skin* skin)
{
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        inout->slots[skin->joints[j]] = j;
    }
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        uint32_t node = skin->joints[j], above = inout->tree[node].above;
        uint32_t slot = above != PELT_NONE ? inout->slots[above] : PELT_NONE;
        pelt_mat34 bind;
        if (slot != PELT_NONE && is_leaf(inout, node) &&
            pelt_mat34_inverse(&bind, &skin->inverse_binds[slot]))
        {
            pelt_vec3 from =
                pelt_mat34_point(&skin->inverse_binds[j], pelt_mat34_translation(&bind));
            inout->axes[node] = pelt_vec3_normalize(pelt_vec3_scale(from, -1.0f));
        }
    }
    for (uint32_t j = 0; j < skin->joint_count; ++j)
    {
        inout->slots[skin->joints[j]] = PELT_NONE;
    }
}

// Every vertex at its position in the bind pose, in the space of its joint.
static void add_followers(pelt_joint_shape* out, joint_axes* axes, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        const pelt_weights* weights = &mesh->weights;
        for (uint32_t v = 0; instance->skin != PELT_NONE && v < weights->vertex_count; ++v)
        {
            if (weights->first[v] < weights->first[v + 1])
            {
                const pelt_skin* skin = &scene->skins[instance->skin];
                uint32_t joint = weights->influences[weights->first[v]].joint;
                uint32_t node = skin->joints[joint];
                pelt_vec3 position =
                    pelt_mat34_point(&skin->inverse_binds[joint], mesh->positions[v]);
                pelt_bounds_add(&out[node].box, &position, 1);
                float reach = pelt_vec3_dot(axes->axes[node], position);
                axes->reaches[node] = fmaxf(axes->reaches[node], reach);
            }
        }
    }
}

static void fill_shapes(pelt_joint_shape* out, joint_axes* axes, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        find_axes(axes, &scene->skins[i]);
    }
    add_followers(out, axes, scene);
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        bool has_box = out[i].box.min.x <= out[i].box.max.x;
        if (has_box && is_leaf(axes, i) && pelt_vec3_length(axes->axes[i]) == 0.0f)
        {
            axes->axes[i] =
                pelt_vec3_normalize(pelt_vec3_lerp(out[i].box.min, out[i].box.max, 0.5f));
        }
    }
    add_followers(out, axes, scene); // again, for joints that had no axis before
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        out[i].tail = pelt_vec3_scale(axes->axes[i], axes->reaches[i]);
        out[i].has_tail = axes->reaches[i] > 0.0f;
    }
}

pelt_result pelt_joint_shapes(pelt_joint_shape* out, const pelt_scene* scene)
{
    size_t count = (size_t)scene->node_count + 1;
    joint_axes axes = {.axes = pelt_allocate(count, sizeof *axes.axes),
                       .reaches = pelt_allocate(count, sizeof *axes.reaches),
                       .slots = pelt_allocate(count, sizeof *axes.slots),
                       .tree = pelt_allocate(count, sizeof *axes.tree)};
    bool is_ok =
        axes.axes != NULL && axes.reaches != NULL && axes.slots != NULL && axes.tree != NULL;
    if (is_ok)
    {
        memset(axes.axes, 0, count * sizeof *axes.axes);
        memset(axes.reaches, 0, count * sizeof *axes.reaches);
        memset(axes.slots, 0xff, count * sizeof *axes.slots); // PELT_NONE
        for (uint32_t i = 0; i < scene->node_count; ++i)
        {
            out[i] = (pelt_joint_shape){.box = pelt_bounds_empty()};
        }
        pelt_joint_tree_find(axes.tree, scene);
        fill_shapes(out, &axes, scene);
    }
    pelt_release(axes.axes);
    pelt_release(axes.reaches);
    pelt_release(axes.slots);
    pelt_release(axes.tree);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Bones

enum
{
    // More than a hand or a spine has. Beyond, bones of a joint do not count: searching all of them
    // for each vertex would take quadratic time for skeletons that are one star.
    BONES_OF_JOINT = 32,
};

typedef struct bone_work
{
    const pelt_skin* skin;
    const pelt_joint_shape* shapes; // by node
    pelt_joint_parent* parents;
    uint32_t *children, *next; // by joint: the first child, and the next one of its parent
    uint32_t* first;
    pelt_bone* bones;
    uint32_t count;
} bone_work;

static void append_bone(bone_work* inout, pelt_bone bone)
{
    if (inout->count - inout->first[bone.joints[0]] < BONES_OF_JOINT)
    {
        inout->bones[inout->count++] = bone;
    }
}

// To each child; or to the end of the shape; or a bone without length.
static void append_bones(bone_work* inout, pelt_joint_index joint)
{
    const pelt_skin* skin = inout->skin;
    pelt_mat34 bind, child_bind;
    inout->first[joint] = inout->count;
    if (!pelt_mat34_inverse(&bind, &skin->inverse_binds[joint]))
    {
        return;
    }
    pelt_vec3 head = pelt_mat34_translation(&bind);
    for (uint32_t i = inout->children[joint]; i != PELT_NONE; i = inout->next[i])
    {
        if (pelt_mat34_inverse(&child_bind, &skin->inverse_binds[i]))
        {
            append_bone(inout, (pelt_bone){{joint, (pelt_joint_index)i},
                                           {head, pelt_mat34_translation(&child_bind)}});
        }
    }
    if (inout->count == inout->first[joint])
    {
        const pelt_joint_shape* shape = &inout->shapes[skin->joints[joint]];
        pelt_vec3 tail = shape->has_tail ? pelt_mat34_point(&bind, shape->tail) : head;
        append_bone(inout, (pelt_bone){{joint, joint}, {head, tail}});
    }
}

static void fill_bones(bone_work* inout)
{
    const pelt_skin* skin = inout->skin;
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        inout->children[i] = inout->next[i] = PELT_NONE;
    }
    // From the last to the first, so that the first child is first in its list.
    for (uint32_t i = skin->joint_count; i-- > 0;)
    {
        uint32_t joint = inout->parents[i].joint, parent = inout->parents[i].parent;
        if (parent != PELT_NO_JOINT)
        {
            inout->next[joint] = inout->children[parent];
            inout->children[parent] = joint;
        }
    }
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        append_bones(inout, (pelt_joint_index)joint);
    }
    inout->first[skin->joint_count] = inout->count;
}

static bool build_skin(pelt_bones* out, const pelt_scene* scene, uint32_t skin,
                       const pelt_joint_shape* shapes, pelt_arena* arena, pelt_arena* scratch)
{
    // A bone for each joint that has a parent, and one for each that has no child.
    size_t joint_count = scene->skins[skin].joint_count, most = 2 * joint_count;
    bone_work work = {.skin = &scene->skins[skin],
                      .shapes = shapes,
                      .parents = pelt_arena_alloc(scratch, joint_count, sizeof *work.parents),
                      .children = pelt_arena_alloc(scratch, joint_count, sizeof *work.children),
                      .next = pelt_arena_alloc(scratch, joint_count, sizeof *work.next),
                      .first = pelt_arena_alloc(arena, joint_count + 1, sizeof *work.first),
                      .bones = pelt_arena_alloc(arena, most, sizeof *work.bones)};
    if (work.parents == NULL || work.children == NULL || work.next == NULL || work.first == NULL ||
        work.bones == NULL || pelt_joint_parents_find(work.parents, work.skin, scene) != PELT_OK)
    {
        return false;
    }
    fill_bones(&work);
    *out = (pelt_bones){
        .joint_count = (uint32_t)joint_count, .first = work.first, .bones = work.bones};
    return true;
}

pelt_result pelt_bones_build(pelt_bones* out, const pelt_scene* scene, pelt_arena* arena)
{
    PELT_ASSERT(out != NULL && scene != NULL && arena != NULL);
    pelt_arena* scratch = pelt_arena_create();
    pelt_joint_shape* shapes =
        scratch != NULL ? pelt_arena_alloc(scratch, scene->node_count, sizeof *shapes) : NULL;
    bool is_ok = shapes != NULL && pelt_joint_shapes(shapes, scene) == PELT_OK;
    for (uint32_t i = 0; is_ok && i < scene->skin_count; ++i)
    {
        is_ok = build_skin(&out[i], scene, i, shapes, arena, scratch);
    }
    pelt_arena_destroy(scratch);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
