# SPDX-License-Identifier: MIT
# Completion of pelt for bash, made by tools/manual from the option tables.
_pelt()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local words= list= prefix=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "info doctor enhance deform render compare view convert bake unbake batch shaders rig demo bench reproduce help" -- "$cur"))
        return
    fi
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$command $prev" in
        "info --clips" | "info --output" | "info -o" | "info --threads" | "info --depfile" | \
            "doctor --output" | "doctor -o" | "doctor --rules" | "doctor --sarif" | \
            "doctor --threads" | "doctor --depfile" | "enhance --output" | "enhance -o" | \
            "enhance --twist" | "enhance --max-influences" | "enhance --helpers" | \
            "enhance --max-error" | "enhance --max-joints" | "enhance --plot" | "enhance --sigma" | \
            "enhance --epsilon" | "enhance --omega" | "enhance --cutoff" | "enhance --mix-weights" | \
            "enhance --mix-frames" | "enhance --clips" | "enhance --threads" | "enhance --depfile" | \
            "deform --mix" | "deform --correct-distance" | "deform --sigma" | "deform --epsilon" | \
            "deform --omega" | "deform --cutoff" | "deform --ddm-iterations" | "deform --ddm-lambda" \
            | "deform --ddm-kappa" | "deform --ddm-alpha" | "deform --clip" | "deform --pose" | \
            "deform --time" | "deform --clips" | "deform --output" | "deform -o" | \
            "deform --threads" | "deform --depfile" | "render --time" | "render --fps" | \
            "render --size" | "render --show" | "render --range" | "render --focus" | \
            "render --output" | "render -o" | "render --clip" | "render --pose" | "render --clips" | \
            "render --mix" | "render --correct-distance" | "render --sigma" | "render --epsilon" | \
            "render --omega" | "render --cutoff" | "render --ddm-iterations" | "render --ddm-lambda" \
            | "render --ddm-kappa" | "render --ddm-alpha" | "render --threads" | "render --depfile" \
            | "compare --output" | "compare -o" | "compare --clip" | "compare --frames" | \
            "compare --mix" | "compare --clips" | "compare --threads" | "compare --depfile" | \
            "view --size" | "view --script" | "view --frames" | "view --screenshot" | "view --state" \
            | "view --clips" | "view --threads" | "view --depfile" | "convert --output" | \
            "convert -o" | "convert --clips" | "convert --clip" | "convert --trim" | "convert --fps" \
            | "convert --simplify-keys" | "convert --max-influences" | "convert --min-weight" | \
            "convert --max-texture" | "convert --threads" | "convert --depfile" | "bake --output" | \
            "bake -o" | "bake --clip" | "bake --bits" | "bake --rate" | "bake --max-error" | \
            "bake --max-bytes" | "bake --socket" | "bake --max-size" | "bake --max-memory" | \
            "bake --clips" | "bake --threads" | "bake --depfile" | "unbake --output" | "unbake -o" | \
            "unbake --clip" | "unbake --rate" | "unbake --threads" | "unbake --depfile" | \
            "batch --output" | "batch -o" | "batch --extension" | "batch --shard" | \
            "batch --max-memory" | "batch --threads" | "batch --depfile" | "shaders --output" | \
            "shaders -o" | "shaders --influences" | "shaders --threads" | "shaders --depfile" | \
            "rig --output" | "rig -o" | "rig --threads" | "rig --depfile" | "demo --output" | \
            "demo -o" | "demo --clip" | "demo --pose" | "demo --time" | "demo --threads" | \
            "demo --depfile" | "bench --plot" | "bench --methods" | "bench --vertices" | \
            "bench --influences" | "bench --isa" | "bench --normals" | "bench --order" | \
            "bench --rig" | "bench --techniques" | "bench --seconds" | "bench --output" | "bench -o" \
            | "bench --threads" | "bench --depfile" | "reproduce --output" | "reproduce -o" | \
            "reproduce --threads" | "reproduce --depfile") return ;;
        "doctor --format" | "convert --format" | "unbake --format") words="glb gltf" ;;
        "doctor --fail-on") words="note warning error" ;;
        "enhance --carrier") words="attributes texcoord" ;;
        "enhance --like" | "enhance --method" | "deform --method") words="lbs dqs mix crs lms sbs ddm" ;;
        "enhance --helper-motion") words="baked driven" ;;
        "enhance --solver" | "deform --solver" | "render --solver") words="fast full paper" ;;
        "enhance --normal-joints" | "shaders --slots") words="2 3 4 8" ;;
        "enhance --normal-bits") words="32 16 8" ;;
        "deform --normals") words="standard accurate paper recompute" ;;
        "deform --convention" | "render --convention") words="pelt blender maya usd ogre" ;;
        "deform --sign-rule" | "render --sign-rule") words="heaviest running first hierarchy" ;;
        "deform --dqs" | "render --dqs") words="antipodal basic optimized" ;;
        "deform --lms" | "render --lms") words="relative published" ;;
        "deform --cor" | "render --cor") words="auto compute" ;;
        "deform --ddm" | "render --ddm") words="v0 v2 v3 v4 v5" ;;
        "deform --wrap" | "render --wrap" | "demo --wrap") words="clamp loop" ;;
        "deform --format" | "rig --format") words="obj ply glb gltf" ;;
        "render --method") list="lbs dqs mix crs lms sbs ddm" ;;
        "render --normals") list="standard accurate paper recompute" ;;
        "render --view") words="three-quarter front side back orbit" ;;
        "render --skinning") words="cpu gpu" ;;
        "compare --method") list="lbs dqs dqs-distance mix mix-map crs lms sbs ddm" ;;
        "convert --in-place") words="remove parent" ;;
        "convert --textures") words="embed copy none" ;;
        "bake --encoding" | "shaders --encoding") words="qt local matrix dq vertex" ;;
        "bake --method") words="lbs dqs mix crs" ;;
        "bake --format") words="ktx2 png exr dds raw" ;;
        "bake --texel") words="auto rgba32ui rgba16ui rgba8ui" ;;
        "bake --bake-layout" | "shaders --bake-layout") words="modern thesis" ;;
        "shaders --lang") words="glsl essl vulkan hlsl msl wgsl godot" ;;
        "shaders --method") words="all lbs dqs mix crs" ;;
        "shaders --palette") words="block texture posed baked" ;;
        "shaders --texel") words="rgba32ui rgba16ui rgba8ui" ;;
        "shaders --scale") words="none local origin" ;;
        "shaders --sign-rule") words="heaviest hierarchy" ;;
        "shaders --palette-layout") words="compact shared" ;;
        "shaders --normals") words="standard accurate paper" ;;
        "shaders --normal-layout") words="floats compact" ;;
        "help "*) words="info doctor enhance deform render compare view convert bake unbake batch shaders rig demo bench reproduce" ;;
    esac
    if [ -n "$list" ]; then
        case "$cur" in *,*) prefix=${cur%,*}, ;; esac
        COMPREPLY=($(compgen -P "$prefix" -W "$list" -- "${cur##*,}"))
        return
    fi
    if [ -z "$words" ]; then
        case "$command" in
            info) words="--joints --bounds --gpu --clips --retarget-rest -o --output --json --threads --depfile -h --help" ;;
            doctor) words="--fix -o --output --format --fail-on --rules --sarif --json --threads --depfile -h --help" ;;
            enhance) words="-o --output --cor --carrier --twist --max-influences --helpers --like --max-error --max-joints --plot --helper-motion --solver --sigma --epsilon --omega --cutoff --normals --normal-joints --normal-bits --normal-cotangents --mix-map --mix-weights --mix-frames --bounds --method --clips --retarget-rest --json --threads --depfile -h --help" ;;
            deform) words="--method --normals --mix --correct-distance --convention --sign-rule --dqs --lms --cor --solver --sigma --epsilon --omega --cutoff --ddm --ddm-iterations --ddm-lambda --ddm-kappa --ddm-alpha --clip --wrap --pose --time --clips --retarget-rest -o --output --format --json --threads --depfile -h --help" ;;
            render) words="--method --normals --time --fps --size --view --show --range --skinning --focus -o --output --exact --clip --wrap --pose --clips --retarget-rest --mix --correct-distance --convention --sign-rule --dqs --lms --cor --solver --sigma --epsilon --omega --cutoff --ddm --ddm-iterations --ddm-lambda --ddm-kappa --ddm-alpha --json --threads --depfile -h --help" ;;
            compare) words="-o --output --clip --frames --exact --no-pictures --no-times --method --mix --clips --retarget-rest --json --threads --depfile -h --help" ;;
            view) words="--size --script --frames --screenshot --state --clips --retarget-rest --json --threads --depfile -h --help" ;;
            convert) words="-o --output --format --clips --retarget-rest --clip --trim --fps --in-place --simplify-keys --max-influences --min-weight --quantize --meshopt --textures --max-texture --json --threads --depfile -h --help" ;;
            bake) words="-o --output --clip --encoding --bits --rate --max-error --max-bytes --socket --method --format --texel --max-size --bake-layout --padded --max-memory --force --exact --openvat --clips --retarget-rest --json --threads --depfile -h --help" ;;
            unbake) words="-o --output --format --clip --rate --json --threads --depfile -h --help" ;;
            batch) words="-o --output --extension --pictures --shard --merge --max-memory --json --threads --depfile -h --help" ;;
            shaders) words="-o --output --lang --method --influences --palette --encoding --bake-layout --texel --scale --sign-rule --palette-layout --normals --slots --normal-layout --json --threads --depfile -h --help" ;;
            rig) words="-o --output --format --json --threads --depfile -h --help" ;;
            demo) words="-o --output --exact --clip --wrap --pose --time --json --threads --depfile -h --help" ;;
            bench) words="--quick --plot --methods --vertices --influences --isa --normals --order --rig --techniques --seconds --merged -o --output --json --threads --depfile -h --help" ;;
            reproduce) words="--quick --list -o --output --json --threads --depfile -h --help" ;;
        esac
        case "$cur" in
            -*) ;;
            *) words=$([ "$command" = bench ] && echo deform load cor normals bake gpu crowd) ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _pelt pelt
