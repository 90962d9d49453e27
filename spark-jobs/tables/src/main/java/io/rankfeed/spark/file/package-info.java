/**
 * The files of a source and the rows in them: names, lengths, digests, addresses, changes since they were recorded, and
 * reports of bad rows.
 *
 * <p>Not here: how a format is read ({@code source}).
 */
@NullMarked
package io.rankfeed.spark.file;

import org.jspecify.annotations.NullMarked;
