// SPDX-License-Identifier: MIT
#include "panes.h"

#include "quantity.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Texels as a picture

// Four bytes of each texel, which has 4, 2 or 1 words.
static void fill(uint8_t* out, const pelt_baked* baked)
{
    uint32_t words = pelt_texel_words(baked->texel);
    size_t count = (size_t)baked->width * baked->height;
    for (size_t i = 0; i < count; ++i)
    {
        const uint32_t* texel = baked->words + i * words;
        for (uint32_t k = 0; k < 4; ++k)
        {
            uint32_t byte = (k + 1) * words - 1; // the highest of component k
            out[4 * i + k] = (uint8_t)(texel[byte / 4] >> (8 * (byte % 4)));
        }
        out[4 * i + 3] = 255; // alpha would hide the others
    }
}

// Make it show a bake, unless it does already. @return false: no memory
static bool update_picture(texel_picture* inout, const texel_source* source)
{
    const pelt_baked* baked = source->baked;
    if (inout->texture != 0 && inout->shown == baked && inout->revision == source->revision)
    {
        return true;
    }
    uint8_t* pixels = calloc((size_t)baked->width * baked->height, 4);
    if (pixels == NULL)
    {
        return false;
    }
    fill(pixels, baked);
    if (inout->texture == 0)
    {
        glGenTextures(1, &inout->texture);
    }
    glBindTexture(GL_TEXTURE_2D, inout->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)baked->width, (GLsizei)baked->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(pixels);
    inout->shown = baked;
    inout->revision = source->revision;
    return true;
}

void texture_pane_destroy(texel_picture* in)
{
    glDeleteTextures(1, &in->texture);
    *in = (texel_picture){0};
}

// ---------------------------------------------------------------------------------------------
// Pane

enum
{
    MARK_MAX = 3, // rows of texels: the rest of one, whole ones, the beginning of one
};

// ---------------------------------------------------------------------------------------------
// Play-head

static const pelt_baked_run* find_run(const pelt_baked_clip* clip, float time)
{
    const pelt_baked_run* run = &clip->runs[0];
    for (uint32_t i = 1; i < clip->run_count && clip->runs[i].start <= time; ++i)
    {
        run = &clip->runs[i];
    }
    return run;
}

// Texels `first` to `last` of the texture, row by row.
static uint32_t mark_texels(gui_rect out[MARK_MAX], uint32_t first, uint32_t last, uint32_t width)
{
    uint32_t top = first / width, bottom = last / width;
    float left = (float)(first % width), right = (float)(last % width) + 1.0f;
    if (top == bottom)
    {
        out[0] = (gui_rect){left, (float)top, right - left, 1.0f};
        return 1;
    }
    out[0] = (gui_rect){left, (float)top, (float)width - left, 1.0f};
    out[1] = (gui_rect){0.0f, (float)bottom, right, 1.0f};
    if (bottom == top + 1)
    {
        return 2;
    }
    out[2] = (gui_rect){0.0f, (float)top + 1.0f, (float)width, (float)(bottom - top - 1)};
    return 3;
}

// The two keys that the moment lies between.
static uint32_t mark_keys(gui_rect out[MARK_MAX], const texel_source* source)
{
    const pelt_baked* baked = source->baked;
    uint32_t clip = source->moment.clip;
    if (clip == PELT_NONE || baked->clips[clip].run_count == 0)
    {
        return 0;
    }
    float time = source->moment.time;
    const pelt_baked_run* run = find_run(&baked->clips[clip], time);
    float at_key = fmaxf((time - run->start) * run->rate, 0.0f);
    uint32_t key = (uint32_t)fminf(at_key, (float)(run->key_count - 1));
    uint32_t next = key + 1 < run->key_count ? key + 1 : key;
    uint32_t words = pelt_texel_words(baked->texel);
    uint32_t first = (run->first_word + key * run->key_words) / words;
    uint32_t last = (run->first_word + (next + 1) * run->key_words - 1) / words;
    return run->key_words > 0 ? mark_texels(out, first, last, baked->width) : 0;
}

