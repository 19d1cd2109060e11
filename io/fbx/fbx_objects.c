// SPDX-License-Identifier: MIT
// Objects by number, the connections between them, and their properties.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Properties

enum
{
    FIRST_NUMBER = 4, // index of the first number, after the name, two types and flags
    MOST_PROPERTIES =
        2000, // limit, because every object of a class searches its list; real files have about 80
};

static const pelti_fbx_node* find_property(const pelti_fbx_node* list, const char* name)
{
    const pelti_fbx_node* node = list != NULL ? list->first_child : NULL;
    for (int i = 0; node != NULL && i < MOST_PROPERTIES; ++i)
    {
        if (pelti_fbx_is_word(pelti_fbx_text(node, 0), name))
        {
            return node;
        }
        node = node->next;
    }
    return NULL;
}

const pelti_fbx_node* pelti_fbx_property_of(const pelti_fbx_object* object, const char* name)
{
    const pelti_fbx_node* own = find_property(object->properties, name);
    return own != NULL ? own : find_property(object->defaults, name);
}

double pelti_fbx_property_real(const pelti_fbx_object* object, const char* name, double otherwise)
{
    return pelti_fbx_real(pelti_fbx_property_of(object, name), FIRST_NUMBER, otherwise);
}

const pelti_fbx_value* pelti_fbx_property_text(const pelti_fbx_object* object, const char* name)
{
    const pelti_fbx_node* node = pelti_fbx_property_of(object, name);
    return node != NULL ? pelti_fbx_text(node, FIRST_NUMBER) : NULL;
}

void pelti_fbx_property_vec3(double out[3], const pelti_fbx_object* object, const char* name,
                             double otherwise)
{
    const pelti_fbx_node* node = pelti_fbx_property_of(object, name);
    for (uint32_t i = 0; i < 3; ++i)
    {
        out[i] = pelti_fbx_real(node, FIRST_NUMBER + i, otherwise);
    }
}

bool pelti_fbx_is_subtype(const pelti_fbx_object* object, const char* word)
{
    return pelti_fbx_is_word(object->subtype, word);
}

// ---------------------------------------------------------------------------------------------
// Objects

static const struct
{
    const char* name;
    pelti_fbx_class kind;
} classes[] = {{"Model", PELTI_FBX_MODEL},
               {"Geometry", PELTI_FBX_GEOMETRY},
               {"Deformer", PELTI_FBX_DEFORMER},
               {"Material", PELTI_FBX_MATERIAL},
               {"Texture", PELTI_FBX_TEXTURE},
               {"LayeredTexture", PELTI_FBX_TEXTURE},
               {"Video", PELTI_FBX_VIDEO},
               {"Pose", PELTI_FBX_POSE},
               {"AnimationStack", PELTI_FBX_STACK},
               {"AnimationLayer", PELTI_FBX_LAYER},
               {"AnimationCurveNode", PELTI_FBX_CURVE_NODE},
               {"AnimationCurve", PELTI_FBX_CURVE}};

static pelti_fbx_class class_of(const char* name)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
    {
        if (strcmp(classes[i].name, name) == 0)
        {
            return classes[i].kind;
        }
    }
    return PELTI_FBX_OTHER;
}

