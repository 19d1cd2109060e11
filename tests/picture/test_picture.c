// SPDX-License-Identifier: MIT
// Pictures and their files: exact where they are lossless, and safe on any bytes.
#define _POSIX_C_SOURCE 200809L
#include "picture_samples.h"

#include "failing_heap.h"
#include "subprocess.h"

#include <unistd.h>

static int sizes_have_limits(void)
{
    pelt_error error = {{0}};
    pelt_picture p = {.width = 7};
    ENSURE(pelt_picture_create(&p, 16385, 1, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "16385 x 1") != NULL && p.pixels == NULL && p.width == 0);
    ENSURE(pelt_picture_create(&p, 0, 4, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(pelt_picture_create(&p, 16384, 16384, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(pelt_picture_create(&p, 3, 2, &error) == PELT_OK);
    ENSURE(p.pixels[5].r == 0 && p.pixels[5].a == 0);
    pelt_picture_destroy(&p);
    pelt_picture_destroy(&p);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// PNG

static int png_brings_back_every_pixel(void)
{
    for (int i = 0; i < 6; ++i)
    {
        pelt_picture before, after;
        pelt_error error;
        const char* path = subprocess_path("round.png");
        ENSURE(picture_fill_noise(&before, i == 0 ? 1 : 61, i == 1 ? 1 : 37, i % 2 == 0, 5));
        ENSURE(pelt_picture_save(path, &before, i < 3 ? "pelt test" : NULL, &error) == PELT_OK);
        ENSURE(pelt_picture_load(&after, path, &error) == PELT_OK);
        ENSURE(picture_is_same(&before, &after));
        pelt_picture_destroy(&before);
        pelt_picture_destroy(&after);
        remove(path);
    }
    return 0;
}

static int equal_pixels_give_equal_bytes(void)
{
    pelt_picture picture;
    size_t size[2];
    uint8_t* bytes[2];
    ENSURE(picture_fill_noise(&picture, 40, 30, false, 6));
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(pelt_picture_save(subprocess_path("same.png"), &picture, "pelt", NULL) == PELT_OK);
        bytes[i] = picture_read_file(&size[i], subprocess_path("same.png"));
    }
    ENSURE(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
    // The note is in the file as it is; nothing that changes, such as a date, is.
    bool has_note = false;
    for (size_t i = 0; i + 13 < size[0]; ++i)
    {
        has_note = has_note || memcmp(bytes[0] + i, "Software\0pelt", 13) == 0;
    }
    ENSURE(has_note);
    free(bytes[0]);
    free(bytes[1]);
    remove(subprocess_path("same.png"));
    pelt_picture_destroy(&picture);
    return 0;
}

// png_outside.py knows PNG from its specification, and Python's zlib.
static int png_is_read_by_others(void)
{
    for (int is_opaque = 0; is_opaque < 2; ++is_opaque)
    {
        pelt_picture picture;
        char png[512], raw[512], command[2048];
        strcpy(png, subprocess_path("outside.png"));
        strcpy(raw, subprocess_path("outside.raw"));
        ENSURE(picture_fill_noise(&picture, 53, 29, is_opaque, 8));
        ENSURE(pelt_picture_save(png, &picture, "pelt", NULL) == PELT_OK);
        ENSURE(pelt_save_bytes(raw, picture.pixels, 53 * 29 * 4, NULL) == PELT_OK);
        snprintf(command, sizeof command, "python3 '%s/../outside/png_outside.py' '%s' '%s' 53 29",
                 test_data_folder, png, raw);
        ENSURE(system(command) == 0);
        pelt_picture_destroy(&picture);
        remove(png);
        remove(raw);
    }
    return 0;
}

static int what_cannot_be_saved_leaves_nothing(void)
{
    pelt_picture picture;
    pelt_error error = {{0}};
    ENSURE(picture_fill_noise(&picture, 4, 4, true, 1));
    ENSURE(pelt_picture_save("/tmp/pelt_no_such_folder/x.png", &picture, NULL, &error) ==
           PELT_ERROR_WRITE);
    ENSURE(strstr(error.message, "pelt_no_such_folder") != NULL);
    pelt_picture_destroy(&picture);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Files of the three formats, made by their own libraries

enum
{
    SAMPLE_COUNT = 4,
};

static bool make_samples(picture_sample samples[SAMPLE_COUNT], uint32_t width, uint32_t height)
{
    pelt_picture picture;
    if (!picture_fill_noise(&picture, width, height, true, 3))
    {
        return false;
    }
    samples[0] = picture_make_png(&picture, subprocess_path("sample.png"));
    samples[1] = picture_make_jpeg(&picture, false);
    samples[2] = picture_make_jpeg(&picture, true);
    samples[3] = picture_make_webp(&picture);
    pelt_picture_destroy(&picture);
    return samples[0].bytes != NULL && samples[1].size > 0 && samples[3].size > 0;
}

static void free_samples(picture_sample samples[SAMPLE_COUNT])
{
    for (int i = 0; i < SAMPLE_COUNT; ++i)
    {
        free(samples[i].bytes);
    }
}

// Decode a copy of exactly that size, so that ASan sees the first byte too far.
static pelt_result decode_exact(pelt_picture* out, const picture_sample* s, size_t size,
                                pelt_error* error)
{
    uint8_t* copy = malloc(size > 0 ? size : 1);
    memcpy(copy, s->bytes, size);
    *error = (pelt_error){{0}};
    pelt_result result = pelt_picture_decode(out, copy, size, s->name, error);
    free(copy);
    return result;
}

// Four fields of flat color. At quality 95 the steps of the quantizer are at most 10 of 255 for
// the flat part of a block, divided by 8; the color space costs one or two more.
static int jpeg_shows_the_colors_it_was_made_of(void)
{
    static const pelt_color fields[4] = {
        {255, 0, 0, 255}, {20, 200, 60, 255}, {0, 0, 255, 255}, {240, 240, 240, 255}};
    pelt_picture picture, decoded;
    pelt_error error;
    ENSURE(pelt_picture_create(&picture, 64, 64, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_rect rect = {(int32_t)(32 * (i % 2)), (int32_t)(32 * (i / 2)), 32, 32};
        pelt_picture_fill(&picture, rect, fields[i]);
    }
    for (int is_progressive = 0; is_progressive < 2; ++is_progressive)
    {
        picture_sample s = picture_make_jpeg(&picture, is_progressive);
        ENSURE(decode_exact(&decoded, &s, s.size, &error) == PELT_OK);
        ENSURE(decoded.width == 64 && decoded.height == 64);
        for (uint32_t i = 0; i < 4; ++i)
        {
            pelt_color c = decoded.pixels[(32 * (i / 2) + 8) * 64 + 32 * (i % 2) + 8];
            ENSURE_NEAR(c.r, fields[i].r, 3);
            ENSURE_NEAR(c.g, fields[i].g, 3);
            ENSURE_NEAR(c.b, fields[i].b, 3);
            ENSURE(c.a == 255);
        }
        pelt_picture_destroy(&decoded);
        free(s.bytes);
    }
    pelt_picture_destroy(&picture);
    return 0;
}

static int webp_brings_back_every_pixel(void)
{
    pelt_picture before, after;
    pelt_error error;
    ENSURE(picture_fill_noise(&before, 33, 21, true, 9));
    picture_sample s = picture_make_webp(&before);
    ENSURE(decode_exact(&after, &s, s.size, &error) == PELT_OK);
    ENSURE(picture_is_same(&before, &after));
    free(s.bytes);
    pelt_picture_destroy(&before);
    pelt_picture_destroy(&after);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Broken files

// What lies behind the last pixel may be missing; then the picture is the same.
static int check_cut(const picture_sample* s, size_t size, const pelt_picture* whole)
{
    pelt_picture part;
    pelt_error error;
    if (decode_exact(&part, s, size, &error) == PELT_OK)
    {
        ENSURE(picture_is_same(&part, whole));
        pelt_picture_destroy(&part);
        return 0;
    }
    ENSURE(part.pixels == NULL && part.width == 0 && strstr(error.message, s->name) != NULL);
    return 0;
}

static int a_file_cut_off_anywhere_is_refused(void)
{
    picture_sample samples[SAMPLE_COUNT];
    ENSURE(make_samples(samples, 23, 17));
    for (int i = 0; i < SAMPLE_COUNT; ++i)
    {
        pelt_picture whole, part;
        pelt_error error;
        ENSURE(decode_exact(&whole, &samples[i], samples[i].size, &error) == PELT_OK);
        for (size_t size = 0; size < samples[i].size; ++size)
        {
            ENSURE(check_cut(&samples[i], size, &whole) == 0);
        }
        ENSURE(decode_exact(&part, &samples[i], samples[i].size / 2, &error) != PELT_OK);
        pelt_picture_destroy(&whole);
    }
    free_samples(samples);
    return 0;
}

static int wrong_bytes_are_answered(void)
{
    picture_sample samples[SAMPLE_COUNT];
    test_random random = {11};
    ENSURE(make_samples(samples, 23, 17));
    for (int round = 0; round < 6000; ++round)
    {
        picture_sample* s = &samples[round % SAMPLE_COUNT];
        size_t at[2];
        uint8_t was[2];
        for (int i = 0; i < 2; ++i)
        {
            // Half of them in the headers, where the sizes are.
            float end = i == 0 && s->size > 64 ? 64.0f : (float)s->size;
            at[i] = (size_t)test_uniform(&random, 0.0f, end - 1.0f);
            was[i] = s->bytes[at[i]];
            s->bytes[at[i]] = (uint8_t)test_uniform(&random, 0.0f, 255.9f);
        }
        pelt_picture picture;
        pelt_error error;
        pelt_result result = decode_exact(&picture, s, s->size, &error);
        ENSURE(result == PELT_OK ? picture.pixels != NULL
                                 : picture.pixels == NULL && error.message[0] != '\0');
        pelt_picture_destroy(&picture);
        s->bytes[at[1]] = was[1];
        s->bytes[at[0]] = was[0];
    }
    free_samples(samples);
    return 0;
}

static void put_big_endian(uint8_t* out, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t crc_of(const uint8_t* bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i)
    {
        crc ^= bytes[i];
        for (int k = 0; k < 8; ++k)
        {
            crc = (crc >> 1) ^ ((crc & 1u) ? 0xedb88320u : 0u);
        }
    }
    return ~crc;
}

// The largest block that anybody asked for.
static void* note_largest(size_t size, void* largest)
{
    size_t* most = largest;
    *most = size > *most ? size : *most;
    return malloc(size);
}

static void free_noted(void* memory, void* largest)
{
    (void)largest;
    free(memory);
}

// 8192 x 8192 is allowed, but no PNG file of some hundred bytes holds it.
static int a_small_file_that_claims_to_be_large_costs_no_memory(void)
{
    picture_sample samples[SAMPLE_COUNT];
    pelt_picture picture;
    pelt_error error;
    size_t largest = 0;
    ENSURE(make_samples(samples, 23, 17));
    put_big_endian(samples[0].bytes + 16, 8192);
    put_big_endian(samples[0].bytes + 20, 8192);
    put_big_endian(samples[0].bytes + 29, crc_of(samples[0].bytes + 12, 17));
    pelt_hooks before = pelt_hooks_get();
    const pelt_hooks noting = {
        .allocate = note_largest, .release = free_noted, .memory_user = &largest};
    pelt_hooks_set(&noting);
    pelt_result result = decode_exact(&picture, &samples[0], samples[0].size, &error);
    pelt_hooks_set(&before);
    ENSURE(result == PELT_ERROR_DATA && largest < (1 << 20));
    free_samples(samples);
    return 0;
}

// WebP has no such bound: one color takes 34 bytes, whatever its size.
static int few_bytes_do_not_ask_for_many_pixels(void)
{
    picture_sample samples[SAMPLE_COUNT];
    pelt_picture picture;
    pelt_error error;
    size_t largest = 0;
    ENSURE(make_samples(samples, 23, 17));
    // After RIFF and chunk: a signature, then width - 1 and height - 1 in 14 bits each.
    const uint32_t sizes = 8191u | 4095u << 14;
    uint8_t* header = samples[3].bytes + 21;
    for (int i = 0; i < 4; ++i)
    {
        header[i] = (uint8_t)(sizes >> 8 * i);
    }
    pelt_hooks before = pelt_hooks_get();
    const pelt_hooks noting = {
        .allocate = note_largest, .release = free_noted, .memory_user = &largest};
    pelt_hooks_set(&noting);
    pelt_result result = decode_exact(&picture, &samples[3], samples[3].size, &error);
    pelt_hooks_set(&before);
    ENSURE(result == PELT_ERROR_UNSUPPORTED && largest < (1 << 20));
    ENSURE(strstr(error.message, "8192 x 4096") != NULL);
    free_samples(samples);
    return 0;
}

static int absurd_sizes_are_refused(void)
{
    static const uint32_t sizes[][2] = {
        {16384, 16384}, {2147483647u, 2147483647u}, {16385, 1}, {8192, 8192}, {0, 5}};
    picture_sample samples[SAMPLE_COUNT];
    pelt_picture picture;
    pelt_error error;
    ENSURE(make_samples(samples, 23, 17));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        put_big_endian(samples[0].bytes + 16, sizes[i][0]);
        put_big_endian(samples[0].bytes + 20, sizes[i][1]);
        put_big_endian(samples[0].bytes + 29, crc_of(samples[0].bytes + 12, 17));
        ENSURE(decode_exact(&picture, &samples[0], samples[0].size, &error) != PELT_OK);
        ENSURE(picture.pixels == NULL && strstr(error.message, "sample.png") != NULL);
    }
    uint8_t* frame = samples[1].bytes;
    while (frame[0] != 0xff || frame[1] != 0xc0)
    {
        ++frame;
    }
    memcpy(frame + 5, "\x4e\x20\x4e\x20", 4);
    ENSURE(decode_exact(&picture, &samples[1], samples[1].size, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "20000 x 20000") != NULL);
    free_samples(samples);
    return 0;
}

static int other_formats_are_named(void)
{
    pelt_picture picture;
    pelt_error error;
    ENSURE(pelt_picture_decode(&picture, "BM1234567890", 12, "x.bmp", &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "x.bmp") != NULL && strstr(error.message, "WebP") != NULL);
    ENSURE(pelt_picture_decode(&picture, NULL, 0, "none", &error) == PELT_ERROR_DATA);
    ENSURE(pelt_picture_load(&picture, "/tmp", &error) == PELT_ERROR_READ);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

static pelt_result decode_sample(const void* context)
{
    const picture_sample* s = context;
    pelt_picture picture;
    pelt_result result = pelt_picture_decode(&picture, s->bytes, s->size, s->name, NULL);
    pelt_picture_destroy(&picture);
    return result;
}

static int every_failed_allocation_is_a_clean_result(void)
{
    picture_sample samples[SAMPLE_COUNT];
    ENSURE(make_samples(samples, 23, 17));
    for (int i = 0; i < SAMPLE_COUNT; ++i)
    {
        ENSURE(failing_heap_check(decode_sample, &samples[i], UINT32_MAX) == 0);
    }
    free_samples(samples);
    return 0;
}

void test_picture(void)
{
    RUN(sizes_have_limits);
    RUN(png_brings_back_every_pixel);
    RUN(equal_pixels_give_equal_bytes);
    if (system("python3 -c 'import zlib' 2> /dev/null") == 0)
    {
        RUN(png_is_read_by_others);
    }
    else
    {
        test_skip("png_is_read_by_others", "no python3");
    }
    RUN(what_cannot_be_saved_leaves_nothing);
    RUN(jpeg_shows_the_colors_it_was_made_of);
    RUN(webp_brings_back_every_pixel);
    RUN(a_file_cut_off_anywhere_is_refused);
    RUN(wrong_bytes_are_answered);
    RUN(a_small_file_that_claims_to_be_large_costs_no_memory);
    RUN(few_bytes_do_not_ask_for_many_pixels);
    RUN(absurd_sizes_are_refused);
    RUN(other_formats_are_named);
    RUN(every_failed_allocation_is_a_clean_result);
    subprocess_remove_folder();
}
