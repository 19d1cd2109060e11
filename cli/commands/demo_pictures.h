// SPDX-License-Identifier: MIT
// The pictures of pelt demo: comparisons of the methods, as papers show them.
#ifndef PELT_DEMO_PICTURES_H
#define PELT_DEMO_PICTURES_H

#include "requests/pose_request.h"

typedef struct demo_pictures
{
    const char* folder;
    const pelt_scene* scene; ///< the character that the user brought; NULL: none
    const char* source;      ///< its file, for textures; NULL: none
    pose_request* pose;      ///< its pose
    /// Only these of demo_picture_list(); NULL: all, and animation textures.
    const char* const* files;
    uint32_t file_count;
} demo_pictures;

/// Draw them into the folder and say which there are; where OpenGL is missing, say that.
/// @return the exit code; EXIT_DONE also without OpenGL, as the demo is worth something without
int demo_pictures_make(const demo_pictures* in);

#endif
