/**
 * The rows of a unit become Parquet files of one row group each, cut to the block size.
 *
 * <p>The size of a row group is predicted from the bytes of its rows in memory, not from their number, which misleads if row
 * sizes are skewed. A row group is encoded 1.0 to 1.2 times; a search over counts needs 1.5 and more.
 *
 * <p>A large row may not fit into the rest of a block. Keeping the source's order would leave 6 % of 16 MiB blocks empty with
 * rows of 1 to 3 MB. So smaller rows from behind it are written first, and the last one or two that fit may wait: of a few
 * rows, the three that fill the gap best are found by trying all ({@code GapFill}).
 *
 * <p>The tail of a unit is its last rows, which fill no block. Tails are merged by sixteen in a final pass, so that hardly
 * more than the last row group of the table is short. Clustered rows stay with their unit, whose last file is half empty on
 * average.
 *
 * <p>Not here: which rows a unit has ({@code query}).
 */
@NullMarked
package io.rankfeed.spark.prepare.write;

import org.jspecify.annotations.NullMarked;
