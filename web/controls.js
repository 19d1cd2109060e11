// SPDX-License-Identifier: MIT
// Buttons, lists, sliders and keys of the page.
import { METHODS, NORMALS } from 'pelt-three';
import { MODES } from './paint.js';
import { element, length } from './words.js';

const at = (id) => document.getElementById(id);
const FRAME = 1 / 30; // seconds
const NARROW = '(max-width: 760px)';
const TITLES = { material: 'Materials of the file (M)', grey: 'Plain grey (G)', difference: 'How far the two surfaces are apart (H)',
                 weights: 'Weights of a bone (W)' };
const METHOD_TITLES = { lbs: 'Linear blend skinning', dqs: 'Dual quaternions', mix: 'Between lbs and dqs', crs: 'Optimized centers of rotation' };

function options(select, entries)
{
    select.replaceChildren(...entries.map(([value, text]) => element('option', { value, textContent: text })));
}

// Buttons of which one is chosen; arrow keys move the choice.
function segments(holder, entries, choose)
{
    const buttons = entries.map(([value, text, title]) =>
    {
        const button = element('button', { textContent: text, title, value, type: 'button' });
        button.setAttribute('role', 'radio');
        button.onclick = () => choose(value);
        return button;
    });
    holder.addEventListener('keydown', (event) =>
    {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const index = buttons.indexOf(document.activeElement);
        if (step !== undefined && index >= 0)
        {
            event.preventDefault();
            event.stopPropagation();
            const next = buttons[(index + step + buttons.length) % buttons.length];
            next.focus();
            next.click();
        }
    });
    holder.replaceChildren(...buttons);
    return (chosen) => buttons.forEach((button) =>
    {
        const isChosen = button.value === chosen;
        button.setAttribute('aria-checked', isChosen);
        button.tabIndex = isChosen ? 0 : -1;
    });
}

export class Controls
{
    constructor(page)
    {
        this.page = page;
        this._buildCorners();
        this.chooseMode = segments(at('modes'), MODES.map((mode) => [mode, mode[0].toUpperCase() + mode.slice(1), TITLES[mode]]),
                                   (mode) => page.setMode(mode));
        this._wireTimeline();
        this._wirePanel();
        this._wireDialogs();
        this._wireTabs();
        this._wirePicking();
        addEventListener('keydown', (event) => this._key(event));
        const narrow = matchMedia(NARROW), adapt = () => this._setCount(narrow.matches || !at('both').checked ? 1 : 2);
        narrow.addEventListener('change', adapt);
        at('both').onchange = adapt;
        adapt();
    }

    _buildCorners()
    {
        this.corners = [0, 1].map((k) =>
        {
            const corner = at(`view-${k}`).querySelector('.corner'), dot = element('i', { className: 'dot' });
            const method = element('select', { title: `Method of viewport ${k + 1} (${k === 0 ? '1' : '2'})` });
            const normals = element('select', { title: 'Rule for normals (N)' });
            method.setAttribute('aria-label', `Method of viewport ${k + 1}`);
            normals.setAttribute('aria-label', `Normals of viewport ${k + 1}`);
            options(method, METHODS.map((name) => [name, name.toUpperCase()]));
            options(normals, NORMALS.map((name) => [name, `${name} normals`]));
            method.onchange = () => this.page.setMethod(k, method.value);
            normals.onchange = () => this.page.setNormals(k, normals.value);
            const row = element('div', { className: 'segments' });
            row.setAttribute('role', 'radiogroup');
            row.setAttribute('aria-label', 'Method');
            const choose = segments(row, METHODS.map((name) => [name, name.toUpperCase(), METHOD_TITLES[name]]),
                                    (name) => this.page.setMethod(k, name));
            corner.append(dot, method, row, normals);
            // Otherwise the controls of the camera would capture the pointer.
            corner.addEventListener('pointerdown', (event) => event.stopPropagation());
            return { dot, method, normals, choose };
        });
    }

    _wireTimeline()
    {
        const { page } = this;
        at('play').onclick = () => page.setPlaying(!page.isPlaying);
        at('back').onclick = () => this._step(-FRAME);
        at('forward').onclick = () => this._step(FRAME);
        at('position').oninput = ({ target }) =>
        {
            page.setPlaying(false);
            page.setTime(Number(target.value));
        };
        at('clip').onchange = ({ target }) => page.setClip(Number(target.value));
        at('speed').onchange = ({ target }) => { page.speed = Number(target.value); };
        at('loop').onchange = ({ target }) => { page.isLooping = target.checked; };
    }

    _wirePanel()
    {
        const { page } = this;
        at('bones').onchange = ({ target }) => page.stage.setBones(target.checked);
        at('bone').onchange = ({ target }) => page.setBone(page.character.bones[Number(target.value)]);
        at('mix').oninput = ({ target }) => page.setMix(Number(target.value));
        at('mix').ondblclick = () =>
        {
            at('mix').value = 0.5;
            page.setMix(0.5);
        };
        at('measure').onclick = () => page.measure().catch((error) => page.fail(error.message));
        at('bake').onclick = () => page.bake();
        at('error').lastElementChild.onclick = () => page.fail(null);
        at('open').onclick = () => at('files').click();
    }

