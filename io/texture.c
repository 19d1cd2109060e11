// SPDX-License-Identifier: MIT
// The picture of a material: inside the scene, or a file near its source.
#define _XOPEN_SOURCE 700

#include "picture_codec.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// Where a picture may be, tried one after the other.
typedef struct search
{
    const char* source;
    size_t folder_length; // of the source, with its last '/'
    char* path;           // room for the longest candidate
    size_t room;
    bool is_case_ignored;  // of the last name: those of Windows are often spelled another way
    bool is_out_of_memory; // a folder could not be looked through
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

// A relative path that never leads up, not even by the way.
static bool stays_below(const char* path)
{
    if (path[0] == '\0' || is_slash(path[0]) || strchr(path, ':') != NULL)
    {
        return false;
    }
    for (const char* part = path; *part != '\0';)
    {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && strncmp(part, "..", 2) == 0)
        {
            return false;
        }
        part += length + (part[length] != '\0');
    }
    return true;
}

static bool is_file(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Spell the last name of s->path as a file of its folder is spelled; of several, the first by name.
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
    // Paths of Windows; in names of files this sign is as good as never meant.
    for (char* c = s->path + s->folder_length; *c != '\0'; ++c)
    {
        *c = *c == '\\' ? '/' : *c;
    }
    if (!stays_below(s->path + s->folder_length))
    {
        return false;
    }
    if (s->is_case_ignored)
    {
        find_spelling(s);
    }
    return is_file(s->path);
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

static pelt_result load_beside(pelt_picture* out, search* s, const char* texture, pelt_error* error)
{
    char* decoded = pelt_allocate(strlen(texture) + 1, 1);
    if (decoded == NULL)
    {
        return pelt_error_memory(error);
    }
    strcpy(decoded, texture);
    pelti_uri_unescape(decoded);
    // As it stands first: a file may really be called "100%25.png".
    bool is_found = try_names(s, texture) || try_names(s, decoded);
    s->is_case_ignored = true;
    is_found = is_found || try_names(s, texture) || try_names(s, decoded);
    pelt_release(decoded);
    if (s->is_out_of_memory)
    {
        return pelt_error_memory(error);
    }
    return is_found ? pelt_picture_load(out, s->path, error)
                    : pelt_error_set(error, PELT_ERROR_READ,
                                     "the texture \"%.200s\" is not below the folder of %.200s; "
                                     "put its file beside it",
                                     texture, s->source);
}

static pelt_result load_file(pelt_picture* out, const char* source, const char* texture,
                             pelt_error* error)
{
    const char* slash = strrchr(source, '/');
    search s = {.source = source,
                .folder_length = slash != NULL ? (size_t)(slash - source) + 1 : 0};
    s.room = strlen(source) + strlen(texture) + 64;
    s.path = pelt_allocate(s.room, 1);
    if (s.path == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = load_beside(out, &s, texture, error);
    pelt_release(s.path);
    return result;
}

pelt_result pelt_texture_load(pelt_picture* out, const char* source, const pelt_scene* scene,
                              uint32_t material, pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL && material < scene->material_count);
    *out = (pelt_picture){0};

    const char* texture = scene->materials[material].texture;
    const char* name = scene->materials[material].name;
    if (texture == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "material %u, \"%s\", has no texture",
                              material, name != NULL ? name : "");
    }
    uint32_t image = pelt_scene_find_image(scene, texture);
    if (image != PELT_NONE)
    {
        const pelt_image* found = &scene->images[image];
        return pelt_picture_decode(out, found->bytes, found->size, texture, error);
    }
    if (source == NULL || texture[0] == '*')
    {
        return pelt_error_set(error, PELT_ERROR_READ, "the texture \"%.200s\" is not in the scene",
                              texture);
    }
    return load_file(out, source, texture, error);
}
