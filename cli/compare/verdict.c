// SPDX-License-Identifier: MIT
#include "verdict.h"

#include "terminal.h"
#include "wording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Smaller differences, as parts of the thickness of a limb, are not mentioned.
static const double least_spread = 0.01;

// ---------------------------------------------------------------------------------------------
// The choice

static double score_of(const comparison* in, uint32_t contender)
{
    return comparison_summary(in, contender, PELT_NONE, 0, QUANTITY_SHAPE);
}

// Fewer bytes per vertex, then the simpler method. Measured times do not count, so that a second
// run gives the same result.
static bool is_cheaper(const comparison* in, const contender_cost* costs, uint32_t a, uint32_t b)
{
    const compare_contender* items = in->contenders.items;
    return costs[a].vertex_bytes != costs[b].vertex_bytes
               ? costs[a].vertex_bytes < costs[b].vertex_bytes
               : items[a].deform.method < items[b].deform.method;
}

static uint32_t find_best(const comparison* in)
{
    uint32_t best = PELT_NONE;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        if (comparison_is_eligible(in, i) &&
            (best == PELT_NONE || score_of(in, i) < score_of(in, best)))
        {
            best = i;
        }
    }
    return best;
}

static bool is_close(const comparison* in, uint32_t contender, uint32_t best)
{
    // Ignore rounding of positions and differences below what is visible.
    double slack = 1e-3 * in->rows[0].thickness + 1e-6 * in->info->size;
    double most = score_of(in, best) * (1.0 + VERDICT_TIE_PERCENT / 100.0) + slack;
    return comparison_is_eligible(in, contender) && score_of(in, contender) <= most;
}

// The largest damage that a contender does to skin at some moment and another one avoids: radius
// lost or bulge beyond the limit, where the other has at most half of it. In meters; 0: there is
// none.
static double damage_spared(const comparison* in, uint32_t contender, uint32_t other)
{
    static const quantity whats[] = {QUANTITY_RADIUS, QUANTITY_BULGE};
    double most = 0.0;
    for (uint32_t i = 0; i < 2 * in->motions.frame_count; ++i)
    {
        quantity what = whats[i % 2];
        for (uint32_t row = 1; row < in->row_count; ++row)
        {
            double own = comparison_value(in, contender, i / 2, row, what);
            double better = comparison_value(in, other, i / 2, row, what);
            if (comparison_exceeds(in, row, what, own) && fabs(better) <= 0.5 * fabs(own))
            {
                most = fmax(most, comparison_length(in, row, what, own - better));
            }
        }
    }
    return most;
}

// The choice among those that are close to the best on average, and its reasons.
typedef struct decision
{
    uint32_t choice;
    uint32_t close_count; // with the choice
    bool is_close[CONTENDER_MAX];
    uint32_t loss_counts[CONTENDER_MAX]; // by contender: others that avoid more damage
} decision;

// Between two contenders, the one with the larger damage that the other avoids loses.
static void count_losses(decision* inout, const comparison* in)
{
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        for (uint32_t k = i + 1; inout->is_close[i] && k < in->contenders.count; ++k)
        {
            if (inout->is_close[k])
            {
                double first = damage_spared(in, i, k), second = damage_spared(in, k, i);
                inout->loss_counts[i] += first > second;
                inout->loss_counts[k] += second > first;
            }
        }
    }
}

static decision decide(const comparison* in, const contender_cost* costs)
{
    uint32_t best = find_best(in);
    decision out = {.choice = best};
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        out.is_close[i] = is_close(in, i, best);
        out.close_count += out.is_close[i];
    }
    count_losses(&out, in);
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        uint32_t own = out.loss_counts[i], least = out.loss_counts[out.choice];
        bool is_better = own < least || (own == least && is_cheaper(in, costs, i, out.choice));
        out.choice = out.is_close[i] && is_better ? i : out.choice;
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Moments

// The spread of the contenders at a position, and which have the extremes; other fields do not
// change.
static void compare_there(moment* inout, const comparison* in)
{
    double low = (double)INFINITY, high = -1.0;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        double value = comparison_value(in, i, inout->frame, inout->row, inout->what);
        double length = comparison_length(in, inout->row, inout->what, value);
        if (!comparison_is_eligible(in, i) || !isfinite(length))
        {
            continue;
        }
        inout->worst = length > high ? i : inout->worst;
        inout->best = length < low ? i : inout->best;
        high = fmax(high, length);
        low = fmin(low, length);
    }
    inout->spread = high >= low ? high - low : 0.0;
}

