// SPDX-License-Identifier: MIT
// Skins: a cluster of FBX lists the points that one joint holds, pelt lists joints per vertex.
#include "fbx_read.h"

#include <string.h>

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
    uint32_t point_count;
    uint32_t* objects; // of the clusters
    cluster* clusters;
    uint32_t homeless, unbound, additive, dropped;
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

static pelt_result list_clusters(skin_reader* r)
{
    pelti_fbx* f = r->f;
    uint32_t count = 0, link = f->objects[r->out->object].first_child;
    while (next_deformer(f, &link, "Cluster") != PELT_NONE)
    {
        count++;
    }
    r->objects = pelti_fbx_take(&f->file, count, sizeof *r->objects);
    r->clusters = pelti_fbx_take(&f->file, count, sizeof *r->clusters);
    r->out->models = pelti_fbx_take(&f->file, count, sizeof *r->out->models);
    r->out->inverse_binds = pelti_fbx_take(&f->file, count, sizeof *r->out->inverse_binds);
    if (r->objects == NULL || r->clusters == NULL || r->out->models == NULL ||
        r->out->inverse_binds == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    link = f->objects[r->out->object].first_child;
    for (uint32_t i = 0; i < count; ++i)
    {
        r->objects[i] = next_deformer(f, &link, "Cluster");
    }
    r->out->joint_count = count;
    return pelti_fbx_charge(&f->file, count);
}

static pelt_result read_cluster(skin_reader* r, uint32_t index)
{
    pelti_fbx* f = r->f;
    cluster* c = &r->clusters[index];
    const pelti_fbx_object* object = &f->objects[r->objects[index]];
    uint32_t link = object->first_child;
    uint32_t model = pelti_fbx_next_child(f, &link, PELTI_FBX_MODEL);
    r->out->models[index] = model != PELT_NONE ? f->model_of_object[model] : PELT_NONE;
    r->homeless += r->out->models[index] == PELT_NONE;
    r->additive += pelti_fbx_child_is(object->node, "Mode", "Additive");
    pelt_result result = pelti_fbx_read_integers(&c->points, &f->file, object->node, "Indexes");
    return result == PELT_OK ? pelti_fbx_read_reals(&c->weights, &f->file, object->node, "Weights")
                             : result;
}

static pelt_result read_clusters(skin_reader* r, uint32_t model)
{
    pelt_result result = list_clusters(r);
    for (uint32_t i = 0; i < r->out->joint_count && result == PELT_OK; ++i)
    {
        result = read_cluster(r, i);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_binds(r->out, r->f, model, r->objects, &r->unbound);
    for (uint32_t i = 0; i < r->out->joint_count && result == PELT_OK; ++i)
    {
        // What has no joint follows the mesh instead.
        if (r->out->models[i] == PELT_NONE)
        {
            r->out->inverse_binds[i] = pelt_mat34_identity();
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Weights by point

static uint32_t entry_count(const cluster* c)
{
    return c->points.count < c->weights.count ? c->points.count : c->weights.count;
}

// Weights of zero are padding.
static bool is_listed(const skin_reader* r, const cluster* c, uint32_t i)
{
    return c->weights.at[i] != 0.0 && c->points.at[i] >= 0 && c->points.at[i] < r->point_count;
}

static size_t count_influences(skin_reader* r, uint32_t* first)
{
    size_t count = 0;
    for (uint32_t j = 0; j < r->out->joint_count; ++j)
    {
        const cluster* c = &r->clusters[j];
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

// first[p] is where point p starts; afterwards, where it ends.
static void place_influences(const skin_reader* r)
{
    for (uint32_t j = 0; j < r->out->joint_count; ++j)
    {
        const cluster* c = &r->clusters[j];
        for (uint32_t i = 0; i < entry_count(c); ++i)
        {
            if (is_listed(r, c, i))
            {
                uint32_t at = r->out->first[c->points.at[i]]++;
                r->out->joints[at] = j;
                r->out->weights[at] = (float)c->weights.at[i];
            }
        }
    }
}

bool pelti_fbx_is_held(const pelti_fbx_skin_source* s, uint32_t point)
{
    bool is_held = false;
    for (uint32_t i = s->first[point]; i < s->first[point + 1]; ++i)
    {
        is_held = is_held || (s->weights[i] > 0.0f && isfinite(s->weights[i]));
    }
    return is_held;
}

static pelt_result gather_weights(skin_reader* r)
{
    pelti_fbx* f = r->f;
    pelti_fbx_skin_source* out = r->out;
    uint32_t* first = pelti_fbx_take(&f->file, (size_t)r->point_count + 2, sizeof *first);
    size_t count = first != NULL ? count_influences(r, first) : 0;
    out->joints = pelti_fbx_take(&f->file, count, sizeof *out->joints);
    out->weights = pelti_fbx_take(&f->file, count, sizeof *out->weights);
    if (first == NULL || out->joints == NULL || out->weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t p = 0; p < r->point_count; ++p)
    {
        first[p + 1] += first[p];
    }
    out->first = first;
    place_influences(r);
    memmove(first + 1, first, r->point_count * sizeof *first);
    first[0] = 0;
    for (uint32_t p = 0; p < r->point_count; ++p)
    {
        out->loose += !pelti_fbx_is_held(out, p);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Method

// A rigid skin has one joint for each point, where all methods agree; should it have more, they
// blend linearly. Maya writes the other three: its rigid binds are deformers of another kind.
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

// Between linear and dual quaternion, point by point; 0 where nothing is said.
static pelt_result read_mix_factors(skin_reader* r)
{
    pelti_fbx* f = r->f;
    const pelti_fbx_node* node = f->objects[r->out->object].node;
    if (!r->out->has_method || r->out->method != PELT_METHOD_MIX)
    {
        return PELT_OK;
    }
    pelti_fbx_integers points;
    pelti_fbx_reals factors;
    pelt_result result = pelti_fbx_read_integers(&points, &f->file, node, "Indexes");
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_reals(&factors, &f->file, node, "BlendWeights");
    if (result != PELT_OK)
    {
        return result;
    }
    float* out = pelti_fbx_take(&f->file, r->point_count, sizeof *out);
    for (uint32_t i = 0; i < points.count && i < factors.count && out != NULL; ++i)
    {
        if (points.at[i] >= 0 && points.at[i] < r->point_count)
        {
            // NaN falls to the lower end.
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
        {r->homeless, "cluster has no joint; its vertices follow the mesh's node",
         "clusters have no joint; their vertices follow the mesh's node", PELT_REPAIR_OTHER},
        {r->unbound, "cluster has no bind pose; assumed bound where its joint is",
         "clusters have no bind pose; assumed bound where their joints are", PELT_REPAIR_OTHER},
        {r->additive, "cluster is additive; read as normalized",
         "clusters are additive; read as normalized", PELT_REPAIR_OTHER},
        {r->dropped, "weight was on a vertex that does not exist and was dropped",
         "weights were on vertices that do not exist and were dropped", PELT_REPAIR_OTHER},
        {r->out->loose, "vertex of the file has no weights and follows the mesh's node",
         "vertices of the file have no weights and follow the mesh's node", PELT_REPAIR_UNWEIGHTED},
    };
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == PELT_OK; ++i)
    {
        if (kinds[i].count > 0)
        {
            result = pelti_fbx_repair(r->f, "mesh %s: %u %s", r->name, kinds[i].count,
                                      pelti_plural(kinds[i].count, kinds[i].one, kinds[i].many));
        }
        if (kinds[i].count > 0 && result == PELT_OK)
        {
            pelti_repairs_classify(&r->f->repairs, kinds[i].kind, kinds[i].count);
        }
    }
    return result;
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
    skin_reader r = {.f = f, .out = out, .name = name, .point_count = point_count};
    pelt_result result = read_clusters(&r, model);
    if (out->joint_count == 0)
    {
        out->object = PELT_NONE;
        return result;
    }
    // A joint is a uint16_t in pelt_influence.
    if (result == PELT_OK && out->joint_count >= UINT16_MAX)
    {
        return pelti_fbx_fail(&f->file, PELT_ERROR_UNSUPPORTED,
                              "mesh \"%s\" has %u joints, and pelt takes %d", name,
                              out->joint_count, UINT16_MAX - 1);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = gather_weights(&r);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_method(&r);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_mix_factors(&r);
    if (result == PELT_OK && next_deformer(f, &link, "Skin") != PELT_NONE)
    {
        result = pelti_fbx_repair(f, "mesh %s has several skins; only the first was read", name);
    }
    return result == PELT_OK ? report_skin(&r) : result;
}
