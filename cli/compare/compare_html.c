// SPDX-License-Identifier: MIT
// The HTML page: the recommendation, a picture that shows why, the table; everything else is
// folded.
#include "compare_report.h"

#include "html.h"
#include "pelt/color.h"
#include "pelt/deformer.h"
#include "terminal.h"
#include "wording.h"

#include <math.h>
#include <string.h>

static void put_paragraph(FILE* out, const char* class, const char* text)
{
    fprintf(out, "<p class=\"%s\">", class);
    html_text(out, text);
    fputs("</p>\n", out);
}

// ---------------------------------------------------------------------------------------------
// Head

// Colors of contenders: those of their methods, with dashes where a method is there again.
static void put_series_style(FILE* out, const comparison* in)
{
    static const char* const dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};
    uint32_t seen[PELT_METHOD_COUNT] = {0};
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        pelt_method method = in->contenders.items[i].deform.method;
        pelt_color c = pelt_series_color((uint32_t)method);
        fprintf(out, ".c%u{--base:#%02x%02x%02x;--dash:%s}\n", i, c.r, c.g, c.b,
                dashes[seen[method]++ % 4]);
    }
}

static void put_head(FILE* out, const comparison* in)
{
    html_page_begin(out, in->input, ": skinning methods compared");
    put_series_style(out, in);
    html_page_body(out);
}

// ---------------------------------------------------------------------------------------------
// Recommendation

static void put_subject(FILE* out, const comparison* in)
{
    uint32_t joints = in->info->region_count - 1;
    bool has_clips = in->motions.items[0].kind == MOTION_CLIP;
    fputs("<p class=\"file\"><b>", out);
    html_text(out, in->input);
    fprintf(out, "</b> %u vertices, %u %s, %u %s, %u %s of each method</p>\n",
            in->info->vertex_count, joints, message_plural(joints, "joint", "joints"),
            in->motions.count,
            has_clips ? message_plural(in->motions.count, "clip", "clips")
                      : message_plural(in->motions.count, "motion", "motions"),
            in->motions.frame_count, message_plural(in->motions.frame_count, "frame", "frames"));
}

static void put_item(FILE* out, const char* text)
{
    fputs("<li>", out);
    html_text(out, text);
    fputs("</li>\n", out);
}

static void put_reasons(FILE* out, const verdict* why)
{
    fputs("<ul class=\"reasons\">\n", out);
    for (uint32_t i = 0; i < why->reason_count; ++i)
    {
        put_item(out, why->reasons[i]->text);
    }
    put_item(out, why->cost);
    fputs("</ul>\n", out);
}

static void put_recommendation(FILE* out, const compare_report* r)
{
    const verdict* why = r->why;
    fputs("<header>\n", out);
    put_subject(out, r->data);
    fputs("<h1>", out);
    html_text(out, why->headline);
    fputs("</h1>\n", out);
    put_paragraph(out, "lead", why->summary);
    put_reasons(out, why);
    if (why->caveat.text != NULL)
    {
        fputs("<p class=\"against\"><b>What speaks against it.</b> ", out);
        html_text(out, why->caveat.text);
        fputs("</p>\n", out);
    }
    if (why->shared.text != NULL)
    {
        fputs("<p class=\"against\"><b>What no method mends.</b> ", out);
        html_text(out, why->shared.text);
        fputs("</p>\n", out);
    }
    fputs("</header>\n", out);
}

// ---------------------------------------------------------------------------------------------
// Folded parts

static void put_more_figures(FILE* out, const compare_report* r)
{
    if (r->figures->count < 2)
    {
        return;
    }
    fprintf(out, "<details><summary>%u more %s</summary>\n", r->figures->count - 1,
            message_plural(r->figures->count - 1, "moment", "moments"));
    for (uint32_t i = 1; i < r->figures->count; ++i)
    {
        compare_html_figure(out, r, &r->figures->items[i]);
    }
    fputs("</details>\n", out);
}

static void put_findings(FILE* out, const compare_report* r)
{
    fputs("<details><summary>All findings</summary>\n<ul>\n", out);
    for (uint32_t i = 0; i < r->why->finding_count; ++i)
    {
        put_item(out, r->why->findings[i].text);
    }
    fputs("</ul>\n", out);
    if (r->why->finding_count == 0)
    {
        put_paragraph(out, "note",
                      "No method differs from the others by a hundredth of the "
                      "thickness of a limb.");
    }
    fputs("</details>\n", out);
}

static void put_gpu_note(FILE* out, const figure_list* figures)
{
    fputs("<p class=\"note\">GPU time is the upload of palettes and the skinning of all vertices, "
          "on ",
          out);
    html_text(out, figures->renderer);
    fputs(figures->is_software
              ? ". <b>That is a software driver, which runs on the CPU: its numbers say nothing "
                "about a real GPU.</b></p>\n"
              : ".</p>\n",
          out);
}

