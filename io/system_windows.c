// SPDX-License-Identifier: MIT
// Files on Windows, by its wide functions: the narrow ones take names in the user's code page.
#include "system.h"

#define WIN32_LEAN_AND_MEAN
#include <errno.h>
#include <io.h>
#include <limits.h>
#include <wchar.h>
#include <windows.h>

// UTF-16 of a name; free() it. NULL: errno says why.
static wchar_t* widen(const char* text)
{
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (length == 0)
    {
        errno = ENOENT; // no file has a name that is not UTF-8
        return NULL;
    }
    wchar_t* wide = malloc((size_t)length * sizeof *wide);
    if (wide == NULL)
    {
        errno = ENOMEM;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, length);
    return wide;
}

static char* narrow(const wchar_t* wide)
{
    int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char* text = length > 0 ? malloc((size_t)length) : NULL;
    if (text == NULL)
    {
        errno = length > 0 ? ENOMEM : EIO;
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
    return text;
}

int pelti_system_open(const char* path, bool is_waiting)
{
    (void)is_waiting; // pipes have special names here, and opening does not wait
    if (path == NULL)
    {
        _setmode(0, _O_BINARY);
        return 0;
    }
    wchar_t* wide = widen(path);
    if (wide == NULL)
    {
        return -1;
    }
    int descriptor = _wopen(wide, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    DWORD attributes = descriptor < 0 && errno == EACCES ? GetFileAttributesW(wide) : 0;
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
    {
        errno = EISDIR;
    }
    free(wide);
    return descriptor;
}

void pelti_system_close(int descriptor)
{
    _close(descriptor);
}

ptrdiff_t pelti_system_read(int descriptor, void* out, size_t size)
{
    return _read(descriptor, out, size < INT_MAX ? (unsigned)size : INT_MAX);
}

int pelti_system_status(pelti_status* out, int descriptor)
{
    return _fstat64(descriptor, out);
}

int pelti_system_status_of(pelti_status* out, const char* path)
{
    wchar_t* wide = widen(path);
    int result = wide != NULL ? _wstat64(wide, out) : -1;
    free(wide);
    return result;
}

static int errno_of(DWORD code)
{
    switch (code)
    {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        return EACCES;
    default:
        return EIO;
    }
}

// A handle that serves to ask for the name, of folders too.
static HANDLE open_to_ask(const char* path)
{
    wchar_t* wide = widen(path);
    if (wide == NULL)
    {
        return INVALID_HANDLE_VALUE;
    }
    DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file =
        CreateFileW(wide, 0, sharing, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
    {
        errno = errno_of(GetLastError());
    }
    free(wide);
    return file;
}

static wchar_t* name_of(HANDLE file)
{
    DWORD size = GetFinalPathNameByHandleW(file, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t* name = size > 0 ? malloc((size + 1) * sizeof *name) : NULL;
    if (name == NULL)
    {
        errno = size > 0 ? ENOMEM : EIO;
        return NULL;
    }
    DWORD written = GetFinalPathNameByHandleW(file, name, size + 1, FILE_NAME_NORMALIZED);
    if (written == 0 || written > size) // renamed in between
    {
        free(name);
        errno = EIO;
        return NULL;
    }
    return name;
}

// "\\?\C:\a" is C:\a, and "\\?\UNC\host\a" is \\host\a, which is what other calls take.
static wchar_t* without_prefix(wchar_t* name)
{
    static const wchar_t local[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
    const size_t local_length = sizeof local / sizeof local[0] - 1;
    const size_t share_length = sizeof share / sizeof share[0] - 1;
    if (wcsncmp(name, share, share_length) == 0)
    {
        name[share_length - 2] = L'\\';
        return name + share_length - 2;
    }
    return wcsncmp(name, local, local_length) == 0 ? name + local_length : name;
}

char* pelti_system_resolve(const char* path)
{
    HANDLE file = open_to_ask(path);
    if (file == INVALID_HANDLE_VALUE)
    {
        return NULL;
    }
    wchar_t* wide = name_of(file);
    CloseHandle(file);
    char* name = wide != NULL ? narrow(without_prefix(wide)) : NULL;
    free(wide);
    for (char* c = name; c != NULL && *c != '\0'; ++c)
    {
        *c = *c == '\\' ? '/' : *c;
    }
    return name;
}
