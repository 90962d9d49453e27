package io.rankfeed.spark.sample.select;

import io.rankfeed.export.commit.WrittenFile;
import java.io.Serializable;

/**
 * A file of a plan's rows.
 *
 * @param rowDigest of its rows, as {@link io.rankfeed.schema.selection.RowDigests} makes it: a file has the rows of one digest
 */
public record RowsFile(WrittenFile file, String rowDigest) implements Serializable {}
