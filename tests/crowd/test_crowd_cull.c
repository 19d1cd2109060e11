// SPDX-License-Identifier: MIT
// Culling against brute force: every vertex of every member that is left out.
#include "bake_scene.h"
#include "crowd_points.h"
#include "rigs.h"

enum
{
    MEMBERS = 60,
};

static const pelt_crowd_act act = {.seed = 7, .period = 1.0f, .fade = 0.5f};

static pelt_vec3 transform_point(const pelt_crowd_transform* transform, pelt_vec3 p)
{
    p = pelt_quat_rotate(transform->rotation, pelt_vec3_scale(p, transform->scale));
    return pelt_vec3_add(transform->position, p);
}

static bool has_vertex_inside(crowd_points* inout, const double camera[16],
                              const pelt_crowd_transform* transform, const pelt_playback* playback)
{
    crowd_points_play(inout, playback);
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        if (crowd_points_depth(camera, transform_point(transform, inout->points[i])) > 0.0)
        {
            return true;
        }
    }
    return false;
}

typedef struct crowd
{
    pelt_crowd_transform transforms[MEMBERS];
    pelt_playback playbacks[MEMBERS];
    pelt_crowd_visible visible[MEMBERS];
} crowd;

static void arrange(crowd* out, const crowd_points* points, double time)
{
    for (uint32_t i = 0; i < MEMBERS; ++i)
    {
        out->transforms[i] = pelt_crowd_member_transform(&act, i, MEMBERS, 2.0f);
        out->playbacks[i] = pelt_crowd_play(&act, points->baked, i, time);
    }
}

static pelt_crowd_view random_view(double exact[16], test_random* random)
{
    pelt_vec3 eye = test_point(random, 9.0f), target = test_point(random, 4.0f);
    float matrix[16];
    crowd_points_camera(exact, eye, target, (double)test_uniform(random, 0.1f, 1.2f),
                        (double)test_uniform(random, 0.5f, 2.0f));
    for (int i = 0; i < 16; ++i)
    {
        matrix[i] = (float)exact[i];
    }
    return (pelt_crowd_view){.frustum = pelt_frustum_of(matrix), .eye = eye};
}

// The share of members that are kept and have no vertex in view is what boxes and planes let
// through; those in a fade with LOCAL, whose reach is the whole skeleton, most.
static int check_brute_force(const pelt_scene* scene, pelt_encoding encoding, int cameras)
{
    crowd all;
    crowd_points points;
    test_random random = {31};
    uint32_t in_view = 0, kept = 0, culled = 0;
    ENSURE(crowd_points_create(&points, scene, encoding));
    pelt_crowd_members members = {&points.bounds, all.transforms, all.playbacks, NULL};
    for (int camera = 0; camera < cameras; ++camera)
    {
        double exact[16];
        pelt_crowd_view view = random_view(exact, &random);
        arrange(&all, &points, 0.37 * camera);
        uint32_t count = pelt_crowd_cull(all.visible, &members, &view, (pelt_range){0, MEMBERS});
        uint32_t next = 0;
        for (uint32_t i = 0; i < MEMBERS; ++i)
        {
            bool is_kept = next < count && all.visible[next].member == i;
            next += is_kept;
            bool is_seen = has_vertex_inside(&points, exact, &all.transforms[i], &all.playbacks[i]);
            ENSURE(is_kept || !is_seen);
            in_view += is_seen;
            kept += is_kept;
            culled += !is_kept;
        }
        ENSURE(next == count);
    }
    printf("  %s: %u in view, %u kept, %u culled\n", pelt_encoding_name(encoding), in_view, kept,
           culled);
    ENSURE(in_view > 50 && culled > MEMBERS);
    ENSURE(kept < (encoding == PELT_ENCODING_LOCAL ? 2.5 : 1.6) * in_view);
    crowd_points_destroy(&points);
    return 0;
}

static int nobody_with_a_vertex_in_view_is_culled(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "human?vertices=2000", NULL) == PELT_OK);
    int failed = check_brute_force(scene, PELT_ENCODING_QT, 16) ||
                 check_brute_force(scene, PELT_ENCODING_LOCAL, 16) ||
                 check_brute_force(scene, PELT_ENCODING_VERTEX, 16);
    pelt_scene_destroy(scene);
    return failed;
}

static int ranges_give_the_list_of_the_whole(void)
{
    bake_scene* s = bake_scene_dance(3);
    crowd whole, parts;
    crowd_points points;
    test_random random = {5};
    double exact[16];
    ENSURE(crowd_points_create(&points, &s->scene, PELT_ENCODING_QT));
    arrange(&whole, &points, 1.5);
    uint8_t levels[2][MEMBERS] = {{0}};
    pelt_crowd_members members = {&points.bounds, whole.transforms, whole.playbacks, levels[0]};
    uint32_t seen = 0;
    for (int i = 0; i < 20; ++i)
    {
        pelt_crowd_view view = random_view(exact, &random);
        view.level_count = 3;
        view.distances[0] = 4.0f, view.distances[1] = 8.0f;
        view.hysteresis = 0.1f;
        members.levels = levels[0];
        uint32_t count = pelt_crowd_cull(whole.visible, &members, &view, (pelt_range){0, MEMBERS});
        members.levels = levels[1];
        uint32_t split = (uint32_t)test_uniform(&random, 0.0f, (float)MEMBERS);
        uint32_t first = pelt_crowd_cull(parts.visible, &members, &view, (pelt_range){0, split});
        uint32_t second = pelt_crowd_cull(parts.visible + first, &members, &view,
                                          (pelt_range){split, MEMBERS - split});
        ENSURE(first + second == count);
        for (uint32_t k = 0; k < count; ++k)
        {
            ENSURE(whole.visible[k].member == parts.visible[k].member);
            ENSURE(whole.visible[k].level == parts.visible[k].level);
            ENSURE(whole.visible[k].distance == parts.visible[k].distance);
        }
        seen += count;
        view.has_no_culling = true;
        ENSURE(pelt_crowd_cull(whole.visible, &members, &view, (pelt_range){0, MEMBERS}) ==
               MEMBERS);
    }
    ENSURE(seen > 40 && seen < 20 * MEMBERS);
    crowd_points_destroy(&points);
    bake_scene_free(s);
    return 0;
}

