// SPDX-License-Identifier: MIT
// Checks without poses: bind matrices, weights, surfaces and keys.
#include "../base/exact.h"

#include "doctor.h"

#include "../base/double3.h"
#include "../scene/scene_private.h"

#include <math.h>
#include <string.h>

// A larger difference means another pose: exporters round by far less.
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

// The joint with most weight on a mesh, which represents a motion that all joints share: a root
// that rotates Z up to Y up distorts nothing.
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

// The vertex of a mesh that the stored pose moves farthest from the bind pose, if it is farther
// than those of the meshes before.
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

// =============================================================================================
// Vertices without joints, and joints without vertices.

static void check_unweighted(pelti_doctor* d, uint32_t m)
{
    const pelt_weights* weights = &d->scene->meshes[m].weights;
    pelt_finding finding =
        pelti_finding_make(PELT_FINDING_UNWEIGHTED_VERTICES, PELT_SEVERITY_WARNING);
    finding.mesh = m;
    for (uint32_t v = weights->vertex_count; v-- > 0;)
    {
        if (weights->first[v] == weights->first[v + 1])
        {
            finding.count++;
            finding.vertex = v;
        }
    }
    if (finding.count > 0)
    {
        pelti_finding_add(d, &finding,
                          "mesh " PELTI_NAME ": %u of %u vertices %s no weights (first: vertex %u)",
                          pelti_mesh_name(d, m), finding.count, weights->vertex_count,
                          pelti_word(finding.count, "has", "have"), finding.vertex);
    }
}

bool* pelti_nodes_find_needed(const pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    bool* is_needed = pelt_arena_alloc(d->scratch, scene->node_count, sizeof *is_needed);
    if (is_needed == NULL)
    {
        return NULL;
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            is_needed[scene->skins[s].joints[j]] |= d->is_used[s][j];
        }
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin == PELT_NONE)
        {
            is_needed[instance->node] = true;
        }
    }
    for (uint32_t n = scene->node_count; n-- > 0;)
    {
        uint32_t parent = scene->nodes[n].parent;
        if (is_needed[n] && parent != PELT_NONE)
        {
            is_needed[parent] = true;
        }
    }
    return is_needed;
}

static void check_unused_joints(pelti_doctor* d, uint32_t s, const bool* is_needed)
{
    const pelt_skin* skin = &d->scene->skins[s];
    pelt_finding finding = pelti_finding_make(PELT_FINDING_UNUSED_JOINTS, PELT_SEVERITY_NOTE);
    for (uint32_t j = skin->joint_count; j-- > 0;)
    {
        if (!is_needed[skin->joints[j]])
        {
            finding.count++;
            finding.node = skin->joints[j];
        }
    }
    if (finding.count > 0)
    {
        pelti_finding_add(
            d, &finding, "skin " PELTI_NAME ": %u of %u joints %s nothing (first: " PELTI_NAME ")",
            skin->name != NULL ? skin->name : "-", finding.count, skin->joint_count,
            pelti_word(finding.count, "moves", "move"), pelti_node_name(d, finding.node));
    }
}

// Readers that do not know the vertices have counted them already.
static bool has_counted_repair(const pelt_scene* scene)
{
    uint32_t i = 0;
    while (i < scene->repair_count && !(scene->repairs[i].kind == PELT_REPAIR_UNWEIGHTED &&
                                        scene->repairs[i].mesh == PELT_NONE))
    {
        ++i;
    }
    return i < scene->repair_count;
}

void pelti_check_weights(pelti_doctor* d)
{
    bool is_counted = has_counted_repair(d->scene);
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        if (d->skins[m] != PELT_NONE && !is_counted)
        {
            check_unweighted(d, m);
        }
    }
    for (uint32_t s = 0; s < d->scene->skin_count; ++s)
    {
        check_unused_joints(d, s, d->is_needed);
    }
}

// =============================================================================================
// Triangles without area, and normals that disagree with the triangles around them.

// Height over length of a triangle that counts as none: positions of float a few lengths away from
// the origin are no better than that.
static const double flat_triangle = 1e-6;

// A normal that is off by less than 95 degrees belongs to a sharp fold rather than to the inside.
static const double inside_cosine = -0.087;

// One that is reversed is off by 143 degrees or more from the mean of its triangles: else its
// opposite would be no better. Where triangles face each other, as in a fold, there is no such
// mean; the sharp corners of half a cube have one of length 0.28.
static const double flipped_cosine = -0.8, mean_length = 0.2;

// One that is off by 170 degrees is reversed, whatever other triangles meet there.
static const double opposite_cosine = -0.985;

