// SPDX-License-Identifier: MIT
// Polygons of a geometry with their attribute layers, and their triangulation.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Attribute layers

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

// The value of a layer that a corner of a polygon uses.
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
    PELT_TRY(pelti_fbx_read_reals(&out->values, &f->file, layer->node, layer->values));
    return out->is_indexed
               ? pelti_fbx_read_integers(&out->indices, &f->file, layer->node, layer->indices)
               : PELT_OK;
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

// Read `width` doubles for each corner. NULL in *out: the layer is missing or cannot be used.
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
    PELT_TRY(read_source(&source, f, layer));
    PELT_TRY(pelti_fbx_charge(&f->file, s->corner_count));
    if (source.values.count == 0)
    {
        return PELT_OK;
    }
    if (source.how == UNKNOWN || source.values.count < width)
    {
        return pelti_fbx_repair(f, "mesh %s: left out %s that cannot be read", name, layer->values);
    }
    double* values = pelti_fbx_alloc(&f->file, s->corner_count, width * sizeof *values);
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
    PELT_TRY(read_layer(&values, f, s, layer, name));
    if (values == NULL)
    {
        return PELT_OK;
    }
    pelt_vec3* vectors = pelti_fbx_alloc(&f->file, s->corner_count, sizeof *vectors);
    for (uint32_t c = 0; c < s->corner_count && vectors != NULL; ++c)
    {
        const double* v = values + 3 * (size_t)c;
        vectors[c] = pelt_vec3_normalize(
            pelt_mat3_vector(map, pelt_vec3_make((float)v[0], (float)v[1], (float)v[2])));
    }
    *out = vectors;
    return vectors != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// V of FBX starts at the bottom edge, V of pelt at the top edge.
