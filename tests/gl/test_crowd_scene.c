// SPDX-License-Identifier: MIT
// Crowds as the viewer draws them: culling leaves out what is invisible.
#include "crowd/crowd_scene.h"
#include "crowd/draw_target.h"
#include "rigs.h"
#include "test.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    PIXEL_COUNT = DRAW_WIDTH * DRAW_HEIGHT,
    MOMENTS = 6,
};

static draw_target target;
static pelt_color pictures[2][PIXEL_COUNT];

// Characters with a bake for each level, made once.
typedef struct character
{
    const char* rig;
    pelt_encoding encoding;
    pelt_scene* scene;
    pelt_baked* bakes[CROWD_LEVELS];
} character;

static character human = {.rig = "human?vertices=2000", .encoding = PELT_ENCODING_QT};
static character box = {.rig = "box", .encoding = PELT_ENCODING_LOCAL};

static bool bake_character(character* inout, pelt_error* error)
{
    pelt_bake_options bones = {.encoding = inout->encoding};
    pelt_bake_options vertices = {.encoding = PELT_ENCODING_VERTEX};
    return pelt_rig_build(&inout->scene, inout->rig, error) == PELT_OK &&
           pelt_bake(&inout->bakes[0], inout->scene, &bones, error) == PELT_OK &&
           pelt_bake(&inout->bakes[1], inout->scene, &vertices, error) == PELT_OK;
}

static void destroy_character(character* in)
{
    pelt_baked_destroy(in->bakes[0]);
    pelt_baked_destroy(in->bakes[1]);
    pelt_scene_destroy(in->scene);
}

typedef struct fixture
{
    const character* who;
    crowd_scene* stage;
    pelt_crowd_act act;
} fixture;

static bool create(fixture* out, const character* who, uint32_t level_count, uint32_t count)
{
    *out = (fixture){.who = who, .act = {.seed = 5, .period = 1.5f, .fade = 0.5f}};
    pelt_error error = {0};
    crowd_scene_desc desc = {.scene = who->scene,
                             .bakes = {who->bakes[0], level_count > 1 ? who->bakes[1] : NULL},
                             .count = count};
    if (crowd_scene_create(&out->stage, target.gl, &desc, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return false;
    }
    crowd_scene_arrange(out->stage, &out->act, out->stage->spacing);
    return true;
}

// From the height of a head, amid the crowd or at its edge.
static pelt_camera camera_of(const fixture* in, float away, float rotation)
{
    float height = in->who->bakes[0]->height_meters;
    pelt_vec3 forward = {sinf(rotation), -0.1f, cosf(rotation)};
    pelt_vec3 eye = pelt_vec3_scale(forward, -away);
    eye.y = height;
    return (pelt_camera){.eye = eye,
                         .target = pelt_vec3_add(eye, forward),
                         .field_of_view = 0.6f,
                         .near_plane = 0.1f * height,
                         .far_plane = away + 4.0f * in->stage->radius};
}

static int draw(pelt_color* out, fixture* f, const pelt_camera* camera, double time,
                pelt_crowd_view view)
{
    pelt_error error = {0};
    crowd_shot shot = {.eye = camera->eye, .has_ground = true};
    pelt_camera_matrix(shot.clip_from_world, camera, (float)DRAW_WIDTH / DRAW_HEIGHT);
    view.frustum = pelt_frustum_of(shot.clip_from_world);
    view.eye = camera->eye;
    crowd_scene_play(f->stage, &f->act, time, &view);
    ENSURE(crowd_scene_upload(f->stage, &error) == PELT_OK);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    int part = out != NULL ? 1 : 8; // small where it is not compared
    glViewport(0, 0, DRAW_WIDTH / part, DRAW_HEIGHT / part);
    ENSURE(crowd_scene_draw(f->stage, &shot, &error) == PELT_OK);
    if (out != NULL)
    {
        draw_target_read(&target, out);
    }
    draw_target_finish();
    ENSURE(glGetError() == GL_NO_ERROR);
    return 0;
}

static uint32_t count_different(const pelt_color* a, const pelt_color* b, int more_than)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PIXEL_COUNT; ++i)
    {
        int red = abs(a[i].r - b[i].r), green = abs(a[i].g - b[i].g), blue = abs(a[i].b - b[i].b);
        count += red > more_than || green > more_than || blue > more_than;
    }
    return count;
}

