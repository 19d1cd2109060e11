// SPDX-License-Identifier: MIT
// Scenes that are written to another folder: which images are copied, which are left out, and the
// messages about it.
#define _XOPEN_SOURCE 700
#include "picture_fixture.h"
#include "readers.h"

#include "loss_check.h"
#include "subprocess.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A scene whose materials name some textures.
static struct painted
{
    pelt_node node;
    pelt_material materials[4];
    pelt_image image;
    pelt_scene scene;
} painted;

static void paint(uint32_t count, const char* const* textures)
{
    painted.node = (pelt_node){"alone", PELT_NONE, pelt_transform_identity()};
    painted.scene = (pelt_scene){.name = "s",
                                 .node_count = 1,
                                 .nodes = &painted.node,
                                 .material_count = count,
                                 .materials = painted.materials};
    for (uint32_t i = 0; i < count; ++i)
    {
        painted.materials[i] = (pelt_material){.name = "m", .textures[0].image = textures[i]};
    }
}

// Models in "from", with its pictures, and an empty folder "to".
static bool make_folders(pelti_blob* png)
{
    pelt_picture picture;
    bool is_ok = pelt_picture_create(&picture, 5, 3, NULL) == PELT_OK;
    pelt_picture_clear(&picture, (pelt_color){10, 20, 30, 255});
    is_ok = is_ok && mkdir(subprocess_path("from"), 0777) == 0 &&
            mkdir(subprocess_path("to"), 0777) == 0 &&
            mkdir(subprocess_path("from/textures"), 0777) == 0;
    is_ok = is_ok &&
            pelt_picture_save(subprocess_path("from/skin paint.png"), &picture, NULL, NULL) == 0;
    pelt_picture_destroy(&picture);
    png->data =
        is_ok ? picture_read_file(&png->size, subprocess_path("from/skin paint.png")) : NULL;
    return png->data != NULL &&
           pelt_save_bytes(subprocess_path("from/textures/100%.png"), png->data, png->size, NULL) ==
               0 &&
           pelt_save_bytes(subprocess_path("outside.png"), png->data, png->size, NULL) == 0 &&
           pelt_save_bytes(subprocess_path("from/words.png"), "words", 5, NULL) == 0 &&
           symlink("../outside.png", subprocess_path("from/link.png")) == 0;
}

static void remove_folders(pelti_blob* png)
{
    static const char* const names[] = {"from/skin paint.png",
                                        "from/textures/100%.png",
                                        "from/words.png",
                                        "from/link.png",
                                        "outside.png",
                                        "to/a.glb",
                                        "from/textures",
                                        "from",
                                        "to"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        remove(subprocess_path(names[i]));
    }
    free(png->data);
}

static int pictures_beside_the_source_go_along(void)
{
    pelti_blob png;
    ENSURE(make_folders(&png));
    const char* const textures[] = {"skin%20paint.png", "C:\\art\\Skin Paint.png",
                                    "C:\\art\\100%.png", NULL};
    paint(4, textures);
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_pack(&painted.scene, subprocess_path("from/a.gltf"),
                           subprocess_path("to/a.glb"), arena, NULL) == PELT_OK);
    ENSURE(painted.scene.image_count == 2 && painted.scene.loss_count == 0);

    // The file needs no other.
    pelt_scene* back;
    ENSURE(pelt_save_scene(subprocess_path("to/a.glb"), PELT_FORMAT_GLB, &painted.scene, NULL) ==
           PELT_OK);
    ENSURE(pelt_load(&back, subprocess_path("to/a.glb"), NULL, NULL) == PELT_OK);
    ENSURE(back->image_count == 2 && back->materials[3].textures[0].image == NULL);
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t image = pelt_scene_find_image(back, back->materials[i].textures[0].image);
        ENSURE(image != PELT_NONE && back->images[image].size == png.size);
        ENSURE(memcmp(back->images[image].bytes, png.data, png.size) == 0);
    }
    ENSURE(strcmp(back->materials[0].textures[0].image, back->materials[1].textures[0].image) == 0);
    pelt_scene_destroy(back);
    pelt_arena_destroy(arena);
    remove_folders(&png);
    return 0;
}

