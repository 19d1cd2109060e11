// SPDX-License-Identifier: MIT
#include "keys.h"

#include "panes/panes.h"

#include <GLFW/glfw3.h>
#include <string.h>

// Keys of the camera and of the mouse are those of the animation texture thesis (2021), Table 17.
static const key_binding bindings[] = {
    {"space", GLFW_KEY_SPACE, false, COMMAND_PLAY, "play or pause"},
    {"left", GLFW_KEY_LEFT, false, COMMAND_STEP_BACK, "one key back"},
    {"right", GLFW_KEY_RIGHT, false, COMMAND_STEP_FORWARD, "one key forward"},
    {"home", GLFW_KEY_HOME, false, COMMAND_START, "start of the clip"},
    {"1", GLFW_KEY_1, false, COMMAND_ONE_VIEW, "one viewport"},
    {"2", GLFW_KEY_2, false, COMMAND_TWO_VIEWS, "two viewports"},
    {"4", GLFW_KEY_4, false, COMMAND_FOUR_VIEWS, "four viewports"},
    {"H", GLFW_KEY_H, false, COMMAND_HEAT_MAP, "heat map of the difference to the first viewport"},
    {"X", GLFW_KEY_X, false, COMMAND_WIRE, "wireframe"},
    {"B", GLFW_KEY_B, false, COMMAND_BONES, "joints and bones"},
    {"G", GLFW_KEY_G, false, COMMAND_GROUND, "ground"},
    {"N", GLFW_KEY_N, false, COMMAND_NORMALS, "normals"},
    {"T", GLFW_KEY_T, false, COMMAND_TURNTABLE, "turntable"},
    {"J", GLFW_KEY_J, false, COMMAND_GIZMO, "rotation gizmo of the chosen joint"},
    {"V", GLFW_KEY_V, false, COMMAND_BRUSH, "brush for mix factors: drag on the character"},
    {"I", GLFW_KEY_I, false, COMMAND_WEIGHT_BRUSH, "brush for weights of the chosen joint"},
    {"tab", GLFW_KEY_TAB, false, COMMAND_SIDE, "panes on the right"},
    {"P", GLFW_KEY_P, false, COMMAND_PERFORMANCE, "performance pane"},
    {"Y", GLFW_KEY_Y, false, COMMAND_TEXTURE, "texture pane"},
    {"M", GLFW_KEY_M, false, COMMAND_MODE, "compare, crowd, benchmark, one after another"},
    {"R", GLFW_KEY_R, false, COMMAND_RESET_CAMERA, "reset the camera"},
    {"F", GLFW_KEY_F, false, COMMAND_FRAME, "frame the chosen joint, or the character"},
    {"K", GLFW_KEY_K, false, COMMAND_WIPE, "wipe between the first two viewports"},
    {"O", GLFW_KEY_O, false, COMMAND_ONION, "onion skin of the first two viewports"},
    {"C", GLFW_KEY_C, false, COMMAND_GRAY, "gray material"},
    {"F12", GLFW_KEY_F12, false, COMMAND_PICTURE, "save a picture of the viewports"},
    {"L", GLFW_KEY_L, false, COMMAND_WORST, "go to the worst moment and place of the heat map"},
    {"KP1", GLFW_KEY_KP_1, false, COMMAND_FRONT, "from the front (number pad)"},
    {"KP3", GLFW_KEY_KP_3, false, COMMAND_SIDE_VIEW, "from the left side"},
    {"KP7", GLFW_KEY_KP_7, false, COMMAND_TOP, "from the top"},
    {"KP0", GLFW_KEY_KP_0, false, COMMAND_THREE_QUARTER, "three-quarter view"},
    {"KP5", GLFW_KEY_KP_5, false, COMMAND_ORTHOGRAPHIC, "orthographic or perspective"},
    {"Ctrl+left", GLFW_KEY_LEFT, true, COMMAND_TEXTURE_BACK, "one key of the texture back"},
    {"Ctrl+right", GLFW_KEY_RIGHT, true, COMMAND_TEXTURE_FORWARD, "one key of the texture forward"},
    {"Ctrl+R", GLFW_KEY_R, true, COMMAND_TEXTURE_RESET, "reset the texture pane"},
    {"Ctrl+Z", GLFW_KEY_Z, true, COMMAND_UNDO, "undo a rotation or a stroke of a brush"},
    {"Ctrl+O", GLFW_KEY_O, true, COMMAND_OPEN, "open files"},
    {"Ctrl+S", GLFW_KEY_S, true, COMMAND_SAVE, "save the character as .glb"},
    {"Ctrl+Q", GLFW_KEY_Q, true, COMMAND_QUIT, "quit"},
    {"?", 0, false, COMMAND_HELP, "this page"},
    {"escape", GLFW_KEY_ESCAPE, false, COMMAND_CLOSE, "close a menu, a message or this page"},
    {"W A S D", 0, false, COMMAND_NONE, "move the camera forward, left, back, right"},
    {"E Q", 0, false, COMMAND_NONE, "move the camera up, down"},
    {"drag", 0, false, COMMAND_NONE, "rotate the camera; Alt+drag, right drag: with any tool"},
    {"middle drag", 0, false, COMMAND_NONE, "move the camera; also Space+drag, Shift+drag"},
    {"wheel", 0, false, COMMAND_NONE, "zoom toward the cursor"},
    {"Ctrl+W A S D", 0, false, COMMAND_NONE, "move the texture of the texture pane"},
    {"Ctrl+mouse", 0, false, COMMAND_NONE, "middle drag moves the texture, the wheel zooms it"},
    {"click", 0, false, COMMAND_NONE, "choose the joint there; with Ctrl while a brush is used"},
    {"drag a ring", 0, false, COMMAND_NONE, "twist or bend the chosen joint"},
    {"Ctrl+click", 0, false, COMMAND_NONE, "type the number of a slider; double click resets it"},
};

