// SPDX-License-Identifier: MIT
#include "contender.h"

#include "mix_list.h"
#include "pelt/gl.h"
#include "terminal.h"

#include <string.h>

// Besides each method with its defaults. A plot tells contenders of one method apart by dashes.
static const compare_contender variants[] = {
    {.name = "dqs-distance",
     .title = "dual quaternions, pushed back to their distance from the bones",
     .deform = {.method = PELT_METHOD_DQS, .distance_correction = 1.0f}},
    {.name = "mix-map",
     .title = "mix of LBS and DQS by a factor per vertex",
     .deform = {.method = PELT_METHOD_MIX, .mix = 0.5f},
     .added_by = "--mix-map",
     .is_painted = true},
};

static void list_all(contender_list* out)
{
    *out = (contender_list){0};
    for (uint32_t method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        const pelt_method_traits* traits = pelt_method_info((pelt_method)method);
        out->items[out->count++] = (compare_contender){
            .name = traits->name,
            .title = traits->title,
            .deform = {.method = (pelt_method)method, .mix = traits->has_mix_factor ? 0.5f : 0.0f},
            .added_by = traits->needs_centers ? "--cor" : NULL};
        for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i)
        {
            if (variants[i].deform.method == (pelt_method)method)
            {
                out->items[out->count++] = variants[i];
            }
        }
    }
}

static const char* name_of(uint32_t index)
{
    contender_list all;
    list_all(&all);
    return index < all.count ? all.items[index].name : NULL;
}

const arg_option contender_options[] = {
    {.name = "method",
     .kind = ARG_TEXT,
     .value = "LIST",
     .choice_name = name_of,
     .choice_count = CONTENDER_MAX,
     .help = "what to compare, several with commas between; default all of"},
    {.name = "mix",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "of the method mix: 0 is lbs, 1 is dqs; several with commas between; default 0.5"},
    {0},
};

bool contender_is_on_gpu(const compare_contender* in)
{
    return pelt_gpu_has_method(in->deform.method) && !(in->deform.distance_correction > 0.0f);
}

bool contender_has_kernel(const compare_contender* in)
{
    return pelt_method_info(in->deform.method)->has_kernels &&
           !(in->deform.distance_correction > 0.0f);
}

bool contender_has_map(const pelt_scene* scene)
{
    bool has_map = false;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        has_map = has_map || scene->meshes[i].mix_factors != NULL;
    }
    return has_map;
}

void contender_list_ready(contender_list* out, const pelt_scene* scene)
{
    bool has_map = contender_has_map(scene);
    contender_list all;
    list_all(&all);
    *out = (contender_list){0};
    for (uint32_t i = 0; i < all.count; ++i)
    {
        if (has_map || !all.items[i].is_painted)
        {
            out->items[out->count++] = all.items[i];
        }
    }
}

// @return its index, or PELT_NONE
static uint32_t contender_list_find(const contender_list* in, const char* name)
{
    for (uint32_t i = 0; i < in->count; ++i)
    {
        if (strcmp(in->items[i].name, name) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static int refuse_name(const contender_list* all, const char* name)
{
    const char* names[CONTENDER_MAX];
    for (uint32_t i = 0; i < all->count; ++i)
    {
        names[i] = all->items[i].name;
    }
    return args_unknown_name("method", name, names, all->count);
}

static int add_named(contender_list* inout, const contender_list* all, const char* name)
{
    uint32_t index = contender_list_find(all, name);
    if (index == PELT_NONE)
    {
        return refuse_name(all, name);
    }
    if (contender_list_find(inout, name) != PELT_NONE)
    {
        return message_usage("--method names %s twice", name);
    }
    inout->items[inout->count++] = all->items[index];
    return EXIT_DONE;
}

// Replace mix by one contender for each factor: mix-0.25.
static void spread_factors(contender_list* inout, const mix_list* mix)
{
    static char names[MIX_LIST_MAX][24]; // that contenders refer to
    const contender_list all = *inout;
    inout->count = 0;
    for (uint32_t i = 0; i < all.count; ++i)
    {
        bool is_mix = strcmp(all.items[i].name, "mix") == 0;
        for (uint32_t k = 0; k < (is_mix ? mix->count : 1); ++k)
        {
            compare_contender* item = &inout->items[inout->count++];
            *item = all.items[i];
            if (is_mix)
            {
                snprintf(names[k], sizeof names[k], "mix-%.4g", (double)mix->factors[k]);
                item->name = names[k];
                item->deform.mix = mix->factors[k];
            }
        }
    }
}

static int read_list(contender_list* out, const contender_list* all, const char* list)
{
    *out = (contender_list){0};
    for (int code = EXIT_DONE;;)
    {
        char name[32];
        size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        code = add_named(out, all, name);
        if (code != EXIT_DONE || list[length] == '\0')
        {
            return code;
        }
        list += length + 1;
    }
}

int contender_list_read(contender_list* out, const char* names)
{
    contender_list all;
    list_all(&all);
    return read_list(out, &all, names);
}

int contender_list_choose(contender_list* out, const args* arguments)
{
    contender_list all;
    mix_list mix;
    TRY(mix_list_choose(&mix, arguments));
    list_all(&all);
    for (uint32_t i = 0; i < all.count; ++i)
    {
        all.items[i].deform.mix = mix.count > 0 ? mix.factors[0] : all.items[i].deform.mix;
    }
    const char* list = args_text(arguments, "method", NULL);
    int code = EXIT_DONE;
    *out = all;
    if (list != NULL)
    {
        code = read_list(out, &all, list);
    }
    bool has_mix = contender_list_find(out, "mix") != PELT_NONE;
    if (code == EXIT_DONE && mix.count > 0 && !has_mix)
    {
        return message_usage("--mix is the factor of the method mix, which --method leaves out");
    }
    if (code == EXIT_DONE && mix.count > 1)
    {
        spread_factors(out, &mix);
    }
    return code;
}
