// SPDX-License-Identifier: MIT
// The polygons of a geometry, and its layers of attributes in all the ways FBX maps them.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Layers

typedef struct attribute_layer
{
    const pelti_fbx_node* node; // NULL: none
    const char* values;         // name of the child that holds them
    const char* indices;
    uint32_t width;
} attribute_layer;

typedef enum mapping
{
    BY_CORNER,
    BY_POINT,
    BY_POLYGON,
    ALL_SAME,
    UNKNOWN,
} mapping;

static mapping mapping_of(const pelti_fbx_node* node)
{
    static const struct
    {
        const char* name;
        mapping how;
    } names[] = {{"ByPolygonVertex", BY_CORNER},
                 {"ByVertice", BY_POINT},
                 {"ByVertex", BY_POINT},
                 {"ByPolygon", BY_POLYGON},
                 {"AllSame", ALL_SAME}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        if (pelti_fbx_child_is(node, "MappingInformationType", names[i].name))
        {
            return names[i].how;
        }
    }
    return UNKNOWN;
}

// Which value of a layer each corner of a polygon takes.
static uint32_t key_of(const pelti_fbx_surface* s, mapping how, uint32_t polygon, uint32_t corner)
{
    return how == BY_CORNER    ? corner
           : how == BY_POINT   ? s->corners[corner]
           : how == BY_POLYGON ? polygon
                               : 0;
}

typedef struct layer_source
{
    mapping how;
    pelti_fbx_reals values;
    pelti_fbx_integers indices;
    bool is_indexed;
} layer_source;

static pelt_result read_source(layer_source* out, pelti_fbx* f, const attribute_layer* layer)
{
    out->how = mapping_of(layer->node);
    out->is_indexed = !pelti_fbx_child_is(layer->node, "ReferenceInformationType", "Direct") &&
                      pelti_fbx_child(layer->node, layer->indices) != NULL;
    pelt_result result = pelti_fbx_read_reals(&out->values, &f->file, layer->node, layer->values);
    return result == PELT_OK && out->is_indexed
               ? pelti_fbx_read_integers(&out->indices, &f->file, layer->node, layer->indices)
               : result;
}

// PELT_NONE: the layer has no such value.
static uint32_t value_of(const layer_source* source, uint32_t key, uint32_t width)
{
    int64_t index = key;
    if (source->is_indexed)
    {
        index = key < source->indices.count ? source->indices.at[key] : -1;
    }
    return index >= 0 && index < source->values.count / width ? (uint32_t)index : PELT_NONE;
}

// `width` doubles for each corner; NULL in *out: the layer says nothing that can be used.
static pelt_result read_layer(const double** out, pelti_fbx* f, const pelti_fbx_surface* s,
                              const attribute_layer* layer, const char* name)
{
    *out = NULL;
    if (layer->node == NULL)
    {
        return PELT_OK;
    }
    layer_source source = {0};
    uint32_t width = layer->width, missing = 0;
    pelt_result result = read_source(&source, f, layer);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_charge(&f->file, s->corner_count);
    if (result != PELT_OK || source.values.count == 0)
    {
        return result;
    }
    if (source.how == UNKNOWN || source.values.count < width)
    {
        return pelti_fbx_repair(f, "mesh %s: left out %s that cannot be read", name, layer->values);
    }
    double* values = pelti_fbx_take(&f->file, s->corner_count, width * sizeof *values);
    for (uint32_t p = 0; p < s->polygon_count && values != NULL; ++p)
    {
        for (uint32_t c = s->first[p]; c < s->first[p + 1]; ++c)
        {
            uint32_t value = value_of(&source, key_of(s, source.how, p, c), width);
            missing += value == PELT_NONE;
            for (uint32_t i = 0; i < width && value != PELT_NONE; ++i)
            {
                double number = source.values.at[(size_t)value * width + i];
                values[(size_t)c * width + i] = isfinite((float)number) ? number : 0.0;
            }
        }
    }
    *out = values;
    return values == NULL ? PELT_ERROR_MEMORY
           : missing == 0 ? PELT_OK
                          : pelti_fbx_repair(f, "mesh %s: %u %s no %s; set to 0", name, missing,
                                             pelti_plural(missing, "corner has", "corners have"),
                                             layer->values);
}