// One member that walks away from the eye and back again, on a line through the middle of its box.
typedef struct walk
{
    crowd_points points;
    pelt_crowd_transform transform;
    pelt_playback playback;
    pelt_crowd_view view;
    uint8_t level;
} walk;

static uint32_t level_at(walk* inout, float distance, bool has_memory)
{
    pelt_bounds box = pelt_crowd_bounds_at(&inout->points.bounds, &inout->playback);
    pelt_vec3 middle = pelt_vec3_lerp(box.min, box.max, 0.5f);
    inout->transform.position = pelt_vec3_sub(pelt_vec3_make(0.0f, 0.0f, distance), middle);
    pelt_crowd_members members = {&inout->points.bounds, &inout->transform, &inout->playback,
                                  has_memory ? &inout->level : NULL};
    pelt_crowd_visible seen;
    if (pelt_crowd_cull(&seen, &members, &inout->view, (pelt_range){0, 1}) != 1 ||
        fabsf(seen.distance - distance) > 1e-4f)
    {
        return PELT_NONE;
    }
    return seen.level;
}

static int levels_follow_distances_and_stay_within_the_hysteresis(void)
{
    bake_scene* s = bake_scene_dance(3);
    walk w = {.transform = {.scale = 1.0f, .rotation = pelt_quat_identity()},
              .view = {.has_no_culling = true,
                       .level_count = 3,
                       .distances = {10.0f, 20.0f},
                       .hysteresis = 0.1f}};
    ENSURE(crowd_points_create(&w.points, &s->scene, PELT_ENCODING_QT));
    for (float d = 1.0f; d < 30.0f; d += 0.25f)
    {
        ENSURE(level_at(&w, d, false) == (d > 20.0f   ? 2u
                                          : d > 10.0f ? 1u
                                                      : 0u) ||
               fabsf(d - 10.0f) < 1e-3f || fabsf(d - 20.0f) < 1e-3f);
        ENSURE(level_at(&w, d, true) == (d > 22.0f   ? 2u
                                         : d > 11.0f ? 1u
                                                     : 0u) ||
               fabsf(d - 11.0f) < 1e-3f || fabsf(d - 22.0f) < 1e-3f);
    }
    for (float d = 30.0f; d > 1.0f; d -= 0.25f)
    {
        ENSURE(level_at(&w, d, true) == (d > 18.0f  ? 2u
                                         : d > 9.0f ? 1u
                                                    : 0u) ||
               fabsf(d - 9.0f) < 1e-3f || fabsf(d - 18.0f) < 1e-3f);
    }
    // To and fro at a limit: one change at most.
    uint32_t changes = 0, before = level_at(&w, 10.5f, true);
    for (int i = 0; i < 100; ++i)
    {
        uint32_t level = level_at(&w, i % 2 ? 10.9f : 9.1f, true);
        changes += level != before;
        before = level;
    }
    ENSURE(changes == 0);
    // A jump passes all limits at once, and fewer levels than before are no trouble.
    ENSURE(level_at(&w, 100.0f, true) == 2 && level_at(&w, 1.0f, true) == 0);
    ENSURE(level_at(&w, 100.0f, true) == 2);
    w.view.level_count = 0;
    ENSURE(level_at(&w, 100.0f, true) == 0);
    crowd_points_destroy(&w.points);
    bake_scene_free(s);
    return 0;
}

static int sorting_keeps_the_order_within_levels(void)
{
    enum
    {
        COUNT = 500
    };
    pelt_crowd_visible visible[COUNT];
    uint32_t order[COUNT];
    bool is_there[COUNT] = {false};
    pelt_range levels[PELT_CROWD_LEVEL_MAX];
    test_random random = {9};
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        uint32_t level = (uint32_t)test_uniform(&random, 0.0f, 3.999f);
        visible[i] = (pelt_crowd_visible){.member = i, .level = level == 2 ? 3 : level};
    }
    pelt_crowd_sort(order, levels, visible, COUNT);
    uint32_t next = 0;
    for (uint32_t level = 0; level < PELT_CROWD_LEVEL_MAX; ++level)
    {
        ENSURE(levels[level].first == next);
        for (uint32_t i = 0; i < levels[level].count; ++i, ++next)
        {
            ENSURE(visible[order[next]].level == level);
            ENSURE(i == 0 || order[next] > order[next - 1]);
            is_there[order[next]] = true;
        }
    }
    ENSURE(next == COUNT && levels[2].count == 0);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        ENSURE(is_there[i]);
    }
    pelt_crowd_sort(NULL, levels, NULL, 0);
    ENSURE(levels[3].count == 0);
    return 0;
}

void test_crowd_cull(void)
{
    RUN(nobody_with_a_vertex_in_view_is_culled);
    RUN(ranges_give_the_list_of_the_whole);
    RUN(levels_follow_distances_and_stay_within_the_hysteresis);
    RUN(sorting_keeps_the_order_within_levels);
}
