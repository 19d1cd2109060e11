// SPDX-License-Identifier: MIT
// A program of somebody else with a graphics API of its own: layouts and shader text.
#include <pelt/gpu.h>
#include <string.h>

int main(void)
{
    char* text;
    const pelt_shader_desc desc = {.language = PELT_GLSL_VULKAN, .method = PELT_METHOD_CRS};
    if (pelt_shader_source(&text, &desc, NULL) != PELT_OK)
    {
        return 1;
    }
    int is_glsl = strncmp(text, "#version ", 9) == 0 && strstr(text, "void main()") != NULL;
    pelt_release(text);
    uint32_t floats =
        pelt_gpu_joint_floats(PELT_METHOD_CRS, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT);
    return is_glsl && floats == 16 ? 0 : 1;
}
