/**
 * Hadoop's file systems as the feeder's remote store. Nothing else may live here: it is the only code of the feeder's
 * side that sees Hadoop.
 *
 * <p>Not here: what is read, and when ({@code feeder.sync}).
 *
 * <p>Step E of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.remote;

import org.jspecify.annotations.NullMarked;
