// SPDX-License-Identifier: MIT
// Which files are opened, in which order.
#define _POSIX_C_SOURCE 200809L

#include "app.h"
#include "model/proportions.h"
#include "panes/quantity.h"

#include <stdlib.h>
#include <string.h>

const char* app_model_name(const view_app* in)
{
    return in->model != NULL ? character_file_name(in->model->character->path) : "";
}

void app_add_recent(view_app* inout, const char* path)
{
    uint32_t slot = 0;
    while (slot < inout->recent_count && strcmp(inout->recent[slot], path) != 0)
    {
        ++slot;
    }
    char* kept = slot < inout->recent_count ? inout->recent[slot] : strdup(path);
    if (kept == NULL)
    {
        return;
    }
    if (slot == inout->recent_count && inout->recent_count == RECENT_MAX)
    {
        free(inout->recent[--slot]);
    }
    else if (slot == inout->recent_count)
    {
        ++inout->recent_count;
    }
    memmove(inout->recent + 1, inout->recent, slot * sizeof *inout->recent);
    inout->recent[0] = kept;
}

// ---------------------------------------------------------------------------------------------
// Opening

static bool start(view_app* inout, const char* path, character_purpose purpose)
{
    const view_character* shown = inout->model != NULL ? inout->model->character : NULL;
    // A file that is open already is loaded again in the same way.
    bool is_again = shown != NULL && strcmp(shown->path, path) == 0;
    character_request request = {.path = path,
                                 .purpose = is_again ? CHARACTER_OPEN : purpose,
                                 .host = shown != NULL ? shown->scene : NULL,
                                 .sigma = inout->settings.sigma,
                                 .epsilon = inout->settings.epsilon};
    bool is_started = job_load(&inout->job, &request);
    if (!is_started)
    {
        app_fail(inout, "out of memory");
    }
    return is_started;
}

bool app_open_waiting(view_app* inout)
{
    char path[sizeof inout->waiting];
    memcpy(path, inout->waiting, sizeof path);
    inout->waiting[0] = '\0';
    return path[0] != '\0' && start(inout, path, inout->waiting_purpose);
}

static void open_first(view_app* inout, const char* path, character_purpose purpose)
{
    if (strlen(path) >= sizeof inout->waiting)
    {
        app_fail(inout, "this path is longer than 1023 bytes; move the file");
        return;
    }
    snprintf(inout->waiting, sizeof inout->waiting, "%s", path);
    inout->waiting_purpose = purpose;
    if (inout->job.kind == JOB_NONE)
    {
        app_open_waiting(inout);
        return;
    }
    // Threads check for cancellation at intervals: the window does not wait for them.
    atomic_store(&inout->job.is_canceled, true);
}

void app_forget_offered(view_app* inout)
{
    file_queue* queue = &inout->offered;
    for (uint32_t i = queue->next; i < queue->count; ++i)
    {
        free(queue->paths[i]);
    }
    free(queue->paths);
    *queue = (file_queue){0};
}

void app_open_files(view_app* inout, const char* const* paths, uint32_t count, bool is_dropped)
{
    file_queue* queue = &inout->offered;
    app_forget_offered(inout);
    inout->error[0] = '\0'; // of the file before
    inout->is_clip_wanted = true;
    queue->paths = count > 1 ? calloc(count, sizeof *queue->paths) : NULL;
    for (uint32_t i = 1; queue->paths != NULL && i < count; ++i)
    {
        char* path = strdup(paths[i]);
        queue->paths[queue->count] = path;
        queue->count += path != NULL ? 1 : 0;
    }
    if (count > 0)
    {
        open_first(inout, paths[0], is_dropped ? CHARACTER_DROP : CHARACTER_OPEN);
    }
}

void app_open(view_app* inout, const char* path)
{
    app_open_files(inout, &path, 1, false);
}

bool app_open_offered(view_app* inout)
{
    file_queue* queue = &inout->offered;
    if (queue->next == queue->count)
    {
        return false;
    }
    char* path = queue->paths[queue->next++];
    bool is_started = start(inout, path, CHARACTER_OFFER);
    free(path);
    return is_started;
}

// ---------------------------------------------------------------------------------------------
// What became of it

void app_forget_bakes(view_app* inout)
{
    model_forget_bakes(inout->model);
    crowd_mode_forget(&inout->crowd);
    benchmark_forget(&inout->benchmark);
    inout->texels.shown = NULL;
}

static void forget_clips(view_app* inout)
{
    app_forget_bakes(inout);
    app_name_clips(inout);
}

void app_keep_rotations(view_app* inout)
{
    inout->other_clips.is_rotation_wanted = true;
}

void app_update_clips(view_app* inout)
{
    other_clips* clips = &inout->other_clips;
    if (inout->model == NULL || inout->job.kind != JOB_NONE || !clips->is_rotation_wanted)
    {
        return;
    }
    if (character_keep_rotations(inout->model->character, clips->first, clips->count) != PELT_OK)
    {
        app_fail(inout, "out of memory");
    }
    *clips = (other_clips){0};
    forget_clips(inout);
}

