// SPDX-License-Identifier: MIT
// Prints a hash of the bytes of everything that the core computes on a built-in rig. Linked with
// differently compiled cores by same_bits_test.sh, it must print the same.
#define _POSIX_C_SOURCE 200809L // setenv
#include "pelt/bake.h"
#include "pelt/deformer.h"
#include "pelt/prepare.h"
#include "rigs.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a (Fowler, Noll and Vo).
static const uint64_t hash_start = 0xcbf29ce484222325u;

static uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* byte = bytes;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    }
    return hash;
}

static void print_hash(const char* kind, const char* name, const void* bytes, size_t size)
{
    printf("%s %s %016" PRIx64 "\n", kind, name, hash_bytes(hash_start, bytes, size));
}

static void need(bool is_true, const char* what)
{
    if (!is_true)
    {
        fprintf(stderr, "same_bits: cannot %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static void print_cors(pelt_vec3* cors, const pelt_mesh* mesh)
{
    const pelt_cor_input input = {1, &mesh};
    // Descending, so that what stays are the centers of the default, FAST.
    for (int solver = PELT_COR_SOLVER_COUNT - 1; solver >= 0; --solver)
    {
        pelt_cor_options options = {.solver = (pelt_cor_solver)solver};
        need(pelt_cor_solve(&cors, &input, &options, NULL, NULL) == PELT_OK, "solve");
        print_hash("centers", pelt_cor_solver_name(options.solver), cors,
                   mesh->vertex_count * sizeof *cors);
    }
}

static void print_factors(pelt_normal_factors* factors, const pelt_mesh* mesh,
                          const pelt_vec3* cors, pelt_arena* arena)
{
    need(pelt_normal_factors_build(factors, mesh, cors, NULL, arena, NULL) == PELT_OK,
         "build factors");
    uint64_t hash = hash_start;
    for (uint32_t i = 0; i < factors->factor_count; ++i)
    {
        // Without the bytes between the joint and its numbers.
        const pelt_normal_factor* factor = &factors->factors[i];
        hash = hash_bytes(hash, &factor->joint, sizeof factor->joint);
        hash = hash_bytes(hash, &factor->weight,
                          sizeof *factor - offsetof(pelt_normal_factor, weight));
    }
    printf("factors gradients %016" PRIx64 "\n", hash);
    print_hash("factors", "tangents", factors->tangents,
               factors->vertex_count * sizeof *factors->tangents);
}

static void print_frames(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose)
{
    const uint32_t count = scene->meshes[0].vertex_count;
    for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_deform_options options = {
            .method = method, .mix = 0.3f, .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_frame_update(frame, scene, pose, &options);
        const pelt_surface* surface = &frame->surfaces[0];
        print_hash("positions", pelt_method_name(method), surface->positions,
                   count * sizeof *surface->positions);
        print_hash("normals", pelt_method_name(method), surface->normals,
                   count * sizeof *surface->normals);
    }
}

// @param isa  PELT_ISA; a name that there is not represents the best
static void print_deformers(const char* isa, const pelt_scene* scene, const pelt_frame* frame)
{
    need(setenv("PELT_ISA", isa, 1) == 0, "set PELT_ISA");
    need((strcmp(isa, pelt_deformer_isa()) == 0) == (strcmp(isa, "base") == 0), "choose a set");
    const pelt_mesh* mesh = &scene->meshes[0];
    const pelt_deformer_source source = {.positions = mesh->positions,
                                         .normals = mesh->normals,
                                         .cors = frame->cors[0],
                                         .normal_factors = frame->normal_factors[0],
                                         .weights = &mesh->weights};
    const pelt_surface* out = &frame->surfaces[0];
    pelt_deformer* deformer;
    need(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK, "create a deformer");
    for (int i = 0; i < 2 * PELT_METHOD_COUNT; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / 2),
                                       .mix = 0.3f,
                                       .normal_rule = i % 2 == 0 ? PELT_NORMAL_STANDARD
                                                                 : PELT_NORMAL_ACCURATE};
        char kind[64];
        pelt_deformer_run(deformer, out, &frame->palettes[0], &options,
                          (pelt_range){0, pelt_deformer_block_count(deformer)});
        snprintf(kind, sizeof kind, "deformer %s positions", isa);
        print_hash(kind, pelt_method_name(options.method), out->positions,
                   mesh->vertex_count * sizeof *out->positions);
        snprintf(kind, sizeof kind, "deformer %s %s normals", isa,
                 i % 2 == 0 ? "standard" : "accurate");
        print_hash(kind, pelt_method_name(options.method), out->normals,
                   mesh->vertex_count * sizeof *out->normals);
    }
    pelt_deformer_destroy(deformer);
}

static void print_bakes(const pelt_scene* scene)
{
    for (pelt_encoding encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
    {
        // One search for the fewest bits: it compares errors, so that the last bit of one shows.
        const pelt_bake_options options = {.encoding = encoding,
                                           .clip_count = 1,
                                           .clips = (const uint32_t[]){0},
                                           .has_budget = encoding == PELT_ENCODING_LOCAL,
                                           .max_error = 0.001};
        pelt_baked* baked;
        need(pelt_bake(&baked, scene, &options, NULL) == PELT_OK, "bake");
        print_hash("bake", pelt_encoding_name(encoding), baked->words, pelt_baked_bytes(baked));
        pelt_baked_destroy(baked);
    }
}

int main(void)
{
    pelt_scene* scene = NULL;
    need(pelt_rig_build(&scene, "human?vertices=3000", NULL) == PELT_OK, "build the rig");
    const pelt_mesh* mesh = &scene->meshes[0];
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3* cors = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *cors);
    pelt_normal_factors factors;
    pelt_pose pose;
    pelt_frame frame;
    need(cors != NULL && pelt_pose_create(&pose, scene) == PELT_OK &&
             pelt_frame_create(&frame, scene) == PELT_OK,
         "allocate");

    print_hash("rig", "positions", mesh->positions, mesh->vertex_count * sizeof *mesh->positions);
    print_cors(cors, mesh);
    print_factors(&factors, mesh, cors, arena);
    // A pose between keys, so that tracks are interpolated.
    const pelt_clip* clip = &scene->clips[scene->clip_count - 1];
    pelt_pose_sample(&pose, scene, clip, 0.37f * clip->duration, PELT_WRAP_LOOP);
    frame.cors[0] = cors;
    frame.normal_factors[0] = &factors;
    print_frames(&frame, scene, &pose);
    print_deformers("base", scene, &frame);
    print_deformers("best", scene, &frame);
    // The same with joints that scale.
    for (uint32_t node = 0; node < scene->node_count; node += 3)
    {
        pose.locals[node].scale.x *= 1.125f;
    }
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){.method = PELT_METHOD_DQS});
    print_deformers("base", scene, &frame);
    print_deformers("best", scene, &frame);
    print_bakes(scene);

    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_arena_destroy(arena);
    pelt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
