# SPDX-License-Identifier: MIT
# What the scripts that look at the pelt program from outside share; they source it with the path
# of the program as their only argument. It makes an empty folder and goes there.

[ $# -eq 1 ] || { echo "usage: ${0##*/} PELT" >&2; exit 2; }
case $1 in
/*) pelt=$1 ;;
*) pelt=$PWD/$1 ;;
esac
[ -x "$pelt" ] || { echo "${0##*/}: $1 is no program" >&2; exit 2; }

folder=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$folder" || exit 2

# The interpreter itself: a version manager's python3 takes longer to start than all that it is for.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)

passed=0
failed=0
skipped=0
code=0

# ok NAME COMMAND...: the fact holds when the command succeeds.
ok()
{
    name=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name: $*"
    fi
}

# skip NAME WHY: a fact, or several, that cannot be checked here.
skip()
{
    skipped=$((skipped + 1))
    echo "SKIP $1: $2"
}

# The last line of a script. 77: nothing could be checked (SKIP_RETURN_CODE of tests/CMakeLists.txt).
finish()
{
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $((passed + failed)) -gt 0 ] || exit 77
    [ "$failed" -eq 0 ]
    exit
}

# run ARGUMENTS...: leaves stdout in ./out, stderr in ./err and the exit code in $code.
run()
{
    code=0
    "$pelt" "$@" >out 2>err </dev/null || code=$?
}

is_one_sentence()
{
    [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && grep -q '^pelt: ..........' err
}

# fails CODE WORD ARGUMENTS...: ends with CODE and one sentence on stderr that has WORD in it.
fails()
{
    wanted=$1
    word=$2
    shift 2
    run "$@"
    ok "exit $wanted: pelt $*" [ "$code" -eq "$wanted" ]
    ok "  one sentence on stderr, nothing on stdout" is_one_sentence
    ok "  it says \"$word\"" grep -q -e "$word" err
}

# works ARGUMENTS...
works()
{
    run "$@"
    ok "exit 0: pelt $*" [ "$code" -eq 0 ]
}

# input ARGUMENTS...: make a file that facts need; what does so has facts in another script.
input()
{
    run "$@"
    [ "$code" -eq 0 ] && return
    echo "FAILED  input: pelt $*"
    cat err
    exit 1
}

# Without a driver: where EGL asks vendors' files, there are none.
without_driver()
{
    __EGL_VENDOR_LIBRARY_DIRS=$folder/nowhere "$pelt" "$@" >out 2>err </dev/null
}

# ---------------------------------------------------------------------------------------------
# Conditions of facts

is_svg()
{
    [ "$(head -c 5 "$1")" = "<svg " ] && [ "$(tail -n 1 "$1")" = "</svg>" ] || return 1
    ! command -v xmllint >/dev/null || xmllint --noout "$1"
}

is_json()
{
    if [ -n "$python" ]; then
        "$python" -IS -c 'import json, sys; json.load(sys.stdin)' <"$1"
    else
        grep -q '^[{]' "$1" && grep -q '^[}]' "$1"
    fi
}

# has_member FILE NAME [TYPE]: of the object that a JSON file is.
has_member()
{
    if [ -n "$python" ]; then
        "$python" -IS -c 'import json, sys; v = json.load(open(sys.argv[1]))[sys.argv[2]]
sys.exit(0 if len(sys.argv) < 4 or type(v).__name__ == sys.argv[3] else 1)' "$@"
    else
        grep -q "^  \"$2\": " "$1"
    fi
}

# json NAME CONDITION: a fact about the object `d` that ./out holds, in Python.
json()
{
    if [ -n "$python" ]; then
        ok "$1" "$python" -IS -c 'import json, sys; d = json.load(open("out"))
sys.exit(not eval(sys.argv[1]))' "$2"
    else
        skip "${1#  }" "there is no python3"
    fi
}

no_temporary()
{
    for left in ./.pelt.tmp-* ./*/.pelt.tmp-*; do
        [ ! -e "$left" ] || return 1
    done
}

differ()
{
    ! cmp -s "$1" "$2"
}

# first COUNT FILE: the first bytes of a file.
first()
{
    dd if="$2" bs="$1" count=1 2>/dev/null
}

# Every index of every face names a line above or in its own object, and all kinds are used.
is_valid_obj()
{
    awk '
    $1 == "v" || $1 == "vn" || $1 == "vt" {
        count[$1]++
        for (i = 2; i <= NF; i++) if ($i !~ /^-?[0-9.]+(e[-+][0-9]+)?$/) exit 1
    }
    $1 == "f" {
        if (NF != 4) exit 1
        faces++
        for (i = 2; i <= 4; i++) {
            n = split($i, at, "/")
            if (at[1] < 1 || at[1] > count["v"]) exit 1
            if (n > 1 && at[2] != "" && (at[2] < 1 || at[2] > count["vt"])) exit 1
            if (n > 2 && (at[3] < 1 || at[3] > count["vn"])) exit 1
            if (at[1] > top) top = at[1]
        }
    }
    END { exit !(faces > 0 && top == count["v"]) }' "$1"
}

# ---------------------------------------------------------------------------------------------
# Inputs that several scripts use

# edit FILE STATEMENTS: change the JSON object `g` of a .gltf file.
edit()
{
    "$python" -IS -c 'import json, sys
g = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(g, open(sys.argv[1], "w"))' "$@"
}

# An arm whose first clip moves nothing: hollow.gltf, where there is python3.
make_hollow()
{
    works rig 'rig:arm?vertices=400' -o hollow.gltf
    [ -n "$python" ] && edit hollow.gltf \
        'g["animations"].insert(0, {"name": "Take 001", "channels": [], "samplers": []})'
}

# An arm whose elbow scales: scaled.gltf.
make_scaled()
{
    works convert rig:arm -o scaled.gltf
    sed -i 's/"name": *"elbow"/"name": "elbow", "scale": [1, 2, 0.5]/' scaled.gltf
}

# make_named METHOD: an arm that names its method: named.gltf.
make_named()
{
    input rig 'arm?vertices=500' -o named.gltf
    sed -i 's/"attributes": {/"extras": {"pelt_skinning": {"method": "'"$1"'"}}, "attributes": {/' named.gltf
}
