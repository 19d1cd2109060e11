// SPDX-License-Identifier: MIT
#include "bake_report.h"

#include "terminal.h"

#include <math.h>
#include <string.h>

enum
{
    CLIP_LETTERS = 14, // of the table, which is to fit in 100 columns
    JOINT_LETTERS = 13,
};

// A rotation by 45 degrees from one key to the next: 1 - sin(a) / a.
static const float large_chord = 0.1f;

// ---------------------------------------------------------------------------------------------
// Words

// Three digits, but no more than micrometers.
static void put_length(table* out, double meters)
{
    double mm = 1e3 * meters;
    table_cell(out, "%.*f", mm < 10.0 ? 3 : mm < 100.0 ? 2 : mm < 1000.0 ? 1 : 0, mm);
}

static void put_name(table* out, const char* name, uint32_t letters)
{
    char text[128];
    snprintf(text, sizeof text, "%s", name != NULL ? name : "-");
    terminal_text_cut(text, letters);
    table_cell(out, "%s", text);
}

static float rate_of(const pelt_baked_clip* clip)
{
    float rate = 0.0f;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        rate = fmaxf(rate, clip->runs[i].rate);
    }
    return rate;
}

// NULL where a bake of vertices has no joints.
static const char* joint_name(const pelt_baked* baked, uint32_t joint)
{
    return joint < baked->joint_count ? baked->joints[joint].name : NULL;
}

static void put_row(table* list, const bake_job* in, uint32_t index)
{
    const pelt_baked_clip* clip = &in->baked->clips[index];
    const pelt_bake_error* error = &in->report.clips[index].error;
    const char* joint = joint_name(in->baked, error->worst_joint);
    put_name(list, clip->name, CLIP_LETTERS);
    table_cell(list, "%u", clip->key_count);
    table_cell(list, "%.4g", (double)rate_of(clip));
    table_cell(list, "%.2f", (double)clip->duration);
    put_length(list, error->max);
    put_length(list, error->max_at_keys);
    put_length(list, error->p99);
    put_length(list, error->rms);
    table_cell(list, "%.2f", error->normal_max);
    put_name(list, joint, JOINT_LETTERS);
    table_cell(list, "%.2f", (double)error->worst_time);
}

bool bake_report_print(FILE* stream, const bake_job* in)
{
    const pelt_baked* baked = in->baked;
    const pelt_bake_error* error = &in->report.error;
    table list;
    table_begin(&list, "lrrrrrrrrlr",
                (const char* const[]){"CLIP", "KEYS", "HZ", "SECONDS", "MAX MM", "AT KEYS", "P99",
                                      "RMS", "NORMAL", "WORST JOINT", "AT"});
    for (uint32_t i = 0; i < in->report.clip_count; ++i)
    {
        put_row(&list, in, i);
    }
    bool is_whole = table_end(&list, stream);
    fprintf(stream,
            "\n  %zu bytes: %u x %u %s, %.3g bytes per joint and key\n"
            "  largest error %.3g mm, %.3g mm per meter of height; normals up to %.2f degrees, "
            "%.2f on average\n",
            pelt_baked_bytes(baked), baked->width, baked->height, pelt_texel_name(baked->texel),
            in->report.bytes_per_joint_key, 1e3 * error->max,
            1e3 * error->max / (double)baked->height_meters, error->normal_max, error->normal_mean);
    return is_whole;
}

// ---------------------------------------------------------------------------------------------
// What was chosen

// "at 30 Hz", "at 24 to 120 Hz".
static void describe_rates(char* out, size_t size, const pelt_baked* baked)
{
    float low = INFINITY, high = 0.0f;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        float rate = rate_of(&baked->clips[i]);
        low = rate > 0.0f ? fminf(low, rate) : low;
        high = fmaxf(high, rate);
    }
    if (high == 0.0f)
    {
        snprintf(out, size, "with one key");
    }
    else if (high - low < 0.005f * high)
    {
        snprintf(out, size, "at %.4g Hz", (double)high);
    }
    else
    {
        snprintf(out, size, "at %.4g to %.4g Hz", (double)low, (double)high);
    }
}

// Why the other encoding was not chosen.
static void describe_other(char* out, size_t size, const pelt_bake_candidate* other,
                           bool has_max_error)
{
    const char* name = pelt_encoding_name(other->encoding);
    if (other->is_given_up)
    {
        snprintf(out, size, "%s would take about %zu bytes", name, other->bytes);
    }
    else if (other->is_met && has_max_error)
    {
        snprintf(out, size, "%s takes %zu bytes", name, other->bytes);
    }
    else if (other->max_error > 0.0)
    {
        snprintf(out, size, "%s reaches %.3g mm", name, 1e3 * other->max_error);
    }
    else
    {
        snprintf(out, size, "%s does not fit", name);
    }
}

