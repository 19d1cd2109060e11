// SPDX-License-Identifier: MIT
// Animation layers: how the layers of a take that animate one property combine, from the first to
// the last, as the FBX SDK documents it for FbxAnimLayer and Maya evaluates it. The values of the
// first layer replace those of the object; with weight w a further layer with value v changes the
// result r to
//
//     additive              r + w v; by default r v^w for scales and r slerp(1, v, w) for rotations
//     override              v
//     override-passthrough  (1 - w) r + w v; by default r^(1 - w) v^w and slerp(r, v, w)
//
// Rotations combine as Euler angles and scales by addition where the layer asks for it.
#include "fbx_read.h"

#include <string.h>

enum
{
    BLEND_ADDITIVE = 0,
    BLEND_OVERRIDE = 1,
};

static bool is_set(const pelti_fbx_object* object, const char* name)
{
    return pelti_fbx_property_real(object, name, 0.0) != 0.0;
}

// A curve that animates the weight of the layer, through a curve node that is connected to it.
static pelt_result read_weight(pelti_fbx_layer* out, pelti_fbx* f, const pelti_fbx_object* object)
{
    out->weight = pelti_fbx_property_real(object, "Weight", 100.0);
    uint32_t link = object->first_child;
    for (; link != PELT_NONE; link = f->links[link].next_child)
    {
        const pelti_fbx_link* at = &f->links[link];
        if (f->objects[at->child].kind != PELTI_FBX_CURVE_NODE ||
            !pelti_fbx_is_word(at->property, "Weight"))
        {
            continue;
        }
        const pelti_fbx_object* node = &f->objects[at->child];
        out->weight = pelti_fbx_property_real(node, "d|Weight", out->weight);
        uint32_t inner = node->first_child;
        for (; inner != PELT_NONE; inner = f->links[inner].next_child)
        {
            uint32_t child = f->links[inner].child;
            if (f->objects[child].kind == PELTI_FBX_CURVE)
            {
                PELT_TRY(
                    pelti_fbx_load_curve(&out->weight_curve, &f->file, f->objects[child].node));
                return pelti_fbx_charge(&f->file, 1 + out->weight_curve.key_count);
            }
        }
    }
    return PELT_OK;
}

pelt_result pelti_fbx_read_layer(pelti_fbx_layer* out, pelti_fbx* f, uint32_t object)
{
    const pelti_fbx_object* layer = &f->objects[object];
    double mode = pelti_fbx_property_real(layer, "BlendMode", 0.0);
    *out = (pelti_fbx_layer){
        .blend = mode == (double)BLEND_ADDITIVE   ? PELTI_FBX_ADDITIVE
                 : mode == (double)BLEND_OVERRIDE ? PELTI_FBX_OVERRIDE
                                                  : PELTI_FBX_PASSTHROUGH,
        .blends_quaternions = !is_set(layer, "RotationAccumulationMode"),
        .multiplies_scales = !is_set(layer, "ScaleAccumulationMode"),
        .is_muted = is_set(layer, "Mute"),
        .is_solo = is_set(layer, "Solo"),
    };
    return read_weight(out, f, layer);
}

// From 0 to 1. @param moment  of the take
static double weight_at(const pelti_fbx_layer* layer, pelti_fbx_moment moment)
{
    double percent = layer->weight_curve.key_count > 0
                         ? pelti_fbx_curve_at(&layer->weight_curve, moment)
                         : layer->weight;
    return fmin(fmax(0.01 * percent, 0.0), 1.0);
}

// A power that keeps the sign, for scales that mirror.
static double signed_power(double base, double exponent)
{
    return base < 0.0 ? -pow(-base, exponent) : pow(base, exponent);
}

static void combine_rotation(double inout[3], const double value[3], const pelti_fbx_layer* layer,
                             double weight, int order)
{
    pelti_fbx_quat a = pelti_fbx_quat_from_angles(inout, order);
    pelti_fbx_quat b = pelti_fbx_quat_from_angles(value, order);
    const pelti_fbx_quat identity = {0.0, 0.0, 0.0, 1.0};
    if (layer->blend == PELTI_FBX_ADDITIVE)
    {
        a = pelti_fbx_quat_mul(a, pelti_fbx_quat_slerp(identity, b, weight));
    }
    else
    {
        a = pelti_fbx_quat_slerp(a, b, weight);
    }
    pelti_fbx_angles_from_quat(inout, a, order);
}

static void combine(double inout[3], const double value[3], const pelti_fbx_layer* layer,
                    double weight, pelti_fbx_property which, int order)
{
    bool is_additive = layer->blend == PELTI_FBX_ADDITIVE;
    if (layer->blend == PELTI_FBX_OVERRIDE)
    {
        memcpy(inout, value, 3 * sizeof *inout);
        return;
    }
    if (which == PELTI_FBX_ROTATION && layer->blends_quaternions)
    {
        combine_rotation(inout, value, layer, weight, order);
        return;
    }
    bool is_product = which == PELTI_FBX_SCALE && layer->multiplies_scales;
    double rest = is_additive ? 1.0 : 1.0 - weight;
    for (int i = 0; i < 3; ++i)
    {
        inout[i] = is_product ? signed_power(inout[i], rest) * signed_power(value[i], weight)
                              : rest * inout[i] + weight * value[i];
    }
}

static void values_of(double out[3], const pelti_fbx_drive* drive, pelti_fbx_moment moment)
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = drive->curves[i] != NULL ? pelti_fbx_curve_at(drive->curves[i], moment)
                                          : drive->values[i];
    }
}

void pelti_fbx_drive_at(double out[3], const pelti_fbx_drive* drive, pelti_fbx_property which,
                        int order, pelti_fbx_moment moment)
{
    values_of(out, drive, moment);
    for (const pelti_fbx_drive* d = drive->next; d != NULL; d = d->next)
    {
        double value[3];
        values_of(value, d, moment);
        combine(out, value, d->layer, weight_at(d->layer, moment), which, order);
    }
}

double pelti_fbx_neutral(const pelti_fbx_layer* layer, pelti_fbx_property which, double rest)
{
    bool is_factor = which == PELTI_FBX_SCALE && layer->multiplies_scales;
    return layer->blend != PELTI_FBX_ADDITIVE ? rest : is_factor ? 1.0 : 0.0;
}
