// SPDX-License-Identifier: MIT
#include "panes.h"

#include "desktop.h"
#include "edit/edit_tools.h"
#include "glyphs.h"
#include "quantity.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void panes_begin_timeline(view_app* inout, gui_rect rect)
{
    bool is_playing = inout->settings.is_playing;
    gui_panel_begin("timeline", rect, GUI_PANEL_BAR);
    gui_space(8.0f);
    if (glyphs_button("play", is_playing ? GLYPH_PAUSE : GLYPH_PLAY, "Play or pause (space).",
                      inout->scale))
    {
        app_run_command(inout, COMMAND_PLAY);
    }
    gui_same_line(0.0f);
}

void panes_show_speed(view_app* inout)
{
    gui_row_width(88.0f * inout->scale);
    gui_slider("##speed", &inout->settings.speed,
               &(gui_slider_range){0.05f, 4.0f, 1.0f, "x%.2f", true}, "Speed; double click: 1.");
}

// ---------------------------------------------------------------------------------------------
// Parameters

bool choice_combo(const char* label, int* value, const char* (*name_of)(int), int count,
                  const char* tip)
{
    const char* names[16];
    PELT_ASSERT(count <= (int)(sizeof names / sizeof *names));
    for (int i = 0; i < count; ++i)
    {
        names[i] = name_of(i);
    }
    return gui_combo(label, value, names, count, tip);
}

static void show_convention(view_settings* inout)
{
    if (choice_combo("convention##convention", &inout->convention, settings_convention_name,
                     PELT_CONVENTION_COUNT,
                     "Deform as another program does: its sign rule, pivot of scale and normals."))
    {
        pelt_deform_options options = {0};
        pelt_convention_apply(&options, (pelt_convention)inout->convention);
        inout->sign_rule = (int)options.sign_rule;
    }
    choice_combo(
        "signs##sign", &inout->sign_rule, settings_sign_rule_name, PELT_SIGN_RULE_COUNT,
        "Which of q and -q enters a blend of quaternions; shaders know the first rule only.");
}

void panes_show_baking(view_app* inout)
{
    view_settings* settings = &inout->settings;
    choice_combo("texture##encoding", &inout->next_encoding, settings_encoding_name,
                 SETTINGS_ENCODING_COUNT,
                 "How joints are stored in bone textures; Apply bakes them again.");
    gui_slider("keys##rate", &inout->next_rate,
               &(gui_slider_range){0.0f, 120.0f, 0.0f,
                                   inout->next_rate < 6.0f ? "as in the clip" : "%.0f Hz", false},
               "Keys per second of textures, 6 to 120; double click: those of the clip.");
    bool is_other = inout->next_encoding != settings->bake_encoding ||
                    (inout->next_rate < 6.0f ? 0.0f : inout->next_rate) != settings->bake_rate;
    if (gui_toggle("Apply##apply", is_other, "Bake the textures of the viewports again."))
    {
        settings->bake_encoding = inout->next_encoding;
        settings->bake_rate = inout->next_rate < 6.0f ? 0.0f : inout->next_rate;
    }
    if (settings->bake_encoding == PELT_ENCODING_MATRIX)
    {
        gui_check("rotations on the arc##spherical", &settings->is_spherical,
                  "Matrices are interpolated with their rotations on the arc: at few keys per "
                  "second, limbs keep their size between keys.");
    }
    gui_check("merge duplicate vertices##merge", &settings->is_merged,
              "In vertex textures, copies of a vertex along seams share their texels: smaller, and "
              "just as exact.");
}

static void save_model(view_app* inout)
{
    char path[PATH_BYTES];
    if (!typed_path_read(path, sizeof path, inout->save_path))
    {
        app_fail(inout, "this path is longer than 1000 characters");
        return;
    }
    (void)app_save(inout, path);
}

static void show_save(view_app* inout)
{
    if (gui_button("Save##save_model",
                   "Write the character as .glb: painted weights with their centers, and factors "
                   "as _PELT_MIX."))
    {
        save_model(inout);
    }
    gui_same_line(0.0f);
    gui_row_width(-1.0f);
    gui_field("##save_path", inout->save_path, sizeof inout->save_path, "painted.glb",
              "The file that Save writes.");
}

