package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rankfeed verify} of a mixture: its own file, and the versions of its members. */
class MixtureVerifyTest {
    @TempDir
    private Path root;

    private TestMixture mixture;
    private Path beta;

    @BeforeEach
    void write() throws IOException {
        mixture = TestMixture.write(root, new Random(3));
        beta = mixture.members().get("beta").folder();
    }

    private CommandRun verify(Object... more) {
        Object[] words = new Object[more.length + 3];
        words[0] = mixture.folder();
        words[1] = "--progress";
        words[2] = "none";
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(new VerifyCommand(), words);
    }

    @Test
    void mixture_intact_isALineForEachVersion() {
        CommandRun run = verify();
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .hasLineCount(3)
                .containsPattern("member [a-z, ]*beta[a-z, ]*: version " + beta.getFileName())
                .endsWith("2 versions: intact\n")
                .contains("mixture " + mixture.mixture().id() + ": "
                        + mixture.members().size() + " members, 2 versions");
        assertThat(verify("--ranks", "0", "--world", "2").exitCode()).isZero();
    }

    @Test
    void lane_corrupted_isNamedWithItsMember() throws IOException {
        Path lane = beta.resolve("lanes/train/lane-00001-00000.arrow");
        byte[] bytes = Files.readAllBytes(lane);
        bytes[bytes.length / 2] ^= 1;
        Files.write(lane, bytes);
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).containsPattern("member [a-z, ]*beta").contains(lane.toString());
        assertThat(run.out())
                .contains("1 DAMAGED")
                .endsWith("2 versions: 1 DAMAGED\n")
                .contains("intact");
    }

    @Test
    void mixtureFile_changed_isRefused() throws IOException {
        Path file = mixture.folder().resolve("mixture.json");
        Files.writeString(file, Files.readString(file).replace("\"window\": 1", "\"window\": 2"));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(file.toString());
    }

    @Test
    void version_missing_isNamedWithItsMember() throws IOException {
        Files.move(beta, root.resolve("elsewhere"));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("member 'beta'").contains("copy the version to " + beta);
    }

    @Test
    void members_missingAndCorrupted_areAllReported() throws IOException {
        Path alpha = mixture.members().get("alpha").folder();
        Path lane = alpha.resolve("lanes/train/lane-00001-00000.arrow");
        byte[] bytes = Files.readAllBytes(lane);
        bytes[bytes.length / 2] ^= 1;
        Files.write(lane, bytes);
        Files.move(beta, root.resolve("elsewhere"));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err())
                .contains("member 'beta'")
                .contains("copy the version to " + beta)
                .contains(lane.toString());
        assertThat(run.out()).containsPattern("1 version: [12] MISSING, 1 DAMAGED\n$");

        Files.move(alpha, root.resolve("too"));
        run = verify();
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("member 'alpha'")
                .contains("member 'beta'")
                .contains("copy the version to " + alpha);
        assertThat(run.out())
                .endsWith("0 versions: " + mixture.mixture().feed().members().size() + " MISSING\n");
    }

    @Test
    void version_thatIsNone_isRefusedAndNotMissing() throws IOException {
        Contents contents = new Contents("beta", JsonNodeFactory.instance.objectNode(), List.of(), 0, List.of());
        Files.write(beta.resolve("manifest.json"), ManifestJson.toBytes(new Manifest.Plan(contents, Map.of())));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("member 'beta': " + beta + " is a ").doesNotContain("copy the version");
        assertThat(run.out()).containsPattern("1 version: [12] REFUSED\n$");
    }

    @Test
    void manifestOfAMember_corrupted_isReportedAndOthersAreChecked() throws IOException {
        Path manifest = beta.resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replace("\"rows\"", "\"row\""));
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("member beta: " + manifest);
        assertThat(run.out()).containsPattern("member [a-z, ]*alpha.*: intact").contains("1 version: ");
    }

    @Test
    void plan_withMixture_isRefused() {
        CommandRun run = verify("--plan", "seed7");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("is a mixture, which is a plan itself; leave the plan out");
    }
}
