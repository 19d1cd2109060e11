// SPDX-License-Identifier: MIT
// The file browser: places on the left, a folder on the right; opens one character or several files
// at once, or names the file that is saved. And the question before unsaved paint is lost.
#include "panes.h"

#include "desktop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const characters[] = {"glb", "gltf",    "vrm", "fbx", "obj",
                                         "dae", "md5mesh", "x",   NULL};
static const char* const clips[] = {"glb", "gltf", "vrm", "fbx", "bvh", "md5anim", NULL};
static const char* const written[] = {"glb", NULL};
static const char* const type_names[] = {"characters and clips", "clips", "all files"};
static const char* const both[] = {"glb", "gltf",    "vrm",     "fbx", "bvh", "obj",
                                   "dae", "md5mesh", "md5anim", "x",   NULL};

static const char* const* types_of(const file_browser* in)
{
    return in->is_saving ? written : in->type == 0 ? both : in->type == 1 ? clips : NULL;
}

static void go_to(view_app* inout, const char* folder)
{
    pelt_error error = {0};
    if (file_list_read(&inout->browser.list, folder, types_of(&inout->browser), &error) != PELT_OK)
    {
        app_fail(inout, error.message);
        return;
    }
    snprintf(inout->browser.path, sizeof inout->browser.path, "%s", inout->browser.list.folder);
}

// The folder of the character, or the current one.
static void find_start(char out[PATH_BYTES], const view_app* in)
{
    const char* path = in->model != NULL ? in->model->character->path : "";
    const char* slash = strrchr(path, '/');
    int length = slash != NULL && strncmp(path, "rig:", 4) != 0 ? (int)(slash - path) : 0;
    snprintf(out, PATH_BYTES, "%.*s", length, path);
}

void file_browser_open(view_app* inout, bool is_saving)
{
    char start[PATH_BYTES];
    file_browser* browser = &inout->browser;
    browser->is_open = true;
    browser->is_saving = is_saving;
    find_start(start, inout);
    go_to(inout, browser->list.folder[0] != '\0' ? browser->list.folder : start);
    if (is_saving && browser->name[0] == '\0')
    {
        snprintf(browser->name, sizeof browser->name, "painted.glb");
    }
}

// ---------------------------------------------------------------------------------------------
// Places

static void show_place(view_app* inout, const char* label, const char* folder)
{
    char text[PATH_BYTES + 64];
    snprintf(text, sizeof text, "%s##place_%s", label, label);
    if (gui_list_row(text, false, false))
    {
        go_to(inout, folder);
    }
    gui_finish(text, NULL);
}