// ---------------------------------------------------------------------------------------------
// Attributes

static pelt_result read_vectors(const pelt_vec3** out, pelti_fbx* f, const pelti_fbx_surface* s,
                                const attribute_layer* layer, const pelt_mat3* map,
                                const char* name)
{
    const double* values;
    pelt_result result = read_layer(&values, f, s, layer, name);
    if (result != PELT_OK || values == NULL)
    {
        return result;
    }
    pelt_vec3* vectors = pelti_fbx_take(&f->file, s->corner_count, sizeof *vectors);
    for (uint32_t c = 0; c < s->corner_count && vectors != NULL; ++c)
    {
        const double* v = values + 3 * (size_t)c;
        vectors[c] = pelt_vec3_normalize(
            pelt_mat3_vector(map, pelt_vec3_make((float)v[0], (float)v[1], (float)v[2])));
    }
    *out = vectors;
    return vectors != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// FBX counts v from the lower edge, pelt from the upper.
static pelt_result read_uvs(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                            const char* name)
{
    const attribute_layer layer = {pelti_fbx_child(node, "LayerElementUV"), "UV", "UVIndex", 2};
    const double* values;
    pelt_result result = read_layer(&values, f, s, &layer, name);
    if (result != PELT_OK || values == NULL)
    {
        return result;
    }
    pelt_vec2* uvs = pelti_fbx_take(&f->file, s->corner_count, sizeof *uvs);
    for (uint32_t c = 0; c < s->corner_count && uvs != NULL; ++c)
    {
        const double* v = values + 2 * (size_t)c;
        uvs[c] = (pelt_vec2){(float)v[0], (float)(1.0 - v[1])};
    }
    s->uvs = uvs;
    return uvs != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result read_colors(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                               const char* name)
{
    const attribute_layer layer = {pelti_fbx_child(node, "LayerElementColor"), "Colors",
                                   "ColorIndex", 4};
    const double* values;
    pelt_result result = read_layer(&values, f, s, &layer, name);
    if (result != PELT_OK || values == NULL)
    {
        return result;
    }
    pelt_vec4* colors = pelti_fbx_take(&f->file, s->corner_count, sizeof *colors);
    for (uint32_t c = 0; c < s->corner_count && colors != NULL; ++c)
    {
        const double* v = values + 4 * (size_t)c;
        colors[c] = (pelt_vec4){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
    }
    s->colors = colors;
    return colors != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// A list of numbers, each of which names a material of the model.
static pelt_result read_materials(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node)
{
    const pelti_fbx_node* layer = pelti_fbx_child(node, "LayerElementMaterial");
    pelti_fbx_integers values;
    pelt_result result = pelti_fbx_read_integers(&values, &f->file, layer, "Materials");
    mapping how = layer != NULL ? mapping_of(layer) : UNKNOWN;
    if (result != PELT_OK || values.count == 0 || (how != BY_POLYGON && how != ALL_SAME))
    {
        return result;
    }
    uint32_t* materials = pelti_fbx_take(&f->file, s->polygon_count, sizeof *materials);
    for (uint32_t p = 0; p < s->polygon_count && materials != NULL; ++p)
    {
        uint32_t key = how == BY_POLYGON ? p : 0;
        int64_t slot = key < values.count ? values.at[key] : 0;
        materials[p] = slot >= 0 && slot < INT32_MAX ? (uint32_t)slot : PELT_NONE;
    }
    s->materials = materials;
    return materials != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result read_attributes(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                                   const pelt_mat34* geometric, const char* name)
{
    const attribute_layer normals = {pelti_fbx_child(node, "LayerElementNormal"), "Normals",
                                     "NormalsIndex", 3};
    const attribute_layer tangents = {pelti_fbx_child(node, "LayerElementTangent"), "Tangents",
                                      "TangentsIndex", 3};
    const attribute_layer binormals = {pelti_fbx_child(node, "LayerElementBinormal"), "Binormals",
                                       "BinormalsIndex", 3};
    pelt_mat3 linear = pelt_mat34_linear(geometric), cofactor = pelt_mat3_cofactor(&linear);
    pelt_result result = read_vectors(&s->normals, f, s, &normals, &cofactor, name);
    if (result == PELT_OK && s->normals != NULL && tangents.node != NULL && binormals.node != NULL)
    {
        result = read_vectors(&s->tangents, f, s, &tangents, &linear, name);
        if (result != PELT_OK)
        {
            return result;
        }
        result = read_vectors(&s->binormals, f, s, &binormals, &linear, name);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_uvs(s, f, node, name);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_colors(s, f, node, name);
    return result == PELT_OK ? read_materials(s, f, node) : result;
}

// ---------------------------------------------------------------------------------------------
// Polygons

static pelt_result read_points(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                               const pelt_mat34* geometric, const char* name)
{
    pelti_fbx_reals numbers;
    pelt_result result = pelti_fbx_read_reals(&numbers, &f->file, node, "Vertices");
    if (result != PELT_OK)
    {
        return result;
    }
    s->point_count = numbers.count / 3;
    pelt_vec3* points = pelti_fbx_take(&f->file, s->point_count, sizeof *points);
    for (uint32_t i = 0; i < s->point_count && points != NULL; ++i)
    {
        const double* v = numbers.at + 3 * (size_t)i;
        pelt_vec3 p = pelt_vec3_make((float)(v[0] * f->unit), (float)(v[1] * f->unit),
                                     (float)(v[2] * f->unit));
        points[i] = pelt_mat34_point(geometric, p);
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
        {
            return pelti_fbx_fail(&f->file, PELT_ERROR_DATA,
                                  "point %u of mesh \"%s\" is not a finite place", i, name);
        }
    }
    s->points = points;
    return points != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// The last corner of a polygon is written as the complement of its point.
static pelt_result read_polygons(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                                 const char* name)
{
    pelti_fbx_integers indices;
    pelt_result result = pelti_fbx_read_integers(&indices, &f->file, node, "PolygonVertexIndex");
    if (result != PELT_OK)
    {
        return result;
    }
    uint32_t* corners = pelti_fbx_take(&f->file, indices.count, sizeof *corners);
    uint32_t* first = pelti_fbx_take(&f->file, (size_t)indices.count + 2, sizeof *first);
    if (corners == NULL || first == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < indices.count; ++i)
    {
        int64_t index = indices.at[i] < 0 ? ~indices.at[i] : indices.at[i];
        if (index >= s->point_count)
        {
            return pelti_fbx_fail(&f->file, PELT_ERROR_DATA,
                                  "corner %u of mesh \"%s\" names point %lld of %u", i, name,
                                  (long long)index, s->point_count);
        }
        corners[i] = (uint32_t)index;
        if (indices.at[i] < 0 || i + 1 == indices.count)
        {
            first[++s->polygon_count] = i + 1;
        }
    }
    s->corner_count = indices.count;
    s->corners = corners;
    s->first = first;
    return PELT_OK;
}

pelt_result pelti_fbx_read_surface(pelti_fbx_surface* out, pelti_fbx* f, uint32_t geometry,
                                   const pelt_mat34* geometric, const char* name)
{
    const pelti_fbx_node* node = f->objects[geometry].node;
    *out = (pelti_fbx_surface){0};
    pelt_result result = read_points(out, f, node, geometric, name);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_polygons(out, f, node, name);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_attributes(out, f, node, geometric, name);
    return result == PELT_OK ? pelti_fbx_triangulate(out, f, name) : result;
}
