// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tuning/sample_sort.hpp>

namespace tune {

/// Calls visit(name, number) for every number of sample sort, by part.
template <class Tuning, class Visit>
void for_each_number(Visit visit) {
  using sampling = typename Tuning::sampling;
  visit("sampling.items_per_tile", sampling::items_per_tile);
  visit("sampling.log_oversample", sampling::log_oversample);
  visit("sampling.one_level_log_oversample", sampling::one_level_log_oversample);
  visit("sampling.probe_threads", sampling::probe_threads);

  using distribution = typename Tuning::distribution;
  visit("distribution.max_log_buckets", distribution::max_log_buckets);
  visit("distribution.threads_per_block", distribution::threads_per_block);
  visit("distribution.items_per_thread", distribution::items_per_thread);
  visit("distribution.blocks_resident", distribution::blocks_resident);
  visit("distribution.tiles_per_chunk", distribution::tiles_per_chunk);
  visit("distribution.blocks_wanted", distribution::blocks_wanted);

  using counting = typename Tuning::counting;
  visit("counting.threads_per_block", counting::threads_per_block);
  visit("counting.items_per_thread", counting::items_per_thread);
  visit("counting.blocks_resident", counting::blocks_resident);

  using paging = typename Tuning::paging;
  visit("paging.is_used", paging::is_used);
  visit("paging.least_share", paging::least_share);
  visit("paging.max_log_buckets", paging::max_log_buckets);
  visit("paging.threads_per_block", paging::threads_per_block);
  visit("paging.items_per_thread", paging::items_per_thread);
  visit("paging.blocks_resident", paging::blocks_resident);

  using buckets = typename Tuning::buckets;
  visit("buckets.threads_per_block", buckets::threads_per_block);
  visit("buckets.items_per_thread", buckets::items_per_thread);
  visit("buckets.chunks_per_thread", buckets::chunks_per_thread);
  visit("buckets.threads_resident", buckets::threads_resident);
  visit("buckets.has_number_tiles", buckets::has_number_tiles);
  visit("buckets.target", buckets::target);
  visit("buckets.one_level_target", buckets::one_level_target);
  visit("buckets.few", buckets::few);

  using long_ranges = typename Tuning::long_ranges;
  visit("long_ranges.threads_per_multiprocessor", long_ranges::threads_per_multiprocessor);

  using single_launch = typename Tuning::single_launch;
  visit("single_launch.threads_per_block", single_launch::threads_per_block);
  visit("single_launch.items_per_thread", single_launch::items_per_thread);
  visit("single_launch.blocks_resident", single_launch::blocks_resident);
  visit("single_launch.buckets_per_block", single_launch::buckets_per_block);
  visit("single_launch.target_bucket", single_launch::target_bucket);
  visit("single_launch.large_bucket", single_launch::large_bucket);
  visit("single_launch.log_oversample", single_launch::log_oversample);
  visit("single_launch.log_sample", single_launch::log_sample);
  visit("single_launch.max_n", single_launch::max_n);

  using cluster = typename Tuning::cluster;
  visit("cluster.blocks", cluster::blocks);
  visit("cluster.threads_per_block", cluster::threads_per_block);
  visit("cluster.min_threads_per_block", cluster::min_threads_per_block);
  visit("cluster.share_items", cluster::share_items);
  visit("cluster.bucket_items", cluster::bucket_items);
  visit("cluster.bucket_chunks", cluster::bucket_chunks);
  visit("cluster.bucket_shares", cluster::bucket_shares);
  visit("cluster.samples", cluster::samples);
  visit("cluster.max_n", cluster::max_n);
  visit("cluster.least_numbers", cluster::least_numbers);

  visit("carveout", Tuning::carveout);
}

}  // namespace tune
