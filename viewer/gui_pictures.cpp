// SPDX-License-Identifier: MIT
// Pictures and what is drawn over them, by Dear ImGui behind the C interface of gui.h.
#include "desktop.h"
#include "gui.h"

#include <imgui.h>

#include <cmath>

namespace
{
// Capture the mouse over an area, and report its events there.
gui_drag drag_area(const char* name, float width, float height)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(name, ImVec2(width, height),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                               ImGuiButtonFlags_MouseButtonMiddle);
    gui_finish(name, nullptr);
    const ImGuiIO& io = ImGui::GetIO();
    gui_drag drag = {};
    drag.is_hovered = ImGui::IsItemHovered();
    drag.x = io.MousePos.x - low.x;
    drag.y = io.MousePos.y - low.y;
    drag.wheel = drag.is_hovered ? io.MouseWheel : 0.0f;
    if (ImGui::IsItemActive() && io.MouseDown[ImGuiMouseButton_Right])
    {
        drag.rotate_x = io.MouseDelta.x;
        drag.rotate_y = io.MouseDelta.y;
    }
    if (ImGui::IsItemActive() && io.MouseDown[ImGuiMouseButton_Middle])
    {
        drag.pan_x = io.MouseDelta.x;
        drag.pan_y = io.MouseDelta.y;
    }
    drag.is_left_down = ImGui::IsItemActive() && io.MouseDown[ImGuiMouseButton_Left];
    if (drag.is_left_down && !ImGui::IsItemActivated())
    {
        drag.left_x = io.MouseDelta.x;
        drag.left_y = io.MouseDelta.y;
    }
    drag.is_left_begun = ImGui::IsItemActivated() && drag.is_left_down;
    float moved = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left];
    drag.is_clicked = drag.is_hovered && io.MouseReleased[ImGuiMouseButton_Left] && moved < 16.0f;
    return drag;
}
} // namespace

gui_drag gui_picture(const char* name, uint32_t texture, float width, float height)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)texture, low,
                                         ImVec2(low.x + width, low.y + height), ImVec2(0.0f, 1.0f),
                                         ImVec2(1.0f, 0.0f));
    return drag_area(name, width, height);
}

void gui_picture_over(uint32_t texture, gui_rect rect, float from, float alpha)
{
    float left = rect.x + std::floor(from * rect.width);
    ImGui::GetWindowDrawList()->AddImage((ImTextureID)(intptr_t)texture, ImVec2(left, rect.y),
                                         ImVec2(rect.x + rect.width, rect.y + rect.height),
                                         ImVec2((left - rect.x) / rect.width, 1.0f),
                                         ImVec2(1.0f, 0.0f),
                                         IM_COL32(255, 255, 255, (int)(255.0f * alpha)));
}

void gui_curve(const float* xy, uint32_t count, gui_pen pen)
{
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (uint32_t i = 0; i < count; ++i)
    {
        draw->PathLineTo(ImVec2(xy[2 * i], xy[2 * i + 1]));
    }
    draw->PathStroke(IM_COL32(pen.red, pen.green, pen.blue, pen.alpha), 0, pen.width);
}

void gui_tip(const char* text)
{
    ImGui::SetTooltip("%s", text);
}

gui_drag gui_texels_show(const char* name, const gui_texels* texels)
{
    ImVec2 low = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    size.x = std::fmax(size.x, 8.0f);
    size.y = std::fmax(size.y, 8.0f);
    ImVec2 origin(low.x + texels->x, low.y + texels->y);
    float zoom = texels->zoom;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::GetColorU32(ImGuiCol_FrameBg), 4.0f);
    draw->PushClipRect(low, ImVec2(low.x + size.x, low.y + size.y), true);
    draw->AddImage((ImTextureID)(intptr_t)texels->texture, origin,
                   ImVec2(origin.x + zoom * texels->width, origin.y + zoom * texels->height));
    for (uint32_t i = 0; i < texels->mark_count; ++i)
    {
        const gui_rect* mark = &texels->marks[i];
        ImVec2 from(origin.x + zoom * mark->x, origin.y + zoom * mark->y);
        ImVec2 to(from.x + zoom * mark->width, from.y + std::fmax(zoom * mark->height, 2.0f));
        draw->AddRectFilled(from, to, IM_COL32(0, 200, 60, 110));
        draw->AddRect(from, to, IM_COL32(0, 150, 40, 255));
    }
    draw->PopClipRect();
    return drag_area(name, size.x, size.y);
}
