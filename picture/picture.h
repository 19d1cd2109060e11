// SPDX-License-Identifier: MIT
// Pictures in memory: made, saved, loaded, and drawn on. Read it top to bottom, in the order of a
// program: a picture, files, animations, textures of a scene, drawing, text, legends, panels. No
// window and no GPU is needed. For pelt's own programs: a static library that is not installed.
#ifndef PELT_PICTURE_H
#define PELT_PICTURE_H

#include "pelt/color.h"
#include "pelt/io.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Pictures

/// Larger pictures are refused, made or loaded: a few bytes of a broken file could ask for more.
#define PELT_PICTURE_MAX_SIDE 16384u
#define PELT_PICTURE_MAX_PIXELS (1u << 26)

/// Up to this many pixels are decoded from any file, and more only if it has a byte for each 32 of
/// them: a large picture of one color takes 34 bytes as WebP.
#define PELT_PICTURE_FREE_PIXELS (1u << 24)
#define PELT_PICTURE_PIXELS_PER_BYTE 32u

/// Transparent black, width times height.
/// @param out  free with pelt_picture_destroy(); {0} after failure
pelt_result pelt_picture_create(pelt_picture* out, uint32_t width, uint32_t height,
                                pelt_error* error);
void pelt_picture_destroy(pelt_picture* picture); ///< {0} is allowed, and remains

// =============================================================================================
// Files

/// Write a PNG file that appears whole or not at all. Equal pixels give equal bytes, with the same
/// version of the compressor. An opaque picture is written without alpha.
/// @param software  goes into the file as its maker, Latin-1; NULL: no such note
pelt_result pelt_picture_save(const char* path, const pelt_picture* picture, const char* software,
                              pelt_error* error);

/// The same file in memory.
/// @param bytes  free with pelt_release(); NULL after failure
pelt_result pelt_picture_encode(uint8_t** bytes, size_t* size, const pelt_picture* picture,
                                const char* software, pelt_error* error);

/// Decode a PNG, JPEG or WebP file, told apart by their content; of an animation, the first frame.
/// Color profiles and the orientation of cameras are ignored, as glTF asks. Safe on any bytes: a
/// file that is broken or cut off is a result and a sentence.
/// @param name  of the file, for the sentence
pelt_result pelt_picture_decode(pelt_picture* out, const void* bytes, size_t size, const char* name,
                                pelt_error* error);

/// The same from a file.
pelt_result pelt_picture_load(pelt_picture* out, const char* path, pelt_error* error);

// =============================================================================================
// Animations
//
// Frames go in one by one and are compressed at once, so that memory holds two of them raw,
// however many there are.

typedef struct pelt_animation pelt_animation;

typedef struct pelt_animation_options
{
    float frames_per_second; ///< 0: 30
    float quality;           ///< of lossy WebP, up to 100; 0: lossless
    const char* software;    ///< note in PNG files; NULL: none
} pelt_animation_options;

/// Start an animation. The path says which kind:
///
///     rotate.webp            one animated WebP file that repeats for ever
///     frames/rotate%04d.png  a PNG file for each frame, numbered from 0
///
/// A pattern has exactly one number, `%d` or `%0Nd` with N from 1 to 9, in the name of the file.
/// @param options  NULL: defaults
pelt_result pelt_animation_begin(pelt_animation** out, const char* path,
                                 const pelt_animation_options* options, pelt_error* error);

/// Add a frame, as large as the first. WebP joins equal frames that follow each other into one that
/// lasts longer. After a failure, end or cancel: nothing more can be added.
pelt_result pelt_animation_add(pelt_animation* animation, const pelt_picture* frame,
                               pelt_error* error);

/// Write what is still to be written, whole or not at all, and free the animation in any case. At
/// least one frame must have been added. PNG files are on the disk since they were added.
pelt_result pelt_animation_end(pelt_animation* animation, pelt_error* error);

/// Free without writing; NULL is allowed. PNG files of frames that were added remain.
void pelt_animation_cancel(pelt_animation* animation);

// =============================================================================================
// Textures of a scene

/// The picture of a texture of a material: an image of the scene, or a file next to the source, see
/// pelt_texture_path().
/// @param source  path that was given to pelt_load(); NULL: images of the scene only
/// @param slot    PELT_ERROR_ARGUMENT when the material has no texture there
pelt_result pelt_texture_load(pelt_picture* out, const char* source, const pelt_scene* scene,
                              uint32_t material, pelt_texture_slot slot, pelt_error* error);

/// All pictures of a scene together have at most so many pixels, and more only where their files
/// have a byte for each 8 of them: 78 kB could else name pictures that take gigabytes. A picture
/// that some materials show opaque and others with alpha counts twice, since a GPU holds it twice.
#define PELT_TEXTURES_FREE_PIXELS (1u << 25)
#define PELT_TEXTURES_PIXELS_PER_BYTE 8u

