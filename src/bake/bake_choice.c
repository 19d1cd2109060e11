// SPDX-License-Identifier: MIT
// The choice of the encoding by a budget: LOCAL first, which takes the fewest bytes of most
// characters, then QT as long as it may take fewer.
#include "../base/exact.h"

#include "bake_work.h"

enum
{
    CANDIDATES = 2,
};

// Progress of both encodings in one.
typedef struct choice_progress
{
    const pelt_bake_options* options;
    float first, part;
} choice_progress;

static bool tell_part(float part, void* user)
{
    const choice_progress* own = user;
    return own->options->progress(own->first + own->part * part, own->options->user);
}

// Fewer bytes or, for a budget of bytes, a smaller error; of two that tie QT, which is one pass.
static bool is_better(const pelt_bake_candidate* a, const pelt_bake_candidate* b,
                      const pelt_bake_options* options)
{
    if (a->is_met != b->is_met)
    {
        return a->is_met;
    }
    bool has_error = options->max_error > 0.0;
    double x = has_error ? (double)a->bytes : a->max_error;
    double y = has_error ? (double)b->bytes : b->max_error;
    return x < y || (x == y && a->encoding == PELT_ENCODING_QT);
}

static pelt_result describe(pelt_baked* inout, const pelt_bake_candidate* found, uint32_t best,
                            pelt_error* error)
{
    pelt_bake_candidate* own = pelt_arena_alloc(inout->arena, CANDIDATES, sizeof *own);
    if (own == NULL)
    {
        return pelt_error_memory(error);
    }
    own[0] = found[best];
    own[1] = found[1 - best];
    inout->candidates = own;
    inout->candidate_count = CANDIDATES;
    return PELT_OK;
}

// Neither is good enough: what the better one says, and what the other reaches.
static pelt_result refuse(const pelt_bake_candidate* found, const pelt_error* errors,
                          const pelt_bake_options* options, pelt_error* error)
{
    bool has_first = found[0].max_error > 0.0, has_second = found[1].max_error > 0.0;
    uint32_t best = has_second && (!has_first || found[1].max_error < found[0].max_error) ? 1 : 0;
    if (!has_first || !has_second || !(options->max_error > 0.0))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "%s", errors[best].message);
    }
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "%s; encoding %s reaches %.3g mm",
                          errors[best].message, pelt_encoding_name(found[1 - best].encoding),
                          1e3 * found[1 - best].max_error);
}

pelt_result pelti_bake_choose(pelt_baked** out, const pelt_scene* scene,
                              const pelt_bake_options* options, pelt_error* error)
{
    static const pelt_encoding encodings[CANDIDATES] = {PELT_ENCODING_LOCAL, PELT_ENCODING_QT};
    pelt_bake_candidate found[CANDIDATES];
    pelt_error errors[CANDIDATES] = {0};
    pelt_baked* baked[CANDIDATES] = {0};
    size_t words = 0;
    pelt_result result = PELT_OK;
    *out = NULL;
    for (uint32_t i = 0; i < CANDIDATES; ++i)
    {
        choice_progress progress = {options, i == 0 ? 0.0f : 0.7f, i == 0 ? 0.7f : 0.3f};
        pelt_bake_options own = *options;
        own.encoding = encodings[i];
        own.progress = options->progress != NULL ? tell_part : NULL;
        own.user = &progress;
        words = i > 0 && found[0].is_met && options->max_error > 0.0 ? words : 0;
        result = pelti_bake_as(&baked[i], &found[i], &words, scene, &own, &errors[i]);
        if (result != PELT_OK && result != PELT_ERROR_UNSUPPORTED)
        {
            pelt_baked_destroy(baked[0]);
            return pelt_error_set(error, result, "%s", errors[i].message);
        }
    }
    uint32_t best = is_better(&found[1], &found[0], options) ? 1 : 0;
    if (!found[best].is_met)
    {
        return refuse(found, errors, options, error);
    }
    pelt_baked_destroy(baked[1 - best]);
    *out = baked[best];
    result = describe(*out, found, best, error);
    if (result == PELT_OK && options->progress != NULL)
    {
        options->progress(1.0f, options->user);
    }
    if (result != PELT_OK)
    {
        pelt_baked_destroy(*out);
        *out = NULL;
    }
    return result;
}
