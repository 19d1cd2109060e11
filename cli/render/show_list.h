// SPDX-License-Identifier: MIT
// The list of --show: the parts and colors of a picture.
#ifndef PELT_SHOW_LIST_H
#define PELT_SHOW_LIST_H

#include "args.h"
#include "pelt/pelt.h"

/// The source of the colors of the surface.
typedef enum show_list_colors
{
    SHOW_MATERIALS = 0,
    SHOW_JOINTS,       ///< weights of all joints, mixed of a color for each
    SHOW_WEIGHTS,      ///< of one joint
    SHOW_DIFFERENCE,   ///< the distance to the result of another method
    SHOW_NORMAL_ERROR, ///< the angle of normals to those of the deformed triangles
} show_list_colors;

typedef struct show_list
{
    uint32_t bits; ///< of pelt_show
    show_list_colors colors;
    char joint[160];       ///< SHOW_WEIGHTS: its name
    uint32_t node;         ///< SHOW_WEIGHTS: of the joint, by show_list_find_joint()
    pelt_method reference; ///< SHOW_DIFFERENCE
    float range;           ///< the end of the scale, meters or degrees; 0: chosen by what is seen
    uint32_t focus;        ///< node of the joint that fills the picture; PELT_NONE: all
} show_list;

/// Read the list; NULL is the ground alone.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int show_list_choose(show_list* out, const char* list);

/// Methods that the pictures need besides those they show, as bits 1 << method.
uint32_t show_list_methods(const show_list* in);

/// Find a joint of the scene by its name.
int show_list_find_joint(uint32_t* node, const char* name, const pelt_scene* scene);

/// For SHOW_NORMAL_ERROR: give skinned meshes without normals those of their rest pose, and say so.
/// @return EXIT_DONE, or EXIT_INPUT after a sentence where no mesh is skinned
int show_list_prepare_normals(pelt_scene* inout);

#endif
