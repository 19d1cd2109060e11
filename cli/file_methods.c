// SPDX-License-Identifier: MIT
#include "file_methods.h"

#include "message.h"
#include "output.h"

static bool is_skinned(const pelt_scene* scene, const pelt_instance* instance)
{
    return instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.first != NULL;
}

static pelt_method method_of(const pelt_mesh* mesh)
{
    return mesh->has_method ? mesh->method : PELT_METHOD_LBS;
}

void file_methods_choose(method_list* inout, const pelt_scene* scene)
{
    uint32_t methods = 0;
    pelt_method first = PELT_METHOD_LBS;
    bool is_said = false;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (is_skinned(scene, &scene->instances[i]))
        {
            first = methods == 0 ? method_of(mesh) : first;
            methods |= 1u << method_of(mesh);
            is_said = is_said || mesh->has_method;
        }
    }
    if (!is_said)
    {
        return;
    }
    inout->file_methods = methods;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->methods[i].method = first;
    }
}

void file_methods_attach(pelt_frame* frame, const pelt_scene* scene, const method_list* in)
{
    for (uint32_t i = 0; i < scene->mesh_count && method_list_is_by_mesh(in); ++i)
    {
        frame->methods[i] = method_of(&scene->meshes[i]);
    }
}

void file_methods_note(const method_list* in)
{
    char names[METHOD_LIST_NAMES_SIZE];
    method_list_write_names(names, sizeof names, in->file_methods);
    if (method_list_is_by_mesh(in))
    {
        message_note("the file says %s, each for some meshes; --method chooses one for all", names);
    }
    else if (in->file_methods > 1u << PELT_METHOD_LBS)
    {
        message_note("the file says %s; --method chooses another", names);
    }
}

json_t* file_methods_describe(const method_list* in, const pelt_scene* scene)
{
    if (!method_list_is_by_mesh(in))
    {
        return json_null();
    }
    json_t* out = json_array();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        bool has_weights = mesh->weights.first != NULL;
        json_array_append_new(out, has_weights ? output_string(pelt_method_name(method_of(mesh)))
                                               : json_null());
    }
    return out;
}
