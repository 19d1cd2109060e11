// SPDX-License-Identifier: MIT
#include "font_file.h"

#include <stdbool.h>
#include <stdio.h>

static bool is_readable(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file != NULL)
    {
        fclose(file);
    }
    return file != NULL;
}

const char* font_file_find(font_style style)
{
    static const char* const files[][6] = {
        [FONT_PLAIN] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
                        "/usr/share/fonts/TTF/DejaVuSans.ttf",
                        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
                        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"},
        [FONT_MONO] = {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                       "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                       "/usr/share/fonts/noto/NotoSansMono-Regular.ttf",
                       "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
                       "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
                       "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf"},
    };
    for (int i = 0; i < 6; ++i)
    {
        if (is_readable(files[style][i]))
        {
            return files[style][i];
        }
    }
    return NULL;
}
