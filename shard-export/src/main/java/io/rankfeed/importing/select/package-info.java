/**
 * The rows of a version over a dataset: the strata of its samples, and the list of each stratum.
 *
 * <p>Not here: the files of lanes ({@code lane}), and the arithmetic of orders (module sampling).
 */
@NullMarked
package io.rankfeed.importing.select;

import org.jspecify.annotations.NullMarked;
