/**
 * Lists of numbers as the bytes of a tensor.
 *
 * <p>Not here: columns and their names.
 */
@NullMarked
package io.rankfeed.spark.tensor;

import org.jspecify.annotations.NullMarked;
