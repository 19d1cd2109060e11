// SPDX-License-Identifier: MIT
// The page in Chromium, as a person uses it, against the program:
//     node tests/web/page_test.mjs PELT FOLDER_OF_MAKE_WEB PACKAGE CHROMIUM [MODELS]
// PELT_SHOTS=DIR keeps screenshots to look at.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, serve } from './chromium.mjs';
import { readCrowd } from './read_crowd.mjs';

const [program, web, built, chromium, models] = process.argv.slice(2);
if (!chromium)
{
    console.error('usage: node page_test.mjs PELT FOLDER_OF_MAKE_WEB PACKAGE CHROMIUM [MODELS]');
    process.exit(2);
}
const { createPelt } = await import(pathToFileURL(path.join(path.resolve(built), 'pelt.js')));
const pelt = await createPelt();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-web-'));
const shots = process.env.PELT_SHOTS;
let failures = 0;

function check(isTrue, what, found)
{
    failures += isTrue ? 0 : 1;
    console.log(isTrue ? `ok   ${what}` : `FAIL ${what}: ${JSON.stringify(found)}`);
}

const file = (name) => path.join(folder, name);
const run = (...words) => execFileSync(path.resolve(program), words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
const load = (bytes, name) => pelt.load(bytes, { name });

function farthest(a, b)
{
    let most = a.length === b.length ? 0 : Infinity;
    for (let i = 0; i < a.length; i += 3)
    {
        const gap = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
        most = gap <= most ? most : gap; // NaN counts
    }
    return most;
}

// ----------------------------------------------------------------------------------------------
// Files

// A GLB as JSON, and its binary part.
function takeApart(glb)
{
    const length = glb.readUInt32LE(12);
    return { json: JSON.parse(glb.subarray(20, 20 + length).toString()), bin: glb.subarray(28 + length) };
}

function makeFiles()
{
    run('rig', 'arm?vertices=400', '-o', 'small.glb');
    run('rig', 'human?vertices=2000', '-o', 'other.glb');
    const small = fs.readFileSync(file('small.glb')), { json, bin } = takeApart(small);
    fs.writeFileSync(file('broken.glb'), small.subarray(0, 3000));
    fs.writeFileSync(file('notes.txt'), 'no model');
    json.buffers[0].uri = 'split%20part.bin';
    fs.writeFileSync(file('split.gltf'), JSON.stringify(json));
    fs.writeFileSync(file('split part.bin'), bin);
    // Bones and clips without a mesh, as motion libraries have them.
    const { meshes, skins, materials, ...rest } = json;
    rest.nodes = json.nodes.map(({ mesh, skin, ...node }) => node);
    rest.buffers = [{ byteLength: bin.length, uri: `data:application/octet-stream;base64,${bin.toString('base64')}` }];
    fs.writeFileSync(file('moves.gltf'), JSON.stringify(rest));
}

// ----------------------------------------------------------------------------------------------
// The page

const requests = [];
const server = await serve(path.resolve(web), requests);
const browser = new Browser(chromium, folder);
const text = (selector) => browser.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const isShown = (selector) => browser.evaluate(`document.querySelector(${JSON.stringify(selector)}).checkVisibility()`);

async function shoot(name)
{
    if (shots !== undefined)
    {
        await browser.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        await browser.screenshot(path.join(shots, `${name}.png`));
    }
}

// Drop files and wait for the next character, or for a sentence.
async function drop(...names)
{
    await browser.evaluate('page.fail(null), void (globalThis.before = page.character)');
    await browser.drop(names.map((name) => path.resolve(folder, name)));
    await browser.until("page.character !== before || !document.getElementById('error').hidden", `what becomes of ${names[0]}`);
}

async function testOpening()
{
    await browser.screen({ width: 1280, height: 800 });
    await browser.open(`http://127.0.0.1:${server.address().port}/`);
    await browser.until("performance.getEntriesByName('first picture').length > 0", 'the first picture');
    const first = await browser.evaluate("performance.getEntriesByName('first picture')[0].startTime");
    console.log(`     the first picture after ${first.toFixed(0)} ms`);
    check((await browser.evaluate('[page.character.name, ...page.methods].join()')) === 'human.glb,lbs,crs',
          'it opens with a character, by lbs and crs');
    await browser.until('page.verdict', 'the verdict');
    run('compare', path.resolve(web, 'human.glb'), '--method', 'lbs,dqs,mix,crs', '--no-times', '--no-pictures', '-o', 'report');
    const { recommendation } = JSON.parse(fs.readFileSync(file('report/report.json'), 'utf8'));
    check((await text('#verdict')) === recommendation.headline, 'the verdict is that of pelt compare', await text('#verdict'));
    const rows = JSON.parse(execFileSync(path.resolve(program), ['doctor', path.resolve(web, 'human.glb'), '--json']).toString());
    check((await browser.evaluate('page.findings.length')) === rows.findings.length, 'the findings are those of pelt doctor', rows.findings.length);
    await shoot('1280-light');
}

async function testPlaying()
{
    const time = () => browser.evaluate('page.time');
    const before = await time();
    await browser.until(`page.time !== ${before}`, 'time');
    await browser.key(' ', 'Space');
    const paused = await time();
    check(!(await browser.evaluate('page.isPlaying')), 'space pauses');
    await browser.evaluate('new Promise((done) => setTimeout(done, 200))');
    check((await time()) === paused, 'time does not pass then');
    await browser.key('Home');
    await browser.key('ArrowRight');
    check(Math.abs((await time()) - 1 / 30) < 1e-6, 'an arrow key is a frame', await time());
    const [name, bones] = await browser.evaluate("[page.character.clips[page.character.clip].name, document.getElementById('bones').checked]");
    await browser.key(']');
    check((await browser.evaluate('page.character.clips[page.character.clip].name')) !== name && !bones, 'a key changes the clip');
    await browser.choose('#clip', await browser.evaluate("String(page.character.clips.findIndex(({ name }) => name === 'squat'))"));
    const focused = [];
    for (let i = 0; i < 14; ++i)
    {
        await browser.key('Tab');
        focused.push(await browser.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.value"));
    }
    check(['open', 'download', 'canvas', 'Method of viewport 1', 'Method of viewport 2'].every((one) => focused.includes(one)),
          'the tab key reaches controls', focused);
    await browser.evaluate('document.activeElement.blur()');
}

// Each method at one moment, against the program.
async function testMethods()
{
    await browser.evaluate('page.setTime(1.2)');
    const time = await browser.evaluate('page.time');
    for (const method of ['dqs', 'mix', 'lbs', 'crs'])
    {
        await browser.choose('[aria-label="Method of viewport 2"]', method);
        const found = await browser.evaluate('Array.from(page.character.views[1].skin.positions(page.character.views[1].skin.meshes[0]))');
        run('deform', path.resolve(web, 'human.glb'), '--clip', 'squat', '--time', String(time), '--method', method, '-o', 'posed.ply');
        const posed = load(fs.readFileSync(path.resolve(web, 'human.glb')), 'human.glb').pose({ clip: 'squat', time });
        const far = farthest(found, posed.deform({ method })[0].positions);
        posed.dispose();
        check(far < 2e-5, `${method} is that of pelt: ${far.toExponential(1)} m off`, far);
    }
    const foot = async () => parseFloat((await text('#view-1 .foot')).match(/max ([\d.]+) mm/)[1]);
    await browser.evaluate('page.draw(0)');
    const apart = await foot();
    await browser.choose('[aria-label="Method of viewport 2"]', 'lbs');
    await browser.evaluate('page.draw(0)');
    check(apart > 10 && (await foot()) === 0, 'the foot says how far the methods are apart', apart);
    await browser.choose('[aria-label="Method of viewport 2"]', 'mix');
    check(await isShown('#mix'), 'method mix has its slider');
    await browser.choose('[aria-label="Normals of viewport 2"]', 'accurate');
    check((await browser.evaluate('page.character.views[1].skin.normals')) === 'accurate', 'normals change');
    await browser.choose('[aria-label="Method of viewport 2"]', 'crs');
    await browser.choose('[aria-label="Normals of viewport 2"]', 'standard');
}

async function testSurface()
{
    const picture = () => browser.evaluate("(page.draw(0), document.getElementById('canvas').toDataURL())");
    const plain = await picture();
    await browser.key('t');
    await browser.key('h');
    await browser.evaluate('page.draw(0)');
    const [most, range] = await browser.evaluate("[Math.max(...page.character.views[0].meshes[0].geometry.attributes.paint_value.array), page.range]");
    check(Math.abs(most - range) < 1e-6 && most > 0.01 && (await isShown('#legend')), 'the heat map ends at the largest difference', [most, range]);
    const heat = await picture();
    await shoot('1280-heat');
    await browser.key('w');
    await browser.choose('#bone', await browser.evaluate("String(page.character.bones.findIndex(({ name }) => name === 'head'))"));
    const heaviest = await browser.evaluate('Math.max(...page.character.views[0].meshes[0].geometry.attributes.paint_value.array)');
    const weights = await picture();
    await browser.key('b');
    const bones = await picture();
    check(heaviest > 0.99 && new Set([plain, heat, weights, bones]).size === 4, 'weights and bones are drawn', heaviest);
    const [x, y] = await browser.evaluate(`(() => { const { character, stage } = page;
        const place = character.locate({ node: character.bones.find(({ name }) => name === 'spine1' || name === 'chest' || name === 'spine').userData.peltNode });
        place.project(stage.main.camera); return [(place.x + 1) / 2, (1 - place.y) / 2]; })()`);
    await browser.click('#view-1', [x, y]);
    check((await browser.evaluate('page.bone.name')) !== 'head', 'a click chooses a bone', await browser.evaluate('page.bone.name'));
    await browser.key('b');
    await browser.key('m');
    const moment = await browser.evaluate("page.verdict.reasons[0]");
    await browser.click('#verdict-details .place');
    const [clip, time, isMarked] = await browser.evaluate('(page.draw(0), [page.character.clip, page.time, page.stage.viewports[1].marker.visible])');
    check(clip === moment.clip && Math.abs(time - moment.time) < 1e-6 && isMarked, 'a reason leads to its moment and place', [clip, time, isMarked]);
    await browser.key('Escape');
}

async function testFiles()
{
    await drop('broken.glb');
    const theirs = spawnSync(path.resolve(program), ['info', 'broken.glb'], { cwd: folder }).stderr.toString();
    const sentence = await text('#error span');
    check(theirs.includes(sentence) && (await browser.evaluate('page.character.name')) === 'human.glb',
          'a broken file gives the sentence of pelt, and the old character stays', [sentence, theirs]);
    await shoot('1280-error');
    await drop('notes.txt');
    check(/no model/.test(await text('#error span')), 'another file gives a sentence', await text('#error span'));
    await drop('split.gltf', 'split part.bin');
    check((await browser.evaluate('page.character.name')) === 'split.gltf' && !(await isShown('#error')), 'glTF with its .bin is dropped');
    const clips = await browser.evaluate('page.character.clips.length');
    await drop('moves.gltf');
    check((await browser.evaluate('page.character.clips.length')) === 2 * clips && (await browser.evaluate('page.character.name')) === 'split.gltf',
          'a file of clips adds its clips', await browser.evaluate('[page.character.name, page.character.clips.length]'));
    await browser.until('page.findings', 'findings');
    if (models !== undefined && fs.existsSync(models))
    {
        await drop(path.resolve(models, 'ufbx_maya_kenney_character/maya_kenney_character_7700_binary.fbx'));
        check(/\.fbx$/.test(await browser.evaluate('page.character.name')), 'FBX is dropped', await text('#error span'));
    }
}

async function testCancel()
{
    await drop('other.glb');
    await browser.until("page.tasks.running.has('compare') && (document.querySelector('#tasks li:last-child button').click(), true)", 'a bar');
    await browser.until("document.getElementById('verdict').textContent.includes('not measured')", 'the end of the task');
    check((await browser.evaluate('page.tasks.running.size + page.tasks.list.children.length')) === 0 && (await isShown('#measure')),
          'measuring is canceled, and can be started again');
}

// What a character takes goes with it.
async function testDisposal()
{
    const state = `(page.draw(0), [page.stage.renderer.info.memory.geometries, page.stage.renderer.info.memory.textures,
        page.stage.renderer.info.programs.length, page.pelt.memoryBytes].join())`;
    const found = [];
    for (let i = 0; i < 3; ++i)
    {
        await drop('other.glb');
        await browser.until('page.findings', 'findings');
        await drop('small.glb');
        await browser.until('page.findings', 'findings');
        found.push(await browser.evaluate(state));
    }
    check(found[1] === found[2], `characters that are replaced leave nothing: ${found[1]} become ${found[2]}`, found);
}

async function testDownloads()
{
    await browser.until('page.verdict', 'the verdict');
    await browser.key('d');
    await browser.click('#save-glb');
    const enhanced = await browser.downloaded('small_pelt.glb');
    run('enhance', 'small.glb', '--cor', '--normals', '--bounds', '-o', 'theirs.glb');
    check(Buffer.compare(enhanced, fs.readFileSync(file('theirs.glb'))) === 0, 'the enhanced GLB has the bytes of pelt enhance', enhanced.length);
    fs.writeFileSync(file('again.glb'), enhanced);
    await drop('again.glb');
    await browser.until('page.info', 'the examination');
    check(await browser.evaluate('page.character.name === "again.glb" && page.info.meshes[0].centers && page.info.meshes[0].normalFactors'),
          'and it is read again, with what it got');
    await browser.until('page.verdict', 'the verdict');
    await browser.key('d');
    await browser.click('#save-report');
    const report = (await browser.downloaded('again_report.html')).toString();
    check(report.includes('<img src="data:image/png') && !report.includes('<script') && report.includes(await text('#verdict')) &&
        report.includes(await browser.evaluate('`in ${page.character.clips[page.verdict.reasons[0].clip].name} at ${page.verdict.reasons[0].time.toFixed(2)} s`')),
          'the report has the verdict and a picture of its first reason');
    shots !== undefined && fs.writeFileSync(path.join(shots, 'report.html'), report);
}

// ----------------------------------------------------------------------------------------------
// Crowd

// Files of a ZIP archive without compression.
function unzip(bytes)
{
    const out = {};
    for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;)
    {
        const size = bytes.readUInt32LE(at + 18), name = bytes.readUInt16LE(at + 26), start = at + 30 + name;
        out[bytes.subarray(at + 30, start).toString()] = bytes.subarray(start, start + size);
        at = start + size;
    }
    return out;
}

// All instances as the GPU has skinned them, against what `pelt unbake` makes of the saved bake.
async function testCrowd()
{
    await browser.click('#tab-crowd');
    await browser.until('page.crowd && page.stage.isCrowd', 'the crowd');
    await browser.evaluate('page.setPlaying(false)');
    check(/Largest error[\d.]+ mm/.test(await text('#bake-results')), 'the error of the bake is measured', await text('#bake-results'));
    await browser.key('d');
    await browser.click('#save-bake');
    const files = unzip(await browser.downloaded('again_bake.zip'));
    Object.entries(files).forEach(([name, bytes]) => fs.writeFileSync(file(name), bytes));
    run('unbake', 'again.json', '-o', 'unbaked.glb');
    await browser.evaluate('page.crowd.crowd.update(page.stage.renderer, [], 0.731)');
    const moments = await browser.evaluate('Array.from({ length: page.crowd.crowd.count }, (_, i) => page.crowd.crowd.stateAt(i))');
    const { positions, vertices } = await readCrowd(browser);
    const character = load(fs.readFileSync(file('unbaked.glb')), 'unbaked.glb');
    let far = 0;
    moments.forEach(({ clip, time }, i) =>
    {
        const expected = character.pose({ clip, time, loop: true }).deform({ method: 'crs' })[0].positions;
        far = Math.max(far, farthest(positions.subarray(3 * vertices * i, 3 * vertices * (i + 1)), expected));
    });
    const { bounds: { min, max } } = { bounds: character.pose({}).bounds() };
    const size = Math.hypot(...max.map((x, i) => x - min[i]));
    check(moments.length === 500 && far <= 1e-4 * size, `500 instances, ${(far / size).toExponential(1)} of the size off pelt unbake`, far);
    character.dispose();
    await testPromotion(positions, vertices, size);
    await shoot('1280-crowd');
}

// A click makes an instance live, in the same pose, and another click puts it back.
async function testPromotion(before, vertices, size)
{
    const [index, x, y] = await browser.evaluate(`(() => {
        const { crowd } = page.crowd, { camera } = page.stage.crowd;
        page.draw(0);
        // The one in front, at its middle.
        let best = [-1, 0, 0, Infinity];
        for (let i = 0; i < crowd.count; ++i) {
            const box = crowd.boundsAt(i), middle = box.min.clone().add(box.max).multiplyScalar(0.5);
            const depth = middle.distanceTo(camera.position), seen = middle.clone().project(camera);
            if (Math.abs(seen.x) < 0.8 && Math.abs(seen.y) < 0.8 && depth < best[3]) best = [i, seen.x, seen.y, depth];
        }
        return [best[0], (best[1] + 1) / 2, (1 - best[2]) / 2]; })()`);
    await browser.click('#canvas', [x, y]);
    const live = await browser.evaluate('[...page.crowd.crowd.live.keys()]');
    check(live.length === 1 && live[0] === index, 'a click makes an instance live', [live, index]);
    const own = await browser.evaluate(`(() => {
        const { skin, object } = page.crowd.crowd.live.get(${live[0]}), [mesh] = skin.meshes, out = Array.from(skin.positions(mesh));
        const matrix = object.matrixWorld.clone().invert().multiply(mesh.matrixWorld), point = object.position.clone();
        for (let i = 0; i < out.length; i += 3) point.fromArray(out, i).applyMatrix4(matrix).toArray(out, i);
        return out; })()`);
    const gap = farthest(own, before.subarray(3 * vertices * live[0], 3 * vertices * (live[0] + 1))) / size;
    check(gap <= 1e-5, `it is ${gap.toExponential(1)} of the size off the crowd`, gap);
    await browser.click('#canvas', [x, y]);
    check((await browser.evaluate('page.crowd.crowd.live.size')) === 0, 'another click puts it back');
    await browser.evaluate('page.crowd.crowd.update(page.stage.renderer, [], 0)');
    const { positions } = await readCrowd(browser);
    const moved = farthest(positions, before) / size;
    check(moved <= 1e-3, `and the crowd is as before: ${moved.toExponential(1)} of the size off`, moved);
}

// ----------------------------------------------------------------------------------------------
// Screens

// The contrast of text and its ground, as WCAG defines it.
const CONTRAST = `(() => {
    const channel = (x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const light = (color) => { const [r, g, b] = color.match(/\\w\\w/g).map((two) => channel(parseInt(two, 16)));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const style = getComputedStyle(document.documentElement), of = (name) => light(style.getPropertyValue(name).trim().slice(1, 7));
    const contrast = (a, b) => (Math.max(of(a), of(b)) + 0.05) / (Math.min(of(a), of(b)) + 0.05);
    return Math.min(...['--text', '--soft', '--bad', '--warn'].flatMap((one) => [contrast(one, '--page'), contrast(one, '--raised')]),
                    contrast('--on-accent', '--accent')); })()`;

async function testScreens()
{
    await browser.click('#tab-compare');
    await drop('other.glb');
    await browser.until('page.verdict', 'the verdict');
    for (const [name, screen] of [['1280-dark', { width: 1280, height: 800, isDark: true }], ['390-dark', { width: 390, height: 844, isDark: true, isPhone: true }],
                                  ['390-light', { width: 390, height: 844, isPhone: true }]])
    {
        await browser.screen(screen);
        await browser.until(`innerWidth === ${screen.width} && page.stage.count === ${screen.isPhone ? 1 : 2}`);
        const [wide, contrast] = await browser.evaluate(`[document.documentElement.scrollWidth, ${CONTRAST}]`);
        check(wide <= screen.width && contrast >= 4.5, `${name}: nothing is cut off, contrast ${contrast.toFixed(1)}`, [wide, contrast]);
        await shoot(name);
    }
    check(!(await isShown('#view-0')), 'a phone has one viewport');
    await browser.click('#view-1 .segments [value=dqs]');
    check((await browser.evaluate('page.methods[1]')) === 'dqs', 'the method is a segmented control there');
    await browser.screen({ width: 1280, height: 800 });
}

async function test()
{
    makeFiles();
    await browser.start();
    for (const part of [testOpening, testPlaying, testMethods, testSurface, testFiles, testCancel, testDisposal, testDownloads, testCrowd, testScreens])
    {
        const start = Date.now();
        await part();
        console.log(`     ${part.name}: ${((Date.now() - start) / 1e3).toFixed(1)} s`);
    }
    check(browser.errors.length === 0, 'the console has no errors', browser.errors);
    const missing = requests.filter((url) => !fs.existsSync(path.join(path.resolve(web), url === '/' ? 'index.html' : url)));
    check(missing.length === 0, 'the page has all its files', missing);
    const modules = requests.filter((url) => url.endsWith('.wasm'));
    check(modules.length === 1, 'the module is loaded once', modules);
}

try
{
    await test();
}
catch (error)
{
    check(false, 'the page works to the end', `${error.stack} ${browser.errors}`);
}
finally
{
    await browser.end();
    server.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failures > 0 ? 1 : 0);
