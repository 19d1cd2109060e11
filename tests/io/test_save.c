// SPDX-License-Identifier: MIT
// Written files, read back by plain parsers of their own.
#define _POSIX_C_SOURCE 200809L
#include "pelt/io.h"
#include "rigs.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct saved
{
    pelt_scene* scene;
    pelt_frame frame;
    char path[64];
} saved;

// The two meshes of the box, in a pose, written to a temporary file.
static bool save_box(saved* s, pelt_format format)
{
    pelt_pose pose;
    strcpy(s->path, "/tmp/pelt_test_XXXXXX");
    int descriptor = mkstemp(s->path);
    if (descriptor < 0 || pelt_rig_build(&s->scene, "rig:box", NULL) != PELT_OK ||
        pelt_frame_create(&s->frame, s->scene) != PELT_OK ||
        pelt_pose_create(&pose, s->scene) != PELT_OK)
    {
        return false;
    }
    close(descriptor);
    pelt_pose_sample(&pose, s->scene, &s->scene->clips[0], 1.0f, PELT_WRAP_LOOP);
    pelt_frame_update(&s->frame, s->scene, &pose,
                      &(pelt_deform_options){.method = PELT_METHOD_DQS});
    pelt_pose_destroy(&pose);
    return pelt_save_surfaces(s->path, format, s->scene, s->frame.surfaces, NULL) == PELT_OK;
}

static void free_saved(saved* s)
{
    remove(s->path);
    pelt_frame_destroy(&s->frame);
    pelt_scene_destroy(s->scene);
}

// Nine digits bring a float back to the bit.
static int check_obj_numbers(FILE* file, const saved* s)
{
    char line[512];
    uint32_t v = 0, vt = 0, vn = 0, f = 0, object = 0, base = 0, mesh_first = 0;
    while (fgets(line, sizeof line, file))
    {
        float a, b, c;
        unsigned i[9];
        const pelt_mesh* mesh = &s->scene->meshes[object > 0 ? object - 1 : 0];
        const pelt_surface* surface = &s->frame.surfaces[object > 0 ? object - 1 : 0];
        if (line[0] == 'o')
        {
            base = v;
            mesh_first = f;
            object++;
        }
        else if (sscanf(line, "v %f %f %f", &a, &b, &c) == 3)
        {
            ENSURE_POINT(surface->positions[v++ - base], pelt_vec3_make(a, b, c), 0.0);
        }
        else if (sscanf(line, "vt %f %f", &a, &b) == 2)
        {
            ENSURE_NEAR(1.0f - mesh->uvs[vt++ - base].y, b, 0.0);
        }
        else if (sscanf(line, "vn %f %f %f", &a, &b, &c) == 3)
        {
            ENSURE_POINT(surface->normals[vn++ - base], pelt_vec3_make(a, b, c), 0.0);
        }
        else if (line[0] == 'f')
        {
            ENSURE(sscanf(line, "f %u/%u/%u %u/%u/%u %u/%u/%u", &i[0], &i[1], &i[2], &i[3], &i[4],
                          &i[5], &i[6], &i[7], &i[8]) == 9);
            for (int k = 0; k < 9; ++k)
            {
                uint32_t corner = 3 * (f - mesh_first) + (uint32_t)k / 3;
                ENSURE(i[k] == base + mesh->indices[corner] + 1);
            }
            f++;
        }
    }
    ENSURE(object == 2 && v == 312 && vt == 312 && vn == 312 && f == 116);
    return 0;
}

static int obj_brings_back_every_number(void)
{
    saved s;
    ENSURE(save_box(&s, PELT_FORMAT_OBJ));
    FILE* file = fopen(s.path, "r");
    ENSURE(file != NULL && check_obj_numbers(file, &s) == 0);
    fclose(file);
    free_saved(&s);
    return 0;
}

