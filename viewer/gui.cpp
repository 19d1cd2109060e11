// SPDX-License-Identifier: MIT
// The C++ of the viewer, with gui_pictures.cpp: Dear ImGui behind the C interface of gui.h.
#include "gui.h"
#include "desktop.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace
{
const uint32_t control_max = 256;
const float label_width = 96.0f; // of rows with a label on the left

struct gui_data
{
    float scale;
    ImFont* mono;
    gui_control controls[control_max];
    uint32_t control_count;
    bool has_slider_begun;
    GLFWwindow* window;
    bool is_tapped[GLFW_KEY_LAST + 1];    // went down since the last frame
    bool is_held_over[GLFW_KEY_LAST + 1]; // is up again, and shown to ImGui for one frame
    int tapped_modifiers;                 // that were down with any of them
    click_queue clicks[3];                // left, right and middle button
};

gui_data gui;

ImVec4 shade(theme_color color)
{
    return ImVec4(color.red, color.green, color.blue, 1.0f);
}

const ImVec4 ink = shade(theme.ink), muted = shade(theme.muted), field = shade(theme.field);
const ImVec4 accent = shade(theme.accent);

void set_colors(ImVec4* colors)
{
    colors[ImGuiCol_Text] = ink;
    colors[ImGuiCol_TextDisabled] = muted;
    colors[ImGuiCol_WindowBg] = colors[ImGuiCol_ScrollbarBg] = shade(theme.paper);
    colors[ImGuiCol_ChildBg] = colors[ImGuiCol_PopupBg] = colors[ImGuiCol_FrameBg] = field;
    colors[ImGuiCol_Border] = shade(theme.edge);
    colors[ImGuiCol_FrameBgHovered] = shade(theme.field_hovered);
    colors[ImGuiCol_Button] = shade(theme.button);
    colors[ImGuiCol_ButtonHovered] = colors[ImGuiCol_HeaderHovered] = shade(theme.hovered);
    colors[ImGuiCol_ButtonActive] = colors[ImGuiCol_FrameBgActive] = shade(theme.chosen);
    colors[ImGuiCol_Header] = colors[ImGuiCol_HeaderActive] = shade(theme.chosen);
    colors[ImGuiCol_CheckMark] = colors[ImGuiCol_PlotLines] = accent;
    colors[ImGuiCol_SliderGrab] = shade(theme.grab);
    colors[ImGuiCol_SliderGrabActive] = shade(theme.grab_active);
    colors[ImGuiCol_PlotHistogram] = shade(theme.progress);
    colors[ImGuiCol_TitleBgActive] = shade(theme.title);
    colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0.3f, 0.3f, 0.3f, 0.35f);
}

void set_style()
{
    ImGui::StyleColorsLight();
    ImGuiStyle& style = ImGui::GetStyle();
    set_colors(style.Colors);
    style.WindowRounding = 0.0f;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = style.ChildRounding = 4.0f;
    style.WindowBorderSize = 0.0f;
    style.FrameBorderSize = 1.0f;
    style.WindowPadding = ImVec2(8.0f, 8.0f);
    style.FramePadding = ImVec2(8.0f, 3.0f);
    style.ItemSpacing = ImVec2(8.0f, 5.0f);
    style.ItemInnerSpacing = ImVec2(8.0f, 4.0f);
    style.ScaleAllSizes(gui.scale);
}

ImFont* load_font(font_style style, float size)
{
    ImFontAtlas* fonts = ImGui::GetIO().Fonts;
    const char* path = font_file_find(style);
    ImFont* font = path != nullptr ? fonts->AddFontFromFileTTF(path, size * gui.scale) : nullptr;
    return font != nullptr ? font : fonts->AddFontDefault();
}

// The name of a control is what follows "##", or else its label.
const char* name_of(const char* label)
{
    const char* mark = std::strstr(label, "##");
    return mark != nullptr ? mark + 2 : label;
}

// The label on the left, the control over the rest of the row.
void begin_row(const char* label)
{
    if (label[0] != '#')
    {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label, std::strstr(label, "##"));
        ImGui::SameLine(label_width * gui.scale);
        ImGui::SetNextItemWidth(-1.0f);
    }
}

// Within a pop-up: Escape closes it, but first those that it has opened.
void close_by_escape()
{
    if (GImGui->OpenPopupStack.Size == GImGui->BeginPopupStack.Size &&
        ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false))
    {
        ImGui::CloseCurrentPopup();
    }
}

