package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.StrictJson;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtefactAttemptTest {
    @Test
    void aManifestThatNoReaderTakesIsNotCommitted(@TempDir java.nio.file.Path root) {
        ArtefactAttempt attempt =
                new ArtefactAttempt(new Path(root.resolve("a").toUri()), new Configuration(false), "app");
        assertThatThrownBy(() -> attempt.made(
                        () -> {
                            attempt.commit(List.of(), new byte[(int) StrictJson.MAX_ARTEFACT_BYTES + 1]);
                            return "made";
                        },
                        Optional::empty))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.block or export.shard-rows");
        assertThat(root).isEmptyDirectory();
    }
}
