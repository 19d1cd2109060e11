// SPDX-License-Identifier: MIT
#include "pack_request.h"

#include "output.h"
#include "pelt/pelt.h"
#include "terminal.h"

#include <math.h>

enum
{
    FRAME_LIMIT = 64, // in which vertices are compared, over all clips
};

const arg_option pack_request_options[] = {
    {.name = "quantize",
     .kind = ARG_FLAG,
     .help = "store positions, weights, UVs and rotations in 16 bits, normals and tangents in 8 "
             "(KHR_mesh_quantization), and say how far vertices are off; .glb only"},
    {.name = "meshopt",
     .kind = ARG_FLAG,
     .help = "compress everything but images, without loss (EXT_meshopt_compression); .glb only"},
    {0},
};

bool pack_request_is_set(const args* arguments)
{
    return args_is_set(arguments, "quantize") || args_is_set(arguments, "meshopt");
}

int pack_request_check(const args* arguments, const output_file* file)
{
    const char* option = args_is_set(arguments, "quantize") ? "quantize" : "meshopt";
    return !pack_request_is_set(arguments) || file->format == PELT_FORMAT_GLB
               ? EXIT_DONE
               : message_usage("--%s is for GLB files; give a file that ends in .glb", option);
}

// ---------------------------------------------------------------------------------------------
// What quantization loses

// Both scenes in one pose, deformed by lbs.
typedef struct pair
{
    const pelt_scene* scenes[2];
    pelt_frame frames[2];
    pelt_pose poses[2];
} pair;

static pelt_result create_pair(pair* out)
{
    for (int i = 0; i < 2; ++i)
    {
        PELT_TRY(pelt_frame_create(&out->frames[i], out->scenes[i]));
        PELT_TRY(pelt_pose_create(&out->poses[i], out->scenes[i]));
    }
    return PELT_OK;
}

static void destroy_pair(pair* in)
{
    for (int i = 0; i < 2; ++i)
    {
        pelt_frame_destroy(&in->frames[i]);
        pelt_pose_destroy(&in->poses[i]);
    }
}

static void compare(pack_result* inout, pair* in)
{
    pelt_bounds box = pelt_bounds_empty();
    for (int i = 0; i < 2; ++i)
    {
        pelt_frame_update(&in->frames[i], in->scenes[i], &in->poses[i], &(pelt_deform_options){0});
    }
    for (uint32_t i = 0; i < in->scenes[0]->instance_count; ++i)
    {
        uint32_t count = in->scenes[0]->meshes[in->scenes[0]->instances[i].mesh].vertex_count;
        const pelt_vec3* before = in->frames[0].surfaces[i].positions;
        const pelt_vec3* after = in->frames[1].surfaces[i].positions;
        pelt_bounds_add(&box, before, count);
        for (uint32_t v = 0; v < count; ++v)
        {
            double offset = (double)pelt_vec3_distance(before[v], after[v]);
            inout->largest_offset = fmax(inout->largest_offset, offset);
        }
    }
    inout->height = fmax(inout->height, (double)(box.max.y - box.min.y));
}

static void compare_clips(pack_result* inout, pair* in)
{
    uint32_t clip_count = in->scenes[0]->clip_count;
    compare(inout, in); // the stored pose
    for (uint32_t i = 0; i < FRAME_LIMIT && clip_count > 0; ++i)
    {
        // Clips alternate, each at times that are evenly spaced.
        uint32_t clip = i % clip_count, count = (FRAME_LIMIT - 1 - clip) / clip_count + 1;
        float part = ((float)(i / clip_count) + 0.5f) / (float)count;
        for (int k = 0; k < 2; ++k)
        {
            const pelt_clip* played = &in->scenes[k]->clips[clip];
            pelt_pose_sample(&in->poses[k], in->scenes[k], played, part * played->duration,
                             PELT_WRAP_CLAMP);
        }
        compare(inout, in);
    }
}

static int measure(pack_result* inout, const pelt_source* before, const pelt_source* after)
{
    pelt_error error = {0};
    pelt_scene* scenes[2] = {NULL, NULL};
    pelt_result result = pelt_load_memory(&scenes[0], before, NULL, &error);
    result = result == PELT_OK ? pelt_load_memory(&scenes[1], after, NULL, &error) : result;
    if (result == PELT_OK)
    {
        pair both = {.scenes = {scenes[0], scenes[1]}};
        result = create_pair(&both);
        if (result == PELT_OK)
        {
            compare_clips(inout, &both);
        }
        else
        {
            pelt_error_memory(&error);
        }
        destroy_pair(&both);
    }
    pelt_scene_destroy(scenes[0]);
    pelt_scene_destroy(scenes[1]);
    return message_error(result, &error);
}

// ---------------------------------------------------------------------------------------------

int pack_request_apply(pack_result* out, pelt_source* inout, const args* arguments)
{
    *out = (pack_result){.options = {.is_quantized = args_is_set(arguments, "quantize"),
                                     .is_compressed = args_is_set(arguments, "meshopt")}};
    pelt_error error = {0};
    pelt_source packed;
    TRY(message_error(pelt_pack_glb(&packed, inout, &out->options, &out->packed, &error), &error));
    int code = out->options.is_quantized ? measure(out, inout, &packed) : EXIT_DONE;
    if (code != EXIT_DONE)
    {
        pelt_source_release(&packed);
        return code;
    }
    pelt_source_release(inout);
    *inout = packed;
    return EXIT_DONE;
}

void pack_request_print(const pack_result* in)
{
    const pelt_pack_report* packed = &in->packed;
    if (in->options.is_quantized)
    {
        message_note("quantized: vertices are at most %.3g mm off in the clips, %.2g mm per meter "
                     "of height",
                     1e3 * in->largest_offset,
                     in->height > 0.0 ? 1e3 * in->largest_offset / in->height : 0.0);
        if (packed->unpacked_count > 0)
        {
            message_note(
                "%u %s positions as floats: shown without a skin, or beyond the range of "
                "a grid",
                packed->unpacked_count,
                message_plural(packed->unpacked_count, "mesh keeps its", "meshes keep their"));
        }
        if (packed->has_prepared)
        {
            message_note("what pelt enhance had added was computed again for the quantized meshes");
        }
    }
    if (in->options.is_quantized || in->options.is_compressed)
    {
        message_note("%zu bytes in place of %zu", packed->bytes, packed->bytes_before);
    }
}

void pack_request_describe(json_t* report, const pack_result* in)
{
    const pelt_pack_report* packed = &in->packed;
    bool is_set = in->options.is_quantized || in->options.is_compressed;
    bool is_measured = in->options.is_quantized;
    json_object_set_new(
        report, "packed",
        !is_set ? json_null()
                : json_pack("{s:b, s:b, s:I, s:I, s:I, s:I, s:o}", "quantized", is_measured,
                            "compressed", in->options.is_compressed, "bytes_before",
                            (json_int_t)packed->bytes_before, "bytes", (json_int_t)packed->bytes,
                            "meshes", (json_int_t)packed->mesh_count, "unpacked",
                            (json_int_t)packed->unpacked_count, "max_error",
                            is_measured ? output_real(in->largest_offset) : json_null()));
}
