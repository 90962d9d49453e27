package io.rankfeed.spark.job;

import java.util.Map;
import java.util.Optional;

/**
 * A whole job file, every default filled in.
 *
 * @param dataset names the folder under the root
 * @param root any Hadoop path
 * @param sources tables by name, in the file's order; at least one
 * @param prepare what they become
 * @param sample the feeds of the plan by name, in the file's order; empty where the job only prepares
 * @param export how the caches are cut; present with {@code sample}
 */
public record Job(
        String dataset,
        String root,
        Map<String, SourceSection> sources,
        PrepareSection prepare,
        Map<String, FeedSection> sample,
        Optional<ExportSection> export) {}