// ---------------------------------------------------------------------------------------------

static uint32_t count_keys(const pelt_baked* baked)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        count += baked->clips[i].key_count;
    }
    return count;
}

// Part of the character's height, as for budgets of bakes.
static double relative(double meters, const pelt_baked* baked)
{
    return 1e3 * meters / fmax((double)baked->height_meters, 1e-6);
}

static void show_error(const view_app* in, const bake_slot* slot)
{
    const pelt_bake_error* error = &slot->error;
    if (in->job.kind == JOB_MEASURE)
    {
        gui_muted("error: being measured");
    }
    else if (!slot->is_measured || isnan(error->max))
    {
        gui_muted("error: not measured");
    }
    else
    {
        char most[QUANTITY_BYTES], part[QUANTITY_BYTES], rms[QUANTITY_BYTES], keys[QUANTITY_BYTES];
        gui_text("error%s: max %s, %s mm per meter of height",
                 slot->request.is_spherical ? " off the arc" : "",
                 quantity_length(most, error->max),
                 quantity_number(part, relative(error->max, slot->baked)));
        gui_text("rms %s, at keys %s", quantity_length(rms, error->rms),
                 quantity_length(keys, error->max_at_keys));
    }
}

static void show_statistics(const view_app* in, const texel_source* source)
{
    const char* texels[] = {"", "RGBA32UI", "RGBA16UI", "RGBA8UI"};
    const pelt_baked* baked = source->baked;
    bool is_vertex = baked->encoding == PELT_ENCODING_VERTEX;
    char bytes[QUANTITY_BYTES];
    gui_text("%s, %u x %u %s, %s", pelt_encoding_name(baked->encoding), baked->width, baked->height,
             texels[baked->texel], quantity_size(bytes, pelt_baked_bytes(baked)));
    gui_text("%u %s, %u keys of %u %s", is_vertex ? baked->vertex_count : baked->joint_count,
             is_vertex ? "vertices" : "joints", count_keys(baked), baked->clip_count,
             baked->clip_count == 1 ? "clip" : "clips");
    if (source->slot != NULL)
    {
        show_error(in, source->slot);
    }
    else
    {
        gui_muted("the play-head is that of the first member");
    }
}

// ---------------------------------------------------------------------------------------------
// Moving

// Zoom about the point (x, y) of the field.
static void move_about(view_app* inout, const gui_drag* drag, float x, float y)
{
    bool is_moved = drag->wheel != 0.0f || drag->pan_x != 0.0f || drag->pan_y != 0.0f;
    float before = inout->texel_zoom;
    inout->texel_zoom = fminf(fmaxf(before * powf(1.25f, drag->wheel), 0.05f), 64.0f);
    float factor = inout->texel_zoom / before;
    inout->texel_x = x - factor * (x - inout->texel_x) + drag->pan_x;
    inout->texel_y = y - factor * (y - inout->texel_y) + drag->pan_y;
    inout->is_texel_free = inout->is_texel_free || is_moved;
}

void texture_pane_move(view_app* inout, const gui_drag* drag)
{
    move_about(inout, drag, 0.5f * inout->texel_field[0], 0.5f * inout->texel_field[1]);
}

void texture_pane_reset(view_app* inout)
{
    inout->texel_zoom = 4.0f;
    inout->texel_x = inout->texel_y = 0.0f;
    inout->is_texel_free = false;
}

// Scroll the marked texels to the middle, within the texture.
static void follow(view_app* inout, const gui_texels* texels)
{
    if (inout->is_texel_free || texels->mark_count == 0)
    {
        return;
    }
    float zoom = inout->texel_zoom, height = inout->texel_field[1];
    float y = 0.5f * height - zoom * (texels->marks[0].y + 0.5f);
    inout->texel_y = fminf(fmaxf(y, fminf(height - zoom * texels->height, 0.0f)), 0.0f);
}

