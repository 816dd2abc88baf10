// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by and projections: orders on the members of records that the library sees through.
#include "../kit/expect_sorted.hpp"

namespace kit {

using order_by = gpu_test;

/// A record as users write them. No padding.
struct particle {
  float distance;
  std::uint32_t id;
  std::int16_t level;
  std::uint8_t kind;
  std::uint8_t flags;
};

/// Another whose members do not fit in one machine word together, in a record of 64 bytes.
struct event {
  double time;
  std::int64_t source;
  float energy;
  std::uint32_t sequence;
  unsigned char payload[40];
};

particle make_particle(std::uint64_t i, std::uint64_t n) {
  const std::uint64_t r = random_at(seed(), i);
  particle p;
  p.distance = value_at<float>(distribution::special, i, n, seed());
  p.id = static_cast<std::uint32_t>(i);
  p.level = static_cast<std::int16_t>(r % 7) - 3;
  p.kind = static_cast<std::uint8_t>(r >> 32);
  p.flags = static_cast<std::uint8_t>(r >> 40);
  return p;
}

event make_event(std::uint64_t i, std::uint64_t n) {
  const std::uint64_t r = random_at(seed(), i);
  event e;
  e.time = r % 3 == 0 ? value_at<double>(distribution::special, i, n, seed()) : double(r % 5);
  e.source = static_cast<std::int64_t>(r >> 60) - 8;
  e.energy = static_cast<float>(r >> 54 & 3);
  e.sequence = static_cast<std::uint32_t>(i);
  for (int b = 0; b < 40; ++b) e.payload[b] = static_cast<unsigned char>(random_at(i, b));
  return e;
}

struct valid_particle {
  __host__ __device__ bool operator()(const particle& p) const { return p.flags % 4 != 0; }
};

TEST_F(order_by, order_by_one_member) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_particle),
        [](const particle& a, const particle& b) {
          return reference_less{}(a.distance, b.distance);
        },
        gpusort::order_by(gpusort::asc(&particle::distance)));
    expect_sorted(
        make_all(n, make_particle),
        [](const particle& a, const particle& b) { return a.level > b.level; },
        gpusort::order_by(gpusort::desc(&particle::level)));
  }
}

TEST_F(order_by, order_by_several_members) {
  const auto order = [](const particle& a, const particle& b) {
    if (a.level != b.level) return a.level < b.level;
    if (reference_less{}(b.distance, a.distance)) return true;
    if (reference_less{}(a.distance, b.distance)) return false;
    return a.kind < b.kind;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_particle), order,
        gpusort::order_by(gpusort::asc(&particle::level), gpusort::desc(&particle::distance),
                          gpusort::asc(&particle::kind)));
  }
}

TEST_F(order_by, order_by_members_of_a_large_record) {
  const auto order = [](const event& a, const event& b) {
    if (reference_less{}(b.time, a.time)) return true;
    if (reference_less{}(a.time, b.time)) return false;
    if (a.source != b.source) return a.source < b.source;
    return a.energy > b.energy;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n, make_event), order,
                  gpusort::order_by(gpusort::desc(&event::time), gpusort::asc(&event::source),
                                    gpusort::desc(&event::energy)));
  }
}

// nvcc takes no extended lambda in a member function that is not public, as a test's body is.
void expect_sorted_by_projection(std::size_t n) {
  expect_sorted(
      make_all(n, make_particle),
      [](const particle& a, const particle& b) { return a.level + a.kind > b.level + b.kind; },
      gpusort::greater{},
      [] __host__ __device__(const particle& p) -> int { return p.level + p.kind; });
}

TEST_F(order_by, projections) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_event),
        [](const event& a, const event& b) { return reference_less{}(a.time, b.time); },
        gpusort::less{}, &event::time);
    expect_sorted_by_projection(n);
  }
}

TEST_F(order_by, nulls_nans_and_strings) {
  const auto is_valid = [](const particle& p) { return p.flags % 4 != 0; };
  const auto order = [&](const particle& a, const particle& b) {
    if (is_valid(a) != is_valid(b)) return is_valid(a);
    if (!is_valid(a)) return a.kind > b.kind;
    const bool is_a = std::isnan(a.distance), is_b = std::isnan(b.distance);
    if (is_a != is_b) return is_a;
    if (!is_a && a.distance != b.distance) return a.distance > b.distance;
    return a.kind > b.kind;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n, make_particle), order,
                  gpusort::order_by(
                      gpusort::desc(&particle::distance).nan_first().nulls_last(valid_particle{}),
                      gpusort::desc(&particle::kind)));
  }
}

/// Elements so short are moved and compared, where their fields are known when the call is
/// compiled.
TEST_F(order_by, members_known_when_compiled) {
  const auto order = [](const particle& a, const particle& b) {
    return a.level != b.level ? a.level > b.level : a.kind < b.kind;
  };
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, make_particle), order,
        gpusort::order_by(gpusort::desc<&particle::level>(), gpusort::asc<&particle::kind>()));
  }
}

/// Pairs and tuples in their natural order are seen through as well.
TEST_F(order_by, tuples_by_default) {
  using element = std::tuple<std::int32_t, float, std::uint32_t>;
  const auto make = [](std::uint64_t i, std::uint64_t n) {
    const particle p = make_particle(i, n);
    return element(p.level, p.distance, p.kind);
  };
  const auto order = [](const element& a, const element& b) {
    if (std::get<0>(a) != std::get<0>(b)) return std::get<0>(a) < std::get<0>(b);
    const float x = std::get<1>(a), y = std::get<1>(b);
    if (reference_less{}(x, y)) return true;
    if (reference_less{}(y, x)) return false;
    return std::get<2>(a) < std::get<2>(b);
  };
  for (std::size_t n : order_sizes()) expect_sorted(make_all(n, make), order);
}

}  // namespace kit
