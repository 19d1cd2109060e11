// SPDX-License-Identifier: MIT
// What pelt compare holds against each other: methods with their options, one row each.
#ifndef PELT_CONTENDER_H
#define PELT_CONTENDER_H

#include "args.h"
#include "pelt/pelt.h"

enum
{
    CONTENDER_MAX = 16,
};

/// To add one: a row in contender.c.
typedef struct compare_contender
{
    const char* name;  ///< on the command line, in tables and in JSON
    const char* title; ///< what the name is short for
    pelt_deform_options deform;
    bool is_painted; ///< by the mix factors of the meshes; takes part where one has any
} compare_contender;

typedef struct contender_list
{
    uint32_t count;
    compare_contender items[CONTENDER_MAX];
} contender_list;

extern const arg_option contender_options[]; ///< --method, --mix

/// All that the scene can be deformed by, or those of --method in its order.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int contender_list_choose(contender_list* out, const args* arguments, const pelt_scene* scene);

/// Without a command line: all.
void contender_list_all(contender_list* out, const pelt_scene* scene);

/// @return its index, or PELT_NONE
uint32_t contender_list_find(const contender_list* in, const char* name);

#endif
