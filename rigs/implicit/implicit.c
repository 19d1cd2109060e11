// SPDX-License-Identifier: MIT
// The field: distances to round cones, joined by cubic smooth minima.
#include "implicit.h"

// Inlined into the variant of each instruction set.
#define INLINE static inline __attribute__((always_inline))

// fminf() and fmaxf() handle NaN and are function calls without -ffast-math; the field has no NaN.
INLINE float lesser(float a, float b)
{
    return a < b ? a : b;
}

INLINE float greater(float a, float b)
{
    return a > b ? a : b;
}

#define METRES 0.001f

// A large distance, but small enough that sums with it keep their precision.
#define FAR_AWAY 10.0f

static pelt_vec3 squeeze(pelt_vec3 p, pelt_vec3 factors)
{
    return pelt_vec3_make(METRES * p.x * factors.x, METRES * p.y * factors.y,
                          METRES * p.z * factors.z);
}

static implicit_solid make_solid(const implicit_cone* cone)
{
    pelt_vec3 s = cone->scale;
    bool is_plain = s.x == 0.0f && s.y == 0.0f && s.z == 0.0f;
    pelt_vec3 inverse = is_plain ? pelt_vec3_make(1.0f, 1.0f, 1.0f)
                                 : pelt_vec3_make(1.0f / s.x, 1.0f / s.y, 1.0f / s.z);
    pelt_vec3 a = squeeze(cone->a, inverse);
    pelt_vec3 b = squeeze(cone->b, inverse);
    float length = pelt_vec3_distance(a, b);
    float change = METRES * (cone->radius_b - cone->radius_a);

    implicit_solid solid = {.origin = a,
                            .direction = pelt_vec3_normalize(pelt_vec3_sub(b, a)),
                            .inverse_scale = inverse,
                            .length = length,
                            .radius = METRES * cone->radius_a,
                            .steepness = 1.0f,
                            .core = -FAR_AWAY,
                            .blend = METRES * cone->blend,
                            .branch = cone->branch,
                            .symmetry = cone->symmetry,
                            .is_round = inverse.x == 1.0f && inverse.y == 1.0f && inverse.z == 1.0f,
                            .is_carved = cone->is_carved};
    if (length > fabsf(change))
    {
        solid.radius_change = change / length;
        solid.tangent = change / sqrtf(length * length - change * change);
    }
    if (!solid.is_round)
    {
        float least = lesser(s.x, lesser(s.y, s.z)), most = greater(s.x, greater(s.y, s.z));
        // An estimate that a test confirms for all bodies here. Near the axis, where the
        // first-order distance is not accurate, there is none.
        solid.steepness = most / least;
        solid.core = -0.5f * METRES * lesser(cone->radius_a, cone->radius_b) * least;
    }
    return solid;
}

pelt_result implicit_shape_create(implicit_shape* out, const implicit_cone* cones, uint32_t count,
                                  pelt_arena* arena)
{
    PELT_ASSERT(count <= IMPLICIT_SOLIDS_MAX);
    *out = (implicit_shape){0};
    implicit_solid* solids = pelt_arena_alloc(arena, count, sizeof *solids);
    if (!solids)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_ASSERT(i == 0 || cones[i].branch >= cones[i - 1].branch);
        solids[i] = make_solid(&cones[i]);
        bool is_first = i == 0 || cones[i].branch != cones[i - 1].branch;
        bool goes_on = !is_first && solids[i].blend == 0.0f;
        solids[i].chain = goes_on ? solids[i - 1].chain : i;
        solids[i].blend = goes_on ? solids[i - 1].blend : solids[i].blend;
        solids[i].join = is_first ? solids[i].blend : solids[i - 1].join;
        solids[i].symmetry =
            cones[i].branch == 0 || is_first ? cones[i].symmetry : solids[i - 1].symmetry;
    }
    out->solid_count = count;
    out->solids = solids;
    return PELT_OK;
}

