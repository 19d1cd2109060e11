// SPDX-License-Identifier: MIT
// Encoding the motion of one joint.
#ifndef PELTI_BAKE_RECORD_H
#define PELTI_BAKE_RECORD_H

#include "bake_pose.h"

/// Write the record of a joint and its values in all keys.
/// @param record  room for 24 words; the place of the values is left open
/// @return words of the record; 0: it moves as its parent does
uint32_t pelti_record_encode(uint32_t* record, pelti_key_writer* writer,
                             pelti_pose_scratch* scratch, const pelti_code_job* job,
                             const pelti_quality* quality, uint32_t joint);

#endif
