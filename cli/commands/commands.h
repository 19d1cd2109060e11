// SPDX-License-Identifier: MIT
// Every command of the program, one file each.
#ifndef PELT_COMMANDS_H
#define PELT_COMMANDS_H

#include "args.h"

/// The command of that name; NULL: there is none.
const args_command* command_find(const char* name);

extern const args_command cmd_info;
extern const args_command cmd_doctor;
extern const args_command cmd_enhance;
extern const args_command cmd_deform;
extern const args_command cmd_render;
extern const args_command cmd_compare;
extern const args_command cmd_view;
extern const args_command cmd_convert;
extern const args_command cmd_bake;
extern const args_command cmd_unbake;
extern const args_command cmd_batch;
extern const args_command cmd_shaders;
extern const args_command cmd_rig;
extern const args_command cmd_demo;
extern const args_command cmd_bench;
extern const args_command cmd_reproduce;

#endif
