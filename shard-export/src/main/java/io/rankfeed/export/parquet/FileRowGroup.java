package io.rankfeed.export.parquet;

/**
 * A row group of a source's file.
 *
 * @param firstRow index in the file
 * @param rows how many
 * @param middleByte of its bytes: the split of the file that has this byte is where Spark reads it
 */
public record FileRowGroup(long firstRow, long rows, long middleByte) {}
