// SPDX-License-Identifier: MIT
// Input files: reading whole files or their first bytes, and which files another file may name.
#define _XOPEN_SOURCE 700

#include "readers.h"
#include "system.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SMALLEST = 1 << 16,
};

// Limit for a stream of unknown size: no character is as large.
static const size_t longest_stream = (size_t)4 << 30;

static pelt_result read_error(pelt_error* error, const char* path, int code)
{
    if (code == ENOMEM)
    {
        return pelt_error_memory(error);
    }
    return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: %s", path,
                          code == EISDIR ? "it is a folder" : strerror(code));
}

static pelt_result check_kind(pelti_input* inout, const pelti_status* status, pelt_error* error)
{
    if (S_ISREG(status->st_mode))
    {
        inout->size = (size_t)status->st_size;
        return PELT_OK;
    }
    inout->size = SIZE_MAX;
    bool is_stream =
        S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode) || S_ISCHR(status->st_mode);
    if (inout->kind == PELTI_INPUT_ANY && is_stream)
    {
        return PELT_OK;
    }
    return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it is %s", inout->name,
                          S_ISDIR(status->st_mode) ? "a folder" : "not a regular file");
}

pelt_result pelti_input_open(pelti_input* out, const char* path, pelti_input_kind kind,
                             pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);

    *out = (pelti_input){.kind = kind, .name = path};
    out->is_standard = kind == PELTI_INPUT_ANY && strcmp(path, "-") == 0;
    out->name = out->is_standard ? "standard input" : path;
    // Opening a pipe that a file names would wait for a writer; a pipe that the user names may
    // wait.
    out->descriptor = pelti_system_open(out->is_standard ? NULL : path, kind == PELTI_INPUT_ANY);
    pelti_status status;
    if (out->descriptor < 0 || pelti_system_status(&status, out->descriptor) != 0)
    {
        pelt_result result = read_error(error, out->name, errno);
        pelti_input_close(out);
        return result;
    }
    out->device = (uint64_t)status.st_dev;
    out->number = (uint64_t)status.st_ino;
    pelt_result result = check_kind(out, &status, error);
    if (result != PELT_OK)
    {
        pelti_input_close(out);
        return result;
    }
    pelt_hooks hooks = pelt_hooks_get();
    if (hooks.opened != NULL && !out->is_standard)
    {
        hooks.opened(path, hooks.opened_user);
    }
    return PELT_OK;
}

// Memory for `wanted` bytes and a zero, so that text is terminated and an empty file needs no
// special case.
static pelt_result reserve(pelti_input* inout, size_t wanted, pelt_error* error)
{
    if (wanted < inout->capacity)
    {
        return PELT_OK;
    }
    // The buffer of a stream doubles; of a file either the beginning is read, or all.
    size_t capacity = inout->size == SIZE_MAX || wanted <= SMALLEST ? SMALLEST : inout->size;
    while (capacity < wanted)
    {
        capacity *= 2;
    }
    capacity = capacity < inout->size ? capacity : inout->size;
    uint8_t* data = capacity < SIZE_MAX ? pelt_allocate(capacity + 1, 1) : NULL;
    if (data == NULL)
    {
        return pelt_error_memory(error);
    }
    if (inout->blob.size > 0)
    {
        memcpy(data, inout->blob.data, inout->blob.size);
    }
    pelt_release(inout->blob.data);
    inout->blob.data = data;
    inout->capacity = capacity + 1;
    return PELT_OK;
}

static pelt_result read_step(pelti_input* inout, size_t wanted, pelt_error* error)
{
    pelti_blob* blob = &inout->blob;
    ptrdiff_t step =
        pelti_system_read(inout->descriptor, blob->data + blob->size, wanted - blob->size);
    if (step < 0)
    {
        return errno == EINTR ? PELT_OK : read_error(error, inout->name, errno);
    }
    blob->size += (size_t)step;
    inout->is_complete = step == 0 || blob->size == inout->size;
    if (step == 0 && inout->size != SIZE_MAX && blob->size < inout->size)
    {
        // It shrank since its size was taken.
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it ends after %zu bytes",
                              inout->name, blob->size);
    }
    return blob->size <= longest_stream || inout->size != SIZE_MAX
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_READ,
                                "cannot read %s: it gives more than %zu MB; read it from a file",
                                inout->name, longest_stream >> 20);
}

