package io.rankfeed.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.mixture.FillValue;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixtureDiffTest {
    private static final List<Stratum> STRATA = List.of(new Stratum("x", 30), new Stratum("y", 9));

    /** Five steps of 4 rows in two lanes, of two members with two strata each. */
    private static Mixture mixture(long seed, String second, String version, List<Long> quotas, String fill) {
        List<Member> members = List.of(
                new Member("a", "one", "00000000000000aa", "train", 4, RowCycles.LIST, STRATA),
                new Member(second, "two", version, "all", 6, RowCycles.SHUFFLED, STRATA));
        Segment segment = new Segment(0, 5, 0, quotas, List.of(0L, 0L, 0L, 0L), 2, 0);
        TrainFeed feed = new TrainFeed(
                "train", seed, 2, 4, 1, 5, List.of(), EpochMode.STREAM, RowOrder.GLOBAL, 1, members, List.of(segment));
        Field label = new Field("label", DType.INT8, Shape.scalar(), false);
        return Mixture.of(feed, new SampleSchema(List.of(label)), Map.of("label", new FillValue(List.of(fill))));
    }

    private static Mixture small() {
        return mixture(7, "b", "00000000000000bb", List.of(1L, 3L, 2L, 4L), "0");
    }

    private static Report diff(Mixture before, Mixture after) {
        Report report = new Report();
        MixtureDiff.describe(report, before, after);
        return report;
    }

    @Test
    void equalMixtures_areTheSame() {
        Report report = diff(small(), small());
        assertThat(report.answers()).containsExactly("the same mixture: " + small().id());
        assertThat(report.tables().keySet())
                .containsExactly("members", "numbers", "stages", "shares", "columns", "rows");
    }

    @Test
    void seedVersionSharesAndFill_thatChanged_areNamed() {
        Report report = diff(small(), mixture(8, "b", "00000000000000cc", List.of(2L, 3L, 2L, 3L), "-1"));
        assertThat(report.answers())
                .containsExactly(
                        "member b: version 00000000000000bb of dataset two, feed all, cycles shuffled before, version"
                                + " 00000000000000cc of dataset two, feed all, cycles shuffled after",
                        "seed: 7 before, 8 after",
                        "share in stage 0, member a: 0.4 before, 0.5 after",
                        "share in stage 0, member b: 0.6 before, 0.5 after",
                        "column label: int8 [], fill 0 before, int8 [], fill -1 after",
                        "numbers of rows differ in 2 strata, counted for each stage and member");
        assertThat(report.tables().get("rows").rows()).contains(List.of(0L, "b", "y", 8L, 6L));
        assertThat(report.tables().get("shares").columns()).containsExactly("stage", "member", "before", "after");
    }

    @Test
    void member_ofOneMixture_isAddedOrRemoved() {
        Report report = diff(small(), mixture(7, "c", "00000000000000bb", List.of(1L, 3L, 2L, 4L), "0"));
        assertThat(report.answers())
                .contains(
                        "member b: removed, version 00000000000000bb of dataset two, feed all, cycles shuffled",
                        "member c: added, version 00000000000000bb of dataset two, feed all, cycles shuffled",
                        "share in stage 0, member b: removed, 0.6");
    }
}