void bake_report_note_choice(const bake_job* in)
{
    char rates[64], other[128];
    const pelt_baked* baked = in->baked;
    bool has_max_error = in->bake.max_error > 0.0;
    if (baked->candidate_count < 2)
    {
        return;
    }
    describe_rates(rates, sizeof rates, baked);
    describe_other(other, sizeof other, &baked->candidates[1], has_max_error);
    message_note("chose encoding %s %s, %s: %s", pelt_encoding_name(baked->encoding), rates,
                 has_max_error ? "the fewest bytes within the error"
                               : "the smallest error within the bytes",
                 other);
}

static json_t* describe_candidates(const pelt_baked* baked)
{
    json_t* out = json_array();
    for (uint32_t i = 0; i < baked->candidate_count; ++i)
    {
        const pelt_bake_candidate* own = &baked->candidates[i];
        json_array_append_new(
            out,
            json_pack("{s:s, s:b, s:b, s:o, s:o}", "encoding", pelt_encoding_name(own->encoding),
                      "chosen", i == 0, "given_up", own->is_given_up, "bytes",
                      own->bytes > 0 ? json_integer((json_int_t)own->bytes) : json_null(),
                      "reached", own->max_error > 0.0 ? output_real(own->max_error) : json_null()));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Missing samples

// The time at which the line between two keys leaves the arc most.
typedef struct chord_time
{
    uint32_t clip;
    float error, time;
} chord_time;

static chord_time find_chord(const bake_job* in)
{
    chord_time worst = {0};
    for (uint32_t c = 0; c < in->report.clip_count; ++c)
    {
        const pelt_baked_clip* clip = &in->baked->clips[c];
        for (uint32_t r = 0, key = 0; r < clip->run_count; ++r)
        {
            const pelt_baked_run* run = &clip->runs[r];
            for (uint32_t i = 0; i < run->key_count; ++i, ++key)
            {
                float error = run->is_held ? 0.0f : in->report.clips[c].chord_errors[key];
                if (error > worst.error)
                {
                    float time = run->start + (run->rate > 0.0f ? (float)i / run->rate : 0.0f);
                    worst = (chord_time){c, error, time};
                }
            }
        }
    }
    return worst;
}

void bake_report_note_chords(const bake_job* in)
{
    // With a budget that holds between samples, there are enough samples.
    bool has_budget = in->bake.max_error > 0.0 && in->bake.scope == PELT_BAKE_EVERYWHERE;
    chord_time worst = find_chord(in);
    if (worst.error > large_chord && !has_budget)
    {
        const pelt_baked_clip* clip = &in->baked->clips[worst.clip];
        bool is_local = in->baked->encoding == PELT_ENCODING_LOCAL;
        message_note("samples are far apart in clip %s at %.2f s: a joint rotates so far from one "
                     "key to the next that the straight line misses %.0f %% of the arc; --rate "
                     "%.4g halves the step%s",
                     clip->name, (double)worst.time, 100.0 * (double)worst.error,
                     2.0 * (double)rate_of(clip),
                     is_local ? "" : ", and --encoding local follows the arc");
    }
}

// ---------------------------------------------------------------------------------------------
// JSON

static json_t* describe_error(const bake_job* in, const pelt_bake_error* error)
{
    double height = (double)in->baked->height_meters;
    const struct
    {
        const char *name, *relative;
        double value;
    } lengths[] = {{"max", "max_per_meter", error->max},
                   {"p99", "p99_per_meter", error->p99},
                   {"rms", "rms_per_meter", error->rms},
                   {"max_at_keys", "max_at_keys_per_meter", error->max_at_keys}};
    json_t* out = json_object();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i)
    {
        json_object_set_new(out, lengths[i].name, output_real(lengths[i].value));
        json_object_set_new(out, lengths[i].relative, output_real(lengths[i].value / height));
    }
    json_object_set_new(out, "normal_max_degrees", output_real(error->normal_max));
    json_object_set_new(out, "normal_mean_degrees", output_real(error->normal_mean));
    json_object_set_new(out, "worst_instance", json_integer(error->worst_instance));
    json_object_set_new(out, "worst_vertex", json_integer(error->worst_vertex));
    json_object_set_new(out, "worst_joint",
                        output_string(joint_name(in->baked, error->worst_joint)));
    json_object_set_new(out, "worst_time", output_float(error->worst_time));
    return out;
}

static json_t* describe_joints(const bake_job* in, const pelt_bake_clip_report* clip)
{
    json_t* out = json_array();
    for (uint32_t i = 0; i < in->baked->joint_count; ++i)
    {
        json_array_append_new(out, json_pack("{s:o, s:o}", "name",
                                             output_string(in->baked->joints[i].name), "max",
                                             output_float(clip->joint_errors[i])));
    }
    return out;
}

static json_t* describe_clip(const bake_job* in, uint32_t index)
{
    const pelt_baked_clip* clip = &in->baked->clips[index];
    const pelt_bake_clip_report* report = &in->report.clips[index];
    json_t *out = json_object(), *chords = json_array();
    for (uint32_t i = 0; i < clip->key_count; ++i)
    {
        json_array_append_new(chords, output_float(report->chord_errors[i]));
    }
    json_object_set_new(out, "name", output_string(clip->name));
    json_object_set_new(out, "duration", output_float(clip->duration));
    json_object_set_new(out, "keys", json_integer(clip->key_count));
    json_object_set_new(out, "rate", output_float(rate_of(clip)));
    json_object_set_new(out, "runs", json_integer(clip->run_count));
    json_object_set_new(out, "loops", json_boolean(clip->loops));
    json_object_set_new(out, "error", describe_error(in, &report->error));
    json_object_set_new(out, "joints", describe_joints(in, report));
    json_object_set_new(out, "chord_errors", chords);
    return out;
}

static json_t* describe_budget(const bake_job* in)
{
    const pelt_bake_options* bake = &in->bake;
    double height = bake->is_relative ? (double)in->baked->height_meters : 1.0;
    if (!bake->has_budget)
    {
        return json_null();
    }
    return json_pack("{s:o, s:s, s:o}", "max_error",
                     bake->max_error > 0.0 ? output_real(bake->max_error * height) : json_null(),
                     "scope", bake->scope == PELT_BAKE_AT_SAMPLES ? "samples" : "everywhere",
                     "max_bytes",
                     bake->max_bytes > 0 ? json_integer((json_int_t)bake->max_bytes) : json_null());
}

static json_t* describe_texture(const bake_job* in)
{
    const pelt_baked* baked = in->baked;
    return json_pack("{s:s, s:s, s:i, s:i, s:I, s:o}", "format",
                     pelt_texture_format_name(in->format), "texel", pelt_texel_name(baked->texel),
                     "width", (int)baked->width, "height", (int)baked->height, "bytes",
                     (json_int_t)pelt_baked_bytes(baked), "bytes_per_joint_key",
                     output_real(in->report.bytes_per_joint_key));
}

static json_t* describe_files(const bake_job* in)
{
    const char* endings[8];
    uint32_t count = bake_job_endings(endings, in);
    json_t* out = json_array();
    for (uint32_t i = 0; i < count; ++i)
    {
        char path[BAKE_PATH_MAX];
        bake_job_path(path, in, endings[i]);
        json_array_append_new(out, output_string(path));
    }
    return out;
}

json_t* bake_report_describe(const bake_job* in)
{
    static const char* const timings[] = {"keys", NULL, "auto"};
    const pelt_bake_options* bake = &in->bake;
    bool is_thesis = bake->layout == PELT_BAKE_LAYOUT_THESIS;
    uint32_t bits = bake->bits > 0 ? bake->bits
                    : is_thesis    ? 8
                                   : pelt_encoding_bits_of(bake->encoding).usual;
    json_t *out = json_object(), *clips = json_array();
    for (uint32_t i = 0; i < in->report.clip_count; ++i)
    {
        json_array_append_new(clips, describe_clip(in, i));
    }
    json_object_set_new(out, "input", output_string(in->input));
    json_object_set_new(out, "encoding", output_string(pelt_encoding_name(in->baked->encoding)));
    json_object_set_new(out, "layout", output_string(pelt_bake_layout_name(bake->layout)));
    json_object_set_new(out, "bits", bake->has_budget ? json_null() : json_integer(bits));
    json_object_set_new(out, "rate",
                        bake->timing == PELT_BAKE_RATE ? output_float(bake->rate)
                                                       : output_string(timings[bake->timing]));
    json_object_set_new(out, "budget", describe_budget(in));
    json_object_set_new(out, "candidates", describe_candidates(in->baked));
    json_object_set_new(out, "method", output_string(pelt_method_name(in->measure.deform.method)));
    json_object_set_new(out, "exact", json_boolean(in->measure.deform.is_exact));
    json_object_set_new(out, "height", output_float(in->baked->height_meters));
    json_object_set_new(out, "joints", json_integer(in->baked->joint_count));
    json_object_set_new(out, "texture", describe_texture(in));
    json_object_set_new(out, "error", describe_error(in, &in->report.error));
    json_object_set_new(out, "worst_clip",
                        output_string(in->baked->clips[in->report.worst_clip].name));
    json_object_set_new(out, "clips", clips);
    json_object_set_new(out, "files", describe_files(in));
    json_object_set_new(out, "lost", packed_scene_describe_lost(&in->written));
    json_object_set_new(out, "bake_seconds", output_real(in->bake_seconds));
    json_object_set_new(out, "measure_seconds", output_real(in->measure_seconds));
    return out;
}
