// SPDX-License-Identifier: MIT
// The page: what is shown, and what its controls do.
import { Raycaster } from 'three';
import { createPelt } from 'pelt';
import { METHODS } from 'pelt-three';
import { Character, parseScene } from './character.js';
import { CrowdScene } from './crowd.js';
import { readDrop, readFiles, save, zip } from './files.js';
import { Paint } from './paint.js';
import { showBake, showFindings, showVerdict } from './panel.js';
import { reportText } from './report.js';
import { Stage } from './stage.js';
import { Tasks } from './tasks.js';
import { Controls } from './controls.js';
import { grouped, length } from './words.js';

const BUILT_IN = 'human.glb', BUILT_IN_CLIP = 'squat'; // in which methods differ most
const UNMEASURED = 'The methods were not measured.';
const at = (id) => document.getElementById(id);
const view = (name) => name.replace(/\.[^.]*$/, '');

class Page
{
    async start()
    {
        const compiled = WebAssembly.compileStreaming(fetch(new URL('vendor/pelt/pelt.wasm', import.meta.url)));
        const hero = fetch(new URL(BUILT_IN, import.meta.url)).then((response) => response.arrayBuffer());
        this.stage = new Stage(at('canvas'), at('stage'), () => { this.isDirty = true; });
        this.pelt = await createPelt({ wasm: await compiled });
        this.tasks = new Tasks(at('tasks'), await compiled);
        this.paint = new Paint(this.pelt);
        this.raycaster = new Raycaster();
        this.methods = ['lbs', 'crs'];
        this.normals = ['standard', 'standard'];
        this.isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
        this.time = 0;
        this.speed = 1;
        this.isLooping = true;
        this.controls = new Controls(this);
        this.controls.showPlaying();
        this.setTheme();
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.setTheme());
        const bytes = new Uint8Array(await hero);
        await this.show(bytes, { name: BUILT_IN, files: [{ name: BUILT_IN, bytes: bytes.buffer }], clip: BUILT_IN_CLIP });
        requestAnimationFrame((now) => this.tick(now));
        await this.examine();
    }

    // ------------------------------------------------------------------------------------------
    // Characters

    /// Open files: a character, or clips for the one that is shown.
    async open(files)
    {
        if (files.length === 0)
        {
            return;
        }
        this.fail(null);
        try
        {
            const found = await this.tasks.run('open', { files, current: this.files }, `Reading ${files[0].name}`);
            if (found === null)
            {
                return;
            }
            await this.show(found.scene, { name: found.name, files: found.isAddition ? [...this.files, ...files] : files });
        }
        catch (error)
        {
            this.fail(error.message);
            return;
        }
        await this.examine();
    }

    /// Replace the character by that of a GLB file. The old one stays when this fails.
    /// @param clip  the name of the clip to begin with; null: one in which methods differ much
    async show(scene, { name, files, clip = null })
    {
        const gltf = await parseScene(scene);
        const next = new Character(gltf, { name, pelt: this.pelt, paint: this.paint, methods: this.methods });
        this.dropCrowd();
        this.tab === 'crowd' && this.showTab('compare');
        this.character?.dispose();
        this.tasks.cancel('compare');
        Object.assign(this, { character: next, scene, files, verdict: null, findings: null, info: null });
        next.views.forEach(({ skin }, i) => { skin.normals = this.normals[i]; });
        this.stage.show(next);
        this.controls.showCharacter(next);
        this.setClip(clip === null ? next.mostTelling(150) : next.clips.findIndex((one) => one.name === clip));
        this.setMode(this.paint.mode === 'weights' ? 'material' : this.paint.mode);
        this.controls.showVerdict('Measuring \u2026');
    }

    /// What the doctor and the measurements say, which takes seconds.
    async examine()
    {
        const { files } = this;
        try
        {
            const found = await this.tasks.run('doctor', { files }, 'Examining');
            if (files !== this.files)
            {
                return;
            }
            if (found === null)
            {
                this.controls.showVerdict(UNMEASURED);
                return;
            }
            Object.assign(this, found);
            at('finding-count').textContent = found.findings.length;
            showFindings(at('findings'), found.findings, (place) => this.goTo(place));
            await this.measure();
        }
        catch (error)
        {
            this.controls.showVerdict(UNMEASURED);
            this.fail(error.message);
        }
    }

    async measure()
    {
        const { files } = this;
        this.controls.showVerdict('Measuring \u2026');
        const verdict = await this.tasks.run('compare', { files, frames: 0 }, 'Measuring all methods');
        if (files !== this.files)
        {
            return;
        }
        this.verdict = verdict;
        this.controls.showVerdict(verdict?.headline ?? UNMEASURED);
        verdict !== null && showVerdict(at('verdict-details'), verdict,
            { colorOf: (method) => this.pelt.methodColor(method.replace(/-.*/, '')), go: (place) => this.goTo(place) });
    }

    // ------------------------------------------------------------------------------------------
    // What is shown

    setClip(clip)
    {
        const { character } = this;
        character.play(clip);
        const { box, points, most, at: moment } = character.survey();
        this.range = most;
        this.telling = moment;
        this.stage.frame(box, points);
        this.setTime(0);
        this.controls.showClip();
        this.refreshPaint();
    }

    setTime(time)
    {
        this.time = Math.min(Math.max(time, 0), this.character.duration);
        this.character.pose(this.time);
        this.controls.showTime();
        this.isDirty = true;
    }

    setPlaying(isPlaying)
    {
        this.isPlaying = isPlaying;
        this.controls.showPlaying();
    }

    setMethod(k, method)
    {
        this.methods[k] = method;
        this.character.views[k].skin.method = method;
        this.changed();
    }

    setNormals(k, normals)
    {
        this.normals[k] = normals;
        this.character.views[k].skin.normals = normals;
        this.changed();
    }

    setMix(mix)
    {
        this.character.views.forEach(({ skin }) => { skin.mix = mix; });
        this.changed();
    }

    /// The surfaces are other ones: so is the distance between them.
    changed()
    {
        this.range = this.character.survey().most;
        this.crowd !== undefined && (this.crowd.crowd.method = this.methods[1]);
        this.controls.showMethods();
        this.refreshPaint();
    }

    setMode(mode)
    {
        this.paint.set(mode);
        this.controls.showMode();
        this.refreshPaint();
    }

    setBone(bone)
    {
        this.bone = bone;
        this.controls.showMode();
        this.refreshPaint();
    }

    refreshPaint()
    {
        const { mode } = this.paint;
        this.paint.set(mode, mode === 'difference' ? 1 / Math.max(this.range, 1e-12) : 1);
        mode === 'weights' && this.character.paintWeights(this.bone ?? this.character.bones[0]);
        this.controls.showLegend();
        this.isDirty = true;
    }

    /// Show a moment and a place: { clip, time, node } or those of a finding.
    goTo({ clip = null, time = 0, mesh = null, vertex = null, node = null })
    {
        this.showTab('compare');
        this.setPlaying(false);
        clip !== null && this.setClip(clip);
        clip !== null && this.setTime(time);
        const place = this.character.locate({ mesh, vertex, node });
        this.stage.mark((k) => this.character.locate({ mesh, vertex, node }, k));
        place !== null && this.stage.lookAt(place);
        at('stage').scrollIntoView({ block: 'nearest' });
    }

    setTheme()
    {
        const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name).trim();
        this.stage.setTheme({ background: color('--stage'), accent: color('--accent') });
        this.crowd?.setBackground(color('--stage'));
    }

    /// Say what is wrong; null: nothing is.
    fail(sentence)
    {
        at('error').hidden = sentence === null;
        at('error').firstElementChild.textContent = sentence ?? '';
    }

    // ------------------------------------------------------------------------------------------
    // Crowd

    get bakeSettings()
    {
        return { files: this.files, encoding: at('encoding').value, maxError: Number(at('budget').value), method: this.methods[1] };
    }

    showTab(name)
    {
        this.tab = name;
        const isCrowd = name === 'crowd' && this.crowd !== undefined;
        this.stage.setCrowd(isCrowd);
        this.controls.showTab(name, isCrowd);
        name === 'crowd' && this.crowd === undefined && !this.tasks.running.has('bake') && this.bake();
    }

    async bake()
    {
        const { files, scene } = this, count = Number(at('instances').value), [, method] = this.methods;
        try
        {
            const made = await this.tasks.run('bake', this.bakeSettings, 'Baking');
            if (made === null || files !== this.files)
            {
                return;
            }
            const next = await CrowdScene.open({ scene, made, pelt: this.pelt, method, count, animations: this.character.clips });
            this.dropCrowd();
            this.crowd = next;
            this.made = made;
            next.frame(this.stage.crowd);
            showBake(at('bake-results'), made, next.crowd.bake, count);
            this.setTheme();
            this.showTab(this.tab);
        }
        catch (error)
        {
            this.fail(error.message);
        }
    }

    dropCrowd()
    {
        this.crowd?.dispose();
        this.crowd = undefined;
        this.made = null;
        at('bake-results').replaceChildren();
    }

    // ------------------------------------------------------------------------------------------
    // Downloads

    async saveGLB(what, carrier)
    {
        const { files, character: { name } } = this;
        await this.saving('enhance', { files, what, carrier }, 'Preparing', ({ bytes }) =>
            save(`${view(name)}_pelt.glb`, bytes, 'model/gltf-binary'));
    }

    async saveBake()
    {
        const name = view(this.character.name);
        const write = ({ json, texture, mesh }) => save(`${name}_bake.zip`, zip({
            [`${name}.json`]: new TextEncoder().encode(json), [`${name}.ktx2`]: texture, [`${name}.glb`]: mesh }));
        if (this.made !== null && this.made !== undefined)
        {
            write(this.made);
            return;
        }
        await this.saving('bake', this.bakeSettings, 'Baking', write);
    }

    saveReport()
    {
        const { character: { name }, verdict, findings, info } = this;
        const colorOf = (method) => this.pelt.methodColor(method.replace(/-.*/, ''));
        save(`${view(name)}_report.html`, reportText({ name, verdict, findings, info, picture: this._proof(), colorOf }), 'text/html');
    }

    // A picture of the first reason of the verdict, by the methods that it names. The page shows the
    // same as before afterwards.
    _proof()
    {
        const { character, methods, time, stage, tab = 'compare' } = this, { clip } = character, { camera, controls } = stage.main;
        const reason = this.verdict.reasons.find((one) => one.clip !== null), position = camera.position.clone(), target = controls.target.clone();
        const show = (pair) => character.views.forEach(({ skin }, k) => { skin.method = pair[k]; });
        const pair = [reason?.worst, reason?.best].map((method, k) => (METHODS.includes(method) ? method : methods[k]));
        this.showTab('compare');
        show(pair);
        this.setClip(reason?.clip ?? clip);
        this.setTime(reason?.time ?? this.telling);
        this.draw(0);
        const names = (stage.count === 1 ? pair.slice(1) : pair).map((method) => method.toUpperCase()).join(' and ');
        const picture = { url: at('canvas').toDataURL('image/png'),
                          text: `${names} in ${character.clips[character.clip]?.name ?? 'the stored pose'} at ${this.time.toFixed(2)} s` };
        show(methods);
        this.setClip(clip);
        this.setTime(time);
        camera.position.copy(position);
        controls.target.copy(target);
        controls.update();
        this.showTab(tab);
        return picture;
    }

    async saving(task, input, label, write)
    {
        try
        {
            const made = await this.tasks.run(task, input, label);
            made !== null && write(made);
        }
        catch (error)
        {
            this.fail(error.message);
        }
    }

    // ------------------------------------------------------------------------------------------
    // Frames

    tick(now)
    {
        const seconds = Math.min(0.1, (now - (this.before ?? now)) / 1e3);
        this.before = now;
        const isCrowd = this.stage.isCrowd && this.crowd !== undefined;
        if (this.isPlaying && !isCrowd)
        {
            const { duration } = this.character, next = this.time + seconds * this.speed;
            !this.isLooping && next >= duration && this.setPlaying(false);
            this.setTime(this.isLooping && duration > 0 ? next % duration : next);
        }
        if (this.isDirty || (this.isPlaying && isCrowd))
        {
            this.isDirty = false;
            this.draw(this.isPlaying ? seconds * this.speed : 0);
            this.controls.showFrameRate(now);
        }
        requestAnimationFrame((next) => this.tick(next));
    }

    draw(seconds)
    {
        if (this.stage.isCrowd && this.crowd !== undefined)
        {
            this.crowd.update(this.stage.renderer, this.stage.crowd.camera, seconds);
            this.stage.drawWhole(this.crowd.scene);
            return;
        }
        const most = this.character.difference(null, this.paint.mode === 'difference');
        at('view-0').querySelector('.foot').textContent = `${grouped(this.character.vertexCount)} vertices`;
        at('view-1').querySelector('.foot').textContent = `max ${length(most)} from ${this.methods[0].toUpperCase()}`;
        this.stage.draw();
        this.frames = (this.frames ?? 0) + 1;
        this.frames === 1 && performance.mark('first picture');
    }
}

const page = new Page();
globalThis.page = page; // for the console, and for tests
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('dragenter', (event) =>
{
    event.preventDefault();
    at('drop').hidden = ![...event.dataTransfer.types].includes('Files');
});
addEventListener('dragleave', (event) => { at('drop').hidden ||= event.relatedTarget === null; });
addEventListener('pointermove', () => { at('drop').hidden = true; }); // browsers do not report each end of a drag
addEventListener('drop', async (event) =>
{
    event.preventDefault();
    at('drop').hidden = true;
    page.open(await readDrop(event.dataTransfer));
});
at('files').addEventListener('change', async ({ target }) =>
{
    const files = await readFiles(target.files);
    target.value = '';
    page.open(files);
});
page.start().catch((error) =>
{
    at('verdict').textContent = '';
    page.fail(`The page could not start: ${error.message}`);
});