static bool has_mix_view(const view_settings* in)
{
    for (uint32_t i = 0; i < settings_view_count(in); ++i)
    {
        if (pelt_method_info((pelt_method)in->methods[i])->has_mix_factor)
        {
            return true;
        }
    }
    return false;
}

static const char* joint_name(const view_app* in)
{
    const pelt_scene* scene = in->model->character->scene;
    const char* name = in->joint != PELT_NONE ? scene->nodes[in->joint].name : NULL;
    return name != NULL ? name : "no joint";
}

static void show_mix_brush(view_app* inout)
{
    view_settings* settings = &inout->settings;
    gui_slider("value##brush_value", &settings->brush_value,
               &(gui_slider_range){0.0f, 1.0f, 1.0f, "%.2f", false},
               "The factor that is painted: 0 is LBS, 1 is DQS.");
    if (gui_button("Clear##clear_paint", "Take all painted factors away; Ctrl+Z brings them back."))
    {
        edit_tools_clear_paint(inout);
    }
    if (!has_mix_view(settings))
    {
        gui_same_line(0.0f);
        gui_muted("no viewport shows mix");
    }
}

// The time of the last dab.
static void show_live_times(const live_weights* in)
{
    char centers[QUANTITY_BYTES], factors[QUANTITY_BYTES], count[QUANTITY_BYTES];
    if (in->center_ms > 0.0)
    {
        gui_muted("%s centers in %s", quantity_grouped(count, in->center_count),
                  quantity_duration(centers, in->center_ms));
        gui_finish("center_time", "Centers of rotation that the last change of weights has moved.");
    }
    if (in->factor_ms > 0.0)
    {
        gui_muted("factors for normals in %s", quantity_duration(factors, in->factor_ms));
        gui_finish("factor_time", "If they take long, they are found at the end of a stroke.");
    }
}

static void show_weight_brush(view_app* inout)
{
    view_settings* settings = &inout->settings;
    const view_model* model = inout->model;
    gui_text("weights of %s", joint_name(inout));
    gui_finish("brush_joint",
               "Ctrl+click on the character, or the list of joints, chooses another.");
    gui_combo(
        "tool##brush_tool", &settings->brush_tool, settings_brush_tools, WEIGHT_TOOL_COUNT,
        "Add to the weight, subtract from it, or bring it to the mean of the vertices around; "
        "other joints lose or get the rest.");
    gui_check("both sides##brush_mirror", &settings->is_brush_mirrored,
              "The other side of the character gets the same, with the joint that mirrors this "
              "one.");
    if (settings->is_brush_mirrored && model->weight_brush.mirror.is_known &&
        model->weight_brush.mirror.partners == NULL)
    {
        gui_muted("it has no plane of symmetry");
    }
    show_live_times(&model->weights);
}

static void show_brush(view_app* inout)
{
    view_settings* settings = &inout->settings;
    bool is_mix = settings->has_brush && settings->brush_target == BRUSH_MIX;
    bool is_weights = settings->has_brush && settings->brush_target == BRUSH_WEIGHTS;
    if (gui_toggle("Paint factors##brush", is_mix,
                   "A brush for the ratio on DQS: drag on the character (V); Ctrl+Z takes a stroke "
                   "back."))
    {
        app_run_command(inout, COMMAND_BRUSH);
    }
    gui_same_line(0.0f);
    if (gui_toggle("Paint weights##weight_brush", is_weights,
                   "A brush for the weights of the chosen joint: drag on the character (I); "
                   "centers of rotation follow; Ctrl+Z takes a stroke back."))
    {
        app_run_command(inout, COMMAND_WEIGHT_BRUSH);
    }
    if (settings->has_brush)
    {
        gui_slider("radius##brush_radius", &settings->brush_radius,
                   &(gui_slider_range){0.005f, 0.5f, 0.05f, "%.3f", true},
                   "Along the surface, in parts of the diagonal of the character's box.");
        gui_slider("strength##brush_strength", &settings->brush_strength,
                   &(gui_slider_range){0.0f, 1.0f, 1.0f, "%.2f", false},
                   "How much one stroke does at its middle.");
    }
    if (is_mix)
    {
        show_mix_brush(inout);
    }
    if (is_weights)
    {
        show_weight_brush(inout);
    }
    bool has_any = joint_mix_has_any(&inout->model->mix) || inout->model->weights.is_edited;
    if (settings->has_brush && has_any)
    {
        show_save(inout);
    }
}

