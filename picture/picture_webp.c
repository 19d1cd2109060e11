// SPDX-License-Identifier: MIT
// WebP pictures, by libwebp.
#include "picture_codec.h"

#include <webp/decode.h>
#include <webp/mux.h>

static const char* words_for(VP8StatusCode status)
{
    return status == VP8_STATUS_NOT_ENOUGH_DATA       ? "it is cut off"
           : status == VP8_STATUS_UNSUPPORTED_FEATURE ? "it uses what this version does not know"
                                                      : "its data is not valid";
}

// When a table of some kilobytes cannot be allocated, the decoder reads what it has never set
// (libwebp 1.2.4): it is not begun unless there is memory for all of them.
static bool can_allocate_tables(void)
{
    void* probe = pelt_allocate(1 << 20, 1);
    pelt_release(probe);
    return probe != NULL;
}

static VP8StatusCode decode_into(const pelt_picture* out, const pelti_picture_source* source)
{
    WebPDecoderConfig config;
    if (!can_allocate_tables())
    {
        return VP8_STATUS_OUT_OF_MEMORY;
    }
    if (!WebPInitDecoderConfig(&config))
    {
        return VP8_STATUS_INVALID_PARAM;
    }
    size_t stride = (size_t)out->width * sizeof *out->pixels;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = (uint8_t*)out->pixels;
    config.output.u.RGBA.stride = (int)stride;
    config.output.u.RGBA.size = stride * out->height;
    return WebPDecode(source->bytes, source->size, &config);
}

static pelt_result decode_still(pelt_picture* out, const pelti_picture_source* source,
                                pelt_error* error)
{
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(source->bytes, source->size, &features);
    if (status != VP8_STATUS_OK)
    {
        return pelti_picture_broken(source, "WebP", words_for(status), error);
    }
    PELT_TRY(pelti_picture_make(out, source, (uint32_t)features.width, (uint32_t)features.height,
                                error));
    status = decode_into(out, source);
    if (status == VP8_STATUS_OUT_OF_MEMORY)
    {
        return pelt_error_memory(error);
    }
    return status == VP8_STATUS_OK
               ? PELT_OK
               : pelti_picture_broken(source, "WebP", "its data is cut off or not valid", error);
}

// An animation: the first frame, on a canvas that it may not fill.
static pelt_result decode_first_frame(pelt_picture* out, WebPMux* mux,
                                      const pelti_picture_source* source, pelt_error* error)
{
    int width = 0, height = 0;
    WebPMuxFrameInfo frame = {0};
    WebPMuxError status = WebPMuxGetCanvasSize(mux, &width, &height);
    status = status == WEBP_MUX_OK ? WebPMuxGetFrame(mux, 1, &frame) : status;
    if (status == WEBP_MUX_MEMORY_ERROR)
    {
        return pelt_error_memory(error);
    }
    if (status != WEBP_MUX_OK)
    {
        return pelti_picture_broken(source, "WebP", "it has no first frame", error);
    }
    const pelti_picture_source inner = {frame.bitstream.bytes, frame.bitstream.size, source->name,
                                        source->most_pixels};
    pelt_picture still = {0};
    pelt_result result = pelti_picture_make(out, source, (uint32_t)width, (uint32_t)height, error);
    if (result == PELT_OK)
    {
        result = decode_still(&still, &inner, error);
    }
    if (result == PELT_OK)
    {
        pelt_picture_blit(out, frame.x_offset, frame.y_offset, &still);
    }
    pelt_picture_destroy(&still);
    WebPDataClear(&frame.bitstream);
    return result;
}

pelt_result pelti_webp_decode(pelt_picture* out, const pelti_picture_source* source,
                              pelt_error* error)
{
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(source->bytes, source->size, &features);
    if (status != VP8_STATUS_OK || !features.has_animation)
    {
        return decode_still(out, source, error);
    }
    const WebPData data = {source->bytes, source->size};
    WebPMux* mux = WebPMuxCreate(&data, 0);
    if (mux == NULL)
    {
        return pelti_picture_broken(source, "WebP", "its frames are cut off or not valid", error);
    }
    pelt_result result = decode_first_frame(out, mux, source, error);
    WebPMuxDelete(mux);
    return result;
}
