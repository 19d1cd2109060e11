// SPDX-License-Identifier: MIT
// A window of SDL that plays a GLB file, skinned on the GPU by centers of rotation.
// Usage: gpu_window INPUT [FRAMES], which ends after so many frames.
#include <pelt/gl.h>
#include <pelt/io.h>
#include <pelt/prepare.h>
#include <pelt/render.h>

#include <SDL.h>
#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>

static const char vertex_main[] =
    "uniform mat4 clip_from_model;\n"
    "out vec3 normal;\n"
    "void main()\n"
    "{\n"
    "    pelt_vertex vertex = pelt_skin();\n"
    "    normal = vertex.normal;\n"
    "    gl_Position = clip_from_model * vec4(vertex.position, 1.0);\n"
    "}\n";
static const char fragment_text[] =
    "in vec3 normal;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    float light = 0.35 + 0.65 * max(dot(normalize(normal), vec3(0.4, 0.7, 0.6)), 0.0);\n"
    "    color = vec4(light * vec3(0.9, 0.75, 0.6), 1.0);\n"
    "}\n";

typedef struct player
{
    pelt_scene* scene;
    pelt_gl* gl;
    pelt_frame frame;
    pelt_pose pose;
    pelt_gl_mesh* meshes;      // one per mesh
    pelt_gl_palette* palettes; // one per skin
    pelt_bounds box;
} player;

static pelt_result load(player* p, const char* path, pelt_error* error)
{
    PELT_TRY(pelt_load(&p->scene, path, NULL, error));
    PELT_TRY(
        pelt_scene_add_cors(p->scene, PELT_PREPARE_MISSING, NULL, NULL, p->scene->arena, error));
    PELT_TRY(pelt_gl_create(&p->gl, PELT_GL_CURRENT, error));
    p->meshes = calloc(p->scene->mesh_count + 1, sizeof *p->meshes);
    p->palettes = calloc(p->scene->skin_count + 1, sizeof *p->palettes);
    if (p->meshes == NULL || p->palettes == NULL ||
        pelt_frame_create(&p->frame, p->scene) != PELT_OK ||
        pelt_pose_create(&p->pose, p->scene) != PELT_OK ||
        pelt_scene_bounds(&p->box, p->scene, NULL) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < p->scene->mesh_count; ++i)
    {
        PELT_TRY(pelt_gl_mesh_create(&p->meshes[i], p->gl, &p->scene->meshes[i], NULL, error));
    }
    for (uint32_t i = 0; i < p->scene->skin_count; ++i)
    {
        PELT_TRY(pelt_gl_palette_create(&p->palettes[i], p->gl, p->scene->skins[i].joint_count,
                                        PELT_PALETTE_AUTO, error));
    }
    return PELT_OK;
}

// One picture. Instances without a skin are left out.
static pelt_result draw(player* p, float time, int width, int height, pelt_error* error)
{
    const pelt_deform_options options = {.method = PELT_METHOD_CRS};
    uint32_t clip = pelt_scene_default_clip(p->scene);
    if (clip != PELT_NONE)
    {
        pelt_pose_sample(&p->pose, p->scene, &p->scene->clips[clip], time, PELT_WRAP_LOOP);
    }
    pelt_frame_pose(&p->frame, p->scene, &p->pose, &options);
    for (uint32_t i = 0; i < p->scene->skin_count; ++i)
    {
        pelt_gl_palette_update(&p->palettes[i], &p->frame.palettes[i], options.method,
                               options.scale_pivot);
    }
    float aspect = (float)width / (float)height, clip_from_model[16];
    pelt_camera camera = pelt_camera_frame(&p->box, 0.5f, 0.2f, aspect);
    float size = pelt_bounds_diagonal(&p->box);
    camera.near_plane = 0.05f * size;
    camera.far_plane = 20.0f * size;
    pelt_camera_matrix(clip_from_model, &camera, aspect);
    glViewport(0, 0, width, height);
    glClearColor(0.15f, 0.2f, 0.25f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    for (uint32_t i = 0; i < p->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &p->scene->instances[i];
        if (instance->skin == PELT_NONE)
        {
            continue;
        }
        const pelt_gl_mesh* mesh = &p->meshes[instance->mesh];
        const pelt_gl_palette* palette = &p->palettes[instance->skin];
        pelt_gl_program_desc desc = pelt_gl_program_desc_of(mesh, palette);
        desc.vertex_main = vertex_main;
        desc.fragment = fragment_text;
        pelt_gl_program program;
        PELT_TRY(pelt_gl_program_get(&program, p->gl, &desc, error)); // compiled the first time
        pelt_gl_program_use(&program, palette, 0.5f);
        glUniformMatrix4fv(glGetUniformLocation(program.name, "clip_from_model"), 1, GL_FALSE,
                           clip_from_model);
        pelt_gl_mesh_draw(mesh);
    }
    return PELT_OK;
}

static void destroy(player* p)
{
    for (uint32_t i = 0; p->meshes != NULL && i < p->scene->mesh_count; ++i)
    {
        pelt_gl_mesh_destroy(&p->meshes[i]);
    }
    for (uint32_t i = 0; p->palettes != NULL && i < p->scene->skin_count; ++i)
    {
        pelt_gl_palette_destroy(&p->palettes[i]);
    }
    free(p->meshes);
    free(p->palettes);
    pelt_pose_destroy(&p->pose);
    pelt_frame_destroy(&p->frame);
    pelt_gl_destroy(p->gl);
    pelt_scene_destroy(p->scene);
}

// How many pixels show the character: what a test asks.
static int count_lit(int width, int height)
{
    unsigned char* pixels = malloc((size_t)width * (size_t)height * 4);
    int count = 0;
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int i = 0; pixels != NULL && i < width * height; ++i)
    {
        count += pixels[4 * i] > pixels[4 * i + 2]; // the background is blue
    }
    free(pixels);
    return count;
}

int main(int argc, char** argv)
{
    pelt_error error = {"usage: gpu_window INPUT [FRAMES]"};
    if (argc < 2 || SDL_Init(SDL_INIT_VIDEO) != 0)
    {
        fprintf(stderr, "%s\n", argc < 2 ? error.message : SDL_GetError());
        return 1;
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window* window = SDL_CreateWindow("pelt", 0, 0, 640, 480, SDL_WINDOW_OPENGL);
    SDL_GLContext context = window != NULL ? SDL_GL_CreateContext(window) : NULL;
    player p = {0};
    pelt_result result = context != NULL
                             ? load(&p, argv[1], &error)
                             : pelt_error_set(&error, PELT_ERROR_UNSUPPORTED, "%s", SDL_GetError());
    int frames = argc > 2 ? atoi(argv[2]) : -1, lit = 0;
    for (SDL_Event event = {0}; result == PELT_OK && event.type != SDL_QUIT && frames != 0;
         --frames)
    {
        result = draw(&p, (float)SDL_GetTicks() / 1000.0f, 640, 480, &error);
        lit = frames == 1 ? count_lit(640, 480) : 0;
        SDL_GL_SwapWindow(window);
        while (SDL_PollEvent(&event) && event.type != SDL_QUIT)
        {
        }
    }
    if (result == PELT_OK)
    {
        printf("%d pixels show the character\n", lit);
    }
    else
    {
        fprintf(stderr, "%s\n", error.message);
    }
    destroy(&p);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return result == PELT_OK ? 0 : 1;
}
