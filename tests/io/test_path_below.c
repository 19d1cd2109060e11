// SPDX-License-Identifier: MIT
// Which files a file may name.
#define _XOPEN_SOURCE 700
#include "readers.h"

#include "subprocess.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A folder of its own with "inside/near.bin", "inside/deep/low.bin", and "outside.bin" next to it.
typedef struct tree
{
    char root[64];
    char path[256];
    size_t folder_length;
} tree;

static const char* const files[] = {"outside.bin", "inside/near.bin", "inside/deep/low.bin",
                                    "insider.bin"};

static const char* at(tree* t, const char* name)
{
    snprintf(t->path, sizeof t->path, "%s/%s", t->root, name);
    return t->path;
}

static bool tree_make(tree* t)
{
    strcpy(t->root, "/tmp/pelt_below_XXXXXX");
    bool is_made = mkdtemp(t->root) != NULL && mkdir(at(t, "inside"), 0700) == 0 &&
                   mkdir(at(t, "inside/deep"), 0700) == 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && is_made; ++i)
    {
        FILE* file = fopen(at(t, files[i]), "wb");
        is_made = file != NULL && fclose(file) == 0;
    }
    t->folder_length = strlen(t->root) + strlen("/inside/");
    return is_made;
}

static void tree_remove(tree* t)
{
    static const char* const links[] = {"inside/link.bin", "inside/up", "alias", "inside/loop"};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i)
    {
        remove(at(t, links[i]));
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    {
        remove(at(t, files[i]));
    }
    remove(at(t, "inside/deep"));
    remove(at(t, "inside"));
    rmdir(t->root);
}

static pelt_result ask(tree* t, const char* name, pelt_error* error)
{
    char path[300];
    snprintf(path, sizeof path, "%s/inside/%s", t->root, name);
    return pelti_path_below(path, t->folder_length, error);
}

static int names_lead_down(void)
{
    static const char* const refused[] = {
        "../outside.bin", "deep/../../outside.bin", "..", "", "/etc/passwd", "C:/near.bin",
        "file:near",      "deep\\low.bin"};
    tree t;
    pelt_error error;
    ENSURE(tree_make(&t));
    ENSURE(ask(&t, "near.bin", &error) == PELT_OK && ask(&t, "deep/low.bin", &error) == PELT_OK);
    ENSURE(ask(&t, "./deep//low.bin", &error) == PELT_OK);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    {
        ENSURE(ask(&t, refused[i], &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, "below the folder") != NULL);
    }
    ENSURE(ask(&t, "nothing.bin", &error) == PELT_ERROR_READ);
    ENSURE(ask(&t, "deep", &error) == PELT_ERROR_READ && strstr(error.message, "a folder"));
    tree_remove(&t);
    return 0;
}

static int links_that_leave_the_folder_are_refused(void)
{
    // Files, whole folders, a folder whose name merely starts the same, and links in a circle.
    static const char* const targets[] = {"../outside.bin", "/etc/passwd", "../insider.bin",
                                          "deep/../../outside.bin"};
    tree t;
    pelt_error error;
    ENSURE(tree_make(&t));
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; ++i)
    {
        ENSURE(symlink(targets[i], at(&t, "inside/link.bin")) == 0);
        ENSURE(ask(&t, "link.bin", &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, "link") != NULL && strchr(error.message, '\n') == NULL);
        ENSURE(remove(at(&t, "inside/link.bin")) == 0);
    }
    ENSURE(symlink("..", at(&t, "inside/up")) == 0);
    ENSURE(ask(&t, "up/outside.bin", &error) == PELT_ERROR_DATA);
    ENSURE(ask(&t, "up/inside/near.bin", &error) == PELT_OK);
    ENSURE(symlink("loop", at(&t, "inside/loop")) == 0);
    ENSURE(ask(&t, "loop", &error) == PELT_ERROR_READ);
    tree_remove(&t);
    return 0;
}

static int links_within_the_folder_and_to_the_folder_are_followed(void)
{
    tree t;
    pelt_error error;
    char path[300];
    ENSURE(tree_make(&t));
    ENSURE(symlink("deep/low.bin", at(&t, "inside/link.bin")) == 0);
    ENSURE(ask(&t, "link.bin", &error) == PELT_OK);
    ENSURE(symlink("inside", at(&t, "alias")) == 0);
    snprintf(path, sizeof path, "%s/alias/near.bin", t.root);
    ENSURE(pelti_path_below(path, pelti_path_folder(path), &error) == PELT_OK);
    tree_remove(&t);
    return 0;
}

static int check_here(const char* folder)
{
    pelt_error error;
    ENSURE(chdir(folder) == 0);
    ENSURE(pelti_path_folder("near.bin") == 0);
    ENSURE(pelti_path_below("near.bin", 0, &error) == PELT_OK);
    ENSURE(symlink("../outside.bin", "link.bin") == 0);
    ENSURE(pelti_path_below("link.bin", 0, &error) == PELT_ERROR_DATA);
    // Everything is below the root.
    ENSURE(chdir("/") == 0 && pelti_path_below("etc/passwd", 0, &error) == PELT_OK);
    ENSURE(pelti_path_below("/etc/passwd", 1, &error) == PELT_OK);
    return SUBPROCESS_GOOD;
}

static int the_current_folder_is_a_folder_too(void)
{
    tree t;
    ENSURE(tree_make(&t));
    ENSURE(subprocess_run(check_here, at(&t, "inside")) == SUBPROCESS_GOOD);
    tree_remove(&t);
    return 0;
}

void test_path_below(void)
{
    RUN(names_lead_down);
    RUN(links_that_leave_the_folder_are_refused);
    RUN(links_within_the_folder_and_to_the_folder_are_followed);
    RUN(the_current_folder_is_a_folder_too);
}
