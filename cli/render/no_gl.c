// SPDX-License-Identifier: MIT
// What takes the place of pictures in a build without OpenGL.
#include "commands/demo_pictures.h"
#include "film.h"
#include "message.h"

static const char* const reason = "this build has no OpenGL, which pictures need; build it with "
                                  "-DPELT_GL=ON";

int film_make(film_report* out, const film* in)
{
    (void)in;
    *out = (film_report){0};
    message_note("%s", reason);
    return EXIT_UNSUPPORTED;
}

int demo_pictures_make(const demo_pictures* in)
{
    (void)in;
    message_note("there are no pictures: %s", reason);
    return EXIT_DONE;
}
