// SPDX-License-Identifier: MIT
// Animations, read back by libwebp's own demuxer and decoder.
#define _POSIX_C_SOURCE 200809L
#include "picture_fixture.h"

#include "subprocess.h"
#include "test.h"

#include <unistd.h>
#include <webp/demux.h>

enum
{
    FRAME_COUNT = 7,
    WIDTH = 48,
    HEIGHT = 32,
};

// A square that walks over still noise: most of each frame is as before.
static bool make_frame(pelt_picture* out, int frame)
{
    if (!picture_fill_noise(out, WIDTH, HEIGHT, true, 4))
    {
        return false;
    }
    pelt_picture_fill(out, (pelt_rect){4 * frame, 2 * frame, 9, 9}, (pelt_color){255, 0, 0, 255});
    return true;
}

static pelt_result write_animation(const char* path, const pelt_animation_options* options)
{
    pelt_animation* animation;
    pelt_result result = pelt_animation_begin(&animation, path, options, NULL);
    for (int i = 0; i < FRAME_COUNT && result == PELT_OK; ++i)
    {
        pelt_picture frame = {0};
        result =
            make_frame(&frame, i) ? pelt_animation_add(animation, &frame, NULL) : PELT_ERROR_MEMORY;
        pelt_picture_destroy(&frame);
    }
    if (result != PELT_OK)
    {
        pelt_animation_cancel(animation);
        return result;
    }
    return pelt_animation_end(animation, NULL);
}

// The canvas after each frame, and the time at which it ends.
static int check_frames(WebPAnimDecoder* decoder, float rate, int tolerance)
{
    for (int i = 0; i < FRAME_COUNT; ++i)
    {
        uint8_t* shown = NULL;
        int end = 0;
        pelt_picture expected;
        ENSURE(WebPAnimDecoderGetNext(decoder, &shown, &end));
        ENSURE(end == (int)(1000.0f * (float)(i + 1) / rate + 0.5f));
        ENSURE(make_frame(&expected, i));
        const uint8_t* pixels = (const uint8_t*)expected.pixels;
        long sum = 0;
        for (size_t k = 0; k < 4 * WIDTH * HEIGHT; ++k)
        {
            sum += abs(shown[k] - pixels[k]);
        }
        ENSURE(sum <= (long)tolerance * 4 * WIDTH * HEIGHT);
        pelt_picture_destroy(&expected);
    }
    ENSURE(!WebPAnimDecoderHasMoreFrames(decoder));
    return 0;
}

static int check_webp(const char* path, float rate, int tolerance)
{
    size_t size = 0;
    uint8_t* bytes = picture_read_file(&size, path);
    WebPData data = {bytes, size};
    WebPAnimInfo info;
    WebPAnimDecoderOptions options;
    ENSURE(bytes != NULL && WebPAnimDecoderOptionsInit(&options));
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, &options);
    ENSURE(decoder != NULL && WebPAnimDecoderGetInfo(decoder, &info));
    ENSURE(info.frame_count == FRAME_COUNT && info.loop_count == 0);
    ENSURE(info.canvas_width == WIDTH && info.canvas_height == HEIGHT);
    int failed = check_frames(decoder, rate, tolerance);
    WebPAnimDecoderDelete(decoder);
    free(bytes);
    return failed;
}

static int lossless_webp_brings_back_every_pixel_at_its_time(void)
{
    static const float rates[] = {30.0f, 24.0f, 60.0f, 7.0f};
    for (int i = 0; i < 4; ++i)
    {
        const pelt_animation_options options = {.frames_per_second = rates[i]};
        ENSURE(write_animation(subprocess_path("a.webp"), i == 0 ? NULL : &options) == PELT_OK);
        ENSURE(check_webp(subprocess_path("a.webp"), rates[i], 0) == 0);
        remove(subprocess_path("a.webp"));
    }
    return 0;
}

// Noise is the worst there is for a lossy codec; the mean error stays below a tenth of the range.
static int lossy_webp_is_near(void)
{
    const pelt_animation_options options = {.quality = 95.0f};
    ENSURE(write_animation(subprocess_path("b.webp"), &options) == PELT_OK);
    ENSURE(check_webp(subprocess_path("b.webp"), 30.0f, 25) == 0);
    remove(subprocess_path("b.webp"));
    return 0;
}

