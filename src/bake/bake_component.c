// SPDX-License-Identifier: MIT
// How many bits each component of a joint gets.
#include "../base/exact.h"

#include "bake_component.h"

#include "../base/eigen.h"

void pelti_component_ranges(pelti_component_plan* plans, int count,
                            const pelti_pose_scratch* scratch, uint32_t key_count)
{
    for (int i = 0; i < count; ++i)
    {
        pelti_component_plan* plan = &plans[i];
        plan->widest = PELTI_WIDTH_MAX;
        plan->low = plan->high = scratch->rows[0][i];
        for (uint32_t key = 1; key < key_count; ++key)
        {
            plan->low = fminf(plan->low, scratch->rows[key][i]);
            plan->high = fmaxf(plan->high, scratch->rows[key][i]);
        }
        uint32_t word = pelti_component_word(plan->low, plan->high, 1, plan->scale);
        plan->range = pelti_component_read(word, plan->scale).range;
    }
}

// The error of a component with a width, at the vertices.
static double rounding(const pelti_component_plan* plan, uint32_t width)
{
    double range = (double)plan->high - (double)plan->low;
    range = width > 0 && plan->range > 0.0f ? (double)plan->range : range;
    return ldexp(range * (double)plan->reach, -(int)width - 1);
}

// Each next bit goes where the error is largest.
static void share_bits(pelti_component_plan* plans, int count, uint32_t bits)
{
    for (; bits > 0; --bits)
    {
        pelti_component_plan* worst = NULL;
        for (int i = 0; i < count; ++i)
        {
            double error = rounding(&plans[i], plans[i].width);
            bool has_use = !plans[i].is_constant && plans[i].width < plans[i].widest &&
                           error > (double)plans[i].enough;
            if (has_use && (worst == NULL || error > rounding(worst, worst->width)))
            {
                worst = &plans[i];
            }
        }
        if (worst == NULL)
        {
            return;
        }
        ++worst->width;
    }
}

void pelti_component_widths(pelti_component_plan* plans, int count, const pelti_quality* quality,
                            uint32_t joint)
{
    if (quality->key_bits > 0)
    {
        share_bits(plans, count, quality->key_bits);
        return;
    }
    double factor = quality->joint_factors != NULL ? (double)quality->joint_factors[joint] : 1.0;
    for (int i = 0; i < count; ++i)
    {
        if (plans[i].is_constant)
        {
            continue;
        }
        if (!(quality->tolerance > 0.0))
        {
            uint32_t bits = quality->value_bits;
            plans[i].width = bits == 32               ? (uint32_t)PELTI_WIDTH_FLOAT
                             : bits < plans[i].widest ? bits
                                                      : plans[i].widest;
            while (plans[i].enough > 0.0f && plans[i].width > 0 &&
                   rounding(&plans[i], plans[i].width - 1) <= (double)plans[i].enough)
            {
                --plans[i].width;
            }
            continue;
        }
        while (plans[i].width < plans[i].widest &&
               rounding(&plans[i], plans[i].width) > factor * quality->tolerance)
        {
            ++plans[i].width;
        }
    }
}

// Words and values of components, in order.
uint32_t* pelti_components_write(uint32_t* word, pelti_key_writer* writer,
                                 const pelti_pose_scratch* scratch,
                                 const pelti_component_plan* plans, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const pelti_component_plan* plan = &plans[i];
        *word = pelti_component_word(plan->low, plan->high, plan->width, plan->scale);
        pelti_component component = pelti_component_read(*word, plan->scale);
        uint32_t bits = pelti_component_bits(*word++);
        for (uint32_t key = 0; bits > 0 && key < writer->key_count; ++key)
        {
            uint32_t value = pelti_component_quantize(&component, scratch->rows[key][i]);
            pelti_bits_write(writer->keys + (size_t)key * writer->key_words, writer->bit, bits,
                             value);
        }
        writer->bit += bits;
    }
    return word;
}

// ---------------------------------------------------------------------------------------------
// Axes

// The extent of three columns of the rows along their axes, as a volume.
static double box_volume(const pelti_pose_scratch* scratch, int column, uint32_t key_count,
                         pelt_quat back)
{
    pelt_bounds bounds = pelt_bounds_empty();
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const float* row = scratch->rows[key] + column;
        pelt_vec3 v = pelt_quat_rotate(back, pelt_vec3_make(row[0], row[1], row[2]));
        pelt_bounds_add(&bounds, &v, 1);
    }
    pelt_vec3 extent = pelt_vec3_sub(bounds.max, bounds.min);
    // What is thinner than a thousandth of the rest needs hardly any bits.
    double longest = (double)fmaxf(extent.x, fmaxf(extent.y, extent.z)), thin = 1e-3 * longest;
    return fmax((double)extent.x, thin) * fmax((double)extent.y, thin) *
           fmax((double)extent.z, thin);
}

bool pelti_component_axes(pelt_quat* axes, uint32_t* word, pelti_pose_scratch* scratch, int column,
                          uint32_t key_count)
{
    double mean[3] = {0}, spread[3][3] = {{0}}, values[3], vectors[3][3];
    for (uint32_t key = 0; key < key_count; ++key)
    {
        for (int i = 0; i < 3; ++i)
        {
            mean[i] += (double)scratch->rows[key][column + i] / key_count;
        }
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const float* row = scratch->rows[key] + column;
        for (int i = 0; i < 9; ++i)
        {
            spread[i / 3][i % 3] +=
                ((double)row[i / 3] - mean[i / 3]) * ((double)row[i % 3] - mean[i % 3]);
        }
    }
    pelti_eigen_symmetric3(values, vectors, spread);
    pelt_mat3 rotation;
    for (int i = 0; i < 9; ++i)
    {
        rotation.m[i / 3][i % 3] = (float)vectors[i / 3][i % 3];
    }
    float side = pelt_mat3_determinant(&rotation) < 0.0f ? -1.0f : 1.0f;
    for (int i = 0; i < 3; ++i)
    {
        rotation.m[i][2] *= side;
    }
    *word = pelti_reference_word(pelt_quat_from_mat3(&rotation));
    *axes = pelti_reference_read(*word);
    pelt_quat back = pelt_quat_conjugate(*axes);
    double before = box_volume(scratch, column, key_count, pelt_quat_identity());
    double after = box_volume(scratch, column, key_count, back);
    // Bits saved in each key against those of the word.
    if (!(log2(before / after) * key_count > 48.0))
    {
        *axes = pelt_quat_identity();
        return false;
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        float* row = scratch->rows[key] + column;
        pelt_vec3 v = pelt_quat_rotate(back, pelt_vec3_make(row[0], row[1], row[2]));
        row[0] = v.x;
        row[1] = v.y;
        row[2] = v.z;
    }
    return true;
}
