// SPDX-License-Identifier: MIT
// Meshes of Draco, decoded by libdraco. Counts in the bitstream are compared with those of the
// glTF file between the steps of the decoder, before it allocates anything of their size.
#include "draco_decode.h"

#include <draco/compression/config/decoder_options.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>

#include <new>

struct pelti_draco
{
    draco::Mesh mesh;
};

namespace
{

constexpr int max_attributes = 64;

// Bytes that libdraco allocates per component of an attribute: a value, and the integer that it
// was predicted as.
constexpr std::size_t bytes_per_component = 12;

bool read_count(uint32_t* out, draco::DecoderBuffer* buffer, bool is_varint)
{
    return is_varint ? draco::DecodeVarint(out, buffer) : buffer->Decode(out);
}

// A decoder that stops where a count is not the expected one.
template <class Decoder> class checked_decoder : public Decoder
{
  public:
    explicit checked_decoder(const pelti_draco_expectation* expected) : expected_(expected)
    {
    }

    pelti_draco_status status = PELTI_DRACO_BROKEN;

  protected:
    bool DecodeConnectivity() override
    {
        uint32_t face_count = 0;
        draco::DecoderBuffer ahead;
        ahead.Init(this->buffer()->data_head(),
                   static_cast<size_t>(this->buffer()->remaining_size()),
                   this->bitstream_version());
        if (!read_face_count(&face_count, &ahead))
        {
            return false;
        }
        if (face_count != expected_->face_count)
        {
            status = PELTI_DRACO_COUNTS;
            return false;
        }
        if (!Decoder::DecodeConnectivity())
        {
            return false;
        }
        if (this->point_cloud()->num_points() != expected_->point_count ||
            this->mesh()->num_faces() != expected_->face_count)
        {
            status = PELTI_DRACO_COUNTS;
            return false;
        }
        return true;
    }

    // Called when the attributes are known and their values are not yet allocated.
    bool DecodeAllAttributes() override
    {
        const draco::PointCloud* cloud = this->point_cloud();
        std::size_t components = 0;
        for (int i = 0; i < cloud->num_attributes() && i <= max_attributes; ++i)
        {
            // The indices of the values count as one more.
            components += static_cast<std::size_t>(cloud->attribute(i)->num_components()) + 1;
        }
        std::size_t point_size = components * bytes_per_component;
        if (cloud->num_attributes() > max_attributes ||
            (point_size > 0 && expected_->point_count > expected_->memory / point_size))
        {
            status = PELTI_DRACO_LIMITS;
            return false;
        }
        return Decoder::DecodeAllAttributes();
    }

  private:
    // The order of counts in the bitstream depends on its version and method.
    bool read_face_count(uint32_t* out, draco::DecoderBuffer* ahead) const;

    const pelti_draco_expectation* expected_;
};

template <>
bool checked_decoder<draco::MeshSequentialDecoder>::read_face_count(
    uint32_t* out, draco::DecoderBuffer* ahead) const
{
    bool is_varint = bitstream_version() >= DRACO_BITSTREAM_VERSION(2, 2);
    uint32_t point_count = 0;
    // Points besides the expected ones would be allocated as well.
    bool is_read = read_count(out, ahead, is_varint) && read_count(&point_count, ahead, is_varint);
    return is_read && point_count == expected_->point_count;
}

template <>
bool checked_decoder<draco::MeshEdgebreakerDecoder>::read_face_count(
    uint32_t* out, draco::DecoderBuffer* ahead) const
{
    bool is_varint = bitstream_version() >= DRACO_BITSTREAM_VERSION(2, 0);
    uint32_t new_count = 0, vertex_count = 0;
    if (bitstream_version() < DRACO_BITSTREAM_VERSION(2, 2) &&
        !read_count(&new_count, ahead, is_varint))
    {
        return false;
    }
    return read_count(&vertex_count, ahead, is_varint) && read_count(out, ahead, is_varint);
}

template <class Decoder>
pelti_draco_status run(draco::Mesh* out, draco::DecoderBuffer* buffer,
                       const pelti_draco_expectation* expected)
{
    checked_decoder<Decoder> decoder(expected);
    const draco::DecoderOptions options;
    return decoder.Decode(options, buffer, out).ok() ? PELTI_DRACO_OK : decoder.status;
}

pelti_draco_status decode(draco::Mesh* out, const void* bytes, std::size_t size,
                          const pelti_draco_expectation* expected)
{
    draco::DecoderBuffer buffer, ahead;
    buffer.Init(static_cast<const char*>(bytes), size);
    ahead.Init(static_cast<const char*>(bytes), size);
    draco::DracoHeader header;
    if (!draco::PointCloudDecoder::DecodeHeader(&ahead, &header).ok() ||
        header.encoder_type != draco::TRIANGULAR_MESH)
    {
        return PELTI_DRACO_BROKEN;
    }
    switch (header.encoder_method)
    {
    case draco::MESH_SEQUENTIAL_ENCODING:
        return run<draco::MeshSequentialDecoder>(out, &buffer, expected);
    case draco::MESH_EDGEBREAKER_ENCODING:
        return run<draco::MeshEdgebreakerDecoder>(out, &buffer, expected);
    default:
        return PELTI_DRACO_BROKEN;
    }
}

// The points of an attribute refer to values; none may be past the last.
bool has_all_values(const draco::PointAttribute& attribute, uint32_t point_count)
{
    std::size_t stride = static_cast<std::size_t>(attribute.byte_stride());
    if (attribute.buffer() == nullptr || attribute.byte_offset() != 0 || stride == 0 ||
        attribute.size() > attribute.buffer()->data_size() / stride ||
        (!attribute.is_mapping_identity() && attribute.indices_map_size() < point_count))
    {
        return false;
    }
    for (uint32_t i = 0; i < point_count; ++i)
    {
        if (attribute.mapped_index(draco::PointIndex(i)).value() >= attribute.size())
        {
            return false;
        }
    }
    return true;
}

template <typename T>
bool convert(void* out, const draco::PointAttribute& attribute, uint32_t point_count,
             uint32_t width)
{
    T* values = static_cast<T*>(out);
    bool is_converted = true;
    for (uint32_t i = 0; i < point_count && is_converted; ++i)
    {
        is_converted = attribute.ConvertValue<T>(attribute.mapped_index(draco::PointIndex(i)),
                                                 static_cast<int8_t>(width),
                                                 values + static_cast<std::size_t>(i) * width);
    }
    return is_converted;
}

bool convert_to(void* out, const draco::PointAttribute& attribute, uint32_t point_count,
                uint32_t width, pelti_draco_component component)
{
    switch (component)
    {
    case PELTI_DRACO_S8:
        return convert<int8_t>(out, attribute, point_count, width);
    case PELTI_DRACO_U8:
        return convert<uint8_t>(out, attribute, point_count, width);
    case PELTI_DRACO_S16:
        return convert<int16_t>(out, attribute, point_count, width);
    case PELTI_DRACO_U16:
        return convert<uint16_t>(out, attribute, point_count, width);
    case PELTI_DRACO_U32:
        return convert<uint32_t>(out, attribute, point_count, width);
    case PELTI_DRACO_F32:
        return convert<float>(out, attribute, point_count, width);
    }
    return false;
}

// Exceptions of the decoder as a status. Without exceptions, as in WebAssembly, running out of
// memory ends the call.
template <typename Work> pelti_draco_status guarded(Work work)
{
#if defined(__cpp_exceptions)
    try
    {
        return work();
    } catch (const std::bad_alloc&)
    {
        return PELTI_DRACO_MEMORY;
    } catch (...)
    {
        return PELTI_DRACO_BROKEN;
    }
#else
    return work();
#endif
}

} // namespace

