// SPDX-License-Identifier: MIT
// Whether three.js finds the centers of rotation and normal factors that pelt enhance wrote:
//   node tests/outside/three_enhanced.mjs FOLDER_WITH_THREE FILE...
// Custom attributes keep their names in three.js, in lower case: _pelt_cor. Each geometry must have
// those that the file says, for every vertex as many numbers as it says. Materials are taken out
// before reading, since images need a browser.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeDracoLoader } from './three_draco.mjs';

globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;

const [packageFolder, ...files] = process.argv.slice(2);
if (!packageFolder || files.length === 0)
{
    console.error('usage: node three_enhanced.mjs FOLDER_WITH_THREE FILE...');
    process.exit(2);
}
const three = path.resolve(packageFolder, 'node_modules', 'three');
const fromThree = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await fromThree('build/three.module.js');
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await fromThree('examples/jsm/libs/meshopt_decoder.module.js');
const dracoLoader = await makeDracoLoader(THREE, three);

// The JSON of an enhanced file, whose buffers are all inside, with the binary chunk as a URI.
function readJson(file)
{
    const bytes = fs.readFileSync(file);
    const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    const jsonSize = isBinary ? bytes.readUInt32LE(12) : 0;
    const json = JSON.parse(isBinary ? bytes.toString('utf8', 20, 20 + jsonSize) : bytes.toString());
    if (isBinary)
    {
        const chunk = bytes.subarray(28 + jsonSize, 28 + jsonSize + json.buffers[0].byteLength);
        json.buffers[0].uri = 'data:application/octet-stream;base64,' + chunk.toString('base64');
    }
    delete json.materials;
    delete json.textures;
    delete json.images;
    json.meshes.forEach((mesh) => mesh.primitives.forEach((p) => delete p.material));
    return json;
}

const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const arrays = {
    5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5126: Float32Array,
};

function isRight(attribute, accessor, position)
{
    return attribute !== undefined && attribute.count === position.count &&
        attribute.itemSize === widths[accessor.type] &&
        attribute.array instanceof arrays[accessor.componentType];
}

async function check(file)
{
    const json = readJson(file);
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(dracoLoader);
    const { parser } = await loader.parseAsync(JSON.stringify(json), '');
    let named = 0, found = 0;
    for (const [i, mesh] of json.meshes.entries())
    {
        const loaded = await parser.getDependency('mesh', i);
        const objects = loaded.isGroup ? loaded.children : [loaded];
        for (const [k, primitive] of mesh.primitives.entries())
        {
            const { attributes } = objects[k].geometry;
            const names = Object.keys(primitive.attributes).filter((n) => n.startsWith('_PELT_'));
            const loadedNames = Object.keys(attributes).filter((n) => n.startsWith('_pelt_'));
            named += Math.max(names.length, loadedNames.length);
            found += names.filter((name) => isRight(attributes[name.toLowerCase()],
                json.accessors[primitive.attributes[name]], attributes.position)).length;
        }
    }
    const isGood = named > 0 && found === named;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} three.js ${path.basename(file)}: ` +
        `attributes ${found} of ${named}`);
    return isGood;
}

let failed = 0;
for (const file of files)
{
    failed += (await check(file)) ? 0 : 1;
}
console.log(`${files.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
