// SPDX-License-Identifier: MIT
// All contenders in all motions, measured: the numbers of a report.
#ifndef PELT_COMPARISON_H
#define PELT_COMPARISON_H

#include "contender.h"
#include "motion.h"

/// Quantities of every frame, for the whole body and for each joint.
typedef enum quantity
{
    QUANTITY_SHAPE = 0, ///< rms change of the distance between skin and bone, meters: the score
    QUANTITY_RADIUS,    ///< part of its radius that the thinnest cross-section has lost
    QUANTITY_BULGE,     ///< how far skin has moved away from its bone at most, meters
    QUANTITY_COLLAPSE,  ///< part of its distance to the bone that a vertex has lost at most
    QUANTITY_VOLUME,    ///< change of volume, as a part of that at rest
    QUANTITY_COUNT
} quantity;

typedef struct quantity_info
{
    const char* name;  ///< in JSON
    const char* title; ///< of a table
    bool is_length;    ///< meters; else a part of 1, shown in percent
    /// The limit above which tables mark a value: as a part of the thickness of the limb, for
    /// lengths, or of 1.
    double limit;
} quantity_info;

extern const quantity_info quantity_infos[QUANTITY_COUNT];

/// The body as a whole, or a joint that has skin.
typedef struct comparison_row
{
    uint32_t region;  ///< of the body; 0: all of it
    const char* name; ///< of the joint, or "body"
    double thickness; ///< meters: radius of a round limb with its volume and area, 2 V / A
} comparison_row;

/// Quantities of the whole surface in some of the frames.
typedef struct comparison_surface
{
    double strain_rms;         ///< of PELT_METRIC_RIGIDITY
    double fold_95, normal_95; ///< radians: 95 % of the area have less
    double jump, gap;          ///< meters, the largest
} comparison_surface;

typedef struct comparison
{
    const char* input;
    const pelt_scene* scene; ///< with centers of rotation
    contender_list contenders;
    motion_list motions;
    const pelt_body_info* info;
    uint32_t row_count;
    comparison_row* rows;         ///< the first is the body
    float* values;                ///< by comparison_value()
    uint32_t surface_step;        ///< every so many frames have surface quantities
    comparison_surface* surfaces; ///< by comparison_surface_at()
    uint32_t instance_total;      ///< of the input; those of the scene are measured

    pelt_body* body;
    pelt_scene plain; ///< the scene without mix factors
    pelt_arena* arena;
} comparison;

typedef struct comparison_request
{
    const char* input;
    const pelt_scene* scene; ///< must outlive the comparison
    contender_list contenders;
    const uint32_t* clips; ///< indices of clips; clip_count 0: all
    uint32_t clip_count;
    uint32_t frame_limit; ///< frames of each contender; 0: as many as its size allows
    bool is_exact;        ///< all clips, frames at 30 per second, and instances; no samples
} comparison_request;

/// Prepare the body and the motions, and measure everything, with progress on the terminal.
/// @param out  free with comparison_destroy(), also after a failure
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int comparison_run(comparison* out, const comparison_request* request);
void comparison_destroy(comparison* in); ///< {0} is allowed

/// The scene that a contender deforms.
const pelt_scene* comparison_scene(const comparison* in, uint32_t contender);

/// @param frame  among those of all motions
double comparison_value(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row,
                        quantity what);

/// The quantities of a frame and a row, in their order.
float* comparison_values(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row);

/// Measure all contenders in all frames, in parallel through the `run` hook, with the same bits for
/// any number of threads. comparison_run() calls it.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int comparison_measure(comparison* inout);

/// Threads that may have a probe each, for the memory that this takes.
uint32_t comparison_worker_count(const comparison* in);

/// Whether a frame has surface quantities, and how many have.
bool comparison_has_surface(const comparison* in, uint32_t frame);
uint32_t comparison_surface_count(const comparison* in);

/// Those of a frame that has them; and over all of these, the rms of strain and the largest of the
/// others.
comparison_surface* comparison_surface_at(const comparison* in, uint32_t contender, uint32_t frame);
comparison_surface comparison_surface_summary(const comparison* in, uint32_t contender);

/// Over some frames: the rms of QUANTITY_SHAPE, else the value that is largest in magnitude.
/// @param motion  PELT_NONE: all of them
double comparison_summary(const comparison* in, uint32_t contender, uint32_t motion, uint32_t row,
                          quantity what);

/// How precise means over a sample of frames are: the largest relative difference of the shape
/// error, over all contenders, between every other frame and all of them. 0: nothing is left out.
double comparison_precision(const comparison* in);

/// The magnitude of a value as a length, so that quantities can be compared: how far skin is from
/// where it should be.
double comparison_length(const comparison* in, uint32_t row, quantity what, double value);

/// Whether the magnitude of a value exceeds the limit of its quantity.
bool comparison_exceeds(const comparison* in, uint32_t row, quantity what, double value);

/// Whether a contender is one to choose: where some run on GPUs, those are.
bool comparison_is_eligible(const comparison* in, uint32_t contender);

#endif
