package io.rankfeed.spark.export;

import org.apache.hadoop.fs.Path;

/**
 * A version that is complete.
 *
 * @param id 16 hexadecimal digits
 * @param path its folder
 * @param rows of all feeds
 * @param lengthBytes of all files together
 */
public record Version(String id, Path path, long rows, long lengthBytes) {}