// Two spellings of one file, whose name an image of the source has already.
static int a_file_goes_along_once(void)
{
    pelti_blob png;
    ENSURE(make_folders(&png));
    const char* const textures[] = {"skin%20paint.png", "C:\\art\\Skin Paint.png",
                                    "skin paint.png"};
    paint(3, textures);
    painted.image = (pelt_image){"skin paint.png", png.data, png.size - 1};
    painted.scene.images = &painted.image;
    painted.scene.image_count = 1;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_pack(&painted.scene, subprocess_path("from/a.gltf"),
                           subprocess_path("to/a.glb"), arena, NULL) == PELT_OK);
    const pelt_material* materials = painted.scene.materials;
    ENSURE(painted.scene.image_count == 2 && painted.scene.images[1].size == png.size);
    ENSURE(strcmp(materials[0].textures[0].image, painted.scene.images[1].name) == 0);
    ENSURE(strcmp(materials[1].textures[0].image, painted.scene.images[1].name) == 0);
    ENSURE(strcmp(materials[2].textures[0].image, "skin paint.png") == 0);
    pelt_arena_destroy(arena);
    remove_folders(&png);
    return 0;
}

static int in_the_same_folder_names_become_those_of_files(void)
{
    pelti_blob png;
    ENSURE(make_folders(&png));
    const char* const textures[] = {"skin%20paint.png", "C:\\art\\Skin Paint.png",
                                    "C:\\art\\100%.png", "skin paint.png"};
    static const char* const names[] = {"skin%20paint.png", "skin paint.png", "textures/100%25.png",
                                        "skin paint.png"};
    paint(4, textures);
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_pack(&painted.scene, subprocess_path("from/a.gltf"),
                           subprocess_path("from/../from/b.glb"), arena, NULL) == PELT_OK);
    ENSURE(painted.scene.image_count == 0 && painted.scene.loss_count == 0);
    for (int i = 0; i < 4; ++i)
    {
        ENSURE(strcmp(painted.scene.materials[i].textures[0].image, names[i]) == 0);
    }
    pelt_arena_destroy(arena);
    remove_folders(&png);
    return 0;
}

static bool says(const pelt_scene* scene, const char* name, const char* reason)
{
    for (uint32_t i = 0; i < scene->loss_count; ++i)
    {
        if (strstr(scene->losses[i].what, name) != NULL &&
            strstr(scene->losses[i].what, reason) != NULL)
        {
            return true;
        }
    }
    return false;
}

// Files that are not pictures, or that the source may not name, are not copied.
static int what_is_no_picture_beside_the_source_stays(void)
{
    pelti_blob png;
    ENSURE(make_folders(&png));
    const char* const textures[] = {"words.png", "link.png", "hand.png", "../outside.png"};
    paint(4, textures);
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_pack(&painted.scene, subprocess_path("from/a.gltf"),
                           subprocess_path("to/a.glb"), arena, NULL) == PELT_OK);
    ENSURE(painted.scene.image_count == 0 && painted.scene.loss_count == 4);
    ENSURE(says(&painted.scene, "\"words.png\"", "neither PNG, JPEG nor WebP"));
    ENSURE(says(&painted.scene, "\"link.png\"", "is a link to a file that is not below"));
    ENSURE(says(&painted.scene, "\"hand.png\"", "there is no file \"hand.png\" next to"));
    ENSURE(says(&painted.scene, "\"../outside.png\"", "is not below the folder"));
    for (int i = 0; i < 4; ++i)
    {
        // A reference to it would not be valid glTF.
        ENSURE(painted.scene.materials[i].textures[0].image == NULL);
    }
    pelt_arena_destroy(arena);
    remove_folders(&png);
    return 0;
}

static int what_the_writer_cannot_hold_is_listed(void)
{
    const char* const textures[] = {"inside"};
    const pelt_clip clips[2] = {{.name = "still"}, {.name = "as still"}};
    const pelt_loss before = {"1 camera"};
    paint(1, textures);
    painted.image = (pelt_image){"inside", (const uint8_t*)"tga", 3};
    painted.scene.images = &painted.image;
    painted.scene.image_count = 1;
    painted.scene.clips = clips;
    painted.scene.clip_count = 2;
    painted.scene.losses = &before;
    painted.scene.loss_count = 1;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_pack(&painted.scene, NULL, "-", arena, NULL) == PELT_OK);
    ENSURE(painted.scene.loss_count == 3 && is_listed_as_lost(&painted.scene, "1 camera"));
    ENSURE(is_listed_as_lost(&painted.scene, "2 clips that move nothing"));
    ENSURE(says(&painted.scene, "\"inside\"", "neither PNG, JPEG nor WebP"));
    pelt_arena_destroy(arena);
    return 0;
}

void test_scene_pack(void)
{
    RUN(pictures_beside_the_source_go_along);
    RUN(a_file_goes_along_once);
    RUN(in_the_same_folder_names_become_those_of_files);
    RUN(what_is_no_picture_beside_the_source_stays);
    RUN(what_the_writer_cannot_hold_is_listed);
}
