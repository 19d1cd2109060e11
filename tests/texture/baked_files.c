// SPDX-License-Identifier: MIT
// Files of a bake called "hero" in the folder of a test.
#include "baked_files.h"
#include "rigs.h"

#include "subprocess.h"

#include <stdio.h>

void baked_files_remove(void)
{
    static const char* const names[] = {"hero.json", "hero.glb",     "hero.ktx2",
                                        "hero.png",  "hero.exr",     "hero.dds",
                                        "hero.raw",  "hero_vat.png", "hero-remap_info.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        remove(subprocess_path(names[i]));
    }
}

pelt_scene* baked_files_box(void)
{
    pelt_scene* scene = NULL;
    return pelt_rig_build(&scene, "rig:box", NULL) == PELT_OK ? scene : NULL;
}
