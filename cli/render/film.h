// SPDX-License-Identifier: MIT
// A picture or an animation of a character, made from a description.
#ifndef PELT_FILM_H
#define PELT_FILM_H

#include "method_list.h"
#include "normal_error.h"
#include "output.h"
#include "pose_request.h"
#include "show_list.h"
#include "view.h"

typedef struct film
{
    const char* path;
    const char* source; ///< the file of the scene, for textures; NULL: none
    const pelt_scene* scene;
    const method_list* how;
    pose_request* pose;
    show_list show;
    view from;
    uint32_t width, height; ///< pixels of one panel
    float start;            ///< seconds
    float rate;             ///< frames per second; 0: one picture
    uint32_t frame_count;
    bool is_still;     ///< all frames show the start: only the camera moves
    const char* input; ///< as the command line has it
    output* summary;   ///< prepared when all is drawn, before anything is written; NULL: none
} film;

/// What came out.
typedef struct film_report
{
    uint32_t width, height; ///< pixels of the file
    pelt_camera camera;     ///< of the first frame
    float legend_high;      ///< the end of its scale, meters, degrees or weight; NaN: no legend
    uint32_t mixed_count;   ///< most vertices between mirrored and unmirrored joints in one frame
    normal_error errors[METHOD_LIST_MAX]; ///< SHOW_NORMAL_ERROR: of each panel, over all frames
    char renderer[128];
    double seconds; ///< that it took; in the summary, until all was drawn
} film_report;

/// Draw all frames under all methods and write them.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int film_make(film_report* out, const film* in);

extern const char* const film_view_names[]; ///< in the order of the enum; ends with NULL

/// Lines on stderr: what was written, and how far normals are off where that is shown.
void film_report_note(const film_report* report, const film* plan);

/// The same as JSON, and more, into the summary of the plan.
/// @return the exit code
int film_report_prepare(const film_report* report, const film* plan);

#endif
