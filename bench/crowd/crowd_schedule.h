// SPDX-License-Identifier: MIT
// What the benchmark of crowds draws, frame by frame: ask for the next draw, tell what it took,
// until there is none. Without a clock or a renderer, so that a program can drive it from a loop of
// its own, and a test by a machine that is a formula.
#ifndef PELT_CROWD_SCHEDULE_H
#define PELT_CROWD_SCHEDULE_H

#include "crowd_curve.h"

enum
{
    CROWD_INSTANCE_MAX = 1 << 17,
    CROWD_TRIAL_MAX = 80,
};

typedef struct crowd_plan
{
    bool is_wanted[CROWD_TECHNIQUE_COUNT];
    bool is_tested[CROWD_TECHNIQUE_COUNT]; ///< by A/B tests
    crowd_stage_set stages;                ///< that these leave out, in all combinations
    uint32_t rounds;                       ///< of A/B tests: the best of so many counts
    crowd_pace pace;
} crowd_plan;

/// The techniques that A/B tests are about: Tables 13 and 15 of document 002, and qt.
bool crowd_plan_tests(crowd_technique technique);

/// What the schedule has to know of a technique before it is measured.
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
    crowd_point point; ///< without frames: not measured yet
} crowd_trial;

typedef enum crowd_phase
{
    CROWD_WARMING = 0, ///< a sample of each technique that is not kept: drivers compile when they
                       ///< draw
    CROWD_CLIMBING,    ///< techniques in turns, so that whatever else the machine does meets all
    CROWD_TESTING,     ///< A/B tests in turns
    CROWD_DONE,
} crowd_phase;

typedef struct crowd_schedule
{
    crowd_plan plan;
    crowd_phase phase;
    int technique; ///< at work, but when TESTING
    crowd_facts facts[CROWD_TECHNIQUE_COUNT];
    crowd_climb climbs[CROWD_TECHNIQUE_COUNT];
    crowd_curve curves[CROWD_TECHNIQUE_COUNT];
    crowd_sample sample; ///< of the draw at hand
    uint32_t trial_count;
    crowd_trial trials[CROWD_TRIAL_MAX];
    uint32_t trial, round; ///< at work when TESTING
} crowd_schedule;

void crowd_schedule_begin(crowd_schedule* out, const crowd_plan* plan);

/// The frame to draw now.
/// @return false: the benchmark is done
bool crowd_schedule_next(const crowd_schedule* in, crowd_draw* out);

/// Tell about a technique before its first frame is drawn.
/// @param facts  NULL: it cannot be measured, and is left out
void crowd_schedule_describe(crowd_schedule* inout, crowd_technique technique,
                             const crowd_facts* facts);

/// Tell what the frame of crowd_schedule_next() took, and step on.
void crowd_schedule_tell(crowd_schedule* inout, double seconds);

/// The frame of an A/B test cannot be drawn: go on without it.
void crowd_schedule_skip(crowd_schedule* inout);

/// How far it is, from 0 to 1, about.
double crowd_schedule_progress(const crowd_schedule* in);

/// What a trial leaves out: "switch, skeleton", "joints from 3 on".
void crowd_trial_write(char* out, size_t size, const crowd_trial* trial);

#endif