static void show_centers(const view_app* in)
{
    const character_data* data = &in->model->character->data;
    char time[QUANTITY_BYTES];
    if (app_needs_centers(in))
    {
        gui_muted("centers of rotation: being solved");
    }
    else if (data->is_solved)
    {
        gui_muted("centers of rotation: %s", quantity_duration(time, data->solve_ms));
    }
    else
    {
        gui_muted("centers of rotation: none; move sigma to solve");
    }
}

static void show_parameters(view_app* inout)
{
    view_settings* settings = &inout->settings;
    const pelt_scene* scene = inout->model->character->scene;
    int clip = inout->playback.clip != PELT_NONE ? (int)inout->playback.clip : -1;
    if (gui_combo("clip##parameter_clip", &clip, inout->clip_names, (int)scene->clip_count,
                  "The clip that is played."))
    {
        app_choose_clip(inout, (uint32_t)clip, 0.0f);
    }
    gui_slider("ratio on DQS##mix", &settings->mix,
               &(gui_slider_range){0.0f, 1.0f, 0.5f, "%.3f", false},
               "For mix: 0 is LBS, 1 is DQS; Ctrl+click to type, double click for 0.5.");
    if (inout->model->has_own_mix)
    {
        gui_check("factors of the file##mix_file", &settings->has_own_mix,
                  "The factor of each vertex as the file says, instead of the slider.");
    }
    show_brush(inout);
    gui_slider("sigma##sigma", &settings->sigma,
               &(gui_slider_range){0.03f, 1.0f, 0.1f, "%.3f", true},
               "Width of the similarity of weights, for centers of rotation; double click: 0.1.");
    gui_slider("epsilon##epsilon", &settings->epsilon,
               &(gui_slider_range){0.02f, 1.0f, 0.1f, "%.3f", true},
               "Triangles are bisected until weights along no edge differ by more; double click: "
               "0.1.");
    show_centers(inout);
    show_convention(settings);
    gui_slider("fade##fade_seconds", &settings->fade,
               &(gui_slider_range){0.0f, 2.0f, 0.3f, "%.2f s", false},
               "How long a cross-fade takes; double click: 0.3 s.");
    panes_show_baking(inout);
}

// ---------------------------------------------------------------------------------------------
// Pose

static bool contains(const char* text, const char* part)
{
    size_t length = strlen(part);
    for (; *text != '\0' && length > 0; ++text)
    {
        if (strncasecmp(text, part, length) == 0)
        {
            return true;
        }
    }
    return length == 0;
}

static bool is_joint(const pelt_scene* scene, uint32_t node)
{
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        if (pelt_skin_find_joint(&scene->skins[s], node) != PELT_NONE)
        {
            return true;
        }
    }
    return false;
}

static void show_joints(view_app* inout)
{
    const pelt_scene* scene = inout->model->character->scene;
    gui_row_width(-1.0f);
    gui_field("##filter", inout->filter, sizeof inout->filter, "filter joints",
              "Part of a name: only joints with it are listed.");
    gui_list_begin("joints", 76.0f);
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        const char* name = scene->nodes[i].name != NULL ? scene->nodes[i].name : "-";
        if (!contains(name, inout->filter) || !is_joint(scene, i))
        {
            continue;
        }
        char label[160];
        snprintf(label, sizeof label, "%.120s##joint_%u", name, i);
        if (inout->settings.colors == COLORS_JOINTS)
        {
            glyphs_swatch(inout->model->joint_colors[i], gui_line_height(), inout->scale);
        }
        bool is_chosen = i == inout->joint;
        if (gui_list_row(label, is_chosen, is_chosen && inout->tools.is_list_scrolled))
        {
            edit_tools_pick(inout, i);
        }
    }
    inout->tools.is_list_scrolled = false;
    gui_list_end("The joints of the character; a click on it chooses one too.");
}

