// SPDX-License-Identifier: MIT
// Pictures of the moments of a report, and the time that skinning takes on the GPU that draws them.
#include "clock.h"
#include "crowd/draw_target.h"
#include "figure.h"
#include "pelt/prepare.h"
#include "picture.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>

enum
{
    WIRE_TRIANGLES = 4000, // more of them would hide the surface
    GPU_RUN_COUNT = 5,
    SAMPLE_COUNT = 16,
    NORMAL_COUNT = 4,            // of the worst points, along which a camera may look at them
    SOFTWARE_TRIANGLES = 280000, // of all contenders in all figures, on the processor
    RING_COUNT = 8,              // cameras around the character, at each of two heights
    LAYER_COUNT =
        24, // most triangles over a covered pixel on average; real characters have 2 to 10
    CAMERA_COUNT = 4 + NORMAL_COUNT + 2 * RING_COUNT, // the one that has least in its way is taken
};

// The state of drawing.
typedef struct studio
{
    const comparison* in;
    pelt_gl* gl;
    pelt_scene gray;
    pelt_stage* stage;
    probe probe;
    const pelt_frame* frame; // of the probe
    pelt_joint_node* joints; // by node
    pelt_joint_axes* axes;
    pelt_arena* arena;
    pelt_picture canvas;
    float* values[FIGURE_MAP_COUNT]; // of all vertices of the body
    const float** lists;             // the same by instance
    double layers;                   // most of the pictures so far, see count_layers()
} studio;

// The scene in one gray: only its shape matters.
static pelt_result paint_gray(pelt_scene* out, const pelt_scene* scene, pelt_arena* arena)
{
    pelt_material* materials = pelt_arena_alloc(arena, scene->material_count, sizeof *materials);
    if (materials == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        materials[i] = (pelt_material){.name = scene->materials[i].name,
                                       .base_color = {0.42f, 0.43f, 0.45f, 1.0f},
                                       .roughness = 0.7f,
                                       .is_double_sided = scene->materials[i].is_double_sided};
    }
    *out = *scene;
    out->materials = materials;
    return PELT_OK;
}

static int create_studio(studio* out, const comparison* in, pelt_gl* gl)
{
    *out = (studio){.in = in, .gl = gl, .arena = pelt_arena_create()};
    pelt_error error = {0};
    if (out->arena == NULL)
    {
        return message_memory();
    }
    out->frame = &out->probe.frames[0];
    out->joints = pelt_arena_alloc(out->arena, in->scene->node_count, sizeof *out->joints);
    out->axes = pelt_arena_alloc(out->arena, in->scene->node_count, sizeof *out->axes);
    bool is_ready = probe_create(&out->probe, in) == PELT_OK && out->joints != NULL &&
                    out->axes != NULL && pelt_joint_axes_find(out->axes, in->scene) == PELT_OK &&
                    paint_gray(&out->gray, in->scene, out->arena) == PELT_OK;
    for (uint32_t i = 0; i < FIGURE_MAP_COUNT; ++i)
    {
        out->values[i] = pelt_arena_alloc(out->arena, in->info->vertex_count, sizeof(float));
        is_ready = is_ready && out->values[i] != NULL;
    }
    out->lists = pelt_arena_alloc(out->arena, in->info->instance_count, sizeof *out->lists);
    if (!is_ready || out->lists == NULL)
    {
        return message_memory();
    }
    pelt_joint_tree_find(out->joints, in->scene);
    pelt_result result = pelt_picture_create(&out->canvas, FIGURE_SIDE, FIGURE_SIDE, &error);
    if (result == PELT_OK)
    {
        result = pelt_stage_create(&out->stage, gl, &out->gray, NULL, &error);
    }
    return message_error(result, &error);
}

static void destroy_studio(studio* s)
{
    pelt_stage_destroy(s->stage);
    pelt_picture_destroy(&s->canvas);
    probe_destroy(&s->probe);
    pelt_arena_destroy(s->arena);
}

