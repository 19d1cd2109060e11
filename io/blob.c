// SPDX-License-Identifier: MIT
// Whole files in memory.
#define _XOPEN_SOURCE 700

#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pelt_result read_error(pelt_error* error, const char* path, int code)
{
    if (code == ENOMEM)
    {
        return pelt_error_memory(error);
    }
    return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: %s", path, strerror(code));
}

static pelt_result read_bytes(pelti_blob* blob, int descriptor, const char* path, pelt_error* error)
{
    size_t done = 0;
    while (done < blob->size)
    {
        ssize_t step = read(descriptor, blob->data + done, blob->size - done);
        if (step < 0 && errno == EINTR)
        {
            continue;
        }
        if (step < 0)
        {
            return read_error(error, path, errno);
        }
        if (step == 0)
        {
            // It shrank since its size was taken.
            return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it ends after %zu bytes",
                                  path, done);
        }
        done += (size_t)step;
    }
    return PELT_OK;
}

static pelt_result read_open_file(pelti_blob* out, int descriptor, const char* path,
                                  pelt_error* error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
    {
        return read_error(error, path, errno);
    }
    if (!S_ISREG(status.st_mode))
    {
        return pelt_error_set(error, PELT_ERROR_READ, "cannot read %s: it is %s", path,
                              S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    }
    // One more byte, so that text ends with a zero and nothing is no special case.
    pelti_blob blob = {.size = (size_t)status.st_size};
    blob.data = blob.size < SIZE_MAX ? pelt_allocate(blob.size + 1, 1) : NULL;
    if (blob.data == NULL)
    {
        return pelt_error_memory(error);
    }
    blob.data[blob.size] = 0;
    pelt_result result = read_bytes(&blob, descriptor, path, error);
    if (result != PELT_OK)
    {
        pelti_blob_release(&blob);
        return result;
    }
    *out = blob;
    return PELT_OK;
}

pelt_result pelti_blob_read(pelti_blob* out, const char* path, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = (pelti_blob){0};

    // Without O_NONBLOCK a pipe would wait here for a writer.
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
    {
        return read_error(error, path, errno);
    }
    pelt_result result = read_open_file(out, descriptor, path, error);
    close(descriptor);
    return result;
}

void pelti_blob_release(pelti_blob* blob)
{
    pelt_release(blob->data);
    *blob = (pelti_blob){0};
}