// The factor of the chosen joint, and a file with those of all.
static void show_mix(view_app* inout)
{
    joint_mix* mix = &inout->model->mix;
    float own = mix->factors[inout->joint];
    float shown = own >= 0.0f ? own : inout->settings.mix;
    if (gui_slider("own mix##joint_mix", &shown,
                   &(gui_slider_range){0.0f, 1.0f, -1.0f, own >= 0.0f ? "%.3f" : "(%.3f)", false},
                   "For mix: the ratio on DQS of this joint alone; double click: that of all."))
    {
        joint_mix_set(mix, inout->joint, shown);
    }
    if (joint_mix_has_any(mix) && !inout->settings.has_brush)
    {
        show_save(inout);
    }
}

static void save_pose(view_app* inout)
{
    pelt_error error = {0};
    char path[PATH_BYTES];
    if (!typed_path_read(path, sizeof path, inout->pose_path))
    {
        app_fail(inout, "this path is longer than 1000 characters");
        return;
    }
    if (pose_edit_save(path, inout->model->character->scene, &inout->edit, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
        return;
    }
    snprintf(inout->note, sizeof inout->note, "wrote %.120s", path);
}

static void show_pose(view_app* inout)
{
    static const char* const labels[] = {"twist##twist", "bend##bend", "side##side"};
    static const char* const tips[] = {"Degrees about the bone; double click: 0.",
                                       "Degrees about the first axis across the bone.",
                                       "Degrees about the second axis across the bone."};
    show_joints(inout);
    gui_text("%s", joint_name(inout));
    if (inout->joint == PELT_NONE)
    {
        return;
    }
    joint_edit edit = pose_edit_of(&inout->edit, inout->joint);
    for (int i = 0; i < POSE_AXIS_COUNT; ++i)
    {
        bool is_changed =
            gui_slider(labels[i], &edit.degrees[i],
                       &(gui_slider_range){-180.0f, 180.0f, 0.0f, "%.0f deg", false}, tips[i]);
        if (gui_slider_began())
        {
            edit_tools_remember(inout);
        }
        if (is_changed)
        {
            pose_edit_set(&inout->edit, &edit);
        }
    }
    if (gui_button("Reset##reset_joint", "Take all rotations of this joint back."))
    {
        edit_tools_remember(inout);
        pose_edit_set(&inout->edit, &(joint_edit){.node = inout->joint});
    }
    gui_same_line(0.0f);
    if (gui_button("Undo##undo", "Take the last change back (Ctrl+Z)."))
    {
        app_run_command(inout, COMMAND_UNDO);
    }
    gui_same_line(0.0f);
    if (gui_button("Save##save_pose", "Write the rotations as JSON, for --pose @FILE of pelt."))
    {
        save_pose(inout);
    }
    gui_same_line(0.0f);
    gui_row_width(-1.0f);
    gui_field("##pose_path", inout->pose_path, sizeof inout->pose_path, "pose.json",
              "The file that Save writes.");
    show_mix(inout);
}

// ---------------------------------------------------------------------------------------------
// Show

void panes_show_list(view_app* inout)
{
    view_settings* settings = &inout->settings;
    gui_row_width(160.0f * inout->scale);
    gui_combo("##colors", &settings->colors, settings_colors, COLORS_COUNT,
              "What colors mean: materials, distance to the first viewport, error of normals, "
              "weights of the chosen joint or of all joints, or mix factors.");
    gui_check("Wireframe (X)##wire", &settings->has_wire, "The edges of triangles.");
    gui_check("Joints and bones (B)##bones", &settings->has_bones,
              "The skeleton, seen through the surface.");
    gui_check("Centers of rotation##centers", &settings->has_centers,
              "The point about which each vertex rotates under CRS.");
    gui_check("Boxes of meshes##boxes", &settings->has_boxes, "The bounding box of each mesh.");
    gui_check("Boxes of bones##joint_boxes", &settings->has_joint_boxes,
              "The box of the vertices of which a joint has the largest weight; it moves with the "
              "joint.");
    gui_check("Boxes of textures##texture_boxes", &settings->has_texture_boxes,
              "In viewports that play a texture: the box in which the positions of each joint or "
              "of each vertex stay over the clip, over which the texture's bits are spread.");
    gui_check("Normals (N)##normals", &settings->has_normals,
              "The normal of each vertex as a line, 1 % of the size.");
    gui_check("Facets##facets", &settings->has_facets, "Flat triangles, without normals.");
    gui_check("Textures##textures", &settings->has_textures, "Base colors from textures.");
    gui_check("Gray material (C)##gray", &settings->has_gray,
              "One gray material without textures: shape is easier to judge on it.");
    gui_check("Ground (G)##ground", &settings->has_ground, "A grid with a shadow.");
    gui_check("Turntable (T)##turntable", &settings->has_turntable, "The camera goes round.");
    gui_check("Rotation gizmo (J)##gizmo", &settings->has_gizmo,
              "Rings around the chosen joint; drag them to rotate it.");
}

// ---------------------------------------------------------------------------------------------
// Debug

static void show_matrix(const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    pelt_vec3 origin = pelt_mat34_translation(matrix);
    pelt_vec3 x = pelt_mat3_vector(&linear, pelt_vec3_make(1.0f, 0.0f, 0.0f));
    pelt_vec3 y = pelt_mat3_vector(&linear, pelt_vec3_make(0.0f, 1.0f, 0.0f));
    pelt_vec3 z = pelt_mat3_vector(&linear, pelt_vec3_make(0.0f, 0.0f, 1.0f));
    gui_mono("%8.4f %8.4f %8.4f %8.4f", (double)x.x, (double)y.x, (double)z.x, (double)origin.x);
    gui_mono("%8.4f %8.4f %8.4f %8.4f", (double)x.y, (double)y.y, (double)z.y, (double)origin.y);
    gui_mono("%8.4f %8.4f %8.4f %8.4f", (double)x.z, (double)y.z, (double)z.z, (double)origin.z);
}

static void show_dual_quaternion(const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix), rotation, stretch;
    pelt_mat3_polar(&rotation, &stretch, &linear);
    pelt_dquat motion =
        pelt_dquat_make(pelt_quat_from_mat3(&rotation), pelt_mat34_translation(matrix));
    gui_mono("%8.4f %8.4f %8.4f %8.4f  x y z w", (double)motion.real.x, (double)motion.real.y,
             (double)motion.real.z, (double)motion.real.w);
    gui_mono("%8.4f %8.4f %8.4f %8.4f  dual", (double)motion.dual.x, (double)motion.dual.y,
             (double)motion.dual.z, (double)motion.dual.w);
}

