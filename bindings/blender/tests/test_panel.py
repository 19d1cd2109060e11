# SPDX-License-Identifier: MIT
"""In a window: the panel draws, and a timer solves centers again after weights have changed.

Usage: blender --python test_panel.py -- MODULE; panel.png is a picture of the window.
"""
import importlib
import os
import sys
import traceback

import bpy

source = os.path.join(os.path.dirname(__file__), "test_blender.py")
with open(source, encoding="utf-8") as file:
    exec(compile(file.read().split("# ----", 1)[0], source, "exec"))


def begin():
    for one in [one for one in bpy.data.objects if one.name in ("Cube",)]:
        bpy.data.objects.remove(one)
    arm, rig = make_arm()
    select(arm)
    bpy.ops.pelt.solve()
    arm.pelt.method, arm.pelt.has_colors, arm.pelt.is_previewed = "crs", True, True
    arm.pelt.location = "OFFSET"
    arm.vertex_groups["bone0"].remove(range(4))
    bpy.ops.pelt.doctor()
    area = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    area.spaces[0].show_region_ui = True
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(area=area, region=region):
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_selected()
    bpy.app.timers.register(lambda: paint(area), first_interval=1.0)


def paint(area):
    """Some redraws later: the sidebar has its categories now."""
    try:
        region = next(region for region in area.regions if region.type == "UI")
        if hasattr(region, "active_panel_category"):
            try:
                region.active_panel_category = "pelt"
            except (AttributeError, TypeError):
                pass  # read only before Blender 4.2: the picture has another tab
        arm = bpy.data.objects["Arm"]
        arm["before"] = skins.read(arm.data, skins.CENTERS, 3).ravel().tolist()
        arm.vertex_groups["bone2"].add(range(30), 0.4, "REPLACE")
        arm.data.update_tag()
        bpy.app.timers.register(end, first_interval=1.0)
    except Exception:
        traceback.print_exc()
        os._exit(1)


tries = []


def end():
    try:
        arm = bpy.data.objects["Arm"]
        before = np.array(arm["before"]).reshape(-1, 3)
        after = skins.read(arm.data, skins.CENTERS, 3)
        tries.append(0)
        if np.abs(after - before).max() <= 1e-3 and len(tries) < 20:
            return 1.0  # software drivers draw slowly
        check("in a window, a timer solves again after a stroke", np.abs(after - before).max() > 1e-3)
        check("and the centers fit", not skins.is_out_of_date(arm))
        panel = importlib.import_module(f"{MODULE}.panel")
        check("the panel was drawn", panel.PELT_PT_panel.draw_count > 0)
        bpy.ops.screen.screenshot(filepath=os.path.join(os.getcwd(), "panel.png"))
    except Exception:
        traceback.print_exc()
        os._exit(1)
    sys.stdout.flush()
    os._exit(1 if failed else 0)


# The panel counts how often it was drawn to its end; an exception in between is not counted.
panel = importlib.import_module(f"{MODULE}.panel")
panel.PELT_PT_panel.draw_count = 0
drawn = panel.PELT_PT_panel.draw


def draw(self, context):
    drawn(self, context)
    panel.PELT_PT_panel.draw_count += 1


bpy.utils.unregister_class(panel.PELT_PT_panel)
panel.PELT_PT_panel.draw = draw
panel.PELT_PT_panel.bl_category = "Item"  # the tab that a new window shows
bpy.utils.register_class(panel.PELT_PT_panel)
bpy.context.preferences.view.show_splash = False
bpy.app.timers.register(begin, first_interval=1.0)
