package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What an artefact is, complete if and only if this stands in its folder as {@code manifest.json}.
 *
 * @param dataset {@code [a-z0-9][a-z0-9_-]{0,63}}
 * @param job the part of the resolved job that this artefact means; not to be changed
 * @param inputs what it was made from
 * @param schema the fields of a row; none in a plan
 * @param sources provenance: a row's {@code _source} is an index into this list
 * @param rows rows of the prepared table; of a plan or version the sum over its feeds
 * @param files every file of the artefact but {@code manifest.json}, sorted by path
 * @param maxLengths of a version: the largest number of elements (ragged) or bytes (string, binary) of one row, per such
 *     column; fixed columns have none
 * @param badRows of a prepared table: how many rows its query could not give, by reason
 * @param statistics of a prepared table or version: by column, of those that the job has measured
 * @param origin of a version: how its rows are known in the tables that they come from
 * @param decisions of a plan: by feed what was decided by looking at the rows; a feed without any has no entry
 */
public record Manifest(
        ArtefactFormat format,
        String dataset,
        ObjectNode job,
        List<Input> inputs,
        Optional<SampleSchema> schema,
        List<String> sources,
        long rows,
        List<ArtefactFile> files,
        Map<String, Long> maxLengths,
        Map<String, Long> badRows,
        Map<String, ColumnStatistics> statistics,
        Origin origin,
        Map<String, FeedDecisions> decisions) {
    /** The only version that this code writes and reads. */
    public static final int FORMAT_VERSION = 1;

    public static final String FILE_NAME = "manifest.json";

    /** The dataset card, a file of prepared tables and versions. */
    public static final String CARD_FILE_NAME = "README.md";

    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** With nothing but what every artefact has; the {@code with} methods add what some have. */
    public Manifest(
            ArtefactFormat format,
            String dataset,
            ObjectNode job,
            List<Input> inputs,
            Optional<SampleSchema> schema,
            List<String> sources,
            long rows,
            List<ArtefactFile> files,
            Map<String, Long> maxLengths) {
        this(
                format,
                dataset,
                job,
                inputs,
                schema,
                sources,
                rows,
                files,
                maxLengths,
                Map.of(),
                Map.of(),
                Origin.NONE,
                Map.of());
    }

    /** Sorts the files. @throws IllegalArgumentException if the parts contradict each other */
    public Manifest {
        inputs = List.copyOf(inputs);
        sources = List.copyOf(sources);
        files = files.stream().sorted(Comparator.comparing(ArtefactFile::path)).toList();
        maxLengths = new TreeMap<>(maxLengths);
        decisions = new TreeMap<>(decisions);
        if (!DATASET.matcher(dataset).matches()) {
            throw new IllegalArgumentException("dataset '" + dataset + "' does not match " + DATASET.pattern());
        }
        if (schema.isPresent() == (format == ArtefactFormat.PLAN)) {
            throw new IllegalArgumentException("a schema is in every artefact but a plan");
        }
        if (rows < 0) {
            throw new IllegalArgumentException("rows is " + rows);
        }
        if (files.stream().mapToDouble(ArtefactFile::bytes).sum() >= 0x1p62) {
            throw new IllegalArgumentException("the files together have 2^62 bytes or more");
        }
        statistics = new TreeMap<>(statistics);
        refuseForeignStatistics(schema, statistics);
        badRows = new TreeMap<>(badRows);
        if ((format != ArtefactFormat.PREPARED && !badRows.isEmpty())
                || badRows.values().stream().anyMatch(count -> count <= 0)) {
            throw new IllegalArgumentException("badRows is " + badRows + " in a " + format.id());
        }
        if (!origin.equals(Origin.NONE) && format != ArtefactFormat.VERSION) {
            throw new IllegalArgumentException("an origin is in a version alone");
        }
        if (!decisions.isEmpty() && format != ArtefactFormat.PLAN) {
            throw new IllegalArgumentException("decisions are in a plan alone");
        }
        refuseTwins(files);
        refuseForeignLengths(format, schema, maxLengths);
    }

    /** The 16 digits that name the artefact: a digest of all that changes its bytes. */
    public static String idOf(ArtefactFormat format, ObjectNode job, List<Input> inputs) {
        ObjectNode meaning = JsonNodeFactory.instance.objectNode();
        meaning.put("format", format.id()).put("formatVersion", FORMAT_VERSION);
        meaning.set("inputs", InputJson.toJson(inputs));
        meaning.set("job", job);
        return Sha256.hex(CanonicalJson.compact(meaning)).substring(0, 16);
    }

    public String id() {
        return idOf(format, job, inputs);
    }

    /** Whether this is a prepared table whose rows stay in the files of its only input: it lists no file with rows. */
    public boolean isInPlace() {
        return format == ArtefactFormat.PREPARED
                && files.stream().noneMatch(file -> file.rows().isPresent());
    }

    /** The same with one file more. */
    public Manifest with(ArtefactFile file) {
        List<ArtefactFile> more = new ArrayList<>(files);
        more.add(file);
        return with(more, badRows, statistics, origin, decisions);
    }

    /** The same of a prepared table whose query could not give some rows. */
    public Manifest withBadRows(Map<String, Long> counts) {
        return with(files, counts, statistics, origin, decisions);
    }

    /** The same with what was measured of columns. */
    public Manifest withStatistics(Map<String, ColumnStatistics> measured) {
        return with(files, badRows, measured, origin, decisions);
    }

    /** The same of a version whose rows come from there. */
    public Manifest withOrigin(Origin from) {
        return with(files, badRows, statistics, from, decisions);
    }

    /** The same with what the planner decided. */
    public Manifest withDecisions(Map<String, FeedDecisions> decided) {
        return with(files, badRows, statistics, origin, decided);
    }

    /** The same with other values of what some artefacts have. */
    private Manifest with(
            List<ArtefactFile> files,
            Map<String, Long> badRows,
            Map<String, ColumnStatistics> statistics,
            Origin origin,
            Map<String, FeedDecisions> decisions) {
        return new Manifest(
                format,
                dataset,
                job,
                inputs,
                schema,
                sources,
                rows,
                files,
                maxLengths,
                badRows,
                statistics,
                origin,
                decisions);
    }

    public Optional<ArtefactFile> file(String path) {
        return files.stream().filter(file -> file.path().value().equals(path)).findFirst();
    }

    /** Bytes of all files together. */
    public long totalBytes() {
        return files.stream().mapToLong(ArtefactFile::bytes).sum();
    }

    /** Two names that differ only in case are one file on some file systems, and two on others. */
    private static void refuseTwins(List<ArtefactFile> files) {
        Map<String, ArtefactPath> seen = new HashMap<>();
        for (ArtefactFile file : files) {
            ArtefactPath twin = seen.put(file.path().value().toLowerCase(Locale.ROOT), file.path());
            if (twin != null) {
                throw new IllegalArgumentException("'" + twin + "' and '" + file.path() + "' are equal but for case");
            }
        }
    }

    private static void refuseForeignStatistics(
            Optional<SampleSchema> schema, Map<String, ColumnStatistics> statistics) {
        for (String column : statistics.keySet()) {
            if (schema.flatMap(s -> s.find(column))
                    .filter(field -> !field.dtype().isBytes())
                    .isEmpty()) {
                throw new IllegalArgumentException("statistics: '" + column + "' is no column of numbers");
            }
        }
    }

    private static void refuseForeignLengths(
            ArtefactFormat format, Optional<SampleSchema> schema, Map<String, Long> maxLengths) {
        maxLengths.forEach((column, length) -> {
            boolean variable = format == ArtefactFormat.VERSION
                    && schema.flatMap(s -> s.find(column))
                            .filter(field -> field.kind() != Field.Kind.FIXED)
                            .isPresent();
            if (!variable || length < 0) {
                throw new IllegalArgumentException(
                        "columns: '" + column + "' (" + length + ") is no column of variable length of this version");
            }
        });
    }
}
