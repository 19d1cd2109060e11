// SPDX-License-Identifier: MIT
// The small module: typed arrays in; centers, factors, sorted influences and palettes out.
import { Instance, PeltArrays } from './module.js';

export { PeltArrays, PeltError } from './module.js';

export async function createPeltArrays({ wasm = new URL('arrays.wasm', import.meta.url) } = {})
{
    return new PeltArrays(await Instance.create(wasm));
}
