// SPDX-License-Identifier: MIT
#include "texture_request.h"

#include "picture.h"
#include "terminal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char* const texture_names[] = {"embed", "copy", "none", NULL};

const arg_option texture_request_options[] = {
    {.name = "textures",
     .kind = ARG_CHOICE,
     .value = "WHERE",
     .choices = texture_names,
     .help = "images in the file, next to it, or left out; one of"},
    {.name = "max-texture",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = PELT_PICTURE_MAX_SIDE,
     .help = "scale images down to at most N pixels in width and height; written as PNG"},
    {0},
};

bool texture_request_is_set(const args* arguments)
{
    return args_is_set(arguments, "textures") || args_is_set(arguments, "max-texture");
}

// ---------------------------------------------------------------------------------------------
// Size

// The mean of the texels that a pixel of the smaller picture covers, by their area. Colors are
// averaged as light, weighted by their alpha.
static pelt_color mean_of(const pelt_picture* from, double left, double top, double width,
                          double height, bool is_color)
{
    double sum[4] = {0.0}, alpha = 0.0, all = 0.0;
    for (uint32_t y = (uint32_t)top; y < from->height && (double)y < top + height; ++y)
    {
        double rows = fmin(top + height, (double)y + 1.0) - fmax(top, (double)y);
        for (uint32_t x = (uint32_t)left; x < from->width && (double)x < left + width; ++x)
        {
            double columns = fmin(left + width, (double)x + 1.0) - fmax(left, (double)x);
            pelt_color c = from->pixels[(size_t)y * from->width + x];
            double weight = rows * columns, share = weight * (is_color ? c.a / 255.0 : 1.0);
            const uint8_t channels[3] = {c.r, c.g, c.b};
            for (int k = 0; k < 3; ++k)
            {
                sum[k] += share * (is_color ? (double)pelt_srgb_to_linear(channels[k])
                                            : channels[k] / 255.0);
            }
            alpha += share;
            sum[3] += weight * c.a / 255.0;
            all += weight;
        }
    }
    uint8_t out[3];
    for (int k = 0; k < 3; ++k)
    {
        double value = alpha > 0.0 ? sum[k] / alpha : 0.0;
        out[k] = is_color ? pelt_srgb_from_linear((float)value) : (uint8_t)lrint(255.0 * value);
    }
    return (pelt_color){out[0], out[1], out[2], (uint8_t)lrint(255.0 * sum[3] / all)};
}

static pelt_result shrink(pelt_picture* out, const pelt_picture* from, uint32_t most, bool is_color,
                          pelt_error* error)
{
    uint32_t longest = from->width > from->height ? from->width : from->height;
    double scale = (double)longest / most;
    uint32_t width = (uint32_t)fmax(1.0, round(from->width / scale));
    uint32_t height = (uint32_t)fmax(1.0, round(from->height / scale));
    PELT_TRY(pelt_picture_create(out, width, height, error));
    double step_x = (double)from->width / width, step_y = (double)from->height / height;
    for (size_t i = 0; i < (size_t)width * height; ++i)
    {
        out->pixels[i] = mean_of(from, (double)(i % width) * step_x, (double)(i / width) * step_y,
                                 step_x, step_y, is_color);
    }
    return PELT_OK;
}

// Whether all textures with this image are colors.
static bool is_color(const pelt_scene* scene, const char* image)
{
    for (uint32_t i = 0; i < scene->material_count * PELT_SLOT_COUNT; ++i)
    {
        uint32_t slot = i % PELT_SLOT_COUNT;
        const char* name = scene->materials[i / PELT_SLOT_COUNT].textures[slot].image;
        if (name != NULL && strcmp(name, image) == 0 && slot != PELT_SLOT_BASE_COLOR &&
            slot != PELT_SLOT_EMISSIVE)
        {
            return false;
        }
    }
    return true;
}

static pelt_result encode(pelt_image* inout, const pelt_picture* picture, pelt_arena* arena,
                          pelt_error* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    PELT_TRY(pelt_picture_encode(&bytes, &size, picture, NULL, error));
    uint8_t* copy = pelt_arena_alloc(arena, size, 1);
    if (copy != NULL)
    {
        memcpy(copy, bytes, size);
        *inout = (pelt_image){inout->name, copy, size};
    }
    pelt_release(bytes);
    return copy != NULL ? PELT_OK : pelt_error_memory(error);
}