static void pose_contender(studio* s, const moment* at, uint32_t contender)
{
    probe_pose pose = figure_pose(s->in, at, contender);
    probe_deform(&s->probe, 0, &pose);
}

static void measure_maps(studio* s, const figure* f)
{
    pelt_metric_input input = {.surfaces = s->frame->surfaces, .palettes = s->frame->palettes};
    for (uint32_t i = 0; i < FIGURE_MAP_COUNT; ++i)
    {
        input.metrics |= PELT_METRIC_BIT(f->maps[i].metric);
        input.values[f->maps[i].metric] = s->values[i];
    }
    pelt_body_measure(&s->probe.metrics, s->probe.body, &input);
}

// ---------------------------------------------------------------------------------------------
// Camera

// Add the skin of a region in the pose of the frame.
static void add_region(pelt_bounds* box, const studio* s, uint32_t region)
{
    const pelt_body_info* info = s->in->info;
    const pelt_scene* scene = s->in->scene;
    for (uint32_t i = 0; i < info->instance_count; ++i)
    {
        uint32_t first = info->first_vertices[i];
        uint32_t count = scene->meshes[scene->instances[i].mesh].vertex_count;
        for (uint32_t v = 0; first != PELT_NONE && v < count; ++v)
        {
            bool is_inside = region == 0 || info->vertex_regions[first + v] == region;
            pelt_bounds_add(box, &s->frame->surfaces[i].positions[v], is_inside ? 1 : 0);
        }
    }
}

static pelt_vec3 middle_of(const pelt_bounds* box)
{
    return pelt_vec3_lerp(box->min, box->max, 0.5f);
}

// Where a camera may be: not far below the horizon, and not straight above.
static pelt_vec3 reachable(pelt_vec3 direction)
{
    float level = hypotf(direction.x, direction.z);
    float azimuth = atan2f(direction.x, direction.z);
    float elevation = fminf(fmaxf(atan2f(direction.y, level), -0.3f), 1.0f);
    return pelt_vec3_make(sinf(azimuth) * cosf(elevation), sinf(elevation),
                          cosf(azimuth) * cosf(elevation));
}

// A vertex in the pose of a frame.
typedef struct surface_point
{
    float value; // magnitude of the first map
    pelt_vec3 position;
    pelt_vec3 normal; // zero: the mesh has none
} surface_point;

static surface_point point_at_vertex(const studio* s, uint32_t instance, uint32_t vertex,
                                     float value)
{
    const pelt_surface* surface = &s->frame->surfaces[instance];
    surface_point out = {.value = value, .position = surface->positions[vertex]};
    out.normal = surface->normals != NULL ? surface->normals[vertex] : out.normal;
    return out;
}

// The points of a region with the largest numbers of the first map, the largest first.
static uint32_t find_worst(surface_point out[SAMPLE_COUNT], const studio* s, uint32_t region)
{
    const pelt_body_info* info = s->in->info;
    const pelt_scene* scene = s->in->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->instance_count; ++i)
    {
        uint32_t first = info->first_vertices[i];
        uint32_t vertex_count = scene->meshes[scene->instances[i].mesh].vertex_count;
        for (uint32_t v = 0; first != PELT_NONE && v < vertex_count; ++v)
        {
            float value = fabsf(s->values[0][first + v]);
            bool is_full = count == SAMPLE_COUNT;
            if (info->vertex_regions[first + v] != region ||
                (is_full && value <= out[count - 1].value))
            {
                continue;
            }
            uint32_t index = is_full ? count - 1 : count++;
            for (; index > 0 && out[index - 1].value < value; --index)
            {
                out[index] = out[index - 1];
            }
            out[index] = point_at_vertex(s, i, v, value);
        }
    }
    return count;
}