static void show_debug(view_app* inout)
{
    static const char* const forms[] = {"matrix", "dual quaternion"};
    view_settings* settings = &inout->settings;
    const view_model* model = inout->model;
    const pelt_scene* scene = model->character->scene;
    gui_text("%s", joint_name(inout));
    gui_combo("as##debug_form", &settings->debug_form, forms, 2, "How the transform is written.");
    gui_check("without inverse bind##debug_bind", &settings->debug_skips_bind,
              "Where the joint is, instead of its motion since the bind pose.");
    if (inout->joint == PELT_NONE)
    {
        return;
    }
    pelt_mat34 matrix = model->views[0].frame.model_from_node[inout->joint];
    for (uint32_t s = 0; s < scene->skin_count && !settings->debug_skips_bind; ++s)
    {
        uint32_t joint = pelt_skin_find_joint(&scene->skins[s], inout->joint);
        if (joint != PELT_NONE)
        {
            matrix = model->views[0].frame.palettes[s].matrices[joint];
            break;
        }
    }
    (settings->debug_form == 0 ? show_matrix : show_dual_quaternion)(&matrix);
}

// ---------------------------------------------------------------------------------------------

void panes_show_side(view_app* inout, gui_rect rect)
{
    view_settings* settings = &inout->settings;
    const struct
    {
        const char* label;
        bool* is_open;
        void (*show)(view_app* inout);
        const char* tip;
    } panes[] = {
        {"Parameters##section_parameters", &settings->has_parameters, show_parameters,
         "Mix, centers of rotation, conventions and textures."},
        {"Heat map##section_heat", &settings->has_heat, heat_pane_show,
         "What colors measure, their range, and the worst moment."},
        {"Doctor##section_doctor", &settings->has_doctor, doctor_pane_show,
         "What will go wrong with this character; a click goes there."},
        {"Pose##section_pose", &settings->has_pose, show_pose, "Rotate joints on top of the clip."},
        {"Show##section_show", &settings->has_show, panes_show_list,
         "What is drawn, and in which colors."},
        {"Debug##section_debug", &settings->has_debug, show_debug,
         "The transform of the chosen joint."}};
    gui_panel_begin("side", rect, GUI_PANEL_SIDE);
    for (size_t i = 0; i < sizeof panes / sizeof *panes && inout->model != NULL; ++i)
    {
        if (gui_section(panes[i].label, panes[i].is_open, panes[i].tip))
        {
            panes[i].show(inout);
            gui_space(4.0f);
        }
    }
    gui_panel_end();
}

