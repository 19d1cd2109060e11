// SPDX-License-Identifier: MIT
#include "live_weights.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>

// Influences that were set since the last update.
typedef struct pending_row
{
    uint32_t first, count;
} pending_row;

struct live_mesh
{
    // Packed twice: as they are, and as they were before the last update.
    uint32_t* first[2];
    pelt_influence* influences[2];
    uint32_t capacity[2];
    uint32_t current;
    pelt_weights weights; ///< packed
    uint32_t limit;       ///< influences of a vertex

    uint32_t* row_of; ///< of each vertex: its row, plus 1; 0: as packed
    pending_row* rows;
    uint32_t row_count; ///< up to vertex_count
    pelt_influence* pool;
    uint32_t pool_count, pool_capacity;

    pelt_arena* arena; ///< owns `factors`
    pelt_normal_factors factors;
    bool lacks_factors; ///< they were left out
};

// Longer updates of factors wait for the end of a stroke.
static const double affordable_ms = 25.0;

// ---------------------------------------------------------------------------------------------
// Setting up

static bool create_mesh(live_mesh* out, const pelt_weights* weights)
{
    size_t count = (size_t)weights->vertex_count + 1;
    out->weights = *weights;
    out->limit = weights->max_influences > 4 ? weights->max_influences : 4;
    out->capacity[0] = out->capacity[1] = weights->influence_count + 1;
    for (uint32_t i = 0; i < 2; ++i)
    {
        out->first[i] = calloc(count, sizeof **out->first);
        out->influences[i] = calloc(out->capacity[i], sizeof **out->influences);
    }
    out->row_of = calloc(count, sizeof *out->row_of);
    out->rows = calloc(count, sizeof *out->rows);
    bool is_whole = out->first[0] && out->first[1] && out->influences[0] && out->influences[1] &&
                    out->row_of && out->rows;
    if (is_whole && weights->vertex_count > 0)
    {
        memcpy(out->first[0], weights->first, count * sizeof *weights->first);
        memcpy(out->influences[0], weights->influences,
               weights->influence_count * sizeof *weights->influences);
        out->weights.first = out->first[0];
        out->weights.influences = out->influences[0];
    }
    return is_whole;
}

bool live_weights_create(live_weights* out, const pelt_scene* scene)
{
    size_t count = (size_t)scene->mesh_count + 1;
    *out = (live_weights){.mesh_count = scene->mesh_count,
                          .meshes = calloc(count, sizeof *out->meshes),
                          .loaded = calloc(count, sizeof *out->loaded),
                          .prepared = calloc(count, sizeof *out->prepared),
                          .cors = calloc(count, sizeof *out->cors),
                          .before = calloc(count, sizeof *out->before),
                          .is_changed = calloc(count, sizeof *out->is_changed)};
    bool is_whole =
        out->meshes && out->loaded && out->prepared && out->cors && out->before && out->is_changed;
    for (uint32_t i = 0; is_whole && i < scene->mesh_count; ++i)
    {
        is_whole = create_mesh(&out->meshes[i], &scene->meshes[i].weights);
    }
    if (!is_whole)
    {
        live_weights_destroy(out);
    }
    return is_whole;
}

static void destroy_mesh(live_mesh* in)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        free(in->first[i]);
        free(in->influences[i]);
    }
    free(in->row_of);
    free(in->rows);
    free(in->pool);
    pelt_arena_destroy(in->arena);
}

void live_weights_destroy(live_weights* in)
{
    for (uint32_t i = 0; in->meshes != NULL && i < in->mesh_count; ++i)
    {
        destroy_mesh(&in->meshes[i]);
        if (in->cors != NULL)
        {
            free(in->cors[i]);
        }
    }
    free(in->meshes);
    free(in->loaded);
    free(in->prepared);
    free(in->cors);
    free(in->scratch);
    free(in->before);
    free(in->is_changed);
    *in = (live_weights){0};
}

// ---------------------------------------------------------------------------------------------
// Influences

const pelt_influence* live_weights_row(const live_weights* in, uint32_t mesh, uint32_t vertex,
                                       uint32_t* count)
{
    const live_mesh* live = &in->meshes[mesh];
    uint32_t row = live->row_of[vertex];
    if (row > 0)
    {
        *count = live->rows[row - 1].count;
        return live->pool + live->rows[row - 1].first;
    }
    *count = live->weights.first[vertex + 1] - live->weights.first[vertex];
    return live->weights.influences + live->weights.first[vertex];
}

uint32_t live_weights_limit(const live_weights* in, uint32_t mesh)
{
    return in->meshes[mesh].limit;
}