uint32_t keys_list(const key_binding** out)
{
    *out = bindings;
    return sizeof bindings / sizeof *bindings;
}

app_command keys_find(const char* name)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i)
    {
        if (strcmp(bindings[i].name, name) == 0)
        {
            return bindings[i].command;
        }
    }
    return COMMAND_NONE;
}

static float held(int more, int less)
{
    return (gui_key_down(more) ? 1.0f : 0.0f) - (gui_key_down(less) ? 1.0f : 0.0f);
}

static void move_camera(view_app* inout, float seconds)
{
    pelt_vec3 steps = {held(GLFW_KEY_D, GLFW_KEY_A), held(GLFW_KEY_E, GLFW_KEY_Q),
                       held(GLFW_KEY_W, GLFW_KEY_S)};
    if (pelt_vec3_length(steps) > 0.0f)
    {
        orbit_move(&inout->camera, pelt_vec3_scale(steps, 0.6f * fminf(seconds, 0.1f)));
    }
}

void keys_poll(view_app* inout, float seconds)
{
    if (inout->error[0] != '\0' && !gui_is_control_down())
    {
        return;
    }
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i)
    {
        const key_binding* binding = &bindings[i];
        bool repeats =
            binding->command == COMMAND_STEP_BACK || binding->command == COMMAND_STEP_FORWARD ||
            binding->command == COMMAND_TEXTURE_BACK || binding->command == COMMAND_TEXTURE_FORWARD;
        if (binding->key != 0 && binding->needs_control == gui_is_control_down() &&
            gui_key_pressed(binding->key, repeats))
        {
            app_run_command(inout, binding->command);
        }
    }
    if (gui_character_typed('?'))
    {
        app_run_command(inout, COMMAND_HELP);
    }
    if (!gui_is_control_down())
    {
        move_camera(inout, seconds);
    }
    else if (inout->settings.has_texture)
    {
        float pixels = 400.0f * inout->scale * fminf(seconds, 0.1f);
        const gui_drag drag = {.pan_x = pixels * held(GLFW_KEY_A, GLFW_KEY_D),
                               .pan_y = pixels * held(GLFW_KEY_W, GLFW_KEY_S)};
        texture_pane_move(inout, &drag);
    }
}
