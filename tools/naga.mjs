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

// naga numbers names through the whole text. Counted anew in each function, they stay what they are
// when another function changes, and parameters keep the names of the source.
function renumber(body)
{
    const words = [...body.matchAll(/(?<![.\w])[A-Za-z_]\w*/g)].map(([word]) => word);
    const declared = [...body.matchAll(/(?:[(,] ?|var )(\w+_\d+): /g)].map(([, word]) => word);
    const taken = new Set(words.filter((word) => !declared.includes(word)));
    const names = new Map();
    for (const word of declared)
    {
        const base = word.replace(/_\d+$/, '');
        let name = base;
        for (let i = 1; taken.has(name); ++i)
        {
            name = `${base}_${i}`;
        }
        taken.add(name);
        names.set(word, name);
    }
    return body.replace(/(?<![.\w])[A-Za-z_]\w*/g, (word) => names.get(word) ?? word);
}

function translate(from, to)
{
    const options = { stage: 'vertex', defines: { VULKAN: '100' } };
    const module = naga.parseGlsl(fs.readFileSync(from, 'utf8'), options);
    const text = naga.writeWgsl(module, naga.validate(module));
    fs.writeFileSync(to, text.replace(/^fn [^]*?^}$/gm, renumber));
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