// The nearest of all balls along the axis has its center where the normal of the cone through p
// meets the axis. Dividing by the gradient's length makes squeezed cones distances to first order.
// Lengths need no protection against underflow: near the axis the result does not depend on them.
// @param is_round  the scale is one: then the gradient is as long as n
INLINE float cone_distance(const implicit_solid* solid, pelt_vec3 p, bool is_round)
{
    pelt_vec3 inverse = solid->inverse_scale;
    pelt_vec3 q = pelt_vec3_sub(pelt_vec3_make(p.x * inverse.x, p.y * inverse.y, p.z * inverse.z),
                                solid->origin);
    float along = pelt_vec3_dot(q, solid->direction);
    float away = sqrtf(greater(pelt_vec3_dot(q, q) - along * along, 0.0f));
    float t = lesser(greater(along + away * solid->tangent, 0.0f), solid->length);

    pelt_vec3 n = pelt_vec3_mad(q, -t, solid->direction);
    float length = sqrtf(pelt_vec3_dot(n, n));
    float value = length - (solid->radius + t * solid->radius_change);
    pelt_vec3 g = pelt_vec3_make(n.x * inverse.x, n.y * inverse.y, n.z * inverse.z);
    float gradient = is_round ? length : sqrtf(pelt_vec3_dot(g, g));
    float scaled = value * length / gradient;
    float inmost = is_round ? value : value / greater(inverse.x, inverse.y);
    return gradient > 1e-12f ? scaled : inmost;
}

INLINE float solid_distance(const implicit_solid* solid, pelt_vec3 p)
{
    return cone_distance(solid, p, false);
}

// Cubic smooth minimum: exactly the minimum where the two differ by k or more, so that a blend is
// local; twice differentiable. Source: Quilez, "smooth minimum".
INLINE float smooth_min(float a, float b, float k)
{
    float h = k - fabsf(a - b);
    float least = lesser(a, b), lowered = least - h * h * h / (6.0f * k * k);
    return h > 0.0f ? lowered : least;
}

static pelt_vec3 mirror(pelt_vec3 p)
{
    return pelt_vec3_make(-p.x, p.y, p.z);
}

// The field is evaluated at several points at once. Loops over lanes have no branches except those
// that all points share, so compilers vectorize them, and each lane has the same bits as a single
// point. gcc must not unroll such a loop before it is vectorized.
#define LANES IMPLICIT_LANES

typedef struct lanes
{
    float at[LANES];
} lanes;

typedef struct lane_points
{
    float x[LANES], y[LANES], z[LANES];
} lane_points;

// Writes to `out` directly: a copy of the struct in scalar pieces would delay the vector loads that
// follow.
INLINE void lanes_fill(lanes* out, float value)
{
    for (int i = 0; i < LANES; ++i)
    {
        out->at[i] = value;
    }
}

INLINE void cone_distances(lanes* out, const implicit_solid* solid, const lane_points* p,
                           float sign, bool is_round)
{
#pragma GCC unroll 1
    for (int i = 0; i < LANES; ++i)
    {
        pelt_vec3 point = pelt_vec3_make(sign * p->x[i], p->y[i], p->z[i]);
        out->at[i] = cone_distance(solid, point, is_round);
    }
}

// @param sign  1, or -1 for the mirror image of the solid
INLINE void solid_distances(lanes* out, const implicit_solid* solid, const lane_points* p,
                            float sign)
{
    if (solid->is_round)
    {
        cone_distances(out, solid, p, sign, true);
    }
    else
    {
        cone_distances(out, solid, p, sign, false);
    }
}

INLINE void smooth_min_with(lanes* a, const lanes* b, float k)
{
#pragma GCC unroll 1
    for (int i = 0; i < LANES; ++i)
    {
        a->at[i] = smooth_min(a->at[i], b->at[i], k);
    }
}

INLINE void carve(lanes* a, const lanes* b, float k)
{
#pragma GCC unroll 1
    for (int i = 0; i < LANES; ++i)
    {
        a->at[i] = -smooth_min(-a->at[i], b->at[i], k);
    }
}

// The left and the right solid of a pair are blended first, so that the result is symmetric.
INLINE void pair_distances(lanes* out, const implicit_solid* solid, const lane_points* p)
{
    solid_distances(out, solid, p, 1.0f);
    if (solid->symmetry == IMPLICIT_PAIR)
    {
        lanes right;
        solid_distances(&right, solid, p, -1.0f);
        smooth_min_with(out, &right, solid->blend);
    }
}

