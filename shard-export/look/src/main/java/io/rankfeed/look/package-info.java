/**
 * What is at a path, for users and as JSON: {@code inspect} over Parquet files of any origin, prepared tables, plans, versions, runs
 * and whole datasets, {@code simulate}, which walks through a planned run, and the page of a run. They read footers, manifests and
 * orders, never a row, and write nothing but the pictures that a user asks for. Jobs and feeder have the same commands; each gives them
 * its {@link io.rankfeed.schema.store.Store stores}.
 *
 * <p>Not here: the form of a report ({@code report}), Spark, Hadoop, and checks of every byte ({@code verify}).
 */
@NullMarked
package io.rankfeed.look;

import org.jspecify.annotations.NullMarked;