static int check_culling(const character* who, uint32_t count)
{
    fixture f;
    uint32_t seen = 0, all = 0;
    ENSURE(create(&f, who, 2, count));
    for (int i = 0; i < 4; ++i)
    {
        pelt_camera camera = camera_of(&f, i % 2 ? 0.0f : 0.8f * f.stage->radius, 1.3f * (float)i);
        pelt_crowd_view view = {.level_count = 2, .distances = {0.5f * f.stage->radius}};
        ENSURE(draw(pictures[0], &f, &camera, 0.63 * i, view) == 0);
        crowd_counts culled = f.stage->counts;
        view.has_no_culling = true;
        ENSURE(draw(pictures[1], &f, &camera, 0.63 * i, view) == 0);
        ENSURE(f.stage->counts.visible == count && culled.visible < count);
        ENSURE(culled.by_level[0] + culled.by_level[1] == culled.visible);
        ENSURE(culled.triangles < f.stage->counts.triangles);
        ENSURE(count_different(pictures[0], pictures[1], 0) == 0);
        seen += culled.visible;
        all += count;
    }
    printf("  %s, %s: %u of %u drawn\n", who->rig, pelt_encoding_name(who->encoding), seen, all);
    ENSURE(seen > 4 && seen < all / 2);
    crowd_scene_destroy(f.stage);
    return 0;
}

static int who_is_culled_is_not_missed(void)
{
    return check_culling(&human, 40) || check_culling(&box, 100);
}

// A member in the middle of the picture, near or far, by joints and by vertices.
static int count_level_pixels(uint32_t* differ, uint32_t* covered, fixture* f, float away,
                              bool has_fades)
{
    pelt_camera camera = camera_of(f, away, 0.0f);
    pelt_crowd_view near_view = {.level_count = 1}, far_view = {.level_count = 2};
    *differ = *covered = 0;
    f->act.has_no_fades = !has_fades;
    for (int i = 0; i < MOMENTS; ++i)
    {
        ENSURE(draw(pictures[0], f, &camera, 0.61 * i, near_view) == 0);
        ENSURE(f->stage->counts.by_level[0] == 1 && f->stage->counts.by_level[1] == 0);
        ENSURE(draw(pictures[1], f, &camera, 0.61 * i, far_view) == 0);
        ENSURE(f->stage->counts.by_level[0] == 0 && f->stage->counts.by_level[1] == 1);
        *differ += count_different(pictures[0], pictures[1], 8);
        near_view.has_no_culling = true;
        f->stage->count = 0; // an empty picture
        ENSURE(draw(pictures[1], f, &camera, 0.61 * i, near_view) == 0);
        f->stage->count = 1;
        near_view.has_no_culling = false;
        *covered += count_different(pictures[0], pictures[1], 8);
    }
    return 0;
}

// Between keys vertices take the chord: 4 mm of a human, by pelt bake. A pixel is 24 mm wide at
// 14 m, so that edges move by a sixth of a pixel at most: of a figure 73 pixels tall, with some 900
// pixels, few of those along its outline.
static int vertices_far_away_look_like_joints(void)
{
    fixture f;
    uint32_t differ, covered;
    ENSURE(create(&f, &human, 2, 1));
    ENSURE(count_level_pixels(&differ, &covered, &f, 14.0f, false) == 0);
    printf("  without fades %u of %u pixels differ\n", differ, covered);
    ENSURE(covered > MOMENTS * 500 && differ < covered / 50);
    // Positions fade on straight lines, poses on arcs: a member in a fade differs by more.
    ENSURE(count_level_pixels(&differ, &covered, &f, 14.0f, true) == 0);
    printf("  with fades %u of %u pixels differ\n", differ, covered);
    ENSURE(differ < covered / 10);
    crowd_scene_destroy(f.stage);
    return 0;
}

// m[4 * column + row]
static void multiply(float out[16], const float a[16], const pelt_mat34* b)
{
    for (int column = 0; column < 4; ++column)
    {
        for (int row = 0; row < 4; ++row)
        {
            float sum = column == 3 ? a[12 + row] : 0.0f;
            for (int k = 0; k < 3; ++k)
            {
                sum += a[4 * k + row] * b->m[k][column];
            }
            out[4 * column + row] = sum;
        }
    }
}

static int draw_silhouette(pelt_color* out, fixture* f, const float clip_from_world[16])
{
    pelt_error error = {0};
    pelt_crowd_view view = {.has_no_culling = true};
    crowd_shot shot = {.has_level_colors = true};
    memcpy(shot.clip_from_world, clip_from_world, sizeof shot.clip_from_world);
    crowd_scene_play(f->stage, &f->act, 0.4, &view);
    ENSURE(crowd_scene_upload(f->stage, &error) == PELT_OK);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glViewport(0, 0, DRAW_WIDTH, DRAW_HEIGHT);
    ENSURE(crowd_scene_draw(f->stage, &shot, &error) == PELT_OK);
    draw_target_read(&target, out);
    for (uint32_t i = 0; i < PIXEL_COUNT; ++i)
    {
        // Blue before gray, in any light.
        bool is_covered = out[i].b > out[i].r + 8;
        out[i] = (pelt_color){.r = is_covered ? 255 : 0};
    }
    return 0;
}

