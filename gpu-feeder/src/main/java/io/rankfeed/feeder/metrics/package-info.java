/**
 * HTTP endpoints of a feeder: metrics, health, status page, access control.
 *
 * <p>Not here: the counts and timers themselves ({@code serve}, {@code timing}), and lines of the log ({@code cli}).
 */
@NullMarked
package io.rankfeed.feeder.metrics;

import org.jspecify.annotations.NullMarked;