// The criterion of a search, for a moment with its spread.
typedef double moment_measure(const moment* at, const comparison* in, uint32_t choice);

static double measure_spread(const moment* at, const comparison* in, uint32_t choice)
{
    (void)in;
    (void)choice;
    return at->spread;
}

static double length_of(const moment* at, const comparison* in, uint32_t contender)
{
    double value = comparison_value(in, contender, at->frame, at->row, at->what);
    return comparison_length(in, at->row, at->what, value);
}

// How much worse the choice is than the best.
static double measure_regret(const moment* at, const comparison* in, uint32_t choice)
{
    return length_of(at, in, choice) - length_of(at, in, at->best);
}

// Defects that remain under the best method.
static double measure_remainder(const moment* at, const comparison* in, uint32_t choice)
{
    (void)choice;
    double value = comparison_value(in, at->best, at->frame, at->row, at->what);
    return comparison_exceeds(in, at->row, at->what, value) ? length_of(at, in, at->best) : 0.0;
}

// The largest of a measure so far, and where it is.
typedef struct moment_search
{
    const comparison* in;
    moment_measure* measure;
    uint32_t choice;
    double most;
    moment at;
} moment_search;

// Volume is that of the body, because regions exchange volume where skin slides.
static void search_motion(moment_search* inout, uint32_t motion, quantity what)
{
    const comparison* in = inout->in;
    const compare_motion* m = &in->motions.items[motion];
    uint32_t first = what == QUANTITY_VOLUME ? 0 : 1;
    uint32_t end = what == QUANTITY_VOLUME ? 1 : in->row_count;
    for (uint32_t frame = m->first_frame; frame < m->first_frame + m->frame_count; ++frame)
    {
        for (uint32_t row = first; row < end; ++row)
        {
            moment here = {.what = what, .motion = motion, .frame = frame, .row = row};
            compare_there(&here, in);
            double found = inout->measure(&here, in, inout->choice);
            if (found > inout->most)
            {
                inout->most = found;
                inout->at = here;
            }
        }
    }
}

static bool is_worth_telling(const comparison* in, const moment* at, double length)
{
    return length > least_spread * in->rows[at->row].thickness && length > 1e-6 * in->info->size;
}

// ---------------------------------------------------------------------------------------------
// Sentences

// "it keeps 98 %", "by 15.3 mm, less than half": the comparison in a finding.
static wording other_contender(const comparison* in, const moment* at, uint32_t other, double worst)
{
    wording out;
    const char* name = in->contenders.items[other].name;
    double value = comparison_value(in, other, at->frame, at->row, at->what);
    if (at->what == QUANTITY_RADIUS)
    {
        snprintf(out.text, sizeof out.text, "%s keeps %.200s of the radius", name,
                 wording_value(in, at->what, 1.0 - value, false).text);
        return out;
    }
    const char* half = fabs(value) < 0.5 * fabs(worst) ? ", less than half as much" : "";
    snprintf(out.text, sizeof out.text, "%s by %.180s%s", name,
             wording_value(in, at->what, value, at->what == QUANTITY_VOLUME).text, half);
    return out;
}

static char* write_finding(const comparison* in, const moment* at, uint32_t choice,
                           pelt_arena* arena)
{
    uint32_t worst = at->worst, other = choice != worst ? choice : at->best;
    const char* joint = in->rows[at->row].name;
    const char* name = in->contenders.items[worst].name;
    double value = comparison_value(in, worst, at->frame, at->row, at->what);
    wording amount = wording_value(in, at->what, value, at->what == QUANTITY_VOLUME);
    wording when = wording_moment(in, at->motion, at->frame);
    wording other_text = other_contender(in, at, other, value);
    if (at->what == QUANTITY_RADIUS)
    {
        double nearest = comparison_value(in, worst, at->frame, at->row, QUANTITY_COLLAPSE);
        char lost[384] = "";
        if (nearest > value) // a cross-section is an average
        {
            snprintf(lost, sizeof lost, ", and %s of its distance to the bone at the worst vertex",
                     wording_value(in, QUANTITY_COLLAPSE, nearest, false).text);
        }
        return pelt_arena_format(arena, "Skin around %s loses %s of its radius under %s %s%s; %s.",
                                 joint, amount.text, name, when.text, lost, other_text.text);
    }
    if (at->what == QUANTITY_VOLUME)
    {
        return pelt_arena_format(arena, "The body changes its volume by %s under %s %s; %s.",
                                 amount.text, name, when.text, other_text.text);
    }
    double thickness = in->rows[at->row].thickness;
    char part[320] = "";
    if (thickness > 1e-4 * in->info->size) // of a limb, not of a cloth
    {
        snprintf(part, sizeof part, ", %s %% of the thickness there",
                 wording_number(100.0 * value / thickness).text);
    }
    return pelt_arena_format(arena, "Skin around %s bulges by %s under %s %s%s; %s.", joint,
                             amount.text, name, when.text, part, other_text.text);
}