static int the_same_frames_give_the_same_bytes(void)
{
    size_t size[2];
    uint8_t* bytes[2];
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(write_animation(subprocess_path("c.webp"), NULL) == PELT_OK);
        bytes[i] = picture_read_file(&size[i], subprocess_path("c.webp"));
    }
    ENSURE(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
    remove(subprocess_path("c.webp"));
    return 0;
}

static int the_first_frame_is_the_picture_of_an_animation(void)
{
    pelt_picture expected, loaded;
    pelt_error error;
    ENSURE(write_animation(subprocess_path("d.webp"), NULL) == PELT_OK && make_frame(&expected, 0));
    ENSURE(pelt_picture_load(&loaded, subprocess_path("d.webp"), &error) == PELT_OK);
    ENSURE(picture_is_same(&expected, &loaded));
    pelt_picture_destroy(&expected);
    pelt_picture_destroy(&loaded);
    remove(subprocess_path("d.webp"));
    return 0;
}

static int png_frames_are_numbered_from_zero(void)
{
    ENSURE(write_animation(subprocess_path("f%03d.png"), NULL) == PELT_OK);
    for (int i = 0; i < FRAME_COUNT; ++i)
    {
        char name[32];
        pelt_picture expected, loaded;
        snprintf(name, sizeof name, "f%03d.png", i);
        ENSURE(make_frame(&expected, i));
        ENSURE(pelt_picture_load(&loaded, subprocess_path(name), NULL) == PELT_OK);
        ENSURE(picture_is_same(&expected, &loaded));
        pelt_picture_destroy(&expected);
        pelt_picture_destroy(&loaded);
        remove(subprocess_path(name));
    }
    return 0;
}

static int only_one_plain_number_is_a_pattern(void)
{
    static const char* const bad[] = {
        "f.png",     "f%s.png",    "f%n.png",   "f%04d%04d.png", "f%%04d.png", "f%4d.png",
        "f%04x.png", "f%010d.png", "f%00d.png", "f%-4d.png",     "f%04ld.png", "f%0*d.png",
        "f%.3d.png", "f%",         "%d/f.png",  "f%1$d.png",     "f% d.png",   "f%04d",
        "f%04d.jpg", "a.gif",      "",          ".png",          "f%i.png",    "f%'d.png",
    };
    static const char* const good[] = {"f%d.png", "%04d.PNG", "x/f%09d.png", "a.webp", "a%s.WEBP"};
    pelt_animation* animation;
    pelt_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        ENSURE(pelt_animation_begin(&animation, bad[i], NULL, &error) == PELT_ERROR_ARGUMENT);
        ENSURE(animation == NULL && strstr(error.message, "frame%04d.png") != NULL);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    {
        ENSURE(pelt_animation_begin(&animation, good[i], NULL, &error) == PELT_OK);
        pelt_animation_cancel(animation);
    }
    return 0;
}

static int wrong_frames_and_rates_are_refused(void)
{
    pelt_animation* animation;
    pelt_picture small, large;
    pelt_error error;
    const char* path = subprocess_path("w.webp");
    ENSURE(pelt_animation_begin(&animation, path,
                                &(pelt_animation_options){.frames_per_second = NAN},
                                &error) == PELT_ERROR_ARGUMENT);
    ENSURE(pelt_animation_begin(&animation, path, &(pelt_animation_options){.quality = 101.0f},
                                &error) == PELT_ERROR_ARGUMENT);
    ENSURE(pelt_animation_begin(&animation, path, NULL, &error) == PELT_OK);
    ENSURE(pelt_animation_end(animation, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(picture_fill_noise(&small, 8, 8, true, 1) && picture_fill_noise(&large, 9, 8, true, 1));
    ENSURE(pelt_animation_begin(&animation, path, NULL, &error) == PELT_OK);
    ENSURE(pelt_animation_add(animation, &small, &error) == PELT_OK);
    ENSURE(pelt_animation_add(animation, &large, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "9 x 8") != NULL);
    ENSURE(pelt_animation_end(animation, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(access(path, F_OK) != 0);
    pelt_picture_destroy(&small);
    pelt_picture_destroy(&large);
    return 0;
}

void test_animation(void)
{
    RUN(lossless_webp_brings_back_every_pixel_at_its_time);
    RUN(lossy_webp_is_near);
    RUN(the_same_frames_give_the_same_bytes);
    RUN(the_first_frame_is_the_picture_of_an_animation);
    RUN(png_frames_are_numbered_from_zero);
    RUN(only_one_plain_number_is_a_pattern);
    RUN(wrong_frames_and_rates_are_refused);
    subprocess_remove_folder();
}
