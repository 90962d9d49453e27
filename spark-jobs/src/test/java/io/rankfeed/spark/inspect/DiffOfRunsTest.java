package io.rankfeed.spark.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two runs with one version, whose plans are not there. */
class DiffOfRunsTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/dataset");
    private static final String FIRST = "8899aabbccddeeff";
    private static final String SECOND = "00000000000000bb";

    @Test
    void run_isComparedByItsOwnPlan(@TempDir Path folder) throws IOException {
        Path dataset = folder.resolve("golden");
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            for (Path file : files.toList()) {
                Path to = dataset.resolve(GOLDEN.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        VersionCommit second =
                new VersionCommit("two", "a46aef0157b1abee", Optional.of("ed3322a593a243bf"), Optional.of(SECOND));
        Files.write(dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(2)), second.toBytes());
        Path run = Files.createDirectories(dataset.resolve("runs").resolve("two"));
        Files.writeString(
                run.resolve("run.json"),
                "{\"command\": \"pipeline\", \"plan\": \"" + SECOND + "\", \"state\": \"committed\", \"version\": \""
                        + second.version() + "\"}");
        assertThat(refused(dataset + "/versions/" + second.version())).contains("was made from the plan " + FIRST);
        assertThat(refused(dataset + "@two")).contains("was made from the plan " + SECOND);
        assertThat(refused(dataset + "@latest")).contains("was made from the plan " + SECOND);
    }

    private static String refused(String version) {
        InspectFixture.Answer answer = InspectFixture.call(new DiffCommand(), version, version);
        assertThat(answer.exitCode()).isEqualTo(2);
        return answer.err();
    }
}
