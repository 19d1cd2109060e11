// SPDX-License-Identifier: MIT
// Motion in FBX files: what pelt plays is what the file's curves say, however they are written.
#include "fbx_fixture.h"

#include "pelt/io.h"

#include <string.h>

typedef struct key
{
    double seconds, value;
    int flags;
    float slope, next_slope;      // per second
    unsigned weight, next_weight; // of 9999
} key;

enum
{
    CONSTANT = 0x2,
    NEXT = 0x102,
    LINE = 0x4,
    USER = 0x408,
    WEIGHTED = 0x3000408,
    AUTOMATIC = 0x2108, // a spline whose slope at a key is that between its neighbors
};

static int bits_of(float value)
{
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// An AnimationCurve as text appends to `out`.
static void print_curve(char* out, size_t size, int id, const key* keys, int count)
{
    size_t at = strlen(out);
    at +=
        (size_t)snprintf(out + at, size - at, "AnimationCurve: %d, \"AnimCurve::\", \"\" {\n", id);
    for (int list = 0; list < 5; ++list)
    {
        static const char* const names[] = {"KeyTime", "KeyValueFloat", "KeyAttrFlags",
                                            "KeyAttrDataFloat", "KeyAttrRefCount"};
        at += (size_t)snprintf(out + at, size - at, "%s: *%d {\na: ", names[list],
                               list == 3 ? 4 * count : count);
        for (int i = 0; i < count; ++i)
        {
            const key* k = &keys[i];
            const char* comma = i + 1 < count ? "," : "";
            long long ticks = (long long)(k->seconds * (double)FBX_SECOND + 0.5);
            unsigned weights = k->weight | k->next_weight << 16;
            at += (size_t)(list == 0   ? snprintf(out + at, size - at, "%lld%s", ticks, comma)
                           : list == 1 ? snprintf(out + at, size - at, "%.9g%s", k->value, comma)
                           : list == 2 ? snprintf(out + at, size - at, "%d%s", k->flags, comma)
                           : list == 3
                               ? snprintf(out + at, size - at, "%d,%d,%u,0%s", bits_of(k->slope),
                                          bits_of(k->next_slope), weights, comma)
                               : snprintf(out + at, size - at, "1%s", comma));
        }
        at += (size_t)snprintf(out + at, size - at, "\n}\n");
    }
    snprintf(out + at, size - at, "}\n");
}

// A model whose translation or rotation follows three curves; count 0: none there.
static pelt_scene* read_curves(const char* property, const key* const curves[3],
                               const int counts[3], double start, double stop)
{
    static char objects[32768], connections[1024];
    snprintf(objects, sizeof objects,
             "Model: 1, \"Model::a\", \"Null\" {\n}\n"
             "AnimationStack: 2, \"AnimStack::take\", \"\" {\nProperties70: {\n"
             "P: \"LocalStart\", \"KTime\", \"Time\", \"\",%lld\n"
             "P: \"LocalStop\", \"KTime\", \"Time\", \"\",%lld\n}\n}\n"
             "AnimationLayer: 3, \"AnimLayer::\", \"\" {\n}\n"
             "AnimationCurveNode: 4, \"AnimCurveNode::\", \"\" {\nProperties70: {\n"
             "P: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\n"
             "P: \"d|Z\", \"Number\", \"\", \"A\",0.5\n}\n}\n",
             (long long)(start * (double)FBX_SECOND), (long long)(stop * (double)FBX_SECOND));
    snprintf(connections, sizeof connections,
             "C: \"OO\",1,0\nC: \"OO\",3,2\nC: \"OO\",4,3\nC: \"OP\",4,1, \"%s\"\n", property);
    for (int i = 0; i < 3; ++i)
    {
        if (counts[i] > 0)
        {
            size_t at = strlen(connections);
            print_curve(objects, sizeof objects, 10 + i, curves[i], counts[i]);
            snprintf(connections + at, sizeof connections - at, "C: \"OP\",%d,4, \"d|%c\"\n",
                     10 + i, 'X' + i);
        }
    }
    pelt_error error;
    return fbx_read(fbx_text(objects, connections), &error);
}

static pelt_transform sample(const pelt_scene* scene, float time)
{
    pelt_pose pose;
    pelt_transform found = pelt_transform_identity();
    if (pelt_pose_create(&pose, scene) == PELT_OK)
    {
        pelt_pose_sample(&pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
        found = pose.locals[0];
        pelt_pose_destroy(&pose);
    }
    return found;
}

// ---------------------------------------------------------------------------------------------
// Rotations

static double hermite(double a, double slope_a, double b, double slope_b, double x)
{
    double y = 1.0 - x;
    return y * y * (1.0 + 2.0 * x) * a + x * x * (3.0 - 2.0 * x) * b + x * y * y * slope_a -
           x * x * y * slope_b;
}

// Quaternion of degrees about x, then y, then z.
static void rotate(double q[4], const double degrees[3])
{
    q[0] = q[1] = q[2] = 0.0;
    q[3] = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        double half = degrees[i] * 3.14159265358979323846 / 360.0, s = sin(half), c = cos(half);
        double p[4] = {0.0, 0.0, 0.0, c}, r[4];
        p[i] = s;
        r[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
        r[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
        r[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
        r[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
        memcpy(q, r, sizeof r);
    }
}

static double angle_between(const double q[4], pelt_quat r)
{
    double minus = 0.0, plus = 0.0;
    const double found[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
    for (int i = 0; i < 4; ++i)
    {
        minus += (q[i] - found[i]) * (q[i] - found[i]);
        plus += (q[i] + found[i]) * (q[i] + found[i]);
    }
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(minus, plus))));
}

static bool has_steady_signs(const pelt_track* track)
{
    uint32_t row = track->interpolation == PELT_INTERPOLATION_CUBIC ? 12 : 4;
    const float* values = track->values + (row == 12 ? 4 : 0);
    for (uint32_t i = 1; i < track->key_count; ++i)
    {
        float dot = 0.0f;
        for (int k = 0; k < 4; ++k)
        {
            dot += values[(i - 1) * row + (uint32_t)k] * values[i * row + (uint32_t)k];
        }
        if (dot < 0.0f)
        {
            return false;
        }
    }
    return true;
}

// x on a spline of 170 degrees with slopes, y still, z four full rotations along a line.
static int angles_become_quaternions_within_a_hundred_thousandth(void)
{
    const key x[2] = {{0.0, -20.0, USER, 300.0f, -100.0f, 0, 0}, {1.0, 150.0, USER, 0, 0, 0, 0}};
    const key z[2] = {{0.0, 0.0, LINE, 0, 0, 0, 0}, {1.0, 1440.0, LINE, 0, 0, 0, 0}};
    const key* const curves[3] = {x, NULL, z};
    pelt_scene* scene = read_curves("Lcl Rotation", curves, (int[3]){2, 0, 2}, 0.0, 1.0);
    ENSURE(scene != NULL && scene->clips[0].track_count == 1);
    const pelt_track* track = &scene->clips[0].tracks[0];
    ENSURE(track->path == PELT_PATH_ROTATION && has_steady_signs(track));
    double worst = 0.0;
    for (int i = 0; i <= 997; ++i)
    {
        float time = (float)i / 997.0f;
        double t = (double)time, q[4];
        const double degrees[3] = {hermite(-20.0, 300.0, 150.0, -100.0, t), 0.0, 1440.0 * t};
        rotate(q, degrees);
        worst = fmax(worst, angle_between(q, sample(scene, time).rotation));
    }
    printf("  four rotates in a second: %u keys, off by %.2g rad\n", track->key_count, worst);
    // A fifth more when slopes stay behind as quaternions change sides.
    ENSURE(worst < 1e-5 && track->key_count < 115);
    pelt_scene_destroy(scene);
    return 0;
}

// A key of one full rotation more is no rotation when it is played as quaternions.
static int full_rotations_between_keys_are_played(void)
{
    const key y[2] = {{0.0, 0.0, LINE, 0, 0, 0, 0}, {2.0, 720.0, LINE, 0, 0, 0, 0}};
    const key* const curves[3] = {NULL, y, NULL};
    pelt_scene* scene = read_curves("Lcl Rotation", curves, (int[3]){0, 2, 0}, 0.0, 2.0);
    ENSURE(scene != NULL);
    const double degrees[3] = {0.0, 90.0, 0.5};
    double q[4];
    rotate(q, degrees);
    ENSURE_NEAR(angle_between(q, sample(scene, 0.25f).rotation), 0.0, 1e-5);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Motion capture: a key for every frame, and a curve that bends between them

enum
{
    FRAMES = 60,
    RATE = 30, // per second
    SUBSTEPS = 23,
};

static void fill_frames(key out[FRAMES], double size, double speed, double phase)
{
    for (int i = 0; i < FRAMES; ++i)
    {
        double t = (double)i / RATE;
        float value = (float)(size * sin(speed * t + phase) + 0.1 * size * sin(3.3 * speed * t));
        out[i] = (key){t, (double)value, AUTOMATIC, 0, 0, 0, 0};
    }
}

// Keys are evenly spaced; the curve leaves the first and reaches the last along a line.
static double frame_slope(const key keys[FRAMES], int i)
{
    int before = i > 0 ? i - 1 : 0, after = i + 1 < FRAMES ? i + 1 : i;
    return (keys[after].value - keys[before].value) / (after - before);
}

static double value_between(const key keys[FRAMES], double frame)
{
    int i = (int)fmin(frame, FRAMES - 2.0);
    return hermite(keys[i].value, frame_slope(keys, i), keys[i + 1].value, frame_slope(keys, i + 1),
                   frame - i);
}

static int captured_rotations_keep_their_bound_between_keys(void)
{
    key angles[3][FRAMES];
    fill_frames(angles[0], 70.0, 5.0, 0.3);
    fill_frames(angles[1], 40.0, 7.0, 1.1);
    fill_frames(angles[2], 200.0, 4.0, 2.0);
    const key* const curves[3] = {angles[0], angles[1], angles[2]};
    pelt_scene* scene =
        read_curves("Lcl Rotation", curves, (int[3]){FRAMES, FRAMES, FRAMES}, 0.0, 0.0);
    ENSURE(scene != NULL && scene->clips[0].track_count == 1);
    const pelt_track* track = &scene->clips[0].tracks[0];
    double worst = 0.0;
    for (int i = 0; i <= (FRAMES - 1) * SUBSTEPS; ++i)
    {
        float time = (float)i / (RATE * SUBSTEPS);
        double frame = fmin((double)time * RATE, FRAMES - 1.0), degrees[3], q[4];
        for (int k = 0; k < 3; ++k)
        {
            degrees[k] = value_between(angles[k], frame);
        }
        rotate(q, degrees);
        worst = fmax(worst, angle_between(q, sample(scene, time).rotation));
    }
    printf("  %d frames: %u keys, off by %.2g rad\n", FRAMES, track->key_count, worst);
    ENSURE(worst < 1e-5); // the bound of docs/files.md
    ENSURE(track->key_count < 4 * FRAMES && has_steady_signs(track));
    pelt_scene_destroy(scene);
    return 0;
}

// A spline between the keys of the file is one of pelt's too: no key is added.
static int captured_positions_keep_their_bound_between_keys(void)
{
    key positions[3][FRAMES];
    fill_frames(positions[0], 2.0, 3.0, 0.0);
    fill_frames(positions[1], 0.5, 8.0, 0.7);
    fill_frames(positions[2], 1.0, 1.0, 0.2);
    const key* const curves[3] = {positions[0], positions[1], positions[2]};
    pelt_scene* scene =
        read_curves("Lcl Translation", curves, (int[3]){FRAMES, FRAMES, FRAMES}, 0.0, 0.0);
    ENSURE(scene != NULL && scene->clips[0].track_count == 1);
    ENSURE(scene->clips[0].tracks[0].key_count == FRAMES);
    const double largest = 2.2, bound = 1e-6 * largest; // of docs/files.md
    for (int i = 0; i <= (FRAMES - 1) * SUBSTEPS; ++i)
    {
        float time = (float)i / (RATE * SUBSTEPS);
        double frame = fmin((double)time * RATE, FRAMES - 1.0);
        pelt_vec3 found = sample(scene, time).translation;
        ENSURE_NEAR(found.x, value_between(positions[0], frame), bound);
        ENSURE_NEAR(found.y, value_between(positions[1], frame), bound);
        ENSURE_NEAR(found.z, value_between(positions[2], frame), bound);
    }
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// Handles of 0.6 and 0.2 of the way: the curve is a Bezier curve in time too.
static int weighted_handles_bend_time(void)
{
    const key x[2] = {{0.0, 1.0, WEIGHTED, 5.0f, -3.0f, 5999, 2000}, {2.0, 4.0, USER, 0, 0, 0, 0}};
    const key* const curves[3] = {x, NULL, NULL};
    pelt_scene* scene = read_curves("Lcl Translation", curves, (int[3]){2, 0, 0}, 0.0, 2.0);
    ENSURE(scene != NULL);
    const double out = 2.0 * 5999.0 / 9999.0, in = 2.0 * 2000.0 / 9999.0;
    for (int i = 0; i <= 50; ++i)
    {
        double u = i / 50.0, v = 1.0 - u;
        double b[4] = {v * v * v, 3.0 * v * v * u, 3.0 * v * u * u, u * u * u};
        double time = b[1] * out + b[2] * (2.0 - in) + b[3] * 2.0;
        double value = b[0] * 1.0 + b[1] * (1.0 + 5.0 * out) + b[2] * (4.0 + 3.0 * in) + b[3] * 4.0;
        ENSURE_NEAR(sample(scene, (float)time).translation.x, value, 2e-5);
        ENSURE_NEAR(sample(scene, (float)time).translation.z, 0.5, 1e-7);
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int plain_splines_are_kept_as_splines(void)
{
    const key x[3] = {{0.0, 1.0, USER, 2.0f, -1.0f, 0, 0},
                      {0.5, 3.0, USER, -1.0f, 0.0f, 0, 0},
                      {1.0, 2.0, USER, 0, 0, 0, 0}};
    const key* const curves[3] = {x, NULL, NULL};
    pelt_scene* scene = read_curves("Lcl Translation", curves, (int[3]){3, 0, 0}, 0.0, 1.0);
    ENSURE(scene != NULL && scene->clips[0].track_count == 1);
    ENSURE(scene->clips[0].tracks[0].key_count == 3);
    ENSURE_NEAR(sample(scene, 0.2f).translation.x, hermite(1.0, 1.0, 3.0, -0.5, 0.4), 1e-6);
    ENSURE_NEAR(sample(scene, 0.7f).translation.x, hermite(3.0, -0.5, 2.0, 0.0, 0.4), 1e-6);
    pelt_scene_destroy(scene);
    return 0;
}

static int constant_keys_jump(void)
{
    const key x[3] = {{0.0, 1.0, CONSTANT, 0, 0, 0, 0},
                      {1.0, 5.0, NEXT, 0, 0, 0, 0},
                      {2.0, -3.0, LINE, 0, 0, 0, 0}};
    const key* const curves[3] = {x, NULL, NULL};
    pelt_scene* scene = read_curves("Lcl Translation", curves, (int[3]){3, 0, 0}, 0.0, 2.0);
    ENSURE(scene != NULL);
    ENSURE_NEAR(sample(scene, 0.0f).translation.x, 1.0, 0.0);
    ENSURE_NEAR(sample(scene, 0.999f).translation.x, 1.0, 0.0);
    ENSURE_NEAR(sample(scene, 1.001f).translation.x, -3.0, 0.0);
    ENSURE_NEAR(sample(scene, 1.999f).translation.x, -3.0, 0.0);
    pelt_scene_destroy(scene);
    return 0;
}

static int clip_starts_where_the_take_does(void)
{
    const key x[2] = {{0.0, 0.0, LINE, 0, 0, 0, 0}, {4.0, 4.0, LINE, 0, 0, 0, 0}};
    const key* const curves[3] = {x, NULL, NULL};
    pelt_scene* scene = read_curves("Lcl Translation", curves, (int[3]){2, 0, 0}, 1.0, 3.0);
    ENSURE(scene != NULL && strcmp(scene->clips[0].name, "take") == 0);
    ENSURE_NEAR(scene->clips[0].duration, 2.0, 1e-6);
    ENSURE_NEAR(sample(scene, 0.0f).translation.x, 1.0, 1e-6);
    ENSURE_NEAR(sample(scene, 0.5f).translation.x, 1.5, 1e-6);
    ENSURE_NEAR(sample(scene, 2.0f).translation.x, 3.0, 1e-6);
    pelt_scene_destroy(scene);
    // Without a span of its own, the keys give it.
    scene = read_curves("Lcl Translation", curves, (int[3]){2, 0, 0}, 0.0, 0.0);
    ENSURE(scene != NULL);
    ENSURE_NEAR(scene->clips[0].duration, 4.0, 1e-6);
    pelt_scene_destroy(scene);
    return 0;
}

void test_fbx_curve(void)
{
    RUN(angles_become_quaternions_within_a_hundred_thousandth);
    RUN(full_rotations_between_keys_are_played);
    RUN(captured_rotations_keep_their_bound_between_keys);
    RUN(captured_positions_keep_their_bound_between_keys);
    RUN(weighted_handles_bend_time);
    RUN(plain_splines_are_kept_as_splines);
    RUN(constant_keys_jump);
    RUN(clip_starts_where_the_take_does);
}
