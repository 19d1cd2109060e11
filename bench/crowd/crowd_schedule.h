// SPDX-License-Identifier: MIT
// The order of frames of the benchmark of crowds: ask for the next draw and report its time, until
// there is none. Independent of clock and renderer, so that a program can call it from its own loop
// and a test can simulate a machine.
#ifndef PELT_CROWD_SCHEDULE_H
#define PELT_CROWD_SCHEDULE_H

#include "crowd_curve.h"

enum
{
    CROWD_INSTANCE_MAX = 1 << 17,
    CROWD_TRIAL_MAX = 128,
};

typedef struct crowd_plan
{
    bool is_wanted[CROWD_TECHNIQUE_COUNT];
    bool is_tested[CROWD_TECHNIQUE_COUNT]; ///< by A/B tests
    crowd_stage_set stages;                ///< that these leave out, in all combinations
    crowd_stage_set never;                 ///< that no frame has
    uint32_t rounds;                       ///< of A/B tests, of which the best counts
    crowd_pace pace;
} crowd_plan;

/// Whether A/B tests include a technique: those of Tables 13 and 15 of the animation texture thesis
/// (2021), and qt.
bool crowd_plan_tests(crowd_technique technique);

/// Properties of a technique that the schedule needs before it is measured.
typedef struct crowd_facts
{
    uint32_t max_instances;
    uint32_t part_count;      ///< meshes
    uint32_t influence_count; ///< most joints of a vertex
    bool has_metadata;        ///< CROWD_METADATA can be left out
    size_t texture_bytes;
} crowd_facts;

/// A frame to draw.
typedef struct crowd_draw
{
    crowd_technique technique;
    uint32_t instance_count;
    crowd_stage_set off;
    uint32_t max_influences; ///< 0: all
    double time;             ///< seconds, of the animation
} crowd_draw;

/// One of the A/B tests.
typedef struct crowd_trial
{
    crowd_draw draw;
    uint32_t whole;    ///< the trial with nothing left out
    crowd_point point; ///< frame_count 0: not measured yet
} crowd_trial;

typedef enum crowd_phase
{
    CROWD_WARMING = 0, ///< a discarded sample of each technique: drivers compile at the first draw
    CROWD_CLIMBING,    ///< techniques alternate, so that other load affects all of them
    CROWD_TESTING,     ///< A/B tests alternate
    CROWD_DONE,
} crowd_phase;

typedef struct crowd_schedule
{
    crowd_plan plan;
    crowd_phase phase;
    int technique; ///< the current one, except in CROWD_TESTING
    crowd_facts facts[CROWD_TECHNIQUE_COUNT];
    crowd_climb climbs[CROWD_TECHNIQUE_COUNT];
    crowd_curve curves[CROWD_TECHNIQUE_COUNT];
    crowd_sample sample; ///< of the current draw
    uint32_t trial_count;
    crowd_trial trials[CROWD_TRIAL_MAX];
    uint32_t trial, round; ///< the current ones, in CROWD_TESTING
} crowd_schedule;

void crowd_schedule_begin(crowd_schedule* out, const crowd_plan* plan);

/// The frame to draw now.
/// @return false: the benchmark is done
bool crowd_schedule_next(const crowd_schedule* in, crowd_draw* out);

/// Describe a technique before its first frame is drawn.
/// @param facts  NULL: it cannot be measured, and is left out
void crowd_schedule_describe(crowd_schedule* inout, crowd_technique technique,
                             const crowd_facts* facts);

/// Report the time of the frame of crowd_schedule_next(), and go on to the next.
void crowd_schedule_tell(crowd_schedule* inout, double seconds);

/// Skip an A/B test whose frame cannot be drawn.
void crowd_schedule_skip(crowd_schedule* inout);

/// Approximate progress, from 0 to 1.
double crowd_schedule_progress(const crowd_schedule* in);

/// Write the stages that a trial leaves out: "switch, skeleton", "joints from 3 on".
void crowd_trial_write(char* out, size_t size, const crowd_trial* trial);

#endif
