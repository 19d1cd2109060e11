// SPDX-License-Identifier: MIT
#include "crowd_run.h"

#include "clock.h"
#include "crowd_tables.h"

#include <stdio.h>

pelt_result crowd_run_begin(crowd_run* out, const crowd_plan* plan, draw_target* target,
                            crowd_subject* subject, pelt_error* error)
{
    *out = (crowd_run){.target = target, .subject = subject};
    crowd_schedule_begin(&out->schedule, plan);
    return crowd_instances_create(&out->instances, CROWD_INSTANCE_MAX) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(error);
}

void crowd_run_end(crowd_run* run)
{
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        for (uint32_t k = 0; k < PELT_GPU_INFLUENCE_MAX; ++k)
        {
            crowd_cast_destroy(&run->casts[i][k]);
        }
    }
    crowd_instances_destroy(&run->instances);
    *run = (crowd_run){0};
}

bool crowd_run_is_done(const crowd_run* run)
{
    return run->schedule.phase == CROWD_DONE;
}

// A cast that is measured first tells the schedule about its technique; those with fewer influences
// come later, and need room for one crowd.
static pelt_result prepare(crowd_run* run, crowd_cast* cast, const crowd_draw* draw,
                           pelt_error* error)
{
    bool is_whole = draw->max_influences == 0;
    crowd_cast_options options = {.capacity =
                                      is_whole ? run->instances.capacity : draw->instance_count,
                                  .max_influences = draw->max_influences};
    pelt_result result =
        crowd_cast_create(cast, draw->technique, run->target, run->subject, &options, error);
    if (!is_whole)
    {
        return result;
    }
    if (result == PELT_ERROR_UNSUPPORTED)
    {
        // A texture of vertices, for instance, can be too large: its row stays empty.
        crowd_schedule_describe(&run->schedule, draw->technique, NULL);
        return PELT_OK;
    }
    if (result == PELT_OK)
    {
        crowd_facts facts = {.max_instances = cast->capacity,
                             .part_count = cast->part_count,
                             .influence_count = crowd_cast_influences(cast),
                             .has_metadata = cast->metadata.texel_count > 0,
                             .texture_bytes = crowd_cast_texture_bytes(cast)};
        crowd_schedule_describe(&run->schedule, draw->technique, &facts);
    }
    return result;
}

pelt_result crowd_run_step(crowd_run* run, pelt_error* error)
{
    crowd_draw draw;
    if (!crowd_schedule_next(&run->schedule, &draw))
    {
        return PELT_OK;
    }
    crowd_cast* cast = &run->casts[draw.technique][draw.max_influences];
    if (cast->part_count == 0)
    {
        return prepare(run, cast, &draw, error);
    }
    if (run->arranged != cast || run->instances.count != draw.instance_count)
    {
        crowd_instances_arrange(&run->instances, draw.instance_count, run->subject->spacing);
        crowd_cast_arrange(cast, &run->instances);
        run->arranged = cast;
    }
    double start = clock_seconds();
    pelt_result result = crowd_cast_draw(cast, draw.time, draw.off, error);
    if (result == PELT_ERROR_UNSUPPORTED && run->schedule.phase == CROWD_TESTING)
    {
        // A driver may not build a shader without one of its stages: its row is left out.
        crowd_schedule_skip(&run->schedule);
        return PELT_OK;
    }
    draw_target_finish();
    crowd_schedule_tell(&run->schedule, clock_seconds() - start);
    return result;
}

// ---------------------------------------------------------------------------------------------

static void describe(bench_report* out, const crowd_run* run, const char* name)
{
    const crowd_subject* subject = run->subject;
    pelt_gl_info info = pelt_gl_describe(run->target->gl);
    snprintf(out->renderer, sizeof out->renderer, "%s", info.renderer);
    snprintf(out->subject, sizeof out->subject,
             "%s, clip %s: %u vertices, %u triangles, %u joints, %u %s", name,
             subject->source->clips[subject->clip].name, subject->vertex_count,
             subject->triangle_count, subject->joint_count, subject->part_count,
             subject->part_count == 1 ? "mesh" : "meshes");
}

void crowd_run_report(bench_report* out, const crowd_run* run, const char* name, const char* title)
{
    const crowd_schedule* schedule = &run->schedule;
    crowd_tables_begin(out);
    describe(out, run, name);
    crowd_table_techniques(out, schedule->curves);
    crowd_table_tests(out, schedule->curves);
    crowd_table_trials(out, schedule);
    crowd_table_points(out, schedule->curves);
    crowd_plot(&out->plot, schedule->curves, title);
}