static pelt_result read_uv_set(const pelt_vec2** out, pelti_fbx* f, const pelti_fbx_surface* s,
                               const pelti_fbx_node* node, const char* name)
{
    const attribute_layer layer = {node, "UV", "UVIndex", 2};
    const double* values;
    PELT_TRY(read_layer(&values, f, s, &layer, name));
    if (values == NULL)
    {
        return PELT_OK;
    }
    pelt_vec2* uvs = pelti_fbx_alloc(&f->file, s->corner_count, sizeof *uvs);
    for (uint32_t c = 0; c < s->corner_count && uvs != NULL; ++c)
    {
        const double* v = values + 2 * (size_t)c;
        uvs[c] = (pelt_vec2){(float)v[0], (float)(1.0 - v[1])};
    }
    *out = uvs;
    return uvs != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// In the order of the file, as textures refer to them by name.
static pelt_result read_uvs(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                            const char* name)
{
    uint32_t count = 0;
    const pelti_fbx_node* child = node->first_child;
    for (; child != NULL && count < PELT_MAX_UV_SETS; child = child->next)
    {
        if (strcmp(child->name, "LayerElementUV") == 0)
        {
            PELT_TRY(read_uv_set(&s->uvs[count++], f, s, child, name));
        }
    }
    return PELT_OK;
}

static pelt_result read_colors(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                               const char* name)
{
    const attribute_layer layer = {pelti_fbx_child(node, "LayerElementColor"), "Colors",
                                   "ColorIndex", 4};
    const double* values;
    PELT_TRY(read_layer(&values, f, s, &layer, name));
    if (values == NULL)
    {
        return PELT_OK;
    }
    pelt_vec4* colors = pelti_fbx_alloc(&f->file, s->corner_count, sizeof *colors);
    for (uint32_t c = 0; c < s->corner_count && colors != NULL; ++c)
    {
        const double* v = values + 4 * (size_t)c;
        colors[c] = (pelt_vec4){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
    }
    s->colors = colors;
    return colors != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// Read the index of each polygon's material in the list of the model.
static pelt_result read_materials(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node)
{
    const pelti_fbx_node* layer = pelti_fbx_child(node, "LayerElementMaterial");
    pelti_fbx_integers values;
    PELT_TRY(pelti_fbx_read_integers(&values, &f->file, layer, "Materials"));
    mapping how = layer != NULL ? mapping_of(layer) : UNKNOWN;
    if (values.count == 0 || (how != BY_POLYGON && how != ALL_SAME))
    {
        return PELT_OK;
    }
    uint32_t* materials = pelti_fbx_alloc(&f->file, s->polygon_count, sizeof *materials);
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
    PELT_TRY(read_vectors(&s->normals, f, s, &normals, &cofactor, name));
    if (s->normals != NULL && tangents.node != NULL && binormals.node != NULL)
    {
        PELT_TRY(read_vectors(&s->tangents, f, s, &tangents, &linear, name));
        PELT_TRY(read_vectors(&s->binormals, f, s, &binormals, &linear, name));
    }
    PELT_TRY(read_uvs(s, f, node, name));
    PELT_TRY(read_colors(s, f, node, name));
    return read_materials(s, f, node);
}

// ---------------------------------------------------------------------------------------------
// Polygons

static pelt_result read_points(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                               const pelt_mat34* geometric, const char* name)
{
    pelti_fbx_reals numbers;
    PELT_TRY(pelti_fbx_read_reals(&numbers, &f->file, node, "Vertices"));
    s->point_count = numbers.count / 3;
    pelt_vec3* points = pelti_fbx_alloc(&f->file, s->point_count, sizeof *points);
    for (uint32_t i = 0; i < s->point_count && points != NULL; ++i)
    {
        const double* v = numbers.at + 3 * (size_t)i;
        pelt_vec3 p = pelt_vec3_make((float)(v[0] * f->unit), (float)(v[1] * f->unit),
                                     (float)(v[2] * f->unit));
        points[i] = pelt_mat34_point(geometric, p);
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
        {
            return pelti_fbx_fail(&f->file, PELT_ERROR_DATA,
                                  "point %u of mesh \"%s\" is not finite", i, name);
        }
    }
    s->points = points;
    return points != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// The last corner of each polygon is stored as the complement of its index.
static pelt_result read_polygons(pelti_fbx_surface* s, pelti_fbx* f, const pelti_fbx_node* node,
                                 const char* name)
{
    pelti_fbx_integers indices;
    PELT_TRY(pelti_fbx_read_integers(&indices, &f->file, node, "PolygonVertexIndex"));
    uint32_t* corners = pelti_fbx_alloc(&f->file, indices.count, sizeof *corners);
    uint32_t* first = pelti_fbx_alloc(&f->file, (size_t)indices.count + 2, sizeof *first);
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

// =============================================================================================
// Triangulation: concave polygons by ear clipping, after projection along their normal.

// =============================================================================================
// Triangulation: concave polygons by ear clipping, after projection along their normal.

enum
{
    MOST_CORNERS = 4096, // for ear clipping; larger polygons become fans
};

typedef struct point2
{
    double x, y;
} point2;

// Twice the signed area of a triangle; positive when it is counterclockwise.
static double area_of(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static pelt_vec3 corner_point(const pelti_fbx_surface* s, uint32_t corner)
{
    return s->points[s->corners[corner]];
}

// Project onto the coordinate plane most parallel to the polygon, so that it is counterclockwise.
static void flatten(point2* out, const pelti_fbx_surface* s, uint32_t first, uint32_t count)
{
    // Newell's normal: twice the area of the polygon in each of the three planes.
    double n[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 a = corner_point(s, first + i), b = corner_point(s, first + (i + 1) % count);
        n[0] += ((double)a.y - (double)b.y) * ((double)a.z + (double)b.z);
        n[1] += ((double)a.z - (double)b.z) * ((double)a.x + (double)b.x);
        n[2] += ((double)a.x - (double)b.x) * ((double)a.y + (double)b.y);
    }
    int axis = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    axis = fabs(n[2]) > fabs(n[axis]) ? 2 : axis;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 p = corner_point(s, first + i);
        const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        point2 flat = {at[(axis + 1) % 3], at[(axis + 2) % 3]};
        out[i] = n[axis] < 0.0 ? (point2){flat.y, flat.x} : flat;
    }
}

static bool is_inside(point2 p, point2 a, point2 b, point2 c)
{
    return area_of(a, b, p) >= 0.0 && area_of(b, c, p) >= 0.0 && area_of(c, a, p) >= 0.0;
}

static bool is_same(point2 a, point2 b)
{
    return a.x == b.x && a.y == b.y;
}

// Whether the corner `at` of the remaining ones can be clipped.
static bool is_ear(const point2* flat, const uint32_t* left, uint32_t count, uint32_t at)
{
    point2 a = flat[left[(at + count - 1) % count]], b = flat[left[at]],
           c = flat[left[(at + 1) % count]];
    if (area_of(a, b, c) <= 0.0)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        point2 p = flat[left[i]];
        if (!is_same(p, a) && !is_same(p, b) && !is_same(p, c) && is_inside(p, a, b, c))
        {
            return false;
        }
    }
    return true;
}

// Clip ears in order. A polygon that intersects itself may have none; then any corner is clipped.
static void cut_ears(uint32_t* out, const point2* flat, uint32_t* left, uint32_t count,
                     uint32_t first)
{
    uint32_t at = 1;
    while (count > 3)
    {
        uint32_t tries = 0;
        while (tries < count && !is_ear(flat, left, count, at % count))
        {
            ++at;
            ++tries;
        }
        at %= count;
        *out++ = first + left[(at + count - 1) % count];
        *out++ = first + left[at];
        *out++ = first + left[(at + 1) % count];
        memmove(left + at, left + at + 1, (count - at - 1) * sizeof *left);
        --count;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        *out++ = first + left[i];
    }
}

static void cut_fan(uint32_t* out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 2; i < count; ++i)
    {
        *out++ = first;
        *out++ = first + i - 1;
        *out++ = first + i;
    }
}

typedef struct cutter
{
    point2* flat;
    uint32_t* left;
    uint32_t small, huge; // polygons with fewer than three corners, and with too many
} cutter;

static bool is_convex(const point2* flat, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (area_of(flat[i], flat[(i + 1) % count], flat[(i + 2) % count]) < 0.0)
        {
            return false;
        }
    }
    return true;
}

static pelt_result cut_polygon(uint32_t* out, pelti_fbx* f, const pelti_fbx_surface* s, cutter* c,
                               uint32_t polygon)
{
    uint32_t first = s->first[polygon], count = s->first[polygon + 1] - first;
    c->huge += count > MOST_CORNERS;
    if (count <= 3 || count > MOST_CORNERS)
    {
        cut_fan(out, first, count);
        return PELT_OK;
    }
    flatten(c->flat, s, first, count);
    if (is_convex(c->flat, count))
    {
        cut_fan(out, first, count);
        return PELT_OK;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        c->left[i] = i;
    }
    cut_ears(out, c->flat, c->left, count, first);
    return pelti_fbx_charge(&f->file, (uint64_t)count * count);
}

static pelt_result report(pelti_fbx* f, const cutter* c, const char* name)
{
    if (c->small > 0)
    {
        PELT_TRY(pelti_fbx_repair(f, "mesh %s: left out %u %s", name, c->small,
                                  pelti_plural(c->small, "point, line or broken polygon",
                                               "points, lines or broken polygons")));
    }
    return c->huge > 0
               ? pelti_fbx_repair(f, "mesh %s: cut %u %s with more than %d corners into fans", name,
                                  c->huge, pelti_plural(c->huge, "polygon", "polygons"),
                                  MOST_CORNERS)
               : PELT_OK;
}

// Triangulate the polygons.
static pelt_result fbx_triangulate(pelti_fbx_surface* s, pelti_fbx* f, const char* name)
{
    cutter c = {pelti_fbx_alloc(&f->file, MOST_CORNERS, sizeof *c.flat),
                pelti_fbx_alloc(&f->file, MOST_CORNERS, sizeof *c.left), 0, 0};
    // A polygon with n corners has n - 2 triangles.
    uint32_t* triangles = pelti_fbx_alloc(&f->file, s->corner_count, 3 * sizeof *triangles);
    uint32_t* polygons = pelti_fbx_alloc(&f->file, s->corner_count, sizeof *polygons);
    if (c.flat == NULL || c.left == NULL || triangles == NULL || polygons == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t p = 0; p < s->polygon_count; ++p)
    {
        uint32_t count = s->first[p + 1] - s->first[p];
        c.small += count < 3;
        if (count >= 3)
        {
            PELT_TRY(cut_polygon(triangles + 3 * (size_t)s->triangle_count, f, s, &c, p));
        }
        for (uint32_t i = 2; i < count; ++i)
        {
            polygons[s->triangle_count++] = p;
        }
    }
    s->triangles = triangles;
    s->polygon_of_triangle = polygons;
    return report(f, &c, name);
}

pelt_result pelti_fbx_read_surface(pelti_fbx_surface* out, pelti_fbx* f, uint32_t geometry,
                                   const pelt_mat34* geometric, const char* name)
{
    const pelti_fbx_node* node = f->objects[geometry].node;
    *out = (pelti_fbx_surface){0};
    PELT_TRY(read_points(out, f, node, geometric, name));
    PELT_TRY(read_polygons(out, f, node, name));
    PELT_TRY(read_attributes(out, f, node, geometric, name));
    return fbx_triangulate(out, f, name);
}