// An image that cannot be decoded stays as it is, with a note.
static pelt_result limit_image(pelt_image* inout, const packed_scene* in, uint32_t most,
                               pelt_error* error)
{
    pelt_picture picture = {0}, smaller = {0};
    pelt_error reason = {{0}};
    pelt_result result =
        pelt_picture_decode(&picture, inout->bytes, inout->size, inout->name, &reason);
    if (result == PELT_OK && (picture.width > most || picture.height > most))
    {
        result = shrink(&smaller, &picture, most, is_color(&in->scene, inout->name), error);
        result = result == PELT_OK ? encode(inout, &smaller, in->arena, error) : result;
    }
    else if (result != PELT_OK && result != PELT_ERROR_MEMORY)
    {
        message_note("%s; it keeps its size", reason.message);
        result = PELT_OK;
    }
    pelt_picture_destroy(&smaller);
    pelt_picture_destroy(&picture);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

static pelt_result limit_images(packed_scene* inout, uint32_t most, pelt_error* error)
{
    uint32_t count = inout->scene.image_count;
    pelt_image* images = pelt_arena_alloc(inout->arena, count, sizeof *images);
    if (images == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        images[i] = inout->scene.images[i];
        PELT_TRY(limit_image(&images[i], inout, most, error));
    }
    inout->scene.images = images;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Files

// "hero_2_skin.png" next to hero.glb: numbered, because images of two folders may share a name.
static const char* name_file(const packed_scene* in, uint32_t index, const output_file* file)
{
    const pelt_image* image = &in->scene.images[index];
    const char* type = pelt_image_type(image->bytes, image->size);
    const char* extension = type == NULL                      ? NULL
                            : strcmp(type, "image/png") == 0  ? "png"
                            : strcmp(type, "image/jpeg") == 0 ? "jpg"
                            : strcmp(type, "image/webp") == 0 ? "webp"
                                                              : NULL;
    const char* stem = strrchr(file->path, '/') != NULL ? strrchr(file->path, '/') + 1 : file->path;
    size_t length = strrchr(stem, '.') != NULL ? (size_t)(strrchr(stem, '.') - stem) : strlen(stem);
    char word[64];
    size_t used = 0;
    const char* name = image->name;
    for (const char* at = image->name; *at != '\0'; ++at)
    {
        name = *at == '/' || *at == '\\' ? at + 1 : name;
    }
    for (; *name != '\0' && *name != '.' && used + 1 < sizeof word; ++name)
    {
        word[used++] = isalnum((unsigned char)*name) || *name == '-' ? *name : '_';
    }
    word[used] = '\0';
    return extension != NULL ? pelt_arena_format(in->arena, "%.*s_%u_%s.%s", (int)length, stem,
                                                 index, word, extension)
                             : image->name;
}

static pelt_result copy_images(packed_scene* inout, const output_file* file, pelt_error* error)
{
    pelt_scene* scene = &inout->scene;
    size_t folder =
        strrchr(file->path, '/') != NULL ? (size_t)(strrchr(file->path, '/') + 1 - file->path) : 0;
    pelt_file* files = pelt_arena_alloc(inout->arena, scene->image_count, sizeof *files);
    pelt_material* materials =
        pelt_arena_alloc(inout->arena, scene->material_count, sizeof *materials);
    if (files == NULL || materials == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        materials[i] = scene->materials[i];
    }
    for (uint32_t i = 0; i < scene->image_count; ++i)
    {
        const pelt_image* image = &scene->images[i];
        const char* name = name_file(inout, i, file);
        char* path = name != NULL
                         ? pelt_arena_format(inout->arena, "%.*s%s", (int)folder, file->path, name)
                         : NULL;
        if (path == NULL)
        {
            return pelt_error_memory(error);
        }
        files[i] = (pelt_file){path, image->bytes, image->size};
        for (uint32_t k = 0; k < scene->material_count * PELT_SLOT_COUNT; ++k)
        {
            const char* old =
                scene->materials[k / PELT_SLOT_COUNT].textures[k % PELT_SLOT_COUNT].image;
            if (old != NULL && strcmp(old, image->name) == 0)
            {
                materials[k / PELT_SLOT_COUNT].textures[k % PELT_SLOT_COUNT].image = name;
            }
        }
    }
    PELT_TRY(pelt_save_files(files, scene->image_count, error));
    scene->materials = materials;
    scene->image_count = 0;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static int pack_none(packed_scene* out, const pelt_scene* scene, const char* source,
                     const char* path)
{
    pelt_material* materials = pelt_allocate((size_t)scene->material_count + 1, sizeof *materials);
    if (materials == NULL)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        materials[i] = scene->materials[i];
        memset(materials[i].textures, 0, sizeof materials[i].textures);
    }
    pelt_scene bare = *scene;
    bare.materials = materials;
    bare.image_count = 0;
    // The packed scene has its own materials.
    int code = packed_scene_create(out, &bare, source, path);
    pelt_release(materials);
    return code;
}

int texture_request_pack(packed_scene* out, const pelt_scene* scene, const char* source,
                         const output_file* file, const args* arguments)
{
    const char* where = args_text(arguments, "textures", "");
    bool is_copied = strcmp(where, "copy") == 0;
    if (strcmp(where, "none") == 0)
    {
        return pack_none(out, scene, source, file->path);
    }
    if (is_copied && strcmp(file->path, "-") == 0)
    {
        return message_usage("--textures copy needs a file to put images next to; the standard "
                             "output has no folder");
    }
    // Output without a folder holds all images.
    int code = packed_scene_create(out, scene, source, "-");
    pelt_error error = {0};
    if (code == EXIT_DONE && args_is_set(arguments, "max-texture"))
    {
        uint32_t most = (uint32_t)args_number(arguments, "max-texture", 0.0f);
        code = message_error(limit_images(out, most, &error), &error);
    }
    if (code == EXIT_DONE && is_copied)
    {
        code = message_error(copy_images(out, file, &error), &error);
    }
    return code;
}
