// SPDX-License-Identifier: MIT
// The order of frames of the benchmark of crowds.
#include "crowd_schedule.h"

#include <math.h>
#include <stdio.h>

bool crowd_plan_tests(crowd_technique technique)
{
    return technique == CROWD_GPU_MATRIX || technique == CROWD_GPU_DQ ||
           technique == CROWD_MATRIX_TEXTURE || technique == CROWD_DQ_TEXTURE ||
           technique == CROWD_QT_TEXTURE || technique == CROWD_THESIS_MATRIX_TEXTURE ||
           technique == CROWD_THESIS_DQ_TEXTURE;
}

// ---------------------------------------------------------------------------------------------
// Order of measurements

// The next technique that is still measured, from `first` on.
// @param wraps  continue with technique 0 after the last
static int find_climber(const crowd_schedule* in, int first, bool wraps)
{
    int count = wraps ? CROWD_TECHNIQUE_COUNT : CROWD_TECHNIQUE_COUNT - first;
    for (int i = 0; i < count; ++i)
    {
        int technique = (first + i) % CROWD_TECHNIQUE_COUNT;
        if (!in->climbs[technique].is_done)
        {
            return technique;
        }
    }
    return CROWD_TECHNIQUE_COUNT;
}

// Instances near 30 FPS with all stages, as in the animation texture thesis (2021).
static uint32_t trial_instances(const crowd_curve* curve)
{
    double count = curve->breakpoints[CROWD_BREAKPOINT_COUNT - 1];
    if (!isfinite(count) && curve->point_count > 0)
    {
        count = curve->points[curve->point_count - 1].instance_count;
    }
    return count >= 1.0 ? (uint32_t)count : 1;
}

static void add_trial(crowd_schedule* inout, crowd_draw draw, uint32_t whole)
{
    PELT_ASSERT(inout->trial_count < CROWD_TRIAL_MAX);
    inout->trials[inout->trial_count++] = (crowd_trial){.draw = draw, .whole = whole};
}

// Every combination of the stages of Tables 13 and 15 of the thesis, then single tests: uploads of
// textures, the order of fetches, and fewer joints.
static void add_trials(crowd_schedule* inout, crowd_technique technique)
{
    const crowd_facts* facts = &inout->facts[technique];
    bool is_single = crowd_technique_describe(technique)->kind == CROWD_SINGLY;
    crowd_stage_set stages = inout->plan.stages & crowd_technique_stages(technique);
    stages &= facts->part_count > 1 ? ~0u : ~(uint32_t)CROWD_SWITCH;
    stages &= facts->has_metadata ? ~0u : ~(uint32_t)CROWD_METADATA;
    crowd_stage_set alone = is_single ? 0 : stages & (CROWD_UPLOAD | CROWD_ORDER | CROWD_JOINTS);
    crowd_draw draw = {.technique = technique,
                       .instance_count = trial_instances(&inout->curves[technique])};
    uint32_t whole = inout->trial_count;
    for (crowd_stage_set off = 0; off < CROWD_STAGES_ALL; ++off)
    {
        if ((off & ~(stages & ~alone)) == 0)
        {
            draw.off = off;
            add_trial(inout, draw, whole);
        }
    }
    static const crowd_stage_set single[] = {CROWD_UPLOAD, CROWD_ORDER};
    for (int i = 0; i < 2; ++i)
    {
        draw.off = single[i];
        if ((alone & single[i]) != 0)
        {
            add_trial(inout, draw, whole);
        }
    }
    draw.off = 0;
    for (uint32_t i = facts->influence_count; (alone & CROWD_JOINTS) != 0 && i > 1; --i)
    {
        draw.max_influences = i - 1;
        add_trial(inout, draw, whole);
    }
}

static void begin_trials(crowd_schedule* inout)
{
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        const crowd_plan* plan = &inout->plan;
        bool is_tested = plan->is_wanted[i] && plan->is_tested[i] && plan->stages != 0 &&
                         inout->curves[i].point_count > 0;
        if (is_tested)
        {
            add_trials(inout, (crowd_technique)i);
        }
    }
    inout->phase = inout->trial_count > 0 && inout->plan.rounds > 0 ? CROWD_TESTING : CROWD_DONE;
}

// Go to the next technique, or to the next phase after the last.
static void step_on(crowd_schedule* inout)
{
    if (inout->phase == CROWD_WARMING)
    {
        inout->technique = find_climber(inout, inout->technique + 1, false);
        if (inout->technique < CROWD_TECHNIQUE_COUNT)
        {
            return;
        }
        inout->phase = CROWD_CLIMBING;
        inout->technique = CROWD_TECHNIQUE_COUNT - 1;
    }
    inout->technique = find_climber(inout, inout->technique + 1, true);
    if (inout->technique == CROWD_TECHNIQUE_COUNT)
    {
        begin_trials(inout);
    }
}

// The index after the last trial of the current technique.
static uint32_t end_of_trials(const crowd_schedule* in)
{
    uint32_t whole = in->trials[in->trial].whole, end = whole;
    while (end < in->trial_count && in->trials[end].whole == whole)
    {
        ++end;
    }
    return end;
}

