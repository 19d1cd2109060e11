// SPDX-License-Identifier: MIT
// The field: distances to round cones, joined by cubic smooth minima.
#include "implicit.h"

// Into each set of instructions.
#define INLINE static inline __attribute__((always_inline))

// fminf() and fmaxf() care for NaN and are calls without -ffast-math; the field has none.
INLINE float lesser(float a, float b)
{
    return a < b ? a : b;
}

INLINE float greater(float a, float b)
{
    return a > b ? a : b;
}

#define METRES 0.001f

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
                            .blend = METRES * cone->blend,
                            .branch = cone->branch,
                            .side = cone->side,
                            .is_carved = cone->is_carved};
    if (length > fabsf(change))
    {
        solid.radius_change = change / length;
        solid.tangent = change / sqrtf(length * length - change * change);
    }
    return solid;
}

pelt_result implicit_shape_create(implicit_shape* out, const implicit_cone* cones, uint32_t count,
                                  pelt_arena* arena)
{
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
        solids[i].side = cones[i].branch == 0 || is_first ? cones[i].side : solids[i - 1].side;
    }
    out->solid_count = count;
    out->solids = solids;
    return PELT_OK;
}

// The nearest of all balls along the axis has its center where the normal of the cone through p
// meets the axis. Dividing by the gradient's length makes squeezed cones distances to first order.
// Lengths are square roots without more ado: near the axis, where one could underflow, the result
// does not depend on it.
INLINE float solid_distance(const implicit_solid* solid, pelt_vec3 p)
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
    float gradient = sqrtf(pelt_vec3_dot(g, g));
    float scaled = value * length / gradient, inmost = value / greater(inverse.x, inverse.y);
    return gradient > 1e-12f ? scaled : inmost;
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

// The field is evaluated at several points at once: a loop over lanes has no branches but those
// that all points share, so a compiler makes vector instructions of it, and each lane has the bits
// that its point has alone. gcc must not unroll such a loop before it comes to vectors.
#define LANES IMPLICIT_LANES

typedef struct lanes
{
    float at[LANES];
} lanes;

typedef struct lane_points
{
    float x[LANES], y[LANES], z[LANES];
} lane_points;

INLINE lanes lanes_of(float value)
{
    lanes result;
    for (int i = 0; i < LANES; ++i)
    {
        result.at[i] = value;
    }
    return result;
}

// @param side  1, or -1 for the mirror image of the solid
INLINE lanes solid_distances(const implicit_solid* solid, const lane_points* p, float side)
{
    lanes result;
#pragma GCC unroll 1
    for (int i = 0; i < LANES; ++i)
    {
        result.at[i] = solid_distance(solid, pelt_vec3_make(side * p->x[i], p->y[i], p->z[i]));
    }
    return result;
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

// The two sides of a pair meet each other first, so that neither comes before the other.
INLINE lanes pair_distances(const implicit_solid* solid, const lane_points* p)
{
    lanes distances = solid_distances(solid, p, 1.0f);
    if (solid->side == IMPLICIT_PAIR)
    {
        lanes right = solid_distances(solid, p, -1.0f);
        smooth_min_with(&distances, &right, solid->blend);
    }
    return distances;
}

// Takes the edge off the inside of a bend in a chain, and hardly thickens it.
#define CHAIN_BLEND 0.012f

// Far away, but small enough for sums with it to keep their digits.
#define FAR_AWAY 10.0f

// Distances to a whole chain; *i goes past it.
INLINE lanes chain_distances(const implicit_solid* solids, uint32_t count, uint32_t* i,
                             const lane_points* p)
{
    uint32_t chain = solids[*i].chain;
    lanes distances = pair_distances(&solids[(*i)++], p);
    while (*i < count && solids[*i].chain == chain)
    {
        lanes next = pair_distances(&solids[(*i)++], p);
        smooth_min_with(&distances, &next, CHAIN_BLEND);
    }
    return distances;
}

INLINE lanes trunk_values(const implicit_solid* solids, uint32_t count, const lane_points* p)
{
    lanes values = lanes_of(FAR_AWAY);
    for (uint32_t i = 0; i < count;)
    {
        const implicit_solid* first = &solids[i];
        lanes distances = chain_distances(solids, count, &i, p);
        if (first->is_carved)
        {
            carve(&values, &distances, first->blend);
        }
        else
        {
            smooth_min_with(&values, &distances, first->blend);
        }
    }
    return values;
}

// @param side  1, or -1 for the mirror image of the branch
INLINE lanes branch_values(const implicit_solid* solids, uint32_t count, const lane_points* p,
                           float side)
{
    lanes values = lanes_of(FAR_AWAY), distances = values;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (side > 0.0f || solids[i].side == IMPLICIT_PAIR)
        {
            lanes next = solid_distances(&solids[i], p, side);
            smooth_min_with(&distances, &next, CHAIN_BLEND);
        }
        if (i + 1 == count || solids[i + 1].chain != solids[i].chain)
        {
            smooth_min_with(&values, &distances, solids[i].blend);
            distances = lanes_of(FAR_AWAY);
        }
    }
    return values;
}