// "Model::hip" in the text form; "hip", 0, 1, "Model" in the binary form. Line breaks are removed
// because names appear in messages.
static const char* name_of(const pelti_fbx* f, const pelti_fbx_node* node)
{
    char* name = pelti_fbx_string(&f->file, pelti_fbx_text(node, 1));
    for (char* c = name; c != NULL && *c != '\0'; ++c)
    {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    char* start = name != NULL && f->file.is_text ? strstr(name, "::") : NULL;
    return start != NULL ? start + 2 : name;
}

// Default properties of a class.
static const pelti_fbx_node* defaults_of(const pelti_fbx_node* definitions, const char* name)
{
    const pelti_fbx_node* type = definitions != NULL ? definitions->first_child : NULL;
    for (; type != NULL; type = type->next)
    {
        if (strcmp(type->name, "ObjectType") == 0 &&
            pelti_fbx_is_word(pelti_fbx_text(type, 0), name))
        {
            return pelti_fbx_child(pelti_fbx_child(type, "PropertyTemplate"), "Properties70");
        }
    }
    return NULL;
}

static uint32_t count_children(const pelti_fbx_node* node)
{
    uint32_t count = 0;
    for (node = node != NULL ? node->first_child : NULL; node != NULL; node = node->next)
    {
        count++;
    }
    return count;
}

static uint32_t slot_of(const pelti_fbx* f, int64_t id)
{
    uint64_t hash = (uint64_t)id * 0x9e3779b97f4a7c15u;
    uint32_t slot = (uint32_t)(hash >> 32) & (f->table_capacity - 1);
    while (f->table[slot] != 0 && f->objects[f->table[slot] - 1].id != id)
    {
        slot = (slot + 1) & (f->table_capacity - 1);
    }
    return slot;
}

static pelt_result make_tables(pelti_fbx* f, uint32_t count)
{
    f->table_capacity = 16;
    while (f->table_capacity < 2 * (uint64_t)count)
    {
        f->table_capacity *= 2;
    }
    f->objects = pelti_fbx_alloc(&f->file, count, sizeof *f->objects);
    f->table = pelti_fbx_alloc(&f->file, f->table_capacity, sizeof *f->table);
    return f->objects != NULL && f->table != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// If several objects have the same number, the first one is used.
static pelt_result add_object(pelti_fbx* f, const pelti_fbx_node* node,
                              const pelti_fbx_node* const defaults[])
{
    int64_t id = pelti_fbx_integer(node, 0, 0);
    pelti_fbx_class kind = class_of(node->name);
    uint32_t slot = slot_of(f, id);
    if (id == 0 || kind == PELTI_FBX_OTHER || f->table[slot] != 0)
    {
        return PELT_OK;
    }
    const char* name = name_of(f, node);
    if (name == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    f->objects[f->object_count++] =
        (pelti_fbx_object){.id = id,
                           .kind = kind,
                           .node = node,
                           .name = name,
                           .subtype = pelti_fbx_text(node, 2),
                           .properties = pelti_fbx_child(node, "Properties70"),
                           .defaults = defaults[kind],
                           .first_child = PELT_NONE,
                           .first_parent = PELT_NONE};
    f->table[slot] = f->object_count;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Connections

uint32_t pelti_fbx_find_object(const pelti_fbx* f, int64_t id)
{
    uint32_t entry = f->table[slot_of(f, id)];
    return entry == 0 ? PELT_NONE : entry - 1;
}

static void add_link(pelti_fbx* f, const pelti_fbx_node* node)
{
    const pelti_fbx_value* kind = pelti_fbx_text(node, 0);
    bool is_property = pelti_fbx_is_word(kind, "OP");
    int64_t target = pelti_fbx_integer(node, 2, 0);
    uint32_t child = pelti_fbx_find_object(f, pelti_fbx_integer(node, 1, 0));
    uint32_t parent = target != 0 ? pelti_fbx_find_object(f, target) : PELT_NONE;
    bool is_known = child != PELT_NONE && (target == 0 || parent != PELT_NONE);
    if (is_known && (is_property || pelti_fbx_is_word(kind, "OO")))
    {
        f->links[f->link_count++] = (pelti_fbx_link){
            .child = child,
            .parent = parent,
            .property = is_property ? pelti_fbx_text(node, 3) : NULL,
        };
    }
}

// Iterate backwards so that each list has file order.
static void chain_links(pelti_fbx* f)
{
    for (uint32_t i = f->link_count; i > 0; --i)
    {
        pelti_fbx_link* link = &f->links[i - 1];
        pelti_fbx_object* child = &f->objects[link->child];
        link->next_parent = child->first_parent;
        child->first_parent = i - 1;
        link->next_child = PELT_NONE;
        if (link->parent != PELT_NONE)
        {
            link->next_child = f->objects[link->parent].first_child;
            f->objects[link->parent].first_child = i - 1;
        }
    }
}

uint32_t pelti_fbx_next_child(const pelti_fbx* f, uint32_t* link, pelti_fbx_class kind)
{
    while (*link != PELT_NONE)
    {
        const pelti_fbx_link* at = &f->links[*link];
        *link = at->next_child;
        if (f->objects[at->child].kind == kind && at->property == NULL)
        {
            return at->child;
        }
    }
    return PELT_NONE;
}

pelt_result pelti_fbx_read_objects(pelti_fbx* f)
{
    const pelti_fbx_node* root = &f->file.root;
    const pelti_fbx_node* objects = pelti_fbx_child(root, "Objects");
    const pelti_fbx_node* connections = pelti_fbx_child(root, "Connections");
    const pelti_fbx_node* definitions = pelti_fbx_child(root, "Definitions");
    const pelti_fbx_node* defaults[PELTI_FBX_CURVE + 1] = {0};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
    {
        const pelti_fbx_node* found = defaults_of(definitions, classes[i].name);
        defaults[classes[i].kind] = found != NULL ? found : defaults[classes[i].kind];
    }
    pelt_result result = make_tables(f, count_children(objects));
    const pelti_fbx_node* node = objects != NULL ? objects->first_child : NULL;
    for (; node != NULL && result == PELT_OK; node = node->next)
    {
        result = add_object(f, node, defaults);
    }
    f->links = pelti_fbx_alloc(&f->file, count_children(connections), sizeof *f->links);
    if (result != PELT_OK || f->links == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    node = connections != NULL ? connections->first_child : NULL;
    for (; node != NULL; node = node->next)
    {
        add_link(f, node);
    }
    chain_links(f);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Settings

// FBX states units in centimeters.
static double read_unit(const pelti_fbx_object* settings)
{
    double unit = pelti_fbx_property_real(settings, "UnitScaleFactor", 1.0);
    // Within the range of float, with room for the coordinates.
    bool is_good = unit > 1e-12 && unit < 1e12;
    return (is_good ? unit : 1.0) / 100.0;
}

// FBX states which axes point right, up and towards the viewer; in pelt these are X, Y and Z.
static pelt_mat34 read_axes(const pelti_fbx_object* settings)
{
    static const char* const axes[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    pelt_mat3 rotation = {0};
    for (int i = 0; i < 3; ++i)
    {
        double axis = pelti_fbx_property_real(settings, axes[i][0], (double)i);
        double sign = pelti_fbx_property_real(settings, axes[i][1], 1.0);
        if (!(axis == 0.0 || axis == 1.0 || axis == 2.0))
        {
            return pelt_mat34_identity();
        }
        rotation.m[i][(int)axis] = sign < 0.0 ? -1.0f : 1.0f;
    }
    // The same axis twice: ignore the settings.
    if (pelt_mat3_determinant(&rotation) == 0.0f)
    {
        return pelt_mat34_identity();
    }
    return pelt_mat34_make(&rotation, pelt_vec3_make(0.0f, 0.0f, 0.0f));
}

void pelti_fbx_read_settings(pelti_fbx* f)
{
    const pelti_fbx_node* root = &f->file.root;
    const pelti_fbx_node* node = pelti_fbx_child(root, "GlobalSettings");
    const pelti_fbx_object settings = {.properties = pelti_fbx_child(node, "Properties70")};
    f->unit = read_unit(&settings);
    f->axes = read_axes(&settings);
    const pelt_mat34 identity = pelt_mat34_identity();
    f->converts_axes = memcmp(&f->axes, &identity, sizeof identity) != 0;

    node = pelti_fbx_child(pelti_fbx_child(root, "FBXHeaderExtension"), "SceneInfo");
    const pelti_fbx_object info = {.properties = pelti_fbx_child(node, "Properties70")};
    const pelti_fbx_value* program = pelti_fbx_property_text(&info, "Original|ApplicationName");
    f->is_maya = pelti_fbx_is_word(program, "Maya");
    // Its name goes on with that of the exporter.
    f->is_blender = program != NULL && program->data.size >= 7 &&
                    memcmp(program->data.bytes, "Blender", 7) == 0;
}
