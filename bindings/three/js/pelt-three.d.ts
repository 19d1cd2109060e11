// SPDX-License-Identifier: MIT
import type { PeltArrays } from 'pelt/arrays';
import type { Box3, Intersection, Object3D, Raycaster, SkinnedMesh } from 'three';

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
    /** The box of all deformed vertices in the world. Needs the module pelt. */
    bounds(out?: Box3): Box3;
    /** Intersections with the deformed surface, nearest first. Needs the module pelt. */
    raycast(raycaster: Raycaster): Intersection[];
    /** Free what pelt has added; meshes have their geometries and materials again. */
    dispose(): void;
}

/** Deform all skinned meshes of an object by pelt, under WebGLRenderer. */
export function applySkinning(object: Object3D, options: SkinningOptions): PeltSkin;

/** PeltSkin.raycast() and PeltSkin.bounds(). */
export function raycastSkinned(raycaster: Raycaster, skin: PeltSkin): Intersection[];
export function boundsOf(skin: PeltSkin, out?: Box3): Box3;
