package io.rankfeed.schema.manifest;

import java.util.List;

/** Identifies what an artifact was made from, without times, hosts and absolute paths. */
public sealed interface Input {
    /** The manifest's {@code kind}. */
    String kind();

    /**
     * A folder of files.
     *
     * @param format how they are read
     * @param name the source's name in the job
     * @param files sorted by path
     */
    record FolderInput(FileFormat format, String name, List<InputFile> files) implements Input {
        public FolderInput {
            files = List.copyOf(files);
        }

        @Override
        public String kind() {
            return format.id();
        }
    }

    /**
     * A Hive table.
     *
     * @param table {@code db.table}
     */
    record HiveInput(String name, String table, List<InputFile> files) implements Input {
        public HiveInput {
            files = List.copyOf(files);
        }

        @Override
        public String kind() {
            return "hive";
        }
    }

    /**
     * A Delta table at one version.
     *
     * @param version the version that was read
     * @param table the table's id from its log
     */
    record DeltaInput(String name, long version, String table) implements Input {
        @Override
        public String kind() {
            return "delta";
        }
    }

    /**
     * Another artifact of the same dataset.
     *
     * @param format any but FORMATTED
     * @param sha256 of its manifest.json
     */
    record ArtifactInput(ArtifactFormat format, String id, String sha256) implements Input {
        public ArtifactInput {
            if (format == ArtifactFormat.FORMATTED) {
                throw new IllegalArgumentException("nothing is made from a formatted copy");
            }
        }

        @Override
        public String kind() {
            return switch (format) {
                case PREPARED -> "prepared";
                case PLAN -> "plan";
                default -> "version";
            };
        }
    }

    /**
     * An order over a version of the same dataset, by which a formatted copy sorts its rows.
     *
     * @param sha256 of its order.json
     */
    record OrderInput(String id, String sha256) implements Input {
        @Override
        public String kind() {
            return "order";
        }
    }

    /**
     * The rows that a version stores: those of its own {@code selection.json}.
     *
     * @param sha256 of that file
     */
    record SelectionInput(String sha256) implements Input {
        @Override
        public String kind() {
            return "selection";
        }
    }

    /**
     * A dataset of another format, whose files the lanes of a version refer to.
     *
     * @param format its name, as in {@code webdataset}
     * @param sha256 of the version's list of these files, {@value External#FILE_NAME}
     */
    record ExternalInput(String name, String format, String sha256) implements Input {
        @Override
        public String kind() {
            return "external";
        }
    }

    /**
     * A file of a source.
     *
     * @param path under the source's root; a name only, never opened from here
     * @param sha256 of the Parquet footer, or of the content
     */
    record InputFile(String path, long bytes, String sha256) {}

    /** The format of the files in a folder. */
    enum FileFormat {
        PARQUET("parquet"),
        JSONL("jsonl"),
        BINARY("binary"),
        PETASTORM("petastorm"),
        TEXT("text"),
        ORC("orc"),
        AVRO("avro"),
        CSV("csv"),
        ARROW("arrow"),
        WEBDATASET("webdataset"),
        TFRECORD("tfrecord"),
        HUGGINGFACE("huggingface"),
        MDS("mds"),
        LMDB("lmdb");

        private final String id;

        FileFormat(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }
    }
}
