# SPDX-License-Identifier: MIT
# What the scripts of this folder share; they source it. It makes a folder for what they build.
passed=0
failed=0
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# fact NAME COMMAND...: one line of result, the output only when it fails.
fact() {
    fact_name=$1
    shift
    if "$@" > "$folder/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $fact_name"
    else
        failed=$((failed + 1))
        echo "FAIL $fact_name"
        cat "$folder/log"
    fi
}

# The last command of a script.
count_facts() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# list WORDS...: as CMake writes lists. static WORDS...: the names of static targets.
list() {
    echo "$@" | tr ' ' ';'
}
static() {
    echo "$@" | sed 's/[a-z][a-z]*/&_static/g'
}

# use PREFIX: run the programs of consumer/ that lie at PREFIX$component; $model is for use_io.
use() {
    for component in $components; do
        case $component in
        io*) "$1$component" "$model" "$model_vertices" ;;
        *) "$1$component" ;;
        esac || return 1
    done
}
