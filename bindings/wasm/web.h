// SPDX-License-Identifier: MIT
// What the functions that JavaScript calls share. All of them take numbers and addresses only;
// js/*.js is their one caller, which puts text and typed arrays into the module's memory.
#ifndef PELT_WEB_H
#define PELT_WEB_H

#include "../../include/pelt/deform.h"

/// A function of the WebAssembly module. Tests compile these files for the machine as well, where
/// there are no exports, so that a change of a header shows in each build.
#ifdef __wasm__
#define WEB_EXPORT(name) __attribute__((export_name(#name))) name
#else
#define WEB_EXPORT(name) name
#endif

/// A function of JavaScript that the module imports, js/module.js has it.
#ifdef __wasm__
#define WEB_IMPORT(name) __attribute__((import_module("pelt"), import_name(#name)))
#else
#define WEB_IMPORT(name)
#endif

/// The sentence of the last call that failed, for web_message().
extern pelt_error web_error;

/// Tell JavaScript how much of a long call is done, from 0 to 1: a progress callback of the
/// library.
/// @return true: go on
WEB_IMPORT(progress) bool web_progress(float part, void* user);

/// Options of a deformation as JavaScript writes them.
typedef struct web_options
{
    uint32_t method, normal_rule, sign_rule, scale_pivot; ///< values of the enums
    uint32_t is_exact;                                    ///< the reference instead of kernels
    float mix;
} web_options;

pelt_deform_options web_deform_options(const web_options* in);

#endif
