// SPDX-License-Identifier: MIT
// The field: distances to round cones, joined by cubic smooth minima.
#include "implicit.h"

// fminf() and fmaxf() care for NaN and are calls without -ffast-math; the field has none.
static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float greater(float a, float b)
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
static float solid_distance(const implicit_solid* solid, pelt_vec3 p)
{
    pelt_vec3 inverse = solid->inverse_scale;
    pelt_vec3 q = pelt_vec3_sub(pelt_vec3_make(p.x * inverse.x, p.y * inverse.y, p.z * inverse.z),
                                solid->origin);
    float along = pelt_vec3_dot(q, solid->direction);
    float away = sqrtf(greater(pelt_vec3_dot(q, q) - along * along, 0.0f));
    float t = lesser(greater(along + away * solid->tangent, 0.0f), solid->length);

    pelt_vec3 n = pelt_vec3_mad(q, -t, solid->direction);
    float length = pelt_vec3_length(n);
    float value = length - (solid->radius + t * solid->radius_change);
    pelt_vec3 g = pelt_vec3_make(n.x * inverse.x, n.y * inverse.y, n.z * inverse.z);
    float gradient = pelt_vec3_length(g);
    return gradient > 1e-12f ? value * length / gradient : value / greater(inverse.x, inverse.y);
}

// Cubic smooth minimum: exactly the minimum where the two differ by k or more, so that a blend is
// local; twice differentiable. Source: Quilez, "smooth minimum".
static float smooth_min(float a, float b, float k)
{
    float h = k - fabsf(a - b);
    float least = lesser(a, b);
    return h > 0.0f ? least - h * h * h / (6.0f * k * k) : least;
}

static pelt_vec3 mirror(pelt_vec3 p)
{
    return pelt_vec3_make(-p.x, p.y, p.z);
}

// The two sides of a pair meet each other first, so that neither comes before the other.
static float pair_distance(const implicit_solid* solid, pelt_vec3 p)
{
    float distance = solid_distance(solid, p);
    return solid->side == IMPLICIT_PAIR
               ? smooth_min(distance, solid_distance(solid, mirror(p)), solid->blend)
               : distance;
}

// Takes the edge off the inside of a bend in a chain, and hardly thickens it.
#define CHAIN_BLEND 0.012f

// Distance to a whole chain; *i goes past it.
static float chain_distance(const implicit_solid* solids, uint32_t count, uint32_t* i, pelt_vec3 p)
{
    uint32_t chain = solids[*i].chain;
    float distance = pair_distance(&solids[(*i)++], p);
    while (*i < count && solids[*i].chain == chain)
    {
        distance = smooth_min(distance, pair_distance(&solids[(*i)++], p), CHAIN_BLEND);
    }
    return distance;
}

static float trunk_value(const implicit_solid* solids, uint32_t count, pelt_vec3 p)
{
    // Far away, but small enough for sums with it to keep their digits.
    float value = 10.0f;
    for (uint32_t i = 0; i < count;)
    {
        const implicit_solid* first = &solids[i];
        float distance = chain_distance(solids, count, &i, p);
        value = first->is_carved ? -smooth_min(-value, distance, first->blend)
                                 : smooth_min(value, distance, first->blend);
    }
    return value;
}

// @param is_right  the mirror image of the branch
static float branch_value(const implicit_solid* solids, uint32_t count, pelt_vec3 p, bool is_right)
{
    float value = 10.0f, distance = 10.0f;
    p = is_right ? mirror(p) : p;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!is_right || solids[i].side == IMPLICIT_PAIR)
        {
            distance = smooth_min(distance, solid_distance(&solids[i], p), CHAIN_BLEND);
        }
        if (i + 1 == count || solids[i + 1].chain != solids[i].chain)
        {
            value = smooth_min(value, distance, solids[i].blend);
            distance = 10.0f;
        }
    }
    return value;
}

// What branches take off the trunk's value is combined by a maximum, rounded only where both take:
// between two fingers nothing is added to either.
static float join_gains(float a, float b)
{
    float k = lesser(0.003f, lesser(a, b));
    return k > 0.0f ? -smooth_min(-a, -b, k) : greater(a, b);
}

float implicit_value(const implicit_shape* shape, pelt_vec3 p)
{
    const implicit_solid* solids = shape->solids;
    p.x = fabsf(p.x);
    uint32_t i = 0;
    while (i < shape->solid_count && solids[i].branch == 0)
    {
        ++i;
    }
    float trunk = trunk_value(solids, i, p);
    float gain = 0.0f;
    while (i < shape->solid_count)
    {
        uint32_t first = i;
        while (i < shape->solid_count && solids[i].branch == solids[first].branch)
        {
            ++i;
        }
        for (int side = 0; side < 2; ++side)
        {
            float value = branch_value(solids + first, i - first, p, side == 1);
            gain = join_gains(gain, trunk - smooth_min(trunk, value, solids[first].join));
        }
    }
    return trunk - gain;
}

pelt_vec3 implicit_gradient(const implicit_shape* shape, pelt_vec3 p)
{
    // Small against a fingertip, large against the rounding of a float near one.
    const float step = 5e-4f;
    pelt_vec3 g;
    g.x = implicit_value(shape, pelt_vec3_make(p.x + step, p.y, p.z)) -
          implicit_value(shape, pelt_vec3_make(p.x - step, p.y, p.z));
    g.y = implicit_value(shape, pelt_vec3_make(p.x, p.y + step, p.z)) -
          implicit_value(shape, pelt_vec3_make(p.x, p.y - step, p.z));
    g.z = implicit_value(shape, pelt_vec3_make(p.x, p.y, p.z + step)) -
          implicit_value(shape, pelt_vec3_make(p.x, p.y, p.z - step));
    return pelt_vec3_scale(g, 0.5f / step);
}

pelt_vec3 implicit_project(const implicit_shape* shape, pelt_vec3 p, float limit, int step_count)
{
    pelt_vec3 start = p;
    for (int i = 0; i < step_count; ++i)
    {
        float value = implicit_value(shape, p);
        if (fabsf(value) < 1e-6f)
        {
            break;
        }
        pelt_vec3 g = implicit_gradient(shape, p);
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
        bool is_felt = solid_distance(solid, p) < *nearest + reach + widest;
        *blend = is_felt ? fmaxf(*blend, widest) : *blend;
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
    float x = fminf(fmaxf((t - ramp->begin) / width, 0.0f), 1.0f);
    float change = ramp->slope - 1.0f;
    if (slope)
    {
        *slope = 1.0f + change * x * x * (3.0f - 2.0f * x);
    }
    // Integral of the cubic smoothstep, and of its constant end.
    float integral = width * (x * x * x * (1.0f - 0.5f * x));
    float beyond = width > 0.0f ? fmaxf(t - ramp->end, 0.0f) : fmaxf(ramp->end - t, 0.0f);
    return t + change * (width > 0.0f ? integral + beyond : integral - beyond);
}