enum
{
    // Vertices of one position that are compared with all of its triangles; more would take
    // quadratic time for meshes that are one point.
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

static bool is_flipped(const face_sum* sum, const pelt_mesh* mesh, uint32_t vertex)
{
    return pelti_double3_length(sum->normal) > mean_length * sum->count &&
           cosine_to(pelti_double3_unit(sum->normal), mesh, vertex) < flipped_cosine;
}

// The normals of its own triangles, for each vertex.
// @param sums  zeros
static void judge_by_own(bool* is_inside, bool* is_opposite, face_sum* sums, const pelt_mesh* mesh)
{
    // In the second pass a triangle may clear a vertex that another has marked.
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
        is_inside[v] = is_inside[v] && is_flipped(&sums[v], mesh, v);
    }
}

// Vertices with few opposite normals stay; others are cleared where a triangle at the same position
// agrees with them: folds of smooth surfaces have copies along seams that see one side only.
// @param next  vertex_count, for lists of those at one position
static void clear_by_position(bool* is_inside, const bool* is_opposite, const uint32_t* leaders,
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
        is_opposite != NULL && lists != NULL && sums != NULL && pelti_leaders_find(leaders, mesh);
    *count = 0;
    if (is_ok)
    {
        memset(out, 0, mesh->vertex_count * sizeof *out);
        memset(is_opposite, 0, mesh->vertex_count * sizeof *is_opposite);
        memset(sums, 0, room * sizeof *sums);
        judge_by_own(out, is_opposite, sums, mesh);
        clear_by_position(out, is_opposite, leaders, heads, next, mesh);
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

// =============================================================================================
// Keys that jump, and clips without motion.

// A jump is one large step between neighboring frames, several times as large as the steps around
// it: fast motion has large steps in a row.
static const float frame_seconds = 0.1f; // keys farther apart are no neighboring frames
static const double jump_degrees = 90.0;
static const double certain_degrees = 150.0; // no joint rotates that far in one frame
static const float jump_distance = 0.1f;     // of the size of the character
static const double jump_ratio = 4.0;
static const float hidden_scale = 1e-3f; // what is smaller is not seen, and may jump

static const float* value_at(const pelt_track* track, uint32_t key)
{
    return track->values + (size_t)track->width * key;
}

// Between two keys: degrees of a rotation, else a distance in units of the parent.
static double distance_of(const pelt_track* track, uint32_t from, uint32_t to)
{
    const float *a = value_at(track, from), *b = value_at(track, to);
    double sum = 0.0;
    if (track->path == PELT_PATH_ROTATION)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            sum += (double)a[i] * (double)b[i];
        }
        return 2.0 * acos(fmin(1.0, fabs(sum))) * 180.0 / (double)PELT_PI;
    }
    for (uint32_t i = 0; i < track->width; ++i)
    {
        double difference = (double)b[i] - (double)a[i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

// The step that ends at a key; none before the first and after the last.
static double step_to(const pelt_track* track, uint32_t key)
{
    return key > 0 && key < track->key_count ? distance_of(track, key - 1, key) : 0.0;
}

// One bad key is a jump to it and a jump back.
static bool is_spike(const pelt_track* track, uint32_t key)
{
    double step = step_to(track, key);
    return key + 1 < track->key_count && jump_ratio * distance_of(track, key - 1, key + 1) < step &&
           jump_ratio * fmax(step_to(track, key - 1), step_to(track, key + 2)) < step;
}

static bool is_jump(const pelt_track* track, uint32_t key, double limit)
{
    double step = step_to(track, key);
    if (!(step > limit) || track->times[key] - track->times[key - 1] > frame_seconds)
    {
        return false;
    }
    double neighbor_step = fmax(step_to(track, key - 1), step_to(track, key + 1));
    return jump_ratio * neighbor_step < step || is_spike(track, key);
}

// ---------------------------------------------------------------------------------------------
// Nodes that are scaled to nothing: a common way to hide things, and they may jump while hidden

// For each node in one clip: the scale that hides it.
typedef struct hider
{
    bool is_always;          // that of the stored pose, of itself or a node above
    const pelt_track* track; // keys of itself or the nearest node above; NULL: none do
} hider;

static bool is_hidden_key(const pelt_track* track, uint32_t key)
{
    uint32_t stride = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    const float* scale = track->values + (size_t)track->width * (stride * key + stride / 2);
    return fmaxf(fabsf(scale[0]), fmaxf(fabsf(scale[1]), fabsf(scale[2]))) < hidden_scale;
}

static bool hides_ever(const pelt_track* track)
{
    uint32_t key = 0;
    while (key < track->key_count && !is_hidden_key(track, key))
    {
        ++key;
    }
    return key < track->key_count;
}

static bool hides_at(const pelt_track* track, float time)
{
    uint32_t first = 0, end = track->key_count;
    while (end - first > 1)
    {
        uint32_t middle = first + (end - first) / 2;
        bool is_before = track->times[middle] <= time;
        first = is_before ? middle : first;
        end = is_before ? end : middle;
    }
    return is_hidden_key(track, first);
}

static void find_hiders(hider* out, const pelt_scene* scene, const pelt_clip* clip)
{
    memset(out, 0, scene->node_count * sizeof *out);
    for (uint32_t n = 0; n < scene->node_count; ++n)
    {
        pelt_vec3 scale = scene->nodes[n].rest.scale;
        out[n].is_always =
            fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z))) < hidden_scale;
    }
    for (uint32_t t = 0; t < clip->track_count; ++t)
    {
        const pelt_track* track = &clip->tracks[t];
        if (track->path == PELT_PATH_SCALE)
        {
            out[track->target] = (hider){false, hides_ever(track) ? track : NULL};
        }
    }
    for (uint32_t n = 0; n < scene->node_count; ++n)
    {
        uint32_t parent = scene->nodes[n].parent;
        if (parent != PELT_NONE)
        {
            out[n].is_always |= out[parent].is_always;
            out[n].track = out[n].track != NULL ? out[n].track : out[parent].track;
        }
    }
}

