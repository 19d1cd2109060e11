// SPDX-License-Identifier: MIT
// Pictures of materials: inside the file, next to it, and where another machine had them.
#define _XOPEN_SOURCE 700
#include "gltf_fixture.h"
#include "picture_samples.h"

#include "model_files.h"
#include "readers.h"
#include "subprocess.h"

#include <sys/stat.h>
#include <unistd.h>
#include <webp/encode.h>
#include <zlib.h>

// A picture whose PNG fits into the spare bytes of the fixture.
static bool make_paint(pelt_picture* out, pelti_blob* png)
{
    if (pelt_picture_create(out, 5, 3, NULL) != PELT_OK)
    {
        return false;
    }
    pelt_picture_clear(out, (pelt_color){10, 20, 30, 255});
    pelt_picture_fill(out, (pelt_rect){1, 1, 2, 2}, (pelt_color){200, 100, 50, 255});
    const char* path = subprocess_path("paint_source.png");
    bool is_saved = pelt_picture_save(path, out, NULL, NULL) == PELT_OK;
    png->data = is_saved ? picture_read_file(&png->size, path) : NULL;
    remove(path);
    return png->data != NULL && png->size <= sizeof((fixture_bin*)0)->spare;
}

// The fixture with its picture in a view of the binary chunk.
static void embed(fixture* f, const pelti_blob* png, const char* image)
{
    char first[128], second[192];
    memcpy(f->bin.spare, png->data, png->size);
    fixture_change(f, "{\"uri\":\"paint.png\"}", image);
    snprintf(second, sizeof second,
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu},"
             "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}]",
             sizeof(fixture_bin), offsetof(fixture_bin, spare), png->size);
    snprintf(first, sizeof first, "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}]",
             sizeof(fixture_bin));
    fixture_change(f, first, second);
}