// Rounds the inside of a bend in a chain and hardly thickens it.
#define CHAIN_BLEND 0.012f

// Distances to a whole chain; *i becomes the index after it.
INLINE void chain_distances(lanes* out, const implicit_solid* solids, uint32_t count, uint32_t* i,
                            const lane_points* p)
{
    uint32_t chain = solids[*i].chain;
    pair_distances(out, &solids[(*i)++], p);
    while (*i < count && solids[*i].chain == chain)
    {
        lanes next;
        pair_distances(&next, &solids[(*i)++], p);
        smooth_min_with(out, &next, CHAIN_BLEND);
    }
}

INLINE void trunk_values(lanes* out, const implicit_solid* solids, uint32_t count,
                         const lane_points* p)
{
    lanes_fill(out, FAR_AWAY);
    for (uint32_t i = 0; i < count;)
    {
        const implicit_solid* first = &solids[i];
        lanes distances;
        chain_distances(&distances, solids, count, &i, p);
        if (first->is_carved)
        {
            carve(out, &distances, first->blend);
        }
        else
        {
            smooth_min_with(out, &distances, first->blend);
        }
    }
}

INLINE bool is_in_half(const implicit_solid* solid, float sign)
{
    return sign > 0.0f || solid->symmetry == IMPLICIT_PAIR;
}

// Whether a branch has any solid in a half: 1, or -1 for the mirror image of the branch. A half
// without solids is FAR_AWAY and has no effect on a minimum.
INLINE bool has_half(const implicit_solid* solids, uint32_t count, float sign)
{
    uint32_t i = 0;
    while (i < count && !is_in_half(&solids[i], sign))
    {
        ++i;
    }
    return i < count;
}

INLINE void branch_values(lanes* out, const implicit_solid* solids, uint32_t count,
                          const lane_points* p, float sign)
{
    lanes_fill(out, FAR_AWAY);
    lanes distances;
    bool is_begun = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_in_half(&solids[i], sign) && !is_begun)
        {
            solid_distances(&distances, &solids[i], p, sign);
            is_begun = true;
        }
        else if (is_in_half(&solids[i], sign))
        {
            lanes next;
            solid_distances(&next, &solids[i], p, sign);
            smooth_min_with(&distances, &next, CHAIN_BLEND);
        }
        if (is_begun && (i + 1 == count || solids[i + 1].chain != solids[i].chain))
        {
            smooth_min_with(out, &distances, solids[i].blend);
            is_begun = false;
        }
    }
}

// Each branch reduces the value of the trunk. The reductions are combined by a maximum, smooth only
// where both are positive, so that nothing is added between two fingers.
#define GAIN_BLEND 0.003f

INLINE float join_gains(float a, float b)
{
    float k = lesser(GAIN_BLEND, lesser(a, b));
    float rounded = -smooth_min(-a, -b, k), greatest = greater(a, b);
    return k > 0.0f ? rounded : greatest;
}

INLINE void join_branch(lanes* gains, const lanes* trunk, const lanes* values, float k)
{
#pragma GCC unroll 1
    for (int i = 0; i < LANES; ++i)
    {
        float gain = trunk->at[i] - smooth_min(trunk->at[i], values->at[i], k);
        gains->at[i] = join_gains(gains->at[i], gain);
    }
}

// Number of consecutive solids in one branch.
INLINE uint32_t branch_length(const implicit_solid* solids, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && solids[i].branch == solids[0].branch)
    {
        ++i;
    }
    return i;
}

INLINE void find_values(float* out, const implicit_shape* shape, const pelt_vec3* points)
{
    lane_points p;
    for (int i = 0; i < LANES; ++i)
    {
        p.x[i] = fabsf(points[i].x);
        p.y[i] = points[i].y;
        p.z[i] = points[i].z;
    }
    const implicit_solid* solids = shape->solids;
    uint32_t count = shape->solid_count;
    uint32_t first = count > 0 && solids[0].branch == 0 ? branch_length(solids, count) : 0;
    lanes trunk, gains;
    trunk_values(&trunk, solids, first, &p);
    lanes_fill(&gains, 0.0f);
    while (first < count)
    {
        uint32_t length = branch_length(solids + first, count - first);
        for (float sign = 1.0f; sign >= -1.0f; sign -= 2.0f)
        {
            if (has_half(solids + first, length, sign))
            {
                lanes values;
                branch_values(&values, solids + first, length, &p, sign);
                join_branch(&gains, &trunk, &values, solids[first].join);
            }
        }
        first += length;
    }
    for (int i = 0; i < LANES; ++i)
    {
        out[i] = trunk.at[i] - gains.at[i];
    }
}