static char* write_shared(const comparison* in, const moment* at, pelt_arena* arena)
{
    double value = comparison_value(in, at->best, at->frame, at->row, at->what);
    wording amount = wording_value(in, at->what, value, at->what == QUANTITY_VOLUME);
    wording when = wording_moment(in, at->motion, at->frame);
    const char* joint = in->rows[at->row].name;
    return at->what == QUANTITY_VOLUME
               ? pelt_arena_format(arena,
                                   "The body changes its volume by %s or more under every method "
                                   "%s: weights or the motion are to blame.",
                                   amount.text, when.text)
               : pelt_arena_format(arena,
                                   "Skin around %s %s %s%s or more under every method %s: weights "
                                   "or the motion are to blame.",
                                   joint, at->what == QUANTITY_RADIUS ? "loses" : "bulges by",
                                   amount.text, at->what == QUANTITY_RADIUS ? " of its radius" : "",
                                   when.text);
}

// "2.44 mm under crs, 2.60 mm under dqs and 3.44 mm under lbs", best first.
static void list_scores(char* out, size_t size, const comparison* in)
{
    bool is_told[CONTENDER_MAX] = {false};
    size_t used = 0;
    uint32_t left = 0;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        left += comparison_is_eligible(in, i);
    }
    for (uint32_t count = left; left > 0 && used < size; --left)
    {
        uint32_t next = PELT_NONE;
        for (uint32_t i = 0; i < in->contenders.count; ++i)
        {
            bool is_open = comparison_is_eligible(in, i) && !is_told[i];
            next =
                is_open && (next == PELT_NONE || score_of(in, i) < score_of(in, next)) ? i : next;
        }
        is_told[next] = true;
        used += (size_t)snprintf(out + used, size - used, "%s%s under %s",
                                 left == count ? ""
                                 : left == 1   ? " and "
                                               : ", ",
                                 wording_value(in, QUANTITY_SHAPE, score_of(in, next), false).text,
                                 in->contenders.items[next].name);
    }
}

static char* write_summary(const comparison* in, pelt_arena* arena)
{
    char scores[1024] = "";
    list_scores(scores, sizeof scores, in);
    return pelt_arena_format(
        arena,
        "The distance between skin and bone changes by %s: the root mean "
        "square over the surface and %u %s of %u %s.",
        scores, in->motions.frame_count, message_plural(in->motions.frame_count, "frame", "frames"),
        in->motions.count,
        in->motions.items[0].kind == MOTION_CLIP ? in->motions.count == 1 ? "clip" : "clips"
        : in->motions.count == 1                 ? "pose"
                                                 : "motions");
}

// A sentence about what was left out; "" if nothing was.
static char* write_sampling(const comparison* in, pelt_arena* arena)
{
    char clips[96] = "", copies[96] = "", triangles[96] = "", halves[96] = "";
    uint32_t surface = comparison_surface_count(in), frames = in->motions.frame_count;
    bool has_all_clips = in->motions.count >= in->motions.clip_total;
    bool has_all_instances = in->scene->instance_count == in->instance_total;
    bool has_all_triangles = in->info->triangle_count == in->info->triangle_total;
    if (in->motions.frame_total <= frames && surface == frames && has_all_clips &&
        has_all_instances && has_all_triangles)
    {
        return pelt_arena_format(arena, "%s", "");
    }
    if (!has_all_clips)
    {
        snprintf(clips, sizeof clips, ", in %u of %u clips", in->motions.count,
                 in->motions.clip_total);
    }
    if (!has_all_instances)
    {
        snprintf(copies, sizeof copies, ", on %u of %u instances of meshes",
                 in->scene->instance_count, in->instance_total);
    }
    if (!has_all_triangles)
    {
        snprintf(triangles, sizeof triangles, ", of %u of %u triangles, too many for a surface",
                 in->info->triangle_count, in->info->triangle_total);
    }
    if (in->motions.frame_total > frames)
    {
        snprintf(halves, sizeof halves,
                 "every other one of them gives shape errors within %.2g %%; ",
                 100.0 * comparison_precision(in));
    }
    return pelt_arena_format(arena,
                             "This is a sample: %u of %.0f frames at %d per second%s, and strain, "
                             "creases, normals, jumps and cracks in %u of these%s%s; %s--exact "
                             "measures all%s.",
                             frames, in->motions.frame_total, MOTION_RATE, triangles, surface,
                             clips, copies, halves, has_all_triangles ? "" : " frames");
}

