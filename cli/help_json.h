// SPDX-License-Identifier: MIT
// All commands with their options as JSON, from which tools/manual makes the manual page and the
// completions of shells.
#ifndef PELT_HELP_JSON_H
#define PELT_HELP_JSON_H

#include "args.h"

/// @return the exit code
int help_json_print(const args_command* const* commands, uint32_t count);

#endif
