// SPDX-License-Identifier: MIT
// Decoding the thesis layout of animation textures.
#include "../base/exact.h"

#include "baked_thesis.h"

uint32_t pelti_thesis_rows(pelt_encoding encoding)
{
    return encoding == PELT_ENCODING_MATRIX ? 3 : 2;
}

uint64_t pelti_thesis_side(uint64_t count, bool is_padded)
{
    uint64_t side = 1;
    while (is_padded && side < count)
    {
        side *= 2;
    }
    return is_padded ? side : count;
}

uint32_t pelti_thesis_pivot_place(uint32_t joint, uint32_t key_count, uint32_t width)
{
    uint32_t column = PELTI_THESIS_FIRST_PIVOT + joint / 2;
    return column <= key_count ? joint % 2 * width + column : 0;
}

uint32_t pelti_thesis_pivot_word(const uint32_t* words, uint32_t joint, uint32_t width)
{
    uint32_t place = pelti_thesis_pivot_place(joint, words[0] & 0xFFFF, width);
    return place > 0 ? words[place] : PELTI_THESIS_ORIGIN;
}

static uint32_t byte_of(uint32_t word, uint32_t channel)
{
    return word >> 8 * channel & 255;
}

pelt_vec3 pelti_thesis_pivot(uint32_t word, float unit)
{
    float axes[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        axes[i] = PELTI_THESIS_PIVOT_STEP * unit * ((float)byte_of(word, i) - 128.0f);
    }
    return pelt_vec3_make(axes[0], axes[1], axes[2]);
}

// The first column has the box of a joint in the rows of its motion.
static const uint32_t* joint_row(const uint32_t* column, const pelti_key_pair* pair, uint32_t joint)
{
    size_t row = PELTI_THESIS_HEAD_ROWS + (size_t)pelti_thesis_rows(pair->encoding) * joint;
    return column + row * pair->row_words;
}

pelti_thesis_box pelti_thesis_read_box(const pelti_key_pair* pair, uint32_t joint)
{
    const uint32_t* texel = joint_row(pair->table, pair, joint);
    uint32_t rows = pelti_thesis_rows(pair->encoding);
    float bytes[12];
    for (uint32_t i = 0; i < 4 * rows; ++i)
    {
        bytes[i] = (float)byte_of(texel[(size_t)(i / 4) * pair->row_words], i % 4);
    }
    pelti_thesis_box box = {.stretch = 1.0f};
    if (rows == 3)
    {
        uint32_t word = pelti_thesis_pivot_word(pair->table, joint, pair->row_words);
        box.stretch = ldexpf(1.0f, (int)(byte_of(word, 3) & PELTI_THESIS_STRETCH_MAX));
    }
    for (uint32_t i = 0; i < 4 && rows == 2; ++i)
    {
        box.center[i] = pair->unit * (bytes[i] - 128.0f);
        box.bounds[i] = pair->unit * bytes[4 + i];
    }
    for (uint32_t i = 0; i < 3 && rows == 3; ++i)
    {
        // The sign of the fraction is that of the whole.
        float fraction = (bytes[3 + i] - 128.0f) / 127.0f;
        box.center[i] = pair->unit * (fraction < 0.0f ? fraction - bytes[i] : fraction + bytes[i]);
        box.bounds[i] = pair->unit * (bytes[6 + i] + bytes[9 + i] / 255.0f);
    }
    return box;
}

pelti_thesis_place pelti_thesis_place_of(uint32_t value, pelt_encoding encoding)
{
    if (encoding == PELT_ENCODING_MATRIX)
    {
        return value < 9 ? (pelti_thesis_place){value / 3, value % 3, PELT_NONE}
                         : (pelti_thesis_place){value - 9, 3, value - 9};
    }
    return (pelti_thesis_place){value / 4, value % 4, value < 4 ? PELT_NONE : value - 4};
}

void pelti_thesis_read(float out[12], const uint32_t* key, const pelti_key_pair* pair,
                       uint32_t joint, const pelti_thesis_box* box)
{
    const uint32_t* texel = joint_row(key, pair, joint);
    for (uint32_t i = 0; i < 4 * pelti_thesis_rows(pair->encoding); ++i)
    {
        pelti_thesis_place at = pelti_thesis_place_of(i, pair->encoding);
        uint32_t word = texel[(size_t)at.row * pair->row_words];
        float value = ((float)byte_of(word, at.channel) - 128.0f) / 127.0f;
        out[i] = at.axis == PELT_NONE ? box->stretch * value
                                      : box->center[at.axis] + value * box->bounds[at.axis];
    }
}
