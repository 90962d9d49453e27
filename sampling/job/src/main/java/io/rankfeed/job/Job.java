package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.run.DatasetNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A whole job file, every default filled in.
 *
 * @param dataset names the folder under the root
 * @param root a local path, or an address in hdfs or viewfs
 * @param sources tables by name, in the file's order; at least one
 * @param prepare what they become
 * @param sample the feeds of the plan by name, in the file's order; empty where the job only prepares
 * @param export how the caches are cut
 */
public record Job(
        String dataset,
        String root,
        Map<String, SourceSection> sources,
        PrepareSection prepare,
        @Default("{}") Map<String, FeedSection> sample,
        @Default("{}") ExportSection export) {
    private static final Pattern SOURCE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,62}");
    private static final Pattern RESOURCE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
    private static final Pattern FEED = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    public Job {
        DatasetNames.fault(dataset).ifPresent(fault -> {
            throw new BadValue("dataset", "'" + dataset + "' " + fault);
        });
        if (root.isBlank()) {
            throw new BadValue("root", "must name a folder");
        }
        WrittenPath.of("root", root);
        if (sources.isEmpty()) {
            throw new BadValue("sources", "must contain at least one table");
        }
        refuseOthers("sources", SOURCE, sources);
        refuseOthers("sample", FEED, sample);
        refuseOthers("prepare", RESOURCE, prepare.tokenizers());
        refuseOthers("prepare", RESOURCE, prepare.labels());
        refuseTwins(sources.keySet());
        if (prepare.rewrite().isPresent()) {
            refuseUnlessInPlace(sources);
        }
        sample = RowsOf.resolved(sample);
        sample.forEach((name, feed) -> NestedRules.check(name, feed, prepare));
        refuseRanks(sample, export);
        prepare.select().ifPresent(select -> refuseUnknown("select.from", select.from(), sources.keySet()));
        prepare.labels()
                .forEach((name, labels) -> refuseUnknown("labels." + name + ".from", labels.from(), sources.keySet()));
    }

    /** The query that gives the prepared rows, whichever way it is written. */
    public String query() {
        return prepare.sql()
                .or(() -> prepare.select().map(SelectSection::query))
                .orElseGet(() ->
                        new SelectSection(sources.keySet().iterator().next(), List.of(), Optional.empty()).query());
    }

    private static void refuseUnlessInPlace(Map<String, SourceSection> sources) {
        if (sources.size() != 1) {
            throw new BadValue(
                    "prepare",
                    "none: plans over the rows of one source as they are, and there are " + sources.size()
                            + "; write the query that joins them under prepare.sql");
        }
        sources.forEach((name, source) -> {
            if (source.kind() != SourceSection.Kind.PARQUET) {
                throw new BadValue(
                        "prepare",
                        "none: takes rows by their row numbers in Parquet files, and source '" + name + "' is "
                                + source.kind().name().toLowerCase(Locale.ROOT)
                                + "; write prepare.select, or name the folder of its Parquet files as parquet:");
            }
            if (source.where().isPresent()) {
                throw new BadValue(
                        "sources",
                        name + ".where: leaves rows out, and prepare: none takes the files whole; move it to where"
                                + " of the feeds");
            }
        });
    }

    private static void refuseUnknown(String key, String from, Set<String> sources) {
        if (!sources.contains(from)) {
            throw new BadValue(
                    "prepare", key + ": unknown source '" + from + "'" + Suggestion.hint(from, List.copyOf(sources)));
        }
    }

    private static void refuseRanks(Map<String, FeedSection> sample, ExportSection export) {
        for (FormatSection format : export.otherFormats()) {
            int ranks = format.ranks().orElse(1);
            sample.forEach((name, feed) -> {
                if (feed.lanes() % ranks != 0) {
                    throw new BadValue(
                            "export",
                            "formats: " + format.format().word() + ": ranks " + ranks + " does not divide the "
                                    + feed.lanes() + " lanes of feed '" + name + "'");
                }
            });
        }
    }

    /** A source's name is its view's, which SQL finds in any case. */
    private static void refuseTwins(Set<String> names) {
        TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : names) {
            if (!known.add(name)) {
                throw new BadValue(
                        "sources",
                        "'" + known.floor(name) + "' and '" + name + "' differ only in case, which SQL ignores; rename"
                                + " one");
            }
        }
    }

    private static void refuseOthers(String key, Pattern pattern, Map<String, ?> named) {
        for (String name : named.keySet()) {
            if (!pattern.matcher(name).matches()) {
                throw new BadValue(key, "the name '" + name + "' must match " + pattern.pattern());
            }
        }
    }
}
