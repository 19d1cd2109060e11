// SPDX-License-Identifier: MIT
// The npm packages that pages of these tests import, and the page.
import fs from 'node:fs';
import path from 'node:path';

// Add the files of the packages to answers, by the addresses that the import map gives them, and
// a page '/' that runs '/page.js'.
// @param modules  a folder node_modules with three, pelt and pelt-three
// @param three    the build of three.js that 'three' is
export function addPackages(answers, modules, three = 'three.module.js')
{
    const serve = (address, root) =>
    {
        for (const name of fs.readdirSync(root, { recursive: true }).map(String))
        {
            const file = path.join(root, name);
            if (/\.(js|wasm)$/.test(name) && fs.statSync(file).isFile())
            {
                answers[`${address}/${name}`] = fs.readFileSync(file);
            }
        }
    };
    serve('/three', path.join(modules, 'three/build'));
    for (const part of ['loaders', 'libs', 'utils', 'curves'])
    {
        serve(`/addons/${part}`, path.join(modules, 'three/examples/jsm', part));
    }
    serve('/draco', path.join(modules, 'three/examples/jsm/libs/draco/gltf'));
    serve('/pelt', path.join(modules, 'pelt'));
    serve('/pelt-three', path.join(modules, 'pelt-three'));
    answers['/'] = `<script type="importmap">${JSON.stringify({ imports: {
        three: `/three/${three}`, 'three/webgpu': '/three/three.webgpu.js', 'three/tsl': '/three/three.tsl.js',
        'three/addons/': '/addons/', pelt: '/pelt/pelt.js', 'pelt/arrays': '/pelt/arrays.js',
        'pelt-three': '/pelt-three/pelt-three.js', 'pelt-three/webgpu': '/pelt-three/webgpu.js' } })}</script>
        <script>addEventListener('error', ({ message }) => fetch('/results', { method: 'POST',
            body: JSON.stringify({ lines: [message], failures: 1 }) }));</script>
        <script type="module" src="page.js"></script>`;
}
