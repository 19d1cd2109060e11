// SPDX-License-Identifier: MIT
#include "compare_job.h"

#include "compare_report.h"
#include "output.h"
#include "pelt/io.h"
#include "terminal.h"

enum
{
    PATH_SIZE = 4096,
};

// Texts are complete before the first file is moved to its path.
typedef struct compare_texts
{
    output html, json, words;
    char html_path[PATH_SIZE], json_path[PATH_SIZE];
} compare_texts;

static int prepare_text(output* out, const char* path, const compare_report* report,
                        bool (*write)(FILE*, const compare_report*))
{
    TRY(output_open(out, path));
    bool is_whole = write(out->stream, report);
    return is_whole && text_stream_close(&out->content) ? EXIT_DONE : output_fail(out);
}

static int prepare_all(compare_texts* out, const compare_job* job, const compare_report* report)
{
    snprintf(out->html_path, sizeof out->html_path, "%s/report.html", job->folder);
    snprintf(out->json_path, sizeof out->json_path, "%s/report.json", job->folder);
    TRY(prepare_text(&out->html, out->html_path, report, compare_as_html));
    TRY(output_json_prepare(&out->json, compare_as_json(report), out->json_path));
    if (job->words == COMPARE_TEXT)
    {
        TRY(prepare_text(&out->words, NULL, report, compare_as_text));
    }
    return EXIT_DONE;
}

// Both files, or none.
static int deliver(compare_texts* inout, const compare_job* job)
{
    output_folder folder;
    TRY(output_folder_make(&folder, job->folder));
    pelt_error error = {0};
    const pelt_file files[] = {
        {inout->json_path, inout->json.content.text, inout->json.content.size},
        {inout->html_path, inout->html.content.text, inout->html.content.size}};
    pelt_result result = pelt_save_files(files, 2, &error);
    if (result != PELT_OK)
    {
        output_folder_unmake(&folder);
        return message_error(result, &error);
    }
    message_note("wrote %s and report.json", inout->html_path);
    inout->json.path = NULL; // the standard output
    return output_deliver(job->words == COMPARE_JSON ? &inout->json : &inout->words);
}

static int write_all(const compare_job* job, const compare_report* report)
{
    compare_texts texts = {0};
    int code = prepare_all(&texts, job, report);
    code = code == EXIT_DONE ? deliver(&texts, job) : code;
    output_discard(&texts.html);
    output_discard(&texts.json);
    output_discard(&texts.words);
    return code;
}

static int draw(figure_list* inout, contender_cost* costs, const comparison* in,
                const compare_job* job)
{
    if (job->is_plain)
    {
        snprintf(inout->reason, sizeof inout->reason, "they were not asked for.");
        return EXIT_DONE;
    }
    int code = figure_list_draw(inout, job->is_untimed ? NULL : costs, in);
    if (code == EXIT_DONE && inout->reason[0] != '\0')
    {
        message_note("the report has %s pictures: %s", inout->picture_count > 0 ? "fewer" : "no",
                     inout->reason);
    }
    return code;
}

int compare_job_run(const compare_job* job)
{
    comparison data;
    contender_cost costs[CONTENDER_MAX];
    verdict why;
    figure_list figures = {0};
    int code = comparison_run(&data, &job->request);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    contender_costs_count(costs, &data);
    if ((!job->is_untimed && contender_costs_measure(costs, &data) != PELT_OK) ||
        verdict_reach(&why, &data, costs, data.arena) != PELT_OK)
    {
        code = message_memory();
        goto cleanup;
    }
    code = figure_list_choose(&figures, &data, &why, job->figure_count);
    code = code == EXIT_DONE ? draw(&figures, costs, &data, job) : code;
    if (code == EXIT_DONE)
    {
        code = write_all(job, &(compare_report){&data, costs, &why, &figures});
    }
cleanup:
    figure_list_destroy(&figures);
    comparison_destroy(&data);
    return code;
}
