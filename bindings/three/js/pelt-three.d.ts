// SPDX-License-Identifier: MIT
import type { PeltArrays } from 'pelt/arrays';
import type { AnimationAction, AnimationClip, AnimationMixer, Box3, Camera, Color, ColorRepresentation, Group,
              Intersection, Matrix4, Object3D, Quaternion, Raycaster, SkinnedMesh, Vector3, WebGLRenderer } from 'three';

export type Method = 'lbs' | 'dqs' | 'mix' | 'crs';
export type NormalRule = 'standard' | 'accurate';
export const METHODS: readonly Method[];
export const NORMALS: readonly NormalRule[];

export interface SkinningOptions
{
    /** What createPeltArrays() of pelt/arrays, or createPelt() of pelt, resolves to. */
    pelt: PeltArrays;
    method?: Method; // 'crs'
    normals?: NormalRule; // 'standard'
    mix?: number; // of method mix, where the file has no factors: 0 is lbs, 1 is dqs; 0.5
}

/** The skinned meshes of an object under pelt. Set method, normals and mix at any time. */
export class PeltSkin
{
    method: Method;
    normals: NormalRule;
    mix: number;
    readonly meshes: SkinnedMesh[];
    readonly isDisposed: boolean;
    /** Deformed positions of one of the meshes in its space, 3 per vertex. Needs the module pelt. A
     *  view: valid until the next call of pelt. */
    positions(mesh: SkinnedMesh): Float32Array;
    /** The box of all deformed vertices in the world; without the module pelt one that contains them. */
    bounds(out?: Box3): Box3;
    /** Intersections with the deformed surface, nearest first. Needs the module pelt. */
    raycast(raycaster: Raycaster): Intersection[];
    /** Free what pelt has added; meshes have their geometries and materials again. */
    dispose(): void;
}

/** Deform all skinned meshes of an object by pelt, under WebGLRenderer. */
export function applySkinning(object: Object3D, options: SkinningOptions): PeltSkin;

/** PeltSkin.raycast(). */
export function raycastSkinned(raycaster: Raycaster, skin: PeltSkin): Intersection[];
/** The box in the world of a PeltSkin, or of all meshes of an object, deformed as they are drawn. */
export function boundsOf(target: PeltSkin | Object3D, out?: Box3): Box3;

// ----------------------------------------------------------------------------------------------
// Bakes

/** A moment of a clip. Clips of a Bake are numbered; a crowd takes names, too. */
export interface Moment { clip: number; time: number; loop?: boolean }

/** From `base` it fades into `next`; `additive` is added with a weight. */
export interface Playback
{
    base: Moment;
    next?: Moment | null;
    fade?: number; // 0 to 1
    additive?: Moment | null;
    weight?: number;
}

/** The words of an animation texture, decoded on the CPU: docs/texture_format.md. */
export class BakedTexture
{
    constructor(words: Uint32Array);
    readonly isVertices: boolean;
    readonly jointCount: number;
    readonly vertexCount: number;
    readonly kind: 'pose' | 'matrix' | 'dual';
    readonly isStretched: boolean;
    /** Motions of all joints from the bind pose to model space: twelve numbers each, row after row. */
    decode(playback: Playback, out?: Float64Array): Float64Array;
    /** Keys of a playback, for jointMatrix() and vertex(). */
    play(playback: Playback): object;
    jointMatrix(joint: number, playing: object, out?: Float64Array): Float64Array;
    vertex(vertex: number, playing: object): { offset: number[]; normal: number[] | null };
}

export class Bake
{
    readonly json: any; // see docs/baked.schema.json
    readonly texture: BakedTexture;
    readonly mesh: ArrayBuffer | ArrayBufferView | null; // bytes of the GLB file
    readonly encoding: 'qt' | 'local' | 'matrix' | 'dq' | 'vertex';
    readonly height: number;
    readonly clips: { name: string; duration: number; loops: boolean }[];
    readonly joints: { name: string; parent?: number; kind?: string; pivot: [number, number, number] }[];
    clipIndex(clip: string | number): number;
    /** The box of the surface over a clip, in model space. */
    clipBox(clip: string | number, out?: Box3): Box3;
}

/** A bake in memory, such as that of Character.bake() of the package pelt. */
export function readBake(files: { json: string | object; texture: ArrayBuffer | ArrayBufferView;
                                  mesh?: ArrayBuffer | ArrayBufferView | null }): Bake;
/** A bake by the address of its JSON file, with the files next to it. */
export function loadBake(url: string): Promise<Bake>;
/** The texels of a KTX2 file of unsigned integers. */
export function readKTX2(bytes: ArrayBuffer | ArrayBufferView): {
    texel: 'rgba32ui' | 'rgba16ui' | 'rgba8ui'; width: number; height: number; wordsPerTexel: number;
    data: Uint32Array | Uint16Array | Uint8Array; words: Uint32Array;
};

