/**
 * The {@code prune} command: removes versions, plans, prepared tables and runs of a root that nothing which stays was
 * made from. It reads manifests and the facts of runs, never a row, and starts no Spark session.
 *
 * <p>Not here: how an artifact is claimed and committed ({@code export.commit}).
 */
@NullMarked
package io.rankfeed.spark.prune;

import org.jspecify.annotations.NullMarked;
