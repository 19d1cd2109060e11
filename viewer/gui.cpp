// SPDX-License-Identifier: MIT
// The only C++ of pelt: Dear ImGui behind the C interface of gui.h.
#include "gui.h"

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
};

gui_data gui;

// A light neutral grey, as the pictures of `pelt render`, and one blue for what is chosen.
const ImVec4 ink(0.13f, 0.14f, 0.15f, 1.0f);
const ImVec4 muted(0.36f, 0.37f, 0.39f, 1.0f);
const ImVec4 paper(0.925f, 0.925f, 0.92f, 1.0f);
const ImVec4 field(0.985f, 0.985f, 0.98f, 1.0f);
const ImVec4 edge(0.74f, 0.745f, 0.75f, 1.0f);
const ImVec4 accent(0.11f, 0.40f, 0.68f, 1.0f);
const ImVec4 accent_light(0.72f, 0.82f, 0.92f, 1.0f);

void set_colors(ImVec4* colors)
{
    colors[ImGuiCol_Text] = ink;
    colors[ImGuiCol_TextDisabled] = muted;
    colors[ImGuiCol_WindowBg] = paper;
    colors[ImGuiCol_ChildBg] = field;
    colors[ImGuiCol_PopupBg] = field;
    colors[ImGuiCol_Border] = edge;
    colors[ImGuiCol_FrameBg] = field;
    colors[ImGuiCol_FrameBgHovered] = ImVec4(0.87f, 0.91f, 0.95f, 1.0f);
    colors[ImGuiCol_FrameBgActive] = accent_light;
    colors[ImGuiCol_Button] = ImVec4(0.86f, 0.86f, 0.855f, 1.0f);
    colors[ImGuiCol_ButtonHovered] = ImVec4(0.80f, 0.86f, 0.92f, 1.0f);
    colors[ImGuiCol_ButtonActive] = accent_light;
    colors[ImGuiCol_Header] = accent_light;
    colors[ImGuiCol_HeaderHovered] = ImVec4(0.80f, 0.86f, 0.92f, 1.0f);
    colors[ImGuiCol_HeaderActive] = accent_light;
    colors[ImGuiCol_CheckMark] = accent;
    // Light, since the number of a slider is written over it.
    colors[ImGuiCol_SliderGrab] = ImVec4(0.56f, 0.73f, 0.89f, 1.0f);
    colors[ImGuiCol_SliderGrabActive] = ImVec4(0.42f, 0.64f, 0.85f, 1.0f);
    colors[ImGuiCol_PlotLines] = accent;
    colors[ImGuiCol_PlotHistogram] = accent;
    colors[ImGuiCol_ScrollbarBg] = paper;
    colors[ImGuiCol_TitleBgActive] = ImVec4(0.82f, 0.83f, 0.84f, 1.0f);
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

bool is_readable(const char* path)
{
    std::FILE* file = std::fopen(path, "rb");
    if (file != nullptr)
    {
        std::fclose(file);
    }
    return file != nullptr;
}

ImFont* load_font(const char* const* paths, float size)
{
    ImFontAtlas* fonts = ImGui::GetIO().Fonts;
    for (; *paths != nullptr; ++paths)
    {
        ImFont* font =
            is_readable(*paths) ? fonts->AddFontFromFileTTF(*paths, size * gui.scale) : nullptr;
        if (font != nullptr)
        {
            return font;
        }
    }
    return fonts->AddFontDefault();
}

void load_fonts()
{
    static const char* const plain[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                                        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
                                        "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
                                        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
                                        nullptr};
    static const char* const mono[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                                       "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                                       "/usr/share/fonts/noto/NotoSansMono-Regular.ttf",
                                       "/usr/share/fonts/TTF/DejaVuSansMono.ttf", nullptr};
    load_font(plain, 13.0f);
    gui.mono = load_font(mono, 12.0f);
}

// The name of a control is what follows "##", or else its label.
const char* name_of(const char* label)
{
    const char* mark = std::strstr(label, "##");
    return mark != nullptr ? mark + 2 : label;
}

void finish_control(const char* label, const char* tip)
{
    ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    gui_record(name_of(label), {low.x, low.y, size.x, size.y});
    if (tip != nullptr && ImGui::IsItemHovered() && GImGui->HoveredIdTimer > 0.4f)
    {
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 320.0f * gui.scale);
        ImGui::SetTooltip("%s", tip);
        ImGui::PopTextWrapPos();
    }
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

void on_key(GLFWwindow*, int key, int, int action, int modifiers)
{
    if (key >= 0 && key <= GLFW_KEY_LAST && action == GLFW_PRESS)
    {
        gui.is_tapped[key] = true;
        gui.tapped_modifiers |= modifiers;
    }
}

// ImGui 1.86 looks at keys once per frame: a tap that is shorter would be lost.
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

// What ImGui identifies a control by: it shows nothing of it.
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
    load_fonts();
    glfwSetKeyCallback(window, on_key); // ImGui's own calls it
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
        flags |= ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollWithMouse;
        margin = ImVec2(6.0f * gui.scale, 4.0f * gui.scale);
        ImGui::SetNextWindowBgAlpha(kind == GUI_PANEL_PAGE ? 1.0f : 0.75f);
        ImGui::SetNextWindowSizeConstraints(ImVec2(rect.width, 0.0f), ImVec2(4096.0f, 4096.0f));
        break;
    }
    ImGui::SetNextWindowPos(ImVec2(rect.x, rect.y));
    bool is_fixed = kind != GUI_PANEL_FLOATING && kind != GUI_PANEL_PAGE;
    if (is_fixed)
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

