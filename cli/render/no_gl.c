// SPDX-License-Identifier: MIT
// Replaces pictures in a build without OpenGL.
#include "commands/demo_pictures.h"
#include "compare/figure.h"
#include "render_job.h"
#include "terminal.h"

static const char* const reason = "this build has no OpenGL, which pictures need; build it with "
                                  "-DPELT_GL=ON";

int render_job_run(render_report* out, const render_job* job)
{
    (void)job;
    *out = (render_report){0};
    message_note("%s", reason);
    return EXIT_UNSUPPORTED;
}

int demo_pictures_make(const demo_pictures* in)
{
    (void)in;
    message_note("no pictures: %s", reason);
    return EXIT_DONE;
}

int figure_list_draw(figure_list* inout, contender_cost* costs, const comparison* in)
{
    (void)costs;
    (void)in;
    snprintf(inout->reason, sizeof inout->reason, "%s", reason);
    return EXIT_DONE;
}
