package io.rankfeed.job.mixture;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.config.ConfigSchema;
import io.rankfeed.schema.json.CanonicalJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The schema for editors is the one of the record; with -Drankfeed.write it is written again. */
class MixtureSchemaTest {
    private static final Path FILE = Path.of("../../docs/schema/mixture.schema.json");

    @Test
    void schema_published_equalsRecord() throws IOException {
        String schema = new String(
                CanonicalJson.indented(ConfigSchema.of(MixtureFile.class, "rankfeed mixture file")),
                StandardCharsets.UTF_8);
        if (System.getProperty("rankfeed.write") != null) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, schema);
        }
        assertThat(Files.readString(FILE)).isEqualTo(schema);
    }
}
