// SPDX-License-Identifier: MIT
// Lists of the panel: the verdict with its moments, and the findings of the doctor.
import { bytes, counted, digits, element, length, percent } from './words.js';

// A line that goes to a place, when it has one.
function placeButton(text, place, go)
{
    if (place === null)
    {
        return element('p', { textContent: text });
    }
    const button = element('button', { textContent: text, className: 'place', title: 'Show this moment' });
    button.onclick = () => go(place);
    return button;
}

// Quantities, their titles, and whether they are lengths; others are parts of 1.
const COLUMNS = [['shape_error', 'Shape error', true], ['radius_loss', 'Radius lost', false], ['bulge', 'Bulge', true],
                 ['collapse', 'Collapse', false]];

/// A table of methods and their numbers; the best of each column is marked.
export function contenderTable({ contenders, choice, size }, colorOf)
{
    const [unit, scale] = size < 10 ? ['mm', 1e3] : ['m', 1];
    const head = element('tr', {}, element('th', { textContent: 'Method', scope: 'col' }), ...COLUMNS.map(([, title, isLength]) =>
        element('th', { textContent: `${title}, ${isLength ? unit : '%'}`, scope: 'col' })));
    const least = COLUMNS.map(([name]) => Math.min(...contenders.map((one) => one[name])));
    const rows = contenders.map((one) =>
    {
        const dot = element('i', { className: 'dot' });
        dot.style.background = colorOf(one.name);
        const title = element('th', { scope: 'row' }, dot, one.name.toUpperCase() + (one.name === choice ? ' \u2713' : ''));
        title.title = one.title + (one.name === choice ? ', recommended' : '');
        return element('tr', {}, title, ...COLUMNS.map(([name, , isLength], i) =>
            element('td', { textContent: digits((isLength ? scale : 100) * one[name]), className: one[name] === least[i] ? 'best' : '' })));
    });
    return element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
}

/// Moments of the verdict, those to look at first.
export function momentsOf({ reasons, caveat, shared })
{
    return [...reasons, ...[caveat, shared].filter((one) => one !== null)];
}

/// Fill the section of the verdict.
/// @param go  shows a place: { clip, time, node }
export function showVerdict(section, verdict, { colorOf, go })
{
    const moments = momentsOf(verdict).map((moment) =>
        element('li', {}, placeButton(moment.text, moment.clip === null ? null : moment, go)));
    section.replaceChildren(element('p', { textContent: verdict.summary }),
                            element('div', { className: 'scroll' }, contenderTable(verdict, colorOf)),
                            element('ul', { className: 'places' }, ...moments),
                            element('p', { className: 'small', textContent: `${verdict.sampling} ${verdict.cost}` }));
}

const SIGNS = { error: '\u2715', warning: '!', note: 'i' };

function hasPlace({ mesh, vertex, node, clip })
{
    return node !== null || clip !== null || (mesh !== null && vertex !== null);
}

/// Fill the section of the doctor.
export function showFindings(section, findings, go)
{
    if (findings.length === 0)
    {
        section.replaceChildren(element('p', { textContent: 'Nothing to repair.' }));
        return;
    }
    const rows = findings.map((finding) =>
    {
        const sign = element('b', { textContent: SIGNS[finding.severity], className: `sign ${finding.severity}`,
                                    title: finding.severity });
        return element('li', { className: 'finding' }, sign,
                       element('div', {}, placeButton(finding.message, hasPlace(finding) ? finding : null, go),
                               element('p', { className: 'small', textContent: finding.advice })));
    });
    section.replaceChildren(element('ul', { className: 'places' }, ...rows));
}

/// Fill the section of a bake.
export function showBake(section, { texture, mesh, json, error }, bake, count)
{
    const rows = [['Texture', bytes(texture.length)], ['Mesh', bytes(mesh.length)], ['Description', bytes(json.length)],
                  ['Encoding', bake.encoding], ['Clips', counted(bake.clips.length, 'clip')],
                  ['Largest error', `${length(error.max)}, ${percent(error.max / bake.height)} of the height`],
                  ['Typical error', length(error.rms)], ['At keys', length(error.maxAtKeys)], ['Instances', String(count)]];
    section.replaceChildren(element('dl', {}, ...rows.flatMap(([name, value]) =>
        [element('dt', { textContent: name }), element('dd', { textContent: value })])));
}