static float key_time(const pelt_baked_run* run, float key)
{
    return run->rate > 0.0f ? run->start + key / run->rate : run->start;
}

// The nearest key after a time, or before it; around the ends, the first or the last.
static float next_key_time(const pelt_baked_clip* clip, float time, int way)
{
    const float close = 1e-3f; // of the distance between keys: the time may be that of a key
    float sign = (float)way, found = sign * INFINITY;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        const pelt_baked_run* run = &clip->runs[i];
        float last = (float)run->key_count - 1.0f;
        float at_key = fminf(fmaxf((time - run->start) * run->rate, -1.0f), last + 1.0f);
        float key = way > 0 ? floorf(at_key + close) + 1.0f : ceilf(at_key - close) - 1.0f;
        float at = key_time(run, key);
        bool is_there = key >= 0.0f && key <= last && sign * (at - time) > 0.0f;
        found = is_there && sign * at < sign * found ? at : found;
    }
    if (isfinite(found))
    {
        return found;
    }
    const pelt_baked_run* end = &clip->runs[way > 0 ? 0 : clip->run_count - 1];
    return key_time(end, way > 0 ? 0.0f : (float)end->key_count - 1.0f);
}

void texture_pane_step(view_app* inout, int way)
{
    uint32_t view = texture_pane_view(inout);
    if (view == PELT_NONE)
    {
        return;
    }
    const pelt_baked* baked = inout->model->views[view].bake.baked;
    uint32_t clip = pelt_baked_find_clip(baked, inout->clip_names[inout->playback.clip]);
    if (clip != PELT_NONE && baked->clips[clip].run_count > 0)
    {
        inout->settings.is_playing = false;
        inout->playback.time = next_key_time(&baked->clips[clip], inout->playback.time, way);
    }
}

// ---------------------------------------------------------------------------------------------