// Whether a ray intersects a triangle, by Moeller and Trumbore (1997).
static bool is_crossed(pelt_vec3 from, pelt_vec3 direction, const pelt_vec3 corners[3])
{
    pelt_vec3 ab = pelt_vec3_sub(corners[1], corners[0]);
    pelt_vec3 ac = pelt_vec3_sub(corners[2], corners[0]);
    pelt_vec3 to = pelt_vec3_sub(from, corners[0]);
    pelt_vec3 p = pelt_vec3_cross(direction, ac), q = pelt_vec3_cross(to, ab);
    float determinant = pelt_vec3_dot(ab, p);
    if (determinant == 0.0f)
    {
        return false;
    }
    float u = pelt_vec3_dot(to, p) / determinant, v = pelt_vec3_dot(direction, q) / determinant;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && pelt_vec3_dot(ac, q) / determinant > 0.0f;
}

// How much of the worst skin a distant camera does not see: points that a triangle hides, of which
// the first, the worst, counts as much as all others.
static uint32_t count_hidden(const studio* s, const surface_point* points, uint32_t point_count,
                             pelt_vec3 direction)
{
    const pelt_scene* scene = s->in->scene;
    float clearance = 0.005f * (float)s->in->info->size; // to be off the triangles around a point
    bool is_hidden[SAMPLE_COUNT] = {false};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_vec3* positions = s->frame->surfaces[i].positions;
        for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
        {
            const pelt_vec3 corners[3] = {positions[mesh->indices[t]],
                                          positions[mesh->indices[t + 1]],
                                          positions[mesh->indices[t + 2]]};
            for (uint32_t k = 0; k < point_count; ++k)
            {
                pelt_vec3 from = pelt_vec3_mad(points[k].position, clearance, direction);
                is_hidden[k] = is_hidden[k] || is_crossed(from, direction, corners);
            }
        }
    }
    uint32_t hidden = point_count > 0 && is_hidden[0] ? SAMPLE_COUNT : 0;
    for (uint32_t k = 0; k < point_count; ++k)
    {
        hidden += is_hidden[k];
    }
    return hidden;
}

// Bends are seen in their plane, straight limbs from the front; or from a direction with less
// between the camera and the worst skin.
// @param visible  part of the worst skin that the camera sees
static pelt_vec3 view_direction(double* visible, const studio* s, uint32_t region)
{
    *visible = 1.0;
    const pelt_vec3 front = {0.45f, 0.3f, 1.0f};
    uint32_t node = region > 0 ? s->in->info->regions[region].node : PELT_NONE;
    uint32_t above = node != PELT_NONE ? s->joints[node].above : PELT_NONE;
    if (node == PELT_NONE)
    {
        return front;
    }
    pelt_mat3 model_from_node = pelt_mat34_linear(&s->frame->model_from_node[node]);
    pelt_vec3 bone = pelt_vec3_normalize(pelt_mat3_vector(&model_from_node, s->axes[node].along));
    pelt_vec3 head = pelt_mat34_translation(&s->frame->model_from_node[node]);
    pelt_vec3 before =
        above != PELT_NONE
            ? pelt_vec3_sub(head, pelt_mat34_translation(&s->frame->model_from_node[above]))
            : bone;
    pelt_vec3 axis = pelt_vec3_cross(pelt_vec3_normalize(before), bone);
    if (pelt_vec3_length(axis) < 0.3f)
    {
        axis = pelt_vec3_sub(front, pelt_vec3_scale(bone, pelt_vec3_dot(front, bone)));
    }
    axis = pelt_vec3_normalize(axis);
    pelt_vec3 aside = pelt_vec3_cross(bone, axis);
    // A view along the plane of a bend shows less of it, and one from anywhere else still less.
    pelt_vec3 directions[CAMERA_COUNT] = {axis, pelt_vec3_scale(axis, -1.0f), aside,
                                          pelt_vec3_scale(aside, -1.0f)};
    surface_point points[SAMPLE_COUNT];
    uint32_t point_count = find_worst(points, s, region), best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < NORMAL_COUNT; ++i)
    {
        bool has_normal = i < point_count && pelt_vec3_length(points[i].normal) > 0.0f;
        directions[4 + i] = has_normal ? points[i].normal : front;
    }
    for (uint32_t i = 0; i < 2 * RING_COUNT; ++i)
    {
        float azimuth = 2.0f * PELT_PI * (float)i / RING_COUNT;
        directions[4 + NORMAL_COUNT + i] =
            pelt_vec3_make(sinf(azimuth), i < RING_COUNT ? 0.4f : 1.2f, cosf(azimuth));
    }
    double all = point_count > 0 ? (double)(point_count + SAMPLE_COUNT) : 1.0;
    for (uint32_t i = 0; i < CAMERA_COUNT; ++i)
    {
        // Not quite along the axis, so that the limb looks solid.
        directions[i] = reachable(pelt_vec3_mad(directions[i], 0.2f, front));
        uint32_t hidden = count_hidden(s, points, point_count, directions[i]);
        uint32_t burden = 4 * hidden + (i < 2 ? 0 : i < 4 ? 2 : 3);
        if (burden < least)
        {
            best = i;
            least = burden;
            *visible = 1.0 - hidden / all;
        }
    }
    return directions[best];
}

