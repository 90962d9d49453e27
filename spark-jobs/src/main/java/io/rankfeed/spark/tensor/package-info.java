/** Lists of numbers as the bytes of a tensor. */
@NullMarked
package io.rankfeed.spark.tensor;

import org.jspecify.annotations.NullMarked;
