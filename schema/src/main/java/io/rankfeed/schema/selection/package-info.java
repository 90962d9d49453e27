/**
 * {@code selection.json} as records: which rows a version stores, in the order of their lists (docs/format/plan.md, section 10.3). The
 * package reads and writes the file, checks its numbers, and digests the rows.
 *
 * <p>Not here: when a row is drawn ({@code schema.order}).
 */
@NullMarked
package io.rankfeed.schema.selection;

import org.jspecify.annotations.NullMarked;
