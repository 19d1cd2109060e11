// SPDX-License-Identifier: MIT
// Components of keys before they are written: ranges, widths and axes.
#ifndef PELTI_BAKE_COMPONENT_H
#define PELTI_BAKE_COMPONENT_H

#include "bake_pose.h"

/// A component before it is written; its values are a column of pelti_pose_scratch.rows.
typedef struct pelti_component_plan
{
    float low, high;
    float range;  ///< that its steps have to cover: more than low to high, since words hold low
                  ///< with eight bits only; 0: low to high
    float reach;  ///< meters per unit
    float enough; ///< meters: bits are of no use below this rounding error
    float scale;  ///< of its word
    bool is_constant;
    uint32_t width, widest;
} pelti_component_plan;

/// Find low and high of the first columns.
void pelti_component_ranges(pelti_component_plan* plans, int count,
                            const pelti_pose_scratch* scratch, uint32_t key_count);

/// Choose the widths of the components of a joint.
void pelti_component_widths(pelti_component_plan* plans, int count, const pelti_quality* quality,
                            uint32_t joint);

/// Write the words of components, and their values to all keys.
/// @return the word after them
uint32_t* pelti_components_write(uint32_t* word, pelti_key_writer* writer,
                                 const pelti_pose_scratch* scratch,
                                 const pelti_component_plan* plans, int count);

/// Axes along which three columns spread most and least: bounds are tighter, and bits are fewer.
/// Taken if they save the bits of their word, and the columns are then along them.
/// @return whether they are taken; if not, axes is the identity
bool pelti_component_axes(pelt_quat* axes, uint32_t* word, pelti_pose_scratch* scratch, int column,
                          uint32_t key_count);

#endif
