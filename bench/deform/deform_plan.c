// SPDX-License-Identifier: MIT
// Lists of values from the command line, and the points that they span.
#include "deform_plan.h"

#include <stdio.h>
#include <string.h>

static const char* const axis_names[DEFORM_AXIS_COUNT] = {
    "number of vertices", "number of influences", "order", "rule of normals", "method",
    "instruction set",    "number of threads"};

void deform_value_write(char out[DEFORM_TEXT], deform_axis axis, uint32_t value)
{
    const char* name = NULL;
    switch (axis)
    {
    case DEFORM_INFLUENCES:
        name = value == DEFORM_OWN_INFLUENCES ? "own" : NULL;
        break;
    case DEFORM_ORDER:
        name = value == PELT_ORDER_SORTED ? "sorted" : "kept";
        break;
    case DEFORM_NORMALS:
        name = pelt_normal_rule_name((pelt_normal_rule)value);
        break;
    case DEFORM_METHOD:
        name = pelt_method_name((pelt_method)value);
        break;
    case DEFORM_ISA:
        name = pelti_isa_name((pelti_isa)value);
        break;
    default:
        break;
    }
    char number[DEFORM_TEXT];
    snprintf(number, sizeof number, "%u", value);
    snprintf(out, DEFORM_TEXT, "%s", name != NULL ? name : number);
}

static void add(deform_plan* out, deform_axis axis, uint32_t value)
{
    PELT_ASSERT(out->counts[axis] < DEFORM_VALUE_MAX);
    out->values[axis][out->counts[axis]++] = value;
}

// ---------------------------------------------------------------------------------------------
// Values of the axes

// All values of each axis; sizes are those of a long run.
static void fill_whole(deform_plan* out, bool is_quick, uint32_t thread_count)
{
    static const uint32_t sizes[] = {2000, 25000, 100000, 320000, 2000000};
    *out = (deform_plan){.usual_vertices = is_quick ? 2000 : 25000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        add(out, DEFORM_VERTICES, sizes[i]);
    }
    for (uint32_t i = DEFORM_OWN_INFLUENCES; i <= 8; ++i)
    {
        add(out, DEFORM_INFLUENCES, i);
    }
    add(out, DEFORM_ORDER, PELT_ORDER_SORTED);
    add(out, DEFORM_ORDER, PELT_ORDER_KEPT);
    add(out, DEFORM_NORMALS, PELT_NORMAL_STANDARD);
    add(out, DEFORM_NORMALS, PELT_NORMAL_ACCURATE);
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        if (pelt_method_info((pelt_method)i)->has_kernels)
        {
            add(out, DEFORM_METHOD, i);
        }
    }
    for (uint32_t isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        if (pelti_isa_is_there((pelti_isa)isa))
        {
            add(out, DEFORM_ISA, isa);
        }
    }
    add(out, DEFORM_THREADS, 1);
    if (thread_count > 1)
    {
        add(out, DEFORM_THREADS, thread_count);
    }
}

static uint32_t usual_value(const deform_plan* plan, deform_axis axis)
{
    return axis == DEFORM_ISA        ? (uint32_t)pelti_isa_get()
           : axis == DEFORM_VERTICES ? plan->usual_vertices
                                     : plan->values[axis][0];
}

// ---------------------------------------------------------------------------------------------
// Lists

static pelt_result refuse(const char* item, deform_axis axis, const deform_plan* whole,
                          pelt_error* error)
{
    char list[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < whole->counts[axis] && used < sizeof list; ++i)
    {
        char text[DEFORM_TEXT];
        deform_value_write(text, axis, whole->values[axis][i]);
        used += (size_t)snprintf(list + used, sizeof list - used, ", %s", text);
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT, "\"%s\" is not a valid %s; choose from all%s",
                          item, axis_names[axis], list);
}

static bool find_value(uint32_t* out, const char* item, deform_axis axis, const deform_plan* whole)
{
    char text[DEFORM_TEXT];
    for (uint32_t i = 0; i < whole->counts[axis]; ++i)
    {
        deform_value_write(text, axis, whole->values[axis][i]);
        if (strcmp(item, text) == 0)
        {
            *out = whole->values[axis][i];
            return true;
        }
    }
    return false;
}

// Sizes need not be those of a long run.
static pelt_result find_size(uint32_t* out, const char* item, pelt_error* error)
{
    const uint32_t least = 2000, most = 4000000;
    uint32_t value = 0;
    size_t digits = strspn(item, "0123456789");
    for (size_t i = 0; i < digits && value <= most; ++i)
    {
        value = 10 * value + (uint32_t)(item[i] - '0');
    }
    if (item[digits] != '\0' || value < least || value > most)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "a number of vertices is from %u to %u, not \"%s\"", least, most,
                              item);
    }
    *out = value;
    return PELT_OK;
}

