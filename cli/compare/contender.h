// SPDX-License-Identifier: MIT
// The contenders of pelt compare: methods, and variants of them.
#ifndef PELT_CONTENDER_H
#define PELT_CONTENDER_H

#include "args.h"
#include "pelt/pelt.h"

enum
{
    CONTENDER_MAX = 16,
};

/// Every method, and the variants in contender.c.
typedef struct compare_contender
{
    const char* name;  ///< on the command line, in tables and in JSON
    const char* title; ///< what the name is short for
    pelt_deform_options deform;
    const char*
        added_by;    ///< option of pelt enhance that stores what it needs for each vertex, or NULL
    bool is_painted; ///< by the mix factors of the meshes, computed where none has any
} compare_contender;

typedef struct contender_list
{
    uint32_t count;
    compare_contender items[CONTENDER_MAX];
} contender_list;

extern const arg_option contender_options[]; ///< --method, --mix

bool contender_is_on_gpu(const compare_contender* in);  ///< there are shaders that do the same
bool contender_has_kernel(const compare_contender* in); ///< deformers do not need the reference

bool contender_has_map(const pelt_scene* scene); ///< mix factors that files have

/// All, or those of --method in its order.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int contender_list_choose(contender_list* out, const args* arguments);

/// Read a list of names with commas between, in its order.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int contender_list_read(contender_list* out, const char* names);

/// Remove those that need mix factors, unless the scene has some.
void contender_list_ready(contender_list* out, const pelt_scene* scene);

#endif