    _wireDialogs()
    {
        const { page } = this;
        at('download').onclick = () =>
        {
            at('save-report').disabled = !page.verdict;
            at('downloads').showModal();
        };
        at('save-glb').onclick = () =>
        {
            const what = { centers: at('want-centers').checked, normalFactors: at('want-normals').checked,
                           mixFactors: at('want-mix').checked, bounds: at('want-bounds').checked };
            at('downloads').close();
            page.saveGLB(what, at('carrier').value);
        };
        at('save-bake').onclick = () =>
        {
            at('downloads').close();
            page.saveBake();
        };
        at('save-report').onclick = () =>
        {
            at('downloads').close();
            page.saveReport();
        };
        at('help').onclick = () => at('keys').showModal();
        at('key-list').replaceChildren(...KEYS.flatMap(([key, text]) =>
            [element('dt', { textContent: key }), element('dd', { textContent: text })]));
    }

    _wireTabs()
    {
        const names = ['compare', 'crowd'];
        names.forEach((name, i) =>
        {
            const tab = at(`tab-${name}`);
            tab.onclick = () => this.page.showTab(name);
            tab.onkeydown = (event) =>
            {
                if (['ArrowLeft', 'ArrowRight'].includes(event.key))
                {
                    event.stopPropagation();
                    const next = at(`tab-${names[1 - i]}`);
                    next.focus();
                    next.click();
                }
            };
        });
    }

    // A click, not a drag.
    _wirePicking()
    {
        const { page } = this;
        let start = null;
        at('stage').addEventListener('pointerdown', ({ clientX, clientY }) => { start = [clientX, clientY]; });
        // The controls of the camera capture the pointer, so that clicks come to the stage.
        at('stage').addEventListener('click', ({ target, clientX, clientY }) =>
        {
            if (target.closest('.corner') !== null || start === null || Math.hypot(clientX - start[0], clientY - start[1]) > 4)
            {
                return;
            }
            page.stage.isCrowd ? this._pickInstance(clientX, clientY) : this._pickBone(clientX, clientY);
        });
    }

    _pickBone(x, y)
    {
        const { page } = this, view = page.stage.rayAt(page.raycaster, x, y);
        const bone = page.paint.mode === 'weights' ? page.character.boneAt(page.raycaster, view) : null;
        bone !== null && page.setBone(bone);
    }

    _pickInstance(x, y)
    {
        const { page } = this, area = at('stage').getBoundingClientRect();
        page.raycaster.setFromCamera({ x: 2 * (x - area.left) / area.width - 1, y: 1 - 2 * (y - area.top) / area.height },
                                     page.stage.crowd.camera);
        page.crowd.toggleLive(page.raycaster);
        page.isDirty = true;
    }

    _step(seconds)
    {
        this.page.setPlaying(false);
        this.page.setTime(this.page.time + seconds);
    }

    _setCount(count)
    {
        at('stage').classList.toggle('single', count === 1);
        this.page.stage.setCount(count);
    }

    // ------------------------------------------------------------------------------------------
    // Keys

    _key(event)
    {
        const { target, key } = event;
        const isTyping = target.matches?.('select, input:not([type=checkbox]):not([type=range])');
        const isOwn = (key === ' ' && target.matches?.('button, input, select')) || (/^Arrow/.test(key) && target.matches?.('input, select'));
        const act = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
        if (isTyping || isOwn || event.ctrlKey || event.metaKey || event.altKey || act === undefined || document.querySelector('dialog[open]') !== null)
        {
            return;
        }
        event.preventDefault();
        act(this.page, this);
    }

    // ------------------------------------------------------------------------------------------
    // What the page shows

    showCharacter(character)
    {
        at('name').textContent = character.name;
        document.title = `${character.name}: pelt`;
        options(at('clip'), character.clips.map(({ name }, i) => [i, name || `clip ${i + 1}`]));
        options(at('bone'), character.bones.map(({ name }, i) => [i, name || `bone ${i + 1}`]));
        this.page.bone = character.bones[0];
        this.page.stage.setBones(at('bones').checked);
        at('finding-count').textContent = '';
        at('findings').replaceChildren(element('p', { className: 'small', textContent: 'Examining \u2026' }));
        at('verdict-details').replaceChildren();
        this.showMethods();
    }

    showMethods()
    {
        const { page } = this;
        this.corners.forEach(({ dot, method, normals, choose }, k) =>
        {
            method.value = page.methods[k];
            normals.value = page.normals[k];
            choose(page.methods[k]);
            dot.style.background = page.pelt.methodColor(page.methods[k]);
        });
        const { mix } = page.character.views[0].skin;
        at('mix-row').hidden = !page.methods.includes('mix');
        at('mix').value = mix;
        at('mix-value').textContent = mix.toFixed(2);
    }

