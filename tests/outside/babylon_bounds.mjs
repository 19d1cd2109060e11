// SPDX-License-Identifier: MIT
// The fragment for Babylon.js in docs/bounds.md: no skinned vertex leaves the box that it sets, in
// any clip, and the box is no larger than the character needs. By npm_test.sh.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [pelt, models, npm] = process.argv.slice(2);
if (!existsSync(join(npm, 'node_modules/@babylonjs/loaders')))
{
    console.log('SKIP babylon_bounds: no @babylonjs/core and @babylonjs/loaders in PELT_NPM');
    process.exit(77);
}
const find = createRequire(join(npm, 'package.json'));
const load = (name) => import(pathToFileURL(find.resolve(name)));
const BABYLON = { ...await load('@babylonjs/core') };
await load('@babylonjs/loaders/glTF/index.js');
const page = readFileSync(new URL('../../docs/bounds.md', import.meta.url), 'utf8');
const code = /### Babylon\.js[\s\S]*?```js\n([\s\S]*?)```/.exec(page)[1];
const { setBounds } = new Function('BABYLON', `${code}\nreturn { setBounds };`)(BABYLON);
BABYLON.Logger.LogLevels = BABYLON.Logger.ErrorLogLevel;
const folder = mkdtempSync(join(tmpdir(), 'pelt-babylon-'));
let failed = 0;

// The largest distance of vertices from the box, and the size of both.
function measure(mesh)
{
    const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
    const low = minimumWorld.asArray(), high = maximumWorld.asArray(), world = mesh.getWorldMatrix();
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    const positions = mesh.getPositionData(true, true);
    for (let i = 0; i < positions.length; i += 3)
    {
        BABYLON.Vector3.TransformCoordinates(BABYLON.Vector3.FromArray(positions, i), world).asArray()
            .forEach((x, k) => { least[k] = Math.min(least[k], x); most[k] = Math.max(most[k], x); });
    }
    const outside = Math.max(...low.map((x, k) => Math.max(x - least[k], most[k] - high[k])));
    return { outside, size: Math.hypot(...low.map((x, k) => high[k] - x)) };
}

for (const name of ['CesiumMan/CesiumMan', 'Fox/Fox', 'RobotExpressive/RobotExpressive', 'Godot_mannequiny/mannequiny'])
{
    const file = join(folder, 'boxed.glb');
    execFileSync(pelt, ['enhance', join(models, `${name}.glb`), '--bounds', '-o', file], { stdio: 'ignore' });
    let worst = 0, frames = 0, count = 1;
    // A scene for each clip: joints that the next clip does not move would stay where they are.
    for (let clip = 0; clip < count; ++clip)
    {
        const scene = new BABYLON.Scene(new BABYLON.NullEngine());
        new BABYLON.FreeCamera('camera', new BABYLON.Vector3(0, 0, -5), scene);
        const data = `data:;base64,${readFileSync(file).toString('base64')}`;
        const { meshes: [root] } = await BABYLON.SceneLoader.ImportMeshAsync('', '', data, scene, null, '.glb');
        scene.animationGroups.forEach((group) => group.stop());
        count = scene.animationGroups.length;
        const group = scene.animationGroups[clip];
        setBounds(root, group.name);
        group.play();
        for (let i = 0; i <= 8; ++i, ++frames)
        {
            group.goToFrame(group.from + (group.to - group.from) * i / 8);
            scene.render();
            for (const mesh of root.getChildMeshes().filter((child) => child.skeleton))
            {
                const { outside, size } = measure(mesh);
                worst = Math.max(worst, outside / size);
            }
        }
    }
    const isGood = frames > 0 && worst < 1e-5;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}: ${frames} frames, outside by ${worst.toExponential(1)} of the size`);
    failed += isGood ? 0 : 1;
}
rmSync(folder, { recursive: true });
process.exit(failed > 0 ? 1 : 0);
