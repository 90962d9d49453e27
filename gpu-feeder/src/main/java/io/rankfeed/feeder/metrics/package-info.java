/**
 * What a feeder shows of itself over HTTP: metrics for Prometheus, whether it is alive and ready, and who may ask.
 *
 * <p>Not here: the counts and timers themselves ({@code serve}, {@code timing}), and lines of the log ({@code cli}).
 */
@NullMarked
package io.rankfeed.feeder.metrics;

import org.jspecify.annotations.NullMarked;
