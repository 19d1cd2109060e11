// SPDX-License-Identifier: MIT
// Animations, frame by frame: one animated WebP file, or a PNG file for each frame.
#include "picture_codec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <webp/encode.h>
#include <webp/mux.h>

struct pelt_animation
{
    pelt_animation_options options;
    char* path;
    char* software;
    size_t number_at, number_length; // of "%04d" in the path; length 0: a WebP file
    int digits;                      // at least that many, filled up with zeros
    uint32_t frame_count, width, height;
    bool has_failed;
    WebPAnimEncoder* encoder; // NULL before the first frame, which tells the size
};

static bool has_ending(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

// The path is never passed to printf(): only this one pattern is accepted.
static bool parse_pattern(pelt_animation* animation)
{
    const char* path = animation->path;
    const char* percent = strchr(path, '%');
    const char* slash = strrchr(path, '/');
    if (percent == NULL || strchr(percent + 1, '%') != NULL || (slash != NULL && percent < slash))
    {
        return false;
    }
    const char* at = percent + 1;
    if (at[0] == '0' && at[1] >= '1' && at[1] <= '9')
    {
        animation->digits = at[1] - '0';
        at += 2;
    }
    animation->number_at = (size_t)(percent - path);
    animation->number_length = (size_t)(at + 1 - percent);
    return *at == 'd';
}

static pelt_result check_path(pelt_animation* animation, pelt_error* error)
{
    if (has_ending(animation->path, ".png"))
    {
        return parse_pattern(animation)
                   ? PELT_OK
                   : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                    "%s: a sequence of PNG files needs exactly one number in its "
                                    "name, such as frame%%04d.png",
                                    animation->path);
    }
    return has_ending(animation->path, ".webp")
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "%s: an animation is written as .webp, or as a sequence such as "
                                "frame%%04d.png",
                                animation->path);
}

static pelt_result check_options(pelt_animation* animation, pelt_error* error)
{
    pelt_animation_options* options = &animation->options;
    if (options->frames_per_second == 0.0f)
    {
        options->frames_per_second = 30.0f;
    }
    // WebP counts whole milliseconds in 24 bits.
    bool is_fast_enough =
        options->frames_per_second >= 0.001f && options->frames_per_second <= 1000.0f;
    if (!is_fast_enough || !(options->quality >= 0.0f && options->quality <= 100.0f))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s: %g frames per second at quality %g; possible are 0.001 to 1000, "
                              "and 0 to 100",
                              animation->path, (double)options->frames_per_second,
                              (double)options->quality);
    }
    return PELT_OK;
}

