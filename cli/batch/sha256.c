// SPDX-License-Identifier: MIT
// SHA-256: FIPS 180-4, "Secure Hash Standard", National Institute of Standards and Technology,
// 2015.
#include "sha256.h"

#include <stdio.h>
#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

// Section 6.2.2: the message schedule, then 64 rounds.
static void add_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64];
    for (unsigned t = 0; t < 16; ++t)
    {
        const uint8_t* b = block + 4 * t;
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (unsigned t = 16; t < 64; ++t)
    {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (unsigned t = 0; t < 64; ++t)
    {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + round_constants[t] + w[t];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; ++i)
    {
        state[i] += v[i];
    }
}

void sha256_begin(sha256* out)
{
    *out = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256* inout, const void* bytes, size_t size)
{
    const uint8_t* next = bytes;
    while (size > 0)
    {
        size_t used = inout->size % 64;
        size_t step = 64 - used < size ? 64 - used : size;
        memcpy(inout->block + used, next, step);
        inout->size += step;
        next += step;
        size -= step;
        if (used + step == 64)
        {
            add_block(inout->state, inout->block);
        }
    }
}

sha256_text sha256_end(sha256* inout)
{
    // Section 5.1.1: a one, zeros, and the length in bits as 64 bits.
    uint64_t bits = 8 * inout->size;
    static const uint8_t padding[64] = {0x80};
    size_t used = inout->size % 64;
    sha256_add(inout, padding, used < 56 ? 56 - used : 120 - used);
    uint8_t length[8];
    for (unsigned i = 0; i < 8; ++i)
    {
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    sha256_add(inout, length, sizeof length);

    sha256_text text;
    for (unsigned i = 0; i < 8; ++i)
    {
        snprintf(text.digits + 8 * i, 9, "%08x", inout->state[i]);
    }
    return text;
}

bool sha256_file(sha256_text* out, const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return false;
    }
    sha256 sum;
    sha256_begin(&sum);
    uint8_t buffer[1 << 14];
    size_t size = 0;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
    {
        sha256_add(&sum, buffer, size);
    }
    bool is_whole = !ferror(file);
    fclose(file);
    *out = sha256_end(&sum);
    return is_whole;
}
