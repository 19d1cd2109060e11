// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700

#include "config_file.h"

#include "json_file.h"
#include "window_size.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// $XDG_CONFIG_HOME/pelt, or ~/.config/pelt. @return false: there is no such place
static bool find_folder(char* out, size_t size)
{
    const char* place = getenv("XDG_CONFIG_HOME");
    const char* home = getenv("HOME");
    int length = -1;
    if (place != NULL && place[0] == '/')
    {
        length = snprintf(out, size, "%s/pelt", place);
    }
    else if (home != NULL)
    {
        length = snprintf(out, size, "%s/.config/pelt", home);
    }
    return length > 0 && (size_t)length < size;
}

static void read_recent(view_app* inout, const json_t* list)
{
    size_t count = json_array_size(list);
    for (size_t i = count < RECENT_MAX ? count : RECENT_MAX; i > 0; --i)
    {
        const char* path = json_string_value(json_array_get(list, i - 1));
        if (path != NULL && strlen(path) < PATH_BYTES)
        {
            app_add_recent(inout, path);
        }
    }
}

static void read_size(int size[2], const json_t* window)
{
    json_int_t width = json_integer_value(json_array_get(window, 0));
    json_int_t height = json_integer_value(json_array_get(window, 1));
    if (width > 0 && width <= 16384 && height > 0 && height <= 16384)
    {
        size[0] = width > WINDOW_MIN_WIDTH ? (int)width : WINDOW_MIN_WIDTH;
        size[1] = height > WINDOW_MIN_HEIGHT ? (int)height : WINDOW_MIN_HEIGHT;
    }
}

void config_file_read(view_app* inout, int size[2])
{
    char path[PATH_BYTES];
    if (!find_folder(path, sizeof path - 16))
    {
        return;
    }
    strcat(path, "/view.json");
    json_t* object = json_load_file(path, 0, NULL);
    if (json_is_object(object))
    {
        settings_read(&inout->settings, json_object_get(object, "settings"));
        read_recent(inout, json_object_get(object, "recent"));
        read_size(size, json_object_get(object, "window"));
    }
    json_decref(object);
}

static void make_folders(char* path)
{
    for (char* at = path + 1; *at != '\0'; ++at)
    {
        if (*at == '/')
        {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    mkdir(path, 0777);
}

void config_file_write(const view_app* in, const int size[2])
{
    char path[PATH_BYTES];
    if (!find_folder(path, sizeof path - 16))
    {
        return;
    }
    make_folders(path);
    strcat(path, "/view.json");
    json_t* settings = json_object();
    settings_write(settings, &in->settings, true);
    json_t* recent = json_array();
    for (uint32_t i = 0; i < in->recent_count; ++i)
    {
        json_array_append_new(recent, json_string(in->recent[i]));
    }
    json_t* object = json_object();
    json_object_set_new(object, "settings", settings);
    json_object_set_new(object, "recent", recent);
    json_object_set_new(object, "window", json_pack("[i, i]", size[0], size[1]));
    // Nobody can do anything about a folder that cannot be written, and nothing is lost.
    (void)json_file_save(path, object, NULL);
}