#if defined(__x86_64__) && !defined(PELT_SCALAR)

// All lanes in one instruction, where the processor has such instructions.
__attribute__((target("avx2"))) static void
find_values_avx2(float* out, const implicit_shape* shape, const pelt_vec3* points)
{
    find_values(out, shape, points);
}

void implicit_values(float* out, const implicit_shape* shape, const pelt_vec3* points)
{
    if (__builtin_cpu_supports("avx2"))
    {
        find_values_avx2(out, shape, points);
    }
    else
    {
        find_values(out, shape, points);
    }
}

#else

void implicit_values(float* out, const implicit_shape* shape, const pelt_vec3* points)
{
    find_values(out, shape, points);
}

#endif

float implicit_value(const implicit_shape* shape, pelt_vec3 p)
{
    const pelt_vec3 points[LANES] = {p, p, p, p, p, p, p, p};
    float values[LANES];
    implicit_values(values, shape, points);
    return values[0];
}

// ---------------------------------------------------------------------------------------------
// The solids that matter near a point. Where a smooth minimum is exactly one of its arguments for
// all values that the two can have there, the other one is not needed. Each fold of the field is
// repeated with ranges of values for that. The reduction by a branch is a difference to the trunk,
// and its rounding depends on the value of the trunk, so the trunk is always needed.

typedef struct range
{
    float low, high;
} range;

// The result of an empty fold; each fold with another one lowers it a little.
static const range far_away = {FAR_AWAY - 1.0f, FAR_AWAY};

typedef enum outcome
{
    OUTCOME_FIRST,
    OUTCOME_SECOND,
    OUTCOME_BLEND
} outcome;

// Which of the two arguments a smooth minimum is; *a becomes the minimum.
static outcome fold_range(range* a, range b, float k)
{
    if (b.low - a->high >= k)
    {
        return OUTCOME_FIRST;
    }
    if (a->low - b.high >= k)
    {
        *a = b;
        return OUTCOME_SECOND;
    }
    *a = (range){smooth_min(a->low, b.low, k), smooth_min(a->high, b.high, k)};
    return OUTCOME_BLEND;
}

typedef struct narrowing
{
    const implicit_solid* solids;
    pelt_vec3 center;
    float radius;
    bool is_needed[2][IMPLICIT_SOLIDS_MAX]; ///< by half and solid; half 0 is the left
} narrowing;

// @param half  0: left, 1: right
static range solid_range(const narrowing* n, uint32_t solid, int half)
{
    const implicit_solid* s = &n->solids[solid];
    // Larger than the rounding errors of the field and of this computation.
    float slack = s->steepness * n->radius + 2e-5f;
    float value = solid_distance(s, half == 0 ? n->center : mirror(n->center));
    range known = {value - slack, value + slack}, unknown = {-FAR_AWAY, FAR_AWAY};
    return known.low > s->core ? known : unknown;
}

static void forget(narrowing* n, int half, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i)
    {
        n->is_needed[half][i] = false;
    }
}

static range pair_range(narrowing* n, uint32_t solid)
{
    const implicit_solid* s = &n->solids[solid];
    range values = solid_range(n, solid, 0);
    n->is_needed[0][solid] = true;
    n->is_needed[1][solid] =
        s->symmetry == IMPLICIT_PAIR &&
        fold_range(&values, solid_range(n, solid, 1), s->blend) != OUTCOME_FIRST;
    return values;
}

// As chain_distances().
static range chain_range(narrowing* n, uint32_t count, uint32_t* i)
{
    uint32_t chain = n->solids[*i].chain;
    range distances = pair_range(n, (*i)++);
    while (*i < count && n->solids[*i].chain == chain)
    {
        fold_range(&distances, pair_range(n, (*i)++), CHAIN_BLEND);
    }
    return distances;
}

