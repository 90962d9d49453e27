/**
 * Hadoop's file systems as the feeder's remote store. Nothing else may live here: it is the only code of the feeder's
 * side that sees Hadoop.
 *
 * <p>Step E of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.remote;

import org.jspecify.annotations.NullMarked;