// ---------------------------------------------------------------------------------------------
// Hints

// Where the vertices are moved, if that is not where settings ask for.
static void describe_skinning(char out[VIEW_HINT_BYTES], const view_app* in, uint32_t index)
{
    const viewport* view = &in->model->views[index];
    int skinning = in->settings.skinnings[index];
    bool has_texture = skinning == SKINNING_BONE_TEXTURE || skinning == SKINNING_VERTEX_TEXTURE;
    out[0] = '\0';
    if (view->is_from_bake)
    {
        char bytes[QUANTITY_BYTES];
        snprintf(out, VIEW_HINT_BYTES, "with reading back, %s",
                 quantity_size(bytes, pelt_baked_bytes(view->bake.baked)));
    }
    else if (has_texture && in->job.kind == JOB_BAKE)
    {
        snprintf(out, VIEW_HINT_BYTES, "on the CPU until it is baked");
    }
    else if (skinning != SKINNING_CPU && !view->is_on_gpu)
    {
        snprintf(out, VIEW_HINT_BYTES, "on the CPU: no such shader");
    }
}

static bool has_rotations(const pose_edit* in)
{
    bool has_any = false;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const float* degrees = in->edits[i].degrees;
        has_any = has_any || degrees[0] != 0.0f || degrees[1] != 0.0f || degrees[2] != 0.0f;
    }
    return has_any;
}

// What a texture shows in another way than the other viewports, so that distances mean little.
static const char* describe_texture(const view_app* in, uint32_t index)
{
    if (has_rotations(&in->edit))
    {
        return "no pose edits: a texture has clips only";
    }
    pelt_deform_options options = settings_deform_options(&in->settings, index);
    if (in->settings.skinnings[index] == SKINNING_VERTEX_TEXTURE &&
        pelt_method_info(options.method)->has_mix_factor && in->settings.mixes[index] < 0.0f &&
        joint_mix_has_any(&in->model->mix))
    {
        return "no painted factors: vertices were baked without";
    }
    if (in->playback.next_clip != PELT_NONE)
    {
        return in->settings.skinnings[index] == SKINNING_VERTEX_TEXTURE
                   ? "the fade blends vertices, not the pose"
                   : "the fade blends joints in model space";
    }
    return "";
}

uint32_t view_hints_write(char out[VIEW_HINT_MAX][VIEW_HINT_BYTES], const view_app* in,
                          uint32_t view)
{
    const viewport* shown = &in->model->views[view];
    uint32_t count = 0;
    if (shown->lacks_centers)
    {
        snprintf(out[count++], VIEW_HINT_BYTES, "%s",
                 app_needs_centers(in) || in->model->has_centers
                     ? "LBS until centers of rotation are solved"
                     : "LBS: there are no centers of rotation");
    }
    describe_skinning(out[count], in, view);
    count += out[count][0] != '\0' ? 1 : 0;
    if (shown->is_from_bake)
    {
        snprintf(out[count], VIEW_HINT_BYTES, "%s", describe_texture(in, view));
        count += out[count][0] != '\0' ? 1 : 0;
    }
    return count;
}
