/**
 * SQL functions of rankfeed's own, for every query and condition of a job (docs/functions.md). A function gives the same
 * value for the same arguments on every machine, so that what is made with it can be made again. Each is a
 * {@code ScalarFunction} of Spark's connector interface; how a session finds them by name is in one class.
 *
 * <p>Not here: registration with Spark ({@code engine}) and decoding of images ({@code image}).
 */
@NullMarked
package io.rankfeed.spark.function;

import org.jspecify.annotations.NullMarked;
