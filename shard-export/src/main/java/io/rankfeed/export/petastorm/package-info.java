/**
 * The metadata of Petastorm datasets: a Unischema read from and written to a pickle, without ever running one, and the NumPy
 * arrays of their cells.
 *
 * <p>Not here: how a cell becomes a column of Spark ({@code spark.source.petastorm}).
 */
@NullMarked
package io.rankfeed.export.petastorm;

import org.jspecify.annotations.NullMarked;
