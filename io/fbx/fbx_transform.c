// SPDX-License-Identifier: MIT
// Local transforms of models: offsets, pivots, pre-rotation and post-rotation, and the scale that
// is inherited from the parent.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Quaternions in double precision

pelti_fbx_quat pelti_fbx_quat_mul(pelti_fbx_quat a, pelti_fbx_quat b)
{
    return (pelti_fbx_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static void quat_rotate(double out[3], pelti_fbx_quat q, const double v[3])
{
    pelti_fbx_quat point = {v[0], v[1], v[2], 0.0}, back = {-q.x, -q.y, -q.z, q.w};
    pelti_fbx_quat rotated = pelti_fbx_quat_mul(pelti_fbx_quat_mul(q, point), back);
    out[0] = rotated.x;
    out[1] = rotated.y;
    out[2] = rotated.z;
}

enum
{
    ORDER_XYZ = 0,
    ORDER_SPHERIC = 6, // like X, Y, Z, but interpolated differently
};

// Axes in the order of application.
static const int orders[7][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2},
                                 {2, 0, 1}, {2, 1, 0}, {0, 1, 2}};

pelti_fbx_quat pelti_fbx_quat_from_angles(const double degrees[3], int order)
{
    pelti_fbx_quat rotation = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 3; ++i)
    {
        int axis = orders[order][i];
        double half = degrees[axis] * (3.14159265358979323846 / 360.0);
        double part[3] = {0.0, 0.0, 0.0};
        part[axis] = sin(half);
        rotation =
            pelti_fbx_quat_mul((pelti_fbx_quat){part[0], part[1], part[2], cos(half)}, rotation);
    }
    return rotation;
}

static const double degrees_per_radian = 57.295779513082320877;

// With axes i, j and k in the order of application, the matrix is R_k R_j R_i.
void pelti_fbx_angles_from_quat(double degrees[3], pelti_fbx_quat q, int order)
{
    const int i = orders[order][0], j = orders[order][1], k = orders[order][2];
    double sign = (i + 1) % 3 == j ? 1.0 : -1.0, columns[3][3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double unit[3] = {0.0, 0.0, 0.0};
        unit[axis] = 1.0;
        quat_rotate(columns[axis], q, unit);
    }
    double cosine = hypot(columns[i][i], columns[i][j]);
    degrees[j] = atan2(-sign * columns[i][k], cosine) * degrees_per_radian;
    bool is_locked = cosine < 1e-9; // the first and the last angle are about one axis
    degrees[i] = (is_locked ? atan2(-sign * columns[k][j], columns[j][j])
                            : atan2(sign * columns[j][k], columns[k][k])) *
                 degrees_per_radian;
    degrees[k] = is_locked ? 0.0 : atan2(sign * columns[i][j], columns[i][i]) * degrees_per_radian;
}

pelti_fbx_quat pelti_fbx_quat_slerp(pelti_fbx_quat a, pelti_fbx_quat b, double part)
{
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    double side = dot < 0.0 ? -1.0 : 1.0, angle = acos(fmin(fabs(dot), 1.0)), sine = sin(angle);
    double left = sine > 1e-9 ? sin((1.0 - part) * angle) / sine : 1.0 - part;
    double right = side * (sine > 1e-9 ? sin(part * angle) / sine : part);
    return (pelti_fbx_quat){left * a.x + right * b.x, left * a.y + right * b.y,
                            left * a.z + right * b.z, left * a.w + right * b.w};
}

// ---------------------------------------------------------------------------------------------
// Properties

static bool is_zero(const double v[3])
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static int order_of(const pelti_fbx_object* object)
{
    double order = pelti_fbx_property_real(object, "RotationOrder", 0.0);
    return order >= 0.0 && order <= (double)ORDER_SPHERIC ? (int)order : ORDER_XYZ;
}

