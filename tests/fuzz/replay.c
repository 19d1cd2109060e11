// SPDX-License-Identifier: MIT
// A fuzz target without its fuzzer: every file of the folders goes through it once. Seeds are so
// tested by any compiler, and a finding can be looked at in a debugger: replay_TARGET PATH...
#define _XOPEN_SOURCE 700
#include "pelt/io.h"

#include "readers.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int file_count;

static int replay(const char* path, const struct stat* status, int kind, struct FTW* walk)
{
    (void)status;
    (void)walk;
    pelti_blob file;
    pelt_error error = {""};
    if (kind != FTW_F)
    {
        return 0;
    }
    if (pelti_blob_read(&file, path, &error) != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(file.data, file.size);
    pelti_blob_release(&file);
    ++file_count;
    return 0;
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        if (nftw(argv[i], replay, 16, FTW_PHYS) != 0)
        {
            return 1;
        }
    }
    return file_count > 0 ? 0 : 1;
}
