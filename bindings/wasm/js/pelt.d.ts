// SPDX-License-Identifier: MIT
import type { DeformOptions, Method, NormalRule, Preparation, Surface, WasmSource } from './arrays.js';
import { PeltArrays } from './arrays.js';

export { PeltArrays, PeltError } from './arrays.js';
export type { DeformOptions, MeshArrays, Method, NormalFactorTexels, NormalRule, Palette, Preparation, Skinner,
              Surface, WasmSource } from './arrays.js';

export const METHODS: readonly Method[];
export const NORMALS: readonly NormalRule[];

export interface LoadOptions
{
    name?: string; // of the file: for messages, and its extension
    files?: Record<string, ArrayBuffer | ArrayBufferView>; // that it refers to, by their names in it
    maxInfluences?: number; // keep only the strongest; 0: all
    check?: boolean; // also list in repairs what only the format forbids
}

export interface Info
{
    name: string | null;
    format: 'glb' | 'gltf' | 'fbx' | 'other';
    nodes: { name: string | null; parent: number | null }[];
    meshes: {
        name: string | null; vertices: number; triangles: number; influences: number; normals: boolean;
        tangents: boolean; centers: boolean; normalFactors: boolean; mixFactors: boolean; morphs: string[];
    }[];
    skins: { name: string | null; joints: number[] }[];
    instances: { mesh: number; skin: number | null; node: number | null }[];
    clips: { name: string | null; duration: number; tracks: number }[];
    defaultClip: number | null;
    repairs: string[]; // what was fixed on loading
    losses: string[]; // what the file has and pelt does not keep
}

export interface Finding
{
    kind: string; // 'weight-sums' ...: see docs/doctor.md
    severity: 'note' | 'warning' | 'error';
    message: string;
    summary: string;
    advice: string;
    fixable: boolean;
    mesh: number | null;
    vertex: number | null;
    node: number | null;
    clip: number | null;
    time: number;
    count: number;
    value: number | null;
    unit: string | null;
}

export interface Pose
{
    clip?: string | number | null; // null: the stored pose
    time?: number; // seconds
    loop?: boolean; // time modulo duration; otherwise the first and last frames are held
    joints?: object | null; // changes as those of `pelt deform --pose`
}

/** Told how much of a long call is done, from 0 to 1, while it runs; false cancels it. */
export type Progress = (part: number) => boolean | void;

/** A moment at which methods differ, with a sentence about it. */
export interface Moment
{
    text: string;
    quantity: 'shape_error' | 'radius_loss' | 'bulge' | 'collapse' | 'volume_change';
    motion: 'clip' | 'bend' | 'twist' | 'stored pose'; // bends and twists where a file has no clips
    name: string | null; // of the clip
    clip: number | null;
    time: number;
    node: number | null; // the joint; null: the whole body
    worst: Method;
    best: Method;
    values: Record<string, number>; // by method: meters, or parts of 1
}

/** What `pelt compare` says: see docs/compare.md. */
export interface Verdict
{
    choice: Method;
    headline: string;
    summary: string;
    sampling: string;
    cost: string;
    /** Over all frames: shape_error of the body in meters; radius_loss, collapse, volume_change as
     *  parts of 1; bulge in meters. The worst of all joints. */
    contenders: { name: Method; title: string; vertexBytes: number; shape_error: number; radius_loss: number;
                  bulge: number; collapse: number; volume_change: number }[];
    reasons: Moment[];
    caveat: Moment | null; // where another method is better
    shared: Moment | null; // what no method mends
    frames: number; // that were measured by each method
    size: number; // of the character in meters
}

export interface BakeOptions
{
    onProgress?: Progress;
    name?: string; // of the files
    encoding?: 'qt' | 'local' | 'matrix' | 'dq' | 'vertex'; // 'qt', or with maxError what is smaller
    bits?: number;
    maxError?: number; // meters per meter of height: finds the smallest texture
    rate?: number; // keys per second instead of those of the clip
    clips?: (string | number)[]; // all
    sockets?: string[]; // nodes that get a joint of their own
    leaveOutMorphs?: boolean;
}

export class Character
{
    readonly fileName: string;
    readonly info: Info;
    readonly isDisposed: boolean;
    /** Findings as those of `pelt doctor`, worst first. */
    doctor(): Finding[];
    /** Add the clips of another file with the same skeleton. */
    addClips(other: Character, label?: string): this;
    /** Add clips that bend and twist the joints with most skin by 90 degrees: what compare() plays
     *  where a file has no clips. */
    addTestClips(): this;
    /** Compute what methods need, as `pelt enhance` does, for meshes that lack it, or `again`. */
    prepare(what: Preparation, options?: { again?: boolean; maxJoints?: 0 | 2 | 3 | 4 | 8; bits?: 0 | 8 | 16;
                                           carrier?: 'attributes' | 'texcoord'; onProgress?: Progress }): this;
    /** Play all clips by each method, measure what becomes of the shape, and say which one to use:
     *  `pelt compare`, with the same numbers and sentences. Takes seconds. */
    compare(options?: { methods?: (Method | 'dqs-distance' | 'mix-map')[]; frames?: number;
                        onProgress?: Progress }): Verdict;
    pose(pose?: Pose): this;
    /** Deform all instances in model space; computes what the method needs and meshes lack. */
    deform(options?: DeformOptions): (Surface & { mesh: number; skin: number | null })[];
    /** A box that contains the skinned meshes in the pose, in microseconds: without deforming. */
    bounds(options?: DeformOptions): { min: [number, number, number]; max: [number, number, number] };
    /** Arrays of a mesh in the bind pose. Views. */
    mesh(index: number): {
        positions: Float32Array; normals: Float32Array | null; tangents: Float32Array | null;
        uvs: Float32Array | null; colors: Float32Array | null; indices: Uint32Array;
        centers: Float32Array | null; mixFactors: Float32Array | null;
    };
    /** After deform(), 12 floats each, row after row: all nodes in model space, or the joints of a
     *  skin from bind pose to model. A view. */
    matrices(skin?: number | null): Float32Array;
    /** The file with what was prepared. A glTF file keeps everything else; others are converted. */
    saveGLB(): Uint8Array;
    /** The scene as pelt has read it, GLB: triangles, nothing compressed, with the textures that
     *  load() was given as files. Meshes, nodes and clips are those of `info`, in its order. */
    saveScene(): Uint8Array;
    /** The surfaces of the last deform() as a mesh. */
    saveSurfaces(format?: 'glb' | 'gltf' | 'obj' | 'ply'): Uint8Array;
    /** An animation texture, KTX2, with its JSON text and its mesh, GLB. */
    bake(options?: BakeOptions): { json: string; texture: Uint8Array; mesh: Uint8Array };
    /** The error of the last bake in meters, between keys too. */
    measureBake(options?: DeformOptions & { onProgress?: Progress }): { max: number; rms: number; maxAtKeys: number };
    /** Free the memory of the character. Views of it must not be used any more. */
    dispose(): void;
}

export class Pelt extends PeltArrays
{
    /** Load glTF, GLB or FBX. The bytes are copied. */
    load(bytes: ArrayBuffer | ArrayBufferView, options?: LoadOptions): Character;
    /** The color that a method has in all plots and pictures of pelt, '#rrggbb'. */
    methodColor(method: Method): string;
    /** A color of a map, for 0 to 1: 'weight' for weights, 'uniform' for distances and errors,
     *  'signed' for changes, which are none at 0.5. */
    mapColor(map: 'weight' | 'uniform' | 'signed', value: number): string;
}

export function createPelt(options?: { wasm?: WasmSource }): Promise<Pelt>;
