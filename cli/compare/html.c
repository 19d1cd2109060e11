// SPDX-License-Identifier: MIT
#include "html.h"

#include "page_file.h"
#include "pelt/pelt.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

void html_text(FILE* out, const char* text)
{
    while (*text != '\0')
    {
        bool is_clean;
        size_t length = terminal_letter(&is_clean, text);
        const char* entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                             : !is_clean    ? "\xef\xbf\xbd" // U+FFFD, the replacement character
                                            : NULL;
        fwrite(entity != NULL ? entity : text, 1, entity != NULL ? strlen(entity) : length, out);
        text += length;
    }
}

// A file of cli/compare/page.
static const char* page_file_text(const char* name)
{
    for (uint32_t i = 0; i < page_files_count; ++i)
    {
        if (strcmp(page_files[i].name, name) == 0)
        {
            return page_files[i].text;
        }
    }
    return "";
}

// Nothing is loaded, and the only script is the one below: this is its SHA-256 in base64, from the
// end of its opening tag on. A test computes it again from the page.
#define SCRIPT_DIGEST "RLSnZwtv+SZUM3OR84fxSe+LUXGVv7AuNM3qMMgqOjI="

void html_page_begin(FILE* out, const char* subject, const char* rest)
{
    fputs(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'; script-src 'sha256-" SCRIPT_DIGEST "'; base-uri 'none'; "
        "form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"pelt " PELT_VERSION_STRING "\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
    html_text(out, subject);
    html_text(out, rest);
    fputs("</title>\n<style>\n", out);
    fputs(page_file_text("report.css"), out);
}

void html_page_body(FILE* out)
{
    fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

void html_page_end(FILE* out, const char* maker)
{
    fprintf(out, "<footer>Made by pelt " PELT_VERSION_STRING ", %s.</footer>\n</main>\n<script>\n",
            maker);
    fputs(page_file_text("report.js"), out);
    fputs("</script>\n</body>\n</html>\n", out);
}

void html_data_uri(FILE* out, const uint8_t* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputs("data:image/png;base64,", out);
    for (size_t i = 0; i < size; i += 3)
    {
        size_t left = size - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                        (left > 2 ? bytes[i + 2] : 0u);
        char text[4] = {digits[word >> 18], digits[word >> 12 & 63],
                        left > 1 ? digits[word >> 6 & 63] : '=',
                        left > 2 ? digits[word & 63] : '='};
        fwrite(text, 1, sizeof text, out);
    }
}

void html_table_begin(FILE* out, const char* caption)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table><caption>", out);
    html_text(out, caption);
    fputs("</caption><thead><tr>", out);
}

void html_table_heading(FILE* out, const char* name, const char* unit, bool is_number)
{
    fprintf(out, "<th scope=\"col\"%s><button type=\"button\">", is_number ? " class=\"n\"" : "");
    html_text(out, name);
    if (unit != NULL)
    {
        fputs("<small>", out);
        html_text(out, unit);
        fputs("</small>", out);
    }
    fputs("</button></th>", out);
}

void html_table_body(FILE* out)
{
    fputs("</tr></thead><tbody>", out);
}

void html_table_row(FILE* out, bool is_choice)
{
    fputs(is_choice ? "\n<tr class=\"choice\">" : "\n<tr>", out); // HTML closes the one before
}

void html_table_end(FILE* out)
{
    fputs("</tbody></table></div>\n", out);
}

void html_table_name(FILE* out, const char* name, const char* title)
{
    fputs("<th scope=\"row\"", out);
    if (title != NULL)
    {
        fputs(" title=\"", out);
        html_text(out, title);
        fputs("\"", out);
    }
    fputs(">", out);
    html_text(out, name);
    fputs("</th>", out);
}

void html_table_number(FILE* out, html_number number)
{
    if (!isfinite(number.value))
    {
        fputs("<td class=\"n none\">-</td>", out);
        return;
    }
    fprintf(out, "<td class=\"n%s%s\" data-v=\"%.9g\">%s%s</td>", number.is_best ? " best" : "",
            number.is_marked ? " over" : "", number.value, number.text,
            number.is_marked ? "<abbr title=\"beyond the limit\">\u25b2</abbr>" : "");
}

void html_table_text(FILE* out, const char* text)
{
    fputs("<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}