// Header by the book, then one record of floats per vertex and one of indices per triangle.
static int ply_brings_back_every_number(void)
{
    saved s;
    char line[256];
    uint32_t vertex_count = 0, face_count = 0, float_count = 0;
    ENSURE(save_box(&s, PELT_FORMAT_PLY));
    FILE* file = fopen(s.path, "rb");
    ENSURE(file && fgets(line, sizeof line, file) && strcmp(line, "ply\n") == 0);
    ENSURE(fgets(line, sizeof line, file) &&
           strcmp(line, "format binary_little_endian 1.0\n") == 0);
    while (fgets(line, sizeof line, file) && strcmp(line, "end_header\n") != 0)
    {
        sscanf(line, "element vertex %u", &vertex_count);
        sscanf(line, "element face %u", &face_count);
        float_count += strncmp(line, "property float ", 15) == 0;
    }
    ENSURE(vertex_count == 312 && face_count == 116 && float_count == 8);

    for (uint32_t i = 0; i < vertex_count; ++i)
    {
        float r[8];
        uint32_t mesh = i >= s.scene->meshes[0].vertex_count;
        uint32_t v = mesh ? i - s.scene->meshes[0].vertex_count : i;
        ENSURE(fread(r, sizeof *r, 8, file) == 8);
        ENSURE_POINT(s.frame.surfaces[mesh].positions[v], pelt_vec3_make(r[0], r[1], r[2]), 0.0);
        ENSURE_POINT(s.frame.surfaces[mesh].normals[v], pelt_vec3_make(r[3], r[4], r[5]), 0.0);
    }
    for (uint32_t i = 0; i < face_count; ++i)
    {
        unsigned char count;
        uint32_t corners[3];
        ENSURE(fread(&count, 1, 1, file) == 1 && count == 3);
        ENSURE(fread(corners, sizeof *corners, 3, file) == 3);
        ENSURE(corners[0] < vertex_count && corners[1] < vertex_count && corners[2] < vertex_count);
    }
    ENSURE(fgetc(file) == EOF);
    fclose(file);
    free_saved(&s);
    return 0;
}

typedef struct engine_vertex
{
    float before;
    pelt_vec3 position, normal;
    pelt_vec4 tangent;
} engine_vertex;

// The surface of an instance inside a vertex buffer, which is to free.
static engine_vertex* interleave(pelt_surface* inout, uint32_t vertex_count)
{
    engine_vertex* buffer = calloc(vertex_count, sizeof *buffer);
    for (uint32_t v = 0; buffer != NULL && v < vertex_count; ++v)
    {
        buffer[v].before = NAN;
        buffer[v].position = inout->positions[v];
        buffer[v].normal = inout->normals[v];
        buffer[v].tangent = inout->tangents[v];
    }
    *inout = (pelt_surface){.positions = &buffer->position,
                            .normals = &buffer->normal,
                            .tangents = &buffer->tangent,
                            .position_stride = sizeof *buffer,
                            .normal_stride = sizeof *buffer,
                            .tangent_stride = sizeof *buffer};
    return buffer;
}

static int vertex_buffers_are_written_as_packed_arrays_are(void)
{
    static const pelt_format formats[] = {PELT_FORMAT_OBJ, PELT_FORMAT_PLY, PELT_FORMAT_GLB};
    for (int i = 0; i < 3; ++i)
    {
        saved s;
        pelt_source packed, strided;
        ENSURE(save_box(&s, formats[i]));
        ENSURE(s.frame.instance_count == 2 && s.frame.surfaces[1].tangents != NULL);
        ENSURE(pelt_source_read(&packed, s.path, NULL) == PELT_OK);
        // One in a buffer, the other as it is.
        pelt_surface surfaces[2] = {s.frame.surfaces[0], s.frame.surfaces[1]};
        const pelt_mesh* mesh = &s.scene->meshes[s.scene->instances[1].mesh];
        engine_vertex* buffer = interleave(&surfaces[1], mesh->vertex_count);
        ENSURE(pelt_save_surfaces(s.path, formats[i], s.scene, surfaces, NULL) == PELT_OK);
        ENSURE(pelt_source_read(&strided, s.path, NULL) == PELT_OK);
        ENSURE(strided.size == packed.size &&
               memcmp(strided.bytes, packed.bytes, packed.size) == 0);
        free(buffer);
        pelt_source_release(&packed);
        pelt_source_release(&strided);
        free_saved(&s);
    }
    return 0;
}

