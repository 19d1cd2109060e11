// SPDX-License-Identifier: MIT
// The Doctor pane: findings about the character; a click goes to their place, and Fix writes a
// repaired copy and shows it.
#include "panes.h"

#include "desktop.h"
#include "edit/edit_tools.h"
#include "glyphs.h"

#include <stdio.h>
#include <string.h>

static const pelt_color severity_colors[PELT_SEVERITY_COUNT] = {
    {86, 130, 196, 255}, {226, 140, 60, 255}, {190, 40, 30, 255}};

static uint32_t find_instance(const pelt_scene* scene, uint32_t mesh)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (scene->instances[i].mesh == mesh)
        {
            return i;
        }
    }
    return PELT_NONE;
}

// Its clip and moment, its joint, and its vertex close up, as far as it has them.
static void go_to(view_app* inout, const pelt_finding* finding)
{
    const pelt_scene* scene = inout->model->character->scene;
    inout->settings.is_playing = false;
    if (finding->clip != PELT_NONE)
    {
        inout->playback = playback_of(finding->clip);
        inout->playback.time = finding->time;
    }
    if (finding->node != PELT_NONE)
    {
        edit_tools_pick(inout, finding->node);
    }
    uint32_t instance =
        finding->mesh != PELT_NONE ? find_instance(scene, finding->mesh) : PELT_NONE;
    if (instance != PELT_NONE && finding->vertex != PELT_NONE)
    {
        inout->wanted = (profile_place){.instance = instance, .vertex = finding->vertex};
        inout->wanted_view = 0;
        inout->is_looking_at_worst = true;
    }
    else if (finding->node != PELT_NONE)
    {
        app_run_command(inout, COMMAND_FRAME);
    }
}

// Next to the file, or in the working folder for a built-in character.
static void fix(view_app* inout)
{
    char wanted[PATH_BYTES], path[PATH_BYTES];
    const char* source = inout->model->character->path;
    const char* name = character_file_name(source);
    const char* dot = strrchr(name, '.');
    int folder = (int)(name - source);
    int stem = (int)(dot != NULL ? (size_t)(dot - name) : strcspn(name, ":?"));
    pelt_error error = {0};
    snprintf(wanted, sizeof wanted, "%.*s%.*s-fixed.glb", folder, source, stem, name);
    if (!file_free_path(path, wanted, ".glb"))
    {
        app_fail(inout, "there is no free name for the repaired file next to this one");
    }
    else if (model_save_fixed(path, inout->model, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
    else
    {
        app_open(inout, path);
    }
}

static void show_finding(view_app* inout, uint32_t index)
{
    const pelt_finding* finding = &inout->model->diagnosis.findings[index];
    const pelt_finding_info* info = pelt_finding_describe(finding->kind);
    char label[GLYPHS_TEXT_BYTES + 64], tip[640], shown[GLYPHS_TEXT_BYTES];
    glyphs_swatch(severity_colors[finding->severity], gui_line_height(), inout->scale);
    glyphs_cut(shown, finding->message, gui_width_left());
    snprintf(label, sizeof label, "%s##finding_%u", shown, index);
    snprintf(tip, sizeof tip, "%s (%s, %s). %.300s", finding->message, info->id,
             pelt_severity_name(finding->severity), info->advice);
    if (gui_list_row(label, false, false))
    {
        go_to(inout, finding);
    }
    gui_finish(label, tip);
}

void doctor_pane_show(view_app* inout)
{
    const view_model* model = inout->model;
    const pelt_diagnosis* found = &model->diagnosis;
    if (model->findings == NULL)
    {
        gui_muted("being examined");
        return;
    }
    if (found->finding_count == 0)
    {
        gui_text("healthy: nothing was found");
        return;
    }
    gui_text("%u errors, %u warnings, %u notes", found->counts[PELT_SEVERITY_ERROR],
             found->counts[PELT_SEVERITY_WARNING], found->counts[PELT_SEVERITY_NOTE]);
    bool is_fixable = false;
    gui_list_begin("findings", 104.0f);
    for (uint32_t i = 0; i < found->finding_count; ++i)
    {
        is_fixable = is_fixable || pelt_finding_describe(found->findings[i].kind)->is_fixable;
        show_finding(inout, i);
    }
    gui_list_end(NULL);
    if (is_fixable &&
        gui_toggle("Fix##doctor_fix", true, "Write a repaired copy next to the file, and show it."))
    {
        fix(inout);
    }
}