static void warn_of_proportions(view_app* inout, const view_character* from,
                                const pelt_rest_difference* ratio, uint32_t first, uint32_t count)
{
    inout->other_clips = (other_clips){.first = first, .count = count};
    char shortest[QUANTITY_BYTES], longest[QUANTITY_BYTES];
    quantity_number(shortest, (double)ratio->shortest);
    quantity_number(longest, (double)ratio->longest);
    bool is_one = strcmp(shortest, longest) == 0;
    snprintf(inout->other_clips.warning, sizeof inout->other_clips.warning,
             "Bones of %.60s are %s%s%s times as long as here.", character_file_name(from->path),
             shortest, is_one ? "" : " to ", is_one ? "" : longest);
}

static void add_clips(view_app* inout, const view_character* from)
{
    const pelt_scene* scene = inout->model->character->scene;
    uint32_t old = scene->clip_count;
    pelt_add_clips_report report = {0};
    pelt_rest_difference ratio;
    if (pelt_scene_compare_rest(&ratio, scene, from->scene) != PELT_OK ||
        character_add_clips(inout->model->character, &report, from, inout->is_relative_to_rest) !=
            PELT_OK)
    {
        app_fail(inout, "out of memory");
        return;
    }
    if (report.clip_count > 0 && !inout->is_relative_to_rest && proportions_differ(&ratio))
    {
        warn_of_proportions(inout, from, &ratio, old, report.clip_count);
    }
    forget_clips(inout);
    if (report.clip_count > 0 && inout->is_clip_wanted && inout->clip_names != NULL)
    {
        inout->playback = playback_of(old);
        inout->is_clip_wanted = false;
    }
    char dropped[64] = "";
    if (report.dropped_count > 0)
    {
        snprintf(dropped, sizeof dropped, ", %u tracks without a joint here", report.dropped_count);
    }
    snprintf(inout->note, sizeof inout->note, "%u clip%s of %.60s added%s", report.clip_count,
             report.clip_count == 1 ? "" : "s", character_file_name(from->path), dropped);
}

// ---------------------------------------------------------------------------------------------
// Saving

static bool is_unsaved(const view_app* in)
{
    const view_model* model = in->model;
    bool is_painted = model != NULL && (joint_mix_has_any(&model->mix) || model->weights.is_edited);
    return is_painted && !in->is_scripted &&
           (in->saved_revisions[0] != model->mix.revision ||
            in->saved_revisions[1] != model->data_revision);
}

bool app_save(view_app* inout, const char* path)
{
    pelt_error error = {0};
    if (inout->model == NULL || model_save(path, inout->model, &error) != PELT_OK)
    {
        app_fail(inout, inout->model != NULL ? error.message : "there is no character yet");
        return false;
    }
    snprintf(inout->note, sizeof inout->note, "wrote %.120s", path);
    inout->saved_revisions[0] = inout->model->mix.revision;
    inout->saved_revisions[1] = inout->model->data_revision;
    if (inout->question != QUESTION_NONE)
    {
        app_answer(inout, true);
    }
    return true;
}

void app_quit(view_app* inout)
{
    // Asked twice, it goes.
    inout->is_done = !is_unsaved(inout) || inout->question == QUESTION_QUIT;
    inout->question = inout->is_done ? inout->question : QUESTION_QUIT;
}

void app_answer(view_app* inout, bool is_discarded)
{
    inout->is_answered = true;
    inout->is_discarded = is_discarded;
}

void app_update_answer(view_app* inout)
{
    if (!inout->is_answered)
    {
        return;
    }
    bool is_discarded = inout->is_discarded;
    inout->is_answered = false;
    unsaved_question question = inout->question;
    view_character* held = inout->held;
    inout->question = QUESTION_NONE;
    inout->held = NULL;
    if (question == QUESTION_QUIT)
    {
        inout->is_done = is_discarded;
    }
    if (held != NULL && is_discarded)
    {
        inout->note[0] = '\0';
        app_show(inout, held);
    }
    else
    {
        character_destroy(held);
    }
}

void app_take_file(view_app* inout, view_character* loaded, character_purpose purpose)
{
    if (!loaded->has_clips_only && purpose != CHARACTER_OFFER && is_unsaved(inout))
    {
        character_destroy(inout->held);
        inout->held = loaded;
        inout->question = QUESTION_SHOW;
        return;
    }
    if (!loaded->has_clips_only && purpose != CHARACTER_OFFER)
    {
        inout->note[0] = '\0';
        app_show(inout, loaded);
        return;
    }
    if (loaded->has_clips_only)
    {
        add_clips(inout, loaded);
    }
    else
    {
        // Below the one that is shown.
        app_add_recent(inout, loaded->path);
        app_add_recent(inout, inout->model->character->path);
    }
    character_destroy(loaded);
}
