#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt doctor: each planted fault is found, and repaired where that is promised.
# sh tests/cli/cli_doctor_test.sh PATH/TO/pelt

case $0 in
/*) tests=${0%/*}/.. ;;
*) tests=$PWD/${0%/*}/.. ;;
esac
. "${0%/*}/cli_support.sh"

echo "# reports and exit codes"

works doctor rig:human
ok "  lists notes" grep -q '0 errors, 0 warnings, 1 note$' out
ok "  says what to do" grep -q '^  > Leave them out' out
ok "  in lines of 100 columns" awk 'length($0) > 100 { exit 1 }' out
input convert rig:human -o human.glb
works doctor human.glb --fail-on warning
run doctor human.glb --fail-on note
ok "exit 2: a note where notes fail" [ "$code" -eq 2 ]
ok "  the report is there" grep -q unused-joints out
works doctor human.glb --json
ok "  is JSON" is_json out
json "  has counts" 'd["counts"] == {"error": 0, "warning": 0, "note": 1} and not d["failed"]'
works doctor human.glb
ok "  the file is as healthy as the rig" grep -q '0 errors, 0 warnings, 1 note$' out
fails 1 'add --fix' doctor rig:arm -o x.glb
fails 1 'give -o' doctor rig:arm --fix
fails 1 '.glb or .gltf' doctor rig:arm --fix -o x.obj
fails 1 'standard output' doctor rig:arm --fix -o - --format glb
fails 1 'standard output' doctor rig:arm --sarif -
fails 1 'the input itself' doctor human.glb --fix -o human.glb
fails 1 'the input itself' doctor human.glb --sarif human.glb
fails 1 'same file' doctor human.glb --fix -o x.glb --sarif x.glb
fails 1 'fail-on' doctor human.glb --fail-on never
fails 4 'No such file' doctor rig:arm --fix -o missing/x.glb
fails 4 'No such file' doctor rig:arm --sarif missing/x.sarif
ok "no failed command has left a file" [ ! -e x.glb ]
echo '{"asset": {"version": "2.0"}, "meshes": 7}' >broken.gltf
run doctor broken.gltf
ok "exit 2: a file that is no character" [ "$code" -eq 2 ]
ok "  is a finding" grep -q '^error: unreadable' out
run doctor broken.gltf --fix -o x.glb --json
ok "exit 2: and cannot be repaired" [ "$code" -eq 2 ]
json "  is a finding in JSON, too" 'd["findings"][0]["kind"] == "unreadable" and d["output"] is None'
ok "  nothing was written" [ ! -e x.glb ]
json "  with one error" 'd["counts"]["error"] == 1 and d["failed"] and not d["findings"][0]["location"]'
run doctor missing.glb
ok "exit 2: a file that is not there" [ "$code" -eq 2 ]
ok "  is a finding" grep -q 'No such file' out
head -c 64 human.glb >cut.glb
printf '; FBX 7.4.0 project file\nObjects: {' >cut.fbx
: >empty.bin
for file in missing.glb cut.glb cut.fbx empty.bin .; do
    run doctor "$file" --json --sarif unreadable.sarif
    ok "exit 2: $file" [ "$code" -eq 2 ]
    json "  is a finding in JSON" '[f["kind"] for f in d["findings"]] == ["unreadable"]'
    ok "  and in SARIF" grep -q '"ruleId": "unreadable"' unreadable.sarif
    rm -f unreadable.sarif
done
rm cut.glb
cat >unknown.gltf <<'END'
{"asset": {"version": "2.0"}, "extensionsRequired": ["XX_shape"]}
END
run doctor unknown.gltf --json
ok "exit 3: valid, but not for this build" [ "$code" -eq 3 ]
json "  is a finding" 'd["findings"][0]["kind"] == "unreadable" and "XX_shape" in d["findings"][0]["message"]'

if [ -z "$python" ]; then
    skip "planted faults" "there is no python3"
    finish
fi

# -------------------------------------------------------------------------------------------------
echo "# each planted fault is found alone, and gone after --fix where that is promised"

input rig 'bar?vertices=300' -o bar.gltf
input enhance bar.gltf --cor -o enhanced.glb
input convert enhanced.glb -o enhanced.gltf
"$python" "$tests/doctor/plant_faults.py" bar.gltf enhanced.gltf >kinds
ok "33 faults are planted" [ "$(wc -l <kinds)" -eq 33 ]
works doctor clean.gltf --fail-on note
ok "  nothing to find without them" grep -q 'nothing found' out
while read -r kind; do
    run doctor "$kind.gltf" --fail-on note --json --sarif "$kind.sarif"
    ok "exit 2: $kind" [ "$code" -eq 2 ]
    cp out "$kind.json"
    json "  is all that is found" '{f["kind"] for f in d["findings"]} == {"'"$kind"'"}'
    if grep -q '"fixable": true' out; then
        run doctor "$kind.gltf" --fail-on note --fix -o "$kind.glb" --json
        ok "  exit 0 as --fix repairs it" [ "$code" -eq 0 ]
        works doctor "$kind.glb" --fail-on note
    fi
done <kinds
ok "15 of them can be repaired" [ "$(ls ./*.glb | grep -c -v -e human -e enhanced)" -eq 15 ]

# A repair is all that changes.
same()
{
    "$python" "$tests/gltf_write/gltf_same.py" "$@"
}
ok "repaired weights are all that changes" same --without WEIGHTS_0 --without JOINTS_0 weight-sums.gltf weight-sums.glb
ok "  and change" sh -c '! "$0" "$1" weight-sums.gltf weight-sums.glb' "$python" "$tests/gltf_write/gltf_same.py"
ok "repaired normals are" same --without NORMAL --without TANGENT flipped-normals.gltf flipped-normals.glb
ok "triangles without area are" same --without indices degenerate-triangles.gltf degenerate-triangles.glb
ok "repaired keys are" same --without samplers rotation-length.gltf rotation-length.glb
works doctor clean.gltf --fix -o untouched.gltf
ok "  nothing to fix is said" grep -q 'nothing to fix' err
ok "  and is a copy to the last byte" cmp -s clean.gltf untouched.gltf
works doctor clean.gltf --fix -o untouched.glb
ok "  or, in another container, has the same" same clean.gltf untouched.glb
# A container whose chunks are in the wrong order is repaired, though its content is not changed.
"$python" -IS - untouched.glb swapped.bin <<'SCRIPT'
import struct, sys
data = open(sys.argv[1], "rb").read()
end = 20 + struct.unpack("<I", data[12:16])[0]
open(sys.argv[2], "wb").write(data[:12] + data[end:] + data[12:end])
SCRIPT
works doctor swapped.bin --fix -o repaired.bin.glb
ok "  chunks in the wrong order are put in order" [ "$(dd if=repaired.bin.glb bs=1 skip=16 count=4 2>/dev/null)" = JSON ]
rm untouched.glb repaired.bin.glb

for name in jump-without-weight jump-while-hidden padding-in-range skeleton-above; do
    run doctor "harmless-$name.gltf" --json
    json "$name is no fault" \
        '{f["kind"] for f in d["findings"]} <= {"unused-joints", "scaled-joints", "stretched-joints"}'
done

# Khronos' validator has no errors without these faults, and errors with them.
validator=${PELT_NPM:-none}/node_modules/gltf-validator
if [ -d "$validator" ] && command -v node >/dev/null; then
    for name in clean missing-bounds byte-stride skin-types padding-joints bind-row skeleton-root; do
        errors=$(node -e 'const fs = require("fs"), [module_, file] = process.argv.slice(1);
            require(module_).validateBytes(new Uint8Array(fs.readFileSync(file)))
                .then(report => console.log(report.issues.numErrors));' "$validator" "$name.gltf")
        ok "the validator has $errors errors in $name.gltf" \
            [ "$([ "$errors" -gt 0 ] && echo fault || echo clean)" = \
            "$([ $name = clean ] && echo clean || echo fault)" ]
    done
else
    skip "gltf-validator" "there is none in PELT_NPM, or no node"
fi

# Numbers that were planted, worked out by hand.
cp bind-pose.json out
json "a joint that was moved by 10 cm moves its vertices by 100 mm" \
    'abs(d["findings"][0]["value"] - 100) < 1e-3 and d["findings"][0]["unit"] == "mm"'
cp weight-sums.json out
json "a sum of 1.5 is one of 1.5" 'd["findings"][0]["value"] == 1.5 and d["findings"][0]["unit"] == "sum"'
json "  of a vertex of the mesh" 'd["findings"][0]["count"] == 1 and d["findings"][0]["location"]["mesh"] == {"index": 0, "name": "bar"}'
cp flip-risk.json out
json "100 degrees per second are 180 degrees after 1.8 s" \
    'abs(d["findings"][0]["location"]["time"] - 1.8) < 1 / 30 and d["findings"][0]["location"]["clip"]["name"] == "far"'
cp rotation-length.json out
json "keys name their clip" 'd["findings"][0]["location"]["clip"]["name"] == "twist90"'

# -------------------------------------------------------------------------------------------------
echo "# schemas"

ok "SARIF is as the standard asks" "$python" "$tests/doctor/check_sarif.py" ./*.sarif
cp bar.gltf 'a bar:50%.gltf'
works doctor 'a bar:50%.gltf' --sarif name.sarif
ok "  URIs are escaped" grep -q '"uri": "a%20bar%3A50%25.gltf"' name.sarif
if "$python" -c 'import jsonschema' 2>/dev/null; then
    ok "JSON is as docs/doctor.schema.json says" "$python" -c 'import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema, jsonschema.Draft202012Validator)' \
        "$tests/../docs/doctor.schema.json" ./*-*.json
    sarif=${PELT_NPM:-none}/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json
    if [ -e "$sarif" ]; then
        ok "SARIF is as its schema says" "$python" -c 'import json, jsonschema, sys
validator = jsonschema.Draft4Validator(json.load(open(sys.argv[1])))
for path in sys.argv[2:]:
    validator.validate(json.load(open(path)))' "$sarif" ./*.sarif
    else
        skip "the schema of SARIF" "there is no @microsoft/jest-sarif in PELT_NPM"
    fi
else
    skip "docs/doctor.schema.json, and that of SARIF" "python3 has no jsonschema"
fi

ok "docs/doctor.md has a row for each rule of SARIF" "$python" -c 'import json, re, sys
page = [(m[0], m[1], m[2]) for m in re.findall(r"^\| `([a-z-]+)` \| (.*?) \| ?(yes)? ?\|$", open(sys.argv[1]).read(), re.M)]
rules = json.load(open(sys.argv[2]))["runs"][0]["tool"]["driver"]["rules"]
for row, rule in zip(page, rules):
    assert row[:2] == (rule["id"], rule["shortDescription"]["text"]), (row, rule)
    assert (row[2] == "yes") == ("--fix" in rule["help"]["text"]), (row, rule)
assert len(page) == len(rules), (len(page), len(rules))' "$tests/../docs/doctor.md" name.sarif

# -------------------------------------------------------------------------------------------------
echo "# real characters"

models=${PELT_MODELS:-$tests/../../shared/models}
if [ ! -d "$models" ]; then
    skip "real characters" "no models folder; set PELT_MODELS"
    finish
fi
for model in SimpleSkin/SimpleSkin.gltf RiggedSimple/RiggedSimple.glb CesiumMan/CesiumMan.glb; do
    works doctor "$models/$model" --fail-on warning
done
works doctor "$models/RobotExpressive/RobotExpressive.glb" --json
json "  RobotExpressive: sums are off by up to 0.76" \
    'abs(max(f["value"] for f in d["findings"] if f["kind"] == "weight-sums") - 1.76) < 0.01'
works doctor "$models/Godot_mannequiny/mannequiny.glb" --json
json "  mannequiny: joints scale non-uniformly in clips" \
    '[f["location"].get("clip") for f in d["findings"] if f["kind"] == "stretched-joints"][0] is not None'
works doctor "$models/momentum_8influences/test_24fps.glb" --json
json "  momentum: 8 influences" '[f for f in d["findings"] if f["kind"] == "many-influences" and "up to 8" in f["message"]]'
json "  and uniform scale" '[f for f in d["findings"] if f["kind"] == "scaled-joints"]'
works doctor "$models/ufbx_blender_half_skinned/blender_293_half_skinned_7400_binary.fbx" --json
json "  half skinned: 2 vertices without weights" \
    '[f["count"] for f in d["findings"] if f["kind"] == "unweighted-vertices"] == [2]'

finish
