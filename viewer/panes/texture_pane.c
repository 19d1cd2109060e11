// SPDX-License-Identifier: MIT
#include "texture_pane.h"

#include <stdio.h>

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
static uint32_t mark_keys(gui_rect out[MARK_MAX], const pelt_baked* baked, const view_app* in)
{
    const char* name = in->clip_names[in->playback.clip];
    uint32_t clip = pelt_baked_find_clip(baked, name);
    if (clip == PELT_NONE || baked->clips[clip].run_count == 0)
    {
        return 0;
    }
    const pelt_baked_run* run = find_run(&baked->clips[clip], in->playback.time);
    float place = fmaxf((in->playback.time - run->start) * run->rate, 0.0f);
    uint32_t key = (uint32_t)fminf(place, (float)(run->key_count - 1));
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

static void show_statistics(const pelt_baked* baked, const viewport* view)
{
    const char* texels[] = {"", "RGBA32UI", "RGBA16UI", "RGBA8UI"};
    char what[64];
    bool is_vertex = baked->encoding == PELT_ENCODING_VERTEX;
    snprintf(what, sizeof what, "%u %s", is_vertex ? baked->vertex_count : baked->joint_count,
             is_vertex ? "vertices" : "joints");
    gui_text("%s, %u x %u %s, %.1f kB, %s, %u keys of %u clips, %.3g mm from viewport 1",
             pelt_encoding_name(baked->encoding), baked->width, baked->height, texels[baked->texel],
             1e-3 * (double)pelt_baked_bytes(baked), what, count_keys(baked), baked->clip_count,
             1e3 * (double)view->farthest);
}

static void move(view_app* inout, const gui_drag* drag)
{
    bool is_moved = drag->wheel != 0.0f || drag->pan_x != 0.0f || drag->pan_y != 0.0f;
    inout->is_texel_free = inout->is_texel_free || is_moved;
    float factor = powf(1.25f, drag->wheel);
    // What is under the mouse stays there.
    inout->texel_x = drag->x - factor * (drag->x - inout->texel_x) + drag->pan_x;
    inout->texel_y = drag->y - factor * (drag->y - inout->texel_y) + drag->pan_y;
    inout->texel_zoom = fminf(fmaxf(inout->texel_zoom * factor, 0.05f), 64.0f);
}

// Bring what is being read to the middle, as far as the texture goes.
static void follow(view_app* inout, const gui_texels* texels, gui_rect field)
{
    if (inout->is_texel_free || texels->mark_count == 0)
    {
        return;
    }
    float zoom = inout->texel_zoom;
    float y = 0.5f * field.height - zoom * (texels->marks[0].y + 0.5f);
    inout->texel_y = fminf(fmaxf(y, fminf(field.height - zoom * texels->height, 0.0f)), 0.0f);
}

static const viewport* find_view(const view_app* in)
{
    for (uint32_t i = 0; in->model != NULL && i < settings_view_count(&in->settings); ++i)
    {
        if (in->model->views[i].is_from_bake)
        {
            return &in->model->views[i];
        }
    }
    return NULL;
}

void texture_pane_show(view_app* inout, gui_rect rect)
{
    gui_panel_begin("texture", rect, GUI_PANEL_BAR);
    const viewport* view = find_view(inout);
    if (view == NULL || inout->playback.clip == PELT_NONE)
    {
        gui_muted("Choose bone texture or vertex texture in the corner of a viewport.");
        gui_panel_end();
        return;
    }
    const pelt_baked* baked = view->bake.baked;
    bool is_following = !inout->is_texel_free;
    gui_check("follow##follow", &is_following, "Keep the green play-head in view.");
    inout->is_texel_free = !is_following;
    gui_same_line(0.0f);
    show_statistics(baked, view);
    gui_rect marks[MARK_MAX];
    gui_texels texels = {.zoom = inout->texel_zoom,
                         .x = inout->texel_x,
                         .y = inout->texel_y,
                         .width = (float)baked->width,
                         .height = (float)baked->height,
                         .marks = marks,
                         .mark_count = mark_keys(marks, baked, inout)};
    follow(inout, &texels, (gui_rect){0.0f, 0.0f, rect.width, rect.height - 32.0f * inout->scale});
    texels.y = inout->texel_y;
    if (texel_picture_update(&inout->texels, baked))
    {
        texels.texture = inout->texels.texture;
        gui_drag drag = gui_texels_show("texels", &texels);
        move(inout, &drag);
    }
    gui_panel_end();
}
