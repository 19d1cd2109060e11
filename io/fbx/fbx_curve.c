// SPDX-License-Identifier: MIT
// Animation curves: keys, the slopes that the file leaves to be computed, and interpolation. Takes:
// which curve animates which property of which object.
#include "fbx_read.h"

#include <string.h>

enum
{
    WAY_CONSTANT = 0x2,
    WAY_LINE = 0x4,
    WAY_SPLINE = 0x8,
    CONSTANT_NEXT = 0x100, // constant key: the value of the next key
    SLOPE_TCB = 0x200,     // spline key: tension, continuity, bias
    SLOPE_USER = 0x400,
    SLOPE_TIME_FREE = 0x2000, // automatic slope: independent of the key spacing
    SLOPE_CLAMPED = 0x4000,   // automatic slope: no overshoot at a key
    WEIGHT_OUT = 0x1000000,
    WEIGHT_NEXT_IN = 0x2000000,
};

// ---------------------------------------------------------------------------------------------
// Slopes

// Attributes of a key; many keys may share them.
typedef struct key_facts
{
    uint32_t flags;
    float data[4]; // slope, slope at the next key, both weights packed, velocities
} key_facts;

static bool is_spline(const key_facts* facts, uint32_t flag)
{
    return (facts->flags & WAY_SPLINE) != 0 && (flag == 0 || (facts->flags & flag) != 0);
}

static bool is_auto(const key_facts* facts)
{
    return is_spline(facts, 0) && !is_spline(facts, SLOPE_USER | SLOPE_TCB);
}

static double secant(const pelti_fbx_key* a, const pelti_fbx_key* b)
{
    return (b->value - a->value) / (b->time - a->time);
}

static void set_auto_slopes(pelti_fbx_key* keys, uint32_t count, uint32_t i, uint32_t flags)
{
    pelti_fbx_key* key = &keys[i];
    bool is_clamped = (flags & SLOPE_CLAMPED) != 0;
    if (i == 0 || i + 1 == count)
    {
        bool is_flat = count == 1 || is_clamped;
        key->slope_in = is_flat ? 0.0 : i == 0 ? secant(key, key + 1) : secant(key - 1, key);
        key->slope_out = key->slope_in;
        return;
    }
    const pelti_fbx_key *before = key - 1, *after = key + 1;
    double slope = secant(before, after);
    if ((flags & SLOPE_TIME_FREE) == 0)
    {
        double part = (key->time - before->time) / (after->time - before->time);
        double sides = secant(before, key) * (1.0 - part) + secant(key, after) * part;
        slope = 0.5 * (slope + sides);
    }
    if (is_clamped)
    {
        // Limit the slope so that the handle does not pass the value of the neighbor.
        double sign = slope < 0.0 ? -1.0 : 1.0;
        double left = fmax(0.0, sign * secant(before, key) / key->weight_in);
        double right = fmax(0.0, sign * secant(key, after) / key->weight_out);
        slope = sign * fmin(fabs(slope), fmin(left, right));
    }
    key->slope_in = key->slope_out = slope;
}

// Kochanek and Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias Control",
// 1984.
static void set_tcb_slopes(pelti_fbx_key* keys, uint32_t count, uint32_t i, const float* data)
{
    double left = i > 0 ? secant(&keys[i - 1], &keys[i]) : 0.0;
    double right = i + 1 < count ? secant(&keys[i], &keys[i + 1]) : left;
    left = i > 0 ? left : right;
    double t = (double)data[0], c = (double)data[1], b = (double)data[2];
    keys[i].slope_in =
        0.5 * (1.0 - t) * ((1.0 - c) * (1.0 + b) * left + (1.0 + c) * (1.0 - b) * right);
    keys[i].slope_out =
        0.5 * (1.0 - t) * ((1.0 + c) * (1.0 + b) * left + (1.0 - c) * (1.0 - b) * right);
}

