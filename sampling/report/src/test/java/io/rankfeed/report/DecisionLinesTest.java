package io.rankfeed.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.manifest.FeedDecisions;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionLinesTest {
    @Test
    void shortages_sayWhatIsMovedOrRepeated() {
        FeedDecisions decisions = new FeedDecisions(
                List.of(),
                List.of(
                        new FeedDecisions.Shortage(2, "true/high", 30_000, 36_823, 26_816, 0),
                        new FeedDecisions.Shortage(2, "high", 120_000, 36_823, 120_000, 9_531)),
                List.of("a", "b"),
                List.of(new FeedDecisions.Left(1, "c")));
        assertThat(DecisionLines.of(decisions))
                .containsExactly(
                        "  stage 2, stratum 'true/high': 30,000 rows wanted, 36,823 available, 26,816 taken, 3,184 left"
                                + " to other strata",
                        "  stage 2, stratum 'high': 120,000 rows wanted, 36,823 available, 120,000 taken, 9,531"
                                + " repeats per epoch",
                        "  2 rare strata are drawn together as rest: a, b",
                        "  1 rare stratum of a stage gets no row: 'c' of stage 1");
        assertThat(DecisionLines.ofRefused(decisions))
                .contains("  stage 2, stratum 'high': 120,000 rows wanted, 36,823 available, 9,531 too few");
    }
}
