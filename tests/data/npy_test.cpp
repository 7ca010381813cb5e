// The files are written by NumPy itself (files/make_files.py).
#include "data/npy.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Array read_npy(const std::string &name) { return parse_npy(read_bytes(kept_file(name)), name); }

Bytes npy(const std::string &header, std::string_view body = {}) {
    std::string text = "\x93NUMPY\x01";
    text += '\0';
    text += static_cast<char>(header.size() % 256);
    text += static_cast<char>(header.size() / 256);
    return bytes_of(text + header + std::string(body));
}

std::string npy_error(const std::string &header, std::string_view body = {}) {
    return error_of([&] { parse_npy(npy(header, body), "a.npy"); });
}

TEST(Npy, ReadsNumPysFiles) {
    const Array numbers = read_npy("int64.npy");
    EXPECT_THAT(numbers.shape(), ElementsAre(2u, 3u));
    EXPECT_THAT(values<std::int64_t>(numbers), ElementsAre(1, -2, 3, 4, 5, 1LL << 40));
    EXPECT_THAT(values<std::int32_t>(read_npy("big_endian.npy")), ElementsAre(1, -2, 300000));
    EXPECT_THAT(values<std::uint8_t>(read_npy("bool.npy")), ElementsAre(1, 0, 1));
    EXPECT_THAT(values<double>(read_npy("version2.npy")), ElementsAre(0.5, 1.5));
    EXPECT_THAT(values<double>(read_npy("version3.npy")), ElementsAre(0.5, 1.5));
}

TEST(Npy, FortranOrderBecomesCOrder) {
    const Array array = read_npy("fortran.npy");
    EXPECT_THAT(array.shape(), ElementsAre(2u, 3u, 4u));
    for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(values<float>(array)[i], static_cast<float>(i));
}

TEST(Npy, ABareNumberIsOneRow) {
    const Array array = read_npy("scalar.npy");
    EXPECT_THAT(array.shape(), ElementsAre(1u));
    EXPECT_THAT(values<double>(array), ElementsAre(2.5));
}

TEST(Npy, SmallIntegersWiden) {
    const auto two = [](const std::string &type, std::string_view body) {
        return parse_npy(
            npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (1,)}", body), "x");
    };
    EXPECT_THAT(values<std::int32_t>(two("|i1", "\xff")), ElementsAre(-1));
    EXPECT_THAT(values<std::int32_t>(two("<u2", "\xff\xff")), ElementsAre(65535));
    EXPECT_THAT(values<std::int32_t>(two(">i2", "\xff\xfe")), ElementsAre(-2));
    EXPECT_THAT(values<std::int64_t>(two("<u4", "\xff\xff\xff\xff")), ElementsAre(4294967295));
}

TEST(Npy, KeysMayBeInAnyOrder) {
    const Array array =
        parse_npy(npy("{ \"shape\":(2L , 1), \"fortran_order\":True,'descr':'|u1' }\n", "ab"), "x");
    EXPECT_THAT(array.shape(), ElementsAre(2u, 1u));
    EXPECT_THAT(values<std::uint8_t>(array), ElementsAre('a', 'b'));
}

TEST(Npy, AFileThatEndsEarlyIsTruncated) {
    const Bytes whole = read_bytes(kept_file("int64.npy"));
    for (std::size_t size = 6; size < whole.size(); ++size) {
        EXPECT_THAT(error_of([&] { parse_npy(ByteSpan(whole).first(size), "a.npy"); }),
                    StartsWith("data-truncated a.npy: "))
            << size;
    }
}

TEST(Npy, BytesAfterTheElementsAreRefused) {
    EXPECT_THAT(npy_error("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", "ab"),
                StartsWith("data-trailing a.npy: "));
}

TEST(Npy, OtherFilesAreNotNpyFiles) {
    EXPECT_EQ(error_of([] { parse_npy(bytes_of("PK"), "a.npy"); }),
              "data-format a.npy: this is not an NPY file: it does not begin with \\x93NUMPY");
    Bytes version = npy("{}");
    version[6] = 4;
    EXPECT_THAT(error_of([&] { parse_npy(version, "a.npy"); }), HasSubstr("NPY version 4"));
}

TEST(Npy, TypesOtherThanNumbersAreRefused) {
    EXPECT_THAT(error_of([] { read_npy("text.npy"); }),
                StartsWith("data-type text.npy: the NPY element type '<U1' is not supported"));
    for (const char *type : {"|O", "<f2", "<c8", "<u8", "=i4", "|i4", "", "<"}) {
        EXPECT_THAT(npy_error("{'descr': '" + std::string(type) +
                              "', 'fortran_order': False, 'shape': (1,)}"),
                    StartsWith("data-type a.npy: "))
            << type;
    }
    EXPECT_THAT(npy_error("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
                StartsWith("data-type a.npy: arrays of records"));
}

TEST(Npy, DamagedHeadersSayWhere) {
    EXPECT_EQ(
        npy_error("{'descr': '<f4' 'shape'}"),
        "data-format a.npy: the NPY header is damaged: expected ',' or '}' at its character 17");
    for (const char *header :
         {"", "{", "{}", "{'descr'}", "{'descr': 4}", "{'descr': '<f4", "{'fortran_order': 1}",
          "{'shape': 3}", "{'shape': (-1,)}", "{'shape': (1", "{'shape': (1 2)}", "{'other': 1}",
          "{'shape': (99999999999999999999999,)}", "{} {}"}) {
        EXPECT_THAT(npy_error(header), StartsWith("data-format a.npy: the NPY header")) << header;
    }
}

TEST(Npy, AShapeThatOverflowsIsNotAllocated) {
    const std::string huge = "4294967296, 4294967296, 2";
    for (const char *order : {"True", "False"}) {
        EXPECT_THAT(npy_error("{'descr': '<f8', 'fortran_order': " + std::string(order) +
                              ", 'shape': (" + huge + ")}"),
                    StartsWith("data-truncated a.npy: "));
        EXPECT_THAT(npy_error("{'descr': '<f8', 'fortran_order': " + std::string(order) +
                              ", 'shape': (3, 0)}"),
                    StartsWith("data-shape a.npy: "));
    }
}

} // namespace
} // namespace neurasp::data
