// SPDX-License-Identifier: MIT
// Finds the file of a texture, near the source of its scene.
#define _XOPEN_SOURCE 700

#include "readers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Candidates for the path of an image, tried one after the other.
typedef struct search
{
    const char* source;
    size_t folder_length; // of the source, with its last '/'
    char* path;           // room for the longest candidate
    size_t room;
    bool is_case_ignored; // of the last name: those of Windows are often spelled another way
    pelt_error refusal;   // why an existing file may not be read; empty: none was found
    bool is_out_of_memory;
} search;

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

static const char* last_name(const char* path)
{
    const char* name = path;
    for (; *path != '\0'; ++path)
    {
        name = is_slash(*path) ? path + 1 : name;
    }
    return name;
}

// Spell the last name of s->path like a file of its folder; if there are several, like the first by
// name.
static void find_spelling(search* s)
{
    char* slash = strrchr(s->path, '/');
    char* name = slash != NULL ? slash + 1 : s->path;
    char kept = *name;
    *name = '\0';
    DIR* folder = opendir(slash != NULL ? s->path : ".");
    *name = kept;
    s->is_out_of_memory = s->is_out_of_memory || (folder == NULL && errno == ENOMEM);
    bool is_found = false;
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        if (strcasecmp(entry->d_name, name) == 0 && (!is_found || strcmp(entry->d_name, name) < 0))
        {
            strcpy(name, entry->d_name);
            is_found = true;
        }
    }
    if (folder != NULL)
    {
        closedir(folder);
    }
}

static bool try_path(search* s, const char* inner, const char* name)
{
    snprintf(s->path, s->room, "%.*s%s%s", (int)s->folder_length, s->source, inner, name);
    // Windows paths; in file names a backslash is hardly ever meant.
    for (char* c = s->path + s->folder_length; *c != '\0'; ++c)
    {
        *c = *c == '\\' ? '/' : *c;
    }
    if (!pelti_path_is_relative(s->path + s->folder_length))
    {
        return false;
    }
    pelt_error reason = {{0}};
    pelt_result result = pelti_path_below(s->path, s->folder_length, &reason);
    if (result == PELT_ERROR_READ && s->is_case_ignored)
    {
        find_spelling(s);
        result = pelti_path_below(s->path, s->folder_length, &reason);
    }
    s->refusal = result == PELT_ERROR_DATA ? reason : s->refusal;
    s->is_out_of_memory = s->is_out_of_memory || result == PELT_ERROR_MEMORY;
    return result == PELT_OK;
}

// The folder that an FBX file is unpacked into: its name, with another ending.
static bool try_media_folder(search* s, const char* name)
{
    char folder[256];
    const char* file = s->source + s->folder_length;
    const char* dot = strrchr(file, '.');
    int length = dot != NULL ? (int)(dot - file) : (int)strlen(file);
    int written = snprintf(folder, sizeof folder, "%.*s.fbm/", length, file);
    return written > 0 && (size_t)written < sizeof folder && try_path(s, folder, name);
}

static bool try_names(search* s, const char* texture)
{
    const char* name = last_name(texture);
    return try_path(s, "", texture) || try_path(s, "", name) || try_path(s, "textures/", name) ||
           try_path(s, "Textures/", name) || try_media_folder(s, name);
}

static pelt_result fail_search(const search* s, const char* texture, bool is_relative,
                               pelt_error* error)
{
    const char* name = last_name(texture);
    if (s->refusal.message[0] != '\0')
    {
        return pelt_error_set(error, PELT_ERROR_READ, "%.200s: %.300s", s->source,
                              s->refusal.message);
    }
    if (is_relative || name[0] == '\0')
    {
        return pelt_error_set(error, PELT_ERROR_READ,
                              "there is no file \"%.200s\" next to %.200s; put it there", texture,
                              s->source);
    }
    return pelt_error_set(error, PELT_ERROR_READ,
                          "the texture \"%.200s\" is not below the folder of %.200s, and there is "
                          "no file \"%.100s\" next to it; put it there",
                          texture, s->source, name);
}

static pelt_result find_file(search* s, const char* texture, pelt_error* error)
{
    char* decoded = pelt_allocate(strlen(texture) + 1, 1);
    if (decoded == NULL)
    {
        return pelt_error_memory(error);
    }
    strcpy(decoded, texture);
    pelti_uri_unescape(decoded);
    // First without decoding: a file may be called "100%25.png".
    bool is_found = try_names(s, texture) || try_names(s, decoded);
    s->is_case_ignored = true;
    is_found = is_found || try_names(s, texture) || try_names(s, decoded);
    for (char* c = decoded; *c != '\0'; ++c)
    {
        *c = *c == '\\' ? '/' : *c;
    }
    bool is_relative = pelti_path_is_relative(decoded);
    pelt_release(decoded);
    if (s->is_out_of_memory)
    {
        return pelt_error_memory(error);
    }
    return is_found ? PELT_OK : fail_search(s, texture, is_relative, error);
}

pelt_result pelt_texture_path(char** out, const char* source, const char* texture,
                              pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL && texture != NULL);

    search s = {.source = source, .folder_length = pelti_path_folder(source)};
    s.room = strlen(source) + strlen(texture) + 64;
    s.path = pelt_allocate(s.room, 1);
    if (s.path == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = find_file(&s, texture, error);
    if (result != PELT_OK)
    {
        pelt_release(s.path);
        return result;
    }
    *out = s.path;
    return PELT_OK;
}