static outcome carve_range(range* a, range b, float k)
{
    if (a->low + b.low >= k)
    {
        return OUTCOME_FIRST;
    }
    *a = (range){-smooth_min(-a->low, b.high, k), -smooth_min(-a->high, b.low, k)};
    return OUTCOME_BLEND;
}

// As trunk_values().
static range narrow_trunk(narrowing* n, uint32_t count)
{
    range values = {FAR_AWAY, FAR_AWAY};
    for (uint32_t i = 0; i < count;)
    {
        uint32_t first = i;
        const implicit_solid* solid = &n->solids[first];
        range distances = chain_range(n, count, &i);
        outcome result = solid->is_carved ? carve_range(&values, distances, solid->blend)
                                          : fold_range(&values, distances, solid->blend);
        bool is_first = result == OUTCOME_FIRST, is_second = result == OUTCOME_SECOND;
        for (int half = 0; half < 2 && (is_first || is_second); ++half)
        {
            forget(n, half, is_first ? first : 0, is_first ? i : first);
        }
    }
    return values;
}

// As branch_values(), for the solids from begin to end.
static range narrow_branch(narrowing* n, uint32_t begin, uint32_t end, int half)
{
    range values = far_away, distances = far_away;
    for (uint32_t i = begin, chain = begin; i < end; ++i)
    {
        bool is_there = half == 0 || n->solids[i].symmetry == IMPLICIT_PAIR;
        outcome result =
            is_there ? fold_range(&distances, solid_range(n, i, half), CHAIN_BLEND) : OUTCOME_FIRST;
        n->is_needed[half][i] = result != OUTCOME_FIRST;
        forget(n, half, chain, result == OUTCOME_SECOND ? i : chain);
        if (i + 1 == end || n->solids[i + 1].chain != n->solids[i].chain)
        {
            result = fold_range(&values, distances, n->solids[i].blend);
            forget(n, half, chain, result == OUTCOME_FIRST ? i + 1 : chain);
            forget(n, half, begin, result == OUTCOME_SECOND ? chain : begin);
            distances = far_away;
            chain = i + 1;
        }
    }
    return values;
}

// As join_branch(): what one half of a branch subtracts from the value of the trunk.
static outcome join_range(range* gains, range trunk, range values, float k)
{
    range gain = {trunk.low - smooth_min(trunk.low, values.high, k),
                  trunk.high - smooth_min(trunk.high, values.low, k)};
    if (values.low - trunk.high >= k || gains->low - gain.high >= GAIN_BLEND)
    {
        return OUTCOME_FIRST;
    }
    if (gain.low - gains->high >= GAIN_BLEND)
    {
        *gains = gain;
        return OUTCOME_SECOND;
    }
    *gains = (range){greater(gains->low, gain.low), greater(gains->high, gain.high) + GAIN_BLEND};
    return OUTCOME_BLEND;
}

static void narrow(narrowing* n, uint32_t count)
{
    uint32_t trunk_count =
        count > 0 && n->solids[0].branch == 0 ? branch_length(n->solids, count) : 0;
    range trunk = narrow_trunk(n, trunk_count), gains = {0.0f, 0.0f};
    for (uint32_t begin = trunk_count, end; begin < count; begin = end)
    {
        end = begin + branch_length(n->solids + begin, count - begin);
        for (int half = 0; half < 2; ++half)
        {
            range values = narrow_branch(n, begin, end, half);
            outcome result = join_range(&gains, trunk, values, n->solids[begin].join);
            forget(n, half, begin, result == OUTCOME_FIRST ? end : begin);
            if (result == OUTCOME_SECOND)
            {
                forget(n, 0, trunk_count, begin);
                forget(n, 1, trunk_count, begin);
            }
        }
    }
}

void implicit_focus_set(implicit_focus* out, const implicit_shape* shape, pelt_vec3 center,
                        float radius)
{
    out->shape = shape;
    out->center = center;
    out->radius = radius;
    narrowing n;
    n.solids = shape->solids;
    n.center = pelt_vec3_make(fabsf(center.x), center.y, center.z);
    n.radius = radius;
    narrow(&n, shape->solid_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        if (n.is_needed[0][i] || n.is_needed[1][i])
        {
            out->solids[count] = shape->solids[i];
            out->solids[count++].symmetry = n.is_needed[1][i] ? IMPLICIT_PAIR : IMPLICIT_LEFT;
        }
    }
    out->near = (implicit_shape){count, out->solids};
}

