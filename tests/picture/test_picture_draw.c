// SPDX-License-Identifier: MIT
// Drawing, text, colors of numbers and panels.
#include "picture_fixture.h"

#include "test.h"

static const pelt_color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};

static bool is_color(pelt_color a, pelt_color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

static uint32_t count_color(const pelt_picture* picture, pelt_color color)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < picture->width * picture->height; ++i)
    {
        count += is_color(picture->pixels[i], color);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Rectangles and pictures

static int what_does_not_fit_is_cut_off(void)
{
    static const struct
    {
        pelt_rect rect;
        uint32_t inside;
    } cases[] = {{{0, 0, 10, 8}, 80},
                 {{-3, -3, 5, 5}, 4},
                 {{8, 6, 100, 100}, 4},
                 {{10, 0, 5, 5}, 0},
                 {{0, -5, 5, 5}, 0},
                 {{-5, 2, 100, 1}, 10},
                 {{INT32_MIN, INT32_MIN, UINT32_MAX, UINT32_MAX}, 80},
                 {{INT32_MAX, INT32_MAX, UINT32_MAX, UINT32_MAX}, 0},
                 {{2, 2, 0, 3}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_picture p;
        ENSURE(pelt_picture_create(&p, 10, 8, NULL) == PELT_OK);
        pelt_picture_fill(&p, cases[i].rect, white);
        ENSURE(count_color(&p, white) == cases[i].inside);
        pelt_picture_destroy(&p);
    }
    return 0;
}

static int pictures_land_where_they_are_put(void)
{
    static const int32_t positions[][2] = {
        {2, 1}, {-2, -1}, {8, 6}, {-4, 0}, {10, 0}, {0, -9}, {-1000, 2000}, {INT32_MIN, INT32_MAX}};
    pelt_picture small;
    ENSURE(picture_fill_noise(&small, 4, 3, false, 2));
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; ++i)
    {
        pelt_picture copied, laid;
        ENSURE(pelt_picture_create(&copied, 10, 8, NULL) == PELT_OK);
        ENSURE(picture_fill_noise(&laid, 10, 8, true, 3));
        pelt_picture_blit(&copied, positions[i][0], positions[i][1], &small);
        for (int64_t k = 0; k < 80; ++k)
        {
            int64_t x = k % 10 - positions[i][0], y = k / 10 - positions[i][1];
            bool is_covered = x >= 0 && x < 4 && y >= 0 && y < 3;
            pelt_color expected = is_covered ? small.pixels[y * 4 + x] : (pelt_color){0};
            ENSURE(is_color(copied.pixels[k], expected));
        }
        // Laid over as a whole, the copy is the same as the small one at its position.
        pelt_picture other;
        ENSURE(picture_fill_noise(&other, 10, 8, true, 3));
        pelt_picture_blend(&laid, positions[i][0], positions[i][1], &small);
        pelt_picture_blend(&other, 0, 0, &copied);
        ENSURE(picture_is_same(&laid, &other));
        pelt_picture_destroy(&other);
        pelt_picture_destroy(&laid);
        pelt_picture_destroy(&copied);
    }
    pelt_picture_destroy(&small);
    return 0;
}

// Porter and Duff's "over" in doubles. The alpha of the result is rounded to a byte before the
// colors are divided by it, which costs up to one more.
static int blending_is_over_for_every_pair(void)
{
    for (int below = 0; below < 256; below += 5)
    {
        for (int above = 0; above < 256; above += 5)
        {
            pelt_color b = {200, 10, 255, (uint8_t)below}, a = {0, 250, 255, (uint8_t)above};
            pelt_color c = pelt_color_over(b, a);
            double alpha = above / 255.0 + below / 255.0 * (1.0 - above / 255.0);
            double red = alpha > 0 ? (below / 255.0) * (1.0 - above / 255.0) * 200.0 / alpha : 0.0;
            ENSURE_NEAR(c.a, 255.0 * alpha, 0.51);
            ENSURE(alpha < 0.05 || fabs(c.r - red) < 0.6 + 0.5 / alpha);
            ENSURE(alpha == 0.0 || c.b == 255);
        }
    }
    ENSURE(is_color(pelt_color_over(black, white), white));
    ENSURE(is_color(pelt_color_over(black, (pelt_color){9, 9, 9, 0}), black));
    return 0;
}

static int an_outline_covers_each_pixel_once(void)
{
    pelt_picture p;
    pelt_color half = {255, 255, 255, 128};
    ENSURE(pelt_picture_create(&p, 12, 9, NULL) == PELT_OK);
    pelt_picture_clear(&p, black);
    pelt_picture_outline(&p, (pelt_rect){1, 1, 10, 7}, 2, half);
    ENSURE(count_color(&p, (pelt_color){128, 128, 128, 255}) == 10 * 7 - 6 * 3);
    ENSURE(count_color(&p, black) == 12 * 9 - (10 * 7 - 6 * 3));
    pelt_picture_destroy(&p);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Text

static const float sizes[] = {6, 8, 10, 11, 12, 13, 14, 16, 20, 24, 32, 48, 77};

enum
{
    SIZE_COUNT = sizeof sizes / sizeof sizes[0],
    MARGIN = 20,
};

// The ink of one character, and whether all of it is inside its box.
static int check_character(const char* text, float size)
{
    pelt_picture p;
    uint32_t width = pelt_text_width(text, size), height = pelt_text_height(size), ink = 0;
    ENSURE(pelt_picture_create(&p, width + 2 * MARGIN, height + 2 * MARGIN, NULL) == PELT_OK);
    pelt_picture_clear(&p, black);
    pelt_text_draw(&p, MARGIN, MARGIN, text, &(pelt_text_style){.size = size, .color = white});
    for (uint32_t i = 0; i < p.width * p.height; ++i)
    {
        uint32_t x = i % p.width, y = i / p.width;
        bool is_inside = x >= MARGIN && x < MARGIN + width && y >= MARGIN && y < MARGIN + height;
        ENSURE(is_inside || p.pixels[i].r == 0);
        ink += p.pixels[i].r;
    }
    pelt_picture_destroy(&p);
    ENSURE(strcmp(text, " ") == 0 ? ink == 0 : ink >= 200);
    return 0;
}

static int every_character_has_ink_inside_its_box(void)
{
    static const char* const others[] = {"\xC2\xB0",     "\xC2\xB1", "\xC2\xB5", "\xC3\x97",
                                         "\xE2\x82\xAC", "\x01",     "\xFF",     "\xC2"};
    for (int i = 0; i < SIZE_COUNT; ++i)
    {
        for (char c = ' '; c <= '~'; ++c)
        {
            ENSURE(check_character((char[]){c, '\0'}, sizes[i]) == 0);
        }
        for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
        {
            ENSURE(check_character(others[k], sizes[i]) == 0);
        }
    }
    return 0;
}

// No two look the same, down to the size at which a line has 11 pixels.
static int characters_differ(void)
{
    for (int i = 3; i < SIZE_COUNT; i += 4)
    {
        pelt_picture drawn[95];
        for (int c = 0; c < 95; ++c)
        {
            pelt_text_style style = {.size = sizes[i], .color = white};
            ENSURE(pelt_picture_create(&drawn[c], 80, 80, NULL) == PELT_OK);
            pelt_text_draw(&drawn[c], 0, 0, (char[]){(char)(' ' + c), '\0'}, &style);
            for (int other = 0; other < c; ++other)
            {
                ENSURE(!picture_is_same(&drawn[c], &drawn[other]));
            }
        }
        for (int c = 0; c < 95; ++c)
        {
            pelt_picture_destroy(&drawn[c]);
        }
    }
    return 0;
}

static int widths_add_up_and_digits_are_equal(void)
{
    for (int i = 0; i < SIZE_COUNT; ++i)
    {
        uint32_t a = pelt_text_width("Twist of ", sizes[i]);
        uint32_t b = pelt_text_width("180\xC2\xB0", sizes[i]);
        ENSURE(a + b == pelt_text_width("Twist of 180\xC2\xB0", sizes[i]));
        ENSURE(pelt_text_width("", sizes[i]) == 0);
        for (char digit = '1'; digit <= '9'; ++digit)
        {
            ENSURE(pelt_text_width((char[]){digit, '\0'}, sizes[i]) ==
                   pelt_text_width("0", sizes[i]));
        }
        // A character that the font does not have is one box, however many bytes it takes.
        ENSURE(pelt_text_width("\xE2\x82\xAC", sizes[i]) == pelt_text_width("\x01", sizes[i]));
    }
    ENSURE(pelt_text_height(0.0f) == 16 && pelt_text_height(NAN) == 6);
    return 0;
}

// A stroke that falls on the grid of pixels is one full row or column, not two half ones.
static int small_text_is_crisp(void)
{
    pelt_picture p;
    ENSURE(pelt_picture_create(&p, 40, 16, NULL) == PELT_OK);
    pelt_picture_clear(&p, black);
    pelt_text_draw(&p, 0, 0, "HEL", &(pelt_text_style){.size = 16, .color = white});
    // The stems of H and the stems of E and L are ten pixels high and full.
    ENSURE(count_color(&p, white) >= 4 * 10);
    pelt_picture_destroy(&p);
    return 0;
}

static int alignment_moves_the_line(void)
{
    static const pelt_align aligns[] = {PELT_ALIGN_LEFT, PELT_ALIGN_CENTER, PELT_ALIGN_RIGHT};
    int32_t width = (int32_t)pelt_text_width("label", 16);
    for (int i = 0; i < 3; ++i)
    {
        pelt_picture a, b;
        int32_t left = i == 0 ? 100 : i == 1 ? 100 - width / 2 : 100 - width;
        pelt_text_style style = {.size = 16, .color = white, .align = aligns[i]};
        ENSURE(pelt_picture_create(&a, 200, 20, NULL) == PELT_OK);
        ENSURE(pelt_picture_create(&b, 200, 20, NULL) == PELT_OK);
        pelt_text_draw(&a, 100, 2, "label", &style);
        pelt_text_draw(&b, left, 2, "label", &(pelt_text_style){.size = 16, .color = white});
        ENSURE(picture_is_same(&a, &b));
        pelt_picture_destroy(&a);
        pelt_picture_destroy(&b);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Legends and panels

// Any range, however odd, and any width: the legend stays in its rectangle.
static int legends_stay_within_their_rectangle(void)
{
    static const float ranges[][2] = {{0, 1},        {0, 12.5f},           {-3, 7},
                                      {0, 1e-6f},    {0, 3e38f},           {-3e38f, 3e38f},
                                      {1e6f, 2e6f},  {1e7f, 1.0000001e7f}, {0, 1e-40f},
                                      {-1, -0.999f}, {99.99f, 100.01f}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
    {
        for (uint32_t width = 1; width < 400; width += 57)
        {
            pelt_picture p;
            pelt_legend legend = {.low = ranges[i][0], .high = ranges[i][1], .size = 12};
            uint32_t height = pelt_legend_height(&legend);
            ENSURE(pelt_picture_create(&p, 480, height + 20, NULL) == PELT_OK);
            pelt_rect rect = {10, 10, width, height};
            pelt_legend_draw(&p, rect, &legend);
            uint32_t above = 0;
            for (uint32_t k = 0; k < p.width * p.height; ++k)
            {
                uint32_t x = k % p.width, y = k / p.width;
                bool is_inside = y >= 10 && y < 10 + height && x >= 10;
                above += !is_inside && p.pixels[k].a > 0;
            }
            ENSURE(above == 0);
            pelt_picture_destroy(&p);
        }
    }
    return 0;
}

// A third of the bar for each color, and a name below where all fit.
static int legends_of_parts_have_their_colors(void)
{
    static const pelt_color parts[3] = {{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}};
    static const char* const names[3] = {"a", "b", "c"};
    for (uint32_t width = 6; width <= 90; width += 84)
    {
        pelt_picture p;
        pelt_legend legend = {.size = 12, .part_count = 3, .parts = parts, .part_names = names};
        uint32_t height = pelt_legend_height(&legend), bar = 3 * pelt_text_height(12) / 4, ink = 0;
        ENSURE(pelt_picture_create(&p, width, height, NULL) == PELT_OK);
        pelt_legend_draw(&p, (pelt_rect){0, 0, width, height}, &legend);
        for (uint32_t x = 1; x + 1 < width; ++x)
        {
            pelt_color seen = p.pixels[bar / 2 * width + x];
            ENSURE(memcmp(&seen, &parts[3 * x / width], sizeof seen) == 0);
        }
        for (uint32_t i = bar * width; i < width * height; ++i)
        {
            ink += p.pixels[i].a > 0;
        }
        ENSURE((ink > 0) == (width == 90));
        pelt_picture_destroy(&p);
    }
    return 0;
}

static int panels_keep_their_pictures(void)
{
    pelt_picture a, b, wrong, out;
    pelt_error error;
    ENSURE(picture_fill_noise(&a, 50, 30, true, 1) && picture_fill_noise(&b, 50, 30, true, 2));
    ENSURE(picture_fill_noise(&wrong, 51, 30, true, 2));
    const pelt_panel panels[] = {{&a, "first"}, {&b, NULL}, {&a, "a label far too long for it"}};
    const pelt_panel_options options = {.columns = 2, .gap = 5, .size = 16};
    ENSURE(pelt_panels_compose(&out, panels, 3, &options, &error) == PELT_OK);
    // Two columns and rows of 50 x 30 with 5 between, and 16 + 4 above each row for labels.
    ENSURE(out.width == 5 + 2 * 55 && out.height == 5 + 2 * (20 + 30 + 5));
    pelt_picture part;
    ENSURE(pelt_picture_create(&part, 50, 30, NULL) == PELT_OK);
    pelt_picture_blit(&part, -60, -25, &out);
    ENSURE(picture_is_same(&part, &b));
    pelt_picture_blit(&part, -5, -80, &out);
    ENSURE(picture_is_same(&part, &a));
    pelt_picture_destroy(&out);
    const pelt_panel uneven[] = {{&a, NULL}, {&wrong, NULL}};
    ENSURE(pelt_panels_compose(&out, uneven, 2, NULL, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "51 x 30") != NULL && out.pixels == NULL);
    pelt_picture_destroy(&part);
    pelt_picture_destroy(&wrong);
    pelt_picture_destroy(&a);
    pelt_picture_destroy(&b);
    return 0;
}

void test_picture_draw(void)
{
    RUN(what_does_not_fit_is_cut_off);
    RUN(pictures_land_where_they_are_put);
    RUN(blending_is_over_for_every_pair);
    RUN(an_outline_covers_each_pixel_once);
    RUN(every_character_has_ink_inside_its_box);
    RUN(characters_differ);
    RUN(widths_add_up_and_digits_are_equal);
    RUN(small_text_is_crisp);
    RUN(alignment_moves_the_line);
    RUN(legends_stay_within_their_rectangle);
    RUN(legends_of_parts_have_their_colors);
    RUN(panels_keep_their_pictures);
}
