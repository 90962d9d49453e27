package io.rankfeed.feeder.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import org.junit.jupiter.api.Test;

/** The option by which a supervisor starts its feeder again. */
class PinnedPlanTest {
    @Test
    void pinnedPlan_isAnOptionOfFeedAlone() {
        assertThat(CommandRun.of(new ExplainCommand(), "x", "--pinned-plan", "y")
                        .err())
                .contains("Unknown option");
    }
}
