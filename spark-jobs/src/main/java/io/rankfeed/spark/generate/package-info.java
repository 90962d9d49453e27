/**
 * Seeded inputs in the shape of published data sets: the {@code generate} command, the published figures as exact counts
 * at every size, rows as pure functions of (seed, row number), and folders that are complete or absent. Nothing here
 * knows jobs, plans or caches; what is generated is read like any foreign table.
 *
 * <p>Not here: anything that a job uses.
 */
@NullMarked
package io.rankfeed.spark.generate;

import org.jspecify.annotations.NullMarked;
