package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobRoot;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.testing.Seed;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** A job file's paths are taken apart as Hadoop does, and what Hadoop refuses is refused. */
class JobPathsPropertyTest {
    private static final long SEED = Seed.of(JobPathsPropertyTest.class);
    private static final String[] PARTS = {
        "", "/", "//", ":", "a", "b1", "file", "hdfs", "s3a", "viewfs", "@", "host", "8020", "..", ".", " ", "%", "%20",
        "#", "?", "[", "]", "\\", "é", "*", "{", "\0", "\t", "-", "_", "~"
    };

    @Test
    void paths_drawn_asHadoop() {
        Random random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder drawn = new StringBuilder();
            for (int length = random.nextInt(7); length >= 0; length--) {
                drawn.append(PARTS[random.nextInt(PARTS.length)]);
            }
            String written = drawn.toString();
            String as = "seed " + SEED + ": '" + written + "'";
            Optional<Path> hadoop = hadoop(written);
            if (hadoop.isEmpty()) {
                refused++;
                assertThatThrownBy(() -> JobRoot.requireCommits(written, "none"))
                        .as(as)
                        .isInstanceOf(BadValue.class);
            } else {
                String scheme = hadoop.orElseThrow().toUri().getScheme();
                assertThat(commits(written))
                        .as(as)
                        .isEqualTo("file".equals(scheme) || "hdfs".equals(scheme) || "viewfs".equals(scheme));
            }
        }
        assertThat(refused).isBetween(10_000, 90_000);
    }

    private static boolean commits(String written) {
        try {
            JobRoot.requireCommits(written, "none");
            return true;
        } catch (ConfigException e) {
            return false;
        }
    }

    private static Optional<Path> hadoop(String written) {
        try {
            return Optional.of(new Path(written));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
