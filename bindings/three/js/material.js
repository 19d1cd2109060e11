// SPDX-License-Identifier: MIT
/// A copy of a material, with its constants, which clone() resets, and its functions.
export function copyMaterial(material)
{
    const copy = material.clone();
    if (material.defines !== undefined)
    {
        copy.defines = { ...material.defines };
    }
    copy.onBeforeCompile = material.onBeforeCompile;
    copy.customProgramCacheKey = material.customProgramCacheKey;
    return copy;
}
