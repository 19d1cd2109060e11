// SPDX-License-Identifier: MIT
// Marks: bones and joints are lit from the eye, lines and dots are unlit.

in vec3 position;
in vec3 normal;
in vec4 color;

uniform vec3 mark_eye;
uniform int kind;
uniform float dot_size;

out vec4 pixel;

// A round dot with a soft edge and a dark rim, so that it shows on any surface.
vec4 dot_color()
{
    float r = length(2.0 * gl_PointCoord - 1.0);
    float cover = clamp(0.5 * dot_size * (1.0 - r) + 0.5, 0.0, 1.0);
    return cover * vec4(color.rgb * mix(1.0, 0.6, smoothstep(0.4, 0.9, r)), 1.0);
}

void main()
{
    if (kind == 3)
    {
        pixel = dot_color();
        return;
    }
    if (kind == 2 || kind == 4)
    {
        pixel = vec4(color.rgb * color.a, color.a);
        return;
    }
    vec3 to_eye = normalize(mark_eye - position);
    vec3 n = kind == 1 ? normalize(normal) : normalize(cross(dFdx(position), dFdy(position)));
    // The light is at the upper left of the eye, so that the faces of a bone differ in shade.
    vec3 right = normalize(vec3(to_eye.z, 0.001, -to_eye.x));
    vec3 light = normalize(to_eye - 0.5 * right + 0.6 * cross(to_eye, right));
    float facing = dot(n, to_eye) < 0.0 ? -dot(n, light) : dot(n, light);
    pixel = vec4(color.rgb * (0.55 + 0.5 * clamp(facing, 0.0, 1.0)), 1.0);
}