static bool is_hidden_step(const hider* by, const pelt_track* track, uint32_t key)
{
    return by->is_always || (by->track != NULL && (hides_at(by->track, track->times[key - 1]) ||
                                                   hides_at(by->track, track->times[key])));
}

// ---------------------------------------------------------------------------------------------

static float scale_of_parent(const pelti_doctor* d, uint32_t node)
{
    uint32_t parent = d->scene->nodes[node].parent;
    if (parent == PELT_NONE)
    {
        return 1.0f;
    }
    pelt_mat3 linear = pelt_mat34_linear(&d->model_from_node[parent]);
    return cbrtf(fabsf(pelt_mat3_determinant(&linear)));
}

static void check_track(pelti_doctor* d, uint32_t clip, const pelt_track* track, const hider* by)
{
    bool is_rotation = track->path == PELT_PATH_ROTATION;
    // A skeleton without a mesh has no size to compare with.
    bool is_motion = is_rotation || (track->path == PELT_PATH_TRANSLATION && d->size > 0.0f);
    // Without any mesh, all nodes count.
    bool is_seen = is_motion && (d->scene->instance_count == 0 || d->is_needed[track->target]);
    if (!is_seen || track->interpolation != PELT_INTERPOLATION_LINEAR || track->key_count < 4)
    {
        return;
    }
    float meters = is_rotation ? 1.0f : scale_of_parent(d, track->target);
    double limit = is_rotation ? jump_degrees : (double)(jump_distance * d->size / meters);
    pelt_finding finding = pelti_finding_make(PELT_FINDING_KEY_JUMPS, PELT_SEVERITY_NOTE);
    for (uint32_t key = 1; key < track->key_count; ++key)
    {
        if (is_jump(track, key, limit) && !is_hidden_step(&by[track->target], track, key))
        {
            double step = step_to(track, key);
            finding.time = step > finding.value ? track->times[key] : finding.time;
            finding.value = fmax(step, finding.value);
            finding.count++;
            // A snap from one pose to another may be style.
            bool is_certain = is_spike(track, key) || (is_rotation && step > certain_degrees);
            finding.severity = is_certain ? PELT_SEVERITY_WARNING : finding.severity;
        }
    }
    if (finding.count == 0)
    {
        return;
    }
    finding.clip = clip;
    finding.node = track->target;
    finding.unit = is_rotation ? "degrees" : "mm";
    finding.value *= is_rotation ? 1.0 : 1000.0 * (double)meters;
    pelti_finding_add(d, &finding,
                      "clip " PELTI_NAME ": the %s of node " PELTI_NAME
                      " jumps %u %s, at %.2f s by %s %s in one step",
                      pelti_clip_name(d, clip), is_rotation ? "rotation" : "translation",
                      pelti_node_name(d, track->target), finding.count,
                      pelti_word(finding.count, "time", "times"), (double)finding.time,
                      pelti_number(finding.value).text, finding.unit);
}

static bool is_still(const pelt_clip* clip)
{
    uint32_t i = 0;
    while (i < clip->track_count && !pelti_track_is_moving(&clip->tracks[i]))
    {
        ++i;
    }
    return i == clip->track_count;
}

void pelti_check_keys(pelti_doctor* d)
{
    pelti_doctor_pose(d, PELT_NONE, 0.0f);
    hider* hiders = pelt_arena_alloc(d->scratch, d->scene->node_count, sizeof *hiders);
    if (hiders == NULL)
    {
        d->has_failed = true;
        return;
    }
    for (uint32_t c = 0; c < d->scene->clip_count; ++c)
    {
        const pelt_clip* clip = &d->scene->clips[c];
        find_hiders(hiders, d->scene, clip);
        for (uint32_t t = 0; t < clip->track_count; ++t)
        {
            check_track(d, c, &clip->tracks[t], hiders);
        }
        if (is_still(clip))
        {
            pelt_finding finding = pelti_finding_make(PELT_FINDING_STILL_CLIP, PELT_SEVERITY_NOTE);
            finding.clip = c;
            pelti_finding_add(d, &finding, "clip " PELTI_NAME ": nothing moves",
                              pelti_clip_name(d, c));
        }
    }
}