void on_key(GLFWwindow*, int key, int, int action, int modifiers)
{
    if (key >= 0 && key <= GLFW_KEY_LAST && action == GLFW_PRESS)
    {
        gui.is_tapped[key] = true;
        gui.tapped_modifiers |= modifiers;
    }
}

void on_mouse_button(GLFWwindow* window, int button, int action, int)
{
    if (button < IM_ARRAYSIZE(gui.clicks))
    {
        double x, y;
        glfwGetCursorPos(window, &x, &y);
        const float position[2] = {(float)x, (float)y};
        click_queue_add(&gui.clicks[button], action == GLFW_PRESS, glfwGetTime(),
                        (double)ImGui::GetIO().DeltaTime, position);
    }
}

// ImGui 1.86 polls buttons once per frame, too.
void take_clicks()
{
    for (int i = 0; i < IM_ARRAYSIZE(gui.clicks); ++i)
    {
        click_queue_next(&gui.clicks[i]);
        ImGui::GetIO().MouseDown[i] = gui.clicks[i].is_down;
    }
}

// ImGui 1.86 polls keys once per frame: a shorter press would be lost.
void hold_taps()
{
    ImGuiIO& io = ImGui::GetIO();
    for (int i = GLFW_KEY_SPACE; i <= GLFW_KEY_LAST; ++i)
    {
        if (gui.is_held_over[i])
        {
            io.KeysDown[i] = glfwGetKey(gui.window, i) == GLFW_PRESS;
        }
        gui.is_held_over[i] = gui.is_tapped[i] && !io.KeysDown[i];
        io.KeysDown[i] = io.KeysDown[i] || gui.is_tapped[i];
        gui.is_tapped[i] = false;
    }
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL] ||
                 (gui.tapped_modifiers & GLFW_MOD_CONTROL) != 0;
    io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT] ||
                  (gui.tapped_modifiers & GLFW_MOD_SHIFT) != 0;
    gui.tapped_modifiers = 0;
}

// The identifier of a control for ImGui, which is not shown.
struct hidden_label
{
    char text[64];
    explicit hidden_label(const char* label)
    {
        std::snprintf(text, sizeof text, "##%s", name_of(label));
    }
};
} // namespace

// ---------------------------------------------------------------------------------------------
// Frames

void gui_create(GLFWwindow* window, float scale)
{
    gui = gui_data{};
    gui.scale = scale;
    gui.window = window;
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // the viewer has settings of its own
    set_style();
    load_font(FONT_PLAIN, 13.0f);
    gui.mono = load_font(FONT_MONO, 12.0f);
    glfwSetKeyCallback(window, on_key); // ImGui's own call these
    glfwSetMouseButtonCallback(window, on_mouse_button);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
}

