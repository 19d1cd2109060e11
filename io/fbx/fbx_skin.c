// SPDX-License-Identifier: MIT
// Skins. A cluster of FBX lists the points of one joint; pelt lists the joints of each vertex. Bind
// matrices come from the clusters, otherwise from a bind pose, otherwise from the rest pose.
#include "../matrix_decompose.h"
#include "fbx_read.h"

#include <string.h>

static pelt_result read_matrix(pelt_mat34* out, bool* is_present, pelti_fbx* f,
                               const pelti_fbx_node* node, const char* name)
{
    pelti_fbx_reals numbers = {0};
    pelt_result result = pelti_fbx_read_reals(&numbers, &f->file, node, name);
    *is_present = result == PELT_OK && pelti_fbx_matrix(out, f, &numbers);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bind poses

static pelt_result add_bind_entry(pelti_fbx* f, uint32_t* capacity, uint32_t pose,
                                  const pelti_fbx_node* node)
{
    bool is_present;
    pelti_fbx_bind_entry entry = {.pose = pose};
    PELT_TRY(read_matrix(&entry.matrix, &is_present, f, node, "Matrix"));
    entry.object = pelti_fbx_find_object(f, pelti_fbx_integer(pelti_fbx_child(node, "Node"), 0, 0));
    if (!is_present || entry.object == PELT_NONE)
    {
        return PELT_OK;
    }
    void* bind_entries = f->bind_entries;
    if (!pelti_fbx_grow(&f->file, &bind_entries, capacity, f->bind_entry_count,
                        sizeof *f->bind_entries))
    {
        return PELT_ERROR_MEMORY;
    }
    f->bind_entries = bind_entries;
    f->bind_entries[f->bind_entry_count++] = entry;
    return PELT_OK;
}

pelt_result pelti_fbx_read_bind_poses(pelti_fbx* f)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        const pelti_fbx_object* object = &f->objects[i];
        bool is_pose = object->kind == PELTI_FBX_POSE && pelti_fbx_is_subtype(object, "BindPose");
        const pelti_fbx_node* node = is_pose ? object->node->first_child : NULL;
        for (; node != NULL; node = node->next)
        {
            if (strcmp(node->name, "PoseNode") == 0)
            {
                PELT_TRY(add_bind_entry(f, &capacity, i, node));
            }
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Bind matrices

// The matrices of one cluster.
typedef struct cluster_bind
{
    pelt_mat34 transform; // joint_from_mesh
    pelt_mat34 link;      // model_from_joint
    bool has_transform, has_link;
} cluster_bind;

typedef struct bind_reader
{
    pelti_fbx* f;
    pelti_fbx_skin_source* out;
    uint32_t model; // of the mesh
    cluster_bind* binds;
    const pelti_fbx_bind_entry** pose; // bind entry by object, or NULL
} bind_reader;

// A file may have a bind pose for each skin. Prefer the one that contains the mesh, otherwise the
// first.
static pelt_result choose_pose(bind_reader* r)
{
    pelti_fbx* f = r->f;
    r->pose = pelti_fbx_alloc(&f->file, f->object_count, sizeof *r->pose);
    if (r->pose == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t mesh = f->models[r->model].object, own = PELT_NONE;
    for (uint32_t i = 0; i < f->bind_entry_count && own == PELT_NONE; ++i)
    {
        own = f->bind_entries[i].object == mesh ? f->bind_entries[i].pose : own;
    }
    for (uint32_t i = 0; i < f->bind_entry_count; ++i)
    {
        const pelti_fbx_bind_entry* entry = &f->bind_entries[i];
        const pelti_fbx_bind_entry** slot = &r->pose[entry->object];
        if (*slot == NULL || ((*slot)->pose != own && entry->pose == own))
        {
            *slot = entry;
        }
    }
    return pelti_fbx_charge(&f->file, (uint64_t)f->object_count + f->bind_entry_count);
}

static const pelti_fbx_bind_entry* find_in_pose(const bind_reader* r, uint32_t model)
{
    return r->pose[r->f->models[model].object];
}

static pelt_mat34 rest_matrix(const bind_reader* r, uint32_t model)
{
    return pelti_fbx_rest_matrix(r->f, r->f->model_nodes[r->f->models[model].first].node);
}

// The first cluster with both matrices determines where the mesh was bound.
static bool find_mesh(pelt_mat34* out, const bind_reader* r)
{
    for (uint32_t i = 0; i < r->out->joint_count; ++i)
    {
        const cluster_bind* bind = &r->binds[i];
        if (bind->has_transform && bind->has_link)
        {
            *out = pelt_mat34_mul(&bind->link, &bind->transform);
            return true;
        }
    }
    return false;
}

// Fill in matrices that the clusters lack. *unbound counts joints without an entry in a pose.
static pelt_result complete_binds(bind_reader* r, uint32_t* unbound)
{
    PELT_TRY(choose_pose(r));
    for (uint32_t i = 0; i < r->out->joint_count; ++i)
    {
        cluster_bind* bind = &r->binds[i];
        uint32_t joint = r->out->models[i];
        const pelti_fbx_bind_entry* entry = joint != PELT_NONE ? find_in_pose(r, joint) : NULL;
        if (!bind->has_link && entry != NULL)
        {
            bind->link = entry->matrix;
            bind->has_link = true;
        }
        else if (!bind->has_link && !bind->has_transform && joint != PELT_NONE)
        {
            // The cost of walking up from the joint.
            PELT_TRY(pelti_fbx_charge(&r->f->file, r->f->node_count));
            bind->link = rest_matrix(r, joint);
            ++*unbound;
        }
    }
    if (!find_mesh(&r->out->bind, r))
    {
        const pelti_fbx_bind_entry* mesh = find_in_pose(r, r->model);
        r->out->bind = mesh != NULL ? mesh->matrix : rest_matrix(r, r->model);
    }
    return PELT_OK;
}

static void write_inverse(pelt_mat34* out, const bind_reader* r, const cluster_bind* bind)
{
    *out = bind->transform;
    if (!bind->has_transform)
    {
        pelt_mat34_inverse(out, &bind->link);
        *out = pelt_mat34_mul(out, &r->out->bind);
    }
}

// Fill in `bind` and `inverse_binds` of a skin whose joints are known.
// @param clusters  object of each joint
// @param unbound   joints without a bind matrix, for which the rest pose is used
static pelt_result fbx_read_binds(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t model,
                                  const uint32_t* clusters, uint32_t* unbound)
{
    bind_reader r = {.f = f, .out = out, .model = model};
    r.binds = pelti_fbx_alloc(&f->file, out->joint_count, sizeof *r.binds);
    if (r.binds == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    bool is_complete = true;
    for (uint32_t i = 0; i < out->joint_count; ++i)
    {
        cluster_bind* bind = &r.binds[i];
        const pelti_fbx_node* node = f->objects[clusters[i]].node;
        PELT_TRY(read_matrix(&bind->transform, &bind->has_transform, f, node, "Transform"));
        PELT_TRY(read_matrix(&bind->link, &bind->has_link, f, node, "TransformLink"));
        is_complete = is_complete && bind->has_transform && bind->has_link;
    }
    *unbound = 0;
    if (!is_complete || !find_mesh(&out->bind, &r))
    {
        PELT_TRY(complete_binds(&r, unbound));
    }
    for (uint32_t i = 0; i < out->joint_count; ++i)
    {
        write_inverse(&out->inverse_binds[i], &r, &r.binds[i]);
    }
    return PELT_OK;
}

// =============================================================================================
// Influences

// ---------------------------------------------------------------------------------------------
// Clusters

typedef struct cluster
{
    pelti_fbx_integers points;
    pelti_fbx_reals weights;
} cluster;

typedef struct skin_reader
{
    pelti_fbx* f;
    pelti_fbx_skin_source* out;
    const char* name;
    uint32_t geometry, point_count;
    uint32_t cluster_count, skin_count;
    uint32_t* objects;  // cluster that binds each joint
    uint32_t* joint_of; // by cluster
    cluster* clusters;
    uint32_t jointless, unbound, additive, dropped;
} skin_reader;

static uint32_t next_deformer(const pelti_fbx* f, uint32_t* link, const char* subtype)
{
    uint32_t child = pelti_fbx_next_child(f, link, PELTI_FBX_DEFORMER);
    while (child != PELT_NONE && !pelti_fbx_is_subtype(&f->objects[child], subtype))
    {
        child = pelti_fbx_next_child(f, link, PELTI_FBX_DEFORMER);
    }
    return child;
}

static pelt_result read_cluster(skin_reader* r, uint32_t index, uint32_t object)
{
    pelti_fbx* f = r->f;
    cluster* c = &r->clusters[index];
    const pelti_fbx_node* node = f->objects[object].node;
    r->additive += pelti_fbx_child_is(node, "Mode", "Additive");
    PELT_TRY(pelti_fbx_read_integers(&c->points, &f->file, node, "Indexes"));
    return pelti_fbx_read_reals(&c->weights, &f->file, node, "Weights");
}

// The next cluster of all skins of the geometry. *skin_link and *link start as the first child of
// the geometry and PELT_NONE.
static uint32_t next_cluster(const skin_reader* r, uint32_t* skin_link, uint32_t* link,
                             uint32_t* skin_count)
{
    const pelti_fbx* f = r->f;
    for (;;)
    {
        uint32_t found = next_deformer(f, link, "Cluster");
        if (found != PELT_NONE)
        {
            return found;
        }
        uint32_t skin = next_deformer(f, skin_link, "Skin");
        if (skin == PELT_NONE)
        {
            return PELT_NONE;
        }
        *link = f->objects[skin].first_child;
        ++*skin_count;
    }
}

static pelt_result allocate_clusters(skin_reader* r)
{
    pelti_fbx* f = r->f;
    uint32_t skin_link = f->objects[r->geometry].first_child, link = PELT_NONE;
    while (next_cluster(r, &skin_link, &link, &r->skin_count) != PELT_NONE)
    {
        r->cluster_count++;
    }
    uint32_t count = r->cluster_count;
    r->objects = pelti_fbx_alloc(&f->file, count, sizeof *r->objects);
    r->joint_of = pelti_fbx_alloc(&f->file, count, sizeof *r->joint_of);
    r->clusters = pelti_fbx_alloc(&f->file, count, sizeof *r->clusters);
    r->out->models = pelti_fbx_alloc(&f->file, count, sizeof *r->out->models);
    r->out->inverse_binds = pelti_fbx_alloc(&f->file, count, sizeof *r->out->inverse_binds);
    return r->objects != NULL && r->joint_of != NULL && r->clusters != NULL &&
                   r->out->models != NULL && r->out->inverse_binds != NULL
               ? pelti_fbx_charge(&f->file, (uint64_t)count + r->skin_count)
               : PELT_ERROR_MEMORY;
}

static uint32_t model_of_cluster(const pelti_fbx* f, uint32_t object)
{
    uint32_t link = f->objects[object].first_child;
    uint32_t model = pelti_fbx_next_child(f, &link, PELTI_FBX_MODEL);
    return model != PELT_NONE ? f->model_of_object[model] : PELT_NONE;
}

// The weights of all skins are added and normalized, as in the examples of the FBX SDK. A joint
// that several skins name has one bind pose, that of the first.
static pelt_result list_clusters(skin_reader* r)
{
    pelti_fbx* f = r->f;
    PELT_TRY(allocate_clusters(r));
    uint32_t* joint_of_model = pelti_fbx_alloc(&f->file, f->model_count, sizeof *joint_of_model);
    if (joint_of_model == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    PELT_TRY(pelti_fbx_charge(&f->file, r->skin_count > 1 ? f->model_count : 0));
    uint32_t skin_link = f->objects[r->geometry].first_child, link = PELT_NONE, skins = 0;
    for (uint32_t i = 0; i < r->cluster_count; ++i)
    {
        uint32_t object = next_cluster(r, &skin_link, &link, &skins);
        uint32_t model = model_of_cluster(f, object);
        uint32_t joint = r->out->joint_count, known = 0;
        if (model != PELT_NONE && skins > 1)
        {
            known = joint_of_model[model]; // plus 1
        }
        if (known > 0)
        {
            joint = known - 1;
        }
        else
        {
            r->objects[joint] = object;
            r->out->models[joint] = model;
            r->out->joint_count++;
            r->jointless += model == PELT_NONE;
        }
        if (model != PELT_NONE && joint_of_model[model] == 0)
        {
            joint_of_model[model] = joint + 1;
        }
        r->joint_of[i] = joint;
        PELT_TRY(read_cluster(r, i, object));
    }
    return PELT_OK;
}

static pelt_result read_clusters(skin_reader* r, uint32_t model)
{
    PELT_TRY(list_clusters(r));
    PELT_TRY(fbx_read_binds(r->out, r->f, model, r->objects, &r->unbound));
    for (uint32_t i = 0; i < r->out->joint_count; ++i)
    {
        // Clusters without a joint follow the mesh.
        if (r->out->models[i] == PELT_NONE)
        {
            r->out->inverse_binds[i] = pelt_mat34_identity();
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Weights by point

static uint32_t entry_count(const cluster* c)
{
    return c->points.count < c->weights.count ? c->points.count : c->weights.count;
}

// Zero weights are padding.
static bool is_listed(const skin_reader* r, const cluster* c, uint32_t i)
{
    return c->weights.at[i] != 0.0 && c->points.at[i] >= 0 && c->points.at[i] < r->point_count;
}

static size_t count_influences(skin_reader* r, uint32_t* first)
{
    size_t count = 0;
    for (uint32_t k = 0; k < r->cluster_count; ++k)
    {
        const cluster* c = &r->clusters[k];
        for (uint32_t i = 0; i < entry_count(c); ++i)
        {
            bool is_used = is_listed(r, c, i);
            r->dropped += !is_used && c->weights.at[i] != 0.0;
            if (is_used)
            {
                first[c->points.at[i] + 1]++;
                count++;
            }
        }
    }
    return count;
}

// first[p] is the start of point p; afterwards it is the end.
static void fill_influences(const skin_reader* r)
{
    for (uint32_t k = 0; k < r->cluster_count; ++k)
    {
        const cluster* c = &r->clusters[k];
        for (uint32_t i = 0; i < entry_count(c); ++i)
        {
            if (is_listed(r, c, i))
            {
                uint32_t at = r->out->first[c->points.at[i]]++;
                r->out->joints[at] = r->joint_of[k];
                r->out->weights[at] = (float)c->weights.at[i];
            }
        }
    }
}

// Whether any influence of the point has a positive weight.
static bool fbx_has_weight(const pelti_fbx_skin_source* s, uint32_t point)
{
    bool has_weight = false;
    for (uint32_t i = s->first[point]; i < s->first[point + 1]; ++i)
    {
        has_weight = has_weight || (s->weights[i] > 0.0f && isfinite(s->weights[i]));
    }
    return has_weight;
}

static pelt_result gather_weights(skin_reader* r)
{
    pelti_fbx* f = r->f;
    pelti_fbx_skin_source* out = r->out;
    uint32_t* first = pelti_fbx_alloc(&f->file, (size_t)r->point_count + 2, sizeof *first);
    size_t count = first != NULL ? count_influences(r, first) : 0;
    out->joints = pelti_fbx_alloc(&f->file, count, sizeof *out->joints);
    out->weights = pelti_fbx_alloc(&f->file, count, sizeof *out->weights);
    if (first == NULL || out->joints == NULL || out->weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t p = 0; p < r->point_count; ++p)
    {
        first[p + 1] += first[p];
    }
    out->first = first;
    fill_influences(r);
    memmove(first + 1, first, r->point_count * sizeof *first);
    first[0] = 0;
    for (uint32_t p = 0; p < r->point_count; ++p)
    {
        out->unweighted += !fbx_has_weight(out, p);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Method

// A rigid skin has one joint per point, where all methods agree; with more joints, blend linearly.
// Maya writes only the other three types.
static pelt_result read_method(skin_reader* r)
{
    static const struct
    {
        const char* type;
        pelt_method method;
    } types[] = {
        {"Linear", PELT_METHOD_LBS},
        {"Rigid", PELT_METHOD_LBS},
        {"DualQuaternion", PELT_METHOD_DQS},
        {"Blend", PELT_METHOD_MIX},
    };
    const pelti_fbx_node* node = r->f->objects[r->out->object].node;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    {
        if (pelti_fbx_child_is(node, "SkinningType", types[i].type))
        {
            r->out->has_method = true;
            r->out->method = types[i].method;
            return PELT_OK;
        }
    }
    return pelti_fbx_child(node, "SkinningType") != NULL
               ? pelti_fbx_repair(r->f, "mesh %s: ignored the unknown SkinningType of its skin",
                                  r->name)
               : PELT_OK;
}

// Mix factors between linear and dual quaternion skinning by point; 0 where the file has none.
static pelt_result read_mix_factors(skin_reader* r)
{
    pelti_fbx* f = r->f;
    const pelti_fbx_node* node = f->objects[r->out->object].node;
    if (!r->out->has_method || !pelt_method_info(r->out->method)->has_mix_factor)
    {
        return PELT_OK;
    }
    pelti_fbx_integers points;
    pelti_fbx_reals factors;
    PELT_TRY(pelti_fbx_read_integers(&points, &f->file, node, "Indexes"));
    PELT_TRY(pelti_fbx_read_reals(&factors, &f->file, node, "BlendWeights"));
    float* out = pelti_fbx_alloc(&f->file, r->point_count, sizeof *out);
    for (uint32_t i = 0; i < points.count && i < factors.count && out != NULL; ++i)
    {
        if (points.at[i] >= 0 && points.at[i] < r->point_count)
        {
            // NaN becomes 0.
            out[points.at[i]] = (float)fmin(fmax(factors.at[i], 0.0), 1.0);
        }
    }
    r->out->mix_factors = out;
    return out != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------

static pelt_result report_skin(const skin_reader* r)
{
    const struct
    {
        uint32_t count;
        const char *one, *many;
        pelt_repair_kind kind;
    } kinds[] = {
        {r->jointless, "cluster has no joint; its vertices follow the mesh's node",
         "clusters have no joint; their vertices follow the mesh's node", PELT_REPAIR_OTHER},
        {r->unbound, "cluster has no bind pose; assumed bound where its joint is",
         "clusters have no bind pose; assumed bound where their joints are", PELT_REPAIR_OTHER},
        {r->additive, "cluster is additive; read as normalized",
         "clusters are additive; read as normalized", PELT_REPAIR_OTHER},
        {r->dropped, "weight was on a vertex that does not exist and was dropped",
         "weights were on vertices that do not exist and were dropped", PELT_REPAIR_OTHER},
        {r->out->unweighted, "vertex of the file has no weights and follows the mesh's node",
         "vertices of the file have no weights and follow the mesh's node", PELT_REPAIR_UNWEIGHTED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        if (kinds[i].count > 0)
        {
            PELT_TRY(pelti_fbx_repair(r->f, "mesh %s: %u %s", r->name, kinds[i].count,
                                      pelti_plural(kinds[i].count, kinds[i].one, kinds[i].many)));
        }
        if (kinds[i].count > 0)
        {
            pelti_repairs_classify(&r->f->repairs, kinds[i].kind, kinds[i].count);
        }
    }
    return PELT_OK;
}

pelt_result pelti_fbx_read_skin(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t geometry,
                                uint32_t model, uint32_t point_count)
{
    uint32_t link = f->objects[geometry].first_child;
    *out = (pelti_fbx_skin_source){.object = next_deformer(f, &link, "Skin")};
    if (out->object == PELT_NONE)
    {
        return PELT_OK;
    }
    const char* name = f->objects[f->models[model].object].name;
    skin_reader r = {
        .f = f, .out = out, .name = name, .geometry = geometry, .point_count = point_count};
    PELT_TRY(read_clusters(&r, model));
    if (out->joint_count == 0)
    {
        out->object = PELT_NONE;
        return PELT_OK;
    }
    // A joint is a uint16_t in pelt_influence.
    if (out->joint_count >= UINT16_MAX)
    {
        return pelti_fbx_fail(&f->file, PELT_ERROR_UNSUPPORTED,
                              "mesh \"%s\" has %u joints, and pelt takes %d", name,
                              out->joint_count, UINT16_MAX - 1);
    }
    PELT_TRY(gather_weights(&r));
    PELT_TRY(read_method(&r));
    PELT_TRY(read_mix_factors(&r));
    if (r.skin_count > 1)
    {
        PELT_TRY(pelti_fbx_repair(f, "mesh %s has %u skins, whose weights were added", name,
                                  r.skin_count));
    }
    return report_skin(&r);
}

// =============================================================================================
// Skins of the scene

// ---------------------------------------------------------------------------------------------
// Meshes that moved after binding

static bool is_near(const pelt_mat34* a, const pelt_mat34* b)
{
    float size = 0.0f, off = 0.0f;
    for (int i = 0; i < 12; ++i)
    {
        size = fmaxf(size, fabsf(a->m[i / 4][i % 4]));
        off = fmaxf(off, fabsf(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    return off <= 1e-4f * size;
}

// Maya adds the motion of the mesh since binding to that of its joints. Reproduce this with copies
// of the joints below the mesh's node and a node with the inverse bind matrix of the mesh.
static pelt_result follow_mesh(pelti_fbx* f, uint32_t* joints, const pelti_fbx_skin_source* source,
                               uint32_t model)
{
    uint32_t node = f->model_nodes[f->models[model].first].node;
    const char* name = f->objects[f->models[model].object].name;
    pelt_mat34 rest = pelti_fbx_rest_matrix(f, node), inverse;
    bool is_same = !f->is_maya || (is_near(&rest, &source->bind) && !f->models[model].is_moving);
    if (is_same || !pelt_mat34_inverse(&inverse, &source->bind))
    {
        return PELT_OK;
    }
    pelt_transform parts[2];
    uint32_t count = pelti_split_matrix(parts, &inverse);
    char* bind = pelt_arena_format(f->file.scratch, "%s (bind)", name);
    if (bind == NULL)
    {
        return pelt_error_memory(f->error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_TRY(pelti_fbx_add_node(f, &node, bind, node, parts[i]));
    }
    PELT_TRY(pelti_fbx_copy_joints(f, source->models, joints, source->joint_count, node, name));
    return pelti_fbx_repair(f,
                            "mesh %s was moved after it was bound, which Maya adds to its joints; "
                            "gave it joints of its own that include this, named \"JOINT (%s)\"",
                            name, name);
}

pelt_result pelti_fbx_write_skin(pelti_fbx* f, pelt_skin* out, const pelti_fbx_skin_source* source,
                                 uint32_t model)
{
    uint32_t count = source->joint_count + (source->unweighted > 0);
    // The cost of walking up from the mesh.
    PELT_TRY(pelti_fbx_charge(&f->file, f->node_count));
    uint32_t mesh_node = f->model_nodes[f->models[model].first].node;
    uint32_t* joints = pelt_arena_alloc(f->arena, count, sizeof *joints);
    pelt_mat34* inverse_binds = pelt_arena_alloc(f->arena, count, sizeof *inverse_binds);
    char* name = pelt_arena_string(f->arena, f->objects[f->models[model].object].name);
    if (joints == NULL || inverse_binds == NULL || name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t joint = i < source->joint_count ? source->models[i] : PELT_NONE;
        joints[i] = joint != PELT_NONE ? f->model_nodes[f->models[joint].first].node : mesh_node;
        inverse_binds[i] =
            i < source->joint_count ? source->inverse_binds[i] : pelt_mat34_identity();
    }
    *out = (pelt_skin){name, count, joints, inverse_binds};
    return follow_mesh(f, joints, source, model);
}

// ---------------------------------------------------------------------------------------------
// Weights by vertex

// Vertices without weights get the last joint, which is the mesh's own node.
static uint32_t list_vertex(const pelti_fbx_skin_source* s, uint32_t point, uint32_t* joints,
                            float* weights)
{
    uint32_t count = s->first[point + 1] - s->first[point];
    memcpy(joints, s->joints + s->first[point], count * sizeof *joints);
    memcpy(weights, s->weights + s->first[point], count * sizeof *weights);
    if (!fbx_has_weight(s, point))
    {
        joints[count] = s->joint_count;
        weights[count++] = 1.0f;
    }
    return count;
}

pelt_result pelti_fbx_write_weights(pelti_fbx* f, pelt_mesh* out, const pelti_fbx_skin_source* s,
                                    const uint32_t* points, uint32_t vertex_count)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        most += s->first[points[v] + 1] - s->first[points[v]] + 1;
    }
    PELT_TRY(pelti_fbx_charge(&f->file, most));
    uint32_t* first = pelti_fbx_alloc(&f->file, (size_t)vertex_count + 1, sizeof *first);
    uint32_t* joints = pelti_fbx_alloc(&f->file, (size_t)most, sizeof *joints);
    float* weights = pelti_fbx_alloc(&f->file, (size_t)most, sizeof *weights);
    if (first == NULL || joints == NULL || weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        first[v + 1] = first[v] + list_vertex(s, points[v], joints + first[v], weights + first[v]);
    }
    const pelt_weights_source source = {.vertex_count = vertex_count,
                                        .joint_count = s->joint_count + (s->unweighted > 0),
                                        .first = first,
                                        .joints_u32 = joints,
                                        .weights = weights,
                                        .max_influences = f->max_influences};
    pelt_weights_report report = {0};
    pelt_result result = pelt_weights_import(&out->weights, &report, &source, f->arena);
    return result == PELT_OK && pelti_repairs_add_weights(&f->repairs, f->arena, out->name, &report)
               ? PELT_OK
               : pelt_error_memory(f->error);
}
