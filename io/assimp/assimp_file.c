// SPDX-License-Identifier: MIT
// Runs assimp on a file in memory. It chooses the importer itself by content or extension, and lets
// the file name others, such as animations of an MD5 mesh, only below its own folder.
#include "../readers.h"
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Files as assimp needs them

// The file that is read, and the folder of files that it names.
typedef struct import_folder
{
    const pelt_source* source;
    const pelti_blob* file; // its bytes
    const char* name;       // the path of the file as given to assimp
    size_t folder_length;   // the part of the name up to the last '/', that included
    bool is_out_of_memory;
} import_folder;

typedef struct open_file
{
    struct aiFile face; // first: assimp holds a pointer to it
    pelti_blob blob;
    size_t at;
    bool is_own; // the blob belongs to this file
} open_file;

static open_file* from_face(struct aiFile* face)
{
    return (open_file*)face->UserData;
}

static size_t read_items(struct aiFile* face, char* out, size_t size, size_t count)
{
    open_file* file = from_face(face);
    size_t rest = file->blob.size - file->at;
    size_t items = size == 0 ? 0 : rest / size;
    items = items < count ? items : count;
    if (items > 0)
    {
        memcpy(out, file->blob.data + file->at, items * size);
        file->at += items * size;
    }
    return items;
}

static size_t write_nothing(struct aiFile* face, const char* data, size_t size, size_t count)
{
    (void)face, (void)data, (void)size, (void)count;
    return 0;
}

static size_t tell_position(struct aiFile* face)
{
    return from_face(face)->at;
}

static size_t tell_size(struct aiFile* face)
{
    return from_face(face)->blob.size;
}

static enum aiReturn seek_position(struct aiFile* face, size_t offset, enum aiOrigin origin)
{
    open_file* file = from_face(face);
    size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? file->at : file->blob.size;
    // A negative offset arrives as a huge one: the sum wraps to where it should be.
    size_t position = base + offset;
    if (position > file->blob.size)
    {
        return aiReturn_FAILURE;
    }
    file->at = position;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile* face)
{
    (void)face;
}

