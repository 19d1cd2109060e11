// SPDX-License-Identifier: MIT
// Builds characters of extreme shapes.
#include "load_inputs.h"

enum
{
    JOINTS = 64,
    PER_VERTEX = 4,
    PATCH_SIZE = 32, // of the patch that instances and clips have, in vertices
};

const char* load_shape_name(load_shape shape)
{
    static const char* const names[LOAD_SHAPE_COUNT] = {"fan",    "line",      "point", "stack",
                                                        "random", "instances", "clips"};
    PELT_ASSERT((uint32_t)shape < LOAD_SHAPE_COUNT);
    return names[shape];
}

// Marsaglia's xorshift, 32 bits.
static uint32_t next_random(uint32_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static float next_part(uint32_t* state)
{
    return (float)(next_random(state) >> 8) / (float)(1 << 24);
}

// ---------------------------------------------------------------------------------------------
// Surfaces

typedef struct surface_plan
{
    uint32_t vertex_count, triangle_count;
} surface_plan;

static surface_plan plan_surface(load_shape shape, uint32_t count)
{
    switch (shape)
    {
    case LOAD_SHAPE_FAN:
        return (surface_plan){count + 1, count};
    case LOAD_SHAPE_LINE:
    case LOAD_SHAPE_POINT:
        return (surface_plan){count + 2, count};
    case LOAD_SHAPE_STACK:
        return (surface_plan){3 * count, count};
    case LOAD_SHAPE_RANDOM:
        return (surface_plan){count / 2 + 3, count};
    default:
        return (surface_plan){PATCH_SIZE * PATCH_SIZE, 2 * (PATCH_SIZE - 1) * (PATCH_SIZE - 1)};
    }
}

static pelt_vec3 vertex_position(load_shape shape, surface_plan plan, uint32_t v, uint32_t* random)
{
    float part = (float)v / (float)plan.vertex_count;
    switch (shape)
    {
    case LOAD_SHAPE_FAN:
        return v == 0 ? pelt_vec3_make(0, 0, 0)
                      : pelt_vec3_make(cosf(2.0f * PELT_PI * part), sinf(2.0f * PELT_PI * part),
                                       0.1f * next_part(random));
    case LOAD_SHAPE_LINE:
        return pelt_vec3_make(0, part, 0);
    case LOAD_SHAPE_POINT:
        return pelt_vec3_make(0.5f, 0.5f, 0.5f);
    case LOAD_SHAPE_STACK:
        return pelt_vec3_make(v % 3 == 1 ? 1.0f : 0.0f, v % 3 == 2 ? 1.0f : 0.0f, 0);
    case LOAD_SHAPE_RANDOM:
        return pelt_vec3_make(next_part(random), next_part(random), next_part(random));
    default:
        return pelt_vec3_make((float)(v % PATCH_SIZE) / PATCH_SIZE,
                              (float)(v / PATCH_SIZE) / PATCH_SIZE, 0);
    }
}

static uint32_t choose_corner(load_shape shape, surface_plan plan, uint32_t triangle,
                              uint32_t corner, uint32_t* random)
{
    switch (shape)
    {
    case LOAD_SHAPE_FAN:
        return corner == 0 ? 0 : 1 + (triangle + corner - 1) % plan.triangle_count;
    case LOAD_SHAPE_LINE:
    case LOAD_SHAPE_POINT:
        return triangle + corner;
    case LOAD_SHAPE_STACK:
        return 3 * triangle + corner;
    case LOAD_SHAPE_RANDOM:
        return next_random(random) % plan.vertex_count;
    default:
        break;
    }
    static const uint32_t steps[2][3] = {{0, 1, PATCH_SIZE}, {1, PATCH_SIZE + 1, PATCH_SIZE}};
    uint32_t cell = triangle / 2;
    return cell / (PATCH_SIZE - 1) * PATCH_SIZE + cell % (PATCH_SIZE - 1) +
           steps[triangle % 2][corner];
}

// Random weights: the worst case for algorithms that compare weights of neighbors.
static bool add_weights(pelt_mesh* mesh, uint32_t* random, pelt_arena* arena)
{
    size_t count = (size_t)mesh->vertex_count * PER_VERTEX;
    uint32_t* joints = pelt_arena_alloc(arena, count, sizeof *joints);
    float* weights = pelt_arena_alloc(arena, count, sizeof *weights);
    for (size_t i = 0; joints != NULL && weights != NULL && i < count; ++i)
    {
        joints[i] = next_random(random) % JOINTS;
        weights[i] = 0.05f + next_part(random);
    }
    pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                  .joint_count = JOINTS,
                                  .joints_u32 = joints,
                                  .weights = weights};
    return joints != NULL && weights != NULL &&
           pelt_weights_import(&mesh->weights, NULL, &source, arena) == PELT_OK;
}

