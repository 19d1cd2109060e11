// SPDX-License-Identifier: MIT
// Primitives of KHR_draco_mesh_compression: encoded here by libdraco itself, and models next to
// their uncompressed twins.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "draco_encode.h"
#include "gltf_fixture.h"
#include "pelt/io.h"
#include "scratch.h"

void test_gltf_draco(void);

#ifdef PELT_WITH_DRACO

enum
{
    BITS = 14
};

// The square of the fixture, whose plain arrays become zeros.
static size_t compress(fixture* f, bool is_edgebreaker, int bits)
{
    const draco_source source = {.vertex_count = 4,
                                 .face_count = 2,
                                 .positions = f->bin.positions[0],
                                 .joints = f->bin.joints[0],
                                 .weights = f->bin.weights[0],
                                 .indices = f->bin.indices,
                                 .is_edgebreaker = is_edgebreaker,
                                 .quantization = bits};
    size_t size = draco_encode(f->bin.spare, sizeof f->bin.spare, &source);
    char view[160];
    snprintf(view, sizeof view,
             "},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"buffers\":[{",
             offsetof(fixture_bin, spare), size);
    fixture_change(f, "}],\"buffers\":[{", view);
    fixture_change(f, "\"material\":0,",
                   "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":1,"
                   "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}},"
                   "\"material\":0,");
    fixture_change(f, "\"scene\":0",
                   "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"
                   "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scene\":0");
    memset(f->bin.positions, 0, sizeof f->bin.positions);
    memset(f->bin.joints, 0, sizeof f->bin.joints);
    memset(f->bin.weights, 0, sizeof f->bin.weights);
    memset(f->bin.indices, 0, sizeof f->bin.indices);
    return size;
}

// The vertex of the square at this position, or 4.
static uint32_t find_corner(pelt_vec3 at, float tolerance)
{
    uint32_t v = 0;
    while (v < 4 && !(pelt_vec3_distance(at, pelt_vec3_make((float)(v % 2), (float)(v / 2), 0)) <=
                      tolerance))
    {
        ++v;
    }
    return v;
}

// A decoder may order vertices and triangles as it likes, but not the corners of a triangle.
static int check_square(const pelt_scene* scene, float tolerance)
{
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {2, 1, 3}};
    const pelt_mesh* mesh = &scene->meshes[0];
    bool is_found[2] = {false, false};
    ENSURE(mesh->vertex_count == 4 && mesh->index_count == 6);
    for (uint32_t t = 0; t < 2; ++t)
    {
        uint32_t corner[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            corner[k] = find_corner(mesh->positions[mesh->indices[3 * t + k]], tolerance);
        }
        for (uint32_t i = 0; i < 6; ++i)
        {
            const uint32_t* expected = triangles[i / 3];
            is_found[i / 3] |= corner[0] == expected[i % 3] && corner[1] == expected[(i + 1) % 3] &&
                               corner[2] == expected[(i + 2) % 3];
        }
    }
    ENSURE(is_found[0] && is_found[1]);
    for (uint32_t v = 0; v < 4; ++v)
    {
        uint32_t corner = find_corner(mesh->positions[v], tolerance);
        uint32_t first = mesh->weights.first[v], count = mesh->weights.first[v + 1] - first;
        const pelt_influence* influences = mesh->weights.influences + first;
        ENSURE(count == (corner == 2 ? 2u : 1u));
        ENSURE(influences[0].joint == (corner < 2 ? 0 : 1));
        ENSURE_NEAR(influences[0].weight, corner == 2 ? 0.75 : 1.0, 1e-4);
    }
    return 0;
}

static int compressed_primitives_are_decoded(void)
{
    for (int i = 0; i < 4; ++i)
    {
        fixture f;
        pelt_error error;
        int bits = i / 2 == 0 ? 0 : BITS;
        fixture_start(&f);
        size_t size = compress(&f, i % 2 == 1, bits);
        ENSURE(size > 0);
        pelt_scene* scene = fixture_load(&f, &error);
        ENSURE(scene != NULL);
        // Half a step on each of two axes; weights are of the same kind.
        double step = draco_step(f.bin.spare, size, 0, 1);
        ENSURE(bits == 0 ? step == 0.0 : fabs(step - 1.0 / ((1 << BITS) - 1)) < 1e-9);
        int failed = check_square(scene, (float)(0.5 * step * sqrt(2.0)) + 1e-7f);
        pelt_scene_destroy(scene);
        ENSURE(failed == 0);
    }
    return 0;
}

