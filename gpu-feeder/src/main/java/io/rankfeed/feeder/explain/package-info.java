/**
 * The rows of a batch and the steps of a row: {@code rankfeed explain}, and the rows that a preview lists.
 *
 * <p>Not here: the order of rows ({@code sampling.order}).
 */
@NullMarked
package io.rankfeed.feeder.explain;

import org.jspecify.annotations.NullMarked;