// ----------------------------------------------------------------------------------------------
// Crowds

export interface PlayOptions
{
    time?: number; // of the clip to start at, in seconds; 0
    speed?: number; // 1
    loop?: boolean; // true
}

export interface InstanceOptions extends PlayOptions
{
    clip?: string | number; // 0
    matrix?: Matrix4; // in the space of the crowd, or instead of it:
    position?: Vector3;
    quaternion?: Quaternion;
    scale?: Vector3;
    color?: Color;
}

export interface InstanceState
{
    clip: string; time: number; speed: number; loop: boolean;
    next: { clip: string; time: number; speed: number; loop: boolean } | null; // what it fades into
    fade: number; // 0 to 1
    fadeSeconds: number;
    additive: { clip: string; time: number; speed: number; loop: boolean } | null;
    weight: number;
}

/** A character that was an instance of a crowd. */
export interface LiveInstance
{
    readonly index: number;
    /** A clone of the object of the crowd, and a child of the crowd: move it as you like. */
    readonly object: Object3D;
    /** At the moment of the instance; it moves nothing before update(). Yours to update. */
    readonly mixer: AnimationMixer;
    /** Actions of the mixer; null for clips that the crowd's `animations` have not. */
    readonly actions: { base: AnimationAction | null; next: AnimationAction | null };
    readonly skin: PeltSkin;
}

export interface CrowdOptions extends Partial<SkinningOptions>
{
    capacity?: number; // instances at first; it grows
    animations?: AnimationClip[]; // for characters that are promoted
    margin?: number; // added to boxes for culling, in parts of the height; 0.02
}

/**
 * Instances of one character that play from a bake. Indices of instances stay the same until
 * deleteInstance(). Each mesh of the character becomes one InstancedMesh, a child of the crowd.
 */
export class PeltCrowd extends Group
{
    /**
     * @param scene  the character that was baked: that of its GLB file, or of the bake's own GLB file.
     *               Its materials are copied; it is not drawn itself
     */
    constructor(scene: Object3D, bake: Bake, options?: CrowdOptions);
    readonly bake: Bake;
    readonly count: number; // instances
    readonly visibleCount: number; // in the last update()
    readonly live: ReadonlyMap<number, LiveInstance>;
    method: Method;
    normals: NormalRule;
    mix: number;
    margin: number; // meters
    /** Whether the pose and the transform of the frame before are kept, for motion vectors. */
    tracksMotion: boolean;

    /** Draw instances from `distance` on by another mesh, and another bake with clips of the same names. */
    addLevel(level: { scene: Object3D; bake?: Bake; distance: number }): this;

    addInstance(options?: InstanceOptions): number;
    deleteInstance(index: number): void;
    setMatrixAt(index: number, matrix: Matrix4): void;
    getMatrixAt(index: number, out?: Matrix4): Matrix4;
    setColorAt(index: number, color: Color): void;
    setVisibleAt(index: number, isVisible: boolean): void;
    getVisibleAt(index: number): boolean;
    /** Play a clip from now on, after a cross-fade of `fade` seconds. */
    play(index: number, clip: string | number, options?: PlayOptions & { fade?: number }): this;
    /** Add the change of a clip since its first key to what the instance plays; weight 0 ends it. */
    playAdditive(index: number, clip: string | number, options?: PlayOptions & { weight?: number }): this;
    stateAt(index: number): InstanceState;

    /**
     * Before each frame: let time pass, find the instances in view, and decode their joints.
     * @param cameras  instances in view of one of them are drawn: add those of shadows. The first is
     *                 that of levels of detail. None: all instances
     */
    update(renderer: WebGLRenderer, cameras?: Camera | Camera[], seconds?: number): void;

    /**
     * After update(), with tracksMotion: draw how far each pixel of the crowd has moved since the last
     * frame, in normalized device coordinates, into the render target that is set.
     */
    renderMotion(renderer: WebGLRenderer, camera: Camera): void;

    /** The matrix of a joint, or of a node that was baked as a socket, in the world. */
    socketMatrix(index: number, name: string, out?: Matrix4): Matrix4;
    /** The box of the instance in the world: that of the keys around its moment. */
    boundsAt(index: number, out?: Box3): Box3;

    /** Make an instance a character of its own, in the same pose. */
    promote(index: number): LiveInstance;
    /** Make it an instance again, where it is now, at the time of its mixer, or of `clip`. */
    demote(index: number, options?: { clip?: string | number; time?: number }): this;

    dispose(): void;
}
