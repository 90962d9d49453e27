package io.rankfeed.spark.job;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import java.util.Optional;

/**
 * How a list column is packed.
 *
 * @param dtype element type; without it the column's own
 * @param shape of one row; without it {@code [null]}, any length
 */
public record TensorSection(Optional<DType> dtype, Optional<Shape> shape) {}
