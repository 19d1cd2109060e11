// SPDX-License-Identifier: MIT
// The compute pose pass of `pelt shaders --lang wgsl` in Chromium, WebGPU on SwiftShader, against the
// test vectors of docs/texture_format.md:
//     node tests/three/pose_test.mjs PELT CHROMIUM TEST_VECTORS
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { askPage } from '../outside/browser.mjs';

const [program, chromium, vectors] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-pose-'));
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
const answers = { '/vectors': fs.readFileSync(vectors),
                  '/': '<script type="module" src="page.js"></script>',
                  '/page.js': fs.readFileSync(new URL('pose_page.js', import.meta.url)) };
for (const encoding of ['qt', 'matrix', 'dq'])
{
    execFileSync(path.resolve(program), ['shaders', '--lang', 'wgsl', '--palette', 'posed', '--encoding', encoding,
                                         '-o', path.join(folder, encoding)], { stdio: ['ignore', 'ignore', 'pipe'] });
    answers[`/${encoding}.wgsl`] = fs.readFileSync(path.join(folder, encoding, 'pose_compute.wgsl'));
}
execFileSync(path.resolve(program), ['shaders', '--lang', 'wgsl', '--palette', 'baked', '--encoding', 'vertex',
                                     '-o', path.join(folder, 'vertex')], { stdio: ['ignore', 'ignore', 'pipe'] });
for (const part of ['pelt_skin', 'pelt_texture'])
{
    answers[`/${part}.wgsl`] = fs.readFileSync(path.join(folder, 'vertex', `${part}.wgsl`));
}
const { lines, failures } = await askPage(chromium, folder, answers);
console.log(lines.join('\n'));
console.log(`${lines.length} checks, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
