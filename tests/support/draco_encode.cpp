// SPDX-License-Identifier: MIT
#include "draco_encode.h"

#include <draco/attributes/attribute_quantization_transform.h>
#include <draco/compression/decode.h>
#include <draco/compression/encode.h>

#include <cstring>

static void add(draco::Mesh* mesh, draco::GeometryAttribute::Type type, draco::DataType data,
                int width, const void* values)
{
    draco::GeometryAttribute attribute;
    size_t size = static_cast<size_t>(width) * static_cast<size_t>(draco::DataTypeLength(data));
    attribute.Init(type, nullptr, static_cast<uint8_t>(width), data, false,
                   static_cast<int64_t>(size), 0);
    int id = mesh->AddAttribute(attribute, true, mesh->num_points());
    for (uint32_t i = 0; i < mesh->num_points(); ++i)
    {
        mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                               static_cast<const char*>(values) + i * size);
    }
}

size_t draco_encode(void* out, size_t room, const draco_source* source)
{
    draco::Mesh mesh;
    mesh.set_num_points(source->vertex_count);
    add(&mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, source->positions);
    add(&mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT8, 4, source->joints);
    add(&mesh, draco::GeometryAttribute::GENERIC, draco::DT_FLOAT32, 4, source->weights);
    mesh.SetNumFaces(source->face_count);
    for (uint32_t i = 0; i < source->face_count; ++i)
    {
        draco::Mesh::Face face;
        for (uint32_t k = 0; k < 3; ++k)
        {
            face[k] = draco::PointIndex(source->indices[3 * i + k]);
        }
        mesh.SetFace(draco::FaceIndex(i), face);
    }
    draco::Encoder encoder;
    draco::EncoderBuffer buffer;
    encoder.SetEncodingMethod(source->is_edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING
                                                     : draco::MESH_SEQUENTIAL_ENCODING);
    if (source->quantization > 0)
    {
        encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, source->quantization);
        encoder.SetAttributeQuantization(draco::GeometryAttribute::GENERIC, source->quantization);
    }
    if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok() || buffer.size() > room)
    {
        return 0;
    }
    std::memcpy(out, buffer.data(), buffer.size());
    return buffer.size();
}

double draco_step(const void* bytes, size_t size, uint32_t id, int is_position)
{
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(static_cast<const char*>(bytes), size);
    decoder.SetSkipAttributeTransform(is_position ? draco::GeometryAttribute::POSITION
                                                  : draco::GeometryAttribute::GENERIC);
    auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
    const draco::PointAttribute* attribute =
        mesh.ok() ? mesh.value()->GetAttributeByUniqueId(id) : nullptr;
    if (attribute == nullptr)
    {
        return -1.0;
    }
    draco::AttributeQuantizationTransform transform;
    if (attribute->GetAttributeTransformData() == nullptr ||
        !transform.InitFromAttribute(*attribute))
    {
        return 0.0;
    }
    return static_cast<double>(transform.range()) /
           static_cast<double>((1u << transform.quantization_bits()) - 1u);
}
