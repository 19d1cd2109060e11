// SPDX-License-Identifier: MIT
// Commands of the program, with the n-th allocation of the whole process failing, for every n. Each
// run ends as if nothing had happened, or with one sentence about memory and nothing written. All
// memory is released in either case.
//
//     allocation_sweep PELT FAILING_MALLOC_SO
//
// PELT_SWEEP=full tries every n; otherwise commands that allocate often are tried at intervals.
#define _XOPEN_SOURCE 700

#include "failing_malloc.h"
#include "sweep_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    WORD_MAX = 16,
    DENSE = 48,        // as many are tried one by one, then one of STRIDE
    STRIDE = 23,       // prime, so that what repeats is met at different allocations
    SLOW_STRIDE = 127, // where a command takes long, such as a driver to start
    COMPLAINT_MAX = 5, // of one command
    PATIENCE = 120,    // seconds
    EXIT_UNSUPPORTED = 3,
    EXIT_LAST = 4,
};

typedef struct sweep_case
{
    const char* words[WORD_MAX]; ///< of the command line, after "pelt"
    const char* placed;          ///< an input that is copied to the folder of the command
    bool needs_driver;           ///< of OpenGL
    bool is_slow;                ///< others that take longer than most
} sweep_case;

// Inputs lie in ../in; see make_inputs().
static const sweep_case cases[] = {
    {.words = {"rig"}},
    {.words = {"help", "--json"}},
    {.words = {"rig", "--json", "-o", "list.json"}},
    {.words = {"rig", "box", "-o", "box.glb", "--json"}},
    {.words = {"rig", "box", "-o", "box.obj", "--json"}},
    {.words = {"info", "rig:bar"}},
    {.words = {"info", "rig:bar", "--joints", "--gpu", "-o", "info.txt"}},
    {.words = {"info", "rig:bar", "--json", "--gpu"}},
    {.words = {"info", "../in/limb.gltf", "--json"}},
    {.words = {"doctor", "../in/limb.gltf", "--sarif", "limb.sarif"}},
    {.words = {"doctor", "../in/limb.gltf", "--fix", "-o", "limb.glb", "--json"}},
    {.words = {"compare", "../in/limb.gltf", "--frames", "5", "--no-pictures", "--no-times", "-o",
               "report"}},
    {.words = {"compare", "../in/enhanced.glb", "--method", "lbs,crs", "--frames", "2",
               "--no-pictures", "--no-times", "-o", "report"}},
    {.words = {"convert", "../in/limb.gltf", "-o", "limb.glb", "--json"}},
    {.words = {"convert", "../in/enhanced.glb", "-o", "limb.gltf"}},
    {.words = {"convert", "../in/limb.gltf", "--clip", "move=moved", "--trim", "0:0.5", "--fps",
               "9", "--simplify-keys", "1mm", "--max-influences", "1", "-o", "limb.glb"}},
    {.words = {"convert", "../in/limb.gltf", "--clips", "../in/limb.gltf", "--retarget-rest", "-o",
               "limb.glb", "--json"}},
    {.words = {"convert", "../in/limb.gltf", "-o", "limb.gltf"}},
    {.words = {"convert", "../in/enhanced.glb", "--quantize", "--meshopt", "-o", "limb.glb",
               "--json"}},
    {.words = {"enhance", "../in/limb.gltf", "--cor", "--normals", "-o", "limb.glb", "--json"}},
    {.words = {"enhance", "arm.glb", "--cor", "-o", "arm.glb"}, .placed = "arm.glb"},
    {.words = {"enhance", "../in/limb.gltf", "--mix-map", "--mix-frames", "2", "-o", "limb.glb",
               "--json"}},
    {.words = {"enhance", "../in/limb.gltf", "--bounds", "-o", "limb.glb", "--json"}},
    {.words = {"info", "../in/boxed.gltf", "--bounds", "--json"}},
    {.words = {"enhance", "../in/limb.gltf", "--cor", "--carrier", "texcoord", "-o", "limb.glb"}},
    {.words = {"enhance", "../in/carried.gltf", "--normals", "-o", "limb.gltf"}},
    {.words = {"enhance", "../in/still.gltf", "--mix-map", "--mix-frames", "2", "-o", "limb.glb"}},
    {.words = {"enhance", "../in/enhanced.glb", "--normals", "--normal-bits", "8", "-o",
               "limb.glb"}},
    // Large enough for its arrays to be allocated one by one.
    {.words = {"enhance", "rig:arm", "--twist", "auto", "--cor", "-o", "arm.gltf", "--json"},
     .is_slow = true},
    {.words = {"enhance", "../in/limb.gltf", "--helpers", "1", "-o", "limb.glb", "--json"}},
    {.words = {"deform", "../in/limb.gltf", "--method", "ddm", "-o", "limb.obj"}},
    {.words = {"deform", "rig:bar", "--clip", "bend90", "--time", "0.4", "-o", "bar.obj",
               "--json"}},
    {.words = {"deform", "rig:bar", "--method", "crs", "--normals", "recompute", "-o", "bar.ply"}},
    {.words = {"deform", "rig:arm", "--pose", "@../in/pose.json", "-o", "-", "--format", "glb"}},
    {.words = {"bake", "../in/limb.gltf", "-o", "limb", "--json"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "local", "--max-error", "1mm", "--socket",
               "tip", "-o", "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "matrix", "--format", "exr", "-o", "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "dq", "--format", "dds", "-o", "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "dq", "--bake-layout", "thesis", "--format",
               "png", "-o", "limb", "--force"}},
    {.words = {"bake", "../in/limb.gltf", "--max-bytes", "2000", "-o", "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "vertex", "--format", "png", "--openvat",
               "-o", "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "vertex", "--max-error", "1mm", "-o",
               "limb"}},
    {.words = {"bake", "../in/limb.gltf", "--encoding", "vertex", "--max-bytes", "4000", "--format",
               "raw", "-o", "limb"}},
    {.words = {"unbake", "../in/baked/limb.json", "-o", "limb.glb", "--json"}},
    {.words = {"unbake", "../in/vertices/limb.json", "-o", "limb.glb"}},
    {.words = {"shaders", "--lang", "glsl", "-o", "shaders", "--json"}},
    {.words = {"shaders", "--lang", "wgsl", "--method", "dqs", "-o", "shaders"}},
    {.words = {"reproduce", "mix2019:section6.2", "-o", "figures"}, .is_slow = true},
    {.words = {"reproduce", "mix2019:algorithm1", "--json"}, .is_slow = true},
    {.words = {"reproduce", "--list", "--json"}},
    {.words = {"render", "../in/uppercase.gltf", "--size", "64x48", "-o", "limb.png", "--json"},
     .needs_driver = true},
    {.words = {"render", "rig:box", "--size", "64x48", "--view", "orbit", "--fps", "1", "--method",
               "lbs,dqs", "-o", "box.webp"},
     .needs_driver = true},
    {.words = {"render", "../in/enhanced.glb", "--clip", "move", "--size", "64x48", "--show",
               "wire,bones,cors,weights", "--normals", "accurate", "--skinning", "gpu", "--fps",
               "1", "-o", "%d.png"},
     .needs_driver = true},
};

