// SPDX-License-Identifier: MIT
#include "fbx_fixture.h"

#include <string.h>

const char* fbx_text(const char* objects, const char* connections)
{
    static char text[65536];
    snprintf(text, sizeof text,
             "; FBX 7.5.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7500\n}\n"
             "GlobalSettings: {\nProperties70: {\n"
             "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}\n}\n"
             "Objects: {\n%s}\nConnections: {\n%s}\n",
             objects, connections);
    return text;
}

pelt_scene* fbx_read_bytes(const void* bytes, size_t size, pelt_error* error)
{
    pelt_scene* scene;
    const pelt_source file = {.path = "folder/test.fbx", .bytes = bytes, .size = size};
    error->message[0] = '\0';
    return pelti_read_fbx(&scene, &file, NULL, error) == PELT_OK ? scene : NULL;
}

pelt_scene* fbx_read(const char* text, pelt_error* error)
{
    return fbx_read_bytes(text, strlen(text), error);
}

const char* fbx_everything(void)
{
    return fbx_text(
        "Model: 10, \"Model::hip\", \"LimbNode\" {\nProperties70: {\n"
        "P: \"RotationActive\", \"bool\", \"\", \"\",1\nP: \"InheritType\", \"enum\", \"\", "
        "\"\",1\n"
        "P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,30\n"
        "P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,2,1\n}\n}\n"
        "Model: 11, \"Model::knee\", \"LimbNode\" {\nProperties70: {\n"
        "P: \"InheritType\", \"enum\", \"\", \"\",2\n"
        "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n}\n}\n"
        "Model: 12, \"Model::body\", \"Mesh\" {\n}\n"
        "Geometry: 20, \"Geometry::\", \"Mesh\" {\n"
        "Vertices: *18 {\na: 0,0,0,1,0,0,0,1,0,1,1,0,0,2,0,1,2,0\n}\n"
        "PolygonVertexIndex: *8 {\na: 0,1,3,-3,2,3,5,-5\n}\n"
        "LayerElementNormal: 0 {\nMappingInformationType: \"ByPolygonVertex\"\n"
        "ReferenceInformationType: \"IndexToDirect\"\nNormals: *3 {\na: 0,0,1\n}\n"
        "NormalsIndex: *8 {\na: 0,0,0,0,0,0,0,0\n}\n}\n"
        "LayerElementUV: 0 {\nMappingInformationType: \"ByVertice\"\n"
        "ReferenceInformationType: \"Direct\"\nUV: *12 {\na: 0,0,1,0,0,0.5,1,0.5,0,1,1,1\n}\n}\n"
        "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\n"
        "ReferenceInformationType: \"IndexToDirect\"\nMaterials: *2 {\na: 0,1\n}\n}\n}\n"
        "Deformer: 30, \"Deformer::\", \"Skin\" {\nSkinningType: \"Blend\"\n"
        "Indexes: *2 {\na: 4,5\n}\nBlendWeights: *2 {\na: 1,0.5\n}\n}\n"
        "Deformer: 31, \"SubDeformer::\", \"Cluster\" {\nIndexes: *4 {\na: 0,1,2,3\n}\n"
        "Weights: *4 {\na: 1,1,0.5,0.5\n}\n"
        "Transform: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n"
        "TransformLink: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n}\n"
        "Deformer: 32, \"SubDeformer::\", \"Cluster\" {\nIndexes: *4 {\na: 2,3,4,5\n}\n"
        "Weights: *4 {\na: 0.5,0.5,1,1\n}\n"
        "Transform: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1\n}\n"
        "TransformLink: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1\n}\n}\n"
        "Deformer: 40, \"Deformer::\", \"BlendShape\" {\n}\n"
        "Deformer: 41, \"SubDeformer::smile\", \"BlendShapeChannel\" {\nProperties70: {\n"
        "P: \"DeformPercent\", \"Number\", \"\", \"A\",25\n}\nFullWeights: *1 {\na: 100\n}\n}\n"
        "Geometry: 42, \"Geometry::smile\", \"Shape\" {\nIndexes: *1 {\na: 5\n}\n"
        "Vertices: *3 {\na: 0,0,4\n}\nNormals: *3 {\na: 0.5,0,0\n}\n}\n"
        "Material: 50, \"Material::red\", \"\" {\nProperties70: {\n"
        "P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0.5,0\n"
        "P: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.5\n}\n}\n"
        "Material: 51, \"Material::blue\", \"\" {\n}\n"
        "Texture: 52, \"Texture::t\", \"\" {\nRelativeFilename: \"skin &quot;1&quot;.png\"\n}\n"
        "Video: 53, \"Video::v\", \"Clip\" {\nContent: ,\n\"aGVsbG8=\",\n\"d29ybGQ=\"\n}\n"
        "AnimationStack: 60, \"AnimStack::walk\", \"\" {\nProperties70: {\n"
        "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n}\n}\n"
        "AnimationLayer: 61, \"AnimLayer::base\", \"\" {\n}\n"
        "AnimationCurveNode: 62, \"AnimCurveNode::R\", \"\" {\n}\n"
        "AnimationCurveNode: 63, \"AnimCurveNode::S\", \"\" {\nProperties70: {\n"
        "P: \"d|X\", \"Number\", \"\", \"A\",1\nP: \"d|Z\", \"Number\", \"\", \"A\",1\n}\n}\n"
        "AnimationCurveNode: 64, \"AnimCurveNode::DeformPercent\", \"\" {\n}\n"
        "AnimationCurve: 65, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\n"
        "KeyValueFloat: *2 {\na: 0,100\n}\nKeyAttrFlags: *1 {\na: 4\n}\n"
        "KeyAttrDataFloat: *4 {\na: 0,0,218434821,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n"
        "AnimationCurve: 66, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\n"
        "KeyValueFloat: *2 {\na: 2,4\n}\nKeyAttrFlags: *1 {\na: 8\n}\n"
        "KeyAttrDataFloat: *4 {\na: 0,0,218434821,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n",
        "C: \"OO\",10,0\nC: \"OO\",11,10\nC: \"OO\",12,0\nC: \"OO\",20,12\nC: \"OO\",50,12\n"
        "C: \"OO\",51,12\nC: \"OO\",30,20\nC: \"OO\",31,30\nC: \"OO\",32,30\nC: \"OO\",10,31\n"
        "C: \"OO\",11,32\nC: \"OO\",40,20\nC: \"OO\",41,40\nC: \"OO\",42,41\n"
        "C: \"OP\",52,50, \"DiffuseColor\"\nC: \"OO\",53,52\nC: \"OO\",61,60\nC: \"OO\",62,61\n"
        "C: \"OO\",63,61\nC: \"OO\",64,61\nC: \"OP\",62,11, \"Lcl Rotation\"\n"
        "C: \"OP\",63,10, \"Lcl Scaling\"\nC: \"OP\",64,41, \"DeformPercent\"\n"
        "C: \"OP\",65,62, \"d|Z\"\nC: \"OP\",66,63, \"d|Y\"\nC: \"OP\",65,64, "
        "\"d|DeformPercent\"\n");
}
