# SPDX-License-Identifier: MIT
"""What xdotool cannot do: the resolution that programs are told, and hints about sizes of windows.

Needs libX11 and nothing else.
"""
import contextlib
import ctypes

STRING, REPLACE = 31, 0
PROPERTY = b"RESOURCE_MANAGER"


class SizeHints(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_long)] + [(name, ctypes.c_int) for name in (
        "x", "y", "width", "height", "min_width", "min_height", "max_width", "max_height",
        "width_inc", "height_inc", "min_x", "min_y", "max_x", "max_y", "base_width", "base_height",
        "win_gravity")]


class Display:
    def __enter__(self):
        self.x = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        return self

    def __exit__(self, *_):
        self.x.XCloseDisplay(self.display)


@contextlib.contextmanager
def resolution(dpi):
    """As `echo Xft.dpi: DPI | xrdb`, for as long as it lasts: a server forgets with its last client."""
    with Display() as d:
        name = ctypes.c_ulong(d.x.XInternAtom(d.display, PROPERTY, 0))
        text = f"Xft.dpi:\t{dpi}\n".encode()
        d.x.XChangeProperty(d.display, d.root, name, ctypes.c_ulong(STRING), 8, REPLACE, text,
                            len(text))
        d.x.XSync(d.display, 0)
        yield
        d.x.XDeleteProperty(d.display, d.root, name)
        d.x.XSync(d.display, 0)


def least_size(window):
    """Width and height below which a window manager makes no window."""
    hints, supplied = SizeHints(), ctypes.c_long()
    with Display() as d:
        d.x.XGetWMNormalHints(d.display, ctypes.c_ulong(int(window)), ctypes.byref(hints),
                              ctypes.byref(supplied))
    return hints.min_width, hints.min_height