// What branches take off the trunk's value is combined by a maximum, rounded only where both take:
// between two fingers nothing is added to either.
INLINE float join_gains(float a, float b)
{
    float k = lesser(0.003f, lesser(a, b));
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

// How many solids from the first on are of one branch.
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
    lanes trunk = trunk_values(solids, first, &p), gains = lanes_of(0.0f);
    while (first < count)
    {
        uint32_t length = branch_length(solids + first, count - first);
        for (float side = 1.0f; side >= -1.0f; side -= 2.0f)
        {
            lanes values = branch_values(solids + first, length, &p, side);
            join_branch(&gains, &trunk, &values, solids[first].join);
        }
        first += length;
    }
    for (int i = 0; i < LANES; ++i)
    {
        out[i] = trunk.at[i] - gains.at[i];
    }
}

#if defined(__x86_64__) && !defined(PELT_SCALAR)

// All lanes in one instruction, where there are such.
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

pelt_vec3 implicit_gradient(const implicit_shape* shape, pelt_vec3 p, float* value)
{
    // Small against a fingertip, large against the rounding of a float near one.
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
    implicit_values(v, shape, points);
    if (value)
    {
        *value = v[6];
    }
    return pelt_vec3_scale(pelt_vec3_make(v[0] - v[1], v[2] - v[3], v[4] - v[5]), 0.5f / step);
}

pelt_vec3 implicit_project(const implicit_shape* shape, pelt_vec3 p, float limit, int step_count)
{
    pelt_vec3 start = p;
    for (int i = 0; i < step_count; ++i)
    {
        float value;
        pelt_vec3 g = implicit_gradient(shape, p, &value);
        if (fabsf(value) < 1e-6f)
        {
            break;
        }
        // In a crease the gradient nearly vanishes and a full step would jump across.
        float square = fmaxf(pelt_vec3_dot(g, g), 0.25f);
        p = pelt_vec3_mad(p, -value / square, g);
    }
    float moved = pelt_vec3_distance(p, start);
    return moved > limit ? pelt_vec3_lerp(start, p, limit / moved) : p;
}

// The smallest distance of any added solid, and the widest fillet among those that reach as far.
static void find_nearest(float* nearest, float* blend, const implicit_shape* shape, pelt_vec3 p,
                         float reach)
{
    *nearest = 10.0f;
    *blend = 0.0f;
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        const implicit_solid* solid = &shape->solids[i];
        *nearest = solid->is_carved ? *nearest : fminf(*nearest, solid_distance(solid, p));
    }
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        const implicit_solid* solid = &shape->solids[i];
        float widest = fmaxf(solid->blend, solid->join);
        bool is_felt = widest > *blend && solid_distance(solid, p) < *nearest + reach + widest;
        *blend = is_felt ? widest : *blend;
    }
}

uint32_t implicit_cull(implicit_solid* out, const implicit_shape* shape, pelt_vec3 center,
                       float radius)
{
    // Solids are truer distances than their sum of errors in IMPLICIT_LIPSCHITZ.
    float reach = 2.0f * 1.15f * radius;
    float nearest, blend;
    center.x = fabsf(center.x);
    find_nearest(&nearest, &blend, shape, center, reach);
    // A solid farther than this loses against the nearest one, before or after it in the fold.
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->solid_count; ++i)
    {
        const implicit_solid* solid = &shape->solids[i];
        float far = nearest + reach + solid->blend + blend;
        bool is_right_near =
            solid->side == IMPLICIT_PAIR && solid_distance(solid, mirror(center)) < far;
        if (is_right_near || solid_distance(solid, center) < far)
        {
            out[count] = *solid;
            out[count].side = is_right_near ? IMPLICIT_PAIR : IMPLICIT_LEFT;
            ++count;
        }
    }
    return count;
}

float implicit_ramp_at(const implicit_ramp* ramp, float t, float* slope)
{
    float width = ramp->end - ramp->begin;
    float x = lesser(greater((t - ramp->begin) / width, 0.0f), 1.0f);
    float change = ramp->slope - 1.0f;
    if (slope)
    {
        *slope = 1.0f + change * x * x * (3.0f - 2.0f * x);
    }
    // Integral of the cubic smoothstep, and of its constant end.
    float integral = width * (x * x * x * (1.0f - 0.5f * x));
    float beyond = greater(width > 0.0f ? t - ramp->end : ramp->end - t, 0.0f);
    return t + change * (width > 0.0f ? integral + beyond : integral - beyond);
}