static void show_places(view_app* inout)
{
    static const char* const folders[] = {"Desktop", "Documents", "Downloads"};
    const char* home = getenv("HOME");
    char path[PATH_BYTES];
    show_place(inout, "working folder", ".");
    if (home != NULL)
    {
        show_place(inout, "home", home);
    }
    for (size_t i = 0; home != NULL && i < sizeof folders / sizeof *folders; ++i)
    {
        file_list unused = {0};
        snprintf(path, sizeof path, "%s/%s", home, folders[i]);
        if (file_list_read(&unused, path, characters, NULL) == PELT_OK)
        {
            show_place(inout, folders[i], path);
        }
        file_list_destroy(&unused);
    }
    show_place(inout, "/", "/");
    gui_muted("Folders of recent files");
    for (uint32_t i = 0; i < inout->recent_count; ++i)
    {
        const char* slash = strrchr(inout->recent[i], '/');
        bool is_new = slash != NULL;
        size_t length = slash != NULL ? (size_t)(slash - inout->recent[i]) : 0;
        for (uint32_t k = 0; k < i && is_new; ++k)
        {
            is_new = strncmp(inout->recent[k], inout->recent[i], length + 1) != 0 ||
                     strchr(inout->recent[k] + length + 1, '/') != NULL;
        }
        if (is_new && length < sizeof path)
        {
            snprintf(path, sizeof path, "%.*s", (int)length, inout->recent[i]);
            show_place(inout, character_file_name(path), path);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Files

static void close_browser(view_app* inout)
{
    inout->browser.is_open = false;
    file_list_destroy(&inout->browser.list);
}

static void save_chosen(view_app* inout)
{
    char path[FILE_LIST_PATH_BYTES];
    file_browser* browser = &inout->browser;
    if (browser->name[0] == '\0' || !file_list_path(path, &browser->list, browser->name))
    {
        app_fail(inout, "the file has no name; type one that ends in .glb");
        return;
    }
    if (app_save(inout, path))
    {
        close_browser(inout);
    }
}

// All that are chosen; the first is the character, others add their clips.
static void open_chosen(view_app* inout)
{
    const file_list* list = &inout->browser.list;
    char* paths = calloc((size_t)list->count + 1, FILE_LIST_PATH_BYTES);
    const char** names = calloc((size_t)list->count + 1, sizeof *names);
    uint32_t count = 0;
    for (uint32_t i = 0; paths != NULL && names != NULL && i < list->count; ++i)
    {
        char* path = paths + (size_t)count * FILE_LIST_PATH_BYTES;
        if (list->entries[i].is_chosen && file_list_path(path, list, list->entries[i].name))
        {
            names[count++] = path;
        }
    }
    if (count > 0)
    {
        app_open_files(inout, names, count, inout->browser.type == 1);
        close_browser(inout);
    }
    free(names);
    free(paths);
}

static void choose(view_app* inout, uint32_t entry)
{
    file_browser* browser = &inout->browser;
    file_list* list = &browser->list;
    bool is_more = gui_is_control_down() && !browser->is_saving;
    for (uint32_t i = 0; i < list->count && !is_more; ++i)
    {
        list->entries[i].is_chosen = false;
    }
    list->entries[entry].is_chosen = !list->entries[entry].is_chosen;
    if (browser->is_saving)
    {
        snprintf(browser->name, sizeof browser->name, "%.250s", list->entries[entry].name);
    }
}

// @return whether the list is another now
static bool show_entry(view_app* inout, uint32_t index)
{
    file_list* list = &inout->browser.list;
    const file_entry* entry = &list->entries[index];
    char label[640], path[FILE_LIST_PATH_BYTES], name[300];
    snprintf(name, sizeof name, "%.250s", entry->name);
    snprintf(label, sizeof label, "%s%s##entry/%s", name, entry->is_folder ? "/" : "", name);
    bool is_used = gui_list_row(label, entry->is_chosen, false);
    gui_finish(label, NULL);
    bool is_double = gui_was_double_clicked();
    if (entry->is_folder && is_used && file_list_path(path, list, entry->name))
    {
        go_to(inout, path);
        return true;
    }
    if (is_double && !entry->is_folder)
    {
        list->entries[index].is_chosen = true;
        (inout->browser.is_saving ? save_chosen : open_chosen)(inout);
        return true;
    }
    if (is_used)
    {
        choose(inout, index);
    }
    return false;
}

static void show_folder(view_app* inout)
{
    file_list* list = &inout->browser.list;
    char path[FILE_LIST_PATH_BYTES];
    if (gui_list_row("..##entry/..", false, false) && file_list_path(path, list, ".."))
    {
        go_to(inout, path);
        return;
    }
    gui_finish("entry/..", NULL);
    for (uint32_t i = 0; i < list->count; ++i)
    {
        if (show_entry(inout, i))
        {
            return;
        }
    }
    if (list->count == 0)
    {
        gui_muted("no files of these types");
    }
}

static void show_buttons(view_app* inout)
{
    file_browser* browser = &inout->browser;
    bool is_saving = browser->is_saving;
    if (is_saving)
    {
        gui_row_width(320.0f * inout->scale);
        if (gui_field("##browser_name", browser->name, sizeof browser->name, "painted.glb",
                      "The name of the file."))
        {
            save_chosen(inout);
        }
    }
    else
    {
        gui_row_width(200.0f * inout->scale);
        if (gui_combo("##browser_type", &browser->type, type_names, 3,
                      "Which files are listed; clips are added to the character that is shown."))
        {
            go_to(inout, browser->list.folder);
        }
    }
    gui_same_line(0.0f);
    if (gui_toggle(is_saving ? "Save##browser_done" : "Open##browser_done", true,
                   is_saving ? "Write the character as .glb."
                             : "Open the chosen files: Ctrl+click chooses several, of which the "
                               "first is the character and the others have clips."))
    {
        (is_saving ? save_chosen : open_chosen)(inout);
    }
    gui_same_line(0.0f);
    if (gui_button("Cancel##browser_cancel", "Close the browser (Escape)."))
    {
        close_browser(inout);
    }
}

void file_browser_show(view_app* inout, gui_rect window)
{
    file_browser* browser = &inout->browser;
    if (!browser->is_open)
    {
        return;
    }
    const float scale = inout->scale, places = 168.0f * scale;
    gui_rect rect = {0.0f, 0.0f, fminf(760.0f * scale, window.width - 32.0f * scale),
                     fminf(480.0f * scale, window.height - 64.0f * scale)};
    rect.x = window.x + floorf(0.5f * (window.width - rect.width));
    rect.y = window.y + floorf(0.5f * (window.height - rect.height));
    gui_panel_begin("file_browser", rect, GUI_PANEL_PAGE);
    gui_text("%s", browser->is_saving ? "Save the character as" : "Open a character, or clips");
    gui_row_width(-1.0f);
    if (gui_field("##browser_path", browser->path, sizeof browser->path, "folder",
                  "The folder that is shown; type another, then Enter."))
    {
        char path[PATH_BYTES];
        if (typed_path_read(path, sizeof path, browser->path))
        {
            go_to(inout, path);
        }
    }
    float height = (gui_height_left() - gui_control_height() - 10.0f * scale) / scale;
    gui_list_begin_sized("browser_places", places, height);
    show_places(inout);
    gui_list_end(NULL);
    gui_same_line(0.0f);
    gui_list_begin_sized("browser_files", gui_width_left(), height);
    show_folder(inout);
    gui_list_end(NULL);
    show_buttons(inout);
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Unsaved changes

void unsaved_show(view_app* inout, gui_rect window)
{
    const float scale = inout->scale;
    if (inout->question == QUESTION_NONE || inout->browser.is_open)
    {
        return;
    }
    gui_rect rect = {window.x + floorf(0.5f * window.width - 200.0f * scale),
                     window.y + floorf(0.35f * window.height), 400.0f * scale, 0.0f};
    gui_panel_begin("unsaved", rect, GUI_PANEL_PAGE);
    gui_text("What was painted is not saved.");
    gui_muted("%s", inout->question == QUESTION_QUIT ? "The program is about to end."
                                                     : "Another character is about to be shown.");
    if (gui_toggle("Save as ...##unsaved_save", true, "Choose a file, then go on."))
    {
        file_browser_open(inout, true);
    }
    gui_same_line(0.0f);
    if (gui_button("Discard##unsaved_discard", "Go on without saving."))
    {
        app_answer(inout, true);
    }
    gui_same_line(0.0f);
    if (gui_button("Cancel##unsaved_cancel", "Stay with this character."))
    {
        app_answer(inout, false);
    }
    gui_panel_end();
}
