/**
 * {@code order.json} as records: the numbers from which every batch follows (docs/format/plan.md, section 10). Only what
 * is in the file, and whether it can be there; what the numbers mean is the sampling module's matter.
 *
 * <p>Not here: arithmetic of the order ({@code sampling.order}).
 */
@NullMarked
package io.rankfeed.schema.order;

import org.jspecify.annotations.NullMarked;