// Assimp joins the folder and the name that it found in the file.
static pelt_result read_named(pelti_blob* out, const import_folder* folder, const char* name)
{
    if (strncmp(name, folder->name, folder->folder_length) != 0)
    {
        return PELT_ERROR_DATA;
    }
    if (folder->source->files != NULL)
    {
        return pelti_files_read(out, folder->source, name + folder->folder_length, NULL);
    }
    pelti_input input;
    pelt_result result = pelti_path_below(name, folder->folder_length, NULL);
    if (result == PELT_OK)
    {
        result = pelti_input_open(&input, name, PELTI_INPUT_REGULAR, NULL);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_child_add_file(&input);
    result = pelti_input_read(&input, SIZE_MAX, NULL);
    if (result == PELT_OK)
    {
        *out = input.blob;
        input.blob = (pelti_blob){0};
    }
    pelti_input_close(&input);
    return result;
}

static struct aiFile* open_name(struct aiFileIO* io, const char* name, const char* mode)
{
    import_folder* folder = (import_folder*)io->UserData;
    if (mode[0] != 'r')
    {
        return NULL;
    }
    open_file* file = pelt_allocate(1, sizeof *file);
    if (file == NULL)
    {
        folder->is_out_of_memory = true;
        return NULL;
    }
    *file = (open_file){.is_own = strcmp(name, folder->name) != 0};
    file->blob = *folder->file;
    pelt_result result = file->is_own ? read_named(&file->blob, folder, name) : PELT_OK;
    if (result != PELT_OK)
    {
        folder->is_out_of_memory = folder->is_out_of_memory || result == PELT_ERROR_MEMORY;
        pelt_release(file);
        return NULL;
    }
    file->face = (struct aiFile){read_items,    write_nothing, tell_position, tell_size,
                                 seek_position, flush_nothing, (char*)file};
    return &file->face;
}

static void close_file(struct aiFileIO* io, struct aiFile* face)
{
    (void)io;
    open_file* file = from_face(face);
    if (file->is_own)
    {
        pelti_blob_release(&file->blob);
    }
    pelt_release(file);
}

// ---------------------------------------------------------------------------------------------
// Which importer

// The first bytes of a file, after white space, if they identify its format.
static const struct
{
    const char* start;
    const char* extension;
} signatures[] = {{"xof 0", "x"},         {"HIERARCHY", "bvh"}, {"MD5Version", "md5mesh"},
                  {"MS3D000000", "ms3d"}, {"BB3D", "b3d"},      {"INTERQUAKEMODEL", "iqm"},
                  {"ply\n", "ply"},       {"ply\r", "ply"},     {"version 1\n", "smd"},
                  {"version 1\r", "smd"}};

// Formats of characters that are in use, and of meshes to compare with. Assimp has 37 importers
// more; each is code that a file could attack. Exactly one importer reads each of these.
static const char* const allowed[] = {"dae",  "x",   "md5mesh", "md5anim", "bvh", "smd",
                                      "ms3d", "b3d", "iqm",     "mdl",     "obj", "ply"};

static const char* extension_of(const char* path)
{
    const char* dot = strrchr(path, '.');
    const char* slash = strrchr(path, '/');
    return dot == NULL || (slash != NULL && dot < slash) ? "" : dot + 1;
}

static bool is_same_word(const char* a, const char* b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b))
    {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

// Collada is XML: its own name comes after a declaration and comments.
static bool is_collada(const unsigned char* data, size_t size)
{
    static const char root[] = "<COLLADA";
    size_t length = sizeof root - 1;
    size_t end = size < 4096 ? size : 4096;
    for (size_t i = 0; size > 0 && data[0] == '<' && i + length <= end; ++i)
    {
        if (memcmp(data + i, root, length) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool is_readable(const char* extension)
{
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; ++i)
    {
        if (is_same_word(extension, allowed[i]))
        {
            char dotted[16];
            snprintf(dotted, sizeof dotted, ".%s", allowed[i]);
            return aiIsExtensionSupported(dotted) == AI_TRUE;
        }
    }
    return false;
}

// OBJ has no header: one of its keywords, and a point on some line. Only files with that extension
// are checked.
static bool is_obj(const unsigned char* data, size_t size)
{
    static const char* const words[] = {"#", "v ", "o ", "g ", "mtllib "};
    size_t end = size < 65536 ? size : 65536;
    bool is_word = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    {
        size_t length = strlen(words[i]);
        is_word = is_word || (size >= length && memcmp(data, words[i], length) == 0);
    }
    bool is_start = true;
    for (size_t i = 0; i + 1 < end && is_word; ++i)
    {
        if (is_start && data[i] == 'v' && data[i + 1] == ' ')
        {
            return true;
        }
        is_start = data[i] == '\n';
    }
    return false;
}

static const char* extension_by_content(const pelti_blob* file, const char* extension)
{
    size_t at = 0;
    while (at < file->size && isspace(file->data[at]))
    {
        at++;
    }
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; ++i)
    {
        size_t length = strlen(signatures[i].start);
        if (file->size - at >= length && memcmp(file->data + at, signatures[i].start, length) == 0)
        {
            // Animations of MD5 begin like meshes.
            bool is_animation = strcmp(signatures[i].extension, "md5mesh") == 0 &&
                                is_same_word(extension, "md5anim");
            return is_animation ? extension : signatures[i].extension;
        }
    }
    // An empty file may have no data to point into.
    if (at < file->size && is_collada(file->data + at, file->size - at))
    {
        return "dae";
    }
    bool is_unknown = at < file->size && !is_readable(extension);
    return is_unknown && is_obj(file->data + at, file->size - at) ? "obj" : NULL;
}

pelt_result pelti_assimp_check(const pelti_blob* head, const char* path, pelt_error* error)
{
    const char* extension = extension_of(path);
    return extension_by_content(head, extension) != NULL || is_readable(extension)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "%s is in no format that pelt reads: glTF 2.0, FBX, Collada, "
                                "DirectX X, MD5, BVH, SMD, MS3D, B3D, IQM, MDL, OBJ or PLY; "
                                "convert it to glTF",
                                path);
}

// The name by which assimp chooses the right importer: the path, with the extension of the content
// if that differs. NULL: out of memory
static char* name_for_import(const pelti_blob* file, const char* path, pelt_result* result,
                             pelt_error* error)
{
    const char* extension = extension_of(path);
    const char* wanted = extension_by_content(file, extension);
    size_t length = strlen(path);
    char* name = pelt_allocate(length + 16, 1);
    if (name == NULL)
    {
        *result = pelt_error_memory(error);
        return NULL;
    }
    strcpy(name, path);
    if (wanted != NULL && !is_same_word(wanted, extension))
    {
        name[length] = '.';
        strcpy(name + length + 1, wanted);
    }
    return name;
}

// ---------------------------------------------------------------------------------------------
// Import

// Assimp's reason as part of a sentence: one line, no full stop.
static void one_line(char* out, size_t size, const char* reason)
{
    size_t length = 0;
    for (; reason[length] != '\0' && length + 1 < size; ++length)
    {
        unsigned char c = (unsigned char)reason[length];
        out[length] = (char)(iscntrl(c) ? ' ' : c);
    }
    while (length > 0 && (out[length - 1] == ' ' || out[length - 1] == '.'))
    {
        length--;
    }
    out[length] = '\0';
}

static struct aiPropertyStore* import_properties(void)
{
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    if (properties != NULL)
    {
        // A file without meshes gets no invented ones.
        aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    }
    return properties;
}

// Vertices are joined by pelt: assimp joins within a tolerance, whatever the weights.
static const struct aiScene* import_name(import_folder* folder)
{
    struct aiFileIO io = {open_name, close_file, (char*)folder};
    struct aiPropertyStore* properties = import_properties();
    if (properties == NULL)
    {
        return NULL;
    }
    const struct aiScene* scene =
        aiImportFileExWithProperties(folder->name, aiProcess_Triangulate, &io, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

const struct aiScene* pelti_assimp_import(const pelt_source* source, pelt_result* result,
                                          pelt_error* error)
{
    const pelti_blob file = {(uint8_t*)source->bytes, source->size};
    char* name = name_for_import(&file, source->path, result, error);
    if (name == NULL)
    {
        return NULL;
    }
    import_folder folder = {source, &file, name, pelti_path_folder(name), false};
    const struct aiScene* scene = import_name(&folder);
    pelt_release(name);
    if (folder.is_out_of_memory)
    {
        // Assimp's message about a file that it could not open is not about this file.
        aiReleaseImport(scene);
        *result = pelt_error_memory(error);
        return NULL;
    }
    if (scene == NULL)
    {
        char reason[256];
        one_line(reason, sizeof reason, aiGetErrorString());
        *result = strstr(reason, "bad_alloc") != NULL
                      ? pelt_error_memory(error)
                      : pelt_error_set(error, PELT_ERROR_DATA, "%s cannot be read: %s",
                                       source->path, reason);
    }
    return scene;
}

#endif
