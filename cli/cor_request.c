// SPDX-License-Identifier: MIT
// Centers of rotation for the skinned meshes of a scene.
#include "cor_request.h"

#include "clock.h"
#include "message.h"
#include "progress.h"
#include "stale_data.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Options

static const char* const solver_names[] = {"fast", "full", "paper", NULL};

_Static_assert(sizeof solver_names / sizeof solver_names[0] == PELT_COR_SOLVER_COUNT + 1,
               "one name per solver, in the order of pelt_cor_solver");

const arg_option centers_options[] = {
    {.name = "solver",
     .kind = ARG_CHOICE,
     .value = "SOLVER",
     .choices = solver_names,
     .help = "how centers are computed: full is the definition, and slow; default fast; one of"},
    {.name = "sigma",
     .kind = ARG_NUMBER,
     .value = "S",
     .minimum = 0.001,
     .maximum = 1e6,
     .help = "width of the similarity of weights; default 0.1"},
    {.name = "epsilon",
     .kind = ARG_NUMBER,
     .value = "E",
     .minimum = 0.001,
     .maximum = 2.0,
     .has_off = true,
     .help = "halve triangles until no edge spans more weight than this; default 0.1; off takes"
             " them whole"},
    {.name = "omega",
     .kind = ARG_NUMBER,
     .value = "W",
     .minimum = 1e-6,
     .maximum = 2.0,
     .help = "for solver paper: how far apart in weight space its search begins; default 0.1"},
    {.name = "cutoff",
     .kind = ARG_NUMBER,
     .value = "C",
     .minimum = 1e-30,
     .maximum = 1.0,
     .help = "for solver paper: the similarity at which its search ends; default 1e-6"},
    {0},
};

const char* centers_find_given(const args* arguments)
{
    for (const arg_option* row = centers_options; row->name != NULL; ++row)
    {
        if (args_is_set(arguments, row->name))
        {
            return row->name;
        }
    }
    return NULL;
}

int centers_choose(pelt_cor_options* out, const args* arguments)
{
    *out = (pelt_cor_options){
        .solver = (pelt_cor_solver)args_choice(arguments, "solver"),
        .sigma = args_number(arguments, "sigma", 0.1f),
        .epsilon = args_number(arguments, "epsilon", 0.1f),
        .omega = args_number(arguments, "omega", 0.1f),
        .cutoff = args_number(arguments, "cutoff", 1e-6f),
    };
    static const char* const of_paper[] = {"omega", "cutoff"};
    for (size_t i = 0; i < sizeof of_paper / sizeof of_paper[0]; ++i)
    {
        if (args_is_set(arguments, of_paper[i]) && out->solver != PELT_COR_PAPER)
        {
            return message_usage("--%s has no effect on solver %s; it goes with --solver paper",
                                 of_paper[i], pelt_cor_solver_name(out->solver));
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Problems: meshes that are solved together

// What is being worked on; every list has room for all meshes of the scene.
typedef struct centers_work
{
    const pelt_scene* scene;
    centers_source source;
    uint32_t* leaders; // of each skinned mesh: the first one of its problem; PELT_NONE: not skinned
    uint32_t* next;  // of each skinned mesh: the next one of its problem; PELT_NONE: it is the last
    bool* is_needed; // of each leader: whether any mesh of its problem lacks centers
    const pelt_mesh** meshes;
    pelt_vec3** outs;
    uint32_t count;                     // of meshes and outs
    uint64_t vertex_count, vertex_done; // of all problems
} centers_work;

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.vertex_count > 0;
}

static bool is_wanted(const centers_work* work, uint32_t mesh)
{
    const pelt_mesh* candidate = &work->scene->meshes[mesh];
    return is_skinned(candidate) && (work->source == CENTERS_COMPUTE || candidate->cors == NULL);
}

// What is known about the skins while problems are found.
typedef struct skin_table
{
    uint32_t* of_mesh; // the first skin that an instance gives the mesh, or PELT_NONE
    uint32_t* first;   // of each skin: the first mesh of its problem, or PELT_NONE
    uint32_t* last;    // the last so far
} skin_table;

static void find_skins(const skin_table* out, const pelt_scene* scene)
{
    memset(out->of_mesh, 0xff, scene->mesh_count * sizeof *out->of_mesh);
    memset(out->first, 0xff, scene->skin_count * sizeof *out->first);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t* skin = &out->of_mesh[scene->instances[i].mesh];
        *skin = *skin == PELT_NONE ? scene->instances[i].skin : *skin;
    }
}

// Without a skin, a mesh is a problem of its own.
static void find_problems(centers_work* work, const skin_table* skins)
{
    const pelt_scene* scene = work->scene;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        uint32_t skin = skins->of_mesh[i];
        work->leaders[i] = is_skinned(&scene->meshes[i]) ? i : PELT_NONE;
        work->next[i] = PELT_NONE;
        if (work->leaders[i] == PELT_NONE || skin == PELT_NONE)
        {
            continue;
        }
        if (skins->first[skin] == PELT_NONE)
        {
            skins->first[skin] = i;
        }
        else
        {
            work->next[skins->last[skin]] = i;
        }
        skins->last[skin] = i;
        work->leaders[i] = skins->first[skin];
    }
}

