// SPDX-License-Identifier: MIT
// The methods of a command: --method and the related options.
#ifndef PELT_METHOD_LIST_H
#define PELT_METHOD_LIST_H

#include "args.h"
#include "mix_list.h"
#include "requests/cor_request.h"
#include "requests/ddm_request.h"

#include <jansson.h>
#include <stddef.h>

enum
{
    METHOD_LIST_RULE_MAX = PELT_NORMAL_RULE_COUNT + 1,
    METHOD_LIST_MAX = (PELT_METHOD_COUNT - 1 + MIX_LIST_MAX) * METHOD_LIST_RULE_MAX,
    METHOD_LIST_NAME_SIZE = 14,
};

/// The choices of --normals: those of pelt_normal_rule, then "recompute".
const char* method_list_normal_name(uint32_t rule);

/// The methods that shaders have, counted from 0; PELT_METHOD_COUNT and NULL past the last.
pelt_method method_list_gpu_method(uint32_t index);
const char* method_list_gpu_name(uint32_t index);

/// Bits 1 << method of the methods for which a member of pelt_method_traits is true, as in
/// METHOD_LIST_WITH(needs_centers).
uint32_t method_list_with(size_t member);
#define METHOD_LIST_WITH(member) method_list_with(offsetof(pelt_method_traits, member))

extern const arg_option method_list_options[]; ///< --mix, --convention, --sign-rule, --dqs, --cor

/// The methods of a command, in the order of the command line, and the source of centers of
/// rotation.
typedef struct method_list
{
    uint32_t rule_count;                  ///< of normals; {0} is the standard rule
    uint32_t rules[METHOD_LIST_RULE_MAX]; ///< pelt_normal_rule, or their count: recomputed ones
    uint32_t count;                       ///< methods times rules
    pelt_deform_options methods[METHOD_LIST_MAX]; ///< each method with all rules one after another
    uint32_t file_methods; ///< bits 1 << method of those that meshes name; 0: none, or --method
    bool needs_factors;    ///< of weights, whatever the rules need
    bool is_rule_given;    ///< by --normals, not by a convention
    mix_list mix;          ///< factors for all vertices, instead of those of the file; several:
                           ///< PELT_METHOD_MIX is in the list once for each
    pelt_prepare_scope cor_scope;
    pelt_cor_options cor;
    pelt_ddm_options ddm;
} method_list;

/// Read --method and --normals, each a name or several with commas between, default lbs and
/// standard, and the options around them. One that has no effect on any of the methods is refused,
/// here or, without --method, by method_list_settle().
/// @param also  bits 1 << method of those that the command needs besides
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int method_list_choose(method_list* out, const args* arguments, uint32_t also);

/// Without --method: take what the meshes of the file name, lbs where one names nothing. To be
/// called with the arguments of method_list_choose() when the file is read.
int method_list_settle(method_list* inout, const args* arguments, uint32_t also,
                       const pelt_scene* scene);

/// Name of methods[index]: "lbs", or "file" where meshes differ.
const char* method_list_name(const method_list* in, uint32_t index);

/// The same with the factor where --mix gives several: "mix 0.25".
void method_list_write_name(char out[METHOD_LIST_NAME_SIZE], const method_list* in, uint32_t index);

/// Add a method, with all rules of normals.
void method_list_add(method_list* inout, const pelt_deform_options* how);

/// Whether methods[index] recomputes normals from the deformed triangles.
bool method_list_is_recomputed(const method_list* in, uint32_t index);

/// Name of the rule of normals of methods[index], as asked for.
const char* method_list_rule_name(const method_list* in, uint32_t index);

/// Whether methods[index] does not support the requested rule of normals, and uses the standard.
bool method_list_lacks_rule(const method_list* in, uint32_t index);

/// Whether some rule needs pelt_normal_factors, or the command does.
bool method_list_needs_factors(const method_list* in);

/// Panels in a row: rules next to each other and methods below, or all panels if there is one of
/// either.
uint32_t method_list_columns(const method_list* in);

/// Another method with the same options.
pelt_deform_options method_list_by(const method_list* in, pelt_method method);

/// Set the method of each mesh of a frame, if the list follows the file.
void method_list_attach_methods(pelt_frame* frame, const pelt_scene* scene, const method_list* in);

/// Remove the file's own mix factors from a frame when --mix is given.
void method_list_attach_mix(pelt_frame* frame, const pelt_scene* scene, const method_list* in);

/// Say on stderr which methods the file chose, unless it is lbs for all.
void method_list_note_file(const method_list* in);

/// The name of each mesh's method, null without a skin; null when one method is that of all.
json_t* method_list_describe_file(const method_list* in, const pelt_scene* scene);

/// Whether some mesh is deformed by one of the methods, given as bits 1 << method.
bool method_list_has(const method_list* in, uint32_t methods);

/// A method by its name; the sentence about a wrong one begins with `option`.
int method_list_find(pelt_method* out, const char* name, const char* option);

#endif
