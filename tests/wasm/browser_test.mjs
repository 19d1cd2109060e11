// SPDX-License-Identifier: MIT
// The WebAssembly modules in Chromium, in a page and in a worker:
//     node tests/wasm/browser_test.mjs PELT PACKAGE CHROMIUM
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { askPage } from '../outside/browser.mjs';

const [pelt, built, chromium] = process.argv.slice(2);
if (!chromium)
{
    console.error('usage: node browser_test.mjs PELT PACKAGE CHROMIUM');
    process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-page-'));
process.on('exit', () =>
{
    try
    {
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    catch
    {
        // A browser that is ending still writes there.
    }
});

const work = `
import { createPelt } from './pelt.js';
export async function work()
{
    const pelt = await createPelt();
    const bytes = await (await fetch('/human.glb')).arrayBuffer();
    const hero = pelt.load(bytes, { name: 'human.glb' });
    hero.pose({ clip: 'walk', time: 0.3 });
    const digest = async (data) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', data.slice()))]
        .map((byte) => byte.toString(16).padStart(2, '0')).join('');
    hero.deform({ method: 'crs', exact: true });
    const deformed = await digest(hero.saveSurfaces('ply'));
    const least = (count, act) => Math.min(...Array.from({ length: count }, () =>
    {
        const before = performance.now();
        act();
        return performance.now() - before;
    }));
    const solve = least(5, () => hero.prepare({ centers: true }, { again: true }));
    const large = pelt.load(await (await fetch('/large.glb')).arrayBuffer(), { name: 'large.glb' });
    const deform = least(20, () => large.pose({ clip: 'walk', time: 0.3 }).deform({ method: 'crs' }));
    large.dispose();
    hero.prepare({ centers: true, normalFactors: true }, { again: true });
    const enhanced = await digest(hero.saveGLB());
    let sentence = '';
    try { hero.deform({ method: 'none' }); } catch (error) { sentence = error.message; }
    hero.dispose();
    return { deformed, enhanced, sentence, solve, deform };
}
`;
const run = (...words) =>
{
    execFileSync(path.resolve(pelt), words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return fs.readFileSync(path.join(folder, words.at(-1)));
};
const human = run('rig', 'human?vertices=6000', '-o', 'human.glb');
const large = run('rig', 'human?vertices=25000', '-o', 'large.glb');
const read = (name) => fs.readFileSync(path.join(built, name));
const answers = {
    '/': '<script type="module" src="page.js"></script>',
    '/page.js': `
        import { work } from './work.js';
        const inWorker = new Promise((resolve, reject) =>
        {
            const worker = new Worker('./worker.js', { type: 'module' });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
        });
        const results = await Promise.all([work(), inWorker]).catch((error) => [{ error: String(error) }]);
        fetch('/results', { method: 'POST', body: JSON.stringify(results) });`,
    '/worker.js': `import { work } from './work.js'; postMessage(await work());`,
    '/work.js': work,
    '/human.glb': human,
    '/large.glb': large,
    '/pelt.js': read('pelt.js'),
    '/module.js': read('module.js'),
    '/pelt.wasm': read('pelt.wasm'),
};
const results = await askPage(chromium, folder, answers);
const digest = (bytes) => execFileSync('sha256sum', { input: bytes }).toString().slice(0, 64);
const deformed = digest(run('deform', 'human.glb', '--clip', 'walk', '--time', '0.3', '--method', 'crs', '-o', 'posed.ply'));
const enhanced = digest(run('enhance', 'human.glb', '--cor', '--normals', '-o', 'enhanced.glb'));
let failures = results.length === 2 ? 0 : 1;
for (const [i, result] of results.entries())
{
    const isGood = result.deformed === deformed && result.enhanced === enhanced &&
        result.sentence?.startsWith('there is no method');
    failures += isGood ? 0 : 1;
    const place = ['page', 'worker'][i];
    console.log(isGood ? `ok   ${place}: the bytes of the program; centers of 6000 vertices in ${result.solve.toFixed(0)} ms, ` +
        `25 000 vertices by crs in ${result.deform.toFixed(2)} ms`
        : `FAIL ${place}: ${JSON.stringify(result)}`);
}
process.exit(failures > 0 ? 1 : 0);