static pelt_result read_list(deform_plan* out, deform_axis axis, const char* list,
                             const deform_plan* whole, pelt_error* error)
{
    out->counts[axis] = 0;
    for (const char* at = list; *at != '\0';)
    {
        char item[DEFORM_TEXT];
        uint32_t value = 0;
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < DEFORM_TEXT ? length : DEFORM_TEXT - 1),
                 at);
        at += length + (at[length] == ',');
        bool is_found = find_value(&value, item, axis, whole);
        if (!is_found && axis != DEFORM_VERTICES)
        {
            return refuse(item, axis, whole, error);
        }
        if (!is_found)
        {
            PELT_TRY(find_size(&value, item, error));
        }
        if (out->counts[axis] == DEFORM_VALUE_MAX)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT, "a list has at most %u values",
                                  DEFORM_VALUE_MAX);
        }
        add(out, axis, value);
    }
    return out->counts[axis] > 0 ? PELT_OK : refuse("", axis, whole, error);
}

static void set_list(deform_plan* out, deform_axis axis, const uint32_t* values, uint32_t count)
{
    out->counts[axis] = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        add(out, axis, values[i]);
    }
}

pelt_result deform_plan_create(deform_plan* out, const bench_options* options,
                               uint32_t thread_count, pelt_error* error)
{
    const char* const lists[DEFORM_AXIS_COUNT] = {
        [DEFORM_VERTICES] = options->vertices, [DEFORM_INFLUENCES] = options->influences,
        [DEFORM_ORDER] = options->order,       [DEFORM_NORMALS] = options->normals,
        [DEFORM_METHOD] = options->methods,    [DEFORM_ISA] = options->isa};
    deform_plan whole;
    fill_whole(&whole, options->is_quick, thread_count);
    *out = whole;
    out->is_star = true;
    for (int i = 0; i < DEFORM_AXIS_COUNT; ++i)
    {
        out->is_star = out->is_star && lists[i] == NULL;
    }
    for (int i = 0; i < DEFORM_AXIS_COUNT && !out->is_star; ++i)
    {
        deform_axis axis = (deform_axis)i;
        bool is_whole = axis == DEFORM_METHOD || axis == DEFORM_THREADS;
        if (lists[axis] != NULL && strcmp(lists[axis], "all") != 0)
        {
            PELT_TRY(read_list(out, axis, lists[axis], &whole, error));
        }
        else if (lists[axis] == NULL && !is_whole)
        {
            set_list(out, axis, (uint32_t[]){usual_value(&whole, axis)}, 1);
        }
    }
    if (out->is_star)
    {
        set_list(out, DEFORM_INFLUENCES, (uint32_t[]){DEFORM_OWN_INFLUENCES, 1, 2, 4, 8}, 5);
    }
    if (out->is_star && options->is_quick)
    {
        set_list(out, DEFORM_VERTICES, &out->usual_vertices, 1);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Points

uint32_t deform_plan_size(const deform_plan* plan)
{
    uint32_t size = 1;
    for (int i = 0; i < DEFORM_AXIS_COUNT; ++i)
    {
        size *= plan->counts[i];
    }
    return size;
}

// Points of a star have at most one unusual value, and that at one size and on one thread.
static bool is_in_star(const deform_plan* plan, const uint32_t values[DEFORM_AXIS_COUNT])
{
    uint32_t unusual = 0;
    for (int i = DEFORM_INFLUENCES; i < DEFORM_THREADS; ++i)
    {
        unusual += i != DEFORM_METHOD && values[i] != usual_value(plan, (deform_axis)i);
    }
    bool is_center = values[DEFORM_VERTICES] == plan->usual_vertices && values[DEFORM_THREADS] == 1;
    return unusual == 0 || (unusual == 1 && is_center);
}

uint32_t deform_plan_usual(const deform_plan* plan, deform_axis axis)
{
    uint32_t usual = usual_value(plan, axis);
    for (uint32_t i = 0; i < plan->counts[axis]; ++i)
    {
        if (plan->values[axis][i] == usual)
        {
            return usual;
        }
    }
    return plan->values[axis][0];
}

bool deform_plan_point(deform_point* out, const deform_plan* plan, uint32_t index)
{
    uint32_t at[DEFORM_AXIS_COUNT];
    for (int i = DEFORM_AXIS_COUNT - 1; i >= 0; --i)
    {
        at[i] = plan->values[i][index % plan->counts[i]];
        index /= plan->counts[i];
    }
    *out = (deform_point){.vertices = at[DEFORM_VERTICES],
                          .influences = at[DEFORM_INFLUENCES],
                          .order = (pelt_vertex_order)at[DEFORM_ORDER],
                          .normals = (pelt_normal_rule)at[DEFORM_NORMALS],
                          .method = (pelt_method)at[DEFORM_METHOD],
                          .isa = (pelti_isa)at[DEFORM_ISA],
                          .threads = at[DEFORM_THREADS]};
    return !plan->is_star || is_in_star(plan, at);
}