// ---------------------------------------------------------------------------------------------
// Inputs

// A skinned triangle with a morph target, a clip, a texture in another file, and extras with long
// names: whatever a JSON library, a search for files or a decoder of pictures has to find memory
// for.
static const char limb_gltf[] =
    "{\"asset\":{\"version\":\"2.0\",\"extras\":{\"made_by_somebody_with_a_long_name\":true}},"
    "\"extras\":{\"a\":1,\"b\":[1,2.5,null],\"a_member_with_a_rather_long_name\":{\"c\":\"d\"},"
    "\"text\":\"long enough to make the buffer of a reader grow more than once, and once more\"},"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"name\":\"the skinned triangle\",\"mesh\":0,\"skin\":0},"
    "{\"name\":\"root\",\"children\":[2]},{\"name\":\"tip\",\"translation\":[1,0,0]}],"
    "\"skins\":[{\"joints\":[1,2]}],"
    "\"materials\":[{\"name\":\"paint\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":"
    "{\"baseColorTexture\":{\"index\":0}}}],"
    "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"white.png\"}],"
    "\"meshes\":[{\"name\":\"triangle\",\"extras\":{\"targetNames\":[\"lifted\"]},"
    "\"primitives\":[{\"material\":0,\"extras\":{\"kept\":\"as it is\"},\"attributes\":"
    "{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"JOINTS_0\":3,\"WEIGHTS_0\":4},"
    "\"targets\":[{\"POSITION\":1}]}]}],"
    "\"animations\":[{\"name\":\"move\",\"channels\":[{\"sampler\":0,\"target\":"
    "{\"node\":2,\"path\":\"translation\"}}],\"samplers\":[{\"input\":5,\"output\":6}]}],"
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,0]},"
    "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":72,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},"
    "{\"bufferView\":0,\"byteOffset\":96,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":108,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":156,\"componentType\":5126,\"count\":2,"
    "\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
    "{\"bufferView\":0,\"byteOffset\":164,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":188}],"
    "\"buffers\":[{\"uri\":\"limb.bin\",\"byteLength\":188}]}";

