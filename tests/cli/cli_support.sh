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

passed=0
failed=0
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

is_json()
{
    if command -v python3 >/dev/null; then
        python3 -m json.tool <"$1"
    else
        grep -q '^[{]' "$1" && grep -q '^[}]' "$1"
    fi
}

has_member()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; v = json.load(open(sys.argv[1]))[sys.argv[2]]
sys.exit(0 if len(sys.argv) < 4 or type(v).__name__ == sys.argv[3] else 1)' "$@"
    else
        grep -q "^  \"$2\": " "$1"
    fi
}

no_temporary()
{
    for left in ./.pelt.tmp-* ./*/.pelt.tmp-*; do
        [ ! -e "$left" ] || return 1
    done
}
