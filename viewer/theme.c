// SPDX-License-Identifier: MIT
#include "theme.h"

// A light neutral gray, as the pictures of `pelt render`, and one blue for what is chosen.
const theme_colors theme = {
    .ink = {0.13f, 0.14f, 0.15f},
    .muted = {0.36f, 0.37f, 0.39f},
    .light = {1.0f, 1.0f, 1.0f},
    .accent = {0.11f, 0.40f, 0.68f},
    .paper = {0.925f, 0.925f, 0.92f},
    .field = {0.985f, 0.985f, 0.98f},
    .edge = {0.74f, 0.745f, 0.75f},
    .button = {0.86f, 0.86f, 0.855f},
    .hovered = {0.80f, 0.86f, 0.92f},
    .chosen = {0.72f, 0.82f, 0.92f},
    .field_hovered = {0.87f, 0.91f, 0.95f},
    .section = {0.86f, 0.865f, 0.87f},
    .title = {0.82f, 0.83f, 0.84f},
    .grab = {0.56f, 0.73f, 0.89f},
    .grab_active = {0.42f, 0.64f, 0.85f},
    .progress = {0.56f, 0.73f, 0.89f},
};