static char* copy_text(const char* text)
{
    char* copy = pelt_allocate(strlen(text) + 1, 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

void pelt_animation_cancel(pelt_animation* animation)
{
    if (animation != NULL)
    {
        WebPAnimEncoderDelete(animation->encoder);
        pelt_release(animation->path);
        pelt_release(animation->software);
        pelt_release(animation);
    }
}

pelt_result pelt_animation_begin(pelt_animation** out, const char* path,
                                 const pelt_animation_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = NULL;

    pelt_animation* animation = pelt_allocate(1, sizeof *animation);
    if (animation == NULL)
    {
        return pelt_error_memory(error);
    }
    *animation = (pelt_animation){.path = copy_text(path)};
    animation->options = options != NULL ? *options : (pelt_animation_options){0};
    const char* software = animation->options.software;
    animation->software = software != NULL ? copy_text(software) : NULL;
    bool has_memory = animation->path != NULL && (software == NULL || animation->software != NULL);
    pelt_result result = has_memory ? check_path(animation, error) : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        result = check_options(animation, error);
    }
    if (result != PELT_OK)
    {
        pelt_animation_cancel(animation);
        return result;
    }
    *out = animation;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// PNG files

static pelt_result save_numbered(const pelt_animation* animation, const pelt_picture* frame,
                                 pelt_error* error)
{
    size_t size = strlen(animation->path) + 16;
    char* path = pelt_allocate(size, 1);
    if (path == NULL)
    {
        return pelt_error_memory(error);
    }
    const char* rest = animation->path + animation->number_at + animation->number_length;
    snprintf(path, size, "%.*s%0*u%s", (int)animation->number_at, animation->path,
             animation->digits, animation->frame_count, rest);
    pelt_result result = pelt_picture_save(path, frame, animation->software, error);
    pelt_release(path);
    return result;
}

// ---------------------------------------------------------------------------------------------
// WebP

// Whole milliseconds, rounded from the exact time, so that errors do not add up.
static int time_of(const pelt_animation* animation, uint32_t frame)
{
    double time = 1000.0 * (double)frame / (double)animation->options.frames_per_second;
    return time < 2147483000.0 ? (int)(time + 0.5) : 2147483000;
}

// If a frame failed inside of the encoder, its code is only in the message:
// "ERROR adding frame. WebPEncodingError: 6."
static int code_in_words(WebPAnimEncoder* encoder)
{
    static const char before[] = "WebPEncodingError: ";
    const char* words = encoder != NULL ? WebPAnimEncoderGetError(encoder) : "";
    const char* found = strstr(words, before);
    return found != NULL ? atoi(found + strlen(before)) : VP8_ENC_OK;
}

// Size and configuration have been checked. What may still happen to a frame is that it is too much
// for the format; all other codes are treated as out of memory.
static pelt_result fail_encoder(const pelt_animation* animation, WebPEncodingError code,
                                pelt_error* error)
{
    int reason = code != VP8_ENC_OK ? (int)code : code_in_words(animation->encoder);
    if (reason != VP8_ENC_ERROR_PARTITION0_OVERFLOW && reason != VP8_ENC_ERROR_PARTITION_OVERFLOW &&
        reason != VP8_ENC_ERROR_FILE_TOO_BIG && reason != VP8_ENC_ERROR_LAST)
    {
        return pelt_error_memory(error);
    }
    return pelt_error_set(error, PELT_ERROR_WRITE, "%s: frame %u cannot be compressed as WebP",
                          animation->path, animation->frame_count);
}

static pelt_result start_encoder(pelt_animation* animation, pelt_error* error)
{
    if (animation->width > WEBP_MAX_DIMENSION || animation->height > WEBP_MAX_DIMENSION)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: WebP holds %d pixels on a side, not %u x %u; write PNG files",
                              animation->path, WEBP_MAX_DIMENSION, animation->width,
                              animation->height);
    }
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options))
    {
        return fail_encoder(animation, VP8_ENC_ERROR_LAST, error);
    }
    animation->encoder =
        WebPAnimEncoderNew((int)animation->width, (int)animation->height, &options);
    return animation->encoder != NULL ? PELT_OK : pelt_error_memory(error);
}

static bool configure(WebPConfig* config, const pelt_animation* animation)
{
    float quality = animation->options.quality;
    if (!WebPConfigInit(config))
    {
        return false;
    }
    config->lossless = quality == 0.0f;
    // In lossless files these only set the effort. On shaded frames, half of it costs 2 % more
    // bytes than all, in half the time, and higher methods gain nothing.
    config->quality = quality == 0.0f ? 50.0f : quality;
    config->method = quality == 0.0f ? 1 : 4;
    config->exact = 1; // colors under transparent pixels too
    return WebPValidateConfig(config) != 0;
}

