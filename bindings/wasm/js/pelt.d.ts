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

export interface BakeOptions
{
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
    /** Compute what methods need, as `pelt enhance` does, for meshes that lack it, or `again`. */
    prepare(what: Preparation, options?: { again?: boolean; maxJoints?: 0 | 2 | 3 | 4 | 8;
                                           bits?: 0 | 8 | 16 }): this;
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
    /** The surfaces of the last deform() as a mesh. */
    saveSurfaces(format?: 'glb' | 'gltf' | 'obj' | 'ply'): Uint8Array;
    /** An animation texture, KTX2, with its JSON text and its mesh, GLB. */
    bake(options?: BakeOptions): { json: string; texture: Uint8Array; mesh: Uint8Array };
    /** The error of the last bake in meters, between keys too. */
    measureBake(options?: DeformOptions): { max: number; rms: number; maxAtKeys: number };
    /** Free the memory of the character. Views of it must not be used any more. */
    dispose(): void;
}

export class Pelt extends PeltArrays
{
    /** Load glTF, GLB or FBX. The bytes are copied. */
    load(bytes: ArrayBuffer | ArrayBufferView, options?: LoadOptions): Character;
}

export function createPelt(options?: { wasm?: WasmSource }): Promise<Pelt>;
