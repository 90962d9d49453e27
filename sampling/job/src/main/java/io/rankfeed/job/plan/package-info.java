/**
 * The numbers of a feed's order, from its settings and the rows that each stratum has: for a table whose rows are chosen next, and for
 * a version that stores them.
 *
 * <p>Not here: which rows are in a stratum, and the arithmetic of quotas ({@code sampling.plan}).
 */
@NullMarked
package io.rankfeed.job.plan;

import org.jspecify.annotations.NullMarked;
