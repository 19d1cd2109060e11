// SPDX-License-Identifier: MIT
// The decoder of pelt-three against the test vectors of docs/texture_format.md:
//     node tests/three/decode_test.mjs DECODER TEST_VECTORS
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [decoder, vectors] = process.argv.slice(2);
const { BakedTexture } = await import(pathToFileURL(path.resolve(decoder)));
const lines = fs.readFileSync(vectors, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));

const flaws = [];
let compared = 0, texture = null, playback = null, row = 0;

// base CLIP TIME loop|clamp, next ... fade F, additive ... weight W
function readPlayback(words)
{
    const out = {};
    for (let i = 0; i < words.length;)
    {
        const name = words[i];
        if (['fade', 'weight'].includes(name))
        {
            out[name] = Number(words[i + 1]);
            i += 2;
            continue;
        }
        out[name] = { clip: Number(words[i + 1]), time: Number(words[i + 2]), loop: words[i + 3] === 'loop' };
        i += 4;
    }
    return out;
}

function decodedRow(rest)
{
    if (!texture.isVertices)
    {
        const all = texture.decode(playback).slice(12 * row, 12 * row + 12);
        const one = texture.jointMatrix(row, texture.play(playback));
        all.every((x, i) => Math.abs(x - one[i]) < 1e-12) || flaws.push('decode() and jointMatrix() differ');
        return [...all];
    }
    const { offset, normal } = texture.vertex(row, texture.play(playback));
    return [...rest, ...offset.map((x, i) => x + rest[i]), ...normal ?? [0, 0, 0]];
}

for (let i = 0; i < lines.length; ++i)
{
    const words = lines[i].split(/ +/);
    if (words[0] === 'texture')
    {
        const count = Number(words[2]), list = [];
        while (list.length < count)
        {
            list.push(...lines[++i].split(' ').map((word) => parseInt(word, 16)));
        }
        texture = new BakedTexture(Uint32Array.from(list));
    }
    else if (words[0] === 'play')
    {
        playback = readPlayback(words.slice(1));
        row = 0;
    }
    else
    {
        const expected = words.map(Number), found = decodedRow(expected.slice(0, 3));
        const far = Math.max(...expected.map((x, k) => Math.abs(x - (found[k] ?? x))));
        far <= 1e-5 || flaws.push(`row ${row} of ${lines[i]}: ${found.join(' ')}`);
        row += 1;
        compared += 1;
    }
}
for (const words of [new Uint32Array(4), new Uint32Array(64)])
{
    let message = '';
    try
    {
        new BakedTexture(words);
    }
    catch (error)
    {
        ({ message } = error);
    }
    message.includes('no animation texture') || flaws.push('words that are no texture are no error');
}
console.log(flaws.slice(0, 10).join('\n'));
console.log(`${compared} rows of test vectors, ${flaws.length} differ`);
process.exit(flaws.length > 0 || compared < 20 ? 1 : 0);
