# SPDX-License-Identifier: MIT
# Registers the import of characters that `pelt enhance` has written.
@tool
extends EditorPlugin

const PeltImport := preload("pelt_import.gd")

var _import: GLTFDocumentExtension


func _enter_tree() -> void:
    _import = PeltImport.new()
    GLTFDocument.register_gltf_document_extension(_import, true)


func _exit_tree() -> void:
    GLTFDocument.unregister_gltf_document_extension(_import)
