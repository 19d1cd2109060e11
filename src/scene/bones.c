// SPDX-License-Identifier: MIT
// The bones of skins, as segments in bind space.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

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

// To each child; or to where the shape ends; or a bone without length.
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