/// The pictures of all materials.
typedef struct pelt_textures
{
    uint32_t count;         ///< of materials
    pelt_picture* pictures; ///< PELT_SLOT_COUNT for each material; {0}: no texture, or left out.
                            ///< Those of one image are decoded once, and share their pixels
    pelt_picture* decoded;  ///< owns the pixels
    uint32_t decoded_count;
    uint32_t left_out_count; ///< textures whose picture is missing, broken or too large
    char note[600];          ///< why the first of them was left out; "": none was
} pelt_textures;

/// pelt_texture_load() for all materials. Materials share a picture when they name the same image,
/// images with the same bytes, or the same file. A picture that cannot be loaded is left out.
/// @param out  free with pelt_textures_destroy(); {0} after failure
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelt_textures_load(pelt_textures* out, const char* source, const pelt_scene* scene,
                               pelt_error* error);
void pelt_textures_destroy(pelt_textures* textures); ///< {0} is allowed, and remains

// =============================================================================================
// Drawing
//
// What does not fit into the picture is cut off. Nothing here allocates or fails.

/// Pixels x to x + width - 1, y to y + height - 1; y grows downwards.
typedef struct pelt_rect
{
    int32_t x, y;
    uint32_t width, height;
} pelt_rect;

/// Set every pixel, alpha included.
void pelt_picture_clear(pelt_picture* picture, pelt_color color);

/// Lay a color over a rectangle: an opaque one replaces what was there.
void pelt_picture_fill(pelt_picture* picture, pelt_rect rect, pelt_color color);

/// A frame of that many pixels, inside the edge of the rectangle.
void pelt_picture_outline(pelt_picture* picture, pelt_rect rect, uint32_t thickness,
                          pelt_color color);

/// Copy a picture with its upper left corner at x, y, alpha included. Not onto itself.
void pelt_picture_blit(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source);

/// Lay a picture over another by its alpha. Not onto itself.
void pelt_picture_blend(pelt_picture* picture, int32_t x, int32_t y, const pelt_picture* source);

/// One color over another, straight alpha on both sides.
pelt_color pelt_color_over(pelt_color below, pelt_color above);

// =============================================================================================
// Text
//
// One line in pelt's own stroke font: printable ASCII, and the signs for degree, plus-minus, times
// and micro in UTF-8. Any other character is shown as a box. Digits are equally wide.

typedef enum pelt_align
{
    PELT_ALIGN_LEFT = 0,
    PELT_ALIGN_CENTER,
    PELT_ALIGN_RIGHT,
} pelt_align;

typedef struct pelt_text_style
{
    float size;       ///< height of a line in pixels, 6 to 512; 0: 16
    pelt_color color; ///< {0} is transparent: nothing is seen
    pelt_align align; ///< which side of the line x is
} pelt_text_style;

/// Pixels from left to right. The width of a text is the sum of the widths of its parts.
uint32_t pelt_text_width(const char* text, float size);

/// Pixels from top to bottom, the same for every text.
uint32_t pelt_text_height(float size);

/// Draw a line with its top at y. All of its ink is inside pelt_text_width() x pelt_text_height().
void pelt_text_draw(pelt_picture* picture, int32_t x, int32_t y, const char* text,
                    const pelt_text_style* style);

// =============================================================================================
// Legends of the colors of numbers, see color.h

typedef struct pelt_legend
{
    pelt_color_map map;
    float low, high;   ///< numbers of the two ends, finite and low < high
    const char* title; ///< what is shown and its unit, "distance (mm)"; NULL: none
    float size;        ///< of the text; 0: 16
    pelt_color ink;    ///< of text, ticks and edge; {0}: white

    /// For colors that are no numbers: parts of the bar instead of the map, each with its name
    /// below where that fits.
    uint32_t part_count; ///< 0: a map
    const pelt_color* parts;
    const char* const* part_names;
} pelt_legend;

/// Rows of pixels that a legend needs.
uint32_t pelt_legend_height(const pelt_legend* legend);

/// Draw a bar of colors with ticks at round numbers, over what is there, from the top of the
/// rectangle down; its width is that of the rectangle.
void pelt_legend_draw(pelt_picture* picture, pelt_rect rect, const pelt_legend* legend);

// =============================================================================================
// Panels

typedef struct pelt_panel
{
    const pelt_picture* picture; ///< all of the same size
    const char* label;           ///< above it, cut with "..." where too long; NULL: none
} pelt_panel;

typedef struct pelt_panel_options
{
    uint32_t columns;          ///< 0: all in one row
    uint32_t gap;              ///< pixels between and around the pictures; 0: half the text size
    float size;                ///< of the labels; 0: 16
    pelt_color ink;            ///< of the labels; {0}: white
    pelt_color paper;          ///< behind everything; {0}: dark gray
    const char* title;         ///< above all panels, in larger letters; NULL: none
    const pelt_legend* legend; ///< below all panels; NULL: none
} pelt_panel_options;

/// Compose pictures of one size side by side, each with its label, to compare them.
/// @param out      free with pelt_picture_destroy(); {0} after failure
/// @param count    at least 1
/// @param options  NULL: defaults
pelt_result pelt_panels_compose(pelt_picture* out, const pelt_panel* panels, uint32_t count,
                                const pelt_panel_options* options, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