void pelti_fbx_read_local(pelti_fbx* f, pelti_fbx_model* model)
{
    const pelti_fbx_object* object = &f->objects[model->object];
    pelti_fbx_local* p = &model->local;
    double pre_rotation[3] = {0.0}, post_rotation[3] = {0.0};
    pelti_fbx_property_vec3(p->numbers[PELTI_FBX_TRANSLATION], object, "Lcl Translation", 0.0);
    pelti_fbx_property_vec3(p->numbers[PELTI_FBX_ROTATION], object, "Lcl Rotation", 0.0);
    pelti_fbx_property_vec3(p->numbers[PELTI_FBX_SCALE], object, "Lcl Scaling", 1.0);
    pelti_fbx_property_vec3(p->rotation_offset, object, "RotationOffset", 0.0);
    pelti_fbx_property_vec3(p->rotation_pivot, object, "RotationPivot", 0.0);
    pelti_fbx_property_vec3(p->scaling_offset, object, "ScalingOffset", 0.0);
    pelti_fbx_property_vec3(p->scaling_pivot, object, "ScalingPivot", 0.0);
    p->has_pivots =
        !is_zero(p->rotation_pivot) || !is_zero(p->scaling_offset) || !is_zero(p->scaling_pivot);
    if (pelti_fbx_property_real(object, "RotationActive", 0.0) != 0.0)
    {
        pelti_fbx_property_vec3(pre_rotation, object, "PreRotation", 0.0);
        pelti_fbx_property_vec3(post_rotation, object, "PostRotation", 0.0);
        p->order = order_of(object);
    }
    p->pre_rotation = pelti_fbx_quat_from_angles(pre_rotation, ORDER_XYZ);
    pelti_fbx_quat rotation = pelti_fbx_quat_from_angles(post_rotation, ORDER_XYZ);
    p->post_rotation = (pelti_fbx_quat){-rotation.x, -rotation.y, -rotation.z, rotation.w};
    double inherit = pelti_fbx_property_real(object, "InheritType", 0.0);
    model->inherit = inherit == 1.0   ? PELTI_FBX_RSRS
                     : inherit == 2.0 ? PELTI_FBX_RRS
                                      : PELTI_FBX_RRSS;
}

// ---------------------------------------------------------------------------------------------
// Evaluation

const pelti_fbx_motion* pelti_fbx_motion_of(const pelti_fbx_take* take, uint32_t object)
{
    bool is_moved = take != NULL && take->moved[object] != PELT_NONE;
    return is_moved ? take->motions[take->moved[object]] : NULL;
}

void pelti_fbx_numbers_at(double out[3], const pelti_fbx_model* model,
                          const pelti_fbx_motion* motion, pelti_fbx_property which,
                          pelti_fbx_moment moment)
{
    const pelti_fbx_drive* drive = motion != NULL ? &motion->drives[which] : NULL;
    if (drive != NULL && drive->is_present)
    {
        pelti_fbx_drive_at(out, drive, which, model->local.order, moment);
        return;
    }
    memcpy(out, model->local.numbers[which], 3 * sizeof *out);
}

static pelti_fbx_quat local_rotation(const pelti_fbx_local* p, const double angles[3])
{
    return pelti_fbx_quat_mul(
        pelti_fbx_quat_mul(p->pre_rotation, pelti_fbx_quat_from_angles(angles, p->order)),
        p->post_rotation);
}

// The translation of T * Roff * Rp * R * Rp^-1 * Soff * Sp * S * Sp^-1, as in the FBX SDK
// documentation.
static void local_translation(double out[3], const pelti_fbx_local* p, const double translation[3],
                              pelti_fbx_quat rotation, const double scale[3])
{
    double inside[3], rotated[3];
    for (int i = 0; i < 3; ++i)
    {
        inside[i] =
            p->scaling_offset[i] + p->scaling_pivot[i] * (1.0 - scale[i]) - p->rotation_pivot[i];
    }
    quat_rotate(rotated, rotation, inside);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = translation[i] + p->rotation_offset[i] + p->rotation_pivot[i] + rotated[i];
    }
}

void pelti_fbx_child_scale_at(double out[3], const pelti_fbx* f, uint32_t model,
                              const pelti_fbx_take* take, pelti_fbx_moment moment)
{
    const pelti_fbx_model* m = &f->models[model];
    pelti_fbx_numbers_at(out, m, pelti_fbx_motion_of(take, m->object), PELTI_FBX_SCALE, moment);
    // Multiply the scales of the ancestors up to the first that does not pass its scale on per
    // axis.
    while (m->skips_parent_scale && m->inherit == PELTI_FBX_RRSS)
    {
        double above[3];
        m = &f->models[m->parent];
        pelti_fbx_numbers_at(above, m, pelti_fbx_motion_of(take, m->object), PELTI_FBX_SCALE,
                             moment);
        for (int i = 0; i < 3; ++i)
        {
            out[i] *= above[i];
        }
    }
}

pelti_fbx_quat pelti_fbx_rotation_at(const pelti_fbx* f, uint32_t model, const pelti_fbx_take* take,
                                     pelti_fbx_moment moment)
{
    const pelti_fbx_model* m = &f->models[model];
    double angles[3];
    pelti_fbx_numbers_at(angles, m, pelti_fbx_motion_of(take, m->object), PELTI_FBX_ROTATION,
                         moment);
    return local_rotation(&m->local, angles);
}

