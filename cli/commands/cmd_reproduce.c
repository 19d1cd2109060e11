// SPDX-License-Identifier: MIT
// pelt reproduce: published figures next to the same figures measured here.
#include "bench_json.h"
#include "commands.h"
#include "demo_pictures.h"
#include "pelt/io.h"
#include "reproduce/reproduce.h"
#include "terminal.h"

#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CHOICE_MAX = 256,
    PLOT_FILE_MAX = 24,
    PATH_SIZE = 4096,
};

static const arg_option options[] = {
    {.name = "quick", .kind = ARG_FLAG, .help = "shorter runs: all rows within two minutes"},
    {.name = "list", .kind = ARG_FLAG, .help = "list what there is, and measure nothing"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder for reproduction.json, reproduction.csv, plots (SVG) and pictures (PNG)"},
    {0},
};

typedef struct choice
{
    const reproduce_document* document;
    const reproduce_item* item;
} choice;

typedef struct reproduce_job
{
    reproduction work;
    plot plots_of_item[REPRODUCE_PLOT_MAX];
    uint32_t count;
    choice choices[CHOICE_MAX];
    uint32_t agree_count, differ_count, unjudged_count;
    json_t* items;
    text_stream csv;
    uint32_t plot_count;
    char plot_paths[PLOT_FILE_MAX][PATH_SIZE];
    text_stream plots[PLOT_FILE_MAX]; // SVG
    bool is_json;
    const char* folder; // NULL: none
    output text;
} reproduce_job;

// ---------------------------------------------------------------------------------------------
// Choosing

static int unknown_document(const char* name, const reproduce_document* const* documents,
                            uint32_t count)
{
    const char* names[16];
    for (uint32_t i = 0; i < count; ++i)
    {
        names[i] = documents[i]->name;
    }
    return args_unknown_name("document", name, names, count);
}

static int unknown_item(const char* name, const reproduce_document* document)
{
    const char* names[CHOICE_MAX];
    for (uint32_t i = 0; i < document->item_count; ++i)
    {
        names[i] = document->items[i].name;
    }
    return args_unknown_name("item", name, names, document->item_count);
}

// @param what  "DOCUMENT" or "DOCUMENT:ITEM"; NULL: everything
static int choose(reproduce_job* out, const char* what)
{
    const reproduce_document* const* documents;
    uint32_t count = reproduce_document_list(&documents);
    size_t length = what != NULL ? strcspn(what, ":") : 0;
    const char* item = what != NULL && what[length] == ':' ? what + length + 1 : NULL;
    const reproduce_document* found = NULL;
    for (uint32_t i = 0; i < count; ++i)
    {
        const reproduce_document* document = documents[i];
        bool fits = what == NULL || (strlen(document->name) == length &&
                                     strncmp(document->name, what, length) == 0);
        found = fits ? document : found;
        for (uint32_t k = 0; fits && k < document->item_count; ++k)
        {
            if (item == NULL || strcmp(document->items[k].name, item) == 0)
            {
                PELT_ASSERT(out->count < CHOICE_MAX);
                out->choices[out->count++] = (choice){document, &document->items[k]};
            }
        }
    }
    if (found == NULL)
    {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length, what);
        return unknown_document(name, documents, count);
    }
    return out->count > 0 ? EXIT_DONE : unknown_item(item, found);
}

static int list(const reproduce_job* in, bool is_json)
{
    if (is_json)
    {
        json_t* items = json_array();
        for (uint32_t i = 0; i < in->count; ++i)
        {
            const reproduce_item* item = in->choices[i].item;
            json_array_append_new(
                items, json_pack("{s:s, s:s, s:s, s:o, s:o, s:b}", "document",
                                 in->choices[i].document->name, "item", item->name, "title",
                                 item->title, "command", output_string(item->command), "remark",
                                 output_string(item->remark), "measured", item->measure != NULL));
        }
        return output_json(items, NULL);
    }
    output out;
    TRY(output_open(&out, NULL));
    table rows;
    table_begin(&rows, "lll", (const char* const[]){"ITEM", "WHAT IT IS", "MEASURED"});
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const reproduce_item* item = in->choices[i].item;
        table_cell(&rows, "%s:%s", in->choices[i].document->name, item->name);
        table_cell(&rows, "%s", item->title);
        table_cell(&rows, "%s", item->measure != NULL ? "yes" : "-");
    }
    bool is_whole = table_end(&rows, out.stream);
    return is_whole ? output_close(&out) : output_fail(&out);
}

