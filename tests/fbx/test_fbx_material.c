// SPDX-License-Identifier: MIT
// Materials and textures of FBX files, by the properties that exporters write.
#include "fbx_fixture.h"
#include "loss_check.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

// A material with some properties, without a mesh.
static pelt_scene* read_material(const char* properties, const char* more, const char* connections,
                                 pelt_error* error)
{
    char text[2048];
    snprintf(text, sizeof text,
             "Material: 50, \"Material::m\", \"\" {\nProperties70: {\n%s}\n}\n"
             "Texture: 52, \"Texture::t\", \"\" {\nRelativeFilename: \"a.png\"\n%s",
             properties, more);
    return fbx_read(fbx_text(text, connections), error);
}

// Files of Maya, of 3ds Max, of Blender, of the SDK, and those that contradict themselves.
static int opacity_is_what_exporters_mean(void)
{
    static const struct
    {
        const char* properties;
        float alpha;
    } cases[] = {
        {"", 1.0f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n"
         "P: \"TransparentColor\", \"Color\", \"\", \"A\",0,0,0\n"
         "P: \"Opacity\", \"double\", \"Number\", \"\",1\n",
         1.0f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0\n"
         "P: \"TransparentColor\", \"Color\", \"\", \"A\",1,1,1\n",
         1.0f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n"
         "P: \"TransparentColor\", \"Color\", \"\", \"A\",0.25,0.25,0.25\n",
         0.75f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n"
         "P: \"TransparentColor\", \"Color\", \"\", \"A\",1,1,1\n",
         0.75f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n", 0.75f},
        {"P: \"Opacity\", \"double\", \"Number\", \"\",0.25\n", 0.25f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n"
         "P: \"TransparentColor\", \"Color\", \"\", \"A\",1,1,1\n",
         1.0f},
        {"P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n"
         "P: \"Opacity\", \"double\", \"Number\", \"\",0\n",
         1.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* scene = read_material(cases[i].properties, "}\n", "", &error);
        ENSURE(scene != NULL && scene->material_count == 1);
        ENSURE_NEAR(scene->materials[0].base_color.w, cases[i].alpha, 1e-7);
        ENSURE(scene->materials[0].alpha_mode ==
               (cases[i].alpha < 1.0f ? PELT_ALPHA_BLEND : PELT_ALPHA_OPAQUE));
        pelt_scene_destroy(scene);
    }
    return 0;
}

// By the names of properties that the exporters of Maya, 3ds Max and Blender write, and the values
// that their materials have for them.
static int physical_materials_become_metallic_roughness(void)
{
    static const struct
    {
        const char* properties;
        float color, metallic, roughness, emissive;
    } cases[] = {
        // Standard Surface of Maya
        {"P: \"Maya|base\", \"Float\", \"\", \"\",0.5\n"
         "P: \"Maya|baseColor\", \"Vector3D\", \"Vector\", \"\",0.5,0.5,0.5\n"
         "P: \"Maya|metalness\", \"Float\", \"\", \"\",0.75\n"
         "P: \"Maya|specularRoughness\", \"Float\", \"\", \"\",0.25\n"
         "P: \"Maya|emission\", \"Float\", \"\", \"\",2\n"
         "P: \"Maya|emissionColor\", \"Vector3D\", \"Vector\", \"\",1,1,1\n"
         "P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0,0\n",
         0.25f, 0.75f, 0.25f, 2.0f},
        // Stingray PBS
        {"P: \"Maya|base_color\", \"Vector3D\", \"Vector\", \"\",0.125,0.5,0.5\n"
         "P: \"Maya|metallic\", \"Float\", \"\", \"\",1\n"
         "P: \"Maya|roughness\", \"Float\", \"\", \"\",0.5\n"
         "P: \"Maya|emissive\", \"Vector3D\", \"Vector\", \"\",0.5,0,0\n"
         "P: \"Maya|emissive_intensity\", \"Float\", \"\", \"\",4\n",
         0.125f, 1.0f, 0.5f, 2.0f},
        // Physical material of 3ds Max
        {"P: \"3dsMax|Parameters|base_weight\", \"Float\", \"\", \"A\",1\n"
         "P: \"3dsMax|Parameters|base_color\", \"ColorAndAlpha\", \"\", \"A\",0.5,0.5,0.5,1\n"
         "P: \"3dsMax|Parameters|metalness\", \"Float\", \"\", \"A\",0\n"
         "P: \"3dsMax|Parameters|roughness\", \"Float\", \"\", \"A\",0.375\n",
         0.5f, 0.0f, 0.375f, 0.0f},
        {"P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.5,1,1\n"
         "P: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.5\n"
         "P: \"EmissiveColor\", \"Color\", \"\", \"A\",0.5,0,0\n"
         "P: \"EmissiveFactor\", \"Number\", \"\", \"A\",0.5\n",
         0.25f, 0.0f, 0.8f, 0.25f},
        // Phong: (1 - roughness)^2 * 100, as Blender has it
        {"P: \"ShininessExponent\", \"Number\", \"\", \"A\",25\n"
         "}\nShadingModel: \"phong\"\nUnused: {\n",
         1.0f, 0.0f, 0.5f, 0.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* scene = read_material(cases[i].properties, "}\n", "", &error);
        ENSURE(scene != NULL && scene->material_count == 1);
        const pelt_material* material = &scene->materials[0];
        ENSURE_NEAR(material->base_color.x, cases[i].color, 1e-6);
        ENSURE_NEAR(material->metallic, cases[i].metallic, 1e-6);
        ENSURE_NEAR(material->roughness, cases[i].roughness, 1e-6);
        ENSURE_NEAR(material->emissive.x, cases[i].emissive, 1e-6);
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int textures_go_to_their_slots(void)
{
    static const struct
    {
        const char *property, *file;
        uint32_t slot; // PELT_SLOT_COUNT: none
        const char* lost;
    } cases[] = {
        {"NormalMap", "n.png", PELT_SLOT_NORMAL, NULL},
        {"Bump", "b.png", PELT_SLOT_COUNT, "1 bump texture"},
        {"Bump", "hero_Normal.png", PELT_SLOT_NORMAL, NULL},
        {"Maya|normalCamera", "n.png", PELT_SLOT_NORMAL, NULL},
        {"3dsMax|Parameters|bump_map", "skin_Height.png", PELT_SLOT_COUNT, "1 bump texture"},
        {"Maya|TEX_normal_map", "x.png", PELT_SLOT_NORMAL, NULL},
        {"Maya|TEX_ao_map", "x.png", PELT_SLOT_OCCLUSION, NULL},
        {"Maya|TEX_emissive_map", "x.png", PELT_SLOT_EMISSIVE, NULL},
        {"EmissiveColor", "x.png", PELT_SLOT_EMISSIVE, NULL},
        {"3dsMax|main|roughness_map", "x.png", PELT_SLOT_METALLIC_ROUGHNESS, NULL},
        {"Maya|TEX_metallic_map", "x.png", PELT_SLOT_COUNT,
         "1 separate metallic or roughness texture"},
        {"SpecularColor", "x.png", PELT_SLOT_COUNT, "1 texture that glTF cannot store"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char more[256], link[128];
        pelt_error error;
        snprintf(more, sizeof more,
                 "}\nTexture: 53, \"Texture::u\", \"\" {\nRelativeFilename: \"%s\"\n"
                 "Properties70: {\nP: \"Translation\", \"Vector\", \"\", \"A\",0.25,0.5,0\n"
                 "P: \"Scaling\", \"Vector\", \"\", \"A\",2,4,1\n}\n}\n",
                 cases[i].file);
        snprintf(link, sizeof link, "C: \"OP\",53,50, \"%s\"\n", cases[i].property);
        pelt_scene* scene = read_material("", more, link, &error);
        ENSURE(scene != NULL && scene->material_count == 1);
        ENSURE(cases[i].lost == NULL ? scene->loss_count == 0
                                     : is_listed_as_lost(scene, cases[i].lost));
        for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
        {
            const pelt_texture* texture = &scene->materials[0].textures[slot];
            ENSURE((texture->image != NULL) == (slot == cases[i].slot));
            if (texture->image == NULL)
            {
                continue;
            }
            // At the lower edge, v of FBX is 0 and that of pelt 1: 4 * 0 + 0.5 is 1 - 0.5.
            ENSURE(strcmp(texture->image, cases[i].file) == 0 && texture->is_transformed);
            ENSURE(texture->scale.x == 2.0f && texture->offset.x == 0.25f);
            ENSURE_NEAR(texture->scale.y * 1.0f + texture->offset.y, 0.5f, 1e-6);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

// The same file for color and transparency is how exporters say that its alpha counts.
static int alpha_of_a_texture_counts_when_it_is_connected(void)
{
    static const char both[] = "C: \"OP\",52,50, \"DiffuseColor\"\n"
                               "C: \"OP\",53,50, \"TransparentColor\"\n"
                               "C: \"OP\",53,50, \"NormalMap\"\n"
                               "C: \"OP\",53,50, \"SpecularColor\"\n";
    for (int is_same = 0; is_same < 2; ++is_same)
    {
        char more[256];
        pelt_error error;
        snprintf(more, sizeof more,
                 "Properties70: {\nP: \"WrapModeU\", \"enum\", \"\", \"\",1\n}\n}\n"
                 "Texture: 53, \"Texture::u\", \"\" {\nRelativeFilename: \"%s.png\"\n}\n",
                 is_same ? "a" : "b");
        pelt_scene* scene = read_material("", more, both, &error);
        ENSURE(scene != NULL && strcmp(scene->materials[0].textures[0].image, "a.png") == 0);
        ENSURE(scene->materials[0].alpha_mode == (is_same ? PELT_ALPHA_BLEND : PELT_ALPHA_OPAQUE));
        ENSURE(scene->materials[0].textures[0].sampler.wrap_u == PELT_TEXTURE_CLAMP);
        ENSURE(scene->materials[0].textures[0].sampler.wrap_v == PELT_TEXTURE_REPEAT);
        ENSURE(is_listed_as_lost(scene, "1 transparency texture") == !is_same);
        ENSURE(strcmp(scene->materials[0].textures[PELT_SLOT_NORMAL].image,
                      is_same ? "a.png" : "b.png") == 0);
        ENSURE(is_listed_as_lost(scene, "1 texture that glTF cannot store"));
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int what_scenes_cannot_store_is_listed(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(
        fbx_text("Model: 10, \"Model::c\", \"Camera\" {\n}\n"
                 "Model: 11, \"Model::l\", \"Light\" {\n}\n"
                 "Model: 12, \"Model::k\", \"Light\" {\n}\n"
                 "Constraint: 13, \"Constraint::x\", \"Aim\" {\n}\n"
                 "Geometry: 20, \"Geometry::\", \"Mesh\" {\nLayerElementUV: 0 {\n}\n"
                 "LayerElementUV: 1 {\n}\nLayerElementUV: 2 {\n}\nLayerElementColor: 0 {\n}\n"
                 "LayerElementColor: 1 {\n}\n}\n"
                 "AnimationStack: 60, \"AnimStack::walk\", \"\" {\n}\n"
                 "AnimationLayer: 61, \"AnimLayer::base\", \"\" {\n}\n"
                 "AnimationLayer: 62, \"AnimLayer::more\", \"\" {\n}\n",
                 "C: \"OO\",61,60\nC: \"OO\",62,60\n"),
        &error);
    ENSURE(scene != NULL && scene->loss_count == 4);
    ENSURE(is_listed_as_lost(scene, "1 camera") && is_listed_as_lost(scene, "2 lights"));
    ENSURE(is_listed_as_lost(scene, "1 constraint, which is not evaluated"));
    ENSURE(is_listed_as_lost(scene, "1 additional set of vertex colors"));
    pelt_scene_destroy(scene);
    return 0;
}

static int picture_in_pieces_is_whole(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL && scene->image_count == 1 && scene->images[0].size == 10);
    ENSURE(memcmp(scene->images[0].bytes, "helloworld", 10) == 0);
    ENSURE(strcmp(scene->materials[0].textures[0].image, "skin \"1\".png") == 0);
    pelt_scene_destroy(scene);
    return 0;
}

void test_fbx_material(void)
{
    RUN(opacity_is_what_exporters_mean);
    RUN(physical_materials_become_metallic_roughness);
    RUN(textures_go_to_their_slots);
    RUN(alpha_of_a_texture_counts_when_it_is_connected);
    RUN(what_scenes_cannot_store_is_listed);
    RUN(picture_in_pieces_is_whole);
}