bool gui_section(const char* label, bool* is_open, const char* tip)
{
    ImGui::SetNextItemOpen(*is_open);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    ImGui::PushStyleColor(ImGuiCol_Header, ImVec4(0.86f, 0.865f, 0.87f, 1.0f));
    *is_open = ImGui::CollapsingHeader(label);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    finish_control(label, tip);
    return *is_open;
}

bool gui_menu_begin(const char* label, const char* tip)
{
    hidden_label id(label);
    char text[192];
    int shown = (int)(name_of(label) == label ? std::strlen(label) : std::strcspn(label, "#"));
    std::snprintf(text, sizeof text, "%.*s     ##button_%s", shown, label, name_of(label));
    if (ImGui::Button(text))
    {
        ImGui::OpenPopup(id.text);
    }
    finish_control(label, tip);
    ImVec2 low = ImGui::GetItemRectMin();
    float size = ImGui::GetFontSize();
    ImGui::RenderArrow(ImGui::GetWindowDrawList(),
                       ImVec2(ImGui::GetItemRectMax().x - 1.4f * size,
                              low.y + ImGui::GetStyle().FramePadding.y + 0.15f * size),
                       ImGui::GetColorU32(ImGuiCol_TextDisabled), ImGuiDir_Down, 0.7f);
    ImGui::SetNextWindowPos(ImVec2(low.x, ImGui::GetItemRectMax().y + 2.0f * gui.scale));
    return ImGui::BeginPopup(id.text);
}

void gui_menu_end(void)
{
    ImGui::EndPopup();
}

bool gui_menu_item(const char* label)
{
    bool is_used = ImGui::MenuItem(label);
    finish_control(label, nullptr);
    return is_used;
}

