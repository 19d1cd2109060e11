// SPDX-License-Identifier: MIT
// A frame that deforms a character straight into the vertex buffer of the application: positions
// and normals of a clip at 30 frames per second; UVs in the same buffer stay.
#include <pelt/io.h>

#include <stdio.h>

// What the application draws.
typedef struct vertex
{
    pelt_vec3 position, normal;
    pelt_vec2 uv;
} vertex;

// In place of memory that a graphics API has mapped: the vertices of all instances.
static vertex* create_buffer(const pelt_scene* scene)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    vertex* buffer = pelt_allocate(count, sizeof *buffer);
    for (uint32_t i = 0, v = 0; buffer != NULL && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t k = 0; k < mesh->vertex_count; ++k, ++v)
        {
            buffer[v] = (vertex){.uv = mesh->uvs != NULL ? mesh->uvs[k] : (pelt_vec2){0}};
        }
    }
    return buffer;
}

// Surfaces of the frame become columns of the buffer.
static void bind_buffer(pelt_frame* frame, const pelt_scene* scene, vertex* buffer)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        frame->surfaces[i] =
            (pelt_surface){.positions = &buffer->position,
                           .normals = mesh->normals != NULL ? &buffer->normal : NULL,
                           .position_stride = sizeof *buffer,
                           .normal_stride = sizeof *buffer};
        buffer += mesh->vertex_count;
    }
}

static pelt_result play(const pelt_scene* scene, pelt_error* error)
{
    pelt_frame frame = {0};
    pelt_pose pose = {0};
    pelt_cursor cursor = {0};
    uint32_t clip = pelt_scene_default_clip(scene);
    vertex* buffer = create_buffer(scene);
    if (buffer == NULL || pelt_frame_create(&frame, scene) != PELT_OK ||
        pelt_frame_prepare(&frame, scene) != PELT_OK || pelt_pose_create(&pose, scene) != PELT_OK ||
        pelt_cursor_create(&cursor, scene) != PELT_OK)
    {
        pelt_error_memory(error);
        goto cleanup;
    }
    bind_buffer(&frame, scene, buffer);
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    for (int i = 0; i <= 30; ++i) // the loop of the application
    {
        if (clip != PELT_NONE)
        {
            pelt_pose_play(&pose, &cursor, scene, &scene->clips[clip], (float)i / 30.0f,
                           PELT_WRAP_LOOP);
        }
        pelt_frame_update(&frame, scene, &pose, &options);
        if (i % 30 == 0)
        {
            printf("frame %d: vertex 0 at %.5f %.5f %.5f, uv %.3f %.3f\n", i,
                   (double)buffer->position.x, (double)buffer->position.y,
                   (double)buffer->position.z, (double)buffer->uv.x, (double)buffer->uv.y);
        }
    }
    error->message[0] = '\0';
cleanup:
    pelt_cursor_destroy(&cursor);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    pelt_release(buffer);
    return error->message[0] == '\0' ? PELT_OK : PELT_ERROR_MEMORY;
}

int main(int argc, char** argv)
{
    pelt_error error = {"usage: vertex_buffer INPUT"};
    pelt_scene* scene = NULL;
    pelt_result result = PELT_ERROR_ARGUMENT;
    if (argc == 2)
    {
        result = pelt_load(&scene, argv[1], NULL, &error);
        result = result == PELT_OK ? play(scene, &error) : result;
    }
    pelt_scene_destroy(scene);
    if (result != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
    }
    return result == PELT_OK ? 0 : 1;
}
