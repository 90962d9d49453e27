/**
 * The steps of pipelines, one file each, and what they use: an image that operations change, and the random numbers of a row.
 *
 * <p>Not here: which steps follow each other and over which rows they run ({@code transform}), and the operations themselves, which
 * are native code behind {@link io.rankfeed.feeder.transform.step.Canvas}.
 *
 * <p>Step F of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.feeder.transform.step;

import org.jspecify.annotations.NullMarked;
