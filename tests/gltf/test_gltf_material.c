// SPDX-License-Identifier: MIT
// Materials of a glTF: what is kept of them, and what is listed as lost.
#include "gltf_fixture.h"
#include "loss_check.h"

static const char paint_start[] = "{\"name\":\"paint\",";

// The fixture with more members in its material.
static pelt_scene* load_paint(const char* members, pelt_error* error)
{
    char text[256];
    snprintf(text, sizeof text, "%s%s,", paint_start, members);
    return fixture_load_changed(paint_start, text, error);
}

static int alpha_modes_are_read(void)
{
    static const struct
    {
        const char* members;
        pelt_alpha_mode mode;
        float cutoff;
    } cases[] = {
        {"\"alphaMode\":\"OPAQUE\"", PELT_ALPHA_OPAQUE, 0.0f},
        {"\"alphaMode\":\"OPAQUE\",\"alphaCutoff\":0.3", PELT_ALPHA_OPAQUE, 0.0f},
        {"\"alphaMode\":\"BLEND\"", PELT_ALPHA_BLEND, 0.0f},
        {"\"alphaMode\":\"MASK\"", PELT_ALPHA_MASK, 0.0f},
        {"\"alphaMode\":\"MASK\",\"alphaCutoff\":0.5", PELT_ALPHA_MASK, 0.5f},
        {"\"alphaMode\":\"MASK\",\"alphaCutoff\":1.5", PELT_ALPHA_MASK, 1.5f},
        // Nothing is below it.
        {"\"alphaMode\":\"MASK\",\"alphaCutoff\":0", PELT_ALPHA_OPAQUE, 0.0f},
        {"\"alphaMode\":\"MASK\",\"alphaCutoff\":-1", PELT_ALPHA_OPAQUE, 0.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* scene = load_paint(cases[i].members, &error);
        ENSURE(scene != NULL && scene->repair_count == 0);
        ENSURE(scene->materials[0].alpha_mode == cases[i].mode);
        ENSURE(scene->materials[0].alpha_cutoff == cases[i].cutoff);
        ENSURE(!scene->materials[0].is_unlit);
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int unknown_alpha_modes_are_opaque_and_noted(void)
{
    pelt_error error;
    pelt_scene* scene = load_paint("\"alphaMode\":\"ADD\"", &error);
    ENSURE(scene != NULL && scene->materials[0].alpha_mode == PELT_ALPHA_OPAQUE);
    ENSURE(fixture_has_repair(scene, "\"ADD\" is not an alphaMode"));
    pelt_scene_destroy(scene);
    ENSURE(load_paint("\"alphaMode\":3", &error) == NULL);
    ENSURE(load_paint("\"alphaMode\":\"MASK\",\"alphaCutoff\":1e300", &error) == NULL);
    return 0;
}

static int unlit_materials_are_known(void)
{
    pelt_error error;
    pelt_scene* scene = load_paint("\"extensions\":{\"KHR_materials_unlit\":{}}", &error);
    ENSURE(scene != NULL && scene->materials[0].is_unlit && scene->loss_count == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// The base color of the fixture's pbrMetallicRoughness is (1, 0.5, 0.25, 1), with a texture; its
// roughness is 0.5 and its metallic 0.
static int the_diffuse_color_of_specular_materials_is_the_base_color(void)
{
    static const struct
    {
        const char *members, *texture;
        pelt_vec4 color;
    } cases[] = {
        {"\"diffuseFactor\":[0.125,0.75,0.0625,0.5],\"diffuseTexture\":{\"index\":1},"
         "\"specularFactor\":[1,0,0],\"glossinessFactor\":0.25",
         "skin.png",
         {0.125f, 0.75f, 0.0625f, 0.5f}},
        {"\"diffuseTexture\":{\"index\":1}", "skin.png", {1.0f, 1.0f, 1.0f, 1.0f}},
        // The fallback is not mixed in.
        {"\"diffuseFactor\":[0,0.5,1,1]", NULL, {0.0f, 0.5f, 1.0f, 1.0f}},
        {"", NULL, {1.0f, 1.0f, 1.0f, 1.0f}},
    };
    static const char fallback[] = "\"pbrMetallicRoughness\":{";
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        pelt_error error;
        char text[512];
        bool has_fallback = i % 2 == 0;
        fixture_start(&f);
        snprintf(text, sizeof text, "%s\"extensions\":{\"%s\":{%s}},", paint_start,
                 "KHR_materials_pbrSpecularGlossiness", cases[i / 2].members);
        fixture_change(&f, paint_start, text);
        fixture_change(&f, "\"textures\":[{\"source\":0}],\"images\":[",
                       "\"extensionsUsed\":[\"KHR_materials_pbrSpecularGlossiness\"],"
                       "\"textures\":[{\"source\":0},{\"source\":1}],"
                       "\"images\":[{\"uri\":\"paint.png\"},{\"uri\":\"skin.png\"},");
        fixture_change(&f, fallback, has_fallback ? fallback : "\"unknown\":{");
        pelt_scene* scene = fixture_load(&f, &error);
        ENSURE(scene != NULL);
        const pelt_material* material = &scene->materials[0];
        const char* wanted = cases[i / 2].texture;
        pelt_vec4 color = cases[i / 2].color;
        ENSURE(memcmp(&material->base_color, &color, sizeof color) == 0);
        ENSURE(wanted == NULL ? material->textures[0].image == NULL
                              : material->textures[0].image != NULL &&
                                    strcmp(material->textures[0].image, wanted) == 0);
        ENSURE(material->metallic == 0.0f && material->roughness == (has_fallback ? 0.5f : 1.0f));
        ENSURE(scene->loss_count == 1 &&
               is_listed_as_lost(scene, "1 specular color with glossiness"));
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int samplers_are_read(void)
{
    static const struct
    {
        const char* text;
        pelt_sampler sampler;
    } cases[] = {
        {"{}", {0}},
        {"{\"wrapS\":33071,\"wrapT\":33648}",
         {.wrap_u = PELT_TEXTURE_CLAMP, .wrap_v = PELT_TEXTURE_MIRROR}},
        {"{\"magFilter\":9728,\"minFilter\":9728}",
         {.mag_filter = PELT_TEXTURE_NEAREST,
          .min_filter = PELT_TEXTURE_NEAREST,
          .mips = PELT_MIPS_NONE}},
        {"{\"magFilter\":9729,\"minFilter\":9985}", {.mips = PELT_MIPS_NEAREST}},
        {"{\"wrapS\":77,\"minFilter\":1}", {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char text[256];
        pelt_error error;
        snprintf(text, sizeof text,
                 "\"textures\":[{\"source\":0,\"sampler\":1}],\"samplers\":[{},%s]", cases[i].text);
        pelt_scene* scene = fixture_load_changed("\"textures\":[{\"source\":0}]", text, &error);
        ENSURE(scene != NULL);
        pelt_sampler read = scene->materials[0].textures[0].sampler, wanted = cases[i].sampler;
        ENSURE(read.wrap_u == wanted.wrap_u && read.wrap_v == wanted.wrap_v);
        ENSURE(read.mag_filter == wanted.mag_filter && read.min_filter == wanted.min_filter);
        ENSURE(read.mips == wanted.mips);
        pelt_scene_destroy(scene);
    }
    pelt_error error;
    pelt_scene* scene = fixture_load_changed("\"textures\":[{\"source\":0}]",
                                             "\"textures\":[{\"source\":0,\"sampler\":7}]", &error);
    ENSURE(scene != NULL && fixture_has_repair(scene, "sampler 7 of 0"));
    ENSURE(scene->materials[0].textures[0].image != NULL &&
           scene->materials[0].textures[0].sampler.wrap_u == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Losses

// Each slot with its own UV set, transform and factor, by the members that glTF 2.0 and the
// extensions KHR_texture_transform and KHR_materials_emissive_strength define.
static int all_textures_are_read(void)
{
    static const char transform[] =
        "\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0.5,0.25],\"rotation\":-1.5,"
        "\"scale\":[2,-3],\"texCoord\":4}}";
    pelt_error error;
    char text[1024];
    fixture f;
    fixture_start(&f);
    snprintf(text, sizeof text,
             "%s\"normalTexture\":{\"index\":1,\"scale\":-0.5,\"texCoord\":3},"
             "\"occlusionTexture\":{\"index\":2,\"strength\":0.25,%s},"
             "\"emissiveFactor\":[0,0.5,1],\"emissiveTexture\":{\"index\":1,"
             "\"extensions\":{\"KHR_texture_transform\":{}}},"
             "\"extensions\":{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":8}},",
             paint_start, transform);
    fixture_change(&f, paint_start, text);
    fixture_change(&f, "\"roughnessFactor\"",
                   "\"metallicRoughnessTexture\":{\"index\":2,\"texCoord\":1},\"roughnessFactor\"");
    fixture_change(&f, "\"textures\":[{\"source\":0}],\"images\":[",
                   "\"samplers\":[{\"wrapS\":33071}],\"textures\":[{\"source\":0},{\"source\":1,"
                   "\"sampler\":0},{\"source\":2}],\"images\":[{\"uri\":\"paint.png\"},"
                   "{\"uri\":\"n.png\"},{\"uri\":\"orm.png\"},");
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->repair_count == 0 && scene->loss_count == 0);
    const pelt_material* material = &scene->materials[0];
    const pelt_texture* textures = material->textures;
    static const char* const images[PELT_SLOT_COUNT] = {"paint.png", "orm.png", "n.png", "orm.png",
                                                        "n.png"};
    static const uint32_t uv_sets[PELT_SLOT_COUNT] = {0, 1, 3, 4, 0};
    for (uint32_t i = 0; i < PELT_SLOT_COUNT; ++i)
    {
        ENSURE(strcmp(textures[i].image, images[i]) == 0 && textures[i].uv_set == uv_sets[i]);
        ENSURE(textures[i].is_transformed == (i >= PELT_SLOT_OCCLUSION));
        ENSURE(textures[i].sampler.wrap_u ==
               (images[i][0] == 'n' ? PELT_TEXTURE_CLAMP : PELT_TEXTURE_REPEAT));
    }
    ENSURE(material->normal_scale == -0.5f && material->occlusion_strength == 0.25f);
    ENSURE(material->emissive.x == 0.0f && material->emissive.y == 4.0f &&
           material->emissive.z == 8.0f);
    const pelt_texture* occlusion = &textures[PELT_SLOT_OCCLUSION];
    ENSURE(occlusion->offset.x == 0.5f && occlusion->offset.y == 0.25f);
    ENSURE(occlusion->scale.x == 2.0f && occlusion->scale.y == -3.0f);
    ENSURE(occlusion->rotation == -1.5f);
    ENSURE(textures[PELT_SLOT_EMISSIVE].scale.x == 1.0f);
    pelt_scene_destroy(scene);
    return 0;
}

static int uv_sets_that_do_not_exist_are_noted(void)
{
    pelt_error error;
    pelt_scene* scene =
        fixture_load_changed("\"baseColorTexture\":{\"index\":0}",
                             "\"baseColorTexture\":{\"index\":0,\"texCoord\":8}", &error);
    ENSURE(scene != NULL && scene->repair_count == 1);
    ENSURE(strstr(scene->repairs[0].message, "UV set 8") != NULL);
    ENSURE(scene->materials[0].textures[PELT_SLOT_BASE_COLOR].uv_set == 0);
    pelt_scene_destroy(scene);
    return 0;
}

static int a_file_that_is_kept_whole_has_no_losses(void)
{
    pelt_error error;
    fixture f;
    fixture_start(&f);
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->loss_count == 0);
    pelt_scene_destroy(scene);
    return 0;
}

static int what_scenes_cannot_store_is_listed(void)
{
    static const struct
    {
        const char *from, *to, *what;
    } cases[] = {
        {"\"scene\":0,",
         "\"scene\":0,\"extensionsUsed\":[\"KHR_materials_pbrSpecularGlossiness\",\"FOO_bar\"],",
         "the extension FOO_bar"},
        {"\"POSITION\":0,", "\"POSITION\":0,\"TEXCOORD_8\":2,\"TEXCOORD_9\":2,",
         "2 UV sets above TEXCOORD_7"},
        {"\"POSITION\":0,", "\"POSITION\":0,\"COLOR_1\":2,", "1 additional set of vertex colors"},
        {"\"POSITION\":0,", "\"POSITION\":0,\"_HEAT\":2,", "1 custom vertex attribute"},
        {"\"primitives\":[", "\"primitives\":[{\"mode\":1,\"attributes\":{\"POSITION\":0}},",
         "1 point or line primitive"},
        {"\"scene\":0,", "\"scene\":0,\"cameras\":[{},{}],", "2 cameras"},
        {"\"scene\":0,",
         "\"scene\":0,\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{},{},{}]}},"
         "\"extensionsUsed\":[\"KHR_lights_punctual\"],",
         "3 lights"},
        {"\"scenes\":[", "\"scenes\":[{},", "1 further scene"},
        {"\"scene\":0,", "\"scene\":0,\"extensionsUsed\":[\"KHR_materials_unlit\",\"FOO_bar\"],",
         "the extension FOO_bar"},
        {"{\"name\":\"root\",", "{\"name\":\"root\",\"extras\":{\"a\":1},", "1 object with extras"},
        {"\"scene\":0,", "\"scene\":0,\"extras\":3,", "1 object with extras"},
        {"\"mode\":4,", "\"mode\":4,\"extras\":{\"mine\":1},", "1 object with extras"},
        {"\"asset\":{", "\"asset\":{\"extras\":{},", "1 object with extras"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error = {{0}};
        pelt_scene* scene = fixture_load_changed(cases[i].from, cases[i].to, &error);
        ENSURE(scene != NULL && is_listed_as_lost(scene, cases[i].what) && scene->loss_count == 1);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// Notes that pelt itself leaves in a file, and a material that does not glow.
static int what_nobody_would_miss_is_not_listed(void)
{
    static const char* const cases[][2] = {
        {"\"mode\":4,", "\"mode\":4,\"extras\":{\"pelt_cor\":{},\"pelt_normals\":{}},"},
        {"{\"name\":\"root\",", "{\"name\":\"root\",\"extras\":null,"},
        {paint_start, "{\"emissiveFactor\":[0,0,0],"},
        {paint_start, "{\"emissiveTexture\":{\"index\":0},"},
        {paint_start, "{\"normalTexture\":{\"index\":0},"},
        {"\"scene\":0,", "\"scene\":0,\"extensionsUsed\":[\"KHR_mesh_quantization\"],"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* scene = fixture_load_changed(cases[i][0], cases[i][1], &error);
        ENSURE(scene != NULL && scene->loss_count == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// Whatever the list says, there is an end to the names.
static int many_extensions_are_counted(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"scene\":0,",
                   "\"scene\":0,\"extensionsUsed\":[\"A_1\",\"A_2\",\"A_3\",\"A_4\",\"A_5\","
                   "\"A_6\",\"A_7\",\"A_8\",\"A_9\",3],");
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->loss_count == 7);
    ENSURE(is_listed_as_lost(scene, "the extension A_6") &&
           is_listed_as_lost(scene, "3 more extensions"));
    pelt_scene_destroy(scene);
    return 0;
}

void test_gltf_material(void)
{
    RUN(alpha_modes_are_read);
    RUN(unknown_alpha_modes_are_opaque_and_noted);
    RUN(unlit_materials_are_known);
    RUN(the_diffuse_color_of_specular_materials_is_the_base_color);
    RUN(samplers_are_read);
    RUN(all_textures_are_read);
    RUN(uv_sets_that_do_not_exist_are_noted);
    RUN(a_file_that_is_kept_whole_has_no_losses);
    RUN(what_scenes_cannot_store_is_listed);
    RUN(what_nobody_would_miss_is_not_listed);
    RUN(many_extensions_are_counted);
}