// ---------------------------------------------------------------------------------------------
// Results

static json_t* describe_row(const reproduce_row* row)
{
    bool is_number = isfinite(row->published_number);
    return json_pack("{s:s, s:o, s:o, s:s, s:o}", "what", row->what, "published",
                     is_number                   ? output_real(row->published_number)
                     : row->published[0] != '\0' ? output_string(row->published)
                                                 : json_null(),
                     "measured", output_real(row->measured), "unit", row->unit, "verdict",
                     row->verdict != REPRODUCE_UNJUDGED
                         ? output_string(reproduce_verdict_name(row->verdict))
                         : json_null());
}

static void put_csv(FILE* out, const char* text)
{
    fputc('"', out);
    for (const char* c = text; *c != '\0'; ++c)
    {
        fputs(*c == '"' ? "\"\"" : (char[]){*c, '\0'}, out);
    }
    fputs("\",", out);
}

static void keep_rows(reproduce_job* inout, const choice* from, const char* state)
{
    const reproduce_item* item = from->item;
    json_t* rows = json_array();
    for (uint32_t i = 0; i < inout->work.row_count; ++i)
    {
        const reproduce_row* row = &inout->work.rows[i];
        inout->agree_count += row->verdict == REPRODUCE_AGREES;
        inout->differ_count += row->verdict == REPRODUCE_DIFFERS;
        inout->unjudged_count += row->verdict == REPRODUCE_UNJUDGED;
        json_array_append_new(rows, describe_row(row));
        FILE* csv = inout->csv.stream;
        put_csv(csv, from->document->name);
        put_csv(csv, item->name);
        put_csv(csv, row->what);
        put_csv(csv, row->published);
        isfinite(row->measured) ? fprintf(csv, "%.9g,", row->measured) : fputs(",", csv);
        put_csv(csv, row->unit);
        fprintf(csv, "%s\n", reproduce_verdict_name(row->verdict));
    }
    json_array_append_new(inout->items,
                          json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:o}", "document",
                                    from->document->name, "item", item->name, "title", item->title,
                                    "command", output_string(item->command), "remark",
                                    output_string(item->remark), "state", state, "rows", rows));
}

static void print_number(table* out, double value)
{
    if (!isfinite(value))
    {
        table_cell(out, "-");
        return;
    }
    bool is_plain = value == 0.0 || (fabs(value) >= 1e-3 && fabs(value) < 1e6);
    table_cell(out, is_plain ? "%.4g" : "%.2e", value);
}

static bool print_rows(reproduce_job* inout, const choice* from, const char* state)
{
    FILE* stream = inout->text.stream;
    const reproduce_item* item = from->item;
    fprintf(stream, "%s:%s: %s\n", from->document->name, item->name, item->title);
    bool is_whole = true;
    if (inout->work.row_count > 0)
    {
        table rows;
        table_begin(&rows, "llrll", (const char* const[]){"WHAT", "PUBLISHED", "HERE", "UNIT", ""});
        for (uint32_t i = 0; i < inout->work.row_count; ++i)
        {
            const reproduce_row* row = &inout->work.rows[i];
            table_cell(&rows, "%s", row->what);
            if (isfinite(row->published_number))
            {
                print_number(&rows, row->published_number);
            }
            else
            {
                table_cell(&rows, "%s", row->published[0] != '\0' ? row->published : "-");
            }
            print_number(&rows, row->measured);
            table_cell(&rows, "%s", row->unit);
            table_cell(&rows, "%s", reproduce_verdict_name(row->verdict));
        }
        is_whole = table_end(&rows, stream);
    }
    else if (strcmp(state, "measured") != 0)
    {
        fprintf(stream, "  %s\n", state);
    }
    fprintf(stream, item->remark != NULL ? "  %s\n\n" : "\n", item->remark);
    return is_whole;
}

