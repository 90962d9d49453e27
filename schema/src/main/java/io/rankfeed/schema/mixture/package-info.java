/**
 * {@code mixture.json}: an order over several versions, and the columns that these have in common (docs/format/order-2.md, sections 6.5
 * and 8).
 *
 * <p>Not here: planning a mixture ({@code sampling.mixture}), and where it is stored ({@code schema.run}).
 */
@NullMarked
package io.rankfeed.schema.mixture;

import org.jspecify.annotations.NullMarked;
