// SPDX-License-Identifier: MIT
// A worker for one long task: it loads the files of a character again, does the task and ends. That
// is why ending the worker cancels any task.
import { createPelt } from './vendor/pelt/pelt.js';

const MODEL = /\.(glb|gltf|fbx)$/i;
const baseName = (path) => path.split(/[\\/]/).at(-1);
const stem = (path) => baseName(path).replace(/\.[^.]*$/, '');

let tell = () => {};

// ----------------------------------------------------------------------------------------------
// Files

function jsonOf(file)
{
    try
    {
        return JSON.parse(new TextDecoder().decode(file.bytes));
    }
    catch
    {
        return {}; // pelt says what is wrong with it
    }
}

// What a model refers to, by the names that it has in the model; dropped files have lost their folders.
function companions(model, others)
{
    if (!/\.gltf$/i.test(model.name))
    {
        return Object.fromEntries(others.map(({ name, bytes }) => [baseName(name), bytes]));
    }
    const { buffers = [], images = [] } = jsonOf(model), found = {};
    const find = (name) => others.find((file) => file.name === name || file.name.endsWith(`/${name}`)) ??
        others.find((file) => baseName(file.name).toLowerCase() === baseName(name).toLowerCase());
    for (const { uri } of [...buffers, ...images])
    {
        if (typeof uri === 'string' && !uri.startsWith('data:'))
        {
            const file = find(uri) ?? find(decodeURI(uri));
            file !== undefined && Object.assign(found, { [uri]: file.bytes, [decodeURI(uri)]: file.bytes });
        }
    }
    return found;
}

function loadModels(pelt, files)
{
    const others = files.filter(({ name }) => !MODEL.test(name));
    return files.filter(({ name }) => MODEL.test(name)).map((file) =>
    {
        tell(`Reading ${baseName(file.name)}`);
        return pelt.load(file.bytes, { name: baseName(file.name), files: companions(file, others) });
    });
}

const skinnedVertices = ({ info: { instances, meshes } }) =>
    instances.reduce((sum, { mesh, skin }) => sum + (skin === null ? 0 : meshes[mesh].vertices), 0);

// The model with most skinned vertices is the character; the clips of all others are added to it.
function loadCharacter(pelt, files)
{
    const models = loadModels(pelt, files);
    const sizes = models.map(skinnedVertices), most = Math.max(...sizes);
    const hero = models[sizes.indexOf(most)];
    for (const other of models)
    {
        other !== hero && other.info.clips.length > 0 && hero.addClips(other, stem(other.fileName));
        other !== hero && other.dispose();
    }
    if (hero.info.clips.length === 0)
    {
        hero.addTestClips();
    }
    return hero;
}

// Files that have no skinned mesh of their own are clips for the character that is shown.
function belongToCurrent(pelt, files)
{
    const models = loadModels(pelt, files);
    const isBare = models.length > 0 && models.every((model) => skinnedVertices(model) === 0);
    const hasClips = models.some(({ info }) => info.clips.length > 0);
    models.forEach((model) => model.dispose());
    return isBare && hasClips;
}

// ----------------------------------------------------------------------------------------------
// Tasks

function open(pelt, { files, current })
{
    if (!files.some(({ name }) => MODEL.test(name)))
    {
        throw new Error(`${baseName(files[0].name)} is no model; drop a GLB, glTF or FBX file`);
    }
    const isAddition = current.length > 0 && belongToCurrent(pelt, files);
    const all = isAddition ? [...current, ...files] : files;
    const hero = loadCharacter(pelt, all);
    if (skinnedVertices(hero) === 0)
    {
        throw new Error(`${hero.fileName} has no skinned mesh, so that nothing can be deformed; drop a character with joints`);
    }
    tell('Computing centers of rotation');
    hero.prepare({ centers: true }, { onProgress: (part) => { tell('Computing centers of rotation', part); } });
    const { info } = hero, scene = hero.saveScene();
    return [{ name: hero.fileName, isAddition, info, scene }, [scene.buffer]];
}

function doctor(pelt, { files })
{
    const hero = loadCharacter(pelt, files);
    return [{ info: hero.info, findings: hero.doctor() }, []];
}

function compare(pelt, { files, frames })
{
    const hero = loadCharacter(pelt, files);
    return [hero.compare({ frames, onProgress: (part) => { tell('Measuring all methods', part); } }), []];
}

function bake(pelt, { files, encoding, maxError, method })
{
    const hero = loadCharacter(pelt, files);
    const options = maxError > 0 ? { maxError } : {};
    const onProgress = (part) => { tell('Baking', part); };
    const made = hero.bake({ name: stem(hero.fileName), encoding, ...options, onProgress });
    const error = hero.measureBake({ method, onProgress: (part) => { tell('Measuring the bake', part); } });
    return [{ ...made, error }, [made.texture.buffer, made.mesh.buffer]];
}

function enhance(pelt, { files, what, carrier })
{
    const hero = loadCharacter(pelt, files);
    tell('Preparing');
    hero.prepare(what, { carrier, onProgress: (part) => { tell('Preparing', part); } });
    const bytes = hero.saveGLB();
    return [{ bytes }, [bytes.buffer]];
}

const TASKS = { open, doctor, compare, bake, enhance };

onmessage = async ({ data: { module, task, input } }) =>
{
    tell = (text, part = null) => postMessage({ progress: { text, part } });
    try
    {
        const [result, transfer] = TASKS[task](await createPelt({ wasm: module }), input);
        postMessage({ result }, transfer);
    }
    catch (error)
    {
        postMessage({ error: { message: error.message, code: error.code ?? null } });
    }
};