static int counts_that_differ_are_refused(void)
{
    static const struct
    {
        const char *from, *to, *message;
    } cases[] = {
        {"\"count\":4,\"type\":\"VEC3\"", "\"count\":5,\"type\":\"VEC3\"", "vertices of its acc"},
        {"\"count\":6,\"type\":\"SCALAR\"", "\"count\":3,\"type\":\"SCALAR\"", "indices and"},
        {"\"JOINTS_0\":1,\"WEIGHTS_0\":2}}},", "\"JOINTS_0\":9}}},", "no attribute for JOINTS_0"},
        {"\"JOINTS_0\":1,\"WEIGHTS_0\":2}}},", "\"JOINTS_0\":0}}},", "no attribute for JOINTS_0"},
        {"\"WEIGHTS_0\":2}}},", "\"TANGENT\":2}}},", "must have TANGENT"},
        {"\"bufferView\":1,\"attr", "\"attr", "names no buffer view"},
        {"\"bufferView\":1,\"attr", "\"bufferView\":0,\"attr", "Draco data are broken"},
        {"\"indices\":3,", "", "must have indices"},
        {"\"mode\":4", "\"mode\":5", "not strips"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        pelt_error error;
        fixture_start(&f);
        compress(&f, i % 2 == 0, BITS);
        fixture_change(&f, cases[i].from, cases[i].to);
        ENSURE(fixture_load(&f, &error) == NULL);
        if (strstr(error.message, cases[i].message) == NULL)
        {
            printf("  case %zu: %s\n", i, error.message);
            return 1;
        }
    }
    return 0;
}

// Any byte may be wrong, and the end may be anywhere: there is a scene or a sentence.
static int damaged_data_are_survived(void)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    fixture f, original;
    pelt_error error;
    uint32_t refused = 0, tried = 0;
    for (int method = 0; method < 2; ++method)
    {
        fixture_start(&original);
        size_t size = compress(&original, method == 1, BITS);
        for (size_t i = 0; i < size * sizeof values; ++i)
        {
            f = original;
            f.bin.spare[i / sizeof values] = values[i % sizeof values];
            pelt_scene* scene = fixture_load(&f, &error);
            refused += scene == NULL;
            ++tried;
            pelt_scene_destroy(scene);
        }
        for (size_t end = 0; end < size; ++end)
        {
            char from[64], to[64];
            f = original;
            snprintf(from, sizeof from, "\"byteLength\":%zu}]", size);
            snprintf(to, sizeof to, "\"byteLength\":%zu}]", end);
            fixture_change(&f, from, to);
            ENSURE(fixture_load(&f, &error) == NULL && error.message[0] != '\0');
        }
    }
    ENSURE(refused > tried / 4);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Writing

static bool has_text(const pelt_source* file, const char* text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= file->size; ++i)
    {
        if (memcmp((const char*)file->bytes + i, text, length) == 0)
        {
            return true;
        }
    }
    return false;
}

typedef struct written
{
    pelt_scene* scene;
    bool is_compressed;
} written;

// Load what was written and remove it.
static int read_back(written* out, char* folder)
{
    char path[2 * SCRATCH_PATH];
    pelt_error error = {{0}};
    pelt_source file;
    snprintf(path, sizeof path, "%s/out.glb", folder);
    pelt_result result = pelt_load_keep(&out->scene, &file, path, NULL, &error);
    scratch_remove(path);
    scratch_remove(folder);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    out->is_compressed = has_text(&file, "KHR_draco_mesh_compression");
    pelt_source_release(&file);
    return 0;
}