bool live_weights_set(live_weights* inout, uint32_t mesh, uint32_t vertex,
                      const pelt_influence* influences, uint32_t count)
{
    live_mesh* live = &inout->meshes[mesh];
    if (live->pool_count + count > live->pool_capacity)
    {
        uint32_t capacity = 2 * live->pool_capacity + count + 256;
        pelt_influence* pool = realloc(live->pool, capacity * sizeof *pool);
        if (pool == NULL)
        {
            return false;
        }
        live->pool = pool;
        live->pool_capacity = capacity;
    }
    if (live->row_of[vertex] == 0)
    {
        live->row_of[vertex] = ++live->row_count;
    }
    live->rows[live->row_of[vertex] - 1] = (pending_row){live->pool_count, count};
    memcpy(live->pool + live->pool_count, influences, count * sizeof *influences);
    live->pool_count += count;
    inout->has_pending = true;
    inout->is_edited = true;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Packing

static bool reserve(live_mesh* inout, uint32_t slot, uint32_t count)
{
    if (count <= inout->capacity[slot])
    {
        return true;
    }
    uint32_t capacity = count + count / 4;
    pelt_influence* longer = realloc(inout->influences[slot], capacity * sizeof *longer);
    if (longer != NULL)
    {
        inout->influences[slot] = longer;
        inout->capacity[slot] = capacity;
    }
    return longer != NULL;
}

static bool pack(live_weights* inout, uint32_t index)
{
    live_mesh* live = &inout->meshes[index];
    uint32_t next = 1 - live->current, total = 0, most = 0;
    for (uint32_t v = 0; v < live->weights.vertex_count; ++v)
    {
        uint32_t count;
        (void)live_weights_row(inout, index, v, &count);
        live->first[next][v] = total;
        total += count;
        most = count > most ? count : most;
    }
    live->first[next][live->weights.vertex_count] = total;
    if (!reserve(live, next, total))
    {
        return false;
    }
    for (uint32_t v = 0; v < live->weights.vertex_count; ++v)
    {
        uint32_t count;
        const pelt_influence* row = live_weights_row(inout, index, v, &count);
        memcpy(live->influences[next] + live->first[next][v], row, count * sizeof *row);
    }
    live->weights.first = live->first[next];
    live->weights.influences = live->influences[next];
    live->weights.influence_count = total;
    live->weights.max_influences = most;
    live->current = next;
    memset(live->row_of, 0, live->weights.vertex_count * sizeof *live->row_of);
    live->row_count = live->pool_count = 0;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Scenes

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.vertex_count > 0;
}

// Centers are edited in arrays of their own.
static bool adopt_centers(live_weights* inout)
{
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_mesh* mesh = &inout->prepared[i];
        inout->meshes[i].lacks_factors = false;
        if (mesh->cors == NULL || !is_skinned(mesh))
        {
            continue;
        }
        if (inout->cors[i] == NULL)
        {
            inout->cors[i] = calloc((size_t)mesh->vertex_count + 1, sizeof **inout->cors);
        }
        if (inout->cors[i] == NULL)
        {
            return false;
        }
        memcpy(inout->cors[i], mesh->cors, mesh->vertex_count * sizeof *mesh->cors);
        mesh->cors = inout->cors[i];
    }
    return true;
}

// The scenes may have been given other meshes since the last update.
static bool adopt(live_weights* inout, pelt_scene* loaded, pelt_scene* prepared)
{
    size_t bytes = inout->mesh_count * sizeof *inout->loaded;
    bool is_other = prepared->meshes != inout->prepared;
    if (is_other)
    {
        memcpy(inout->prepared, prepared->meshes, bytes);
    }
    if (loaded->meshes != inout->loaded)
    {
        memcpy(inout->loaded, loaded->meshes, bytes);
    }
    loaded->meshes = inout->loaded;
    prepared->meshes = inout->prepared;
    return !is_other || adopt_centers(inout);
}

static void set_weights(live_weights* inout, uint32_t index)
{
    pelt_mesh* const both[] = {&inout->loaded[index], &inout->prepared[index]};
    for (uint32_t i = 0; i < 2; ++i)
    {
        both[i]->weights = inout->meshes[index].weights;
        both[i]->bounds = NULL;
        // Factors that were computed before belong to other weights.
        both[i]->is_mix_computed = false;
    }
    inout->loaded[index].normal_factors = NULL;
}

