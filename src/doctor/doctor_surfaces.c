// SPDX-License-Identifier: MIT
// Triangles without area, and normals that disagree with the triangles around them.
#include "../base/exact.h"

#include "../base/double3.h"
#include "doctor.h"

#include <string.h>

// Height over length of a triangle that counts as none: positions of float a few lengths away from
// the origin are no better than that.
static const double flat_triangle = 1e-6;

// A normal that is off by less than 95 degrees belongs to a sharp fold rather than to the inside.
static const double inside_cosine = -0.087;

// One that is turned around is off by 143 degrees or more from the mean of its triangles: else its
// opposite would be no better. Where triangles face each other, as in a fold, there is no such
// mean; the sharp corners of half a cube have one of length 0.28.
static const double turned_cosine = -0.8, mean_length = 0.2;

// One that is off by 170 degrees is turned around, whatever other triangles meet there.
static const double opposite_cosine = -0.985;

enum
{
    // Vertices of one place that are compared with all of its triangles; more would take quadratic
    // time for meshes that are one point.
    CHAIN_MAX = 32,
};

static pelti_double3 face_normal(double* longest, const pelt_mesh* mesh, uint32_t first_index)
{
    pelti_double3 corners[3];
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = pelti_double3_from(mesh->positions[mesh->indices[first_index + (uint32_t)i]]);
    }
    pelti_double3 a = pelti_double3_sub(corners[1], corners[0]);
    pelti_double3 b = pelti_double3_sub(corners[2], corners[0]);
    pelti_double3 c = pelti_double3_sub(corners[2], corners[1]);
    *longest =
        fmax(pelti_double3_length(a), fmax(pelti_double3_length(b), pelti_double3_length(c)));
    return pelti_double3_cross(a, b);
}

bool pelti_triangle_is_degenerate(const pelt_mesh* mesh, uint32_t first_index)
{
    double longest;
    pelti_double3 normal = face_normal(&longest, mesh, first_index);
    return !(pelti_double3_length(normal) > flat_triangle * longest * longest);
}

static double cosine_to(pelti_double3 face, const pelt_mesh* mesh, uint32_t vertex)
{
    return pelti_double3_dot(face, pelti_double3_from(mesh->normals[vertex]));
}

// The sum of the unit normals of the triangles of a vertex.
typedef struct face_sum
{
    pelti_double3 normal;
    uint32_t count;
} face_sum;

static bool is_turned(const face_sum* sum, const pelt_mesh* mesh, uint32_t vertex)
{
    return pelti_double3_length(sum->normal) > mean_length * sum->count &&
           cosine_to(pelti_double3_unit(sum->normal), mesh, vertex) < turned_cosine;
}

// What triangles of its own say about each vertex.
// @param sums  zeros
static void judge_by_own(bool* is_inside, bool* is_opposite, face_sum* sums, const pelt_mesh* mesh)
{
    // In the second pass a triangle may take back what another has said.
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
        {
            double longest;
            pelti_double3 face = pelti_double3_unit(face_normal(&longest, mesh, t));
            for (uint32_t i = 0; i < 3 && !pelti_triangle_is_degenerate(mesh, t); ++i)
            {
                uint32_t v = mesh->indices[t + i];
                double cosine = cosine_to(face, mesh, v);
                is_inside[v] = (pass == 0 || is_inside[v]) && cosine < inside_cosine;
                is_opposite[v] = (pass == 0 || is_opposite[v]) && cosine < opposite_cosine;
                if (pass == 0)
                {
                    sums[v].normal = pelti_double3_mad(sums[v].normal, 1.0, face);
                    sums[v].count++;
                }
            }
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        is_inside[v] = is_inside[v] && is_turned(&sums[v], mesh, v);
    }
}

// Vertices that nearly nobody doubts stay; others are cleared where a triangle at the same place
// agrees with them: folds of smooth surfaces have copies along seams that see one side only.
// @param next  vertex_count, for lists of those at one place
static void acquit_by_place(bool* is_inside, const bool* is_opposite, const uint32_t* leaders,
                            uint32_t* heads, uint32_t* next, const pelt_mesh* mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        heads[v] = PELT_NONE;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        if (is_inside[v] && !is_opposite[v])
        {
            next[v] = heads[leaders[v]];
            heads[leaders[v]] = v;
        }
    }
    for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
    {
        double longest;
        pelti_double3 face = pelti_double3_unit(face_normal(&longest, mesh, t));
        for (uint32_t i = 0; i < 3 && !pelti_triangle_is_degenerate(mesh, t); ++i)
        {
            uint32_t v = heads[leaders[mesh->indices[t + i]]];
            for (int steps = 0; v != PELT_NONE && steps < CHAIN_MAX; ++steps, v = next[v])
            {
                is_inside[v] = is_inside[v] && cosine_to(face, mesh, v) < inside_cosine;
            }
        }
    }
}

