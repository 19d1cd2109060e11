// SPDX-License-Identifier: MIT
// Instances that play an animation texture: the first joint of the current instance.

#if defined(VULKAN)
layout(std140, set = 0, binding = 6) uniform pelt_instance_joints
{
    uint pelt_first_joint;
    uint pelt_joint_count;
};
#else
uniform highp uint pelt_first_joint; // joint 0 of the mesh, of the first instance
uniform highp uint pelt_joint_count; // joints from one instance to the next, in a palette of poses
#endif

uint pelt_instance_joint()
{
#if !defined(PELT_PALETTE_POSED)
    return pelt_first_joint;
#elif defined(VULKAN)
    return pelt_first_joint + pelt_joint_count * uint(gl_InstanceIndex);
#else
    return pelt_first_joint + pelt_joint_count * uint(gl_InstanceID);
#endif
}
