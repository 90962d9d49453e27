package io.rankfeed.spark.prune;

import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * A folder of a dataset that nothing which stays was made from, or the file of a name.
 *
 * @param kind the name of the folder above it, such as {@code versions}
 * @param bytes of all its files
 * @param isComplete false for what a job that was interrupted left
 * @param keptBy what keeps it, such as a process that has a file of it open
 */
record Entry(String kind, Path folder, long bytes, boolean isComplete, Optional<String> keptBy) {}