// The region with a part of its surroundings, which shows where on the body it is.
static pelt_bounds widen(const pelt_bounds* box)
{
    const float part = 1.5f;
    pelt_vec3 middle = middle_of(box);
    return (pelt_bounds){pelt_vec3_lerp(middle, box->min, part),
                         pelt_vec3_lerp(middle, box->max, part)};
}

// One camera for all contenders.
static pelt_camera choose_camera(studio* s, figure* inout)
{
    const comparison* in = s->in;
    const moment* at = &inout->about.at;
    uint32_t region = in->rows[at->row].region;
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        pose_contender(s, at, i);
        add_region(&box, s, region);
    }
    pose_contender(s, at, at->worst);
    measure_maps(s, inout);
    pelt_vec3 d = view_direction(&inout->visible, s, region);
    float azimuth = atan2f(d.x, d.z), elevation = atan2f(d.y, hypotf(d.x, d.z));
    box = region > 0 ? widen(&box) : box;
    return pelt_camera_frame(&box, azimuth, elevation, 1.0f);
}

// ---------------------------------------------------------------------------------------------
// Heat maps

// The next of 1, 2 or 5 times a power of ten.
static float round_up(double value)
{
    double power = pow(10.0, floor(log10(value))), part = value / power;
    return (float)(power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0));
}

// One scale for all contenders, which 95 % of the region's skin is within.
static void find_scales(studio* s, figure* inout)
{
    uint32_t region = s->in->rows[inout->about.at.row].region;
    double most[FIGURE_MAP_COUNT] = {0.0};
    for (uint32_t i = 0; i < s->in->contenders.count; ++i)
    {
        pose_contender(s, &inout->about.at, i);
        measure_maps(s, inout);
        for (uint32_t k = 0; k < FIGURE_MAP_COUNT; ++k)
        {
            const pelt_metric_summary* summary =
                &s->probe.metrics.regions[region].metrics[inout->maps[k].metric];
            inout->maps[k].within[i] = summary->percentile95;
            most[k] = fmax(most[k], summary->percentile95);
        }
    }
    for (uint32_t k = 0; k < FIGURE_MAP_COUNT; ++k)
    {
        bool is_usable = isfinite(most[k]) && most[k] > 1e-9;
        inout->maps[k].end = is_usable ? round_up(most[k]) : 0.001f;
    }
}