static void find_needed(centers_work* work)
{
    for (uint32_t i = 0; i < work->scene->mesh_count; ++i)
    {
        if (is_wanted(work, i))
        {
            work->is_needed[work->leaders[i]] = true;
        }
    }
    for (uint32_t i = 0; i < work->scene->mesh_count; ++i)
    {
        uint32_t leader = work->leaders[i];
        bool is_part = leader != PELT_NONE && work->is_needed[leader];
        work->vertex_count += is_part ? work->scene->meshes[i].vertex_count : 0;
    }
}

static pelt_result gather_problem(centers_work* work, centers* out, uint32_t first)
{
    work->count = 0;
    for (uint32_t i = first; i != PELT_NONE; i = work->next[i])
    {
        const pelt_mesh* mesh = &work->scene->meshes[i];
        out->computed[i] = pelt_allocate(mesh->vertex_count, sizeof(pelt_vec3));
        if (out->computed[i] == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        work->outs[work->count] = out->computed[i];
        work->meshes[work->count++] = mesh;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Solving

static uint64_t vertices_of_problem(const centers_work* work)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < work->count; ++i)
    {
        count += work->meshes[i]->vertex_count;
    }
    return count;
}

// The library speaks of one problem; the line on the terminal is about all of them.
static bool show_part(float part, void* user)
{
    const centers_work* work = user;
    double done = (double)work->vertex_done + (double)part * (double)vertices_of_problem(work);
    progress_show((float)(done / (double)work->vertex_count));
    return true;
}

static void add_report(centers* out, const centers_work* work, const pelt_cor_report* report)
{
    pelt_cor_report* sum = &out->report;
    sum->vertex_count += report->vertex_count;
    sum->triangle_count += report->triangle_count;
    sum->sample_count += report->sample_count;
    sum->solved_count += report->solved_count;
    sum->single_count += report->single_count;
    sum->dissimilar_count += report->dissimilar_count;
    sum->pair_count += report->pair_count;
    sum->tabulated_count += report->tabulated_count;
    sum->exact_count += report->exact_count;
    sum->peak_bytes = report->peak_bytes > sum->peak_bytes ? report->peak_bytes : sum->peak_bytes;
    for (uint32_t i = 0; i < work->count; ++i)
    {
        uint32_t bins[STATISTICS_BIN_COUNT];
        scene_statistics_histogram(bins, work->meshes[i]);
        for (uint32_t k = 0; k < STATISTICS_BIN_COUNT; ++k)
        {
            out->influences[k] += bins[k];
        }
    }
    ++out->problem_count;
}

static pelt_result solve_problem(centers* out, centers_work* work, uint32_t first)
{
    pelt_result result = gather_problem(work, out, first);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_cor_options options = out->options;
    options.progress = show_part;
    options.user = work;
    pelt_cor_input input = {work->count, work->meshes};
    pelt_cor_report report;
    result = pelt_cor_solve(work->outs, &input, &options, &report);
    if (result == PELT_OK)
    {
        work->vertex_done += report.vertex_count;
        add_report(out, work, &report);
    }
    return result;
}

// A mesh with centers of its own was in a problem for the sake of another.
static void drop_unwanted(centers* out, const centers_work* work)
{
    for (uint32_t i = 0; i < out->mesh_count; ++i)
    {
        if (out->computed[i] != NULL && !is_wanted(work, i))
        {
            pelt_release(out->computed[i]);
            out->computed[i] = NULL;
        }
        out->computed_count += out->computed[i] != NULL;
    }
}

static pelt_result solve_all(centers* out, centers_work* work)
{
    pelt_result result = PELT_OK;
    double start = clock_seconds();
    progress_begin("computing centers of rotation");
    for (uint32_t i = 0; result == PELT_OK && i < out->mesh_count; ++i)
    {
        if (work->is_needed[i])
        {
            result = solve_problem(out, work, i);
        }
    }
    progress_end();
    out->seconds = clock_seconds() - start;
    drop_unwanted(out, work);
    return result;
}

static pelt_result solve_scene(centers* out, centers_work* work)
{
    const pelt_scene* scene = work->scene;
    size_t room = (size_t)scene->mesh_count + 1, skin_capacity = (size_t)scene->skin_count + 1;
    skin_table skins = {.of_mesh = calloc(room, sizeof *skins.of_mesh),
                        .first = calloc(skin_capacity, sizeof *skins.first),
                        .last = calloc(skin_capacity, sizeof *skins.last)};
    out->computed = calloc(room, sizeof *out->computed);
    work->leaders = calloc(room, sizeof *work->leaders);
    work->next = calloc(room, sizeof *work->next);
    work->is_needed = calloc(room, sizeof *work->is_needed);
    work->meshes = calloc(room, sizeof *work->meshes);
    work->outs = calloc(room, sizeof *work->outs);

    pelt_result result = PELT_ERROR_MEMORY;
    if (skins.of_mesh && skins.first && skins.last && out->computed && work->leaders &&
        work->next && work->is_needed && work->meshes && work->outs)
    {
        find_skins(&skins, scene);
        find_problems(work, &skins);
        find_needed(work);
        result = solve_all(out, work);
    }
    free(skins.of_mesh);
    free(skins.first);
    free(skins.last);
    free(work->leaders);
    free(work->next);
    free(work->is_needed);
    free(work->meshes);
    free(work->outs);
    return result;
}

int centers_create(centers* out, const pelt_scene* scene, centers_source source,
                   const pelt_cor_options* options)
{
    *out = (centers){.options = *options, .mesh_count = scene->mesh_count};
    if (source == CENTERS_AUTO)
    {
        stale_data_note(scene, PELT_REPAIR_CORS_DROPPED);
    }
    pelt_result result = solve_scene(out, &(centers_work){.scene = scene, .source = source});
    if (result == PELT_OK)
    {
        return EXIT_DONE;
    }
    centers_destroy(out);
    pelt_error error = {0};
    pelt_error_set(&error, result, "the centers of rotation cannot be computed: %s",
                   result == PELT_ERROR_MEMORY ? "out of memory" : "an option is out of range");
    return message_error(result, &error);
}

void centers_destroy(centers* in)
{
    for (uint32_t i = 0; in->computed != NULL && i < in->mesh_count; ++i)
    {
        pelt_release(in->computed[i]);
    }
    free(in->computed);
    *in = (centers){0};
}

void centers_attach(pelt_frame* frame, const centers* in)
{
    for (uint32_t i = 0; i < in->mesh_count; ++i)
    {
        frame->cors[i] = in->computed[i] != NULL ? in->computed[i] : frame->cors[i];
    }
}
