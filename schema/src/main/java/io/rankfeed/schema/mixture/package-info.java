/**
 * {@code mixture.json}: an order over several versions, and the columns that these have in common (docs/format/plan.md, sections 10
 * and 11.5).
 *
 * <p>Not here: planning a mixture ({@code sampling.mixture}), and where it is stored ({@code schema.run}).
 */
@NullMarked
package io.rankfeed.schema.mixture;

import org.jspecify.annotations.NullMarked;
