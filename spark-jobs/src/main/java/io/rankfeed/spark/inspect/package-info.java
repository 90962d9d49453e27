/**
 * {@code diff}, which compares the rows of two plans, and what {@code inspect} and {@code simulate} have in the jobs alone: Hadoop's file
 * systems, and strata that are counted for a job file.
 *
 * <p>Not here: what needs no Spark ({@code look}), and the form of a report ({@code report}).
 */
@NullMarked
package io.rankfeed.spark.inspect;

import org.jspecify.annotations.NullMarked;
