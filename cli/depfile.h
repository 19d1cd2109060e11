// SPDX-License-Identifier: MIT
// --depfile: the files that a command has read, as a rule for make and ninja.
#ifndef PELT_DEPFILE_H
#define PELT_DEPFILE_H

#include "args.h"

/// Remember what is read from now on, if the command line has --depfile.
void depfile_begin(const args* arguments);

/// A file was opened; the hook pelt_hooks.opened.
void depfile_add(const char* path, void* user);

/// Write the rule if the command has a result, which is so for EXIT_DONE and for findings of
/// `pelt doctor`, EXIT_INPUT.
/// @param code  exit code of the command
/// @return the exit code of the program
int depfile_end(int code);

#endif
