package io.rankfeed.sampling.mixture;

import static io.rankfeed.sampling.mixture.MixtureOrders.member;
import static io.rankfeed.sampling.mixture.MixtureOrders.request;
import static io.rankfeed.sampling.mixture.MixtureOrders.stage;
import static io.rankfeed.sampling.mixture.MixtureOrders.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.sampling.mixture.MixtureRequest.Epoch;
import io.rankfeed.sampling.mixture.MixtureRequest.OnEnd;
import io.rankfeed.sampling.order.GoldenPlans;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixturePlannerTest {
    @Test
    void orders_goldenMixtures_areThoseOfTheSecondPlanner() {
        List<JsonNode> cases = GoldenPlans.cases(GoldenPlans.MIXTURES);
        assertThat(cases).hasSize(300);
        for (JsonNode golden : cases) {
            TrainFeed planned = MixturePlanner.plan(MixtureOrders.request(golden.get("request")))
                    .feed();
            assertThat(unstaged(planned)).as("%s", golden).isEqualTo(GoldenPlans.order(golden));
        }
    }

    /** The second planner numbers segments alone. */
    private static TrainFeed unstaged(TrainFeed feed) {
        List<Segment> segments = feed.segments().stream()
                .map(one ->
                        new Segment(one.step(), one.steps(), one.number(), one.quotas(), one.base(), one.m(), one.c()))
                .toList();
        return new TrainFeed(
                feed.name(),
                feed.seed(),
                feed.lanes(),
                feed.batch(),
                feed.epochs(),
                feed.stepsPerEpoch(),
                feed.epochStarts(),
                feed.mode(),
                feed.order(),
                feed.window(),
                feed.members(),
                segments);
    }

    /** Two members of 6 and 4 stored lanes have 2 in common; the second has 16 rows and a fourth of the weight. */
    @Test
    void member_thatEnds_isRepeatedOrStopsOrLeavesItsShareToOthers() {
        List<MixtureMember> members = List.of(member("b", 4, 1, 16), member("a", 6, 1, 600));
        PlannedMixture repeated = MixturePlanner.plan(request(members, OnEnd.REPEAT));
        assertThat(repeated.taken())
                .containsExactly(new PlannedMixture.Taken("a", 600, 120), new PlannedMixture.Taken("b", 16, 40));
        assertThat(repeated.taken()).extracting(PlannedMixture.Taken::repeated).containsExactly(0L, 24L);
        PlannedMixture moved = MixturePlanner.plan(request(members, OnEnd.REDISTRIBUTE));
        assertThat(moved.taken()).extracting(PlannedMixture.Taken::taken).containsExactly(144L, 16L);
        TrainFeed stopped = MixturePlanner.plan(request(members, OnEnd.STOP)).feed();
        assertThat(stopped.epochs()).isEqualTo(1);
        assertThat(stopped.segments()).singleElement().satisfies(segment -> {
            assertThat(segment.steps()).isEqualTo(8);
            assertThat(segment.quotas()).containsExactly(24L, 8L);
        });
    }

    /** A member that has just the rows that the mixture takes of it has no end in it, and with one unit less it has. */
    @Test
    void member_thatEndsWithTheMixture_isNotShort() {
        TrainFeed plenty = plan(600, OnEnd.REPEAT).feed();
        for (OnEnd onEnd : OnEnd.values()) {
            assertThat(plan(40, onEnd).feed().segments()).isEqualTo(plenty.segments());
        }
        assertThat(plan(36, OnEnd.REPEAT).taken().get(1).repeated()).isEqualTo(4);
        assertThat(plan(36, OnEnd.STOP).feed().steps())
                .isLessThan(plenty.steps())
                .isGreaterThan(17);
        assertThat(plan(36, OnEnd.REDISTRIBUTE).taken().get(1).taken()).isEqualTo(36);
    }

    private static PlannedMixture plan(long rowsOfSecond, OnEnd onEnd) {
        return MixturePlanner.plan(request(List.of(member("a", 6, 1, 600), member("b", 4, 1, rowsOfSecond)), onEnd));
    }

    /** The stages of a member end at their part of what the mixture takes of it, here with those of the mixture. */
    @Test
    void stagesOfMembers_endWithThoseOfTheMixture() {
        MixtureMember staged = MixtureOrders.staged("a", 2, List.of(List.of(10L, 0L), List.of(0L, 30L)));
        List<MixtureRequest.Stage> stages = List.of(
                stage(new StageEnd.Fraction(new BigDecimal("0.25")), "1", "1"), stage(new StageEnd.Run(), "1", "1"));
        TrainFeed feed = MixturePlanner.plan(new MixtureRequest(
                        "train",
                        1,
                        4,
                        1,
                        new Epoch.Rows(80),
                        OnEnd.REPEAT,
                        List.of(staged, member("b", 2, 1, 90)),
                        stages))
                .feed();
        assertThat(feed.segments()).extracting(Segment::step).containsExactly(0L, 5L);
        assertThat(feed.segments()).extracting(Segment::stage).containsExactly(0L, 1L);
        assertThat(feed.segments())
                .extracting(Segment::quotas)
                .containsExactly(List.of(5L, 0L, 5L), List.of(0L, 15L, 15L));
    }

    @Test
    void member_alone_givesAllRows() {
        TrainFeed feed = MixturePlanner.plan(new MixtureRequest(
                        "train",
                        1,
                        1,
                        2,
                        new Epoch.PassOf("a"),
                        OnEnd.STOP,
                        List.of(MixtureOrders.staged("a", 1, List.of(List.of(3L, 1L, 0L)))),
                        List.of(new MixtureRequest.Stage(new StageEnd.Run(), Map.of("a", new BigDecimal("0.3"))))))
                .feed();
        assertThat(feed.steps()).isEqualTo(4);
        assertThat(feed.segments().get(0).quotas()).containsExactly(3L, 1L, 0L);
    }

    /** Two epochs of 30 rows, of which the mixture takes a fourth of each batch: a pass is 120 rows, so 15 steps. */
    @Test
    void epoch_onePassOfAMember_hasItsRows() {
        List<MixtureMember> members = List.of(member("a", 6, 1, 600), member("b", 2, 2, 30));
        PlannedMixture planned = MixturePlanner.plan(with(request(members, OnEnd.REPEAT), new Epoch.PassOf("b")));
        assertThat(planned.feed().stepsPerEpoch()).isEqualTo(15);
        assertThat(planned.taken().get(1)).isEqualTo(new PlannedMixture.Taken("b", 60, 60));
    }
}
