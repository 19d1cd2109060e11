// SPDX-License-Identifier: MIT
// Inverse bind matrices: those that flatten space, and those that do not fit the stored pose.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>
#include <string.h>

// Farther than this the stored pose is another one: exporters round by far less.
static const float pose_tolerance = 1e-3f; // of the size of the character

// Relative to the size of its columns, the volume that a matrix makes of a cube: 1 for scales and
// rotations. Rigs that bind with a scale of 100 to 1 along one axis have 1e-2.
static const double flat_volume = 1e-6;

bool pelti_bind_is_flat(const pelt_mat34* a)
{
    double volume = 1.0;
    for (int column = 0; column < 3; ++column)
    {
        double x = (double)a->m[0][column], y = (double)a->m[1][column],
               z = (double)a->m[2][column];
        volume *= sqrt(x * x + y * y + z * z);
    }
    pelt_mat3 linear = pelt_mat34_linear(a);
    const float(*m)[3] = (const float(*)[3])linear.m;
    double determinant =
        (double)m[0][0] * ((double)m[1][1] * (double)m[2][2] - (double)m[1][2] * (double)m[2][1]) -
        (double)m[0][1] * ((double)m[1][0] * (double)m[2][2] - (double)m[1][2] * (double)m[2][0]) +
        (double)m[0][2] * ((double)m[1][0] * (double)m[2][1] - (double)m[1][1] * (double)m[2][0]);
    return !(fabs(determinant) > flat_volume * volume);
}

static uint32_t check_singular(pelti_doctor* d, uint32_t s)
{
    const pelt_skin* skin = &d->scene->skins[s];
    pelt_finding finding = pelti_finding_make(PELT_FINDING_SINGULAR_BIND, PELT_SEVERITY_ERROR);
    for (uint32_t j = skin->joint_count; j-- > 0;)
    {
        if (pelti_bind_is_flat(&skin->inverse_binds[j]))
        {
            finding.count++;
            finding.node = skin->joints[j];
        }
    }
    if (finding.count > 0)
    {
        pelti_finding_add(d, &finding,
                          "skin " PELTI_NAME
                          ": %u inverse bind %s space (first: that of joint " PELTI_NAME ")",
                          skin->name != NULL ? skin->name : "-", finding.count,
                          pelti_word(finding.count, "matrix flattens", "matrices flatten"),
                          pelti_node_name(d, finding.node));
    }
    return finding.count;
}

// ---------------------------------------------------------------------------------------------
// The stored pose

// The joint with most weight on a mesh, which stands for a motion that all joints share: a root
// that turns Z up to Y up distorts nothing.
static uint32_t find_main_joint(pelti_doctor* d, const pelt_mesh* mesh, uint32_t joint_count)
{
    double* sums = pelt_allocate(joint_count, sizeof *sums);
    if (sums == NULL)
    {
        d->has_failed = true;
        return 0;
    }
    memset(sums, 0, joint_count * sizeof *sums);
    for (uint32_t i = 0; i < mesh->weights.influence_count; ++i)
    {
        const pelt_influence* influence = &mesh->weights.influences[i];
        sums[influence->joint] += (double)influence->weight;
    }
    uint32_t most = 0;
    for (uint32_t j = 1; j < joint_count; ++j)
    {
        most = sums[j] > sums[most] ? j : most;
    }
    pelt_release(sums);
    return most;
}

// The vertex of a mesh that the stored pose moves most against the bind pose, if it is farther than
// that of meshes before.
static void measure_pose(pelt_finding* worst, pelti_doctor* d, uint32_t m)
{
    const pelt_mesh* mesh = &d->scene->meshes[m];
    const pelt_skin* skin = &d->scene->skins[d->skins[m]];
    const pelt_mat34* matrices = d->palettes[d->skins[m]].matrices;
    const pelt_mat34* common = &matrices[find_main_joint(d, mesh, skin->joint_count)];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t first = mesh->weights.first[v];
        pelt_vec3 expected = pelt_mat34_point(common, mesh->positions[v]);
        pelt_vec3 posed = pelti_vertex_blend(mesh, v, PELT_NONE, matrices);
        double distance = pelti_millimeters(pelt_vec3_distance(posed, expected));
        if (first < mesh->weights.first[v + 1] && distance > worst->value)
        {
            worst->value = distance;
            worst->mesh = m;
            worst->vertex = v;
            worst->node = skin->joints[mesh->weights.influences[first].joint];
        }
    }
}

void pelti_check_binds(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    bool* is_flat_skin = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *is_flat_skin);
    pelt_finding* worst = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *worst);
    if (is_flat_skin == NULL || worst == NULL)
    {
        d->has_failed = true;
        return;
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        is_flat_skin[s] = check_singular(d, s) > 0;
        worst[s] = pelti_finding_make(PELT_FINDING_BIND_POSE, PELT_SEVERITY_NOTE);
        worst[s].value = pelti_millimeters(pose_tolerance * d->size);
        worst[s].unit = "mm";
    }
    pelti_doctor_pose(d, PELT_NONE, 0.0f);
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        if (d->skins[m] != PELT_NONE && !is_flat_skin[d->skins[m]])
        {
            measure_pose(&worst[d->skins[m]], d, m);
        }
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        if (worst[s].mesh != PELT_NONE)
        {
            pelti_finding_add(d, &worst[s],
                              "mesh " PELTI_NAME ": the stored pose moves vertex %u by %s mm "
                              "against the bind pose, with joint " PELTI_NAME,
                              pelti_mesh_name(d, worst[s].mesh), worst[s].vertex,
                              pelti_number(worst[s].value).text, pelti_node_name(d, worst[s].node));
        }
    }
}