// @param index  of the plots of the item; those after the first have their number in the name
static int keep_plot(reproduce_job* inout, const choice* from, uint32_t index)
{
    char number[16] = "";
    if (index > 0)
    {
        snprintf(number, sizeof number, "_%u", index + 1);
    }
    PELT_ASSERT(inout->plot_count < PLOT_FILE_MAX);
    text_stream* text = &inout->plots[inout->plot_count];
    snprintf(inout->plot_paths[inout->plot_count++], PATH_SIZE, "%s/%s_%s%s.svg", inout->folder,
             from->document->name, from->item->name, number);
    if (!text_stream_open(text))
    {
        return message_memory();
    }
    plot_draw(text->stream, &inout->plots_of_item[index]);
    return text_stream_close(text) ? EXIT_DONE : message_memory();
}

// Without OpenGL, items that need it are left out.
static int run_item(reproduce_job* inout, const choice* from)
{
    const reproduce_item* item = from->item;
    const char* state = item->measure != NULL ? "measured" : "nothing to measure";
    char label[128];
    pelt_error error = {0};
    reproduction* work = &inout->work;
    work->row_count = 0;
    memset(inout->plots_of_item, 0, sizeof inout->plots_of_item);
    work->plot = inout->plots_of_item;
    snprintf(label, sizeof label, "%s:%s", from->document->name, item->name);
    if (item->measure != NULL)
    {
        progress_next(label);
        pelt_result result = item->measure(work, &error);
        progress_next(NULL);
        bool is_absent = result == PELT_ERROR_UNSUPPORTED && item->needs_gl;
        if (is_absent)
        {
            state = "needs OpenGL";
            message_note("%s is left out: %s", label, error.message);
        }
        else if (result != PELT_OK)
        {
            return message_error(result, &error);
        }
    }
    if (work->is_out_of_memory)
    {
        return message_memory();
    }
    keep_rows(inout, from, state);
    if (!inout->is_json && !print_rows(inout, from, state))
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < REPRODUCE_PLOT_MAX && inout->folder != NULL; ++i)
    {
        if (inout->plots_of_item[i].series_count > 0)
        {
            TRY(keep_plot(inout, from, i));
        }
    }
    return EXIT_DONE;
}

static json_t* describe(reproduce_job* inout)
{
    char machine[128];
    bench_machine_write(machine, sizeof machine);
    return json_pack("{s:s, s:i, s:s, s:b, s:i, s:i, s:i, s:O}", "machine", machine, "threads",
                     (int)bench_thread_count(), "version", PELT_VERSION_STRING, "quick",
                     inout->work.is_quick, "agree", (int)inout->agree_count, "differ",
                     (int)inout->differ_count, "not_judged", (int)inout->unjudged_count, "items",
                     inout->items);
}

static int draw_pictures(const reproduce_job* in)
{
    const char* files[CHOICE_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const char* file = in->choices[i].item->picture;
        bool is_new = file != NULL;
        for (uint32_t k = 0; is_new && k < count; ++k)
        {
            is_new = strcmp(files[k], file) != 0;
        }
        files[count] = file;
        count += is_new;
    }
    const demo_pictures pictures = {.folder = in->folder, .files = files, .file_count = count};
    return count > 0 ? demo_pictures_make(&pictures) : EXIT_DONE;
}

