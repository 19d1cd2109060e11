// SPDX-License-Identifier: MIT
// The inputs of a batch, and the names of their outputs.
#define _XOPEN_SOURCE 700

#include "batch.h"
#include "output.h"
#include "source.h"
#include "terminal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    DEPTH_MAX = 64, // of folders
};

/// A list of texts that grows.
typedef struct path_list
{
    pelt_arena* arena;
    const char** items;
    uint32_t count, capacity;
} path_list;

static int path_list_add(path_list* inout, const char* text)
{
    if (inout->count == inout->capacity)
    {
        uint32_t capacity = inout->capacity == 0 ? 64 : 2 * inout->capacity;
        const char** items = realloc(inout->items, capacity * sizeof *items);
        if (items == NULL)
        {
            return message_memory();
        }
        inout->items = items;
        inout->capacity = capacity;
    }
    const char* copy = pelt_arena_string(inout->arena, text);
    if (copy == NULL)
    {
        return message_memory();
    }
    inout->items[inout->count++] = copy;
    return EXIT_DONE;
}

const char* batch_path(pelt_arena* arena, const char* folder, const char* name)
{
    size_t length = strlen(folder);
    bool has_slash = length == 0 || folder[length - 1] == '/';
    return pelt_arena_format(arena, has_slash ? "%s%s" : "%s/%s", folder, name);
}

// ---------------------------------------------------------------------------------------------
// Folders

static bool is_character(const char* name)
{
    pelt_format format = pelt_format_of(name);
    return format != PELT_FORMAT_UNKNOWN && format != PELT_FORMAT_OBJ && format != PELT_FORMAT_PLY;
}

/// What walking through a folder needs.
typedef struct folder_walk
{
    path_list* names;   ///< files found, relative to the top
    const char* top;    ///< folder
    const char* output; ///< a folder that is left out
} folder_walk;

static int walk(const folder_walk* in, const char* below, uint32_t depth);

// Links to folders are not followed: they may lead back.
static int visit(const folder_walk* in, const char* name, uint32_t depth)
{
    const char* path = batch_path(in->names->arena, in->top, name);
    struct stat status;
    if (path == NULL)
    {
        return message_memory();
    }
    if (lstat(path, &status) != 0)
    {
        return EXIT_DONE; // it disappeared
    }
    if (S_ISDIR(status.st_mode))
    {
        bool is_output = output_is_same_file(path, in->output);
        return is_output || depth == DEPTH_MAX ? EXIT_DONE : walk(in, name, depth + 1);
    }
    bool is_file = S_ISREG(status.st_mode) || S_ISLNK(status.st_mode);
    return is_file && is_character(name) ? path_list_add(in->names, name) : EXIT_DONE;
}

