package io.rankfeed.spark.run;

import org.apache.hadoop.fs.Path;

/**
 * A prepared table that is complete.
 *
 * @param id 16 hexadecimal digits
 * @param path its folder
 * @param manifestSha256 digest of its {@code manifest.json}, which names it in a plan's inputs
 */
public record PreparedTable(String id, Path path, String manifestSha256) {}