bool gui_message(const char* title, const char* text)
{
    bool is_closed = false;
    ImGui::OpenPopup(title);
    ImVec2 center = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(center, ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    if (ImGui::BeginPopupModal(title, nullptr,
                               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
    {
        ImGui::PushTextWrapPos(480.0f * gui.scale);
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
        ImGui::Dummy(ImVec2(1.0f, 8.0f * gui.scale));
        is_closed = ImGui::Button("Close##close_message", ImVec2(96.0f * gui.scale, 0.0f)) ||
                    ImGui::IsKeyPressed(GLFW_KEY_ESCAPE) || ImGui::IsKeyPressed(GLFW_KEY_ENTER);
        finish_control("Close##close_message", nullptr);
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
    finish_control(label, tip);
    return is_used;
}

bool gui_toggle(const char* label, bool is_on, const char* tip)
{
    ImGui::PushStyleColor(ImGuiCol_Button,
                          is_on ? accent : ImGui::GetStyle().Colors[ImGuiCol_Button]);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered,
                          is_on ? accent : ImGui::GetStyle().Colors[ImGuiCol_ButtonHovered]);
    ImGui::PushStyleColor(ImGuiCol_Text, is_on ? ImVec4(1.0f, 1.0f, 1.0f, 1.0f) : ink);
    bool is_used = ImGui::Button(label);
    ImGui::PopStyleColor(3);
    finish_control(label, tip);
    return is_used;
}

bool gui_check(const char* label, bool* value, const char* tip)
{
    bool is_used = ImGui::Checkbox(label, value);
    finish_control(label, tip);
    return is_used;
}

bool gui_icon_button(const char* name, gui_icon icon, const char* tip)
{
    hidden_label id(name);
    float side = ImGui::GetFrameHeight();
    bool is_used = ImGui::Button(id.text, ImVec2(1.5f * side, side));
    finish_control(name, tip);
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImVec2 center((low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImU32 color = ImGui::ColorConvertFloat4ToU32(ink);
    float r = 5.0f * gui.scale;
    float way = icon == GUI_ICON_BACK ? -1.0f : 1.0f;
    if (icon == GUI_ICON_PAUSE)
    {
        draw->AddRectFilled(ImVec2(center.x - r, center.y - r),
                            ImVec2(center.x - 0.3f * r, center.y + r), color);
        draw->AddRectFilled(ImVec2(center.x + 0.3f * r, center.y - r),
                            ImVec2(center.x + r, center.y + r), color);
        return is_used;
    }
    ImVec2 points[3] = {ImVec2(center.x - way * 0.8f * r, center.y - r),
                        ImVec2(center.x + way * r, center.y),
                        ImVec2(center.x - way * 0.8f * r, center.y + r)};
    draw->AddTriangleFilled(points[0], points[1], points[2], color);
    if (icon != GUI_ICON_PLAY)
    {
        float x = center.x + way * 1.2f * r;
        draw->AddRectFilled(ImVec2(x - 1.0f * gui.scale, center.y - r),
                            ImVec2(x + 1.0f * gui.scale, center.y + r), color);
    }
    return is_used;
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
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    {
        *value = range->reset;
        ImGui::ClearActiveID();
        is_used = true;
    }
    finish_control(label, tip);
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
    finish_control(label, is_open ? nullptr : tip);
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
        finish_control(item, nullptr);
        ImGui::PopID();
    }
    if (is_open)
    {
        ImGui::EndCombo();
    }
    return is_used;
}

bool gui_field(const char* label, char* text, uint32_t size, const char* hint, const char* tip)
{
    begin_row(label);
    hidden_label id(label);
    bool is_used =
        ImGui::InputTextWithHint(id.text, hint, text, size, ImGuiInputTextFlags_EnterReturnsTrue);
    finish_control(label, tip);
    return is_used;
}

bool gui_list_row(const char* label, bool is_chosen)
{
    return ImGui::Selectable(label, is_chosen);
}

void gui_list_begin(const char* name, float height)
{
    ImGui::BeginChild(name, ImVec2(-1.0f, height * gui.scale), true);
}

void gui_list_end(const char* tip)
{
    ImGui::EndChild();
    finish_control("list", tip);
}

void gui_progress(float part, const char* text)
{
    ImGui::ProgressBar(part, ImVec2(240.0f * gui.scale, 0.0f), text);
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
void draw_mark(ImDrawList* draw, ImVec2 at, gui_mark mark, ImU32 color)
{
    float r = 3.5f * gui.scale;
    switch (mark)
    {
    case GUI_MARK_CIRCLE:
        draw->AddCircleFilled(at, r, color);
        break;
    case GUI_MARK_SQUARE:
        draw->AddRectFilled(ImVec2(at.x - r, at.y - r), ImVec2(at.x + r, at.y + r), color);
        break;
    case GUI_MARK_TRIANGLE:
        draw->AddTriangleFilled(ImVec2(at.x, at.y - 1.2f * r), ImVec2(at.x + 1.2f * r, at.y + r),
                                ImVec2(at.x - 1.2f * r, at.y + r), color);
        break;
    case GUI_MARK_DIAMOND:
        draw->AddQuadFilled(ImVec2(at.x, at.y - 1.4f * r), ImVec2(at.x + 1.4f * r, at.y),
                            ImVec2(at.x, at.y + 1.4f * r), ImVec2(at.x - 1.4f * r, at.y), color);
        break;
    case GUI_MARK_STAR:
        for (int i = 0; i < 3; ++i)
        {
            ImVec2 arm(1.3f * r * ImCos(1.0472f * (float)i), 1.3f * r * ImSin(1.0472f * (float)i));
            draw->AddLine(ImVec2(at.x - arm.x, at.y - arm.y), ImVec2(at.x + arm.x, at.y + arm.y),
                          color, 1.6f * gui.scale);
        }
        break;
    }
}

ImU32 shade_of(pelt_color color)
{
    return IM_COL32(color.r, color.g, color.b, color.a);
}

// Powers of ten, and where they are on the screen.
struct log_axis
{
    int low, high;     // exponents
    float start, size; // pixels
    float place(float value) const
    {
        return start + size * (std::log10(value) - (float)low) / (float)(high - low);
    }
};

log_axis make_axis(const gui_series* series, uint32_t count, int which, float start, float size)
{
    float low = 1e30f, high = 0.0f;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < series[i].count; ++k)
        {
            float value = series[i].points[2 * k + (uint32_t)which];
            low = value > 0.0f ? ImMin(low, value) : low;
            high = ImMax(high, value);
        }
    }
    bool is_empty = !(high > 0.0f);
    int first = is_empty ? 0 : (int)std::floor(std::log10(low) + 1e-4f);
    int last = is_empty ? 3 : (int)std::ceil(std::log10(high) - 1e-4f);
    return log_axis{first, ImMax(last, first + 1), start, size};
}

// 100, 1k, 10M
void write_power(char out[16], int exponent)
{
    static const char units[] = {'\0', 'k', 'M', 'G'};
    int unit = ImClamp(exponent / 3, 0, 3);
    std::snprintf(out, 16, "%g%c", (double)ImPow(10.0f, (float)(exponent - 3 * unit)), units[unit]);
}

void draw_axes(ImDrawList* draw, const log_axis& x, const log_axis& y)
{
    ImU32 grid = ImGui::ColorConvertFloat4ToU32(ImVec4(0.86f, 0.86f, 0.855f, 1.0f));
    ImU32 text = ImGui::ColorConvertFloat4ToU32(muted);
    float gap = 4.0f * gui.scale;
    char label[16];
    for (int i = x.low; i <= x.high; ++i)
    {
        float at = x.start + x.size * (float)(i - x.low) / (float)(x.high - x.low);
        write_power(label, i);
        draw->AddLine(ImVec2(at, y.start), ImVec2(at, y.start + y.size), grid);
        draw->AddText(ImVec2(at - 0.5f * ImGui::CalcTextSize(label).x, y.start + gap), text, label);
    }
    for (int i = y.low; i <= y.high; ++i)
    {
        float at = y.start + y.size * (float)(i - y.low) / (float)(y.high - y.low);
        write_power(label, i);
        ImVec2 size = ImGui::CalcTextSize(label);
        draw->AddLine(ImVec2(x.start, at), ImVec2(x.start + x.size, at), grid);
        draw->AddText(ImVec2(x.start - gap - size.x, at - 0.5f * size.y), text, label);
    }
}

void draw_series(ImDrawList* draw, const gui_series& series, const log_axis& x, const log_axis& y)
{
    bool has_last = false;
    ImVec2 last;
    for (uint32_t i = 0; i < series.count; ++i)
    {
        const float* point = series.points + 2 * i;
        if (!(point[0] > 0.0f && point[1] > 0.0f))
        {
            continue;
        }
        ImVec2 at(x.place(point[0]), y.place(point[1]));
        if (has_last)
        {
            draw->AddLine(last, at, shade_of(series.color), 1.5f * gui.scale);
        }
        draw_mark(draw, at, series.mark, shade_of(series.color));
        last = at;
        has_last = true;
    }
}
} // namespace

void gui_mark_show(gui_mark mark, pelt_color color)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    float line = ImGui::GetTextLineHeight();
    draw_mark(ImGui::GetWindowDrawList(), ImVec2(at.x + 0.5f * line, at.y + 0.5f * line), mark,
              shade_of(color));
    ImGui::Dummy(ImVec2(line, line));
}

void gui_chart(const char* name, const gui_series* series, uint32_t count, const char* x_title,
               const char* y_title)
{
    ImVec2 low = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
    float line = ImGui::GetTextLineHeight(), left = 44.0f * gui.scale, right = 16.0f * gui.scale;
    size.x = ImMax(size.x, 2.0f * (left + right));
    size.y = ImMax(size.y, 6.0f * line);
    float top = low.y + 2.0f * line, foot = low.y + size.y - 2.5f * line;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::ColorConvertFloat4ToU32(field), 4.0f);
    log_axis x = make_axis(series, count, 0, low.x + left, size.x - left - right);
    log_axis y = make_axis(series, count, 1, foot, top - foot);
    draw_axes(draw, x, y);
    for (uint32_t i = 0; i < count; ++i)
    {
        draw_series(draw, series[i], x, y);
    }
    ImU32 text = ImGui::ColorConvertFloat4ToU32(ink);
    float width = ImGui::CalcTextSize(x_title).x;
    draw->AddText(ImVec2(low.x + 0.5f * line, low.y + 0.25f * line), text, y_title);
    draw->AddText(ImVec2(x.start + x.size - width, low.y + size.y - 1.25f * line), text, x_title);
    ImGui::Dummy(size);
    finish_control(name, nullptr);
}