bool pelti_normals_find_flipped(bool* out, uint32_t* count, const pelt_mesh* mesh)
{
    size_t room = (size_t)mesh->vertex_count + 1;
    bool* is_opposite = pelt_allocate(room, sizeof *is_opposite);
    uint32_t* lists = pelt_allocate(room, 3 * sizeof *lists);
    face_sum* sums = pelt_allocate(room, sizeof *sums);
    uint32_t *leaders = lists, *heads = lists + room, *next = lists + 2 * room;
    bool is_ok =
        is_opposite != NULL && lists != NULL && sums != NULL && pelti_places_find(leaders, mesh);
    *count = 0;
    if (is_ok)
    {
        memset(out, 0, mesh->vertex_count * sizeof *out);
        memset(is_opposite, 0, mesh->vertex_count * sizeof *is_opposite);
        memset(sums, 0, room * sizeof *sums);
        judge_by_own(out, is_opposite, sums, mesh);
        acquit_by_place(out, is_opposite, leaders, heads, next, mesh);
    }
    for (uint32_t v = 0; is_ok && v < mesh->vertex_count; ++v)
    {
        *count += out[v];
    }
    pelt_release(is_opposite);
    pelt_release(lists);
    pelt_release(sums);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------

static void check_triangles(pelti_doctor* d, uint32_t m)
{
    const pelt_mesh* mesh = &d->scene->meshes[m];
    pelt_finding finding =
        pelti_finding_make(PELT_FINDING_DEGENERATE_TRIANGLES, PELT_SEVERITY_NOTE);
    uint32_t first = 0;
    for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
    {
        if (pelti_triangle_is_degenerate(mesh, t))
        {
            first = finding.count == 0 ? t : first;
            finding.count++;
        }
    }
    if (finding.count > 0)
    {
        finding.mesh = m;
        finding.vertex = mesh->indices[first];
        pelti_finding_add(d, &finding,
                          "mesh " PELTI_NAME
                          ": %u of %u triangles %s no area (first: vertices %u, %u, %u)",
                          pelti_mesh_name(d, m), finding.count, mesh->index_count / 3,
                          pelti_word(finding.count, "has", "have"), mesh->indices[first],
                          mesh->indices[first + 1], mesh->indices[first + 2]);
    }
}

static void check_normals(pelti_doctor* d, uint32_t m)
{
    const pelt_mesh* mesh = &d->scene->meshes[m];
    if (mesh->normals == NULL)
    {
        pelt_finding missing = pelti_finding_make(PELT_FINDING_MISSING_NORMALS, PELT_SEVERITY_NOTE);
        missing.mesh = m;
        pelti_finding_add(d, &missing, "mesh " PELTI_NAME " has no normals", pelti_mesh_name(d, m));
        return;
    }
    bool* is_flipped = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *is_flipped);
    if (is_flipped == NULL)
    {
        d->has_failed = true;
        return;
    }
    pelt_finding finding = pelti_finding_make(PELT_FINDING_FLIPPED_NORMALS, PELT_SEVERITY_WARNING);
    finding.mesh = m;
    d->has_failed |= !pelti_normals_find_flipped(is_flipped, &finding.count, mesh);
    for (uint32_t v = mesh->vertex_count; finding.count > 0 && v-- > 0;)
    {
        finding.vertex = is_flipped[v] ? v : finding.vertex;
    }
    pelt_release(is_flipped);
    if (finding.count > 0)
    {
        pelti_finding_add(d, &finding,
                          "mesh " PELTI_NAME
                          ": %u of %u normals %s into the surface (first: vertex %u)",
                          pelti_mesh_name(d, m), finding.count, mesh->vertex_count,
                          pelti_word(finding.count, "points", "point"), finding.vertex);
    }
}

void pelti_check_surfaces(pelti_doctor* d)
{
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        check_triangles(d, m);
        check_normals(d, m);
    }
}
