// SPDX-License-Identifier: MIT
// The verdict as one HTML file without scripts, for a colleague: sentence, picture, table, the rest.
import { contenderTable, momentsOf } from './panel.js';
import { counted, element, length } from './words.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.35rem; line-height: 1.3; } h1 small { display: block; font-size: .9rem; font-weight: 400; opacity: .8; }
figure { margin: 1rem 0; } img { width: 100%; border-radius: 4px; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .5rem; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child { text-align: left; } .best { font-weight: 700; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .4em; }
summary { cursor: pointer; margin: 1rem 0 .3rem; } .small { opacity: .8; }
@page { size: A4; margin: 15mm; }`;

function fold(title, ...children)
{
    return element('details', {}, element('summary', { textContent: title }), ...children);
}

const list = (texts) => element('ul', {}, ...texts.map((text) => element('li', { textContent: text })));

/// @param picture  { url, text }: an image and what it shows
/// @return HTML text
export function reportText({ name, verdict, findings, info, picture, colorOf })
{
    const head = element('h1', {}, verdict.headline, element('small', {
        textContent: `${name}: ${counted(info.meshes.reduce((sum, { vertices }) => sum + vertices, 0), 'vertex', 'vertices')}, ` +
            `${counted(info.clips.length, 'clip')}, ${length(verdict.size)} in size` }));
    const main = element('main', {}, head, element('p', { textContent: verdict.summary }),
        element('figure', {}, element('img', { src: picture.url, alt: picture.text }),
                element('figcaption', { className: 'small', textContent: picture.text })),
        element('div', { className: 'scroll' }, contenderTable(verdict, colorOf)),
        fold('Moments', list(momentsOf(verdict).map(({ text, name: clip, time }) => `${text} (${clip ?? 'stored pose'}, ${time.toFixed(2)} s)`))),
        fold(counted(findings.length, 'finding'), list(findings.map(({ severity, message, advice }) => `${severity}: ${message} ${advice}`))),
        fold('How this was measured', element('p', { textContent: `${verdict.sampling} ${verdict.cost}` })));
    const title = element('title', { textContent: `${name}: pelt` });
    return '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">' +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        `${title.outerHTML}<style>${STYLE}</style></head><body>${main.outerHTML}</body></html>\n`;
}