void gui_swatch(pelt_color color, gui_row row)
{
    float size = 9.0f * gui.scale;
    float height = row == GUI_ROW_CONTROLS ? ImGui::GetFrameHeight() : ImGui::GetTextLineHeight();
    ImVec2 at = ImGui::GetCursorScreenPos();
    float drop = 0.5f * (height - size);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + drop),
                                              ImVec2(at.x + size, at.y + drop + size),
                                              shade_of(color), 2.0f * gui.scale);
    ImGui::Dummy(ImVec2(size, height));
    ImGui::SameLine();
}

void gui_note(const char* text, float width)
{
    const char* end = text + std::strlen(text);
    float dots = ImGui::CalcTextSize("...").x;
    bool is_whole = ImGui::CalcTextSize(text).x <= width;
    while (!is_whole && end > text && ImGui::CalcTextSize(text, end).x + dots > width)
    {
        do
        {
            --end;
        } while (end > text && (*end & 0xc0) == 0x80); // within a character of UTF-8
    }
    ImGui::TextDisabled("%.*s%s", (int)(end - text), text, is_whole ? "" : "...");
    finish_control("note", is_whole ? nullptr : text);
}

void gui_legend(const pelt_color* colors, uint32_t count, const char* low, const char* high)
{
    float width = 128.0f * gui.scale, height = 8.0f * gui.scale;
    ImGui::TextUnformatted(low);
    ImGui::SameLine();
    ImVec2 at = ImGui::GetCursorScreenPos();
    at.y += 0.5f * (ImGui::GetTextLineHeight() - height);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (uint32_t i = 0; i < count; ++i)
    {
        float left = at.x + width * (float)i / (float)count;
        float right = at.x + width * (float)(i + 1) / (float)count;
        draw->AddRectFilled(ImVec2(left, at.y), ImVec2(right, at.y + height), shade_of(colors[i]));
    }
    ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
    ImGui::SameLine();
    ImGui::TextUnformatted(high);
}

