// SPDX-License-Identifier: MIT
// Textures of a few texels in every format, and the files of small bakes.
#include "seeds.h"

#include "baked_fixture.h"
#include "baked_pack.h"
#include "rigs.h"
#include "texture/texture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_texture(pelt_texture_format format, uint32_t texel)
{
    // As fuzz_texture.c takes the second byte apart.
    uint8_t second = (uint8_t)(texel + 3 * 11);
    uint32_t words[8 * 8 * 4];
    for (uint32_t i = 0; i < 8 * 8 * 4; ++i)
    {
        words[i] = i % 16 < 8 ? i : 0x9E3779B9u * i;
    }
    pelti_texture texture = {.texel = (pelt_texel)(PELT_TEXEL_RGBA32UI + second % 3),
                             .width = 1 + (second >> 2) % 8,
                             .height = 1 + (second >> 5),
                             .words = words};
    pelti_blob file;
    seed_require(pelti_texture_write(&file, &texture, format, NULL) == PELT_OK, "no texture");
    uint8_t* seed = malloc(file.size + 2);
    seed_require(seed != NULL, "out of memory");
    seed[0] = (uint8_t)format;
    seed[1] = second;
    memcpy(seed + 2, file.data, file.size);
    char name[32];
    snprintf(name, sizeof name, "%s_%u", pelt_texture_format_name(format), texel);
    seed_write("texture", name, seed, file.size + 2);
    free(seed);
    pelti_blob_release(&file);
}

static void read_part(pelti_blob* out, const char* name)
{
    char path[1024];
    strcpy(path, seed_path("baked", name));
    pelt_error error = {""};
    seed_require(pelti_blob_read(out, path, &error) == PELT_OK, error.message);
    remove(path);
}

static void write_baked(const pelt_baked* baked, pelt_texture_format format,
                        const pelt_scene* scene)
{
    char path[1024], name[32];
    pelt_error error = {""};
    pelti_blob parts[BAKED_PART_COUNT] = {{0}};
    const pelt_save_baked_options options = {.format = format, .scene = scene};
    strcpy(path, seed_path("baked", "seed.json"));
    seed_require(pelt_save_baked(path, baked, &options, &error) == PELT_OK, error.message);
    snprintf(name, sizeof name, "seed.%s", pelt_texture_format_name(format));
    read_part(&parts[0], "seed.json");
    read_part(&parts[1], name);
    if (scene != NULL)
    {
        read_part(&parts[2], "seed.glb");
    }
    size_t size = BAKED_PACK_HEADER;
    uint8_t* pack = malloc(size + parts[0].size + parts[1].size + parts[2].size);
    seed_require(pack != NULL, "out of memory");
    pelti_store_u32(pelti_store_u32(pack, (uint32_t)parts[0].size), (uint32_t)parts[1].size);
    for (int i = 0; i < BAKED_PART_COUNT; ++i)
    {
        memcpy(pack + size, parts[i].size > 0 ? parts[i].data : pack, parts[i].size);
        size += parts[i].size;
        pelti_blob_release(&parts[i]);
    }
    snprintf(name, sizeof name, "%s_%s_%s", pelt_bake_layout_name(baked->layout),
             pelt_encoding_name(baked->encoding), pelt_texture_format_name(format));
    seed_write("baked", name, pack, size);
    free(pack);
}

void seeds_baked(void)
{
    pelt_scene* scene = NULL;
    seed_require(pelt_rig_build(&scene, "rig:box", NULL) == PELT_OK, "no box");
    for (uint32_t i = 0; i < PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        pelt_texture_format format = (pelt_texture_format)i;
        for (uint32_t texel = 0; texel < 3; ++texel)
        {
            write_texture(format, texel);
        }
        pelt_baked* baked = baked_fixture(PELT_TEXEL_RGBA32UI, 3, NULL);
        seed_require(baked != NULL, "out of memory");
        write_baked(baked, format, NULL);
        pelt_baked_destroy(baked);
    }
    for (uint32_t i = PELT_ENCODING_LOCAL; i <= PELT_ENCODING_VERTEX; ++i)
    {
        const pelt_bake_options options = {
            .encoding = (pelt_encoding)i, .timing = PELT_BAKE_RATE, .rate = 2.0f};
        pelt_baked* baked = NULL;
        bool is_vertex = i == PELT_ENCODING_VERTEX;
        if (is_vertex)
        {
            baked = baked_fixture_vertices(PELT_TEXEL_RGBA16UI, scene);
        }
        seed_require(is_vertex ? baked != NULL
                               : pelt_bake(&baked, scene, &options, NULL) == PELT_OK,
                     "no bake");
        write_baked(baked, PELT_TEXTURE_RAW, scene);
        pelt_baked_destroy(baked);
    }
    static const pelt_encoding encodings[] = {PELT_ENCODING_DQ, PELT_ENCODING_MATRIX,
                                              PELT_ENCODING_VERTEX};
    for (uint32_t i = 0; i < 6; ++i)
    {
        const uint32_t first = 0;
        const pelt_bake_options options = {.encoding = encodings[i % 3],
                                           .layout = PELT_BAKE_LAYOUT_THESIS,
                                           .is_padded = i >= 3,
                                           .timing = PELT_BAKE_RATE,
                                           .rate = 2.0f,
                                           .clip_count = 1,
                                           .clips = &first};
        pelt_baked* baked = NULL;
        seed_require(pelt_bake(&baked, scene, &options, NULL) == PELT_OK, "no bake");
        write_baked(baked, i < 3 ? PELT_TEXTURE_RAW : PELT_TEXTURE_PNG, i % 3 == 2 ? scene : NULL);
        pelt_baked_destroy(baked);
    }
    pelt_scene_destroy(scene);
}
