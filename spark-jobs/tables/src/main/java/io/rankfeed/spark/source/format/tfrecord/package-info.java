/**
 * TFRecord files of {@code tf.train.Example}: an example is a row, and each feature is a column.
 *
 * <p>Not here: the records that {@code export.formats} writes ({@code io.rankfeed.export.format.record}).
 */
@NullMarked
package io.rankfeed.spark.source.format.tfrecord;

import org.jspecify.annotations.NullMarked;
