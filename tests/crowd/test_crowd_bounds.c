// SPDX-License-Identifier: MIT
// Boxes of playing characters, against every vertex at times that no one has sampled.
#include "bake_scene.h"
#include "crowd_points.h"
#include "failing_heap.h"
#include "shared_rig.h"

// How far the surface sticks out of its box.
static float excess(crowd_points* inout, const pelt_playback* playback)
{
    pelt_bounds box = pelt_crowd_bounds_at(&inout->bounds, playback);
    float most = -INFINITY;
    crowd_points_play(inout, playback);
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float p = (&inout->points[i].x)[axis];
            float out = fmaxf((&box.min.x)[axis] - p, p - (&box.max.x)[axis]);
            most = fmaxf(most, out);
        }
    }
    return most;
}

static int check_scene(const pelt_scene* scene, int count)
{
    for (int encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
    {
        crowd_points all;
        test_random random = {11};
        ENSURE(crowd_points_create(&all, scene, (pelt_encoding)encoding));
        float plain = -INFINITY, faded = -INFINITY;
        for (int i = 0; i < count; ++i)
        {
            pelt_playback playback = crowd_points_random(&all, &random);
            float more = excess(&all, &playback);
            *(playback.fade > 0.0f ? &faded : &plain) =
                fmaxf(playback.fade > 0.0f ? faded : plain, more);
        }
        printf("  %s: fades may lead %.3f m; %.4f and %.4f m of room left\n",
               pelt_encoding_name((pelt_encoding)encoding), (double)all.bounds.fade_margin,
               (double)-plain, (double)-faded);
        // Rounding of coordinates of some meters.
        ENSURE(plain <= 2e-6f && faded <= 2e-6f);
        crowd_points_destroy(&all);
    }
    return 0;
}

static int check_rig(const char* name, int count)
{
    const pelt_scene* scene = shared_rig(name);
    ENSURE(scene != NULL);
    return check_scene(scene, count);
}

static int boxes_hold_humans_that_play_and_fade(void)
{
    return check_rig("human?vertices=2000", 30);
}

// Whose joints scale.
static int boxes_hold_boxes_that_play_and_fade(void)
{
    return check_rig("box", 150);
}

static int boxes_hold_a_chain_that_dances(void)
{
    bake_scene* s = bake_scene_dance(6);
    int failed = check_scene(&s->scene, 150);
    bake_scene_free(s);
    return failed;
}

// A bar along +y from a joint at the origin that lies to the right in one clip, to the left in the
// other. Halfway it is vertical, outside of both boxes.
static bake_scene* make_flip(void)
{
    bake_scene* s = bake_scene_make(1);
    for (int clip = 0; clip < 2; ++clip)
    {
        float half = (clip == 0 ? -0.25f : 0.25f) * PELT_PI;
        const float times[2] = {0.0f, 1.0f};
        const float rotations[8] = {0.0f, 0.0f, sinf(half), cosf(half),
                                    0.0f, 0.0f, sinf(half), cosf(half)};
        bake_scene_clip(s, clip == 0 ? "right" : "left", 1.0f);
        bake_scene_track(s, 0, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, times, rotations);
    }
    return s;
}

static int a_fade_that_swings_through_the_top_is_expected(void)
{
    bake_scene* s = make_flip();
    // The bar is 0.2 x 0.4 x 0.2 m. LOCAL rotates it about its end, QT about its middle. Both
    // pivots stay inside the boxes, so that the distance to a corner is all.
    const double reach[] = {[PELT_ENCODING_QT] = sqrt(0.01 + 0.04 + 0.01),
                            [PELT_ENCODING_LOCAL] = sqrt(0.01 + 0.16 + 0.01)};
    for (int encoding = PELT_ENCODING_QT; encoding <= PELT_ENCODING_LOCAL; ++encoding)
    {
        crowd_points all;
        ENSURE(crowd_points_create(&all, &s->scene, (pelt_encoding)encoding));
        pelt_playback halfway = {.next = {.clip = 1}, .fade = 0.5f};
        ENSURE_NEAR(all.bounds.fade_margin, reach[encoding], 1e-5);
        ENSURE(excess(&all, &halfway) < 0.0f);
        // The boxes of both clips reach up by half of the width and 2 % of the length, the bar by
        // half of the length about its middle, and by all of it about its end.
        all.bounds.fade_margin = 0.0f;
        ENSURE(excess(&all, &halfway) > 0.08f);
        crowd_points_destroy(&all);
    }
    bake_scene_free(s);
    return 0;
}

static int straight_fades_need_no_room(void)
{
    bake_scene* s = make_flip();
    static const pelt_encoding straight[] = {PELT_ENCODING_MATRIX, PELT_ENCODING_VERTEX};
    for (int i = 0; i < 2; ++i)
    {
        crowd_points all;
        ENSURE(crowd_points_create(&all, &s->scene, straight[i]));
        ENSURE(all.bounds.fade_margin == 0.0f);
        crowd_points_destroy(&all);
    }
    bake_scene_free(s);
    return 0;
}

// From the lower right over the top to the left in one interval: the bar is highest in between, and
// not in the middle.
static int boxes_hold_large_rotations_between_two_keys(void)
{
    const float degree = PELT_PI / 180.0f,
                halves[2] = {-0.5f * 45.0f * degree, 0.5f * 125.0f * degree};
    const float times[2] = {0.0f, 1.0f};
    const float rotations[8] = {0.0f, 0.0f, sinf(halves[0]), cosf(halves[0]),
                                0.0f, 0.0f, sinf(halves[1]), cosf(halves[1])};
    bake_scene* s = bake_scene_make(1);
    bake_scene_clip(s, "swing", 1.0f);
    bake_scene_track(s, 0, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, times, rotations);
    for (int encoding = 0; encoding < PELT_ENCODING_COUNT; ++encoding)
    {
        crowd_points all;
        ENSURE(crowd_points_create(&all, &s->scene, (pelt_encoding)encoding));
        for (int i = 0; i <= 50; ++i)
        {
            pelt_playback playback = {.base = {.time = 0.02f * (float)i}};
            ENSURE(excess(&all, &playback) <= 2e-6f);
        }
        crowd_points_destroy(&all);
    }
    bake_scene_free(s);
    return 0;
}

static bool is_same(pelt_bounds a, pelt_bounds b)
{
    return pelt_vec3_distance(a.min, b.min) == 0.0f && pelt_vec3_distance(a.max, b.max) == 0.0f;
}

static int boxes_are_those_of_the_key_before_a_moment(void)
{
    bake_scene* s = bake_scene_dance(3);
    crowd_points all;
    ENSURE(crowd_points_create(&all, &s->scene, PELT_ENCODING_QT));
    const pelt_baked_clip* clip = &all.baked->clips[0];
    ENSURE(clip->run_count == 1 && clip->key_count > 8);
    for (uint32_t key = 0; key + 1 < clip->key_count; ++key)
    {
        float time = ((float)key + 0.5f) / clip->runs[0].rate;
        pelt_playback playback = {.base = {.time = time}, .next = {.clip = 1}};
        ENSURE(is_same(pelt_crowd_bounds_at(&all.bounds, &playback), clip->key_bounds[key]));
        playback.base.time += clip->duration;
        playback.base.wrap = PELT_WRAP_LOOP;
        ENSURE(is_same(pelt_crowd_bounds_at(&all.bounds, &playback), clip->key_bounds[key]));
    }
    all.bounds.margin = 0.25f;
    pelt_bounds wide = pelt_crowd_bounds_at(&all.bounds, &(pelt_playback){0});
    ENSURE_NEAR(wide.min.x, clip->key_bounds[0].min.x - 0.25f, 1e-6);
    ENSURE_NEAR(wide.max.z, clip->key_bounds[0].max.z + 0.25f, 1e-6);
    crowd_points_destroy(&all);
    bake_scene_free(s);
    return 0;
}

// With few keys a box has room for the motion between them, and never more than 2 % of the size on
// top of that: a box is at most twice that wider than the surface at some moment of the interval.
static int boxes_are_not_much_larger_than_what_they_hold(void)
{
    const pelt_scene* scene = shared_rig("human?vertices=2000");
    crowd_points all;
    test_random random = {23};
    ENSURE(scene != NULL && crowd_points_create(&all, scene, PELT_ENCODING_QT));
    double box_volume = 0.0, surface_volume = 0.0;
    for (int i = 0; i < 20; ++i)
    {
        pelt_playback playback = crowd_points_random(&all, &random);
        playback.fade = 0.0f;
        pelt_bounds surface = pelt_bounds_empty();
        pelt_bounds box = pelt_crowd_bounds_at(&all.bounds, &playback);
        crowd_points_play(&all, &playback);
        pelt_bounds_add(&surface, all.points, all.count);
        pelt_vec3 a = pelt_vec3_sub(box.max, box.min), b = pelt_vec3_sub(surface.max, surface.min);
        box_volume += (double)(a.x * a.y * a.z);
        surface_volume += (double)(b.x * b.y * b.z);
    }
    printf("  boxes have %.2f times the volume of those of the surface\n",
           box_volume / surface_volume);
    ENSURE(box_volume < 1.6 * surface_volume);
    crowd_points_destroy(&all);
    return 0;
}

static int additive_clips_are_never_culled_unless_someone_says_how_far_they_lead(void)
{
    bake_scene* s = bake_scene_dance(3);
    crowd_points all;
    ENSURE(crowd_points_create(&all, &s->scene, PELT_ENCODING_QT));
    pelt_playback playback = {.additive = {.clip = 1}, .additive_weight = 0.5f};
    pelt_bounds box = pelt_crowd_bounds_at(&all.bounds, &playback);
    ENSURE(box.min.x == -INFINITY && box.max.y == INFINITY);
    all.bounds.additive_margin = 1.0f;
    box = pelt_crowd_bounds_at(&all.bounds, &playback);
    ENSURE_NEAR(box.min.x, all.baked->clips[0].key_bounds[0].min.x - 1.0f, 1e-6);
    crowd_points_destroy(&all);
    // Matrices have no additive clips.
    ENSURE(crowd_points_create(&all, &s->scene, PELT_ENCODING_MATRIX));
    ENSURE(
        is_same(pelt_crowd_bounds_at(&all.bounds, &playback), all.baked->clips[0].key_bounds[0]));
    crowd_points_destroy(&all);
    bake_scene_free(s);
    return 0;
}

static pelt_result try_bounds(const void* context)
{
    const crowd_points* all = context;
    pelt_crowd_bounds bounds;
    return pelt_crowd_bounds_create(&bounds, all->baked, all->scene, NULL);
}

static int another_scene_and_no_memory_are_errors(void)
{
    bake_scene *s = bake_scene_dance(3), *other = bake_scene_dance(4);
    crowd_points all;
    pelt_crowd_bounds bounds;
    pelt_error error = {0};
    ENSURE(crowd_points_create(&all, &s->scene, PELT_ENCODING_LOCAL));
    ENSURE(pelt_crowd_bounds_create(&bounds, all.baked, &other->scene, &error) == PELT_ERROR_DATA);
    ENSURE(error.message[0] != '\0');
    ENSURE(failing_heap_check(try_bounds, &all, 4) == 0);
    crowd_points_destroy(&all);
    bake_scene_free(s);
    bake_scene_free(other);
    return 0;
}

void test_crowd_bounds(void)
{
    RUN(boxes_hold_humans_that_play_and_fade);
    RUN(boxes_hold_boxes_that_play_and_fade);
    RUN(boxes_hold_a_chain_that_dances);
    RUN(boxes_hold_large_rotations_between_two_keys);
    RUN(a_fade_that_swings_through_the_top_is_expected);
    RUN(straight_fades_need_no_room);
    RUN(boxes_are_those_of_the_key_before_a_moment);
    RUN(boxes_are_not_much_larger_than_what_they_hold);
    RUN(additive_clips_are_never_culled_unless_someone_says_how_far_they_lead);
    RUN(another_scene_and_no_memory_are_errors);
}
