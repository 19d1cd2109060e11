// SPDX-License-Identifier: MIT
// Elements of SVG pictures.
#include "svg.h"

#include "pelt/color.h"

svg_color svg_series_color(uint32_t index)
{
    svg_color out;
    pelt_color color = pelt_series_color(index);
    snprintf(out.text, sizeof out.text, "#%02x%02x%02x", color.r, color.g, color.b);
    return out;
}

static void put_text(FILE* out, const char* text)
{
    for (; *text != '\0'; ++text)
    {
        unsigned char c = (unsigned char)*text;
        switch (c)
        {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(c < ' ' ? '?' : c, out); // XML has no other control characters
        }
    }
}

void svg_begin(FILE* out, int width, int height, const char* title)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
            width, height, width, height);
    put_text(out, title);
    // An outline in the color of the background keeps text readable across lines.
    fprintf(out,
            "</title>\n<style>text { paint-order: stroke; stroke: %s; stroke-width: 3px; "
            "stroke-linejoin: round; }</style>\n",
            SVG_PAPER);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>\n", width, height,
            SVG_PAPER);
}

void svg_end(FILE* out)
{
    fputs("</svg>\n", out);
}

void svg_label(FILE* out, svg_text style, const char* text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">",
            style.x, style.y, style.anchor, style.size, style.color);
    put_text(out, text);
    fputs("</text>\n", out);
}

void svg_line(FILE* out, const double from[2], const double to[2], const char* color)
{
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>\n", from[0], from[1], to[0],
            to[1], color);
}
