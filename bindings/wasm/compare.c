// SPDX-License-Identifier: MIT
// The verdict of `pelt compare` for JavaScript, by the code of that command.
#include "../../cli/compare/verdict.h"
#include "../../cli/terminal.h"
#include "character.h"
#include "json_text.h"
#include "web.h"

static json_t* number(double value)
{
    // JSON has no numbers that are not finite.
    json_t* out = json_real(value);
    return out != NULL ? out : json_null();
}

static json_t* describe_values(const comparison* in, const moment* at)
{
    json_t* out = json_object();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        json_object_set_new(out, in->contenders.items[i].name,
                            number(comparison_value(in, i, at->frame, at->row, at->what)));
    }
    return out;
}

// The index of the clip of a motion. Bends and twists of single joints are not clips of the scene.
static uint32_t clip_of(const comparison* in, const compare_motion* motion)
{
    for (uint32_t i = 0; i < in->scene->clip_count; ++i)
    {
        if (motion->clip == &in->scene->clips[i])
        {
            return i;
        }
    }
    return PELT_NONE;
}

static json_t* describe_moment(const comparison* in, const finding* found)
{
    const moment* at = &found->at;
    const compare_motion* motion = &in->motions.items[at->motion];
    uint32_t node = at->row > 0 ? in->info->regions[in->rows[at->row].region].node : PELT_NONE;
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:f, s:o, s:s, s:s, s:o}", "text", found->text,
                     "quantity", quantity_infos[at->what].name, "motion",
                     motion_kind_names[motion->kind], "name", web_text(motion->name), "clip",
                     web_index(clip_of(in, motion)), "time",
                     (double)motion_time(motion, at->frame - motion->first_frame), "node",
                     web_index(node), "worst", in->contenders.items[at->worst].name, "best",
                     in->contenders.items[at->best].name, "values", describe_values(in, at));
}

static json_t* describe_optional(const comparison* in, const finding* found)
{
    return found->text != NULL ? describe_moment(in, found) : json_null();
}

static json_t* describe_contenders(const comparison* in, const contender_cost* costs)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        json_t* item = json_pack("{s:s, s:s, s:I}", "name", in->contenders.items[i].name, "title",
                                 in->contenders.items[i].title, "vertexBytes",
                                 (json_int_t)costs[i].vertex_bytes);
        for (int what = 0; what < QUANTITY_COUNT; ++what)
        {
            double value = comparison_summary(in, i, PELT_NONE, 0, (quantity)what);
            // Shape error and volume are those of the body, all others those of the worst joint.
            for (uint32_t row = 1;
                 row < in->row_count && what != QUANTITY_SHAPE && what != QUANTITY_VOLUME; ++row)
            {
                double other = comparison_summary(in, i, PELT_NONE, row, (quantity)what);
                value = other > value ? other : value;
            }
            json_object_set_new(item, quantity_infos[what].name, number(value));
        }
        json_array_append_new(list, item);
    }
    return list;
}

static json_t* describe_verdict(const comparison* in, const verdict* why,
                                const contender_cost* costs)
{
    json_t* reasons = json_array();
    for (uint32_t i = 0; i < why->reason_count; ++i)
    {
        json_array_append_new(reasons, describe_moment(in, why->reasons[i]));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:f}", "choice",
                     in->contenders.items[why->choice].name, "headline", why->headline, "summary",
                     why->summary, "sampling", why->sampling, "cost", why->cost, "contenders",
                     describe_contenders(in, costs), "reasons", reasons, "caveat",
                     describe_optional(in, &why->caveat), "shared",
                     describe_optional(in, &why->shared), "frames",
                     (json_int_t)in->motions.frame_count, "size", in->info->size);
}

/// Measure methods on all clips, and say which one to use.
/// @param names  of methods, with commas between
/// @param frames  0: as many as `pelt compare` measures
/// @return JSON text, for web_release_text(); NULL: see web_message()
char* WEB_EXPORT(web_character_compare)(const web_character* character, const char* names,
                                        uint32_t frames)
{
    comparison_request request = {
        .input = character->source.path, .scene = &character->scene, .frame_limit = frames};
    if (contender_list_read(&request.contenders, names) != EXIT_DONE)
    {
        return NULL;
    }
    comparison data;
    contender_cost costs[CONTENDER_MAX];
    verdict why;
    char* out = NULL;
    if (comparison_run(&data, &request) == EXIT_DONE)
    {
        contender_costs_count(costs, &data);
        if (verdict_reach(&why, &data, costs, data.arena) == PELT_OK)
        {
            out = web_print(describe_verdict(&data, &why, costs));
        }
        else
        {
            pelt_error_memory(&web_error);
        }
    }
    comparison_destroy(&data);
    return out;
}

/// Add clips that bend and twist the joints with most skin: what `pelt compare` plays where a file
/// has no clips.
uint32_t WEB_EXPORT(web_character_add_test_clips)(web_character* inout)
{
    pelt_scene* scene = &inout->scene;
    pelt_body* body = NULL;
    PELT_TRY(pelt_body_create(&body, scene, &web_error));
    motion_list motions;
    const motion_request request = {.frame_limit = UINT32_MAX};
    pelt_scene bare = *scene;
    bare.clip_count = 0;
    pelt_result result =
        motion_list_create(&motions, &bare, pelt_body_get_info(body), &request, inout->arena);
    pelt_body_destroy(body);
    size_t count = (size_t)scene->clip_count + motions.count;
    pelt_clip* clips =
        result == PELT_OK ? pelt_arena_alloc(inout->arena, count + 1, sizeof *clips) : NULL;
    if (clips == NULL)
    {
        return pelt_error_memory(&web_error);
    }
    uint32_t clip_count = 0;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        clips[clip_count++] = scene->clips[i];
    }
    for (uint32_t i = 0; i < motions.count; ++i)
    {
        if (motions.items[i].clip != NULL)
        {
            clips[clip_count++] = *motions.items[i].clip;
        }
    }
    scene->clips = clips;
    scene->clip_count = clip_count;
    pelt_cursor_destroy(&inout->cursor);
    inout->cursor = (pelt_cursor){0};
    return pelt_cursor_create(&inout->cursor, scene) == PELT_OK ? PELT_OK
                                                                : pelt_error_memory(&web_error);
}