static int check_texture(const pelt_scene* scene, const char* source, uint32_t material,
                         const pelt_picture* expected)
{
    pelt_picture picture;
    pelt_error error = {{0}};
    pelt_result result =
        pelt_texture_load(&picture, source, scene, material, PELT_SLOT_BASE_COLOR, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    ENSURE(result == PELT_OK && picture_is_same(&picture, expected));
    pelt_picture_destroy(&picture);
    return 0;
}

static int a_picture_in_the_binary_chunk_is_found(void)
{
    fixture f;
    pelt_picture paint;
    pelti_blob png;
    pelt_error error;
    ENSURE(make_paint(&paint, &png));
    fixture_start(&f);
    embed(&f, &png, "{\"name\":\"paint\",\"bufferView\":1,\"mimeType\":\"image/png\"}");
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->image_count == 1 && scene->images[0].size == png.size);
    ENSURE(strcmp(scene->materials[0].textures[0].image, "paint") == 0);
    ENSURE(check_texture(scene, NULL, 0, &paint) == 0);
    pelt_scene_destroy(scene);
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

static int a_picture_in_a_data_uri_is_found(void)
{
    // 1 x 1, the color (1, 2, 3); made by Python's zlib and struct.
    pelt_error error;
    pelt_picture expected;
    pelt_scene* scene = fixture_load_changed(
        "{\"uri\":\"paint.png\"}",
        "{\"uri\":\"data:image/png;base64,"
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgZGIGAAAOAAfXb+R4AAAAAElF"
        "TkSuQmCC\"}",
        &error);
    ENSURE(scene != NULL && scene->image_count == 1);
    ENSURE(pelt_picture_create(&expected, 1, 1, NULL) == PELT_OK);
    pelt_picture_clear(&expected, (pelt_color){1, 2, 3, 255});
    ENSURE(check_texture(scene, NULL, 0, &expected) == 0);
    pelt_picture_destroy(&expected);
    pelt_scene_destroy(scene);
    return 0;
}

// Images may share a name in glTF; materials must still find each their own.
static int equal_names_are_told_apart(void)
{
    fixture f;
    pelt_picture paint;
    pelti_blob png;
    pelt_error error;
    ENSURE(make_paint(&paint, &png));
    fixture_start(&f);
    embed(&f, &png,
          "{\"name\":\"p.png\",\"bufferView\":0},{\"name\":\"p.png\",\"bufferView\":1},"
          "{\"uri\":\"p.png\"}");
    fixture_change(&f, "\"textures\":[{\"source\":0}]",
                   "\"textures\":[{\"source\":1},{\"source\":0},{\"source\":2},{\"source\":1}]");
    fixture_change(&f, "\"materials\":[",
                   "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}},"
                   "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}},"
                   "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3}}},");
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->image_count == 2);
    ENSURE(strcmp(scene->materials[1].textures[0].image, "p.png") == 0);
    ENSURE(strcmp(scene->materials[2].textures[0].image, scene->materials[3].textures[0].image) ==
           0);
    ENSURE(strcmp(scene->materials[0].textures[0].image, scene->materials[3].textures[0].image) !=
           0);
    ENSURE(check_texture(scene, NULL, 2, &paint) == 0 &&
           check_texture(scene, NULL, 3, &paint) == 0);
    pelt_scene_destroy(scene);
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

// The character is still good for deforming.
static int a_picture_that_is_not_there_is_noted(void)
{
    static const char* const images[] = {"{}", "{\"bufferView\":0,\"uri\":\"data:,x\"}",
                                         "{\"bufferView\":1}", "{\"uri\":\"data:a;base64,=?\"}"};
    for (int i = 0; i < 4; ++i)
    {
        pelt_error error;
        pelt_scene* scene = fixture_load_changed("{\"uri\":\"paint.png\"}", images[i], &error);
        ENSURE(scene != NULL && scene->image_count == 0);
        ENSURE(fixture_has_repair(scene, "picture of image 0 is left out"));
        pelt_picture picture;
        ENSURE(pelt_texture_load(&picture, NULL, scene, 0, PELT_SLOT_BASE_COLOR, &error) ==
               PELT_ERROR_READ);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Files

static int check_beside(const char* texture, const pelt_picture* expected)
{
    const pelt_material material = {.name = "m", .textures[0].image = texture};
    const pelt_scene scene = {.material_count = 1, .materials = &material};
    return check_texture(&scene, subprocess_path("hero.fbx"), 0, expected);
}

static int files_are_found_near_the_source(void)
{
    static const char* const names[] = {"skin paint.png", "100%25.png", "maps/arm.png",
                                        "textures/leg.png", "hero.fbm/eye.png"};
    static const char* const folders[] = {"maps", "textures", "hero.fbm"};
    pelt_picture paint;
    pelti_blob png;
    ENSURE(make_paint(&paint, &png));
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(mkdir(subprocess_path(folders[i]), 0777) == 0);
    }
    for (int i = 0; i < 5; ++i)
    {
        ENSURE(pelt_save_bytes(subprocess_path(names[i]), png.data, png.size, NULL) == PELT_OK);
    }
    ENSURE(check_beside("skin%20paint.png", &paint) == 0);
    ENSURE(check_beside("skin paint.png", &paint) == 0);
    ENSURE(check_beside("100%25.png", &paint) == 0);
    ENSURE(check_beside("C:\\Users\\Somebody\\Desktop\\skin paint.png", &paint) == 0);
    ENSURE(check_beside("/elsewhere/skin paint.png", &paint) == 0);
    ENSURE(check_beside("..\\..\\skin paint.png", &paint) == 0);
    ENSURE(check_beside("maps\\arm.png", &paint) == 0 &&
           check_beside("./maps/arm.png", &paint) == 0);
    ENSURE(check_beside("MAPS.PSD\\SKIN PAINT.PNG", &paint) == 0);
    ENSURE(check_beside("maps/ARM.Png", &paint) == 0);
    ENSURE(check_beside("D:/paint/leg.png", &paint) == 0 && check_beside("eye.png", &paint) == 0);
    for (int i = 0; i < 5; ++i)
    {
        remove(subprocess_path(names[i]));
    }
    for (int i = 0; i < 3; ++i)
    {
        rmdir(subprocess_path(folders[i]));
    }
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

// The sentence says which of the two it is.
static int missing_files_are_told_from_those_elsewhere(void)
{
    static const char* const relative[] = {"hand.png", "maps/hand.png", "maps\\hand.png",
                                           "my%20hand.png"};
    static const char* const elsewhere[] = {"../hand.png", "C:\\art\\hand.png", "/art/hand.png",
                                            "%2e%2e/hand.png"};
    for (int i = 0; i < 8; ++i)
    {
        pelt_picture picture;
        pelt_error error = {{0}};
        const pelt_material material = {
            .name = "m", .textures[0].image = i < 4 ? relative[i] : elsewhere[i - 4]};
        const pelt_scene scene = {.material_count = 1, .materials = &material};
        ENSURE(pelt_texture_load(&picture, subprocess_path("a.gltf"), &scene, 0,
                                 PELT_SLOT_BASE_COLOR, &error) == PELT_ERROR_READ);
        ENSURE((strstr(error.message, "not below the folder") == NULL) == (i < 4));
        ENSURE(strstr(error.message, "there is no file") != NULL);
        ENSURE(strstr(error.message, "hand.png\" next to") != NULL);
        ENSURE(strstr(error.message, "/a.gltf") != NULL);
    }
    return 0;
}

// The file exists, but outside the folder of the source, which a model may not read.
static int files_elsewhere_are_not_read(void)
{
    pelt_picture paint, picture;
    pelti_blob png;
    pelt_error error;
    ENSURE(make_paint(&paint, &png));
    ENSURE(mkdir(subprocess_path("inner"), 0777) == 0);
    ENSURE(pelt_save_bytes(subprocess_path("secret.png"), png.data, png.size, NULL) == PELT_OK);
    ENSURE(symlink("../secret.png", subprocess_path("inner/link.png")) == 0);
    const char* textures[] = {"link.png",
                              "LINK.png",
                              "../secret.png",
                              "..\\secret.png",
                              "%2e%2e/secret.png",
                              "x/../../secret.png",
                              subprocess_path("secret.png"),
                              "..",
                              "/",
                              "",
                              "%2e%2e%2fsecret.png"};
    for (size_t i = 0; i < sizeof textures / sizeof textures[0]; ++i)
    {
        const pelt_material material = {.name = "m", .textures[0].image = textures[i]};
        const pelt_scene scene = {.material_count = 1, .materials = &material};
        ENSURE(pelt_texture_load(&picture, subprocess_path("inner/a.gltf"), &scene, 0,
                                 PELT_SLOT_BASE_COLOR, &error) == PELT_ERROR_READ);
        ENSURE(strstr(error.message, "inner/a.gltf") != NULL && picture.pixels == NULL);
    }
    remove(subprocess_path("secret.png"));
    remove(subprocess_path("inner/link.png"));
    rmdir(subprocess_path("inner"));
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Written and read back

static int check_saved(const pelt_scene* scene, pelt_format format, const pelt_picture* expected)
{
    const char* path = subprocess_path("saved.glb");
    pelt_scene* back = NULL;
    ENSURE(pelt_save_scene(path, format, scene, NULL) == PELT_OK);
    ENSURE(pelt_load(&back, path, NULL, NULL) == PELT_OK);
    remove(path);
    ENSURE(back->image_count == 1 && back->material_count == scene->material_count);
    ENSURE(back->images[0].size == scene->images[0].size);
    ENSURE(memcmp(back->images[0].bytes, scene->images[0].bytes, back->images[0].size) == 0);
    for (uint32_t i = 0; i < back->material_count; ++i)
    {
        ENSURE(strcmp(back->materials[i].textures[0].image, scene->images[0].name) == 0);
        ENSURE(check_texture(back, NULL, i, expected) == 0);
    }
    pelt_scene_destroy(back);
    return 0;
}

static int images_go_into_written_files_once(void)
{
    pelt_picture paint;
    pelti_blob png;
    uint8_t* webp = NULL;
    ENSURE(make_paint(&paint, &png));
    size_t webp_size = WebPEncodeLosslessRGBA((const uint8_t*)paint.pixels, (int)paint.width,
                                              (int)paint.height, (int)paint.width * 4, &webp);
    ENSURE(webp_size > 0);
    const pelt_image image = {"paint.png", png.data, png.size};
    const pelt_material materials[] = {{.name = "a", .textures[0].image = "paint.png"},
                                       {.name = "b", .textures[0].image = "paint.png"}};
    pelt_scene scene = {.name = "s",
                        .material_count = 2,
                        .materials = materials,
                        .image_count = 1,
                        .images = &image};
    ENSURE(check_saved(&scene, PELT_FORMAT_GLB, &paint) == 0);
    ENSURE(check_saved(&scene, PELT_FORMAT_GLTF, &paint) == 0);
    // WebP needs an extension of glTF.
    const pelt_image other = {"paint.png", webp, webp_size};
    scene.images = &other;
    ENSURE(check_saved(&scene, PELT_FORMAT_GLB, &paint) == 0);
    WebPFree(webp);
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory, and real characters

static int check_model(const char* path, int* found)
{
    pelt_scene* scene = NULL;
    if (pelt_load(&scene, path, NULL, NULL) != PELT_OK)
    {
        return 0; // not the business of this test: Draco, for one
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        pelt_picture picture;
        pelt_error error = {{0}};
        if (scene->materials[i].textures[0].image == NULL)
        {
            continue;
        }
        pelt_result result =
            pelt_texture_load(&picture, path, scene, i, PELT_SLOT_BASE_COLOR, &error);
        if (result != PELT_OK)
        {
            printf("  %s: %s\n", path, error.message);
        }
        ENSURE(result == PELT_OK && picture.width >= 16 && picture.height >= 16);
        pelt_picture_destroy(&picture);
        ++*found;
    }
    pelt_scene_destroy(scene);
    return 0;
}

// How the picture lies in the file, and its size.
static const struct
{
    const char* name;
    uint32_t width, height;
} embedded[] = {
    {"box_embedded_texture_fragmented.fbx", 1024, 1024}, // a file in base64, in pieces
    {"TexturedPlane_ImageUvPacked_248.blend", 512, 512}, // a file, packed
    {"chrome_sphere.mdl", 64, 64},                       // bare pixels
};

// By any importer: files of Blender are not among those that pelt_load() reads.
static pelt_result load_any(pelt_scene** out, const char* path)
{
    pelt_result result = pelt_load(out, path, NULL, NULL);
    pelt_source source;
    if (result == PELT_ERROR_DATA && pelt_source_read(&source, path, NULL) == PELT_OK)
    {
        result = pelti_assimp_read(out, &source, NULL, NULL);
        pelt_source_release(&source);
    }
    return result;
}

static int check_embedded(const char* path, uint32_t width, uint32_t height)
{
    pelt_scene* scene = NULL;
    pelt_picture picture;
    uint32_t material = 0;
    ENSURE(load_any(&scene, path) == PELT_OK);
    while (material < scene->material_count && scene->materials[material].textures[0].image == NULL)
    {
        ++material;
    }
    ENSURE(scene->image_count > 0 && material < scene->material_count);
    ENSURE(pelt_texture_load(&picture, NULL, scene, material, PELT_SLOT_BASE_COLOR, NULL) ==
           PELT_OK);
    ENSURE(picture.width == width && picture.height == height);
    pelt_picture_destroy(&picture);
    pelt_scene_destroy(scene);
    return 0;
}

static int pictures_inside_other_formats_are_found(void)
{
    char path[4096];
    int found = 0;
    FILE* list = popen("dpkg -L assimp-testmodels 2> /dev/null", "r");
    ENSURE(list != NULL);
    while (fgets(path, sizeof path, list) != NULL)
    {
        path[strcspn(path, "\n")] = '\0';
        const char* slash = strrchr(path, '/');
        for (int i = 0; i < 3 && slash != NULL; ++i)
        {
            if (strcmp(slash + 1, embedded[i].name) == 0)
            {
                ENSURE(check_embedded(path, embedded[i].width, embedded[i].height) == 0);
                found++;
            }
        }
    }
    pclose(list);
    ENSURE(found == 3);
    return 0;
}

static int every_texture_of_real_characters_loads(void)
{
    int found = 0;
    glob_t files;
    ENSURE(model_files_find(&files, MODEL_FILES_READ));
    for (size_t i = 0; i < files.gl_pathc; ++i)
    {
        ENSURE(check_model(files.gl_pathv[i], &found) == 0);
    }
    globfree(&files);
    ENSURE(found >= 5);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// All of a scene

static uint8_t* put_chunk(uint8_t* out, const char* type, const uint8_t* data, uint32_t size)
{
    const uint32_t sum = (uint32_t)crc32(crc32(0, (const uint8_t*)type, 4), data, size);
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (uint8_t)(size >> (24 - 8 * i));
        out[8 + size + (uint32_t)i] = (uint8_t)(sum >> (24 - 8 * i));
    }
    memcpy(out + 4, type, 4);
    memcpy(out + 8, data, size);
    return out + 12 + size;
}

// 4096 x 4096 pixels of one bit each, all of one pattern: a few kB.
static picture_sample make_large_png(uint8_t pattern)
{
    enum
    {
        ROW = 1 + 4096 / 8,
    };
    static uint8_t rows[4096 * ROW];
    for (uint32_t y = 0; y < 4096; ++y)
    {
        rows[y * ROW] = 0; // no filter
        memset(rows + y * ROW + 1, pattern, ROW - 1);
    }
    static uint8_t packed[65536];
    uLongf packed_size = sizeof packed;
    const uint8_t header[13] = {0, 0, 16, 0, 0, 0, 16, 0, 1, 0, 0, 0, 0};
    uint8_t* bytes = malloc(sizeof packed + 100);
    if (bytes == NULL || compress2(packed, &packed_size, rows, sizeof rows, 9) != Z_OK)
    {
        return (picture_sample){0};
    }
    memcpy(bytes, "\x89PNG\r\n\x1a\n", 8);
    uint8_t* end = put_chunk(bytes + 8, "IHDR", header, sizeof header);
    end = put_chunk(end, "IDAT", packed, (uint32_t)packed_size);
    end = put_chunk(end, "IEND", header, 0);
    return (picture_sample){"large", bytes, (size_t)(end - bytes)};
}

static int a_picture_is_decoded_once(void)
{
    pelt_picture paint;
    pelti_blob png;
    pelt_textures textures;
    ENSURE(make_paint(&paint, &png));
    uint8_t* copy = malloc(png.size);
    memcpy(copy, png.data, png.size);
    ENSURE(pelt_save_bytes(subprocess_path("file.png"), png.data, png.size, NULL) == PELT_OK);
    const pelt_image images[] = {
        {"a", png.data, png.size}, {"b", copy, png.size}, {"broken", png.data, 20}};
    const pelt_material materials[] = {{.name = "0", .textures[0].image = "a"},
                                       {.name = "1", .textures[0].image = "b"},
                                       {.name = "2"},
                                       {.name = "3", .textures[0].image = "file.png"},
                                       {.name = "4", .textures[0].image = "broken"},
                                       {.name = "5", .textures[0].image = "a", .alpha_mode = 1},
                                       {.name = "6", .textures[0].image = "file.png"},
                                       {.name = "7", .textures[0].image = "broken"}};
    const pelt_scene scene = {
        .image_count = 3, .images = images, .material_count = 8, .materials = materials};
    ENSURE(pelt_textures_load(&textures, subprocess_path("x.gltf"), &scene, NULL) == PELT_OK);
    ENSURE(textures.count == 8 && textures.decoded_count == 2);
    pelt_picture p[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        p[i] = textures.pictures[PELT_SLOT_COUNT * i + PELT_SLOT_BASE_COLOR];
    }
    ENSURE(picture_is_same(&p[0], &paint) && picture_is_same(&p[3], &paint));
    ENSURE(p[1].pixels == p[0].pixels && p[5].pixels == p[0].pixels && p[6].pixels == p[3].pixels);
    ENSURE(p[2].pixels == NULL && p[4].pixels == NULL && p[7].pixels == NULL);
    ENSURE(textures.left_out_count == 2);
    ENSURE(strstr(textures.note, "4 is shown without its base color texture: broken") ==
           textures.note);
    ENSURE(strstr(textures.note, "(and 1 more)") != NULL);
    pelt_textures_destroy(&textures);
    remove(subprocess_path("file.png"));
    free(copy);
    free(png.data);
    pelt_picture_destroy(&paint);
    return 0;
}

// 2^25 pixels are two of 4096 x 4096; 8 for each of their bytes are no third.
static int pictures_of_a_scene_have_a_budget(void)
{
    const picture_sample samples[] = {make_large_png(0), make_large_png(0x55),
                                      make_large_png(0xff)};
    pelt_image images[3];
    pelt_material materials[4] = {{0}};
    static const char* const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(samples[i].bytes != NULL && samples[i].size < 16384);
        images[i] = (pelt_image){names[i], samples[i].bytes, samples[i].size};
        materials[i] = (pelt_material){.name = names[i], .textures[0].image = names[i]};
    }
    // With alpha and without are two textures on a GPU.
    materials[3] =
        (pelt_material){.name = "d", .textures[0].image = "a", .alpha_mode = PELT_ALPHA_BLEND};
    const pelt_scene scene = {
        .image_count = 3, .images = images, .material_count = 4, .materials = materials};
    pelt_textures textures;
    ENSURE(pelt_textures_load(&textures, NULL, &scene, NULL) == PELT_OK);
    const pelt_picture* p = textures.pictures;
    ENSURE(p[0].width == 4096 && p[PELT_SLOT_COUNT].height == 4096);
    ENSURE(p[2 * PELT_SLOT_COUNT].pixels == NULL && p[3 * PELT_SLOT_COUNT].pixels == NULL);
    ENSURE(textures.left_out_count == 2);
    ENSURE(strstr(textures.note, "c is shown without its base color texture: c: with a picture of "
                                 "4096 x 4096 pixels") == textures.note);
    pelt_textures_destroy(&textures);
    for (int i = 0; i < 3; ++i)
    {
        free(samples[i].bytes);
    }
    return 0;
}

void test_texture(void)
{
    RUN(a_picture_in_the_binary_chunk_is_found);
    RUN(a_picture_in_a_data_uri_is_found);
    RUN(equal_names_are_told_apart);
    RUN(a_picture_that_is_not_there_is_noted);
    RUN(files_are_found_near_the_source);
    RUN(missing_files_are_told_from_those_elsewhere);
    RUN(files_elsewhere_are_not_read);
    RUN(images_go_into_written_files_once);
    RUN(a_picture_is_decoded_once);
    RUN(pictures_of_a_scene_have_a_budget);
    if (system("dpkg -L assimp-testmodels > /dev/null 2>&1") == 0)
    {
        RUN(pictures_inside_other_formats_are_found);
    }
    else
    {
        test_skip("pictures_inside_other_formats_are_found", "no assimp-testmodels");
    }
    RUN_ON_MODELS(every_texture_of_real_characters_loads);
    subprocess_remove_folder();
}