// "dqs", "dqs and crs", "lbs, dqs and crs": those that tie with the choice.
static void list_close(char* out, size_t size, const comparison* in, const decision* by)
{
    uint32_t left = by->close_count - 1;
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < in->contenders.count && used < size; ++i)
    {
        if (by->is_close[i] && i != by->choice)
        {
            const char* after = left == 1 ? "" : left == 2 ? " and " : ", ";
            used += (size_t)snprintf(out + used, size - used, "%s%s", in->contenders.items[i].name,
                                     after);
            --left;
        }
    }
}

static char* write_headline(const comparison* in, const decision* by, pelt_arena* arena)
{
    const char* name = in->contenders.items[by->choice].name;
    uint32_t eligible_count = 0, loss_count = 0;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        eligible_count += comparison_is_eligible(in, i);
        loss_count += by->loss_counts[i];
    }
    char others[256];
    list_close(others, sizeof others, in, by);
    if (in->contenders.count == 1)
    {
        return pelt_arena_format(arena, "%s alone: there is nothing to compare it with.", name);
    }
    if (by->close_count == 1)
    {
        return pelt_arena_format(arena, "Use %s: it keeps the shape of this character best.", name);
    }
    if (loss_count == 0)
    {
        return by->close_count == eligible_count
                   ? pelt_arena_format(
                         arena, "Use %s: all methods tie on this character, and it costs least.",
                         name)
                   : pelt_arena_format(arena, "Use %s: it ties with %s here, and costs least.",
                                       name, others);
    }
    return pelt_arena_format(arena,
                             "Use %s: on average it ties with %s, and its worst moments are the "
                             "mildest.",
                             name, others);
}

static uint32_t find_method(const comparison* in, pelt_method method)
{
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        if (in->contenders.items[i].deform.method == method)
        {
            return i;
        }
    }
    return 0;
}

// ", and 1.30 times the time on the CPU ...", where it was measured.
static wording compare_times(const contender_cost* own, const contender_cost* other,
                             const char* name)
{
    wording out = {""};
    double times = own->cpu_seconds / other->cpu_seconds;
    if (isfinite(times))
    {
        snprintf(out.text, sizeof out.text,
                 ", and takes %.16s times the time of %s on the CPU (%.16s instead of %.16s ns per "
                 "vertex, measured here on one thread)",
                 wording_number(times).text, name, wording_number(1e9 * own->cpu_seconds).text,
                 wording_number(1e9 * other->cpu_seconds).text);
    }
    return out;
}

static char* write_cost(const comparison* in, const contender_cost* costs, uint32_t choice,
                        pelt_arena* arena)
{
    uint32_t base = find_method(in, PELT_METHOD_LBS);
    const char* names[] = {in->contenders.items[choice].name, in->contenders.items[base].name};
    const contender_cost *own = &costs[choice], *other = &costs[base];
    if (choice == base)
    {
        return pelt_arena_format(arena, "%s needs nothing for a vertex but its joints and weights.",
                                 names[0]);
    }
    char memory[384] = "no more memory per vertex";
    if (own->vertex_bytes > 0)
    {
        snprintf(memory, sizeof memory,
                 "%u bytes per vertex more, %s kB for this character, which pelt enhance %s adds,",
                 own->vertex_bytes,
                 wording_number(1e-3 * own->vertex_bytes * in->info->vertex_count).text,
                 in->contenders.items[choice].added_by);
    }
    char palette[160] = "";
    if (own->is_on_gpu && other->is_on_gpu)
    {
        snprintf(palette, sizeof palette, " and %u instead of %u bytes per joint on a GPU",
                 own->gpu.joint_bytes, other->gpu.joint_bytes);
    }
    return pelt_arena_format(arena, "Against %s, %s costs %s%s%s.", names[1], names[0], memory,
                             palette, compare_times(own, other, names[1]).text);
}