pelti_draco_status pelti_draco_create(pelti_draco** out, const void* bytes, size_t size,
                                      const pelti_draco_expectation* expected)
{
    *out = nullptr;
    pelti_draco* made = nullptr;
    pelti_draco_status status = guarded([&] {
        made = new pelti_draco;
        return decode(&made->mesh, bytes, size, expected);
    });
    if (status != PELTI_DRACO_OK)
    {
        delete made;
        return status;
    }
    *out = made;
    return PELTI_DRACO_OK;
}

void pelti_draco_destroy(pelti_draco* draco)
{
    delete draco;
}

void pelti_draco_faces(uint32_t* out, const pelti_draco* draco)
{
    for (uint32_t i = 0; i < draco->mesh.num_faces(); ++i)
    {
        const draco::Mesh::Face& face = draco->mesh.face(draco::FaceIndex(i));
        for (uint32_t k = 0; k < 3; ++k)
        {
            out[3 * static_cast<std::size_t>(i) + k] = face[k].value();
        }
    }
}

pelti_draco_status pelti_draco_values(void* out, const pelti_draco* draco, uint32_t id,
                                      uint32_t width, pelti_draco_component component)
{
    return guarded([&] {
        const draco::PointAttribute* attribute = draco->mesh.GetAttributeByUniqueId(id);
        if (attribute == nullptr || attribute->num_components() != static_cast<int>(width))
        {
            return PELTI_DRACO_MISSING;
        }
        uint32_t count = draco->mesh.num_points();
        return has_all_values(*attribute, count) &&
                       convert_to(out, *attribute, count, width, component)
                   ? PELTI_DRACO_OK
                   : PELTI_DRACO_BROKEN;
    });
}
