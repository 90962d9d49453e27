/**
 * Tar files of WebDataset: a sample is a row, and each extension is a column.
 *
 * <p>Not here: the members of a tar and their division into samples ({@code io.rankfeed.importing.tar}).
 */
@NullMarked
package io.rankfeed.spark.source.format.webdataset;

import org.jspecify.annotations.NullMarked;
