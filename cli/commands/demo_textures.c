// SPDX-License-Identifier: MIT
// Animation textures as pictures.
#include "demo_textures.h"

#include "commands.h"
#include "pelt/bake.h"
#include "picture.h"
#include "source.h"
#include "terminal.h"

enum
{
    PANEL_WIDTH = 480,
    PANEL_HEIGHT = 256,
    PANEL_COUNT = 2,
};

static const pelt_bake_options encodings[PANEL_COUNT] = {
    {.encoding = PELT_ENCODING_QT, .bits = 96},
    {.encoding = PELT_ENCODING_MATRIX, .bits = 16},
};

static uint8_t highest_byte(const pelt_baked* baked, uint32_t texel, uint32_t channel)
{
    uint32_t texel_words = pelt_texel_words(baked->texel), channel_bits = 8 * texel_words;
    uint32_t bit = (channel + 1) * channel_bits - 8;
    uint32_t word = baked->words[(size_t)texel * texel_words + bit / 32];
    return (uint8_t)(word >> bit % 32);
}

// In the middle, as large as it fits in whole pixels.
static void draw_texels(pelt_picture* out, const pelt_baked* baked)
{
    uint32_t wide = out->width / baked->width, high = out->height / baked->height;
    uint32_t size = wide < high ? wide : high;
    size = size > 0 ? size : 1;
    int32_t left = ((int32_t)out->width - (int32_t)(baked->width * size)) / 2;
    int32_t top = ((int32_t)out->height - (int32_t)(baked->height * size)) / 2;
    for (uint32_t i = 0; i < baked->width * baked->height; ++i)
    {
        pelt_rect square = {left + (int32_t)(i % baked->width * size),
                            top + (int32_t)(i / baked->width * size), size, size};
        pelt_color color = {highest_byte(baked, i, 0), highest_byte(baked, i, 1),
                            highest_byte(baked, i, 2), 255};
        pelt_picture_fill(out, square, color);
    }
}

static pelt_result draw_panel(pelt_picture* out, char label[64], const pelt_scene* scene,
                              const pelt_bake_options* encoding, pelt_error* error)
{
    const uint32_t walk = pelt_scene_find_clip(scene, "walk");
    pelt_bake_options options = *encoding;
    options.clip_count = 1;
    options.clips = &walk;
    pelt_baked* baked;
    PELT_TRY(pelt_bake(&baked, scene, &options, error));
    pelt_result result = pelt_picture_create(out, PANEL_WIDTH, PANEL_HEIGHT, error);
    if (result == PELT_OK)
    {
        pelt_picture_clear(out, (pelt_color){243, 244, 246, 255});
        draw_texels(out, baked);
        snprintf(label, 64, "%s %u: %u x %u texels, %.1f kB", pelt_encoding_name(options.encoding),
                 options.bits, baked->width, baked->height, 1e-3 * (double)pelt_baked_bytes(baked));
    }
    pelt_baked_destroy(baked);
    return result;
}

static pelt_result draw(const char* path, const pelt_scene* scene, pelt_error* error)
{
    pelt_picture pictures[PANEL_COUNT] = {0}, whole = {0};
    pelt_panel panels[PANEL_COUNT];
    char labels[PANEL_COUNT][64];
    pelt_result result = PELT_OK;
    for (int i = 0; result == PELT_OK && i < PANEL_COUNT; ++i)
    {
        result = draw_panel(&pictures[i], labels[i], scene, &encodings[i], error);
        panels[i] = (pelt_panel){&pictures[i], labels[i]};
    }
    if (result == PELT_OK)
    {
        result = pelt_panels_compose(&whole, panels, PANEL_COUNT, NULL, error);
    }
    if (result == PELT_OK)
    {
        result = pelt_picture_save(path, &whole, "pelt " PELT_VERSION_STRING, error);
    }
    pelt_picture_destroy(&whole);
    for (int i = 0; i < PANEL_COUNT; ++i)
    {
        pelt_picture_destroy(&pictures[i]);
    }
    return result;
}

int demo_textures_draw(const char* folder)
{
    char path[4096];
    pelt_scene* scene;
    TRY(source_load_mesh(&scene, "rig:human?vertices=2000"));
    pelt_error error = {0};
    snprintf(path, sizeof path, "%s/textures.png", folder);
    int code = message_error(draw(path, scene, &error), &error);
    pelt_scene_destroy(scene);
    if (code == EXIT_DONE)
    {
        message_note("textures.png: a walk as animation textures of two encodings, by texels");
    }
    return code;
}
