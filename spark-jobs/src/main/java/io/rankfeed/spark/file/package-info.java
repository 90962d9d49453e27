/**
 * The files of a source and the rows in them: names, lengths, digests, addresses, and what is reported of a bad row.
 *
 * <p>Not here: how a format is read ({@code source}).
 */
@NullMarked
package io.rankfeed.spark.file;

import org.jspecify.annotations.NullMarked;
