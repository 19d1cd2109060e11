// SPDX-License-Identifier: MIT
// Whether three.js finds the centres of rotation that pelt enhance wrote:
//   node tests/three_enhanced.mjs FOLDER_WITH_THREE FILE...
// Custom attributes keep their names in three.js, in lower case: _pelt_cor. Each geometry must have
// as many as the file says, three numbers for every vertex. Materials are taken out before reading,
// since images need a browser.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;

const [packageFolder, ...files] = process.argv.slice(2);
if (!packageFolder || files.length === 0)
{
    console.error('usage: node three_enhanced.mjs FOLDER_WITH_THREE FILE...');
    process.exit(2);
}
const fromThree = (file) =>
    import(pathToFileURL(path.resolve(packageFolder, 'node_modules', 'three', file)).href);
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await fromThree('examples/jsm/libs/meshopt_decoder.module.js');

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

async function check(file)
{
    const json = readJson(file);
    const primitives = json.meshes.flatMap((mesh) => mesh.primitives);
    const named = primitives.filter((p) => p.attributes._PELT_COR !== undefined);
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const { parser } = await loader.parseAsync(JSON.stringify(json), '');
    let found = 0;
    for (const [i, mesh] of json.meshes.entries())
    {
        const loaded = await parser.getDependency('mesh', i);
        const objects = loaded.isGroup ? loaded.children : [loaded];
        for (const [k, primitive] of mesh.primitives.entries())
        {
            const { _pelt_cor: centres, position } = objects[k].geometry.attributes;
            const expected = json.accessors[primitive.attributes._PELT_COR]?.count;
            const isRight = centres?.count === expected &&
                (centres === undefined || (centres.itemSize === 3 && centres.count === position.count));
            found += isRight && centres !== undefined ? 1 : 0;
        }
    }
    const isGood = named.length > 0 && found === named.length;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} three.js ${path.basename(file)}: ` +
        `centres in ${found} of ${named.length}`);
    return isGood;
}

let failed = 0;
for (const file of files)
{
    failed += (await check(file)) ? 0 : 1;
}
console.log(`${files.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
