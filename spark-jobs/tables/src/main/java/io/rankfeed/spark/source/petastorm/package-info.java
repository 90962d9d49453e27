/**
 * Petastorm sources: Parquet files whose binary cells a Unischema decodes to tensors.
 *
 * <p>Not here: pickles and NumPy arrays (shard-export).
 */
@NullMarked
package io.rankfeed.spark.source.petastorm;

import org.jspecify.annotations.NullMarked;
