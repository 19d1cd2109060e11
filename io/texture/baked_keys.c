// SPDX-License-Identifier: MIT
// Lists of numbers, one or more for each key of a clip, in the short form of the JSON file.
#include "baked_file.h"

#include <math.h>

// A number of a list, which is finite and below the largest float.
static pelt_result read_number(double* out, pelti_baked_reader* r, const pelti_json* list, size_t i,
                               const pelti_json_path* at)
{
    const pelti_json* number = pelti_json_at(list, i);
    bool is_good = pelti_json_is(number, PELTI_JSON_NUMBER) && fabs(number->as.number) < 3.4e38;
    pelti_json_path here = pelti_json_element(at, i);
    *out = is_good ? number->as.number : 0.0;
    return is_good ? PELT_OK : pelti_gltf_fail(&r->g, &here, "this must be a finite number");
}

static pelt_result need_numbers(const pelti_json** out, pelti_baked_reader* r,
                                const pelti_json* object, const char* member,
                                const pelti_json_path* at)
{
    PELT_TRY(pelti_baked_need(out, r, object, member, at));
    return pelti_gltf_get_array(out, &r->g, object, member, at);
}

pelt_result pelti_baked_read_boxes(pelt_bounds* out, uint32_t count, pelti_baked_reader* r,
                                   const pelti_json* object, const pelti_json_path* at)
{
    const pelti_json* values = NULL;
    pelti_json_path here = pelti_json_member(at, "values"), step_at = pelti_json_member(at, "step");
    double last[6] = {0.0};
    float step = 0.0f;
    PELT_TRY(pelti_gltf_get_floats(&step, 1, &r->g, object, "step", at));
    if (!(step > 0.0f))
    {
        return pelti_gltf_fail(&r->g, &step_at, "this must be above 0");
    }
    PELT_TRY(need_numbers(&values, r, object, "values", at));
    if (pelti_json_size(values) != 6 * (size_t)count)
    {
        return pelti_gltf_fail(&r->g, &here, "there are %zu elements for %u keys, 6 for each",
                               pelti_json_size(values), count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        float row[6] = {0.0f};
        for (size_t k = 0; k < 6; ++k)
        {
            double number;
            PELT_TRY(read_number(&number, r, values, 6 * (size_t)i + k, &here));
            last[k] += number;
            row[k] = (float)(last[k] * (double)step);
        }
        out[i] = (pelt_bounds){{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
        bool is_box = row[0] <= row[3] && row[1] <= row[4] && row[2] <= row[5];
        for (size_t k = 0; k < 6; ++k)
        {
            is_box = is_box && isfinite(row[k]);
        }
        if (!is_box)
        {
            return pelti_gltf_fail(&r->g, &here, "the minimum of box %u is above its maximum", i);
        }
    }
    return PELT_OK;
}

// Numbers of all keys, or of one key that applies to all.
static pelt_result read_part(float* out, size_t stride, uint32_t width, uint32_t count,
                             pelti_baked_reader* r, const pelti_json* object, const char* member,
                             const pelti_json_path* at)
{
    const pelti_json* list = NULL;
    pelti_json_path here = pelti_json_member(at, member);
    pelt_result result = need_numbers(&list, r, object, member, at);
    size_t size = pelti_json_size(list);
    if (result == PELT_OK && size != width && size != (size_t)width * count)
    {
        return pelti_gltf_fail(&r->g, &here, "there are %zu elements for %u keys, %u for each",
                               size, count, width);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        for (uint32_t k = 0; k < width && result == PELT_OK; ++k)
        {
            double number;
            result =
                read_number(&number, r, list, (size == width ? 0 : (size_t)width * i) + k, &here);
            out[i * stride + k] = (float)number;
        }
    }
    return result;
}

pelt_result pelti_baked_read_motion(pelt_transform* out, uint32_t count, pelti_baked_reader* r,
                                    const pelti_json* object, const pelti_json_path* at)
{
    const size_t stride = sizeof *out / sizeof(float);
    if (count == 0)
    {
        return PELT_OK;
    }
    pelt_result result =
        read_part(&out->translation.x, stride, 3, count, r, object, "position", at);
    result = result == PELT_OK
                 ? read_part(&out->rotation.x, stride, 4, count, r, object, "rotation", at)
                 : result;
    return result == PELT_OK ? read_part(&out->scale.x, stride, 3, count, r, object, "scale", at)
                             : result;
}
