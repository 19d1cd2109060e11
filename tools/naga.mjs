// SPDX-License-Identifier: MIT
// WGSL by naga, the translator of wgpu (npm naga-wasm):
//     node tools/naga.mjs NPM_FOLDER FROM.vert TO.wgsl ...   translates Vulkan GLSL
//     node tools/naga.mjs NPM_FOLDER --check FILE.wgsl ...    validates
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...rest] = process.argv.slice(2);
const entry = path.resolve(folder, 'node_modules/naga-wasm/dist/node.js');
const naga = await import(pathToFileURL(entry).href);

// naga numbers the blocks of GLSL that have no name, which code around them could not rely on.
function nameBlocks(text)
{
    let named = text;
    for (const [, name, type] of text.matchAll(/^var<uniform> (global\w*): (\w+);$/gm))
    {
        named = named.replace(new RegExp(`\\b${name}\\b`, 'g'), `${type}_block`);
    }
    return named;
}

function translate(from, to)
{
    const options = { stage: 'vertex', defines: { VULKAN: '100' } };
    const module = naga.parseGlsl(fs.readFileSync(from, 'utf8'), options);
    fs.writeFileSync(to, nameBlocks(naga.writeWgsl(module, naga.validate(module))));
}

function check(file)
{
    naga.validate(naga.parseWgsl(fs.readFileSync(file, 'utf8')));
}

let at = '';
try
{
    const isCheck = rest[0] === '--check';
    for (let i = isCheck ? 1 : 0; i < rest.length; i += isCheck ? 1 : 2)
    {
        at = rest[i];
        isCheck ? check(at) : translate(at, rest[i + 1]);
    }
}
catch (error)
{
    console.error(`${at}: ${error.formatted ?? error}`);
    process.exitCode = 1;
}