// To move a member is to move the camera the other way.
static int members_are_drawn_at_their_transforms(void)
{
    fixture f;
    ENSURE(create(&f, &human, 1, 1));
    pelt_crowd_transform transform = {
        .position = {1.0f, 0.3f, -2.0f},
        .scale = 1.7f,
        .rotation = pelt_quat_axis_angle((pelt_vec3){1.0f, 2.0f, 0.5f}, 0.8f)};
    pelt_mat3 rotation = pelt_mat3_from_quat(transform.rotation), zero = {0};
    rotation = pelt_mat3_mad(&zero, transform.scale, &rotation);
    pelt_mat34 world_from_model = pelt_mat34_make(&rotation, transform.position);
    pelt_camera camera = {.eye = {6.0f, 2.5f, 5.0f},
                          .target = {1.0f, 1.2f, -1.6f},
                          .near_plane = 0.5f,
                          .far_plane = 50.0f};
    float view[16], moved[16];
    pelt_camera_matrix(view, &camera, (float)DRAW_WIDTH / DRAW_HEIGHT);
    multiply(moved, view, &world_from_model);
    f.stage->transforms[0] = transform;
    ENSURE(draw_silhouette(pictures[0], &f, view) == 0);
    f.stage->transforms[0] =
        (pelt_crowd_transform){.scale = 1.0f, .rotation = pelt_quat_identity()};
    ENSURE(draw_silhouette(pictures[1], &f, moved) == 0);
    uint32_t covered = 0;
    for (uint32_t i = 0; i < PIXEL_COUNT; ++i)
    {
        covered += pictures[0][i].r > 0;
    }
    printf("  %u of %u pixels differ\n", count_different(pictures[0], pictures[1], 0), covered);
    ENSURE(covered > 2000 && count_different(pictures[0], pictures[1], 0) < covered / 500);
    crowd_scene_destroy(f.stage);
    return 0;
}

static double now_ms(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

// Each frame has another camera and moment.
static int check_large(const character* who, uint32_t count, int frames)
{
    fixture f;
    ENSURE(create(&f, who, 2, count));
    uint64_t visible = 0, by_level[CROWD_LEVELS] = {0};
    double start = now_ms();
    for (int i = 0; i < frames; ++i)
    {
        pelt_camera camera = camera_of(&f, 0.3f * f.stage->radius, 1.3f * (float)i);
        pelt_crowd_view view = {
            .level_count = 2, .distances = {0.25f * f.stage->radius}, .hysteresis = 0.1f};
        ENSURE(draw(NULL, &f, &camera, 0.5 * i, view) == 0);
        ENSURE(f.stage->counts.members == count);
        ENSURE(f.stage->counts.draw_calls <= 2 * who->scene->instance_count);
        visible += f.stage->counts.visible;
        by_level[0] += f.stage->counts.by_level[0];
        by_level[1] += f.stage->counts.by_level[1];
    }
    printf("  %u of %s: %llu in view, %llu near and %llu far, %.0f ms per frame\n", count, who->rig,
           (unsigned long long)visible / (unsigned)frames,
           (unsigned long long)by_level[0] / (unsigned)frames,
           (unsigned long long)by_level[1] / (unsigned)frames, (now_ms() - start) / frames);
    ENSURE(visible > 0 && visible < (uint64_t)count * (unsigned)frames / 2);
    ENSURE(by_level[0] > 0 && by_level[1] > 0);
    crowd_scene_destroy(f.stage);
    return 0;
}

static int thousands_of_boxes_play(void)
{
    return check_large(&box, test_is_full_sweep() ? 10000 : 2000, 2);
}

static int hundreds_of_humans_play(void)
{
    return check_large(&human, test_is_full_sweep() ? 500 : 200, 2);
}

static int without_a_far_bake_everybody_is_near(void)
{
    fixture f;
    ENSURE(create(&f, &box, 1, 4));
    pelt_crowd_view view = {.has_no_culling = true, .level_count = 2};
    crowd_scene_play(f.stage, &f.act, 1.0, &view);
    ENSURE(f.stage->level_count == 1 && f.stage->counts.by_level[0] == 4);
    crowd_scene_destroy(f.stage);
    return 0;
}

static int characters_are_baked(void)
{
    pelt_error error = {0};
    bool is_whole = bake_character(&human, &error) && bake_character(&box, &error);
    printf("%s%s", error.message, is_whole ? "" : "\n");
    return !is_whole;
}

void test_crowd_scene(void)
{
    pelt_error error = {0};
    if (draw_target_create(&target, &error) != PELT_OK)
    {
        test_skip("crowds of the viewer", error.message);
        return;
    }
    RUN(characters_are_baked);
    if (human.bakes[1] != NULL && box.bakes[1] != NULL)
    {
        RUN(who_is_culled_is_not_missed);
        RUN(members_are_drawn_at_their_transforms);
        RUN(vertices_far_away_look_like_joints);
        RUN(thousands_of_boxes_play);
        RUN(hundreds_of_humans_play);
        RUN(without_a_far_bake_everybody_is_near);
    }
    destroy_character(&human);
    destroy_character(&box);
    draw_target_destroy(&target);
}
