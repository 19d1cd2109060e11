// SPDX-License-Identifier: MIT
// Takes from a process what reading a file does not need.
#ifndef PELT_CHILD_SANDBOX_H
#define PELT_CHILD_SANDBOX_H

#include <stdbool.h>

/// The parts that the kernel of this machine supports; the rest is left out silently.
typedef struct pelti_sandbox
{
    bool has_landlock; ///< files are confined to a folder, and none can be written or executed
    bool has_seccomp;  ///< system calls are confined to those of pelti_sandbox_enter()
} pelti_sandbox;

/// From here on this process and all that it may do
/// - gets no new privileges, by set-user-id programs or otherwise;
/// - opens files to read only, and only below the folder;
/// - has no sockets, no other processes, no programs, no new executable memory, and sends signals
///   to no other process;
/// - writes to descriptors 0 to 3 only.
/// What is not allowed fails with EPERM or EACCES, so that libraries can go on without it. Needs
/// Linux; seccomp filters are for x86-64 and 64-bit ARM.
/// @param folder  with files that may be read; "": the current folder; NULL: any file may be read
pelti_sandbox pelti_sandbox_enter(const char* folder);

#endif
