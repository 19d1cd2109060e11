#!/bin/sh
# SPDX-License-Identifier: MIT
# A launcher of the compiler for CMake: what a command has made in one build folder is copied when
# the same command, but for the names of what it makes, comes from another. All builds of a test see
# the same sources. Usage: PELT_COMPILED=FOLDER compile_once.sh CC ARGUMENTS...
command=""
object=""
before=""
for word in "$@"; do
    case $before in
    -o) object=$word ;;
    -MF | -MT) ;;
    *) command="${command:+$command }$word" ;;
    esac
    before=$word
done
[ -n "$object" ] || exec "$@"
made=$PELT_COMPILED/${object##*/}
if [ -e "$made.command" ] && read -r other < "$made.command" && [ "$other" = "$command" ]; then
    exec cp "$made" "$object"
fi
"$@" && cp "$object" "$made" && echo "$command" > "$made.command"