// Numbers of a map as parts of its scale, by instance.
static void fill_lists(studio* s, const figure_map* map, float* values)
{
    const pelt_body_info* info = s->in->info;
    bool is_signed = pelt_metric_describe(map->metric)->is_signed;
    for (uint32_t v = 0; v < info->vertex_count; ++v)
    {
        float part = values[v] / map->end;
        values[v] = is_signed ? 0.5f + 0.5f * part : part;
    }
    for (uint32_t i = 0; i < info->instance_count; ++i)
    {
        uint32_t first = info->first_vertices[i];
        s->lists[i] = first != PELT_NONE ? values + first : NULL;
    }
}

// ---------------------------------------------------------------------------------------------
// Pictures

// How many triangles are over a pixel that the character covers, on average.
static double count_layers(const studio* s)
{
    size_t pixel_count = (size_t)s->canvas.width * s->canvas.height, covered = 0;
    for (size_t i = 0; i < pixel_count; ++i)
    {
        covered += s->canvas.pixels[i].a > 0;
    }
    double all = (double)pelt_stage_cover(s->stage).layers * (double)pixel_count;
    return covered > 0 ? all / (double)covered : 0.0;
}

static int take_picture(figure_picture* out, studio* s, const pelt_camera* camera,
                        const pelt_look* look)
{
    pelt_error error = {0};
    pelt_result result = pelt_stage_picture(&s->canvas, s->stage, camera, look, &error);
    if (result == PELT_OK)
    {
        s->layers = fmax(s->layers, count_layers(s));
        result = pelt_picture_encode(&out->bytes, &out->size, &s->canvas, NULL, &error);
    }
    return message_error(result, &error);
}

// With a software driver, thousands of overlapping triangles would take minutes.
static bool can_draw_more(const studio* s)
{
    return s->layers <= LAYER_COUNT;
}

static int draw_contender(studio* s, figure* inout, uint32_t contender, const pelt_camera* camera)
{
    const pelt_color clear = {255, 255, 255, 0};
    bool has_wire = s->in->info->triangle_count <= WIRE_TRIANGLES;
    pelt_look look = {.show = has_wire ? PELT_SHOW_WIRE : 0, .background = clear};
    pelt_error error = {0};
    pose_contender(s, &inout->about.at, contender);
    pelt_result result = pelt_stage_pose(
        s->stage, s->frame, &s->in->contenders.items[contender].deform, PELT_SKINNING_CPU, &error);
    int code = result == PELT_OK ? take_picture(&inout->shaded[contender], s, camera, &look)
                                 : message_error(result, &error);
    measure_maps(s, inout);
    for (uint32_t i = 0; code == EXIT_DONE && i < FIGURE_MAP_COUNT && can_draw_more(s); ++i)
    {
        figure_map* map = &inout->maps[i];
        bool is_signed = pelt_metric_describe(map->metric)->is_signed;
        fill_lists(s, map, s->values[i]);
        look.show = 0;
        look.values = s->lists;
        look.map = is_signed ? PELT_COLOR_MAP_SIGNED : PELT_COLOR_MAP_UNIFORM;
        code = take_picture(&map->pictures[contender], s, camera, &look);
    }
    return code;
}

// The number of figures that a driver may draw. A software driver takes 0.3 to 0.5 s for a pose of
// 24 000 triangles with its shadows and maps.
static uint32_t limit_figures(const figure_list* in, const comparison* data)
{
    if (!in->is_software)
    {
        return in->count;
    }
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < data->scene->instance_count; ++i)
    {
        triangles += data->scene->meshes[data->scene->instances[i].mesh].index_count / 3;
    }
    // A single figure may have half as many again.
    triangles *= data->contenders.count;
    uint64_t most = triangles > SOFTWARE_TRIANGLES && 2 * triangles <= 3 * SOFTWARE_TRIANGLES
                        ? 1
                        : SOFTWARE_TRIANGLES / (triangles + 1);
    return most < in->count ? (uint32_t)most : in->count;
}