// ---------------------------------------------------------------------------------------------

static int by_spread(const void* a, const void* b)
{
    double x = ((const finding*)a)->at.spread, y = ((const finding*)b)->at.spread;
    return (x < y) - (x > y);
}

static const quantity told[] = {QUANTITY_RADIUS, QUANTITY_BULGE, QUANTITY_VOLUME};

enum
{
    TOLD_COUNT = sizeof told / sizeof told[0],
};

// The largest value for which the choice is not the worst, no quantity more than twice.
static void choose_reasons(verdict* inout)
{
    uint32_t counts[QUANTITY_COUNT] = {0};
    for (uint32_t i = 0; i < inout->finding_count && inout->reason_count < VERDICT_REASON_MAX; ++i)
    {
        const moment* at = &inout->findings[i].at;
        if (at->worst != inout->choice && counts[at->what] < 2)
        {
            inout->reasons[inout->reason_count++] = &inout->findings[i];
            ++counts[at->what];
        }
    }
}

static pelt_result find_all(verdict* inout, const comparison* in, pelt_arena* arena)
{
    inout->findings =
        pelt_arena_alloc(arena, (size_t)in->motions.count * TOLD_COUNT, sizeof *inout->findings);
    if (inout->findings == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < in->motions.count * TOLD_COUNT; ++i)
    {
        moment_search search = {.in = in, .measure = measure_spread, .choice = inout->choice};
        search_motion(&search, i / TOLD_COUNT, told[i % TOLD_COUNT]);
        if (!is_worth_telling(in, &search.at, search.most))
        {
            continue;
        }
        finding found = {search.at, write_finding(in, &search.at, inout->choice, arena)};
        if (found.text == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        inout->findings[inout->finding_count++] = found;
    }
    qsort(inout->findings, inout->finding_count, sizeof *inout->findings, by_spread);
    choose_reasons(inout);
    return PELT_OK;
}

// The largest of a measure over everything.
static moment_search search_all(const comparison* in, moment_measure* measure, uint32_t choice)
{
    moment_search search = {.in = in, .measure = measure, .choice = choice};
    for (uint32_t i = 0; i < in->motions.count * TOLD_COUNT; ++i)
    {
        search_motion(&search, i / TOLD_COUNT, told[i % TOLD_COUNT]);
    }
    return search;
}

static pelt_result find_limits(verdict* inout, const comparison* in, pelt_arena* arena)
{
    moment_search regret = search_all(in, measure_regret, inout->choice);
    moment_search remainder = search_all(in, measure_remainder, inout->choice);
    bool has_caveat = is_worth_telling(in, &regret.at, regret.most);
    bool has_shared = remainder.most > 0.0;
    if (has_caveat)
    {
        // The sentence compares the choice only with better methods.
        regret.at.worst = inout->choice;
        inout->caveat = (finding){regret.at, write_finding(in, &regret.at, inout->choice, arena)};
    }
    if (has_shared)
    {
        inout->shared = (finding){remainder.at, write_shared(in, &remainder.at, arena)};
    }
    bool is_whole =
        (!has_caveat || inout->caveat.text != NULL) && (!has_shared || inout->shared.text != NULL);
    return is_whole ? PELT_OK : PELT_ERROR_MEMORY;
}

pelt_result verdict_reach(verdict* out, const comparison* in, const contender_cost* costs,
                          pelt_arena* arena)
{
    decision by = decide(in, costs);
    *out = (verdict){.choice = by.choice};
    out->headline = write_headline(in, &by, arena);
    out->summary = write_summary(in, arena);
    out->sampling = write_sampling(in, arena);
    out->cost = write_cost(in, costs, out->choice, arena);
    PELT_TRY(out->headline != NULL && out->summary != NULL && out->sampling != NULL &&
                     out->cost != NULL
                 ? find_all(out, in, arena)
                 : PELT_ERROR_MEMORY);
    return find_limits(out, in, arena);
}
