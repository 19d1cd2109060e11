// SPDX-License-Identifier: MIT
// Folders that commands write into.
#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int folder_make(const char* path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    {
        return EXIT_DONE;
    }
    message_note("cannot make the folder %s: %s", path, strerror(errno));
    return EXIT_WRITE;
}