static void put_cost_notes(FILE* out, const compare_report* r)
{
    bool is_timed = isfinite(r->costs[0].cpu_seconds);
    fputs("<p class=\"note\">Counted, not measured: bytes. More memory is what a method needs for "
          "each vertex besides joints and weights: crs a center of 12 bytes, a map of mix factors "
          "4. A palette holds the joints of a pose; it is uploaded for every character and "
          "frame.</p>\n",
          out);
    if (is_timed)
    {
        fprintf(out,
                "<p class=\"note\">Measured here: time on the CPU, one thread, positions and "
                "normals, the best of several runs by deformers with %s instructions; lms, sbs, "
                "ddm and dqs-distance have no kernel and take the reference, one vertex after the "
                "other.</p>\n",
                pelt_deformer_isa());
    }
    if (is_timed && r->figures->renderer[0] != '\0')
    {
        put_gpu_note(out, r->figures);
    }
    else
    {
        put_paragraph(out, "note", "Time on a GPU was not measured.");
    }
}

static void put_method(FILE* out, const compare_report* r)
{
    const comparison* in = r->data;
    bool has_clips = in->motions.items[0].kind == MOTION_CLIP;
    fputs("<details><summary>How this was measured</summary>\n", out);
    if (r->why->sampling[0] != '\0')
    {
        put_paragraph(out, "note", r->why->sampling);
    }
    fputs("<dl>\n", out);
    fputs(
        "<dt>Shape error</dt><dd>How far skin has moved toward or away from its nearest bone "
        "since the bind pose, as root mean square over the surface and all frames. "
        "It counts both pinching and bulging, and nothing that moves along with the bone.</dd>\n"
        "<dt>Radius lost</dt><dd>How much thinner the thinnest cross-section around a bone is: "
        "the candy wrapper of a twisted limb.</dd>\n"
        "<dt>Bulge</dt><dd>The largest distance by which skin has moved away from its bone.</dd>\n"
        "<dt>Volume</dt><dd>Between the surface and its bones.</dd>\n"
        "<dt>Strain, creases, normals</dt><dd>Root mean square strain after the best rotation "
        "is taken out; the change of the angle between triangles, and the angle of normals to "
        "the deformed surface, that 95 % of the surface stay within.</dd>\n"
        "<dt>Jumps, cracks</dt><dd>How much farther a vertex moves from frame to frame than its "
        "joints would carry it; the widest gap between vertices that are in one position at "
        "rest.</dd>\n"
        "<dt>Joints</dt><dd>Skin belongs to the joint that bends it most; thickness is the "
        "radius of a round limb with the same volume and area.</dd>\n",
        out);
    fprintf(out,
            "<dt>\u25b2</dt><dd>More than 10 %% of the thickness for shape error and bulge, 10 %% "
            "of the radius, half of the distance to the bone, 5 %% of the "
            "volume.</dd>\n<dt>Frames</dt><dd>%u in all, at most %d per "
            "second, at equal distances in each %s from its first to its last moment.%s</dd>\n",
            in->motions.frame_count, MOTION_RATE, has_clips ? "clip" : "motion",
            has_clips ? ""
                      : " The character has no clips: the joints with most skin, up to 12, are "
                        "bent and twisted by 90 degrees, one after the other.");
    fprintf(out,
            "<dt>Recommendation</dt><dd>Methods that run on a GPU and whose shape error is within "
            "%d %% of the least tie on average. Between two of these the one loses that does the "
            "larger "
            "damage which the other spares: radius lost or bulge of some skin at some moment, "
            "beyond the limits above, of which the other has at most half. Recommended is the one "
            "that loses to the fewest; then the cheapest: fewer bytes per vertex, then the simpler "
            "method.</dd>\n",
            VERDICT_TIE_PERCENT);
    fputs("</dl>\n</details>\n", out);
}

bool compare_as_html(FILE* out, const compare_report* r)
{
    put_head(out, r->data);
    put_recommendation(out, r);
    if (r->figures->reason[0] != '\0')
    {
        fprintf(out, "<p class=\"note absent\">There are %s pictures: ",
                r->figures->picture_count > 0 ? "fewer" : "no");
        html_text(out, r->figures->reason);
        fputs("</p>\n", out);
    }
    if (r->figures->count > 0)
    {
        compare_html_figure(out, r, &r->figures->items[0]);
    }
    compare_html_methods(out, r);
    compare_html_sweep(out, r);
    put_more_figures(out, r);
    fputs("<details><summary>Over time</summary>\n", out);
    bool is_whole = compare_html_plots(out, r);
    fputs("</details>\n", out);
    compare_html_tables(out, r);
    fputs("<details><summary>Cost and memory</summary>\n", out);
    compare_html_costs(out, r);
    put_cost_notes(out, r);
    fputs("</details>\n", out);
    put_findings(out, r);
    put_method(out, r);
    html_page_end(out, "pelt compare");
    return is_whole;
}