const implicit_shape* implicit_focus_shape(const implicit_focus* focus, pelt_vec3 p, float radius)
{
    return pelt_vec3_distance(p, focus->center) + radius <= focus->radius ? &focus->near
                                                                          : focus->shape;
}

// ---------------------------------------------------------------------------------------------
// Derivatives

pelt_vec3 implicit_gradient(const implicit_focus* focus, pelt_vec3 p, float* value)
{
    // Small compared with a fingertip, large compared with the rounding of a float near 1.
    const float step = 5e-4f;
    const pelt_vec3 points[LANES] = {{p.x + step, p.y, p.z},
                                     {p.x - step, p.y, p.z},
                                     {p.x, p.y + step, p.z},
                                     {p.x, p.y - step, p.z},
                                     {p.x, p.y, p.z + step},
                                     {p.x, p.y, p.z - step},
                                     p,
                                     p};
    float v[LANES];
    implicit_values(v, implicit_focus_shape(focus, p, step), points);
    if (value)
    {
        *value = v[6];
    }
    return pelt_vec3_scale(pelt_vec3_make(v[0] - v[1], v[2] - v[3], v[4] - v[5]), 0.5f / step);
}

pelt_vec3 implicit_project(const implicit_focus* focus, pelt_vec3 p, float limit, int step_count,
                           pelt_vec3* gradient)
{
    pelt_vec3 start = p, g = {0.0f, 0.0f, 0.0f};
    bool has_met = false;
    for (int i = 0; i < step_count && !has_met; ++i)
    {
        float value;
        g = implicit_gradient(focus, p, &value);
        has_met = fabsf(value) < 1e-6f;
        // In a crease the gradient is nearly zero, and a full step would be too large.
        float square = fmaxf(pelt_vec3_dot(g, g), 0.25f);
        p = has_met ? p : pelt_vec3_mad(p, -value / square, g);
    }
    float moved = pelt_vec3_distance(p, start);
    p = moved > limit ? pelt_vec3_lerp(start, p, limit / moved) : p;
    if (gradient)
    {
        *gradient = has_met && moved <= limit ? g : implicit_gradient(focus, p, NULL);
    }
    return p;
}

// ---------------------------------------------------------------------------------------------
// The solids that matter in a large region

// The smallest distance of any added solid, and the widest fillet among those that reach as far.
static void find_nearest(float* nearest, float* blend, const implicit_shape* shape,
                         const float* distances, float reach)
{
    *nearest = 10.0f;
    *blend = 0.0f;
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        *nearest = shape->solids[i].is_carved ? *nearest : lesser(*nearest, distances[i]);
    }
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        const implicit_solid* solid = &shape->solids[i];
        float widest = greater(solid->blend, solid->join);
        bool is_felt = widest > *blend && distances[i] < *nearest + reach + widest;
        *blend = is_felt ? widest : *blend;
    }
}

uint32_t implicit_cull(implicit_solid* out, const implicit_shape* shape, pelt_vec3 center,
                       float radius)
{
    // A single solid is a more accurate distance than IMPLICIT_LIPSCHITZ assumes.
    float reach = 2.0f * 1.15f * radius;
    float nearest, blend, distances[IMPLICIT_SOLIDS_MAX];
    center.x = fabsf(center.x);
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        distances[i] = solid_distance(&shape->solids[i], center);
    }
    find_nearest(&nearest, &blend, shape, distances, reach);
    // A solid beyond this distance has no effect, before or after the nearest one in the fold.
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        const implicit_solid* solid = &shape->solids[i];
        float far = nearest + reach + solid->blend + blend;
        bool is_right_near =
            solid->symmetry == IMPLICIT_PAIR && solid_distance(solid, mirror(center)) < far;
        if (is_right_near || distances[i] < far)
        {
            out[count] = *solid;
            out[count].symmetry = is_right_near ? IMPLICIT_PAIR : IMPLICIT_LEFT;
            ++count;
        }
    }
    return count;
}
