package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.job.plan.CountedStratum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code rankfeed plan} says about versions that it cannot plan over as they are. */
class PlanMessagesTest {
    private static final String SIZES = "batch: 8, lanes: 4, rows: 40, epochs: 2, seed: 1";
    @TempDir
    private Path root;

    private static CommandRun run(PlannableVersion version, String... words) {
        List<Object> all = new ArrayList<>(List.of(version.folder()));
        all.addAll(Arrays.asList(words));
        return CommandRun.of(new PlanCommand(), all.toArray());
    }

    @Test
    void lanes_thatDoNotDivide_areNamedWithTheDivisors() throws IOException {
        PlannableVersion version = PlannableVersion.write(root, SIZES, List.of(all(100)));
        assertThat(run(version, "--set", "lanes=3").err())
                .contains("lanes: 3 do not divide the 4 that the version stores; take 1, 2, 4")
                .doesNotContain("manifest.json");
        assertThat(run(version, "--set", "lanes=2").exitCode()).isZero();
    }

    private static CountedStratum all(long rows) {
        return new CountedStratum("all", List.of(), rows);
    }
}
