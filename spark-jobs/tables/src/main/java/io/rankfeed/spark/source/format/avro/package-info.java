/**
 * Avro object container files. Values are decoded here, because Avro's decoder allocates lengths that a file only states.
 *
 * <p>Not here: Avro as a format of Hive tables, which Spark reads.
 */
@NullMarked
package io.rankfeed.spark.source.format.avro;

import org.jspecify.annotations.NullMarked;
