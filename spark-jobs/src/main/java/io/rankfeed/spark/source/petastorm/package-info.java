/** Petastorm sources: Parquet files whose binary cells a Unischema decodes to tensors. */
@NullMarked
package io.rankfeed.spark.source.petastorm;

import org.jspecify.annotations.NullMarked;