void gui_destroy(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void gui_frame_begin(float seconds)
{
    gui.control_count = 0;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (seconds > 0.0f)
    {
        ImGui::GetIO().DeltaTime = seconds;
    }
    hold_taps();
    take_clicks();
    ImGui::NewFrame();
}

void gui_frame_build(void)
{
    ImGui::Render();
}

void gui_frame_end(void)
{
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void gui_record(const char* name, gui_rect rect)
{
    if (gui.control_count < control_max)
    {
        gui_control* control = &gui.controls[gui.control_count++];
        std::snprintf(control->name, sizeof control->name, "%s", name);
        control->rect = rect;
    }
}

uint32_t gui_controls(const gui_control** out)
{
    *out = gui.controls;
    return gui.control_count;
}

// ---------------------------------------------------------------------------------------------
// Input

bool gui_is_typing(void)
{
    return ImGui::GetIO().WantTextInput;
}

bool gui_key_pressed(int key, bool repeats)
{
    return !gui_is_typing() && ImGui::IsKeyPressed(key, repeats);
}

bool gui_key_down(int key)
{
    return !gui_is_typing() && ImGui::IsKeyDown(key);
}

bool gui_is_control_down(void)
{
    return ImGui::GetIO().KeyCtrl;
}

bool gui_is_shift_down(void)
{
    return ImGui::GetIO().KeyShift;
}

bool gui_is_alt_down(void)
{
    return ImGui::GetIO().KeyAlt;
}

bool gui_character_typed(uint32_t character)
{
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    for (int i = 0; i < typed.Size && !gui_is_typing(); ++i)
    {
        if (typed[i] == character)
        {
            return true;
        }
    }
    return false;
}

bool gui_had_input(void)
{
    const ImGuiIO& io = ImGui::GetIO();
    bool has_any = io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f || io.MouseWheel != 0.0f;
    for (int i = 0; i < IM_ARRAYSIZE(io.MouseDown); ++i)
    {
        has_any = has_any || io.MouseDown[i] || io.MouseReleased[i];
    }
    for (const click_queue& clicks : gui.clicks)
    {
        has_any = has_any || clicks.count > 0;
    }
    for (int i = 0; i < IM_ARRAYSIZE(io.KeysDown); ++i)
    {
        has_any = has_any || io.KeysDown[i] || io.KeysDownDurationPrev[i] >= 0.0f;
    }
    return has_any;
}

// ---------------------------------------------------------------------------------------------
// Panels and layout

void gui_panel_begin(const char* name, gui_rect rect, gui_panel kind)
{
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
    ImVec2 margin = ImGui::GetStyle().WindowPadding;
    switch (kind)
    {
    case GUI_PANEL_BAR:
        flags |= ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus;
        margin.y = 3.0f * gui.scale;
        break;
    case GUI_PANEL_SIDE:
        flags &= ~(ImGuiWindowFlags)ImGuiWindowFlags_NoScrollbar;
        flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
        break;
    case GUI_PANEL_VIEW:
        flags |= ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus;
        margin = ImVec2(0.0f, 0.0f);
        break;
    case GUI_PANEL_FLOATING:
    case GUI_PANEL_PAGE:
        flags |= ImGuiWindowFlags_NoScrollWithMouse;
        flags |= rect.height > 0.0f ? 0 : ImGuiWindowFlags_AlwaysAutoResize;
        margin = ImVec2(6.0f * gui.scale, 4.0f * gui.scale);
        ImGui::SetNextWindowBgAlpha(kind == GUI_PANEL_PAGE ? 1.0f : 0.75f);
        ImGui::SetNextWindowSizeConstraints(ImVec2(rect.width, 0.0f), ImVec2(4096.0f, 4096.0f));
        break;
    }
    ImGui::SetNextWindowPos(ImVec2(rect.x, rect.y));
    bool is_fixed = kind != GUI_PANEL_FLOATING && kind != GUI_PANEL_PAGE;
    if (is_fixed || rect.height > 0.0f)
    {
        ImGui::SetNextWindowSize(ImVec2(rect.width, rect.height));
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(8.0f, 8.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, is_fixed ? 0.0f : 4.0f);
    ImGui::Begin(name, nullptr, flags);
    ImGui::PopStyleVar(3);
}

void gui_panel_end(void)
{
    ImGui::End();
}

void gui_same_line(float x)
{
    ImGui::SameLine(x);
}

void gui_space(float height)
{
    ImGui::Dummy(ImVec2(1.0f, height * gui.scale));
}

void gui_row_width(float width)
{
    ImGui::SetNextItemWidth(width);
}

float gui_width_left(void)
{
    return ImGui::GetContentRegionAvail().x;
}

float gui_height_left(void)
{
    return ImGui::GetContentRegionAvail().y;
}

bool gui_section(const char* label, bool* is_open, const char* tip)
{
    ImGui::SetNextItemOpen(*is_open);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    ImGui::PushStyleColor(ImGuiCol_Header, shade(theme.section));
    *is_open = ImGui::CollapsingHeader(label);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    gui_finish(label, tip);
    return *is_open;
}

bool gui_menu_begin(const char* label, const char* tip)
{
    hidden_label id(label);
    char text[704];
    int shown = (int)(name_of(label) == label ? std::strlen(label) : std::strcspn(label, "#"));
    std::snprintf(text, sizeof text, "%.*s%s##button_%s", shown, label, shown > 0 ? "     " : " ",
                  name_of(label));
    if (ImGui::Button(text))
    {
        ImGui::OpenPopup(id.text);
    }
    gui_finish(label, tip);
    ImVec2 low = ImGui::GetItemRectMin();
    float size = ImGui::GetFontSize();
    ImGui::RenderArrow(ImGui::GetWindowDrawList(),
                       ImVec2(ImGui::GetItemRectMax().x - 1.4f * size,
                              low.y + ImGui::GetStyle().FramePadding.y + 0.15f * size),
                       ImGui::GetColorU32(ImGuiCol_TextDisabled), ImGuiDir_Down, 0.7f);
    ImGui::SetNextWindowPos(ImVec2(low.x, ImGui::GetItemRectMax().y + 2.0f * gui.scale));
    bool is_open = ImGui::BeginPopup(id.text);
    if (is_open)
    {
        close_by_escape();
    }
    return is_open;
}

bool gui_menu_has_opened(void)
{
    return ImGui::IsWindowAppearing();
}

void gui_menu_close(void)
{
    ImGui::CloseCurrentPopup();
}

bool gui_has_menu(void)
{
    return GImGui->OpenPopupStack.Size > 0;
}

void gui_menu_end(void)
{
    ImGui::EndPopup();
}

bool gui_menu_item(const char* label)
{
    bool is_used = ImGui::MenuItem(label);
    gui_finish(label, nullptr);
    return is_used;
}

bool gui_message(const char* title, const char* text)
{
    bool is_closed = false;
    if (text != nullptr)
    {
        ImGui::OpenPopup(title);
    }
    else if (!ImGui::IsPopupOpen(title))
    {
        return false;
    }
    ImVec2 center = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(center, ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    if (ImGui::BeginPopupModal(title, nullptr,
                               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    {
        ImGui::PushTextWrapPos(480.0f * gui.scale);
        ImGui::TextUnformatted(text != nullptr ? text : "");
        ImGui::PopTextWrapPos();
        ImGui::Dummy(ImVec2(1.0f, 8.0f * gui.scale));
        is_closed = ImGui::Button("Close##close_message", ImVec2(96.0f * gui.scale, 0.0f)) ||
                    ImGui::IsKeyPressed(GLFW_KEY_ESCAPE) || ImGui::IsKeyPressed(GLFW_KEY_ENTER) ||
                    text == nullptr;
        gui_finish("Close##close_message", nullptr);
        if (is_closed)
        {
            ImGui::CloseCurrentPopup();
        }
        ImGui::EndPopup();
    }
    return is_closed;
}

// ---------------------------------------------------------------------------------------------
// Controls

void gui_text(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    ImGui::TextV(format, list);
    va_end(list);
}

void gui_muted(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    ImGui::TextDisabledV(format, list);
    va_end(list);
}

void gui_mono(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    ImGui::PushFont(gui.mono);
    ImGui::TextV(format, list);
    ImGui::PopFont();
    va_end(list);
}

bool gui_button(const char* label, const char* tip)
{
    bool is_used = ImGui::Button(label);
    gui_finish(label, tip);
    return is_used;
}

bool gui_toggle(const char* label, bool is_on, const char* tip)
{
    ImGui::PushStyleColor(ImGuiCol_Button,
                          is_on ? accent : ImGui::GetStyle().Colors[ImGuiCol_Button]);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered,
                          is_on ? accent : ImGui::GetStyle().Colors[ImGuiCol_ButtonHovered]);
    ImGui::PushStyleColor(ImGuiCol_Text, is_on ? shade(theme.light) : ink);
    bool is_used = ImGui::Button(label);
    ImGui::PopStyleColor(3);
    gui_finish(label, tip);
    return is_used;
}

bool gui_check(const char* label, bool* value, const char* tip)
{
    bool is_used = ImGui::Checkbox(label, value);
    gui_finish(label, tip);
    return is_used;
}

gui_rect gui_last_rect(void)
{
    ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    return {low.x, low.y, size.x, size.y};
}

bool gui_slider(const char* label, float* value, const gui_slider_range* range, const char* tip)
{
    begin_row(label);
    hidden_label id(label);
    ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp;
    flags |= range->is_logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
    bool is_used =
        ImGui::SliderFloat(id.text, value, range->low, range->high, range->format, flags);
    gui.has_slider_begun = ImGui::IsItemActivated();
    if (ImGui::IsItemHovered() && gui.clicks[ImGuiMouseButton_Left].is_double)
    {
        *value = range->reset;
        ImGui::ClearActiveID();
        is_used = true;
    }
    gui_finish(label, tip);
    return is_used;
}

bool gui_slider_began(void)
{
    return gui.has_slider_begun;
}

bool gui_combo(const char* label, int* value, const char* const* names, int count, const char* tip)
{
    begin_row(label);
    hidden_label id(label);
    bool is_used = false;
    const char* shown = *value >= 0 && *value < count ? names[*value] : "-";
    bool is_open = ImGui::BeginCombo(id.text, shown);
    gui_finish(label, is_open ? nullptr : tip);
    for (int i = 0; is_open && i < count; ++i)
    {
        ImGui::PushID(i);
        if (ImGui::Selectable(names[i], i == *value))
        {
            is_used = *value != i;
            *value = i;
        }
        char item[40];
        std::snprintf(item, sizeof item, "%.28s/%s", name_of(label), names[i]);
        gui_finish(item, nullptr);
        ImGui::PopID();
    }
    if (is_open)
    {
        close_by_escape();
        ImGui::EndCombo();
    }
    return is_used;
}

bool gui_field(const char* label, char* text, uint32_t size, const char* hint, const char* tip)
{
    begin_row(label);
    hidden_label id(label);
    bool is_used = ImGui::InputTextWithHint(id.text, hint, text, size,
                                            ImGuiInputTextFlags_EnterReturnsTrue |
                                                ImGuiInputTextFlags_AutoSelectAll);
    gui_finish(label, tip);
    return is_used;
}

void gui_focus_next(void)
{
    ImGui::SetKeyboardFocusHere();
}

bool gui_list_row(const char* label, bool is_chosen, bool is_scrolled_to)
{
    bool is_used = ImGui::Selectable(label, is_chosen);
    if (is_scrolled_to)
    {
        ImGui::SetScrollHereY();
    }
    if (is_chosen)
    {
        gui_finish("list_chosen", nullptr);
    }
    return is_used;
}

void gui_list_begin(const char* name, float height)
{
    ImGui::BeginChild(name, ImVec2(-1.0f, height * gui.scale), true);
}

void gui_list_begin_sized(const char* name, float width, float height)
{
    ImGui::BeginChild(name, ImVec2(width, height * gui.scale), true);
}

bool gui_was_double_clicked(void)
{
    return ImGui::IsItemHovered() && gui.clicks[ImGuiMouseButton_Left].is_double;
}

void gui_list_end(const char* tip)
{
    ImGui::EndChild();
    gui_finish("list", tip);
}

void gui_progress(float part, const char* text, float width)
{
    ImGui::ProgressBar(part, ImVec2(width, 0.0f), text);
    gui_finish("progress", nullptr);
}

void gui_plot(const char* name, const float* values, uint32_t count, float high, float height)
{
    hidden_label id(name);
    char title[64];
    std::snprintf(title, sizeof title, "%.*s", (int)std::strcspn(name, "#"), name);
    ImGui::PlotLines(id.text, values, (int)count, 0, title, 0.0f, high,
                     ImVec2(0.0f, height * gui.scale));
}

namespace
{
ImU32 shade_of(pelt_color color)
{
    return IM_COL32(color.r, color.g, color.b, color.a);
}
} // namespace

gui_rect gui_area(const char* name, float width, float height)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, height));
    if (name != nullptr)
    {
        gui_finish(name, nullptr);
    }
    return {low.x, low.y, width, height};
}

void gui_polygon(const float* xy, uint32_t count, pelt_color color)
{
    ImVec2 points[16];
    int used = ImMin((int)count, IM_ARRAYSIZE(points));
    for (int i = 0; i < used; ++i)
    {
        points[i] = ImVec2(xy[2 * i], xy[2 * i + 1]);
    }
    ImGui::GetWindowDrawList()->AddConvexPolyFilled(points, used, shade_of(color));
}

void gui_label(float x, float y, pelt_color color, const char* text)
{
    ImGui::GetWindowDrawList()->AddText(ImVec2(x, y), shade_of(color), text);
}

float gui_label_width(const char* text)
{
    return ImGui::CalcTextSize(text).x;
}

float gui_line_height(void)
{
    return ImGui::GetTextLineHeight();
}

float gui_control_height(void)
{
    return ImGui::GetFrameHeight();
}

void gui_fill(gui_rect rect, pelt_color color)
{
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.width, rect.y + rect.height), shade_of(color));
}

void gui_finish(const char* label, const char* tip)
{
    if (label[0] != '\0')
    {
        gui_record(name_of(label), gui_last_rect());
    }
    if (tip != nullptr && ImGui::IsItemHovered() && GImGui->HoveredIdTimer > 0.4f)
    {
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 320.0f * gui.scale);
        ImGui::SetTooltip("%s", tip);
        ImGui::PopTextWrapPos();
    }
}