static bool has_all_centers(const live_weights* in)
{
    bool has_any = false;
    for (uint32_t i = 0; i < in->mesh_count; ++i)
    {
        bool is_needed = is_skinned(&in->prepared[i]);
        if (is_needed && in->prepared[i].cors == NULL)
        {
            return false;
        }
        has_any = has_any || is_needed;
    }
    return has_any;
}

static uint32_t count_moved(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    uint32_t moved = 0;
    for (uint32_t v = 0; v < count; ++v)
    {
        moved += memcmp(&a[v], &b[v], sizeof *a) != 0 ? 1 : 0;
    }
    return moved;
}

static pelt_result update_centers(live_weights* inout, const pelt_scene* prepared,
                                  const pelt_cor_options* options, pelt_error* error)
{
    size_t count = 0;
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        count += inout->cors[i] != NULL ? prepared->meshes[i].vertex_count : 0;
    }
    pelt_vec3* old = realloc(inout->scratch, (count + 1) * sizeof *old);
    if (old == NULL)
    {
        return pelt_error_memory(error);
    }
    inout->scratch = old;
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        size_t own = inout->cors[i] != NULL ? prepared->meshes[i].vertex_count : 0;
        if (own > 0)
        {
            memcpy(old, inout->cors[i], own * sizeof *old);
        }
        old += own;
    }
    double start = 1e3 * clock_seconds();
    PELT_TRY(pelt_scene_update_cors(inout->cors, prepared, inout->before, options, NULL, error));
    inout->center_ms = 1e3 * clock_seconds() - start;
    inout->center_count = 0;
    old = inout->scratch;
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        uint32_t own = inout->cors[i] != NULL ? prepared->meshes[i].vertex_count : 0;
        uint32_t moved = count_moved(old, inout->cors[i], own);
        inout->center_count += moved;
        // Meshes of one skin share their centers' surface.
        inout->is_changed[i] = inout->is_changed[i] || moved > 0;
        old += own;
    }
    return PELT_OK;
}

static pelt_result update_factors(live_weights* inout, uint32_t index, pelt_error* error)
{
    live_mesh* live = &inout->meshes[index];
    pelt_mesh* mesh = &inout->prepared[index];
    mesh->normal_factors = NULL;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_normal_factors factors;
    pelt_result result = pelt_normal_factors_build(
        &factors, mesh, mesh->cors, &(pelt_normal_options){.max_joints = 8}, arena, error);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    pelt_arena_destroy(live->arena);
    live->arena = arena;
    live->factors = factors;
    live->lacks_factors = false;
    mesh->normal_factors = &live->factors;
    return PELT_OK;
}

static pelt_result update_all_factors(live_weights* inout, bool is_final, pelt_error* error)
{
    bool is_left_out = !is_final && inout->factor_ms > affordable_ms;
    bool has_any = false;
    double start = 1e3 * clock_seconds();
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        live_mesh* live = &inout->meshes[i];
        bool is_due = inout->is_changed[i] && inout->prepared[i].normal_factors != NULL;
        if (is_due && is_left_out)
        {
            live->lacks_factors = true;
            inout->prepared[i].normal_factors = NULL;
        }
        else if (is_due || (is_final && live->lacks_factors))
        {
            PELT_TRY(update_factors(inout, i, error));
            inout->is_changed[i] = true;
            has_any = true;
        }
    }
    inout->factor_ms = has_any ? 1e3 * clock_seconds() - start : inout->factor_ms;
    return PELT_OK;
}

pelt_result live_weights_update(live_weights* inout, pelt_scene* loaded, pelt_scene* prepared,
                                const pelt_cor_options* options, bool is_final, pelt_error* error)
{
    if (!adopt(inout, loaded, prepared))
    {
        return pelt_error_memory(error);
    }
    bool has_any = false;
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        inout->before[i] = inout->meshes[i].weights;
        inout->is_changed[i] = inout->meshes[i].row_count > 0;
        has_any = has_any || inout->is_changed[i];
        if (!inout->is_changed[i])
        {
            continue;
        }
        if (!pack(inout, i))
        {
            return pelt_error_memory(error);
        }
        set_weights(inout, i);
    }
    inout->has_pending = false;
    pelt_result result = has_any && has_all_centers(inout)
                             ? update_centers(inout, prepared, options, error)
                             : PELT_OK;
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        pelt_mesh* mesh = &inout->prepared[i];
        mesh->cors = result == PELT_OK ? mesh->cors : NULL;
        bool has_own = inout->loaded[i].cors != NULL;
        inout->loaded[i].cors = has_own ? mesh->cors : NULL;
    }
    return result == PELT_OK ? update_all_factors(inout, is_final, error) : result;
}
