#!/bin/sh
# SPDX-License-Identifier: MIT
# A launcher of the compiler for CMake: what a command has made in one build folder is copied when
# the same command, but for the names of what it makes, comes from another. All builds of a test see
# the same sources. Objects that are in PELT_OBJECTS already are copied once the command has been
# found to compile one source of their folder. Usage: PELT_COMPILED=FOLDER PELT_OBJECTS=FOLDER compile_once.sh CC ARGUMENTS...
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
known=$PELT_OBJECTS/${object#*.dir/}
if [ -n "$PELT_OBJECTS" ] && [ -e "$known" ]; then
    kind="${known%/*} ${command% -c *}"
    while read -r other; do
        [ "$other" != "$kind" ] || exec cp "$known" "$object"
    done < "$PELT_COMPILED/tried"
    "$@" -fsyntax-only && echo "$kind" >> "$PELT_COMPILED/tried" && exec cp "$known" "$object"
    exit 1
fi
made=$PELT_COMPILED/${object##*/}
if [ -e "$made.command" ] && read -r other < "$made.command" && [ "$other" = "$command" ]; then
    exec cp "$made" "$object"
fi
"$@" && cp "$object" "$made" && echo "$command" > "$made.command"
