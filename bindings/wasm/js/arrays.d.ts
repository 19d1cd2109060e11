// SPDX-License-Identifier: MIT
/** What pelt throws: `message` says what is wrong, where, and what to do. */
export class PeltError extends Error
{
    /** 'internal': the module has stopped in the middle of a call; it goes on with the next one. */
    readonly code: 'memory' | 'argument' | 'data' | 'unsupported' | 'read' | 'write' | 'canceled' | 'internal';
}

/** Where the module is: by default the .wasm file next to the script. */
export type WasmSource = URL | string | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** A mesh in the bind pose. Arrays are packed and copied. */
export interface MeshArrays
{
    positions: Float32Array; // 3 per vertex
    normals?: Float32Array | null; // 3 per vertex
    tangents?: Float32Array | null; // 4 per vertex: x y z and the sign of the bitangent
    indices?: Uint32Array | null; // triangles; needed by prepare()
    jointCount: number;
    influencesPerVertex?: number; // 4
    joints: Uint16Array; // influencesPerVertex per vertex, in any order
    weights: Float32Array; // likewise; weight 0 does not count
    centers?: Float32Array | null; // 3 per vertex, computed before
    mixFactors?: Float32Array | null; // 1 per vertex, computed before
    jointPositions?: Float32Array | null; // 3 per joint, for mix factors
    jointParents?: Uint32Array | null; // 1 per joint, 0xffffffff for a root
}

/** What can be computed, each from what comes before it. */
export interface Preparation
{
    normals?: boolean; // of the triangles, for a mesh without
    centers?: boolean; // centers of rotation, for method crs
    normalFactors?: boolean; // for accurate normals
    mixFactors?: boolean; // for method mix; not in pelt/arrays
    bounds?: boolean; // boxes of clips and joints, as files store them, for lbs; of characters only
}

export type Method = 'lbs' | 'dqs' | 'mix' | 'crs' | 'lms' | 'sbs' | 'ddm';
export type NormalRule = 'standard' | 'accurate' | 'paper';

export interface DeformOptions
{
    method?: Method; // 'lbs'
    normals?: NormalRule; // 'standard'
    mix?: number; // of method mix without mix factors: 0 is lbs, 1 is dqs; 0.5
    signs?: 'heaviest' | 'running' | 'first' | 'hierarchy'; // which of q and -q; 'heaviest'
    scale?: 'local' | 'origin'; // the point about which joints scale; 'local'
    exact?: boolean; // the reference, bit for bit that of the library, instead of kernels
}

/** Views of the module's memory: valid until the next call of pelt. Copy them with slice(). */
export interface Surface
{
    positions: Float32Array;
    normals: Float32Array | null;
    tangents: Float32Array | null;
}

/** Normal factors in the layout of the texture `pelt_normal_factors`, vertex after vertex. */
export interface NormalFactorTexels
{
    data: Float32Array;
    floatsPerVertex: number;
    slots: number; // PELT_NORMAL_SLOTS
    hasCenters: boolean; // PELT_NORMAL_CENTERS
}

/** One mesh and its joints. */
export class Skinner
{
    readonly vertexCount: number;
    readonly jointCount: number;
    readonly isDisposed: boolean;
    /** Write the pose here: 16 floats per joint, column after column, from bind pose to now. */
    readonly matrices: Float32Array;
    readonly bindNormals: Float32Array | null;
    readonly centers: Float32Array | null;
    readonly mixFactors: Float32Array | null;
    readonly maxInfluences: number;
    prepare(what: Preparation): this;
    /** Needs the module `pelt`: see PeltArrays.canDeform. */
    deform(options?: DeformOptions): Surface;
    /** Influences as shaders need them, strongest first. Copies. */
    influences(perVertex?: number): { joints: Uint16Array; weights: Float32Array };
    /** null: there are none, or a vertex has more than shaders read. A copy. */
    normalFactorTexels(): NormalFactorTexels | null;
    dispose(): void;
}

/** Joints of a skeleton for shaders: three rows of the matrix, then the rotation of its polar
 *  decomposition, 16 floats in all. */
export class Palette
{
    readonly jointCount: number;
    readonly isDisposed: boolean;
    /** Write the pose here, as in Skinner.matrices. */
    readonly matrices: Float32Array;
    /** A view, see Surface. */
    readonly texels: Float32Array;
    /** From matrices to texels. Returns whether all joints are rigid: no scale, shear or mirror. */
    update(): boolean;
    dispose(): void;
}

export class PeltArrays
{
    readonly version: string;
    readonly memoryBytes: number;
    readonly canDeform: boolean;
    createSkinner(mesh: MeshArrays): Skinner;
    createPalette(jointCount: number): Palette;
}

export function createPeltArrays(options?: { wasm?: WasmSource }): Promise<PeltArrays>;
