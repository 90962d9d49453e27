package io.rankfeed.spark.init;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.job.Job;
import io.rankfeed.job.JobFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaLineTest {
    private static final String JOB = "dataset: d\nroot: r\nsources: {t: {parquet: p}}\nprepare: none\n";

    @TempDir
    private Path folder;

    @Test
    void schemaLine_namesTheSchemaOfThisInstallation() throws IOException {
        Path home = folder.resolve("a home");
        Files.createDirectories(home.resolve("docs/schema"));
        Files.writeString(home.resolve("docs/schema/job.schema.json"), "{}");
        String line = SchemaLine.of("job", home.toString());
        assertThat(line)
                .startsWith("# yaml-language-server: $schema=file:///")
                .endsWith("/a%20home/docs/schema/job.schema.json\n");
        assertThat(SchemaLine.of("feed", home.toString())).isEmpty();
        assertThat(SchemaLine.of("job", null)).isEmpty();
        assertThat(read(line + JOB)).isEqualTo(read(JOB));
    }

    private static Job read(String text) {
        return JobFile.read("job.yaml", text.getBytes(StandardCharsets.UTF_8), List.of());
    }
}
