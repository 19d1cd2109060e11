// SPDX-License-Identifier: MIT
#include "body_fixture.h"

#include "shared_rig.h"

#include <string.h>

bool body_fixture_wrap(body_fixture* out, const pelt_scene* scene)
{
    const pelt_scene* rig = out->rig;
    *out = (body_fixture){.rig = rig, .scene = *scene, .arena = pelt_arena_create()};
    bool is_ok = pelt_scene_add_cors(&out->scene, PELT_PREPARE_MISSING, NULL, NULL, out->arena,
                                     NULL) == PELT_OK &&
                 pelt_body_create(&out->body, &out->scene, NULL) == PELT_OK &&
                 pelt_pose_create(&out->pose, &out->scene) == PELT_OK &&
                 pelt_frame_create(&out->frame, &out->scene) == PELT_OK &&
                 pelt_frame_create(&out->previous, &out->scene) == PELT_OK &&
                 pelt_pose_metrics_create(&out->metrics, out->body) == PELT_OK;
    out->info = is_ok ? pelt_body_get_info(out->body) : NULL;
    for (int i = 0; is_ok && i < PELT_METRIC_COUNT; ++i)
    {
        out->values[i] = pelt_arena_alloc(out->arena, out->info->vertex_count, sizeof(float));
        is_ok = out->values[i] != NULL;
    }
    return is_ok;
}

bool body_fixture_open(body_fixture* out, const char* rig)
{
    *out = (body_fixture){.rig = shared_rig(rig)};
    return out->rig != NULL && body_fixture_wrap(out, out->rig);
}

void body_fixture_close(body_fixture* f)
{
    pelt_pose_metrics_destroy(&f->metrics);
    pelt_frame_destroy(&f->previous);
    pelt_frame_destroy(&f->frame);
    pelt_pose_destroy(&f->pose);
    pelt_body_destroy(f->body);
    pelt_arena_destroy(f->arena);
    *f = (body_fixture){0};
}

bool body_fixture_pose(body_fixture* f, const char* clip, float part,
                       const pelt_deform_options* options)
{
    uint32_t index = pelt_scene_find_clip(&f->scene, clip);
    if (index == PELT_NONE)
    {
        return false;
    }
    const pelt_clip* of = &f->scene.clips[index];
    pelt_pose_sample(&f->pose, &f->scene, of, part * of->duration, PELT_WRAP_CLAMP);
    pelt_frame_update(&f->frame, &f->scene, &f->pose, options);
    return true;
}

void body_fixture_step(body_fixture* f, const pelt_deform_options* options)
{
    pelt_frame before = f->frame;
    f->frame = f->previous;
    f->previous = before;
    pelt_frame_update(&f->frame, &f->scene, &f->pose, options);
}

void body_fixture_map(body_fixture* f, const pelt_mat34* map)
{
    pelt_mat3 linear = pelt_mat34_linear(map), cofactor = pelt_mat3_cofactor(&linear);
    for (uint32_t i = 0; i < f->scene.instance_count; ++i)
    {
        const pelt_mesh* mesh = &f->scene.meshes[f->scene.instances[i].mesh];
        const pelt_surface* out = &f->frame.surfaces[i];
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            out->positions[v] = pelt_mat34_point(map, mesh->positions[v]);
            if (mesh->normals != NULL)
            {
                out->normals[v] =
                    pelt_vec3_normalize(pelt_mat3_vector(&cofactor, mesh->normals[v]));
            }
        }
    }
    for (uint32_t i = 0; i < f->scene.skin_count; ++i)
    {
        for (uint32_t j = 0; j < f->scene.skins[i].joint_count; ++j)
        {
            f->frame.palettes[i].matrices[j] = *map;
        }
    }
}

void body_fixture_measure(body_fixture* f)
{
    pelt_metric_input input = {.surfaces = f->frame.surfaces, .palettes = f->frame.palettes};
    memcpy(input.values, f->values, sizeof input.values);
    pelt_body_measure(&f->metrics, f->body, &input);
}

const pelt_metric_summary* body_fixture_whole(const body_fixture* f, pelt_metric metric)
{
    return &f->metrics.regions[0].metrics[metric];
}

void chain_scene_make(chain_scene* out, const pelt_mesh* mesh, const pelt_vec3* heads,
                      uint32_t count)
{
    *out = (chain_scene){
        .mesh = *mesh,
        .skin = {.joint_count = count, .joints = out->joints, .inverse_binds = out->inverse_binds},
        .scene = {.node_count = count,
                  .mesh_count = 1,
                  .skin_count = 1,
                  .instance_count = 1,
                  .nodes = out->nodes,
                  .meshes = &out->mesh,
                  .skins = &out->skin,
                  .instances = &out->instance}};
    out->mesh.weights.joint_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        out->nodes[i] =
            (pelt_node){.parent = i > 0 ? i - 1 : PELT_NONE, .rest = pelt_transform_identity()};
        out->nodes[i].rest.translation = i > 0 ? pelt_vec3_sub(heads[i], heads[i - 1]) : heads[i];
        out->joints[i] = i;
        out->inverse_binds[i] = pelt_mat34_identity();
        out->inverse_binds[i].m[0][3] = -heads[i].x;
        out->inverse_binds[i].m[1][3] = -heads[i].y;
        out->inverse_binds[i].m[2][3] = -heads[i].z;
    }
}
