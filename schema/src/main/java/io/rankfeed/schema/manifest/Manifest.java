package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Describes an artifact; it is complete if and only if this is in its folder as {@code manifest.json}. */
public sealed interface Manifest {
    /** The version of all manifests but those of versions over existing datasets. */
    int FORMAT_VERSION = 1;

    /** The version of manifests of versions over existing datasets, so that readers that know no references refuse them. */
    int EXTERNAL_FORMAT_VERSION = 2;

    String FILE_NAME = "manifest.json";

    /** The dataset card, a file of prepared tables and versions. */
    String CARD_FILE_NAME = "README.md";

    /**
     * The log of verified files in a node's copy of a version, which may have the lanes of some ranks only. No manifest lists it: the
     * name of a listed file starts with no underscore.
     */
    String COPY_LOG_FILE_NAME = "_verified";

    ArtifactFormat format();

    /** The members that every artifact has. */
    Contents contents();

    default String dataset() {
        return contents().dataset();
    }

    /** The part of the resolved job that defines this artifact; not to be changed. */
    default ObjectNode job() {
        return contents().job();
    }

    default List<Input> inputs() {
        return contents().inputs();
    }

    /** Rows of the prepared table; of any other artifact the sum over its feeds. */
    default long rows() {
        return contents().rows();
    }

    /** The files of the artifact, except {@code manifest.json}, sorted by path. */
    default List<ArtifactFile> files() {
        return contents().files();
    }

    default Optional<ArtifactFile> file(String path) {
        return files().stream().filter(file -> file.path().value().equals(path)).findFirst();
    }

    /**
     * Compares the bytes of a file with those that are listed.
     *
     * @param path as it is listed
     * @param shown what to call the file in messages
     * @throws CorruptDataException if they are other bytes, or no such file is listed
     */
    default void requireListed(String path, byte[] bytes, String shown) {
        if (file(path).filter(entry -> entry.sha256().equals(Sha256.hex(bytes))).isEmpty()) {
            throw new CorruptDataException(
                    shown, "is not the file that its manifest lists; remove the folder and run the job again");
        }
    }

    /** Bytes of all files together. */
    default long totalBytes() {
        return files().stream().mapToLong(ArtifactFile::bytes).sum();
    }

    default int formatVersion() {
        return formatVersion(inputs());
    }

    private static int formatVersion(List<Input> inputs) {
        return inputs.stream().anyMatch(Input.ExternalInput.class::isInstance)
                ? EXTERNAL_FORMAT_VERSION
                : FORMAT_VERSION;
    }

    default String id() {
        return idOf(format(), job(), inputs());
    }

    /** The 16 digits that name the artifact: a digest of all that changes its bytes. */
    static String idOf(ArtifactFormat format, ObjectNode job, List<Input> inputs) {
        ObjectNode meaning = JsonNodeFactory.instance.objectNode();
        meaning.put("format", format.id()).put("formatVersion", formatVersion(inputs));
        meaning.set("inputs", InputJson.toJson(inputs));
        meaning.set("job", job);
        return Sha256.hex(CanonicalJson.compact(meaning)).substring(0, 16);
    }

    /** An artifact that holds rows. */
    sealed interface Table extends Manifest {
        /** The fields of a row. */
        SampleSchema schema();

        /** Provenance: a row's {@code _source} is an index into this list. */
        List<String> sources();

        /** The statistics by column, for the columns that the job measured. */
        Map<String, ColumnStatistics> statistics();

        /** Returns the manifest with one more file. */
        Table with(ArtifactFile file);
    }

    /**
     * A prepared table.
     *
     * @param badRows how many rows its query could not convert, by reason
     */
    record Prepared(
            Contents contents,
            SampleSchema schema,
            List<String> sources,
            Map<String, Long> badRows,
            Map<String, ColumnStatistics> statistics)
            implements Table {
        /** @throws IllegalArgumentException if the parts contradict each other */
        public Prepared {
            sources = List.copyOf(sources);
            badRows = new TreeMap<>(badRows);
            statistics = checked(statistics, schema);
            if (badRows.values().stream().anyMatch(count -> count <= 0)) {
                throw new IllegalArgumentException("badRows is " + badRows);
            }
        }

        @Override
        public ArtifactFormat format() {
            return ArtifactFormat.PREPARED;
        }

        /**
         * Whether the rows stay in the files of the artifact's only input, so that the manifest lists no file with
         * rows.
         */
        public boolean isInPlace() {
            return files().stream().noneMatch(file -> file.rows().isPresent());
        }

        @Override
        public Prepared with(ArtifactFile file) {
            return new Prepared(contents.with(file), schema, sources, badRows, statistics);
        }
    }

    /**
     * A plan.
     *
     * @param decisions by feed, what the planner decided from the rows; a feed without decisions has no entry
     */
    record Plan(Contents contents, Map<String, FeedDecisions> decisions) implements Manifest {
        public Plan {
            decisions = new TreeMap<>(decisions);
        }

