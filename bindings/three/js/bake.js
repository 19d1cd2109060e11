// SPDX-License-Identifier: MIT
// Files of `pelt bake`: the KTX2 texture, and the JSON text that programs on the CPU need.
import { Box3, Vector3 } from 'three';
import { BakedTexture } from './decode.js';

// vkFormat: name, type of its channels, words of 32 bits in a texel.
const FORMATS = new Map([[107, ['rgba32ui', Uint32Array, 4]], [95, ['rgba16ui', Uint16Array, 2]],
                         [41, ['rgba8ui', Uint8Array, 1]]]);
const IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

function bytesOf(source)
{
    return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
        : new Uint8Array(source);
}

/// The texels of a KTX2 file of unsigned integers, four to a texel, which KTX2Loader refuses.
export function readKTX2(source)
{
    const bytes = bytesOf(source);
    if (bytes.length < 104 || !IDENTIFIER.every((byte, i) => bytes[i] === byte))
    {
        throw new Error('the texture is no KTX2 file');
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const format = FORMATS.get(view.getUint32(12, true));
    const width = view.getUint32(20, true), height = view.getUint32(24, true);
    const [depth, layers, faces, , compression] = [28, 32, 36, 40, 44].map((at) => view.getUint32(at, true));
    if (format === undefined || depth !== 0 || layers > 1 || faces !== 1 || compression !== 0)
    {
        throw new Error('the KTX2 file is no animation texture: it has to be a plain image of four unsigned integers');
    }
    const [texel, type, wordsPerTexel] = format;
    const from = Number(view.getBigUint64(80, true)), size = 4 * wordsPerTexel * width * height;
    if (size === 0 || from + size > bytes.length)
    {
        throw new Error(`the KTX2 file is cut off: ${width} x ${height} texels need ${from + size} bytes, ` +
                        `and it has ${bytes.length}`);
    }
    const copy = bytes.slice(from, from + size).buffer; // aligned
    return { texel, width, height, wordsPerTexel, data: new type(copy), words: new Uint32Array(copy) };
}

// Boxes of spans of keys: a list of boxes, or rows of differences.
function keyBoxes(list)
{
    if (Array.isArray(list))
    {
        return { span: 1, boxes: list };
    }
    const boxes = [], last = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i + 6 <= list.values.length; i += 6)
    {
        last.forEach((_, k) => { last[k] += list.values[i + k]; });
        boxes.push(last.map((x) => x * list.step));
    }
    return { span: list.span ?? 1, boxes };
}

/// A bake: its texture, what the JSON text says, and boxes.
export class Bake
{
    constructor(json, image, mesh)
    {
        if (json?.format !== 'pelt-bake')
        {
            throw new Error('the JSON text is not that of `pelt bake`: it has no "format": "pelt-bake"');
        }
        if (!(json.version === 1 || json.version === 2))
        {
            throw new Error(`the bake has version ${json.version}; this reads versions 1 and 2`);
        }
        if (json.layout === 'thesis')
        {
            throw new Error('the bake has the layout of the thesis, which crowds do not play; bake it without ' +
                            '--bake-layout');
        }
        this.json = json;
        this.image = image;
        this.mesh = mesh;
        this.texture = new BakedTexture(image.words);
        this.clips = json.clips.map(({ name, duration, loops }) => ({ name, duration, loops }));
        this.joints = json.joints;
        this.instances = json.instances;
        const { clips, jointCount, isVertices } = this.texture;
        if (clips.length !== this.clips.length || (!isVertices && jointCount !== this.joints.length))
        {
            throw new Error('the texture and the JSON text are of different bakes');
        }
        this.keyBoxes = json.clips.map(({ key_bounds: list }) => keyBoxes(list));
    }

    get encoding() { return this.json.encoding; }
    get height() { return this.json.height; }

    /// The number of a clip, by its name or number.
    clipIndex(clip)
    {
        const index = typeof clip === 'number' ? clip : this.clips.findIndex(({ name }) => name === clip);
        if (!Number.isInteger(index) || index < 0 || index >= this.clips.length)
        {
            throw new Error(`the bake has no clip ${clip}; its clips are ` +
                            this.clips.map(({ name }) => name).join(', '));
        }
        return index;
    }

    /// Make `box` larger by the surface at a moment { clip, time, loop }, in model space.
    expandByMoment(box, moment)
    {
        const { span, boxes } = this.keyBoxes[moment.clip];
        const own = boxes[Math.floor(this.texture.keysAt(moment).index / span)];
        if (own)
        {
            corner.set(own[0], own[1], own[2]);
            box.expandByPoint(corner);
            corner.set(own[3], own[4], own[5]);
            box.expandByPoint(corner);
        }
        return box;
    }

    /// The box of the surface over a whole clip, in model space.
    clipBox(clip, out = new Box3())
    {
        out.makeEmpty();
        const own = this.json.clips[this.clipIndex(clip)].bounds;
        return own === null ? out : out.setFromArray(own);
    }
}

const corner = new Vector3();

/// A bake in memory, such as that of Character.bake() of the package pelt.
/// @param json     text or object
/// @param texture  bytes of the KTX2 file
/// @param mesh     bytes of the GLB file, or null
export function readBake({ json, texture, mesh = null })
{
    return new Bake(typeof json === 'string' ? JSON.parse(json) : json, readKTX2(texture), mesh);
}

async function fetched(url)
{
    const response = await fetch(url);
    if (!response.ok)
    {
        throw new Error(`${url}: ${response.status} ${response.statusText}`);
    }
    return response;
}

/// A bake by the address of its JSON file, and the files next to it.
export async function loadBake(url)
{
    const json = await (await fetched(url)).json();
    const at = new URL(url, globalThis.location?.href);
    const bytes = async (file) => (file === undefined ? null : (await fetched(new URL(file, at))).arrayBuffer());
    const [texture, mesh] = await Promise.all([bytes(json.texture?.file), bytes(json.mesh)]);
    return readBake({ json, texture, mesh });
}