// Repeat the trials of one technique in rounds, then go to the next technique.
static void step_trial(crowd_schedule* inout)
{
    uint32_t whole = inout->trials[inout->trial].whole, end = end_of_trials(inout);
    if (++inout->trial < end)
    {
        return;
    }
    bool is_over = ++inout->round == inout->plan.rounds;
    inout->round = is_over ? 0 : inout->round;
    inout->trial = is_over ? end : whole;
    inout->phase = inout->trial < inout->trial_count ? CROWD_TESTING : CROWD_DONE;
}

// ---------------------------------------------------------------------------------------------

void crowd_schedule_begin(crowd_schedule* out, const crowd_plan* plan)
{
    *out = (crowd_schedule){.plan = *plan};
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT; ++i)
    {
        out->climbs[i].is_done = !plan->is_wanted[i];
    }
    out->technique = -1;
    step_on(out);
}

void crowd_schedule_describe(crowd_schedule* inout, crowd_technique technique,
                             const crowd_facts* facts)
{
    PELT_ASSERT(inout->phase == CROWD_WARMING && inout->technique == (int)technique);
    crowd_curve* curve = &inout->curves[technique];
    if (facts == NULL)
    {
        *curve = crowd_curve_absent(technique);
        inout->climbs[technique].is_done = true;
        step_on(inout);
        return;
    }
    inout->facts[technique] = *facts;
    inout->climbs[technique] = crowd_climb_begin(&inout->plan.pace, facts->max_instances);
    *curve = (crowd_curve){
        .technique = technique, .is_measured = true, .texture_bytes = facts->texture_bytes};
}

bool crowd_schedule_next(const crowd_schedule* in, crowd_draw* out)
{
    switch (in->phase)
    {
    case CROWD_WARMING:
        *out = (crowd_draw){.technique = (crowd_technique)in->technique, .instance_count = 1};
        break;
    case CROWD_CLIMBING:
        *out = (crowd_draw){.technique = (crowd_technique)in->technique,
                            .instance_count = in->climbs[in->technique].ladder.count};
        break;
    case CROWD_TESTING:
        *out = in->trials[in->trial].draw;
        break;
    case CROWD_DONE:
        return false;
    }
    out->off |= in->plan.never;
    out->time = in->sample.elapsed;
    return true;
}

static void take_point(crowd_schedule* inout, const crowd_point* point, double spent)
{
    if (inout->phase == CROWD_TESTING)
    {
        crowd_point* kept = &inout->trials[inout->trial].point;
        *kept = kept->frame_count == 0 || point->best < kept->best ? *point : *kept;
        step_trial(inout);
        return;
    }
    crowd_climb* climb = &inout->climbs[inout->technique];
    if (inout->phase == CROWD_CLIMBING)
    {
        crowd_climb_step(climb, &inout->curves[inout->technique], point, spent);
    }
    if (!climb->is_repeated)
    {
        step_on(inout);
    }
}

void crowd_schedule_tell(crowd_schedule* inout, double seconds)
{
    crowd_draw draw = {0};
    if (!crowd_schedule_next(inout, &draw) ||
        !crowd_sample_add(&inout->sample, seconds, &inout->plan.pace))
    {
        return;
    }
    crowd_point point = crowd_sample_summarize(&inout->sample, draw.instance_count);
    double spent = inout->sample.elapsed;
    inout->sample = (crowd_sample){0};
    take_point(inout, &point, spent);
}

void crowd_schedule_skip(crowd_schedule* inout)
{
    PELT_ASSERT(inout->phase == CROWD_TESTING);
    inout->sample = (crowd_sample){0};
    step_trial(inout);
}

// ---------------------------------------------------------------------------------------------

static double climb_progress(const crowd_climb* climb)
{
    return climb->is_done ? 1.0 : fmin(climb->ladder.kept_time / climb->ladder.stop, 1.0);
}

double crowd_schedule_progress(const crowd_schedule* in)
{
    if (in->phase == CROWD_DONE)
    {
        return 1.0;
    }
    bool has_trials = in->plan.stages != 0 && in->plan.rounds > 0;
    double climbing = 0.0, count = 0.0, share = has_trials ? 0.6 : 1.0;
    for (int i = 0; i < CROWD_TECHNIQUE_COUNT && in->phase == CROWD_CLIMBING; ++i)
    {
        climbing += in->plan.is_wanted[i] ? climb_progress(&in->climbs[i]) : 0.0;
        count += in->plan.is_wanted[i] ? 1.0 : 0.0;
    }
    if (in->phase != CROWD_TESTING)
    {
        return count > 0.0 ? share * climbing / count : 0.0;
    }
    uint32_t whole = in->trials[in->trial].whole;
    double own = (double)in->round * (end_of_trials(in) - whole) + (in->trial - whole);
    double done = whole + own / in->plan.rounds;
    return share + (1.0 - share) * done / in->trial_count;
}

void crowd_trial_write(char* out, size_t size, const crowd_trial* trial)
{
    if (trial->draw.max_influences > 0)
    {
        snprintf(out, size, "joints from %u on", trial->draw.max_influences + 1);
        return;
    }
    crowd_stages_write(out, size, trial->draw.off);
}
