package io.rankfeed.spark.init;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The first line of a draft, a comment that names the JSON Schema of the file to editors. */
final class SchemaLine {
    private SchemaLine() {}

    /** @param kind of the file, {@code job} or {@code feed} */
    static String of(String kind) {
        return of(kind, System.getenv("RANKFEED_HOME"));
    }

    /** @param home of the installation, which the launcher sets; spark-submit alone has none, and its drafts no such line */
    static String of(String kind, @Nullable String home) {
        Path schema = Path.of(home == null ? "" : home, "docs", "schema", kind + ".schema.json");
        // A URI: editors end the name at a space.
        return home == null || !Files.isRegularFile(schema)
                ? ""
                : "# yaml-language-server: $schema=" + schema.toUri() + "\n";
    }
}