static int walk(const folder_walk* in, const char* below, uint32_t depth)
{
    pelt_arena* arena = in->names->arena;
    const char* path = below[0] == '\0' ? in->top : batch_path(arena, in->top, below);
    DIR* folder = path != NULL ? opendir(path) : NULL;
    if (folder == NULL)
    {
        if (path == NULL || errno == ENOMEM)
        {
            return message_memory();
        }
        message_note("cannot read the folder %s: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    int code = EXIT_DONE;
    const struct dirent* entry = NULL;
    while (code == EXIT_DONE && (entry = readdir(folder)) != NULL)
    {
        if (entry->d_name[0] == '.')
        {
            continue; // hidden, or the folder itself
        }
        const char* name = below[0] == '\0' ? pelt_arena_string(arena, entry->d_name)
                                            : batch_path(arena, below, entry->d_name);
        code = name != NULL ? visit(in, name, depth) : message_memory();
    }
    closedir(folder);
    return code;
}

static int compare_texts(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// ---------------------------------------------------------------------------------------------
// Text files

// A line without spaces at its ends; lines that are empty or begin with # are left out.
static int read_lines(path_list* out, const char* path)
{
    char* text = NULL;
    TRY(source_read_text(&text, path));
    int code = EXIT_DONE;
    for (char* line = text; code == EXIT_DONE && line != NULL;)
    {
        char* end = strchr(line, '\n');
        char* next = end != NULL ? end + 1 : NULL;
        end = end != NULL ? end : line + strlen(line);
        while (end > line && isspace((unsigned char)end[-1]))
        {
            --end;
        }
        *end = '\0';
        line += strspn(line, " \t");
        if (line[0] != '\0' && line[0] != '#')
        {
            code = path_list_add(out, line);
        }
        line = next;
    }
    free(text);
    return code;
}

// Outputs lie below one folder: "../a/b.glb" and "/a/b.glb" become "a/b.glb", "rig:box?x=1" becomes
// "rig-box-x-1".
static char* name_of_line(pelt_arena* arena, const char* line)
{
    for (bool is_cut = true; is_cut;)
    {
        size_t cut = strncmp(line, "../", 3) == 0 ? 3 : strncmp(line, "./", 2) == 0 ? 2 : 0;
        cut = cut == 0 && line[0] == '/' ? 1 : cut;
        is_cut = cut > 0;
        line += cut;
    }
    char* name = pelt_arena_string(arena, line);
    for (char* c = name; c != NULL && strncmp(line, "rig:", 4) == 0 && *c != '\0'; ++c)
    {
        *c = strchr(":?&=", *c) != NULL ? '-' : *c;
    }
    return name;
}

static bool has_step_up(const char* name)
{
    const char* found = strstr(name, "..");
    return found != NULL && (found == name || found[-1] == '/') &&
           (found[2] == '/' || found[2] == '\0');
}

// ---------------------------------------------------------------------------------------------
// Outputs

static size_t stem_length(const char* name)
{
    const char* slash = strrchr(name, '/');
    const char* base = slash != NULL ? slash + 1 : name;
    const char* dot = strrchr(base, '.');
    return dot != NULL && dot != base ? (size_t)(dot - name) : strlen(name);
}

// Names in sorted order, to find those that differ only in the extension.
static bool is_shared_stem(const char* const* sorted, uint32_t count, const char* name)
{
    size_t length = stem_length(name);
    uint32_t first = 0, last = count;
    while (first < last)
    {
        uint32_t middle = first + (last - first) / 2;
        bool is_before = strncmp(sorted[middle], name, length) < 0;
        first = is_before ? middle + 1 : first;
        last = is_before ? last : middle;
    }
    uint32_t shared = 0;
    for (; first < count && strncmp(sorted[first], name, length) == 0; ++first)
    {
        shared += stem_length(sorted[first]) == length;
    }
    return shared > 1;
}

// "a/hero.fbx" gives "a/hero.glb", or "a/hero.fbx.glb" where there is another "a/hero.".
static const char* output_of(const batch* in, const char* name, bool is_shared)
{
    const batch_command* command = in->command;
    const char* extension = command->output == BATCH_OUTPUT_FILE   ? in->extension
                            : command->output == BATCH_OUTPUT_JSON ? ".json"
                                                                   : "";
    size_t length = is_shared ? strlen(name) : stem_length(name);
    const char* file = pelt_arena_format(in->arena, "%.*s%s", (int)length, name, extension);
    return file != NULL ? batch_path(in->arena, in->folder, file) : NULL;
}

static int fill_job(const batch* in, batch_job* out, bool is_shared)
{
    out->output = output_of(in, out->name, is_shared);
    const char* record = pelt_arena_format(in->arena, ".pelt-batch/%s", out->name);
    out->record = record != NULL ? batch_path(in->arena, in->folder, record) : NULL;
    struct stat status;
    out->size = stat(out->input, &status) == 0 ? (uint64_t)status.st_size : 0;
    return out->output != NULL && out->record != NULL ? EXIT_DONE : message_memory();
}

static int check_names(const char* const* sorted, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i > 0 && strcmp(sorted[i], sorted[i - 1]) == 0)
        {
            return message_usage("two inputs of the list would have the output name %s; leave one "
                                 "out, or run pelt batch on a common folder of both",
                                 sorted[i]);
        }
        if (has_step_up(sorted[i]))
        {
            return message_usage("\"%s\" has .. in the middle; write the path without it",
                                 sorted[i]);
        }
    }
    return EXIT_DONE;
}

static bool is_in_shard(const batch* in, uint32_t index)
{
    return in->shard_count == 0 || index % in->shard_count == in->shard - 1;
}

static int make_jobs(batch* inout, const path_list* inputs, const char* const* names)
{
    uint32_t count = inputs->count;
    const char** sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    inout->jobs = pelt_arena_alloc(inout->arena, count, sizeof *inout->jobs);
    if (sorted == NULL || inout->jobs == NULL)
    {
        free(sorted);
        return message_memory();
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        sorted[i] = names[i];
    }
    if (count > 1)
    {
        qsort(sorted, count, sizeof *sorted, compare_texts);
    }
    int code = check_names(sorted, count);
    for (uint32_t i = 0; i < count && code == EXIT_DONE; ++i)
    {
        if (is_in_shard(inout, i))
        {
            batch_job* job = &inout->jobs[inout->job_count++];
            *job = (batch_job){.index = i, .input = inputs->items[i], .name = names[i]};
            code = fill_job(inout, job, is_shared_stem(sorted, count, names[i]));
        }
    }
    free(sorted);
    inout->input_count = count;
    return code;
}

static int list_folder(batch* inout, path_list* inputs, const char* folder)
{
    path_list names = {.arena = inout->arena};
    folder_walk all = {.names = &names, .top = folder, .output = inout->folder};
    int code = walk(&all, "", 0);
    if (names.count > 1)
    {
        qsort(names.items, names.count, sizeof *names.items, compare_texts);
    }
    for (uint32_t i = 0; i < names.count && code == EXIT_DONE; ++i)
    {
        const char* path = batch_path(inout->arena, folder, names.items[i]);
        code = path != NULL ? path_list_add(inputs, path) : message_memory();
    }
    code = code == EXIT_DONE ? make_jobs(inout, inputs, names.items) : code;
    free(names.items);
    return code;
}

static int list_lines(batch* inout, path_list* inputs, const char* path)
{
    TRY(read_lines(inputs, path));
    const char** names = pelt_arena_alloc(inout->arena, inputs->count, sizeof *names);
    for (uint32_t i = 0; i < inputs->count && names != NULL; ++i)
    {
        names[i] = name_of_line(inout->arena, inputs->items[i]);
        names = names[i] != NULL ? names : NULL;
    }
    return names != NULL ? make_jobs(inout, inputs, names) : message_memory();
}

int batch_list(batch* inout, const char* source)
{
    struct stat status;
    bool is_folder =
        strcmp(source, "-") != 0 && stat(source, &status) == 0 && S_ISDIR(status.st_mode);
    path_list inputs = {.arena = inout->arena};
    int code = is_folder ? list_folder(inout, &inputs, source) : list_lines(inout, &inputs, source);
    free(inputs.items);
    if (code == EXIT_DONE && inout->input_count == 0)
    {
        message_note("%s %s no character; give a folder with glTF, FBX or other files, or a text "
                     "file with one path in each line",
                     source, is_folder ? "has" : "names");
        code = EXIT_INPUT;
    }
    return code;
}