void pelti_fbx_translation_at(double out[3], const pelti_fbx* f, uint32_t model,
                              const pelti_fbx_take* take, pelti_fbx_moment moment)
{
    const pelti_fbx_model* m = &f->models[model];
    const pelti_fbx_motion* motion = pelti_fbx_motion_of(take, m->object);
    pelti_fbx_quat rotation = {0.0, 0.0, 0.0, 1.0};
    double translation[3], scale[3] = {1.0, 1.0, 1.0}, above[3] = {1.0, 1.0, 1.0};
    pelti_fbx_numbers_at(translation, m, motion, PELTI_FBX_TRANSLATION, moment);
    if (m->local.has_pivots)
    {
        rotation = pelti_fbx_rotation_at(f, model, take, moment);
        pelti_fbx_numbers_at(scale, m, motion, PELTI_FBX_SCALE, moment);
    }
    local_translation(out, &m->local, translation, rotation, scale);
    if (m->skips_parent_scale)
    {
        pelti_fbx_child_scale_at(above, f, m->parent, take, moment);
    }
    for (int i = 0; i < 3; ++i)
    {
        // The translation of a joint inherits the scale of its parent, even if its own scale does
        // not.
        out[i] *= above[i] * f->unit;
    }
}

void pelti_fbx_scale_at(double out[3], const pelti_fbx* f, uint32_t model,
                        const pelti_fbx_take* take, pelti_fbx_moment moment)
{
    const pelti_fbx_model* m = &f->models[model];
    double above[3] = {1.0, 1.0, 1.0};
    pelti_fbx_numbers_at(out, m, pelti_fbx_motion_of(take, m->object), PELTI_FBX_SCALE, moment);
    if (m->skips_parent_scale && m->inherit == PELTI_FBX_RRSS)
    {
        pelti_fbx_child_scale_at(above, f, m->parent, take, moment);
    }
    for (int i = 0; i < 3; ++i)
    {
        out[i] *= above[i];
    }
}

void pelti_fbx_transform_at(pelti_fbx_transform* out, const pelti_fbx* f, uint32_t model,
                            const pelti_fbx_take* take, pelti_fbx_moment moment)
{
    pelti_fbx_translation_at(out->translation, f, model, take, moment);
    out->rotation = pelti_fbx_rotation_at(f, model, take, moment);
    pelti_fbx_scale_at(out->scale, f, model, take, moment);
}

// ---------------------------------------------------------------------------------------------
// Conversion

double pelti_fbx_inverse_scale(double scale)
{
    // Nothing below a scale of zero is visible, so any finite value is correct.
    return fabs(scale) > 1e-9 ? 1.0 / scale : 1.0;
}

pelt_transform pelti_fbx_to_transform(const pelti_fbx_transform* in)
{
    const pelti_fbx_quat* q = &in->rotation;
    return (pelt_transform){
        .translation = pelt_vec3_make((float)in->translation[0], (float)in->translation[1],
                                      (float)in->translation[2]),
        .rotation =
            pelt_quat_normalize(pelt_quat_make((float)q->x, (float)q->y, (float)q->z, (float)q->w)),
        .scale = pelt_vec3_make((float)in->scale[0], (float)in->scale[1], (float)in->scale[2])};
}

pelt_mat34 pelti_fbx_geometric(const pelti_fbx* f, const pelti_fbx_object* object)
{
    const pelti_fbx_local plain = {.pre_rotation = {0.0, 0.0, 0.0, 1.0},
                                   .post_rotation = {0.0, 0.0, 0.0, 1.0}};
    double numbers[3][3];
    pelti_fbx_property_vec3(numbers[0], object, "GeometricTranslation", 0.0);
    pelti_fbx_property_vec3(numbers[1], object, "GeometricRotation", 0.0);
    pelti_fbx_property_vec3(numbers[2], object, "GeometricScaling", 1.0);
    pelti_fbx_transform composed;
    composed.rotation = local_rotation(&plain, numbers[1]);
    local_translation(composed.translation, &plain, numbers[0], composed.rotation, numbers[2]);
    for (int i = 0; i < 3; ++i)
    {
        composed.translation[i] *= f->unit;
        composed.scale[i] = numbers[2][i];
    }
    return pelt_mat34_from_transform(pelti_fbx_to_transform(&composed));
}

bool pelti_fbx_matrix(pelt_mat34* out, const pelti_fbx* f, const pelti_fbx_reals* numbers)
{
    *out = pelt_mat34_identity();
    if (numbers->count < 16)
    {
        return false;
    }
    for (int i = 0; i < 12; ++i)
    {
        int row = i / 4, column = i % 4;
        double number = numbers->at[4 * column + row] * (column == 3 ? f->unit : 1.0);
        out->m[row][column] = (float)number;
        if (!isfinite(out->m[row][column]))
        {
            *out = pelt_mat34_identity();
            return false;
        }
    }
    return true;
}
