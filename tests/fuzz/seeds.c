// SPDX-License-Identifier: MIT
// Write the files that fuzzing starts from: fuzz_seeds DIR
#define _POSIX_C_SOURCE 200809L
#include "seeds.h"

#include "pelt/bake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* seed_folder;

void seed_require(bool is_true, const char* what)
{
    if (!is_true)
    {
        fprintf(stderr, "fuzz_seeds: %s\n", what);
        exit(1);
    }
}

const char* seed_path(const char* target, const char* name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", seed_folder, target);
    mkdir(path, 0777); // there already, for all but the first
    snprintf(path, sizeof path, "%s/%s/%s", seed_folder, target, name);
    return path;
}

void seed_write(const char* target, const char* name, const void* bytes, size_t size)
{
    pelt_error error = {""};
    pelt_result result = pelt_save_bytes(seed_path(target, name), bytes, size, &error);
    seed_require(result == PELT_OK, error.message);
}

static void write_text(const char* target, const char* name, const char* text)
{
    seed_write(target, name, text, strlen(text));
}

// Options, joints, a mesh and clips, as fuzz_character.c takes them apart: few joints, as many as a
// skin may have, and one more. Binds are the identity.
static void seeds_character(void)
{
    static const struct
    {
        const char* name;
        uint8_t joints[13];
    } cases[] = {{"few", {0, 20, 2, 0x3f, 0x80}},
                 {"most", {1, 0, 0xff, 0xfe, 0, 0x3f, 0x80}},
                 {"over", {1, 0, 0xff, 0xff, 0, 0x3f, 0x80}}};
    uint8_t bytes[400];
    for (uint32_t i = 0; i < sizeof bytes; ++i)
    {
        bytes[i] = (uint8_t)(i * 37 + 1);
    }
    for (uint32_t i = 0; i < 3 * PELT_ENCODING_COUNT; ++i)
    {
        if (i % 3 == 1 && i / 3 > PELT_ENCODING_LOCAL)
        {
            continue; // a second for each, and nothing new
        }
        char name[16];
        const uint8_t options[] = {(uint8_t)(i / 3), (uint8_t)(i % 2), 0, 1, 0, 1};
        memcpy(bytes, options, sizeof options);
        memcpy(bytes + sizeof options, cases[i % 3].joints, sizeof cases[i % 3].joints);
        snprintf(name, sizeof name, "%s_%u", cases[i % 3].name, i / 3);
        seed_write("character", name, bytes, sizeof bytes);
    }
}

void seeds_text(void)
{
    write_text("pose_json", "rotate", "{\"elbow\":{\"axis\":[0,0,1],\"degrees\":120}}");
    write_text("pose_json", "list",
               "{\"elbow\":[{\"axis\":[1,0,0],\"degrees\":-3e1,\"space\":\"model\"},"
               "{\"scale\":1.5}],\"wrist\":{\"translate\":[0,-0.1,0],\"scale\":[1,2,0.5],"
               "\"space\":\"joint\"}}");
    write_text("rig_name", "box", "rig:box");
    write_text("rig_name", "cloth", "cloth?vertices=100");
    // Stride 2, two joints, at most 2 influences; a joint byte and a weight for each.
    static const uint8_t weights[] = {1, 1, 2, 0, 0, 0, 0x80, 0x3e, 1, 0, 0, 0x40, 0x3f};
    seed_write("weights", "two", weights, sizeof weights);
    seeds_character();
}

int main(int argc, char** argv)
{
    seed_require(argc == 2, "usage: fuzz_seeds DIR");
    seed_folder = argv[1];
    mkdir(seed_folder, 0777);
    seeds_gltf();
    seeds_fbx();
    seeds_picture();
    seeds_baked();
    seeds_text();
    return 0;
}
