/**
 * Writers of the cache formats, from rows to bytes on any stream: {@link io.rankfeed.export.LaneWriter} is the native
 * one. No file systems, no Spark, no sampling: who calls decides which rows, in which order, and where the bytes go.
 *
 * <p>Step D of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.export;

import org.jspecify.annotations.NullMarked;