pelt_result pelti_input_read(pelti_input* inout, size_t wanted, pelt_error* error)
{
    if (inout->is_complete)
    {
        return PELT_OK;
    }
    wanted = wanted < inout->size ? wanted : inout->size;
    inout->is_complete = inout->size == 0;
    pelt_result result = inout->is_complete ? reserve(inout, 0, error) : PELT_OK;
    while (result == PELT_OK && !inout->is_complete && inout->blob.size < wanted)
    {
        // The buffer for all of a stream grows with it.
        size_t next = inout->size != SIZE_MAX ? wanted : inout->blob.size + SMALLEST;
        next = next < wanted ? next : wanted;
        result = reserve(inout, next, error);
        if (result != PELT_OK)
        {
            return result;
        }
        result = read_step(inout, next, error);
    }
    if (result == PELT_OK)
    {
        inout->blob.data[inout->blob.size] = 0;
    }
    return result;
}

void pelti_input_close(pelti_input* input)
{
    if (input->descriptor >= 0 && !input->is_standard)
    {
        pelti_system_close(input->descriptor);
    }
    pelti_blob_release(&input->blob);
    input->descriptor = -1;
}

// ---------------------------------------------------------------------------------------------
// Whole files

static pelt_result read_whole(pelti_blob* out, const char** name, const char* path,
                              pelti_input_kind kind, pelt_error* error)
{
    pelti_input input;
    PELT_TRY(pelti_input_open(&input, path, kind, error));
    pelt_result result = pelti_input_read(&input, SIZE_MAX, error);
    if (result == PELT_OK)
    {
        *out = input.blob;
        *name = input.name;
        input.blob = (pelti_blob){0};
    }
    pelti_input_close(&input);
    return result;
}

pelt_result pelti_blob_read(pelti_blob* out, const char* path, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = (pelti_blob){0};
    const char* name = NULL;
    return read_whole(out, &name, path, PELTI_INPUT_REGULAR, error);
}

static pelt_result read_source(pelt_source* out, const char* path, pelti_input_kind kind,
                               pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = (pelt_source){0};
    pelti_blob blob = {0};
    const char* name = NULL;
    PELT_TRY(read_whole(&blob, &name, path, kind, error));
    *out = (pelt_source){.path = name, .bytes = blob.data, .size = blob.size};
    return PELT_OK;
}

pelt_result pelt_source_read(pelt_source* out, const char* path, pelt_error* error)
{
    return read_source(out, path, PELTI_INPUT_REGULAR, error);
}

pelt_result pelti_source_read_any(pelt_source* out, const char* path, pelt_error* error)
{
    return read_source(out, path, PELTI_INPUT_ANY, error);
}

void pelt_source_release(pelt_source* source)
{
    PELT_ASSERT(source != NULL);
    pelt_release((void*)source->bytes);
    *source = (pelt_source){0};
}

void pelti_blob_release(pelti_blob* blob)
{
    pelt_release(blob->data);
    *blob = (pelti_blob){0};
}

static bool has_no_file(const void** bytes, size_t* size, const char* name, void* user)
{
    (void)bytes, (void)size, (void)name, (void)user;
    return false;
}

pelt_source pelti_source_named(const pelt_source* source)
{
    static const pelt_files none = {.open = has_no_file};
    pelt_source out = *source;
    if (out.path == NULL)
    {
        out.path = "memory";
        out.files = out.files != NULL ? out.files : &none;
    }
    return out;
}

pelt_result pelti_files_read(pelti_blob* out, const pelt_source* source, const char* name,
                             pelt_error* error)
{
    *out = (pelti_blob){0};
    const pelt_files* files = source->files;
    PELT_TRY(pelti_path_check_relative(name, error));
    const void* bytes = NULL;
    size_t size = 0;
    if (!files->open(&bytes, &size, name, files->user))
    {
        return pelt_error_set(error, PELT_ERROR_READ,
                              "it names \"%.200s\", and no such file was given with it", name);
    }
    out->data = pelt_allocate(size + 1, 1);
    if (out->data != NULL)
    {
        memcpy(out->data, bytes, size);
        out->data[size] = 0;
        out->size = size;
    }
    if (files->close != NULL)
    {
        files->close(bytes, size, files->user);
    }
    return out->data != NULL ? PELT_OK : pelt_error_memory(error);
}

