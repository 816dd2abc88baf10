// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The vertices of a PLY file (ascii, or binary in either byte order), as the models of the
/// Stanford 3D Scanning Repository are stored. Faces and properties other than x, y and z are
/// skipped.
namespace ply {

struct vertex {
  float x, y, z;
};

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

enum class encoding { ascii, little_endian, big_endian };

enum class scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct property {
  std::string name;
  scalar type;
  bool is_list;
  scalar length_type;  // of a list
};

struct element {
  std::string name;
  std::uint64_t count;
  std::vector<property> properties;
};

struct header {
  encoding format;
  std::vector<element> elements;
  std::size_t size;  // bytes before the data
};

inline scalar parse_scalar(const std::string& name) {
  if (name == "char" || name == "int8") return scalar::int8;
  if (name == "uchar" || name == "uint8") return scalar::uint8;
  if (name == "short" || name == "int16") return scalar::int16;
  if (name == "ushort" || name == "uint16") return scalar::uint16;
  if (name == "int" || name == "int32") return scalar::int32;
  if (name == "uint" || name == "uint32") return scalar::uint32;
  if (name == "float" || name == "float32") return scalar::float32;
  if (name == "double" || name == "float64") return scalar::float64;
  throw error("unknown property type '" + name + "'");
}

inline encoding parse_format(std::istream& words) {
  std::string name, version;
  words >> name >> version;
  if (version != "1.0") throw error("unknown format version '" + version + "'");
  if (name == "ascii") return encoding::ascii;
  if (name == "binary_little_endian") return encoding::little_endian;
  if (name == "binary_big_endian") return encoding::big_endian;
  throw error("unknown format '" + name + "'");
}

inline element parse_element(std::istream& words) {
  std::string name;
  std::int64_t count = -1;
  words >> name >> count;
  if (words.fail() || count < 0) throw error("element '" + name + "' has no valid count");
  return {name, static_cast<std::uint64_t>(count), {}};
}

inline property parse_property(std::istream& words) {
  std::string type, length_type, name;
  words >> type;
  const bool is_list = type == "list";
  if (is_list) words >> length_type >> type;
  words >> name;
  if (words.fail()) throw error("a property has no name");
  return {name, parse_scalar(type), is_list, is_list ? parse_scalar(length_type) : scalar::uint8};
}

inline header parse_header(const std::string& file) {
  header result{encoding::ascii, {}, 0};
  bool has_format = false;
  for (std::size_t line_number = 0;; ++line_number) {
    const std::size_t end = file.find('\n', result.size);
    std::istringstream words(file.substr(result.size, end - result.size));
    std::string keyword;
    words >> keyword;
    if (line_number == 0 && keyword != "ply") throw error("not a PLY file");
    if (end == std::string::npos) throw error("the header has no end");
    result.size = end + 1;

    if (keyword == "end_header") break;
    if (keyword == "format") {
      result.format = parse_format(words);
      has_format = true;
    } else if (keyword == "element") {
      result.elements.push_back(parse_element(words));
    } else if (keyword == "property") {
      if (result.elements.empty()) throw error("a property stands before the first element");
      result.elements.back().properties.push_back(parse_property(words));
    }  // what remains is comments
  }
  if (!has_format) throw error("the header names no format");
  return result;
}

/// Takes one number after the other from the data. Every read is checked against its end.
class reader {
 public:
  reader(const std::string& file, const header& head)
      : next_(file.data() + head.size), end_(file.data() + file.size()), format_(head.format) {}

  double number(scalar type) {
    if (format_ == encoding::ascii) return word();
    switch (type) {
      case scalar::int8:
        return bytes<std::int8_t>();
      case scalar::uint8:
        return bytes<std::uint8_t>();
      case scalar::int16:
        return bytes<std::int16_t>();
      case scalar::uint16:
        return bytes<std::uint16_t>();
      case scalar::int32:
        return bytes<std::int32_t>();
      case scalar::uint32:
        return bytes<std::uint32_t>();
      case scalar::float32:
        return bytes<float>();
      case scalar::float64:
        return bytes<double>();
    }
    return 0;
  }

