// SPDX-License-Identifier: MIT
// The words about each kind of finding, which do not depend on the character.
#include "../../include/pelt/doctor.h"

#include <string.h>

static const char* const severities[PELT_SEVERITY_COUNT] = {"note", "warning", "error"};

static const pelt_finding_info kinds[PELT_FINDING_KIND_COUNT] = {
    [PELT_FINDING_UNREADABLE] =
        {"unreadable", "The file cannot be loaded.",
         "Export it again; the message names the place in the file that is not valid.", false},
    [PELT_FINDING_NOT_FINITE] =
        {"not-finite", "Numbers are infinite or NaN.",
         "Look for a modifier or script that divides by zero. --fix drops such weights and sets "
         "other numbers to 0.",
         true},
    [PELT_FINDING_STALE_DATA] =
        {"stale-data", "Data that pelt has added no longer fit the mesh.",
         "Run pelt enhance again, after all other tools. --fix removes the data.", true},
    [PELT_FINDING_OTHER_REPAIR] =
        {"other-repair", "Something else was repaired on reading.",
         "Programs that do not repair it show something else. --fix writes it as pelt reads it.",
         true},
    [PELT_FINDING_MISSING_BOUNDS] =
        {"missing-bounds", "Positions or key times have no min and max.",
         "Export again with a current exporter: glTF requires them, and programs place cameras and "
         "cull by them.",
         false},
    [PELT_FINDING_BYTE_STRIDE] =
        {"byte-stride", "A stride is missing, misaligned or out of place.",
         "Export again with a current exporter: glTF forbids it, and graphics interfaces refuse "
         "such buffers.",
         false},
    [PELT_FINDING_WEIGHT_SUMS] =
        {"weight-sums", "The weights of vertices do not sum to 1.",
         "Normalize the weights in the modeling tool: programs that take them as they are scale "
         "these vertices toward or away from the origin. --fix divides them by their sum.",
         true},
    [PELT_FINDING_NEGATIVE_WEIGHTS] =
        {"negative-weights", "Weights are below zero.",
         "Paint the weights again where they are negative. --fix drops these influences.", true},
    [PELT_FINDING_JOINT_RANGE] =
        {"joint-range", "Vertices name joints that the skin does not have.",
         "Add the missing joints to the skin, or weight the vertices to others: programs read past "
         "the end of their joints here. --fix drops these influences.",
         true},
    [PELT_FINDING_PADDING_JOINTS] =
        {"padding-joints", "Influences without weight name joints that the skin does not have.",
         "Write joint 0 where the weight is 0: programs that look up the joint first read past the "
         "end of their joints.",
         false},
    [PELT_FINDING_DUPLICATE_JOINTS] =
        {"duplicate-joints", "Vertices name a joint twice.",
         "Programs that sort or prune influences lose one of the two. --fix adds their weights.",
         true},
    [PELT_FINDING_UNWEIGHTED_VERTICES] =
        {"unweighted-vertices", "Vertices of a skinned mesh have no weights.",
         "Weight them to the nearest joint: they stay behind when the character moves.", false},
    [PELT_FINDING_MANY_INFLUENCES] =
        {"many-influences", "Vertices have more influences than many engines take.",
         "pelt takes any number. For an engine that does not, limit the influences in the modeling "
         "tool, where the worst vertices can be painted again.",
         false},
    [PELT_FINDING_SEAM_WEIGHTS] =
        {"seam-weights", "Vertices at the same place have different weights.",
         "Copy the weights across the seam, if it is one: it opens where the character bends. "
         "--fix gives all vertices at one place the weights of the first.",
         true},
    [PELT_FINDING_SIGN_ORDER] =
        {"sign-order", "Dual quaternions depend on the order of influences.",
         "Programs that take each sign by the sum so far, as Blender does, may show cracks at "
         "seams. pelt does not; elsewhere use a sign by the strongest influence.",
         false},
    [PELT_FINDING_SINGULAR_BIND] = {"singular-bind", "An inverse bind matrix flattens space.",
                                    "Bind the mesh again; look for a joint or parent with scale 0.",
                                    false},
    [PELT_FINDING_BIND_ROW] =
        {"bind-row", "The last row of an inverse bind matrix is not 0 0 0 1.",
         "Round it when exporting: glTF requires exactly these numbers, and programs that use all "
         "four rows divide by the last.",
         false},
    [PELT_FINDING_SKELETON_ROOT] =
        {"skeleton-root", "Joints have no common root, or are not below that of the skin.",
         "Put all joints below one node, and name it or none as skeleton: programs that start "
         "there miss the others.",
         false},
    [PELT_FINDING_BIND_POSE] =
        {"bind-pose", "The stored pose is not the bind pose.",
         "Often meant, as exporters store the first frame. If not, bind the mesh again: programs "
         "that take the stored pose for the bind pose show a distorted character.",
         false},
    [PELT_FINDING_UNUSED_JOINTS] =
        {"unused-joints", "Joints move nothing that is seen.",
         "Leave them out of the export to save palette entries, unless a program attaches things "
         "to them.",
         false},
    [PELT_FINDING_SCALED_JOINTS] =
        {"scaled-joints", "Joints scale relative to their bind pose.",
         "Choose a skinning method that scales, as all of pelt do; plain dual quaternions "
         "ignore it.",
         false},
    [PELT_FINDING_STRETCHED_JOINTS] =
        {"stretched-joints", "Joints scale non-uniformly or shear.",
         "Check the clip in the target engine: plain dual quaternions ignore it, and engines "
         "without shear drop what children inherit.",
         false},
    [PELT_FINDING_MIRRORED_JOINTS] =
        {"mirrored-joints", "Some joints mirror and others do not.",
         "Replace negative scale by modeled symmetry: there is no rotation between a joint and its "
         "mirror image, so vertices of both can only be blended linearly.",
         false},
    [PELT_FINDING_DEGENERATE_TRIANGLES] =
        {"degenerate-triangles", "Triangles have no area.",
         "Harmless to look at, but they have no normal and spoil what is computed from triangles. "
         "--fix removes them.",
         true},
    [PELT_FINDING_FLIPPED_NORMALS] =
        {"flipped-normals", "Normals point into the surface.",
         "Recalculate normals, or flip the triangles: lighting is wrong there. --fix turns these "
         "normals around.",
         true},
    [PELT_FINDING_MISSING_NORMALS] = {"missing-normals", "A mesh has no normals.",
                                      "Export normals, unless the mesh is meant to be shaded flat.",
                                      false},
    [PELT_FINDING_NORMAL_LENGTH] =
        {"normal-length", "Normals or tangents are not of unit length.",
         "Export them again without scale: shaders that do not normalize light them wrongly. "
         "--fix normalizes them.",
         true},
    [PELT_FINDING_FLIP_RISK] =
        {"flip-risk", "Joints of a vertex are near 180 degrees apart.",
         "Add a joint between the two, or take part of the rotation over to the parent: at 180 "
         "degrees the shorter way changes sides, and the surface jumps with dqs and crs.",
         false},
    [PELT_FINDING_KEY_JUMPS] = {"key-jumps", "A key is far from those around it.",
                                "Look at these frames; Euler angles that wrap are a common cause.",
                                false},
    [PELT_FINDING_KEY_ORDER] =
        {"key-order", "Keys are not later than the one before.",
         "Export the clip again with one key for each frame. --fix drops the later of the two.",
         true},
    [PELT_FINDING_ROTATION_LENGTH] =
        {"rotation-length", "Rotations are not of unit length.",
         "Programs that do not normalize them scale the joint. --fix normalizes them.", true},
    [PELT_FINDING_STILL_CLIP] =
        {"still-clip", "Nothing moves in a clip.",
         "Leave it out of the export, unless it is a pose: some programs play the first clip.",
         false},
};

const char* pelt_severity_name(pelt_severity severity)
{
    PELT_ASSERT((unsigned)severity < PELT_SEVERITY_COUNT);
    return severities[severity];
}

pelt_severity pelt_severity_find(const char* name)
{
    uint32_t i = 0;
    while (i < PELT_SEVERITY_COUNT && strcmp(severities[i], name) != 0)
    {
        ++i;
    }
    return (pelt_severity)i;
}

const pelt_finding_info* pelt_finding_describe(pelt_finding_kind kind)
{
    PELT_ASSERT((unsigned)kind < PELT_FINDING_KIND_COUNT);
    return &kinds[kind];
}