// ---------------------------------------------------------------------------------------------
size_t pelti_path_folder(const char* path)
{
#ifdef _WIN32
    const char* const marks = "/\\:"; // "C:file" is in the current folder of C:
#else
    const char* const marks = "/";
#endif
    size_t length = strlen(path);
    while (length > 0 && strchr(marks, path[length - 1]) == NULL)
    {
        --length;
    }
    return length;
}

// "http:" and the like, and drives of Windows.
static bool has_scheme(const char* name)
{
    if (!isalpha((unsigned char)name[0]))
    {
        return false;
    }
    while (isalnum((unsigned char)*name) || *name == '+' || *name == '-' || *name == '.')
    {
        ++name;
    }
    return *name == ':';
}

static bool has_step_up(const char* name)
{
    for (const char* part = name; part != NULL;)
    {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
        {
            return true;
        }
        part = strchr(part, '/');
        part = part != NULL ? part + 1 : NULL;
    }
    return false;
}

bool pelti_path_is_relative(const char* name)
{
    return name[0] != '\0' && name[0] != '/' && strchr(name, '\\') == NULL && !has_scheme(name) &&
           !has_step_up(name);
}

pelt_result pelti_path_check_relative(const char* name, pelt_error* error)
{
    return pelti_path_is_relative(name)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "\"%.200s\" is not a file below the folder of the file that names "
                                "it; pelt reads no other",
                                name);
}

static pelt_result fail_system(const char* path, pelt_error* error)
{
    int code = errno;
    return code == ENOMEM
               ? pelt_error_memory(error)
               : pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: %s", path, strerror(code));
}

// The folder without links; free() it. NULL: errno says why.
static char* resolve_folder(const char* path, size_t length)
{
    if (length == 0)
    {
        return pelti_system_resolve(".");
    }
    char* folder = malloc(length + 1);
    if (folder == NULL)
    {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    char* resolved = pelti_system_resolve(folder);
    free(folder);
    return resolved;
}

pelt_result pelti_path_is_same_folder(bool* out, const char* a, const char* b)
{
    *out = false;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
    {
        return PELT_OK;
    }
    errno = 0;
    char* folder_a = resolve_folder(a, pelti_path_folder(a));
    char* folder_b = folder_a != NULL ? resolve_folder(b, pelti_path_folder(b)) : NULL;
    pelt_result result = folder_b == NULL && errno == ENOMEM ? PELT_ERROR_MEMORY : PELT_OK;
    *out = folder_b != NULL && strcmp(folder_a, folder_b) == 0;
    free(folder_a);
    free(folder_b);
    return result;
}

static pelt_result check_file(const char* resolved, const char* folder, const char* path,
                              pelt_error* error)
{
    pelti_status status;
    size_t length = strlen(folder);
    // The root is the one folder whose name ends in a slash.
    length -= length > 0 && folder[length - 1] == '/';
    if (strncmp(resolved, folder, length) != 0 || resolved[length] != '/')
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "\"%.200s\" is a link to a file that is not below the folder of the "
                              "file that names it; put a copy in its place",
                              path);
    }
    if (pelti_system_status_of(&status, resolved) != 0)
    {
        return fail_system(path, error);
    }
    if (!S_ISREG(status.st_mode))
    {
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it is %s", path,
                              S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    }
    return PELT_OK;
}

pelt_result pelti_path_below(const char* path, size_t folder_length, pelt_error* error)
{
    PELT_ASSERT(path != NULL && folder_length <= strlen(path));

    const char* name = path + folder_length;
    PELT_TRY(pelti_path_check_relative(name, error));
    char* folder = resolve_folder(path, folder_length);
    char* resolved = folder != NULL ? pelti_system_resolve(path) : NULL;
    pelt_result result =
        resolved != NULL ? check_file(resolved, folder, path, error) : fail_system(path, error);
    free(resolved);
    free(folder);
    return result;
}
