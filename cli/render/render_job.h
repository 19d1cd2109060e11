// SPDX-License-Identifier: MIT
// A picture or an animation of a character, made from a description.
#ifndef PELT_RENDER_JOB_H
#define PELT_RENDER_JOB_H

#include "camera_view.h"
#include "method_list.h"
#include "normal_error.h"
#include "output.h"
#include "requests/pose_request.h"
#include "show_list.h"

typedef struct render_job
{
    const char* path;
    const char* source; ///< the file of the scene, for textures; NULL: none
    const pelt_scene* scene;
    const method_list* how;
    pose_request* pose;
    show_list show;
    camera_view view;
    bool is_skinned_on_gpu; ///< where shaders give what the CPU gives
    bool is_exact;          ///< by the reference, as a picture always is
    uint32_t width, height; ///< pixels of one panel
    float start;            ///< seconds
    float rate;             ///< frames per second; 0: one picture
    uint32_t frame_count;
    bool is_still;     ///< all frames show the start: only the camera moves
    const char* input; ///< as the command line has it
    output* summary;   ///< prepared when all is drawn, before anything is written; NULL: none
} render_job;

/// The result.
typedef struct render_report
{
    uint32_t width, height; ///< pixels of the file
    pelt_camera camera;     ///< of the first frame
    float legend_high;      ///< the end of its scale, meters, degrees or weight; NaN: no legend
    uint32_t mixed_count;   ///< most vertices between mirrored and unmirrored joints in one frame
    normal_error errors[METHOD_LIST_MAX]; ///< SHOW_NORMAL_ERROR: of each panel, over all frames
    char renderer[128];
    double seconds; ///< that it took; in the summary, until all was drawn
} render_report;

/// Draw all frames under all methods and write them.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int render_job_run(render_report* out, const render_job* job);

extern const char* const render_view_names[]; ///< in the order of the enum; ends with NULL

/// Lines on stderr: what was written, and how far normals are off where that is shown.
void render_report_note(const render_report* report, const render_job* job);

/// The same as JSON, and more, into the summary of the job.
/// @return the exit code
int render_report_prepare(const render_report* report, const render_job* job);

#endif
