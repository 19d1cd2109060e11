// SPDX-License-Identifier: MIT
// Folders that commands write into.
#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_make(folder* out, const char* path)
{
    *out = (folder){.path = path, .is_new = mkdir(path, 0777) == 0};
    struct stat status;
    if (out->is_new || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    {
        return EXIT_DONE;
    }
    message_note("cannot make the folder %s: %s", path, strerror(errno));
    return EXIT_WRITE;
}

void folder_unmake(const folder* in)
{
    if (in->is_new)
    {
        rmdir(in->path); // refuses when there is something in it
    }
}