static int surfaces_that_are_not_finite_are_written_by_nobody(void)
{
    static const pelt_format formats[] = {PELT_FORMAT_OBJ, PELT_FORMAT_PLY, PELT_FORMAT_GLB,
                                          PELT_FORMAT_GLTF};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
    {
        saved s;
        pelt_error error = {{0}};
        ENSURE(save_box(&s, formats[i]) && remove(s.path) == 0);
        float* const positions[] = {&s.frame.surfaces[1].positions[3].y,
                                    &s.frame.surfaces[1].normals[3].x};
        for (int k = 0; k < 2; ++k)
        {
            float was = *positions[k];
            *positions[k] = k == 0 ? INFINITY : NAN;
            ENSURE(pelt_save_surfaces(s.path, formats[i], s.scene, s.frame.surfaces, &error) ==
                   PELT_ERROR_DATA);
            ENSURE(strstr(error.message, "vertex 3 of instance 1") != NULL);
            ENSURE(access(s.path, F_OK) != 0);
            *positions[k] = was;
        }
        free_saved(&s);
    }
    return 0;
}

static int formats_go_by_extension(void)
{
    ENSURE(pelt_format_of("a.obj") == PELT_FORMAT_OBJ);
    ENSURE(pelt_format_of("a.b/c.PLY") == PELT_FORMAT_PLY);
    ENSURE(pelt_format_of("a.obj/c") == PELT_FORMAT_UNKNOWN);
    ENSURE(pelt_format_of("obj") == PELT_FORMAT_UNKNOWN);
    ENSURE(pelt_format_of("") == PELT_FORMAT_UNKNOWN);
    return 0;
}

static int what_cannot_be_written_is_said_and_leaves_nothing(void)
{
    pelt_error error = {{0}};
    ENSURE(pelt_save_bytes("/tmp/pelt_no_such_folder/x", "a", 1, &error) == PELT_ERROR_WRITE);
    ENSURE(strstr(error.message, "pelt_no_such_folder") != NULL);
    ENSURE(pelt_save_bytes("/tmp", "a", 1, &error) == PELT_ERROR_WRITE);
    // A full disk: the device takes nothing.
    ENSURE(access("/dev/full", W_OK) != 0 ||
           pelt_save_bytes("/dev/full", "a", 1, &error) == PELT_ERROR_WRITE);
    return 0;
}

static bool has_content(const char* path, const char* expected)
{
    char content[16] = "";
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(content, 1, sizeof content, file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    return file != NULL && size == strlen(expected) && memcmp(content, expected, size) == 0;
}

// The last of several cannot be written: those before it are as they were, or not there.
static int files_that_belong_together_appear_together(void)
{
    char folder[] = "/tmp/pelt_test_XXXXXX", old[64], fresh[64], lost[64];
    ENSURE(mkdtemp(folder) != NULL);
    snprintf(old, sizeof old, "%s/old", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    snprintf(lost, sizeof lost, "%s/no_such_folder/lost", folder);
    ENSURE(pelt_save_bytes(old, "before", 6, NULL) == PELT_OK);

    pelt_error error = {{0}};
    const pelt_file files[] = {{old, "after", 5}, {fresh, "new", 3}, {lost, "x", 1}};
    ENSURE(pelt_save_files(files, 3, &error) == PELT_ERROR_WRITE);
    ENSURE(strstr(error.message, "no_such_folder") != NULL);
    ENSURE(has_content(old, "before") && access(fresh, F_OK) != 0);
    ENSURE(pelt_save_files(files, 2, &error) == PELT_OK && pelt_save_files(NULL, 0, NULL) == 0);
    ENSURE(has_content(old, "after") && has_content(fresh, "new"));
    // No temporary is left: the folder is empty without them.
    ENSURE(remove(old) == 0 && remove(fresh) == 0 && rmdir(folder) == 0);
    return 0;
}

void test_save(void)
{
    RUN(obj_brings_back_every_number);
    RUN(ply_brings_back_every_number);
    RUN(vertex_buffers_are_written_as_packed_arrays_are);
    RUN(surfaces_that_are_not_finite_are_written_by_nobody);
    RUN(formats_go_by_extension);
    RUN(what_cannot_be_written_is_said_and_leaves_nothing);
    RUN(files_that_belong_together_appear_together);
}