    showVerdict(sentence)
    {
        at('verdict').textContent = sentence;
        at('measure').hidden = this.page.verdict !== null || sentence.startsWith('Measuring');
    }

    showClip()
    {
        at('clip').value = this.page.character.clip;
        at('position').max = this.page.character.duration;
    }

    showTime()
    {
        const { time } = this.page;
        at('time').textContent = `${time.toFixed(2)} s`;
        at('position').value = time;
    }

    showPlaying()
    {
        const { isPlaying } = this.page;
        at('play').textContent = isPlaying ? '\u275a\u275a' : '\u25b6\ufe0e';
        at('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    }

    showMode()
    {
        const { mode } = this.page.paint;
        this.chooseMode(mode);
        at('bone-row').hidden = mode !== 'weights';
        at('bone').value = this.page.character.bones.indexOf(this.page.bone);
    }

    showLegend()
    {
        const { page } = this, { mode } = page.paint, isMap = mode === 'difference' || mode === 'weights';
        at('legend').hidden = !isMap || page.stage.isCrowd;
        at('legend-title').textContent = mode === 'weights' ? `weight of ${page.bone?.name ?? ''}`
            : `distance of ${page.methods[1].toUpperCase()} from ${page.methods[0].toUpperCase()}`;
        at('legend-bar').style.background = page.paint.gradient();
        at('legend-low').textContent = '0';
        at('legend-high').textContent = mode === 'weights' ? '1' : length(page.range);
    }

    /// @param isCrowd  there is a crowd to draw
    showTab(name, isCrowd)
    {
        ['compare', 'crowd'].forEach((tab) =>
        {
            at(`tab-${tab}`).setAttribute('aria-selected', tab === name);
            at(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
            at(`panel-${tab}`).hidden = tab !== name;
        });
        at('view-0').hidden = at('view-1').hidden = isCrowd;
        at('crowd-foot').hidden = !isCrowd;
        at('timeline').classList.toggle('crowd', isCrowd);
        this.showLegend();
    }

    showFrameRate(now)
    {
        this.rates = [...(this.rates ?? []).filter((time) => now - time < 1000), now];
        const { crowd } = this.page;
        if (crowd !== undefined && this.page.stage.isCrowd)
        {
            const { crowd: { count, visibleCount, live } } = crowd;
            at('crowd-foot').textContent = `${count} instances, ${visibleCount} in view, ${live.size} live, ${this.rates.length} FPS`;
        }
    }
}

// ----------------------------------------------------------------------------------------------

function nextMethod(page, k)
{
    page.setMethod(k, METHODS[(METHODS.indexOf(page.methods[k]) + 1) % METHODS.length]);
}

function nextClip(page, step)
{
    const { clips, clip } = page.character;
    clips.length > 0 && page.setClip((clip + step + clips.length) % clips.length);
}

function toggle(id)
{
    at(id).checked = !at(id).checked;
    at(id).dispatchEvent(new Event('change'));
}

const toggleMode = (page, mode) => page.setMode(page.paint.mode === mode ? 'material' : mode);

const ACTIONS = {
    ' ': (page) => page.setPlaying(!page.isPlaying),
    ArrowLeft: (page, controls) => controls._step(-FRAME),
    ArrowRight: (page, controls) => controls._step(FRAME),
    Home: (page) => page.setTime(0),
    '[': (page) => nextClip(page, -1),
    ']': (page) => nextClip(page, 1),
    1: (page) => nextMethod(page, 0),
    2: (page) => nextMethod(page, 1),
    n: (page) => [0, 1].forEach((k) => page.setNormals(k, page.normals[k] === 'standard' ? 'accurate' : 'standard')),
    m: (page) => page.setMode('material'),
    g: (page) => toggleMode(page, 'grey'),
    h: (page) => toggleMode(page, 'difference'),
    w: (page) => toggleMode(page, 'weights'),
    b: () => toggle('bones'),
    v: () => toggle('both'),
    f: (page) => page.setClip(page.character.clip),
    t: (page) => { page.setPlaying(false); page.setTime(page.telling); },
    l: () => toggle('loop'),
    c: (page) => page.showTab(page.tab === 'crowd' ? 'compare' : 'crowd'),
    o: () => at('files').click(),
    d: () => at('download').click(),
    '?': () => at('keys').showModal(),
    Escape: (page) => { page.fail(null); page.stage.mark(() => null); },
};

const KEYS = [['Space', 'play or pause'], ['\u2190 \u2192', 'a frame back or on'], ['Home', 'to the beginning'], ['[ ]', 'other clip'],
              ['1 2', 'next method of a viewport'], ['N', 'accurate or standard normals'], ['M', 'materials of the file'],
              ['G', 'plain grey'], ['H', 'difference'], ['W', 'weights'], ['B', 'bones'], ['V', 'one viewport or two'],
              ['T', 'the moment at which methods differ most'], ['F', 'frame the character, from the start'], ['L', 'loop'],
              ['C', 'crowd'], ['O', 'open files'], ['D', 'download'], ['Esc', 'close messages']];
