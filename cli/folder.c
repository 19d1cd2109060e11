// SPDX-License-Identifier: MIT
// Folders that commands write into.
#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_is_there(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void folder_remove(const char* path)
{
    rmdir(path);
}

int folder_make(const char* path)
{
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && folder_is_there(path)))
    {
        return EXIT_DONE;
    }
    message_note("cannot make the folder %s: %s", path, strerror(errno));
    return EXIT_WRITE;
}
