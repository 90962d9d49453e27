/**
 * OpenCV behind the feeder's {@link io.rankfeed.feeder.transform.step.Canvas}: the only code that calls native image functions.
 *
 * <p>Not here: which operations a feed wants and their random numbers ({@code feeder.transform}).
 */
@NullMarked
package io.rankfeed.images;

import org.jspecify.annotations.NullMarked;
