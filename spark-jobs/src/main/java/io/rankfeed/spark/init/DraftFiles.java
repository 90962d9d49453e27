package io.rankfeed.spark.init;

import io.rankfeed.job.SourceSection.Kind;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.init.DraftColumn.Use;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.OpenSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The drafts for a table.
 *
 * @param job text of the job file
 * @param feed text of the feed file
 * @param summary what was found, for users
 */
public record DraftFiles(Path jobFile, Path feedFile, String job, String feed, List<String> summary) {
    /** Formats whose files do not give Spark the row number of a row, so that a job needs a key. */
    private static final List<Kind> NEED_A_KEY = List.of(Kind.DELTA, Kind.ORC);

    public DraftFiles {
        summary = List.copyOf(summary);
    }

    /** The name of the dataset, and the default name of the job file. */
    public static String name(TableLocation location) {
        return location.name();
    }

    /** Next to a job file. */
    public static Path feedFile(Path jobFile) {
        String name = jobFile.getFileName().toString();
        return jobFile.resolveSibling(name.replaceFirst("\\.ya?ml$", "") + "-feed.yaml");
    }

    /** A job that has the table as its source and takes all of it. */
    public static String source(TableLocation location, String root) {
        return String.join(
                "\n",
                "dataset: " + location.name(),
                "root: " + JobText.quoted(root),
                "sources:",
                "  " + location.name() + ":",
                "    " + location.kind().key() + ": " + JobText.quoted(location.words()),
                "prepare: {select: {from: " + location.name() + "}}",
                "");
    }

    /**
     * Profiles the table of {@link #source}.
     *
     * @param questions what a user wants otherwise
     * @throws ConfigException if it is empty, or needs a key and has none
     */
    public static DraftFiles of(
            TableLocation location, JobContext context, String root, Path file, Questions questions) {
        Sources sources = context.openSources();
        Dataset<Row> table = context.spark().table(location.name());
        sources.missingColumns(table);
        if (location.kind() == Kind.BINARY) {
            table = table.where("path rlike '" + TableLocation.IMAGES.replace("\\", "\\\\") + "'");
        }
        Optional<CsvTypes> types = location.kind() == Kind.CSV
                ? Optional.of(CsvTypes.of(table, columns(sources, location).names()))
                : Optional.empty();
        if (types.isPresent()) {
            table = types.get().typed(table);
        }
        boolean needsKey = NEED_A_KEY.contains(location.kind()) || location.kind() == Kind.HIVE;
        TableProfile found = TableProfile.of(table, needsKey);
        TableProfile profile = questions.of(found, table);
        if (profile.rows() == 0) {
            throw new ConfigException(location.words() + " has no rows; there is nothing to draft from");
        } else if (NEED_A_KEY.contains(location.kind()) && profile.key().isEmpty()) {
            throw new ConfigException(location.words() + ": a table in "
                    + location.kind().key() + " needs a key, and no columns of it are different in"
                    + " each row; write the job file yourself, with a query that makes them so (docs/guide.md)");
        }
        Draft draft = Draft.of(
                location,
                profile,
                types.map(CsvTypes::ddl).orElse(""),
                location.kind() == Kind.PARQUET
                        && profile.key().equals(found.key())
                        && columns(sources, location).areAlike());
        String name = file.getFileName().toString();
        return new DraftFiles(
                file, feedFile(file), JobText.of(draft, root, name), FeedText.of(draft, name), summary(draft, file));
    }

    /** The columns in the files, without those of folders. */
    private static FileColumns<?> columns(Sources sources, TableLocation location) {
        return sources.find(location.name()).flatMap(OpenSource::columns).orElseThrow();
    }

    private static List<String> summary(Draft draft, Path file) {
        List<String> lines = new ArrayList<>();
        long rows = draft.profile().rows();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %s%,d rows, %d columns",
                draft.location().words(),
                rows == TableProfile.MAX_ROWS ? "the first " : "",
                rows,
                draft.columns().size()));
        draft.columns().forEach(column -> lines.add("  " + column.profile().name() + ": " + column.remark(rows)));
        lines.add("key: "
                + (draft.key().isEmpty() || draft.inPlace()
                        ? "none; rows are identified by their file and row number"
                        : draft.key()));
        if (draft.inPlace()) {
            lines.add("rows: stay in their files (prepare: none)");
        }
        lines.add("parts: "
                + (draft.parts().isEmpty()
                        ? "none; every row trains"
                        : draft.parts()
                                + (draft.part().isEmpty()
                                        ? " of column " + draft.partColumn()
                                        : " by a hash of the row")));
        for (Use use : List.of(Use.LABEL, Use.TEXT, Use.IMAGE)) {
            String names = draft.of(use).stream().map(DraftColumn::name).collect(Collectors.joining(", "));
            if (!names.isEmpty()) {
                lines.add(use.name().toLowerCase(Locale.ROOT) + "s: " + names);
            }
        }
        lines.add("wrote " + file + " and its feed file");
        return lines;
    }
}