static const struct
{
    float positions[9], normals[9], uvs[6];
    uint8_t joints[12];
    float weights[12], times[2], translations[6];
} limb_bin = {
    .positions = {0, 0, 0, 1, 0, 0, 0, 1, 0},
    .normals = {0, 0, 1, 0, 0, 1, 0, 0, 1},
    .uvs = {0, 0, 1, 0, 0, 1},
    .joints = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0},
    .weights = {0.75f, 0.25f, 0, 0, 0.25f, 0.75f, 0, 0, 0.5f, 0.5f, 0, 0},
    .times = {0, 1},
    .translations = {1, 0, 0, 1, 1, 0},
};

// One pixel.
static const uint8_t white_png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
    0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0x1c, 0xb0, 0x8c, 0x99, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

// ---------------------------------------------------------------------------------------------
// One run

typedef struct sweep
{
    const char *program, *preload;
    bool is_full;
} sweep;

/// What a run is disturbed by.
typedef struct disturbance
{
    unsigned number;  ///< of the allocation that fails
    bool is_for_ever; ///< all after it fail, too
} disturbance;

typedef struct outcome
{
    int status;       ///< as of waitpid()
    blob files;       ///< where it ran, afterwards
    blob out, errors; ///< both streams
    blob origin;      ///< who asked for the memory that failed; empty: nobody, all was given
} outcome;

/// A program that is loaded once for all runs of a command: see failing_malloc.h.
typedef struct server
{
    pid_t process;
    int requests, answers;
} server;

static void redirect(const char* path, int descriptor)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0)
    {
        _exit(127);
    }
    close(file);
}

/// @param is_served  runs that are disturbed, when they are asked for
static void become_program(const sweep* in, const sweep_case* what, bool is_served)
{
    char* words[WORD_MAX + 4] = {(char*)in->program};
    size_t count = 1;
    for (const char* const* word = what->words; *word != NULL; ++word)
    {
        words[count++] = (char*)*word;
    }
    // One thread, so that the n-th allocation is the same one in every run.
    words[count++] = "--threads";
    words[count++] = "1";
    redirect("../out", STDOUT_FILENO);
    redirect("../errors", STDERR_FILENO);
    redirect("../origin", FAIL_REPORT);
    if (is_served)
    {
        char report[8];
        snprintf(report, sizeof report, "%d", FAIL_REPORT);
        setenv("LD_PRELOAD", in->preload, 1);
        setenv("PELT_FAIL_SERVE", "1", 1);
        setenv("PELT_FAIL_REPORT", report, 1);
        setenv("PELT_FAIL_LIBC", what->needs_driver ? "0" : "1", 1);
    }
    else
    {
        alarm(PATIENCE);
    }
    execv(in->program, words);
    _exit(127);
}

static void move_descriptor(int from, int to)
{
    if (from != to && (dup2(from, to) < 0 || close(from) != 0))
    {
        _exit(127);
    }
}

static server server_start(const sweep* in, const sweep_case* what)
{
    int requests[2], answers[2];
    if (pipe(requests) != 0 || pipe(answers) != 0)
    {
        perror("allocation_sweep");
        exit(1);
    }
    fflush(stdout);
    pid_t process = fork();
    if (process == 0)
    {
        close(requests[1]);
        close(answers[0]);
        move_descriptor(answers[1], FAIL_ANSWERS);
        move_descriptor(requests[0], FAIL_REQUESTS);
        become_program(in, what, true);
    }
    close(requests[0]);
    close(answers[1]);
    return (server){process, requests[1], answers[0]};
}

static void server_stop(server* s)
{
    close(s->requests);
    close(s->answers);
    waitpid(s->process, NULL, 0);
}

static void place_input(const sweep_case* what)
{
    folder_clear(".");
    if (what->placed != NULL)
    {
        char path[64];
        snprintf(path, sizeof path, "../in/%s", what->placed);
        blob content = folder_read(path);
        folder_write(what->placed, content.bytes, content.size);
        blob_free(&content);
    }
}

static outcome outcome_read(int status)
{
    return (outcome){.status = status,
                     .files = folder_snapshot("."),
                     .out = folder_read("../out"),
                     .errors = folder_read("../errors"),
                     .origin = folder_read("../origin")};
}

