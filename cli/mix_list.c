// SPDX-License-Identifier: MIT
#include "mix_list.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_factor(mix_list* inout, const char* text)
{
    char* end;
    float factor = strtof(text, &end);
    if (end == text || *end != '\0' || !isfinite(factor))
    {
        return message_usage("--mix needs numbers with commas between, not \"%s\"", text);
    }
    if (factor < 0.0f || factor > 1.0f)
    {
        return message_usage("--mix must be from 0 to 1, not %s", text);
    }
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        if (inout->factors[i] == factor)
        {
            return message_usage("--mix names %s twice", text);
        }
    }
    if (inout->count == MIX_LIST_MAX)
    {
        return message_usage("--mix takes up to %d factors", MIX_LIST_MAX);
    }
    inout->factors[inout->count++] = factor;
    return EXIT_DONE;
}

int mix_list_choose(mix_list* out, const args* arguments)
{
    *out = (mix_list){0};
    const char* list = args_text(arguments, "mix", NULL);
    while (list != NULL)
    {
        char text[32];
        size_t length = strcspn(list, ",");
        snprintf(text, sizeof text, "%.*s", (int)length, list);
        TRY(add_factor(out, text));
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return EXIT_DONE;
}