uint32_t texture_pane_view(const view_app* in)
{
    bool is_comparing = in->model != NULL && in->settings.mode == MODE_COMPARE;
    uint32_t count = is_comparing ? settings_view_count(&in->settings) : 0;
    uint32_t chosen = (uint32_t)in->settings.texture_view;
    if (in->playback.clip == PELT_NONE)
    {
        return PELT_NONE;
    }
    if (chosen < count && in->model->views[chosen].is_from_bake)
    {
        return chosen;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (in->model->views[i].is_from_bake)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static bool find_in_crowd(texel_source* out, const view_app* in)
{
    const view_crowd* crowd = &in->crowd;
    out->index = in->settings.texture_view > 0 && crowd->bakes[1] != NULL ? 1 : 0;
    out->baked = crowd->bakes[out->index];
    out->moment.clip = PELT_NONE;
    if (out->baked != NULL && crowd->stage != NULL)
    {
        // All bakes have the same clips.
        out->moment = crowd->stage->playbacks[0].base;
    }
    return out->baked != NULL;
}

static bool find_in_benchmark(texel_source* out, const view_app* in)
{
    const benchmark* bench = &in->benchmark;
    bool is_on_show = bench->state != BENCHMARK_RUNNING && bench->cast.part_count > 0;
    out->baked = is_on_show ? bench->cast.baked : NULL;
    if (out->baked != NULL)
    {
        double duration = (double)fmaxf(bench->character.duration, 1e-3f);
        double offset = (double)bench->instances.offsets[0] * duration;
        out->moment.time = (float)fmod(bench->shown.time + offset, duration);
        out->revision = bench->revision;
    }
    return out->baked != NULL;
}

bool texture_pane_find(texel_source* out, const view_app* in)
{
    *out = (texel_source){0};
    if (in->settings.mode == MODE_CROWD)
    {
        return find_in_crowd(out, in);
    }
    if (in->settings.mode == MODE_BENCHMARK)
    {
        return find_in_benchmark(out, in);
    }
    out->index = texture_pane_view(in);
    if (out->index == PELT_NONE)
    {
        return false;
    }
    out->slot = &in->model->views[out->index].bake;
    out->baked = out->slot->baked;
    out->moment.clip = pelt_baked_find_clip(out->baked, in->clip_names[in->playback.clip]);
    out->moment.time = in->playback.time;
    return true;
}

// Among the viewports that play a texture.
static void choose_view(view_app* inout, uint32_t shown)
{
    char labels[VIEW_MAX][48];
    const char* names[VIEW_MAX];
    uint32_t views[VIEW_MAX];
    int count = 0, choice = 0;
    for (uint32_t i = 0; i < settings_view_count(&inout->settings); ++i)
    {
        if (inout->model->views[i].is_from_bake)
        {
            snprintf(labels[count], sizeof labels[count], "viewport %u: %s", i + 1,
                     settings_skinnings[inout->settings.skinnings[i]]);
            names[count] = labels[count];
            choice = i == shown ? count : choice;
            views[count++] = i;
        }
    }
    if (gui_combo("##texture_view", &choice, names, count,
                  "The viewport whose texture is shown, among those that play one."))
    {
        inout->settings.texture_view = (int)views[choice];
    }
}

// Near and far, where a crowd has both.
static void choose_level(view_app* inout, const texel_source* source)
{
    static const char* const names[] = {"near texture", "far texture"};
    bool has_both = inout->settings.mode == MODE_CROWD && inout->crowd.bakes[1] != NULL;
    int choice = (int)source->index;
    if (gui_combo("##texture_view", &choice, names, has_both ? 2 : 1,
                  "The texture that is shown: that of members near the camera, or far away."))
    {
        inout->settings.texture_view = choice;
    }
}

static void show_texels(view_app* inout, const texel_source* source)
{
    const pelt_baked* baked = source->baked;
    gui_rect marks[MARK_MAX];
    gui_texels texels = {.zoom = inout->texel_zoom,
                         .width = (float)baked->width,
                         .height = (float)baked->height,
                         .marks = marks,
                         .mark_count = mark_keys(marks, source)};
    follow(inout, &texels);
    texels.x = inout->texel_x;
    texels.y = inout->texel_y;
    if (update_picture(&inout->texels, source))
    {
        texels.texture = inout->texels.texture;
        gui_drag drag = gui_texels_show("texels", &texels);
        move_about(inout, &drag, drag.x, drag.y);
    }
}

static const char* how_to_get_one(const view_app* in)
{
    switch ((view_mode)in->settings.mode)
    {
    case MODE_CROWD:
        return "The texture is being baked.";
    case MODE_BENCHMARK:
        return "Choose a technique with a texture for the crowd on show.";
    case MODE_COMPARE:
    case MODE_COUNT:
        break;
    }
    return "Choose bone texture or vertex texture in the corner of a viewport.";
}

void texture_pane_show(view_app* inout, gui_rect rect)
{
    texel_source source;
    bool is_there = texture_pane_find(&source, inout);
    gui_rect left = rect, right = rect;
    left.width = fminf(328.0f * inout->scale, 0.5f * rect.width);
    right.x += left.width;
    right.width -= left.width;
    inout->texel_field[0] = right.width;
    inout->texel_field[1] = rect.height;
    gui_panel_begin("texture", is_there ? left : rect, GUI_PANEL_BAR);
    if (!is_there)
    {
        gui_muted("%s", how_to_get_one(inout));
        gui_panel_end();
        return;
    }
    bool is_following = !inout->is_texel_free;
    gui_row_width(-84.0f * inout->scale);
    if (source.slot != NULL)
    {
        choose_view(inout, source.index);
    }
    else
    {
        choose_level(inout, &source);
    }
    gui_same_line(0.0f);
    gui_check("follow##follow", &is_following, "Keep the green play-head in view.");
    inout->is_texel_free = !is_following;
    show_statistics(inout, &source);
    gui_panel_end();
    gui_panel_begin("texture_field", right, GUI_PANEL_BAR);
    show_texels(inout, &source);
    gui_panel_end();
}
