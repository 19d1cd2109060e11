#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drops files on a window as a file manager does: the source's side of XDND, version 5.

Usage: xdnd_drop.py WINDOW X Y PATH...: X and Y on the screen. Ends with 0 when the target says that
it has finished. Needs libX11 and nothing else.
Source: https://www.freedesktop.org/wiki/Specifications/XDND/
"""
import ctypes
import os
import sys
import time
import urllib.parse

LIMIT = 60.0  # seconds, for a target on a machine that does much else
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
ATOM, CURRENT_TIME, VERSION = 4, 0, 5


class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("name", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class Request(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", ctypes.c_ulong),
                ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Notice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("requestor", ctypes.c_ulong),
                ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong),
                ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("message", Message), ("request", Request),
                ("notice", Notice), ("room", ctypes.c_long * 24)]


class Source:
    def __init__(self, target, paths):
        self.x = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XCreateSimpleWindow", "XInternAtom"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))
        if not self.display:
            sys.exit("no display")
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        self.window = ctypes.c_ulong(self.x.XCreateSimpleWindow(
            self.display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0), ctypes.c_ulong(0)))
        self.target = ctypes.c_ulong(target)
        uris = ("file://" + urllib.parse.quote(os.path.abspath(path)) for path in paths)
        self.text = "".join(uri + "\r\n" for uri in uris).encode()

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def send(self, name, *data):
        event = Event()
        event.message = Message(CLIENT_MESSAGE, 0, 1, self.display, self.target.value,
                                self.atom(name), 32,
                                (ctypes.c_long * 5)(self.window.value, *data))
        self.x.XSendEvent(self.display, self.target, 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)

    def give(self, request):
        """Send the list of files to the requestor."""
        self.x.XChangeProperty(self.display, ctypes.c_ulong(request.requestor),
                               ctypes.c_ulong(request.property), ctypes.c_ulong(request.target), 8,
                               0, self.text, len(self.text))
        event = Event()
        event.notice = Notice(SELECTION_NOTIFY, 0, 1, self.display, request.requestor,
                              request.selection, request.target, request.property, request.time)
        self.x.XSendEvent(self.display, ctypes.c_ulong(request.requestor), 0, ctypes.c_long(0),
                          ctypes.byref(event))
        self.x.XFlush(self.display)

    def wait_for(self, name):
        """Answer requests until a message of that name comes."""
        end = time.monotonic() + LIMIT
        wanted = self.atom(name)
        while time.monotonic() < end:
            if self.x.XPending(self.display) == 0:
                time.sleep(0.01)
                continue
            event = Event()
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.give(event.request)
            if event.type == CLIENT_MESSAGE and event.message.name == wanted:
                return list(event.message.data)
        sys.exit(f"the target sent no {name}")

    def drop(self, x, y):
        self.x.XSetSelectionOwner(self.display, ctypes.c_ulong(self.atom("XdndSelection")),
                                  self.window, ctypes.c_ulong(CURRENT_TIME))
        self.send("XdndEnter", VERSION << 24, self.atom("text/uri-list"), 0, 0)
        self.send("XdndPosition", 0, x << 16 | y, CURRENT_TIME, self.atom("XdndActionCopy"))
        if not self.wait_for("XdndStatus")[1] & 1:
            sys.exit("the target takes no files")
        self.send("XdndDrop", 0, CURRENT_TIME, 0, 0)
        # GLFW sends the length of the list here, whose lowest bit says nothing.
        if self.wait_for("XdndFinished")[1] == 0:
            sys.exit("the target did not take them")


window, left, top = map(int, sys.argv[1:4])
Source(window, sys.argv[4:]).drop(left, top)