static void set_weights(pelti_fbx_key* keys, uint32_t count, uint32_t i, const key_facts* facts)
{
    uint32_t packed;
    memcpy(&packed, &facts->data[2], sizeof packed);
    // Below one half each: longer handles could cross, and time would run backwards between them.
    double out = (double)(packed & 0xffff) / 9999.0, in = (double)(packed >> 16) / 9999.0;
    if (is_spline(facts, WEIGHT_OUT))
    {
        keys[i].weight_out = fmin(fmax(out, 1e-4), 1.0);
    }
    if (is_spline(facts, WEIGHT_NEXT_IN) && i + 1 < count)
    {
        keys[i + 1].weight_in = fmin(fmax(in, 1e-4), 1.0);
    }
}

// facts[i] belongs to keys[i].
static void set_slopes(pelti_fbx_key* keys, uint32_t count, const key_facts* const* facts)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        set_weights(keys, count, i, facts[i]);
        if (!is_spline(facts[i], SLOPE_USER))
        {
            continue;
        }
        // Slopes that the file states: out of this key, and into the next key unless that key
        // computes its own.
        bool is_user_before = i > 0 && is_spline(facts[i - 1], SLOPE_USER);
        keys[i].slope_out = (double)facts[i]->data[0] / PELTI_FBX_SECOND;
        keys[i].slope_in = is_user_before ? keys[i].slope_in : keys[i].slope_out;
        if (i + 1 < count)
        {
            keys[i + 1].slope_in = (double)facts[i]->data[1] / PELTI_FBX_SECOND;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_spline(facts[i], SLOPE_TCB))
        {
            set_tcb_slopes(keys, count, i, facts[i]->data);
        }
        else if (is_auto(facts[i]))
        {
            set_auto_slopes(keys, count, i, facts[i]->flags);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct curve_source
{
    pelti_fbx_integers times;
    pelti_fbx_reals values, data;
    pelti_fbx_integers flags, uses;
} curve_source;

static pelt_result read_source(curve_source* out, pelti_fbx_file* file, const pelti_fbx_node* node)
{
    PELT_TRY(pelti_fbx_read_integers(&out->times, file, node, "KeyTime"));
    PELT_TRY(pelti_fbx_read_reals(&out->values, file, node, "KeyValueFloat"));
    PELT_TRY(pelti_fbx_read_integers(&out->flags, file, node, "KeyAttrFlags"));
    PELT_TRY(pelti_fbx_read_reals(&out->data, file, node, "KeyAttrDataFloat"));
    return pelti_fbx_read_integers(&out->uses, file, node, "KeyAttrRefCount");
}

static key_facts* read_facts(const curve_source* source, const pelti_fbx_file* file)
{
    uint32_t count = source->flags.count;
    key_facts* facts = pelti_fbx_alloc(file, (size_t)count + 1, sizeof *facts);
    if (facts == NULL)
    {
        return NULL;
    }
    // Text files write these floats as integers with the same bits. Older ones write them as
    // numbers; then the packed weights are not integers.
    bool is_bits = file->is_text;
    for (uint32_t i = 0; i < source->data.count && is_bits; ++i)
    {
        is_bits = source->data.at[i] == floor(source->data.at[i]);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        facts[i].flags = (uint32_t)source->flags.at[i];
        for (uint32_t k = 0; k < 4 && (size_t)4 * i + k < source->data.count; ++k)
        {
            double number = source->data.at[(size_t)4 * i + k];
            float datum = isfinite((float)number) ? (float)number : 0.0f;
            if (is_bits)
            {
                uint32_t bits = fabs(number) < 9e15 ? (uint32_t)(int64_t)number : 0;
                memcpy(&datum, &bits, sizeof datum);
            }
            // The packed weights are a bit pattern, not a number.
            facts[i].data[k] = k == 2 || isfinite(datum) ? datum : 0.0f;
        }
    }
    facts[count].flags = WAY_LINE;
    return facts;
}

static char way_of(uint32_t flags)
{
    if ((flags & WAY_SPLINE) != 0)
    {
        return 's';
    }
    if ((flags & WAY_CONSTANT) != 0)
    {
        return (flags & CONSTANT_NEXT) != 0 ? 'n' : 'c';
    }
    return 'l';
}

// Keys in ascending time; keys that are not finite or not later than the previous one are dropped.
static uint32_t fill_keys(pelti_fbx_key* keys, const key_facts** facts, const curve_source* source,
                          const key_facts* all)
{
    uint32_t most =
        source->times.count < source->values.count ? source->times.count : source->values.count;
    uint32_t count = 0, fact = 0;
    int64_t left = source->uses.count > 0 ? source->uses.at[0] : 0;
    for (uint32_t i = 0; i < most; ++i, --left)
    {
        while (left <= 0 && fact < source->flags.count)
        {
            fact++;
            left = fact < source->uses.count ? source->uses.at[fact] : INT64_MAX;
        }
        double time = (double)source->times.at[i], value = source->values.at[i];
        if (isfinite((float)value) && (count == 0 || time > keys[count - 1].time))
        {
            keys[count] = (pelti_fbx_key){.time = time,
                                          .value = value,
                                          .interpolation = way_of(all[fact].flags),
                                          .weight_in = 1.0 / 3.0,
                                          .weight_out = 1.0 / 3.0};
            facts[count++] = &all[fact];
        }
    }
    return count;
}

pelt_result pelti_fbx_load_curve(pelti_fbx_curve* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node)
{
    curve_source source = {0};
    PELT_TRY(read_source(&source, file, node));
    pelti_fbx_key* keys = pelti_fbx_alloc(file, source.times.count, sizeof *keys);
    const key_facts** facts = pelti_fbx_alloc(file, source.times.count, sizeof *facts);
    const key_facts* all = read_facts(&source, file);
    if (keys == NULL || facts == NULL || all == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    out->key_count = fill_keys(keys, facts, &source, all);
    out->keys = keys;
    set_slopes(keys, out->key_count, facts);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Values

// Parameter at which a cubic Bezier curve from 0 to 1 with control points a and b reaches x.
static double solve_time(double a, double b, double x)
{
    double low = 0.0, high = 1.0, u = x;
    for (int i = 0; i < 60; ++i)
    {
        double v = 1.0 - u;
        double at = 3.0 * v * v * u * a + 3.0 * v * u * u * b + u * u * u;
        if (at < x)
        {
            low = u;
        }
        else
        {
            high = u;
        }
        double speed = 3.0 * v * v * a + 6.0 * v * u * (b - a) + 3.0 * u * u * (1.0 - b);
        double next = u - (at - x) / speed;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - u) < 1e-15)
        {
            break;
        }
        u = next;
    }
    return u;
}

static double spline_at(const pelti_fbx_key* a, double time)
{
    const pelti_fbx_key* b = a + 1;
    double duration = b->time - a->time, x = (time - a->time) / duration;
    bool is_third = a->weight_out == 1.0 / 3.0 && b->weight_in == 1.0 / 3.0;
    double u = is_third ? x : solve_time(a->weight_out, 1.0 - b->weight_in, x);
    double v = 1.0 - u;
    double handle_a = a->value + a->slope_out * a->weight_out * duration;
    double handle_b = b->value - b->slope_in * b->weight_in * duration;
    return v * v * v * a->value + 3.0 * v * v * u * handle_a + 3.0 * v * u * u * handle_b +
           u * u * u * b->value;
}

// The last key at or before the moment; strictly before it if the moment is a limit from the left.
static uint32_t find_key(const pelti_fbx_curve* curve, pelti_fbx_moment moment)
{
    uint32_t low = 0, high = curve->key_count, last = high - 1;
    double span = curve->keys[last].time - curve->keys[0].time;
    double part = (moment.time - curve->keys[0].time) / span;
    // Motion capture has equidistant keys: look first at the expected index and its neighbor. For
    // other curves this costs two extra steps.
    uint32_t guess = part > 0.0 ? part < 1.0 ? (uint32_t)(part * last) : last : 0;
    uint32_t looks[2] = {guess > 0 ? guess - 1 : 0, guess < last ? guess + 2 : last};
    for (uint32_t i = 0; high - low > 1; ++i)
    {
        uint32_t middle =
            i < 2 && looks[i] > low && looks[i] < high ? looks[i] : low + (high - low) / 2;
        double time = curve->keys[middle].time;
        if (moment.is_before ? time < moment.time : time <= moment.time)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

double pelti_fbx_curve_at(const pelti_fbx_curve* curve, pelti_fbx_moment moment)
{
    if (curve->key_count == 0)
    {
        return 0.0;
    }
    uint32_t i = find_key(curve, moment);
    const pelti_fbx_key* key = &curve->keys[i];
    if (moment.time <= key->time || i + 1 == curve->key_count)
    {
        return key->value;
    }
    switch (key->interpolation)
    {
    case 'c':
        return key->value;
    case 'n':
        return key[1].value;
    case 'l':
        return key->value + (key[1].value - key->value) *
                                ((moment.time - key->time) / (key[1].time - key->time));
    default:
        return spline_at(key, moment.time);
    }
}

// =============================================================================================
// Takes: one clip for each animation stack.

static const struct
{
    const char* property;
    const char* parts[3]; // connection names of the curves of a curve node
} names[PELTI_FBX_PROPERTIES] = {{"Lcl Translation", {"d|X", "d|Y", "d|Z"}},
                                 {"Lcl Rotation", {"d|X", "d|Y", "d|Z"}},
                                 {"Lcl Scaling", {"d|X", "d|Y", "d|Z"}},
                                 {"DeformPercent", {"d|DeformPercent", NULL, NULL}}};

typedef struct take_reader
{
    pelti_fbx* f;
    pelti_fbx_curve** curves; // by object; NULL: not read yet
    uint32_t* moved;          // by object: its index among the animated objects, or PELT_NONE
    uint32_t moved_count;
} take_reader;

// Number the animated objects. Most objects of a file with many takes are curves, so tables of all
// objects per take would have quadratic size.
static void number_moved(take_reader* r)
{
    const pelti_fbx* f = r->f;
    memset(r->moved, 0xff, f->object_count * sizeof *r->moved);
    for (uint32_t i = 0; i < f->link_count; ++i)
    {
        const pelti_fbx_link* link = &f->links[i];
        if (link->property != NULL && link->parent != PELT_NONE &&
            f->objects[link->child].kind == PELTI_FBX_CURVE_NODE &&
            r->moved[link->parent] == PELT_NONE)
        {
            r->moved[link->parent] = r->moved_count++;
        }
    }
}

// Whether the curve is constant. Motion capture has thousands of keys on such curves.
static bool is_still(const pelti_fbx_curve* curve)
{
    for (uint32_t i = 0; i < curve->key_count; ++i)
    {
        const pelti_fbx_key* key = &curve->keys[i];
        if (key->value != curve->keys[0].value || key->slope_in != 0.0 || key->slope_out != 0.0)
        {
            return false;
        }
    }
    return true;
}

// Connect a curve to one number of a property, or set the number if the curve is constant. Each
// curve is read once.
static pelt_result set_curve(take_reader* r, pelti_fbx_drive* drive, int part, uint32_t object)
{
    pelti_fbx* f = r->f;
    if (r->curves[object] == NULL)
    {
        pelti_fbx_curve* read = pelti_fbx_alloc(&f->file, 1, sizeof *read);
        if (read == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        PELT_TRY(pelti_fbx_load_curve(read, &f->file, f->objects[object].node));
        r->curves[object] = read;
    }
    const pelti_fbx_curve* curve = r->curves[object];
    PELT_TRY(pelti_fbx_charge(&f->file, 1 + curve->key_count));
    if (curve->key_count == 0)
    {
        return PELT_OK;
    }
    if (is_still(curve))
    {
        drive->values[part] = curve->keys[0].value;
        return PELT_OK;
    }
    drive->curves[part] = curve;
    return PELT_OK;
}

// Read the curves of a curve node, and its constant values where it has no curve.
static pelt_result read_drive(take_reader* r, pelti_fbx_drive* out, uint32_t curve_node,
                              pelti_fbx_property which, const double rest[3],
                              const pelti_fbx_layer* layer)
{
    pelti_fbx* f = r->f;
    const pelti_fbx_object* object = &f->objects[curve_node];
    *out = (pelti_fbx_drive){.is_present = true, .layer = layer};
    for (int i = 0; i < 3; ++i)
    {
        const char* part = names[which].parts[i];
        double otherwise = layer != NULL ? pelti_fbx_neutral(layer, which, rest[i]) : rest[i];
        out->values[i] = part != NULL ? pelti_fbx_property_real(object, part, otherwise) : 0.0;
    }
    for (uint32_t link = object->first_child; link != PELT_NONE; link = f->links[link].next_child)
    {
        const pelti_fbx_link* at = &f->links[link];
        PELT_TRY(pelti_fbx_charge(&f->file, 1));
        for (int i = 0; i < 3; ++i)
        {
            const char* part = names[which].parts[i];
            if (part != NULL && f->objects[at->child].kind == PELTI_FBX_CURVE &&
                pelti_fbx_is_word(at->property, part))
            {
                PELT_TRY(set_curve(r, out, i, at->child));
            }
        }
    }
    return PELT_OK;
}

// Where the animation of a property in a layer goes: behind those of the layers before it.
static pelt_result find_drive(take_reader* r, pelti_fbx_drive** out, pelti_fbx_drive* first,
                              const double rest[3], const pelti_fbx_layer* layer)
{
    *out = first;
    if (layer == NULL)
    {
        return PELT_OK;
    }
    if (!first->is_present)
    {
        *first = (pelti_fbx_drive){.is_present = true, .values = {rest[0], rest[1], rest[2]}};
    }
    pelti_fbx_drive* last = first;
    while (last->next != NULL)
    {
        last = last->next;
        PELT_TRY(pelti_fbx_charge(&r->f->file, 1));
    }
    *out = last;
    if (last->layer != layer)
    {
        last->next = pelti_fbx_alloc(&r->f->file, 1, sizeof *last->next);
        *out = last->next;
    }
    return *out != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// Read a curve node for each object and property that it is connected to.
// @param layer  NULL: the first
static pelt_result read_curve_node(take_reader* r, pelti_fbx_take* take, uint32_t curve_node,
                                   const pelti_fbx_layer* layer)
{
    pelti_fbx* f = r->f;
    for (uint32_t link = f->objects[curve_node].first_parent; link != PELT_NONE;
         link = f->links[link].next_parent)
    {
        const pelti_fbx_link* at = &f->links[link];
        PELT_TRY(pelti_fbx_charge(&f->file, 1));
        for (int i = 0; i < PELTI_FBX_PROPERTIES && at->parent != PELT_NONE; ++i)
        {
            if (!pelti_fbx_is_word(at->property, names[i].property))
            {
                continue;
            }
            pelti_fbx_motion** motion = &take->motions[r->moved[at->parent]];
            *motion = *motion != NULL ? *motion : pelti_fbx_alloc(&f->file, 1, sizeof **motion);
            if (*motion == NULL)
            {
                return PELT_ERROR_MEMORY;
            }
            double rest[3];
            pelti_fbx_property_vec3(rest, &f->objects[at->parent], names[i].property,
                                    i == PELTI_FBX_SCALE ? 1.0 : 0.0);
            pelti_fbx_drive* drive;
            PELT_TRY(find_drive(r, &drive, &(*motion)->drives[i], rest, layer));
            PELT_TRY(read_drive(r, drive, curve_node, (pelti_fbx_property)i, rest, layer));
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Time range

static void widen(pelti_fbx_take* take, const pelti_fbx_drive* first)
{
    for (const pelti_fbx_drive* drive = first; drive != NULL; drive = drive->next)
    {
        for (int i = 0; i < 3; ++i)
        {
            const pelti_fbx_curve* curve = drive->curves[i];
            if (curve != NULL)
            {
                take->start = fmin(take->start, curve->keys[0].time);
                take->stop = fmax(take->stop, curve->keys[curve->key_count - 1].time);
            }
        }
    }
}

// The range that the stack states, otherwise from the first key to the last.
static void find_span(const take_reader* r, pelti_fbx_take* take)
{
    const pelti_fbx_object* stack = &r->f->objects[take->object];
    take->start = pelti_fbx_property_real(stack, "LocalStart", 0.0);
    take->stop = pelti_fbx_property_real(stack, "LocalStop", 0.0);
    if (take->stop > take->start)
    {
        return;
    }
    take->start = (double)INFINITY;
    take->stop = (double)-INFINITY;
    for (uint32_t i = 0; i < r->moved_count; ++i)
    {
        for (int k = 0; k < PELTI_FBX_PROPERTIES && take->motions[i] != NULL; ++k)
        {
            widen(take, &take->motions[i]->drives[k]);
        }
    }
    if (!(take->stop >= take->start))
    {
        take->start = take->stop = 0.0;
    }
}

// ---------------------------------------------------------------------------------------------

typedef struct layer_list
{
    uint32_t* objects;
    pelti_fbx_layer* layers;
    uint32_t count;
    bool has_solo;
} layer_list;

static pelt_result list_layers(layer_list* out, pelti_fbx* f, uint32_t stack)
{
    uint32_t link = f->objects[stack].first_child, count = 0;
    while (pelti_fbx_next_child(f, &link, PELTI_FBX_LAYER) != PELT_NONE)
    {
        ++count;
    }
    *out = (layer_list){.objects = pelti_fbx_alloc(&f->file, count, sizeof *out->objects),
                        .layers = pelti_fbx_alloc(&f->file, count, sizeof *out->layers),
                        .count = count};
    if (out->objects == NULL || out->layers == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    link = f->objects[stack].first_child;
    for (uint32_t i = 0; i < count; ++i)
    {
        out->objects[i] = pelti_fbx_next_child(f, &link, PELTI_FBX_LAYER);
        PELT_TRY(pelti_fbx_read_layer(&out->layers[i], f, out->objects[i]));
        out->has_solo = out->has_solo || out->layers[i].is_solo;
    }
    return PELT_OK;
}

static pelt_result read_layers(take_reader* r, pelti_fbx_take* take)
{
    pelti_fbx* f = r->f;
    layer_list list;
    PELT_TRY(list_layers(&list, f, take->object));
    uint32_t silent = 0;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        const pelti_fbx_layer* layer = &list.layers[i];
        if (layer->is_muted || (list.has_solo && !layer->is_solo))
        {
            ++silent;
            continue;
        }
        uint32_t link = f->objects[list.objects[i]].first_child, node;
        while ((node = pelti_fbx_next_child(f, &link, PELTI_FBX_CURVE_NODE)) != PELT_NONE)
        {
            PELT_TRY(read_curve_node(r, take, node, i > 0 ? layer : NULL));
        }
    }
    return silent > 0 ? pelti_fbx_repair(f, "clip %s: left out %u %s", take->name, silent,
                                         pelti_plural(silent, "muted layer", "muted layers"))
                      : PELT_OK;
}

static pelt_result read_take(take_reader* r, pelti_fbx_take* take, uint32_t stack)
{
    pelti_fbx* f = r->f;
    *take = (pelti_fbx_take){.object = stack, .moved = r->moved};
    PELT_TRY(pelti_fbx_charge(&f->file, r->moved_count));
    take->motions = pelti_fbx_alloc(&f->file, r->moved_count, sizeof *take->motions);
    const char* name = f->objects[stack].name;
    take->name = name[0] != '\0' ? pelt_arena_string(f->arena, name)
                                 : pelt_arena_format(f->arena, "clip %u", f->take_count);
    if (take->motions == NULL || take->name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    PELT_TRY(read_layers(r, take));
    find_span(r, take);
    return PELT_OK;
}

pelt_result pelti_fbx_read_takes(pelti_fbx* f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        count += f->objects[i].kind == PELTI_FBX_STACK;
    }
    take_reader r = {.f = f,
                     .curves = pelti_fbx_alloc(&f->file, f->object_count, sizeof *r.curves),
                     .moved = pelti_fbx_alloc(&f->file, f->object_count, sizeof *r.moved)};
    f->takes = pelti_fbx_alloc(&f->file, count, sizeof *f->takes);
    if (r.curves == NULL || r.moved == NULL || f->takes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    number_moved(&r);
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        if (f->objects[i].kind == PELTI_FBX_STACK)
        {
            PELT_TRY(read_take(&r, &f->takes[f->take_count], i));
            f->take_count++;
        }
    }
    return PELT_OK;
}