static pelt_result add_webp(pelt_animation* animation, const pelt_picture* frame, pelt_error* error)
{
    if (animation->encoder == NULL)
    {
        PELT_TRY(start_encoder(animation, error));
    }
    WebPConfig config;
    WebPPicture picture;
    if (!configure(&config, animation) || !WebPPictureInit(&picture))
    {
        return fail_encoder(animation, VP8_ENC_ERROR_LAST, error);
    }
    picture.use_argb = 1;
    picture.width = (int)frame->width;
    picture.height = (int)frame->height;
    bool is_added = WebPPictureImportRGBA(&picture, (const uint8_t*)frame->pixels,
                                          (int)(frame->width * sizeof *frame->pixels)) &&
                    WebPAnimEncoderAdd(animation->encoder, &picture,
                                       time_of(animation, animation->frame_count), &config);
    WebPEncodingError code = picture.error_code;
    WebPPictureFree(&picture);
    return is_added ? PELT_OK : fail_encoder(animation, code, error);
}

// The encoder ignores some failed allocations (libwebp 1.2.4, in codes of alpha), and writes a
// truncated frame. Decoding it again detects that, at little cost next to encoding.
static bool are_frames_whole(const WebPData* file)
{
    WebPMux* mux = WebPMuxCreate(file, 0);
    int frame_count = 0;
    bool are_whole =
        mux != NULL && WebPMuxNumChunks(mux, WEBP_CHUNK_ANMF, &frame_count) == WEBP_MUX_OK;
    // One frame alone is a picture, and no animation.
    for (uint32_t i = 1; are_whole && (i == 1 || i <= (uint32_t)frame_count); ++i)
    {
        WebPMuxFrameInfo frame;
        are_whole = WebPMuxGetFrame(mux, i, &frame) == WEBP_MUX_OK;
        if (are_whole)
        {
            pelt_picture picture = {0};
            pelti_picture_source source = {frame.bitstream.bytes, frame.bitstream.size, "",
                                           PELT_PICTURE_MAX_PIXELS};
            are_whole = pelti_webp_decode(&picture, &source, NULL) == PELT_OK;
            pelt_picture_destroy(&picture);
            WebPDataClear(&frame.bitstream);
        }
    }
    WebPMuxDelete(mux);
    return are_whole;
}

static pelt_result write_webp(const pelt_animation* animation, pelt_error* error)
{
    WebPData file;
    WebPDataInit(&file);
    int end = time_of(animation, animation->frame_count);
    bool is_whole = WebPAnimEncoderAdd(animation->encoder, NULL, end, NULL) &&
                    WebPAnimEncoderAssemble(animation->encoder, &file) && are_frames_whole(&file);
    pelt_result result = is_whole ? pelt_save_bytes(animation->path, file.bytes, file.size, error)
                                  : fail_encoder(animation, VP8_ENC_OK, error);
    WebPDataClear(&file);
    return result;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelt_animation_add(pelt_animation* animation, const pelt_picture* frame,
                               pelt_error* error)
{
    PELT_ASSERT(animation != NULL && !animation->has_failed);
    PELT_ASSERT(frame != NULL && frame->pixels != NULL);

    if (animation->frame_count == 0)
    {
        animation->width = frame->width;
        animation->height = frame->height;
    }
    pelt_result result;
    if (animation->width != frame->width || animation->height != frame->height)
    {
        result = pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "%s: frame %u has %u x %u pixels, but the first has %u x %u",
                                animation->path, animation->frame_count, frame->width,
                                frame->height, animation->width, animation->height);
    }
    else
    {
        result = animation->number_length > 0 ? save_numbered(animation, frame, error)
                                              : add_webp(animation, frame, error);
    }
    animation->has_failed = result != PELT_OK;
    animation->frame_count += result == PELT_OK;
    return result;
}

pelt_result pelt_animation_end(pelt_animation* animation, pelt_error* error)
{
    PELT_ASSERT(animation != NULL);

    pelt_result result = PELT_OK;
    if (animation->frame_count == 0 || animation->has_failed)
    {
        result = pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s: %s", animation->path,
                                animation->has_failed ? "a frame could not be added"
                                                      : "an animation needs at least one frame");
    }
    else if (animation->number_length == 0)
    {
        result = write_webp(animation, error);
    }
    pelt_animation_cancel(animation);
    return result;
}
