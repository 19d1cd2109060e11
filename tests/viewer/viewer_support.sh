# SPDX-License-Identifier: MIT
# What scripts that test pelt-view share, over the helpers of cli_support.sh. Source it with `here`
# set to this folder, and PELT_VIEW and PELT as arguments.
[ $# -eq 2 ] || { echo "usage: $0 PELT_VIEW PELT" >&2; exit 2; }
view=$1
set -- "$2"
. "$here/../cli/cli_support.sh"

# Nothing of the user's is read or written.
export XDG_CONFIG_HOME="$folder/config"
unset WAYLAND_DISPLAY

# view ARGUMENTS...: as run(), with pelt-view.
view()
{
    code=0
    rm -f state.json
    "$view" "$@" >out 2>err </dev/null || code=$?
}

# open_screen [SIZE]: a display of its own until the script ends, or the end of the script where that
# cannot be.
open_screen()
{
    if ! command -v Xvfb >/dev/null 2>&1; then
        skip "everything with a window" "there is no Xvfb"
        finish
    fi
    if [ -z "$python" ]; then
        skip "everything with a window" "there is no python3"
        finish
    fi
    mkfifo display
    Xvfb -displayfd 3 -screen 0 "${1:-1280x800}x24" -nolisten tcp 3>display >/dev/null 2>&1 &
    server=$!
    trap 'kill $server 2>/dev/null; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
    read -r number <display
    export DISPLAY=":$number"
}

# state NAME CONDITION [FILE]: a fact about the object `d` of the state file, or of another.
state()
{
    facts=$failed
    ok "$1" "$python" -IS -c 'import json, sys; d = json.load(open(sys.argv[2])); s = d["settings"]
sys.exit(not eval(sys.argv[1]))' "$2" "${3:-state.json}"
    [ "$facts" -eq "$failed" ] || { echo "exit $code"; cat err "${3:-state.json}"; }
}

# compare A B CONDITION [OTHER.png]: `part` of the pixels differ, `changed` of them by anything, and
# there are `colors` in A.
compare()
{
    "$python" -IS "$here/compare_views.py" views.png state.json "$@"
}