// Data that are added lie next to the compressed arrays; a primitive whose own arrays change is
// written without compression.
static int writers_keep_what_they_do_not_change(void)
{
    for (int is_changed = 0; is_changed < 2; ++is_changed)
    {
        fixture f;
        char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH];
        pelt_error error = {{0}};
        fixture_start(&f);
        compress(&f, true, BITS);
        pelti_blob bytes = fixture_glb(&f);
        const pelt_source source = {.path = "test.glb", .bytes = bytes.data, .size = bytes.size};
        pelt_scene* scene = NULL;
        ENSURE(pelti_read_gltf(&scene, &source, NULL, &error) == PELT_OK);
        scene->format = PELT_FORMAT_GLB;
        pelt_scene better = *scene;
        pelt_mesh mesh = scene->meshes[0];
        pelt_vec3 cors[4];
        uint32_t swapped[6]; // the two triangles
        memcpy(cors, mesh.positions, sizeof cors);
        memcpy(swapped, mesh.indices + 3, sizeof swapped / 2);
        memcpy(swapped + 3, mesh.indices, sizeof swapped / 2);
        mesh.cors = is_changed ? NULL : cors;
        mesh.indices = is_changed ? swapped : mesh.indices;
        better.meshes = &mesh;
        ENSURE(scratch_make(folder));
        snprintf(path, sizeof path, "%s/out.glb", folder);
        ENSURE(pelt_save_copy(path, PELT_FORMAT_GLB, &source, scene, &better, &error) == PELT_OK);
        written back = {0};
        ENSURE(read_back(&back, folder) == 0);
        const pelt_mesh* read = &back.scene->meshes[0];
        ENSURE(back.is_compressed == !is_changed);
        ENSURE((read->cors != NULL) == !is_changed);
        ENSURE(test_is_same(read->positions, mesh.positions, 4, sizeof *mesh.positions));
        ENSURE(test_is_same(read->indices, mesh.indices, 6, sizeof *mesh.indices));
        ENSURE(check_square(back.scene, 1e-4f) == 0);
        pelt_scene_destroy(back.scene);
        pelt_scene_destroy(scene);
        free(bytes.data);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Models and their uncompressed twins

// Precision of positions as the file states it. Its only compressed view is the last one.
static double stated_step(const char* folder, const char* buffer, size_t offset, size_t size)
{
    char path[1024];
    uint8_t* bytes = malloc(size);
    snprintf(path, sizeof path, "%s/%s", folder, buffer);
    FILE* file = fopen(path, "rb");
    bool is_read = file != NULL && fseek(file, (long)offset, SEEK_SET) == 0 &&
                   fread(bytes, 1, size, file) == size;
    double step = is_read ? draco_step(bytes, size, 2, 1) : -1.0;
    if (file != NULL)
    {
        fclose(file);
    }
    free(bytes);
    return step;
}

// Largest component of the distance from each vertex of `a` to the nearest vertex of `b`.
static double one_way(const pelt_mesh* a, const pelt_mesh* b)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < a->vertex_count; ++i)
    {
        pelt_vec3 p = a->positions[i];
        double nearest = 1e30;
        for (uint32_t k = 0; k < b->vertex_count; ++k)
        {
            pelt_vec3 q = b->positions[k];
            double distance =
                fmax(fabs((double)p.x - (double)q.x),
                     fmax(fabs((double)p.y - (double)q.y), fabs((double)p.z - (double)q.z)));
            nearest = fmin(nearest, distance);
        }
        largest = fmax(largest, nearest);
    }
    return largest;
}

static int check_twins(const char* packed_name, const char* plain_name, double step)
{
    char path[1024];
    pelt_error error = {{0}};
    pelt_scene *packed = NULL, *plain = NULL;
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), packed_name);
    ENSURE(pelt_load(&packed, path, NULL, &error) == PELT_OK);
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), plain_name);
    ENSURE(pelt_load(&plain, path, NULL, &error) == PELT_OK);
    ENSURE(packed->mesh_count == 1 && plain->mesh_count == 1 && packed->repair_count == 0);
    const pelt_mesh *a = &packed->meshes[0], *b = &plain->meshes[0];
    ENSURE(a->index_count == b->index_count && a->weights.joint_count == b->weights.joint_count);
    // Half a step on every axis, and the rounding of floats of this size.
    double tolerance = 0.5 * step + 1e-6 * step * 16384.0;
    ENSURE(step > 0.0);
    ENSURE_NEAR(one_way(a, b), 0.0, tolerance);
    ENSURE_NEAR(one_way(b, a), 0.0, tolerance);
    pelt_scene_destroy(packed);
    pelt_scene_destroy(plain);
    return 0;
}

static int models_equal_their_twins_within_the_stated_precision(void)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/RiggedSimple_draco", test_models_folder());
    double step = stated_step(folder, "RiggedSimple0.bin", 2328, 2191);
    ENSURE(check_twins("RiggedSimple_draco/RiggedSimple.gltf", "RiggedSimple/RiggedSimple.glb",
                       step) == 0);
    snprintf(folder, sizeof folder, "%s/CesiumMan_draco", test_models_folder());
    step = stated_step(folder, "CesiumMan_data.bin", 41344, 48166);
    return check_twins("CesiumMan_draco/CesiumMan.gltf", "CesiumMan/CesiumMan.glb", step);
}

void test_gltf_draco(void)
{
    RUN(compressed_primitives_are_decoded);
    RUN(counts_that_differ_are_refused);
    RUN(damaged_data_are_survived);
    RUN(writers_keep_what_they_do_not_change);
    if (test_models_folder() != NULL)
    {
        RUN(models_equal_their_twins_within_the_stated_precision);
    }
    else
    {
        test_skip("models_equal_their_twins_within_the_stated_precision", "there are no models");
    }
}

#else

void test_gltf_draco(void)
{
    test_skip("compressed_primitives_are_decoded", "this build has no libdraco");
}

#endif
