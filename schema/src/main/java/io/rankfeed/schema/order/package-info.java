/**
 * {@code order.json} as records: the numbers from which every batch follows (docs/format/plan.md, section 10). The
 * package reads and writes the file and checks its numbers.
 *
 * <p>Not here: arithmetic of the order ({@code sampling.order}).
 */
@NullMarked
package io.rankfeed.schema.order;

import org.jspecify.annotations.NullMarked;
