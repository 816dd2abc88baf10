// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns without structs. First some whose types the program knows: keys and any number of columns
// that go with them, and a zip of columns under a comparator of rows. Then a table as in a data
// frame or a database, whose columns, and the order that is asked for, are known at run time only,
// and in which values are missing.
//
//   10_columns [column[:desc][:nulls_first] ...]
#include <gpusort/gpusort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "example.hpp"

/// Warmest first, and of those that are as warm the station with the least number.
struct by_celsius_and_station {
  template <class Row>
  __host__ __device__ bool operator()(const Row& a, const Row& b) const {
    if (thrust::get<1>(a) != thrust::get<1>(b)) return thrust::get<1>(a) > thrust::get<1>(b);
    return thrust::get<0>(a) < thrust::get<0>(b);
  }
};

/// Sorts known columns in a `Vector`, thrust::device_vector or thrust::host_vector.
template <template <class...> class Vector>
void known_columns() {
  const thrust::host_vector<int> stations = std::vector<int>{3, 1, 2, 1};
  const thrust::host_vector<float> celsius = std::vector<float>{19.5f, -4.0f, 21.0f, 19.5f};
  const thrust::host_vector<double> rain = std::vector<double>{0.0, 7.5, 0.25, 3.0};

  // One column decides, and any number of others go with it.
  Vector<int> station = stations;
  Vector<float> warmth = celsius;
  Vector<double> millimetres = rain;
  gpusort::stable_sort_by_key(gpusort::par_gpu, warmth.begin(), warmth.end(), station.begin(),
                              millimetres.begin(), gpusort::greater{});
  const thrust::host_vector<int> by_warmth = station;
  example::verify(by_warmth == thrust::host_vector<int>(std::vector<int>{2, 3, 1, 1}),
                  "the stations follow their temperatures");

  // Several columns decide: a zip of them, and a comparator of its rows.
  station = stations;
  warmth = celsius;
  const auto rows = thrust::make_zip_iterator(thrust::make_tuple(station.begin(), warmth.begin()));
  gpusort::sort(gpusort::par_gpu, rows, rows + 4, by_celsius_and_station{});
  const thrust::host_vector<int> by_both = station;
  example::verify(by_both == thrust::host_vector<int>(std::vector<int>{2, 1, 3, 1}),
                  "the rows follow their temperatures, then their stations");
}

/// Nothing after the comma is no value.
constexpr const char* measurements =
    "station:text8,day:int,celsius:double\n"
    "Oslo,3,-4.5\n"
    "Bergen,1,7.25\n"
    "Oslo,1,\n"
    "Narvik,,-11\n"
    "Bergen,3,7.25\n"
    "Oslo,2,0.5\n"
    ",2,3\n";

/// A column of a table: what the header says, and its elements and a bitmap where calls reach them.
template <template <class...> class Vector>
struct named_column {
  std::string name;
  gpusort::column_type type;
  std::size_t width;
  std::vector<char> elements;
  std::vector<std::uint8_t> bits;
  Vector<char> data;
  Vector<std::uint8_t> valid;

  gpusort::column get() {
    void* const first = thrust::raw_pointer_cast(data.data());
    return gpusort::column(type, first, width)
        .with_validity(thrust::raw_pointer_cast(valid.data()));
  }

  void add(std::size_t row, const std::string& text) {
    std::vector<char> element(width);
    const std::int32_t number = std::atoi(text.c_str());
    const double real = std::atof(text.c_str());
    if (type == gpusort::column_type::bytes) {
      std::memcpy(element.data(), text.data(), std::min(width, text.size()));
    } else if (type == gpusort::column_type::int32) {
      std::memcpy(element.data(), &number, width);
    } else {
      std::memcpy(element.data(), &real, width);
    }
    elements.insert(elements.end(), element.begin(), element.end());
    bits.resize(row / 8 + 1);
    if (!text.empty()) bits[row / 8] = static_cast<std::uint8_t>(bits[row / 8] | 1u << row % 8);
  }

