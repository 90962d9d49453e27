package io.rankfeed.spark.generate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.Locale;

/**
 * The parameters of a generated set, which decide its rows and files. Equal sets have equal bytes of their marker.
 *
 * @param rows of the train split
 */
record GeneratedSet(long rows, long seed, Format format) {
    /** The marker file of a complete folder. Readers of tables ignore files with such a name. */
    static final String MARKER = "_generated.json";

    static final String KIND = "codecontests";
    /** Goes up whenever the same parameters give other rows or other files. */
    private static final int GENERATOR = 1;

    /** The format of the files. */
    enum Format {
        PARQUET(".parquet"),
        JSONL(".jsonl"),
        /** A Delta table: its rows are reproducible, its log and file names are not. */
        DELTA("");

        private final String suffix;

        Format(String suffix) {
            this.suffix = suffix;
        }

        /** The name that users write and that Spark uses for the writer, except for JSON lines, which Spark names json. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        String sparkName() {
            return this == JSONL ? "json" : word();
        }

        String fileName(int number) {
            return String.format(Locale.ROOT, "part-%05d%s", number, suffix);
        }
    }

    byte[] marker() {
        return CanonicalJson.indented(JsonNodeFactory.instance
                .objectNode()
                .put("kind", KIND)
                .put("rows", rows)
                .put("seed", seed)
                .put("format", format.word())
                .put("generator", GENERATOR));
    }
}