static int draw_figures(studio* s, figure_list* inout)
{
    uint32_t count = s->in->contenders.count, figure_count = limit_figures(inout, s->in);
    int code = EXIT_DONE;
    progress_begin("drawing");
    for (uint32_t i = 0; code == EXIT_DONE && i < figure_count && can_draw_more(s); ++i)
    {
        figure* f = &inout->items[i];
        find_scales(s, f);
        pelt_camera camera = choose_camera(s, f);
        for (uint32_t k = 0; code == EXIT_DONE && k < count && can_draw_more(s); ++k)
        {
            code = draw_contender(s, f, k, &camera);
            progress_show((float)(i * count + k + 1) / (float)(figure_count * count));
        }
    }
    progress_end();
    inout->picture_count = code == EXIT_DONE && can_draw_more(s) ? figure_count : 0;
    if (!can_draw_more(s))
    {
        snprintf(inout->reason, sizeof inout->reason,
                 "its triangles cover each other too often to be drawn in good time.");
    }
    else if (figure_count < inout->count)
    {
        snprintf(inout->reason, sizeof inout->reason,
                 "this machine draws on the processor, which takes long for so many triangles; "
                 "%u of %u moments are shown, and more with fewer methods (--method).",
                 figure_count, inout->count);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Time on the GPU

static pelt_result time_once(double* seconds, studio* s, pelt_stage* stage,
                             const pelt_deform_options* deform, pelt_error* error)
{
    double start = clock_seconds();
    pelt_result result = pelt_stage_upload(stage, s->frame, deform, PELT_SKINNING_GPU, error);
    result = result == PELT_OK ? pelt_stage_skin(stage, error) : result;
    draw_target_finish();
    *seconds = clock_seconds() - start;
    return result;
}

// Palettes uploaded and all vertices skinned, until the GPU has done it.
static pelt_result time_contender(double* seconds, studio* s, uint32_t contender, pelt_error* error)
{
    const comparison* in = s->in;
    const pelt_deform_options* deform = &in->contenders.items[contender].deform;
    pelt_stage* stage;
    pelt_result result =
        pelt_stage_create(&stage, s->gl, comparison_scene(in, contender), NULL, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pose_contender(s, &(moment){0}, contender);
    double best = (double)INFINITY;
    // The first compiles the shader.
    for (int run = 0; result == PELT_OK && run <= GPU_RUN_COUNT; ++run)
    {
        double now;
        result = time_once(&now, s, stage, deform, error);
        best = run > 0 ? fmin(best, now) : best;
    }
    *seconds = best / (double)in->info->vertex_count;
    pelt_stage_destroy(stage);
    return result;
}

static int time_contenders(contender_cost* inout, studio* s)
{
    pelt_error error = {0};
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < s->in->contenders.count; ++i)
    {
        if (inout[i].is_on_gpu)
        {
            result = time_contender(&inout[i].gpu_seconds, s, i, &error);
        }
    }
    return message_error(result, &error);
}

int figure_list_draw(figure_list* inout, contender_cost* costs, const comparison* in)
{
    pelt_error error = {0};
    pelt_gl* gl;
    pelt_result result = pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error);
    if (result == PELT_ERROR_MEMORY)
    {
        return message_error(result, &error);
    }
    if (result != PELT_OK)
    {
        snprintf(inout->reason, sizeof inout->reason, "OpenGL is not available: %s", error.message);
        return EXIT_DONE;
    }
    studio s;
    pelt_gl_info info = pelt_gl_describe(gl);
    snprintf(inout->renderer, sizeof inout->renderer, "%s", info.renderer);
    inout->is_software = info.is_software;
    int code = create_studio(&s, in, gl);
    code = code == EXIT_DONE ? draw_figures(&s, inout) : code;
    code = code == EXIT_DONE && costs != NULL ? time_contenders(costs, &s) : code;
    inout->picture_count = code == EXIT_DONE ? inout->picture_count : 0;
    destroy_studio(&s);
    pelt_gl_destroy(gl);
    return code;
}