static outcome run_whole(const sweep* in, const sweep_case* what)
{
    place_input(what);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        become_program(in, what, false);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return outcome_read(status);
}

static outcome run_disturbed(const server* s, const sweep_case* what, disturbance by)
{
    place_input(what);
    fail_request request = {.at = by.is_for_ever ? 0 : by.number,
                            .from = by.is_for_ever ? by.number : 0,
                            .patience = PATIENCE};
    int status = -1;
    if (write(s->requests, &request, sizeof request) != (ssize_t)sizeof request ||
        read(s->answers, &status, sizeof status) != (ssize_t)sizeof status)
    {
        status = -1;
    }
    return outcome_read(status);
}

static void outcome_free(outcome* in)
{
    blob_free(&in->files);
    blob_free(&in->out);
    blob_free(&in->errors);
    blob_free(&in->origin);
}

/// The limb with a part of its text replaced by another one of the same length.
static void write_variant(const char* path, const char* from, const char* to)
{
    char text[sizeof limb_gltf];
    memcpy(text, limb_gltf, sizeof limb_gltf);
    memcpy(strstr(text, from), to, strlen(to));
    folder_write(path, text, strlen(text));
}

static void make_inputs(const sweep* in)
{
    static const sweep_case made[] = {
        {.words = {"rig", "arm?vertices=300", "-o", "../in/arm.glb"}},
        {.words = {"bake", "../in/limb.gltf", "-o", "../in/baked"}},
        {.words = {"bake", "../in/limb.gltf", "--encoding", "vertex", "-o", "../in/vertices"}},
        {.words = {"enhance", "../in/limb.gltf", "--cor", "--normals", "-o", "../in/enhanced.glb"}},
        {.words = {"enhance", "../in/limb.gltf", "--bounds", "-o", "../in/boxed.gltf"}},
        {.words = {"enhance", "../in/limb.gltf", "--cor", "--carrier", "texcoord", "-o",
                   "../in/carried.gltf"}},
    };
    static const char pose[] = "{\"elbow\": {\"axis\": [0, 0, 1], \"degrees\": 90}}";
    folder_write("../in/pose.json", pose, strlen(pose));
    folder_write("../in/limb.gltf", limb_gltf, strlen(limb_gltf));
    // The same, but its texture is found only by looking through the folder.
    write_variant("../in/uppercase.gltf", "white.png", "WHITE.png");
    // The same without clips.
    write_variant("../in/still.gltf", "animations", "annotation");
    folder_write("../in/limb.bin", &limb_bin, sizeof limb_bin);
    folder_write("../in/white.png", white_png, sizeof white_png);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i)
    {
        outcome run = run_whole(in, &made[i]);
        outcome_free(&run);
    }
}

// ---------------------------------------------------------------------------------------------
// What has to hold

// Times are those of the run.
static bool is_same_text(blob a, blob b)
{
    size_t i = 0, k = 0;
    while (i < a.size && k < b.size)
    {
        size_t x = i, y = k;
        i = blob_line_end(a, i);
        k = blob_line_end(b, k);
        bool is_time = blob_has(a, x, i, "seconds") && blob_has(b, y, k, "seconds");
        if (!is_time && (i - x != k - y || memcmp(a.bytes + x, b.bytes + y, i - x) != 0))
        {
            return false;
        }
    }
    return i == a.size && k == b.size;
}

// Notes come first, as in the whole run; the error is one sentence after them.
static bool is_sentence_on_memory(blob text, blob notes)
{
    size_t note = 0, end = 0;
    do
    {
        note = end;
        end = note < notes.size ? blob_line_end(notes, note) : note;
    } while (end > note && end < text.size &&
             memcmp(text.bytes + note, notes.bytes + note, end - note) == 0);
    text.bytes += note;
    text.size -= note;
    return text.size > 0 && blob_line_end(text, 0) == text.size &&
           blob_has(text, 0, text.size, "pelt: ") && blob_has(text, 0, text.size, "memory");
}

