# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The special cases of docs/internals/ledger.md: how each is left out, and where it shows.

An edit replaces a text that occurs once in a file of detail/gpusort/detail. tests/meta/ledger_test.py
checks that all apply, and that the ledger has a row that begins with each title.
"""
from typing import NamedTuple

SAMPLE_SORT = "algorithm/sample_sort_tuning.hpp"
PROBLEM = "router/problem.hpp"
ROUTER = "router/router.hpp"


class Edit(NamedTuple):
    path: str
    old: str
    new: str


class Row(NamedTuple):
    program: str  # of elements.hpp
    what: str     # as the table prints it
    log2n: int
    order: str = "random"


class Case(NamedTuple):
    name: str
    title: str         # of its row in the ledger
    edits: tuple
    rows: tuple        # the verdict is that of the one that gains most
    files: tuple = ()  # that only the special case needs
    lines: int = 0     # besides those


CASES = (
    Case("pages", "pages: the first level scatters without counting",
         (Edit("tuning/sample_sort.hpp", "static constexpr bool is_used = ElementBytes <= 8;",
               "static constexpr bool is_used = false;"),),
         (Row("u32_less", "`uint32_t`, `less`", 28), Row("u64_opaque", "`uint64_t`, a comparator", 28)),
         ("kernel/scatter_to_pages.hpp", "kernel/page_table.hpp")),
    Case("one_launch", "cooperative launch for up to 2^18 elements",
         (Edit("algorithm/single_launch_sample_sort.hpp",
               "static constexpr bool is_possible = tuning::max_n > 0;",
               "static constexpr bool is_possible = false;"),),
         (Row("u32_opaque", "`uint32_t`, a comparator", 18),),
         ("algorithm/single_launch_sample_sort.hpp", "kernel/single_launch_sample_sort.hpp")),
    Case("cluster", "cluster for up to 2^14 elements",
         (Edit("algorithm/cluster_sample_sort.hpp", "const bool has_clusters = device.may_cluster &&",
               "const bool has_clusters = false && device.may_cluster &&"),),
         (Row("u32_less", "`uint32_t`, `less`", 14),),
         ("algorithm/cluster_sample_sort.hpp", "kernel/cluster_sample_sort.hpp", "tile/cluster.hpp")),
    Case("completion", "completion word",
         (Edit("support/completion.hpp",
               "return done_ != nullptr ? done_->words_for(blocks, stream_) : nullptr;",
               "return blocks < 0 ? done_->words_for(blocks, stream_) : nullptr;"),),
         (Row("u32_less", "`uint32_t`, `less`", 10),),
         ("support/completion.hpp", "kernel/signal_completion.hpp")),
    Case("proxmap", "proxmap sort of numbers",
         (Edit(SAMPLE_SORT, "std::conditional_t<tile::may_be_numbers<Element, Compare>,",
               "std::conditional_t<false,"),),
         (Row("u64_less", "`uint64_t`, `less`", 14), Row("u64_less", "`uint64_t`, `less`", 28)),
         ("tile/proxmap_sort.hpp",)),
    Case("inferred_numbers", "inferred order of numbers in each bucket",
         (Edit(SAMPLE_SORT, "std::conditional_t<tile::may_be_numbers<Element, Compare>,",
               "std::conditional_t<tile::order_preserving_bits<Element, Compare>::is_known,"),),
         (Row("u64_opaque", "`uint64_t`, a comparator", 20),
          Row("u64_opaque", "`uint64_t`, a comparator", 28)),
         ("tile/inferred_number_sort.hpp",)),
    Case("short_records", "word of short records, found in each bucket",
         (Edit(SAMPLE_SORT, "std::conditional_t<tile::may_order_words<Element, Compare>,",
               "std::conditional_t<false,"),
          Edit(SAMPLE_SORT, "std::conditional_t<tile::may_be_numbers<Element, Compare>,",
               "std::conditional_t<(tile::may_be_numbers<Element, Compare> && "
               "!tile::may_order_words<Element, Compare>),")),
         (Row("words3_by_member", "12 bytes by a member", 26),),
         ("tile/inferred_word_sort.hpp",)),
    Case("pieces", "elements of more than 16 bytes are written by pieces",
         (Edit("tile/element_pieces.hpp", "sizeof(T) <= 16 || Alignment < 4 ? 1",
               "true || sizeof(T) <= 16 || Alignment < 4 ? 1"),),
         (Row("words9_by_computed", "36 bytes by a computed key", 26),), lines=40),
    Case("packed_tuples", "tuples of 4 or 8 bytes that an order reads to the last bit are held packed",
         (Edit("support/packed_record.hpp",
               "static constexpr bool is_packed = !IsStable && is_packable_v<T, Compare>;",
               "static constexpr bool is_packed = false;"),),
         (Row("tuple_less", "`tuple<int, float>`, `less`", 26),), ("support/packed_record.hpp",)),
    Case("packed_numbers", "packed numbers of records of 9 to 16 bytes",
         (Edit("tile/order_preserving_bits.hpp", "max_packed_record_bytes = 16;",
               "max_packed_record_bytes = 8;"),),
         (Row("bytes16_by_64_bits", "16 bytes by two words", 26),)),
    Case("runs_of_threads", "merging runs of threads where comparisons are expensive",
         (Edit("tile/guesses.hpp", "inline constexpr long long expensive_cycles = 92;",
               "inline constexpr long long expensive_cycles = 1ll << 60;"),),
         (Row("u32_by_table", "keys looked up in a table", 14),), lines=30),
    Case("key_inference", "key inference for large structs",
         (Edit(PROBLEM, "p.key_bytes > max_word_record_bytes &&",
               "p.key_bytes > (std::size_t{1} << 30) &&"),),
         (Row("words32_by_member", "128 bytes by a member", 20),),
         ("algorithm/key_inference.hpp", "kernel/infer_order.hpp", "kernel/extract_words.hpp",
          "kernel/order_ties.hpp", "kernel/copy_back_and_verify.hpp")),
    Case("direct", "short elements of a transparent order are moved and compared",
         (Edit(PROBLEM, "return sizes_moved.has(p.stable, p.key_bits, ",
               "return p.key_bytes == 0 && sizes_moved.has(p.stable, p.key_bits, "),),
         (Row("bytes8_by_64_bits", "8 bytes by 64 bits", 26),
          Row("bytes16_by_64_bits", "16 bytes by 64 bits", 26)), lines=60),
    Case("rotated", "short records are held rotated to the number that a pointer names",
         (Edit("support/rotated_record.hpp", "sizeof(T) % 4 == 0 &&", "sizeof(T) == 0 &&"),),
         (Row("bytes16_by_pointer", "16 bytes by `asc(&R::c)`", 26),
          Row("bytes16_by_pointer", "16 bytes by `asc(&R::c)`", 14)),
         ("support/rotated_record.hpp",), lines=20),
    Case("one_block", "one block sorts up to 512 or 1024 elements",
         (Edit(ROUTER, "return has_rival && small_sort_limit(p) < most ? small_sort_limit(p) : most;",
               "return has_rival ? 0 : most;"),),
         (Row("u32_less", "`uint32_t`, `less`", 10), Row("u64_opaque", "`uint64_t`, a comparator", 9),
          Row("words3_by_member", "12 bytes by a member", 9)),
         ("algorithm/small_sort.hpp", "kernel/small_sort.hpp")),
    Case("rare_functions", "comparisons after a wrong guess by functions of any block size",
         (Edit("kernel/sort_buckets.hpp",
               "        using rare = rare_sort_of<sorter, Array, Sorts::are_inferred>;\n"
               "        sort_by_comparisons<rare>(where, found.are_expensive, from, to, spare, list, "
               "compare);\n",
               "        const global_size begin = list.starts[blockIdx.x];\n"
               "        tile::block_sort_any_length<sorter>(Sorts::elements(shared), from + begin, "
               "to + begin, spare + begin, list.counts[blockIdx.x], compare);\n"),),
         (Row("u64_by_product", "`uint64_t` by a product", 24),), lines=40),
    Case("pairs", "keys of more than 32 bits and indices sorted by buckets up to 2^21",
         (Edit(PROBLEM, "return max_pairs_compared.by_digits[ceil_div(p.key_bits, 8)];",
               "return min_radix_n - 1;"),),
         (Row("bytes32_by_64_bits", "32 bytes by 64 bits", 20),), lines=25),
    Case("wide_keys", "words of keys of more than 128 bits",
         (Edit("support/order_by.hpp", "inline constexpr int max_key_words = 7;",
               "inline constexpr int max_key_words = max_encoded_bits / 64;"),),
         (Row("bytes64_by_192_bits", "64 bytes by 192 bits, first words often equal", 20, "equal_words"),
          Row("bytes64_by_192_bits", "64 bytes by 192 bits, first words often equal", 24, "equal_words"),
          Row("bytes64_by_192_bits", "64 bytes by 192 bits", 24),
          Row("bytes32_by_names", "32 bytes by one of 1000 names of 20 bytes", 20),
          Row("bytes32_by_names", "32 bytes by one of 1000 names of 20 bytes", 24)),
         ("support/wide_key.hpp",)),
    Case("long_keys", "keys of more than 448 bits are written to memory",
         (Edit("dispatch/sort_layouts.hpp", "!keys_move_along && has_long_key_v<Compare, Key>;",
               "false && has_long_key_v<Compare, Key>;"),),
         (Row("bytes128_by_names", "128 bytes by one of 1000 names of 120 bytes", 12),
          Row("bytes128_by_names", "128 bytes by one of 1000 names of 120 bytes", 20)), lines=50),
    Case("copies", "copies of records are compared where comparisons are slow",
         (Edit("dispatch/sort_layouts.hpp", "return r == route::sample_sort && !are_keys_long &&",
               "return r == route::nothing && !are_keys_long &&"),),
         (Row("bytes128_by_letters", "128 bytes by a comparator of 120 letters", 20),), lines=45),
    Case("few_buckets", "a bucket kernel for few buckets",
         (Edit("tuning/sample_sort.hpp",
               "has_large_tiles ? (1 << others::distribution::max_log_buckets) + 1 : 1 << 12;", "0;"),),
         (Row("u64_opaque", "`uint64_t`, a comparator", 20), Row("u64_less", "`uint64_t`, `less`", 20)),
         lines=10),
    Case("two_byte_keys", "one-block radix sort of two-byte keys",
         (Edit(ROUTER, "return may_count(p) ? is_two_byte_keys(p) : ", "return !may_count(p) && "),),
         (Row("u16_less", "`uint16_t`, `less`", 10),),
         ("algorithm/small_radix_sort.hpp", "kernel/small_radix_sort.hpp",
          "tuning/small_radix_sort.hpp")),
    Case("lean", "sample sort without stored bucket numbers",
         (Edit(ROUTER, "return is_keys_only_arithmetic(p, 4) && p.forced == route::nothing;",
               "return p.key_bytes == 0;"),),
         (Row("u32_less_in_little_scratch", "`uint32_t`, `less`, 9/8 n E of scratch", 24),), lines=45),
)


def edited(root, case):
    """The files of a case as (path, text) with its edits made; ValueError where one does not apply."""
    texts = {}
    for edit in case.edits:
        path = f"detail/gpusort/detail/{edit.path}"
        text = texts.get(path) or (root / path).read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            raise ValueError(f"{case.name}: {text.count(edit.old)} times in {path}: {edit.old}")
        texts[path] = text.replace(edit.old, edit.new)
    return texts.items()


def lines_of(root, case):
    """Lines of code that the case is, without comments and blank ones in its files."""
    total = case.lines
    for name in case.files:
        text = (root / "detail/gpusort/detail" / name).read_text(encoding="utf-8")
        total += sum(1 for line in text.splitlines()
                     if line.strip() and not line.strip().startswith("//"))
    return total