  void skip(const property& entry) {
    if (!entry.is_list) {
      number(entry.type);
      return;
    }
    const double length = number(entry.length_type);
    if (!(length >= 0)) throw error("a list has no valid length");
    for (double i = 0; i < length; ++i) number(entry.type);
  }

  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - next_); }

 private:
  double word() {
    next_ = std::find_if_not(next_, end_, is_space);
    if (next_ == end_) throw error("the file ends too early");
    char* end = nullptr;
    const double value = std::strtod(next_, &end);  // stops at the zero that ends a std::string
    if (end == next_ || !(end == end_ || is_space(*end))) {
      throw error("not a number: " + std::string(next_, std::find_if(next_, end_, is_space)));
    }
    next_ = end;
    return value;
  }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  template <class T>
  T bytes() {
    if (bytes_left() < sizeof(T)) throw error("the file ends too early");
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, next_, sizeof(T));
    next_ += sizeof(T);
    if (format_ != machine_order()) {
      std::reverse(raw, raw + sizeof(T));
    }
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

  static encoding machine_order() {
    const std::uint16_t one = 1;
    unsigned char first;
    std::memcpy(&first, &one, 1);
    return first == 1 ? encoding::little_endian : encoding::big_endian;
  }

  const char* next_;
  const char* end_;
  encoding format_;
};

inline std::vector<vertex> read_vertices(reader& data, const element& vertices) {
  constexpr int no_axis = 3;
  std::vector<int> axes;  // per property: which of x, y, z it is
  for (const property& p : vertices.properties) {
    const bool is_axis = !p.is_list && (p.name == "x" || p.name == "y" || p.name == "z");
    axes.push_back(is_axis ? p.name[0] - 'x' : no_axis);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (std::count(axes.begin(), axes.end(), axis) != 1) {
      throw error("the vertices need one x, one y and one z");
    }
  }
  if (vertices.count == 0) throw error("no vertices");
  // A vertex takes at least a byte, so a false count cannot ask for all of the memory.
  if (vertices.count > data.bytes_left()) throw error("the file ends too early");

  std::vector<vertex> result;
  result.reserve(vertices.count);
  for (std::uint64_t i = 0; i < vertices.count; ++i) {
    float at[3] = {};
    for (std::size_t p = 0; p < axes.size(); ++p) {
      const property& entry = vertices.properties[p];
      if (axes[p] == no_axis) {
        data.skip(entry);
      } else {
        at[axes[p]] = static_cast<float>(data.number(entry.type));
      }
    }
    if (!std::isfinite(at[0]) || !std::isfinite(at[1]) || !std::isfinite(at[2])) {
      throw error("vertex " + std::to_string(i) + " has a coordinate that is no finite number");
    }
    result.push_back({at[0], at[1], at[2]});
  }
  return result;
}

inline std::vector<vertex> parse(const std::string& file) {
  const header head = parse_header(file);
  reader data(file, head);
  for (const element& e : head.elements) {
    if (e.name == "vertex") return read_vertices(data, e);
    if (e.properties.empty()) continue;
    for (std::uint64_t i = 0; i < e.count; ++i) {
      for (const property& p : e.properties) data.skip(p);
    }
  }
  throw error("no vertices");
}

inline std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream contents;
  contents << stream.rdbuf();
  if (!stream || !contents) throw error("cannot be read, or is empty");
  return contents.str();
}

}  // namespace detail

/// Throws ply::error, which says what is wrong with the file.
inline std::vector<vertex> read_vertices(const std::string& path) {
  try {
    return detail::parse(detail::read_file(path));
  } catch (const error& e) {
    throw error(path + ": " + e.what());
  }
}

}  // namespace ply