/// @return what is wrong; NULL: nothing
static const char* judge(const outcome* got, const outcome* whole, blob untouched)
{
    if (!WIFEXITED(got->status))
    {
        return "it was ended by a signal";
    }
    int code = WEXITSTATUS(got->status);
    if (code == 0)
    {
        return !blob_is_same(got->files, whole->files) ? "exit 0, but its files are not the same"
               : !is_same_text(got->out, whole->out)   ? "exit 0, but its output is not the same"
                                                       : NULL;
    }
    return code == FAIL_EXIT_LEAK ? "it has not released all of its memory"
           : code > EXIT_LAST     ? "no documented exit code"
           : !is_sentence_on_memory(got->errors, whole->errors) ? "not one sentence about memory"
           : !blob_is_same(got->files, untouched)               ? "it has left or changed files"
           : got->out.size > 0 ? "it has written part of its output"
                               : NULL;
}

static void print_case(const sweep_case* what)
{
    for (const char* const* word = what->words; *word != NULL; ++word)
    {
        printf(" %s", *word);
    }
}

static void complain(const sweep_case* what, disturbance by, const outcome* got, const char* wrong)
{
    printf("FAIL pelt");
    print_case(what);
    printf(": allocation %u%s by %.*s: %s (status %d)\n%.*s", by.number,
           by.is_for_ever ? " and all after it," : ",", (int)got->origin.size, got->origin.bytes,
           wrong, got->status, (int)got->errors.size, got->errors.bytes);
}

/// @return number of complaints
static unsigned sweep_kind(const sweep* in, const sweep_case* what, const outcome* whole,
                           bool is_for_ever)
{
    server loaded = server_start(in, what);
    place_input(what);
    blob untouched = folder_snapshot(".");
    // What survives each allocation alone mostly survives the loss of all.
    unsigned dense = in->is_full ? ~0u : is_for_ever || what->needs_driver ? 0 : DENSE;
    unsigned stride = what->needs_driver || what->is_slow ? SLOW_STRIDE : STRIDE;
    unsigned complaints = 0;
    bool is_over = false;
    for (unsigned n = 1; !is_over && complaints < COMPLAINT_MAX; n += n < dense ? 1 : stride)
    {
        disturbance by = {n, is_for_ever};
        outcome got = run_disturbed(&loaded, what, by);
        is_over = got.origin.size == 0;
        const char* wrong =
            is_over && n == 1 ? "no allocation was made to fail" : judge(&got, whole, untouched);
        if (wrong != NULL)
        {
            complain(what, by, &got, wrong);
            ++complaints;
        }
        outcome_free(&got);
    }
    blob_free(&untouched);
    server_stop(&loaded);
    return complaints;
}

typedef enum verdict
{
    PASSED,
    FAILED,
    SKIPPED,
    VERDICT_COUNT,
} verdict;

static verdict sweep_command(const sweep* in, const sweep_case* what)
{
    outcome whole = run_whole(in, what);
    verdict result = PASSED;
    int code = WIFEXITED(whole.status) ? WEXITSTATUS(whole.status) : -1;
    if (code == EXIT_UNSUPPORTED && what->needs_driver)
    {
        printf("SKIP pelt");
        print_case(what);
        printf(": no OpenGL here\n");
        result = SKIPPED;
    }
    else if (code != 0)
    {
        complain(what, (disturbance){0}, &whole, "it fails undisturbed");
        result = FAILED;
    }
    else if (sweep_kind(in, what, &whole, false) + sweep_kind(in, what, &whole, true) > 0)
    {
        result = FAILED;
    }
    outcome_free(&whole);
    return result;
}

int main(int count, char** words)
{
    const char* extent = getenv("PELT_SWEEP");
    sweep all = {.is_full = extent != NULL && strcmp(extent, "full") == 0};
    // Thousands of files are written and forced to the disk: better one in memory.
    char memory[] = "/dev/shm/pelt_sweep_XXXXXX", disk[] = "/tmp/pelt_sweep_XXXXXX";
    char* root = access("/dev/shm", W_OK) == 0 ? memory : disk;
    if (count < 3 || mkdtemp(root) == NULL)
    {
        fprintf(stderr, "usage: allocation_sweep PELT FAILING_MALLOC_SO [WORD]\n");
        return 1;
    }
    all.program = realpath(words[1], NULL);
    all.preload = realpath(words[2], NULL);
    folder_enter(root);
    make_inputs(&all);
    unsigned count_of[VERDICT_COUNT] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        if (count == 3 || strcmp(words[3], cases[i].words[0]) == 0)
        {
            ++count_of[sweep_command(&all, &cases[i])];
        }
    }
    folder_leave(root);
    free((void*)all.program);
    free((void*)all.preload);
    printf("%u passed, %u failed, %u skipped\n", count_of[PASSED], count_of[FAILED],
           count_of[SKIPPED]);
    return count_of[FAILED] == 0 ? 0 : 1;
}