  std::string text(std::size_t row) const {
    const char* const element = elements.data() + row * width;
    if ((bits[row / 8] >> row % 8 & 1) == 0) return "-";
    if (type == gpusort::column_type::bytes) return {element, strnlen(element, width)};
    std::int32_t number = 0;
    double real = 0;
    std::ostringstream out;
    if (type == gpusort::column_type::int32) {
      std::memcpy(&number, element, width);
      out << number;
    } else {
      std::memcpy(&real, element, width);
      out << real;
    }
    return out.str();
  }
};

template <template <class...> class Vector>
using table = std::vector<named_column<Vector>>;

template <template <class...> class Vector>
table<Vector> read_table(const std::string& csv, std::size_t& rows) {
  using gpusort::column_type;
  table<Vector> columns;
  std::istringstream lines(csv);
  std::string line, field;
  std::getline(lines, line);
  for (std::istringstream header(line); std::getline(header, field, ',');) {
    named_column<Vector> c;
    c.name = field.substr(0, field.find(':'));
    const std::string type = field.substr(field.find(':') + 1);
    const bool is_text = type.compare(0, 4, "text") == 0;
    c.type = is_text         ? column_type::bytes
             : type == "int" ? column_type::int32
                             : column_type::float64;
    c.width = is_text ? std::stoul(type.substr(4)) : type == "int" ? 4 : 8;
    columns.push_back(c);
  }
  for (rows = 0; std::getline(lines, line); ++rows) {
    std::istringstream fields(line);
    for (auto& c : columns) {
      field.clear();
      std::getline(fields, field, ',');
      c.add(rows, field);
    }
  }
  for (auto& c : columns) {
    c.data = Vector<char>(c.elements.begin(), c.elements.end());
    c.valid = Vector<std::uint8_t>(c.bits.begin(), c.bits.end());
  }
  return columns;
}

/// Adds "celsius:desc:nulls_first" of a table to an order.
template <template <class...> class Vector>
void add_to_order(gpusort::table_order& order, table<Vector>& columns, const std::string& wish) {
  for (auto& c : columns) {
    if (c.name != wish.substr(0, wish.find(':'))) continue;
    const auto has = [&](const char* word) { return wish.find(word) != std::string::npos; };
    order.add(c.get(), has(":desc"),
              has(":nulls_first") ? gpusort::nulls::first : gpusort::nulls::last);
    return;
  }
  throw std::invalid_argument("there is no column " + wish);
}

template <template <class...> class Vector>
void columns_known_at_run_time(const std::vector<std::string>& wishes) {
  std::size_t n = 0;
  table<Vector> columns = read_table<Vector>(measurements, n);
  gpusort::table_order order;
  for (const std::string& wish : wishes) add_to_order(order, columns, wish);

  std::vector<gpusort::column> moved;
  for (auto& c : columns) moved.push_back(c.get());
  gpusort::sort_table(gpusort::par_gpu, order, moved.data(), moved.size(), n);
  example::verify(gpusort::is_table_sorted(gpusort::par_gpu, order, n), "the rows are in order");

  for (auto& c : columns) {
    thrust::copy(c.data.begin(), c.data.end(), c.elements.begin());
    thrust::copy(c.valid.begin(), c.valid.end(), c.bits.begin());
    std::printf("%-10s", c.name.c_str());
  }
  for (std::size_t row = 0; row < n; ++row) {
    std::printf("\n");
    for (const auto& c : columns) std::printf("%-10s", c.text(row).c_str());
  }
  std::printf("\n");
}

int main(int argc, char** argv) try {
  std::vector<std::string> wishes(argv + 1, argv + argc);
  if (wishes.empty()) wishes = {"celsius:desc", "station:nulls_first"};
  if (example::has_device()) {
    known_columns<thrust::device_vector>();
    columns_known_at_run_time<thrust::device_vector>(wishes);
  } else {
    std::puts("No GPU on this machine: the same calls run on the CPU.");
    known_columns<thrust::host_vector>();
    columns_known_at_run_time<thrust::host_vector>(wishes);
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "10_columns: %s\n", e.what());
  return EXIT_FAILURE;
}
