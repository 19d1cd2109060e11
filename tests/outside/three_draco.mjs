// SPDX-License-Identifier: MIT
// Draco for three.js's GLTFLoader without a browser: its DRACOLoader decodes in a Worker, this one
// by the same decoder in place.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

// Numbers of Draco's data types, for GetAttributeDataArrayForAllPoints.
const types = {
    Int8Array: 'DT_INT8', Uint8Array: 'DT_UINT8', Int16Array: 'DT_INT16', Uint16Array: 'DT_UINT16',
    Uint32Array: 'DT_UINT32', Float32Array: 'DT_FLOAT32',
};

// Numbers that the decoder writes into its own memory.
function fetchNumbers(draco, Type, count, write)
{
    const size = count * Type.BYTES_PER_ELEMENT;
    const at = draco._malloc(size);
    write(size, at);
    const out = new Type(draco.HEAPF32.buffer, at, count).slice();
    draco._free(at);
    return out;
}

function decode(THREE, draco, bytes, ids, typeNames)
{
    const decoder = new draco.Decoder();
    const mesh = new draco.Mesh();
    const status = decoder.DecodeArrayToMesh(bytes, bytes.byteLength, mesh);
    if (!status.ok())
    {
        throw new Error(`Draco: ${status.error_msg()}`);
    }
    const geometry = new THREE.BufferGeometry();
    for (const [name, id] of Object.entries(ids))
    {
        const attribute = decoder.GetAttributeByUniqueId(mesh, id);
        const width = attribute.num_components();
        const numbers = fetchNumbers(draco, globalThis[typeNames[name]], mesh.num_points() * width,
            (size, at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute,
                draco[types[typeNames[name]]], size, at));
        geometry.setAttribute(name, new THREE.BufferAttribute(numbers, width));
    }
    const indices = fetchNumbers(draco, Uint32Array, 3 * mesh.num_faces(),
        (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    return geometry;
}

// @param folder  of the package `three`
export async function makeDracoLoader(THREE, folder)
{
    const file = path.join(folder, 'examples/jsm/libs/draco/gltf/draco_decoder.js');
    const text = `(require, __dirname) => { ${fs.readFileSync(file)}\nreturn DracoDecoderModule; }`;
    const make = vm.runInThisContext(text)(createRequire(import.meta.url), path.dirname(file));
    const draco = await make({});
    return {
        preload: () => {},
        decodeDracoFile: (buffer, done, ids, typeNames, colorSpace, fail) =>
        {
            try
            {
                done(decode(THREE, draco, new Int8Array(buffer), ids, typeNames));
            }
            catch (error)
            {
                fail(error);
            }
        },
    };
}
