// SPDX-License-Identifier: MIT
// JPEG, by libjpeg.
#include "picture_codec.h"

#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>
#include <string.h>

enum
{
    // A progressive file may repeat itself in scans without end, each over the whole picture. Real
    // ones have about ten.
    SCAN_LIMIT = 64,
};

typedef struct jpeg_reader
{
    struct jpeg_error_mgr manager; // first: libjpeg hands back a pointer to it
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct info;
    jmp_buf escape;
    const pelti_picture_source* source;
    pelt_picture* out;
    pelt_result result; // what went wrong in pelt itself
    pelt_error* error;
    char reason[JMSG_LENGTH_MAX];
} jpeg_reader;

// libjpeg does not survive an error handler that returns: this jump is the only way out of it, and
// it lands in run_reader() below, never in code of others.
static void leave(j_common_ptr info)
{
    jpeg_reader* reader = (jpeg_reader*)(void*)info->err;
    info->err->format_message(info, reader->reason);
    longjmp(reader->escape, 1);
}

// A warning, with level -1, is where libjpeg makes up data. What is cut off is refused; oddities
// that change nothing, such as bytes between markers, are not.
static void weigh_message(j_common_ptr info, int level)
{
    int code = info->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER))
    {
        leave(info);
    }
}

static void count_scans(j_common_ptr info)
{
    j_decompress_ptr reader = (j_decompress_ptr)info;
    if (info->is_decompressor && reader->input_scan_number > SCAN_LIMIT)
    {
        ERREXIT(info, JERR_BAD_PROGRESSION);
    }
}

// libjpeg gives three bytes for a pixel: spread them from the end, where nothing is overwritten
// before it is read.
static void widen_row(pelt_color* row, uint32_t width)
{
    const uint8_t* packed = (const uint8_t*)row;
    for (uint32_t x = width; x-- > 0;)
    {
        pelt_color color = {packed[3 * x], packed[3 * x + 1], packed[3 * x + 2], 255};
        row[x] = color;
    }
}

static void read_rows(jpeg_reader* reader)
{
    struct jpeg_decompress_struct* info = &reader->info;
    jpeg_create_decompress(info);
    info->progress = &reader->progress;
    jpeg_mem_src(info, reader->source->bytes, (unsigned long)reader->source->size);
    jpeg_read_header(info, TRUE);
    reader->result = pelti_picture_make(reader->out, reader->source, info->image_width,
                                        info->image_height, reader->error);
    if (reader->result != PELT_OK)
    {
        return;
    }
    info->out_color_space = JCS_RGB;
    info->dct_method = JDCT_ISLOW; // the one method that is the same everywhere
    jpeg_start_decompress(info);
    while (info->output_scanline < info->output_height)
    {
        pelt_color* row = reader->out->pixels + (size_t)info->output_scanline * reader->out->width;
        JSAMPROW rows[1] = {(JSAMPROW)row};
        jpeg_read_scanlines(info, rows, 1);
        widen_row(row, reader->out->width);
    }
    jpeg_finish_decompress(info);
}

// Everything that lives across the jump is in *reader: locals would be lost.
static bool run_reader(jpeg_reader* reader)
{
    if (setjmp(reader->escape) != 0)
    {
        return false;
    }
    read_rows(reader);
    return true;
}

pelt_result pelti_jpeg_decode(pelt_picture* out, const pelti_picture_source* source,
                              pelt_error* error)
{
    jpeg_reader reader = {.source = source, .out = out, .error = error};
    reader.info.err = jpeg_std_error(&reader.manager);
    reader.manager.error_exit = leave;
    reader.manager.emit_message = weigh_message;
    reader.progress.progress_monitor = count_scans;

    bool is_done = run_reader(&reader);
    jpeg_destroy_decompress(&reader.info);
    if (!is_done && reader.manager.msg_code == JERR_OUT_OF_MEMORY)
    {
        return pelt_error_memory(error);
    }
    if (!is_done && reader.manager.msg_code == JERR_CONVERSION_NOTIMPL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: its colors are made for print (CMYK); save it as RGB",
                              source->name);
    }
    return is_done ? reader.result : pelti_picture_broken(source, "JPEG", reader.reason, error);
}