// ---------------------------------------------------------------------------------------------
// Pictures

namespace
{
// Take the mouse over an area, and tell what it does there.
gui_drag drag_area(const char* name, float width, float height)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(name, ImVec2(width, height),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                               ImGuiButtonFlags_MouseButtonMiddle);
    finish_control(name, nullptr);
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
    size.x = ImMax(size.x, 8.0f);
    size.y = ImMax(size.y, 8.0f);
    ImVec2 origin(low.x + texels->x, low.y + texels->y);
    float zoom = texels->zoom;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::ColorConvertFloat4ToU32(field), 4.0f);
    draw->PushClipRect(low, ImVec2(low.x + size.x, low.y + size.y), true);
    draw->AddImage((ImTextureID)(intptr_t)texels->texture, origin,
                   ImVec2(origin.x + zoom * texels->width, origin.y + zoom * texels->height));
    for (uint32_t i = 0; i < texels->mark_count; ++i)
    {
        const gui_rect* mark = &texels->marks[i];
        ImVec2 from(origin.x + zoom * mark->x, origin.y + zoom * mark->y);
        ImVec2 to(from.x + zoom * mark->width, from.y + ImMax(zoom * mark->height, 2.0f));
        draw->AddRectFilled(from, to, IM_COL32(0, 200, 60, 110));
        draw->AddRect(from, to, IM_COL32(0, 150, 40, 255));
    }
    draw->PopClipRect();
    return drag_area(name, size.x, size.y);
}