        @Override
        public ArtifactFormat format() {
            return ArtifactFormat.PLAN;
        }
    }

    /**
     * A version.
     *
     * @param maxLengths the largest number of elements (ragged) or bytes (string, binary, lists of them) of one row, per
     *     such column; fixed columns have none
     * @param maxItems the maximum number of items of a row, per column of lists of strings or binary
     * @param origin how its rows are known in the source tables
     * @param external the files that lanes refer to, of a version over an existing dataset
     */
    record Version(
            Contents contents,
            SampleSchema schema,
            List<String> sources,
            Map<String, Long> maxLengths,
            Map<String, Long> maxItems,
            Map<String, ColumnStatistics> statistics,
            Origin origin,
            Optional<External> external)
            implements Table {
        private static final String LANES = "lanes/";

        /** A version that has its rows itself. */
        public Version(
                Contents contents,
                SampleSchema schema,
                List<String> sources,
                Map<String, Long> maxLengths,
                Map<String, Long> maxItems,
                Map<String, ColumnStatistics> statistics,
                Origin origin) {
            this(contents, schema, sources, maxLengths, maxItems, statistics, origin, Optional.empty());
        }

        /** @throws IllegalArgumentException if the parts contradict each other */
        public Version {
            sources = List.copyOf(sources);
            maxLengths = new TreeMap<>(maxLengths);
            maxItems = new TreeMap<>(maxItems);
            statistics = checked(statistics, schema);
            for (Map.Entry<String, Long> column : maxLengths.entrySet()) {
                boolean isVariable = schema.find(column.getKey())
                        .filter(field -> field.kind() != Field.Kind.FIXED)
                        .isPresent();
                if (!isVariable || column.getValue() < 0) {
                    throw new IllegalArgumentException("columns: '" + column.getKey() + "' (" + column.getValue()
                            + ") is not a column of variable length of this version");
                }
            }
            for (Map.Entry<String, Long> column : maxItems.entrySet()) {
                boolean isList = schema.find(column.getKey())
                        .filter(field -> field.kind() == Field.Kind.LIST)
                        .isPresent();
                if (!isList || column.getValue() < 0) {
                    throw new IllegalArgumentException("columns: '" + column.getKey() + "' (" + column.getValue()
                            + " items) is not a column of lists of this version");
                }
            }
            requireExternal(contents, schema, external);
            for (ArtifactFile file : contents.files()) {
                if (file.path().value().startsWith(LANES) != file.footer().isPresent()) {
                    throw new IllegalArgumentException(
                            "'" + file.path() + "': files of lanes, and no others, have a footer");
                }
            }
        }

        private static void requireExternal(Contents contents, SampleSchema schema, Optional<External> external) {
            List<String> listed = contents.files().stream()
                    .filter(file -> file.path().value().equals(External.FILE_NAME))
                    .map(ArtifactFile::sha256)
                    .toList();
            List<String> stated = contents.inputs().stream()
                    .filter(Input.ExternalInput.class::isInstance)
                    .map(input -> ((Input.ExternalInput) input).sha256())
                    .toList();
            if (stated.size() != (external.isPresent() ? 1 : 0) || !listed.equals(stated)) {
                throw new IllegalArgumentException("a version over an existing dataset, and no other, has external, "
                        + External.FILE_NAME + ", and the digest of that file as an input");
            }
            if (external.isPresent() && !external.get().columns().keySet().equals(Set.copyOf(schema.names()))) {
                throw new IllegalArgumentException("external: columns "
                        + external.get().columns().keySet() + " are not the fields " + schema.names());
            }
        }

        /** The fields of its lanes: in a version over a dataset, references in place of the values of some. */
        public SampleSchema storedSchema() {
            return external.isPresent() ? External.stored(schema) : schema;
        }

        @Override
        public ArtifactFormat format() {
            return ArtifactFormat.VERSION;
        }

        @Override
        public Version with(ArtifactFile file) {
            return new Version(
                    contents.with(file), schema, sources, maxLengths, maxItems, statistics, origin, external);
        }
    }

    /**
     * The rows of a version in another format.
     *
     * @param schema the fields that it has, as the version has them
     */
    record Formatted(Contents contents, SampleSchema schema) implements Manifest {
        @Override
        public ArtifactFormat format() {
            return ArtifactFormat.FORMATTED;
        }
    }

    private static Map<String, ColumnStatistics> checked(
            Map<String, ColumnStatistics> statistics, SampleSchema schema) {
        for (String column : statistics.keySet()) {
            if (schema.find(column).filter(field -> !field.dtype().isBytes()).isEmpty()) {
                throw new IllegalArgumentException("statistics: '" + column + "' is not a column of numbers");
            }
        }
        return new TreeMap<>(statistics);
    }
}
