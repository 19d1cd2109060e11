// SPDX-License-Identifier: MIT
// JSON files of the viewer: what else is in the folder stays as it is.
#define _XOPEN_SOURCE 700
#include "desktop.h"

#include "subprocess.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char text[] = "{\n  \"a\": 1\n}";

static json_t* make_object(void)
{
    return json_pack("{s:i}", "a", 1);
}

static bool has_content(const char* path, const char* expected)
{
    char content[64] = "";
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(content, 1, sizeof content, file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    return size == strlen(expected) && memcmp(content, expected, size) == 0;
}

static bool write_text(const char* path, const char* content)
{
    FILE* file = fopen(path, "wb");
    return file != NULL && fputs(content, file) >= 0 && fclose(file) == 0;
}

static bool is_kind(const char* path, mode_t kind)
{
    struct stat status;
    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

static int a_file_is_replaced_and_no_other_touched(void)
{
    // The name that a temporary file once had.
    ENSURE(write_text(subprocess_path("view.json"), "old") &&
           write_text(subprocess_path("view.json.tmp"), "mine"));
    ENSURE(json_file_save(subprocess_path("view.json"), make_object(), NULL) == PELT_OK);
    ENSURE(has_content(subprocess_path("view.json"), text));
    ENSURE(has_content(subprocess_path("view.json.tmp"), "mine"));
    ENSURE(remove(subprocess_path("view.json")) == 0 &&
           remove(subprocess_path("view.json.tmp")) == 0);
    return 0;
}

static int a_link_is_followed(void)
{
    ENSURE(write_text(subprocess_path("real.json"), "old"));
    ENSURE(symlink("real.json", subprocess_path("view.json")) == 0);
    ENSURE(json_file_save(subprocess_path("view.json"), make_object(), NULL) == PELT_OK);
    ENSURE(is_kind(subprocess_path("view.json"), S_IFLNK) &&
           has_content(subprocess_path("real.json"), text));
    // A link in place of a temporary leads to a file that is none of ours.
    ENSURE(symlink("real.json", subprocess_path("other.json.tmp")) == 0);
    ENSURE(write_text(subprocess_path("real.json"), "mine"));
    ENSURE(json_file_save(subprocess_path("other.json"), make_object(), NULL) == PELT_OK);
    ENSURE(is_kind(subprocess_path("other.json.tmp"), S_IFLNK) &&
           has_content(subprocess_path("real.json"), "mine"));
    const char* const names[] = {"view.json", "real.json", "other.json", "other.json.tmp"};
    for (int i = 0; i < 4; ++i)
    {
        ENSURE(remove(subprocess_path(names[i])) == 0);
    }
    return 0;
}

static int a_pipe_gets_the_text_and_stays(void)
{
    char content[64] = "";
    const char* path = subprocess_path("pipe.json");
    ENSURE(mkfifo(path, 0600) == 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    ENSURE(reader >= 0 && json_file_save(path, make_object(), NULL) == PELT_OK);
    ENSURE(is_kind(path, S_IFIFO));
    ENSURE(read(reader, content, sizeof content) == (ssize_t)strlen(text));
    ENSURE(strcmp(content, text) == 0 && close(reader) == 0 && remove(path) == 0);
    return 0;
}

static int what_cannot_be_written_is_a_sentence(void)
{
    pelt_error error = {{0}};
    ENSURE(json_file_save(subprocess_path("none/x.json"), make_object(), &error) ==
           PELT_ERROR_WRITE);
    ENSURE(strstr(error.message, "none/x.json: No such file or directory") != NULL);
    ENSURE(json_file_save(subprocess_path("x.json"), NULL, &error) == PELT_ERROR_MEMORY);
    ENSURE(access(subprocess_path("x.json"), F_OK) != 0);
    return 0;
}

void test_json_file(void)
{
    RUN(a_file_is_replaced_and_no_other_touched);
    RUN(a_link_is_followed);
    RUN(a_pipe_gets_the_text_and_stays);
    RUN(what_cannot_be_written_is_a_sentence);
    subprocess_remove_folder();
}