// All files, or none; then pictures.
static int save(reproduce_job* inout)
{
    char json_path[PATH_SIZE], csv_path[PATH_SIZE];
    pelt_file files[2 + PLOT_FILE_MAX];
    snprintf(json_path, sizeof json_path, "%s/reproduction.json", inout->folder);
    snprintf(csv_path, sizeof csv_path, "%s/reproduction.csv", inout->folder);
    output own = {0};
    const output* json = inout->is_json ? &inout->text : &own;
    TRY(inout->is_json ? EXIT_DONE : output_json_prepare(&own, describe(inout), NULL));
    files[0] =
        (pelt_file){.path = json_path, .bytes = json->content.text, .size = json->content.size};
    files[1] = (pelt_file){.path = csv_path, .bytes = inout->csv.text, .size = inout->csv.size};
    for (uint32_t i = 0; i < inout->plot_count; ++i)
    {
        files[2 + i] = (pelt_file){.path = inout->plot_paths[i],
                                   .bytes = inout->plots[i].text,
                                   .size = inout->plots[i].size};
    }
    pelt_error error = {0};
    int code = message_error(pelt_save_files(files, 2 + inout->plot_count, &error), &error);
    output_discard(&own);
    return code == EXIT_DONE && !inout->work.is_quick ? draw_pictures(inout) : code;
}

static int run_all(reproduce_job* inout)
{
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        TRY(run_item(inout, &inout->choices[i]));
    }
    if (!text_stream_close(&inout->csv))
    {
        return message_memory();
    }
    // What goes to the standard output is complete before files are written: printing it cannot run
    // out of memory.
    if (inout->is_json)
    {
        TRY(output_json_prepare(&inout->text, describe(inout), NULL));
    }
    else if (!text_stream_close(&inout->text.content))
    {
        return message_memory();
    }
    return inout->folder != NULL ? save(inout) : EXIT_DONE;
}

static int run_job(reproduce_job* inout)
{
    output_folder folder = {0};
    if (inout->folder != NULL)
    {
        TRY(output_folder_make(&folder, inout->folder));
    }
    inout->items = json_array();
    int code = inout->items != NULL && text_stream_open(&inout->csv) ? EXIT_DONE : message_memory();
    if (code == EXIT_DONE && !inout->is_json)
    {
        code = output_open(&inout->text, NULL);
    }
    if (code == EXIT_DONE)
    {
        fputs("document,item,what,published,measured,unit,verdict\n", inout->csv.stream);
        code = run_all(inout);
    }
    if (code == EXIT_DONE)
    {
        code = output_deliver(&inout->text);
    }
    else
    {
        output_discard(&inout->text);
    }
    if (code == EXIT_DONE)
    {
        message_note("%u figures agree, %u differ, %u are not judged: another machine or character",
                     inout->agree_count, inout->differ_count, inout->unjudged_count);
    }
    else if (inout->folder != NULL)
    {
        output_folder_unmake(&folder);
    }
    text_stream_free(&inout->csv);
    for (uint32_t i = 0; i < inout->plot_count; ++i)
    {
        text_stream_free(&inout->plots[i]);
    }
    json_decref(inout->items);
    reproduction_destroy(&inout->work);
    return code;
}

static int run(const args* arguments)
{
    static reproduce_job job; // large
    job = (reproduce_job){.work = {.is_quick = args_is_set(arguments, "quick")},
                          .is_json = args_is_set(arguments, "json"),
                          .folder = args_text(arguments, "output", NULL)};
    TRY(choose(&job, arguments->operand_count > 0 ? arguments->operands[0] : NULL));
    if (args_is_set(arguments, "list"))
    {
        return list(&job, job.is_json);
    }
    if (job.folder != NULL)
    {
        TRY(output_folder_check(job.folder));
    }
    return run_job(&job);
}

const args_command cmd_reproduce = {
    .name = "reproduce",
    .summary = "measure what the papers report, next to their figures",
    .operands = "[DOCUMENT[:ITEM]]",
    .description =
        "Measures the tables, figures, algorithms and experiments of the five documents that pelt\n"
        "is built on, and prints each published figure next to the one measured here:\n"
        "bittner2019, le2016, textures2021 (the thesis on animation textures), mix2019 (that on\n"
        "the deform factor) and tarini2014. A figure agrees, differs, or is not judged, where it\n"
        "depends on the machine or on a character that is not public. docs/reproduction.md has\n"
        "all of them, with the reasons of what differs. Takes minutes without --quick.",
    .example = "pelt reproduce le2016:figure2 -o figure2",
    .max_operands = 1,
    .tables = {options, args_common},
    .run = run,
};
