// SPDX-License-Identifier: MIT
// Skinning weights in closed form: mass flows down the joint tree, each joint passing a smooth
// share on to its children. Independent of the mesh, local, and summing to one by construction.
#ifndef PELT_TREE_WEIGHTS_H
#define PELT_TREE_WEIGHTS_H

#include "pelt/pelt.h"

#define TREE_INFLUENCES_MAX 16
#define TREE_JOINTS_MAX 256

/// A joint as the weights see it. A bone runs from it to each of its children.
typedef struct tree_joint
{
    uint32_t parent; ///< smaller than the joint's own index, or PELT_NONE for joint 0
    pelt_vec3 position;
    float radius;   ///< of the limb at the joint
    pelt_vec3 axis; ///< across which mass passes from the parent; 0: along the bones
    float shift;    ///< of the plane of passage along the axis, from the joint
    float width;    ///< half the thickness of the passage; 0: the joint takes nothing
    uint32_t rival; ///< siblings of one number share by nearness; 0: none
    float reach; ///< in radii from the bones of its subtree; farther away it takes nothing; 0: any
    uint32_t child, sibling; ///< first child and next one of its parent, ascending; by tree_prepare
} tree_joint;

/// Normalize the axes of all joints and link children, once before the first point.
void tree_prepare(tree_joint* tree, uint32_t count);

/// Weights of one point, strongest first.
/// @param joints   `most` of them; unused entries are joint 0 of weight 0
/// @param weights  `most` of them; positive ones sum to one
/// @param most     joints of a point, at most TREE_INFLUENCES_MAX
/// @param tree     count prepared joints, at most TREE_JOINTS_MAX
void tree_weights_at(uint32_t* joints, float* weights, uint32_t most, const tree_joint* tree,
                     uint32_t count, pelt_vec3 p);

#endif