static bool build_mesh(pelt_mesh* out, load_shape shape, uint32_t count, pelt_arena* arena)
{
    surface_plan plan = plan_surface(shape, count);
    uint32_t random = 2463534242u;
    pelt_vec3* positions = pelt_arena_alloc(arena, plan.vertex_count, sizeof *positions);
    pelt_vec3* normals = pelt_arena_alloc(arena, plan.vertex_count, sizeof *normals);
    uint32_t* indices = pelt_arena_alloc(arena, plan.triangle_count, 3 * sizeof *indices);
    if (positions == NULL || normals == NULL || indices == NULL)
    {
        return false;
    }
    for (uint32_t v = 0; v < plan.vertex_count; ++v)
    {
        positions[v] = vertex_position(shape, plan, v, &random);
        normals[v] = pelt_vec3_make(0, 0, 1);
    }
    for (uint32_t i = 0; i < 3 * plan.triangle_count; ++i)
    {
        indices[i] = choose_corner(shape, plan, i / 3, i % 3, &random);
    }
    *out = (pelt_mesh){.name = load_shape_name(shape),
                       .vertex_count = plan.vertex_count,
                       .index_count = 3 * plan.triangle_count,
                       .positions = positions,
                       .normals = normals,
                       .indices = indices,
                       .material = PELT_NONE};
    return add_weights(out, &random, arena);
}

// ---------------------------------------------------------------------------------------------
// Scenes

static bool build_skeleton(pelt_scene* out, pelt_arena* arena)
{
    pelt_node* nodes = pelt_arena_alloc(arena, JOINTS + 1, sizeof *nodes);
    uint32_t* joints = pelt_arena_alloc(arena, JOINTS, sizeof *joints);
    pelt_mat34* binds = pelt_arena_alloc(arena, JOINTS, sizeof *binds);
    pelt_skin* skin = pelt_arena_alloc(arena, 1, sizeof *skin);
    if (nodes == NULL || joints == NULL || binds == NULL || skin == NULL)
    {
        return false;
    }
    bool is_ok = true;
    for (uint32_t j = 0; j <= JOINTS && is_ok; ++j)
    {
        const char* name = j < JOINTS ? pelt_arena_format(arena, "joint %u", j) : "instance";
        nodes[j] =
            (pelt_node){name, j > 0 && j < JOINTS ? 0 : PELT_NONE, pelt_transform_identity()};
        is_ok = name != NULL;
    }
    for (uint32_t j = 0; j < JOINTS; ++j)
    {
        joints[j] = j;
        binds[j] = pelt_mat34_identity();
    }
    *skin = (pelt_skin){"skin", JOINTS, joints, binds};
    out->nodes = nodes;
    out->node_count = JOINTS + 1;
    out->skins = skin;
    out->skin_count = 1;
    return is_ok;
}

static bool build_clips(pelt_scene* out, uint32_t count, pelt_arena* arena)
{
    static const float times[2] = {0.0f, 0.5f};
    static const float values[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.6f, 0.8f};
    pelt_clip* clips = pelt_arena_alloc(arena, count, sizeof *clips);
    pelt_track* tracks = pelt_arena_alloc(arena, count, sizeof *tracks);
    bool is_ok = clips != NULL && tracks != NULL;
    for (uint32_t c = 0; c < count && is_ok; ++c)
    {
        tracks[c] = (pelt_track){.target = 1 + c % (JOINTS - 1),
                                 .path = PELT_PATH_ROTATION,
                                 .key_count = 2,
                                 .width = 4,
                                 .times = times,
                                 .values = values};
        clips[c] = (pelt_clip){pelt_arena_format(arena, "clip %u", c), 0.5f, 1, &tracks[c]};
        is_ok = clips[c].name != NULL;
    }
    out->clips = clips;
    out->clip_count = count;
    return is_ok;
}

bool load_shape_build(pelt_scene* out, load_shape shape, uint32_t count, pelt_arena* arena)
{
    uint32_t instance_count = shape == LOAD_SHAPE_INSTANCES ? count : 1;
    pelt_mesh* mesh = pelt_arena_alloc(arena, 1, sizeof *mesh);
    pelt_instance* instances = pelt_arena_alloc(arena, instance_count, sizeof *instances);
    *out = (pelt_scene){.name = load_shape_name(shape)};
    if (mesh == NULL || instances == NULL || !build_mesh(mesh, shape, count, arena) ||
        !build_skeleton(out, arena) ||
        !build_clips(out, shape == LOAD_SHAPE_CLIPS ? count : 1, arena))
    {
        return false;
    }
    for (uint32_t i = 0; i < instance_count; ++i)
    {
        instances[i] = (pelt_instance){.mesh = 0, .skin = 0, .node = JOINTS};
    }
    out->meshes = mesh;
    out->mesh_count = 1;
    out->instances = instances;
    out->instance_count = instance_count;
    return true;
}
