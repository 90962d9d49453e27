package io.rankfeed.sampling.mixture;

import static io.rankfeed.sampling.mixture.MixtureOrders.member;
import static io.rankfeed.sampling.mixture.MixtureOrders.request;
import static io.rankfeed.sampling.mixture.MixtureOrders.stage;
import static io.rankfeed.sampling.mixture.MixtureOrders.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.sampling.mixture.MixtureRequest.Epoch;
import io.rankfeed.sampling.mixture.MixtureRequest.OnEnd;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MixtureRequestRulesTest {
    @Test
    void requests_thatContradictThemselves_areRefused() {
        List<MixtureMember> members = List.of(member("a", 6, 1, 600), member("b", 4, 1, 16));
        MixtureRequest request = request(members, OnEnd.REPEAT);
        refused(request(7, 2, members, request.stages()), "batch 7 is not a multiple of 2", "take batch 8");
        refused(request(0, 2, members, request.stages()), "batch 0 must be between 1");
        refused(request(8, 0, members, request.stages()), "epochs 0 must be at least 1");
        refused(request(96, 2, members, request.stages()), "an epoch of 80 rows does not fill one batch of 96");
        refused(request(8, 2, List.of(), request.stages()), "no members");
        refused(request(8, 2, members, List.of()), "no weights");
        refused(request(8, 2, List.of(members.get(0), members.get(0)), request.stages()), "'a' is listed twice");
        refused(request(8, 2, members, List.of(stage(new StageEnd.Run(), "0", "0"))), "weights: all weights are 0");
        refused(
                request(8, 2, members, List.of(stage(new StageEnd.Run(), "1", "-1"))),
                "weights: weight -1 of 'b' is negative");
        refused(request(12, 2, members.subList(0, 1), request.stages()), "unknown member 'b'; did you mean 'a'?");
        refused(with(request, new Epoch.PassOf("c")), "one pass of unknown member 'c'", "[a, b]");
        List<MixtureRequest.Stage> changing = new ArrayList<>();
        changing.add(stage(new StageEnd.Fraction(new BigDecimal("0.5")), "1", "1"));
        changing.add(stage(new StageEnd.Run(), "2", "1"));
        List<MixtureRequest.Stage> wrong = new ArrayList<>(changing);
        wrong.set(1, stage(new StageEnd.Run(), "-2", "1"));
        refused(request(8, 2, members, wrong), "stages[1].weights: weight -2 of 'a' is negative");
        MixtureRequest pass = with(request(8, 2, members, changing), new Epoch.PassOf("b"));
        refused(pass, "one pass of 'b'", "stage 0 and stage 1", "rows of an epoch");
        MixtureMember mixture =
                new MixtureMember("a", MixturePlanner.plan(request).feed());
        refused(
                request(8, 2, List.of(mixture, members.get(1)), request.stages()),
                "'a' is a mixture",
                "list its members");
        refused(
                request(List.of(member("a", 6, 1, 60), member("b", 4, 1, 16)), OnEnd.REDISTRIBUTE),
                "the members together have too few rows",
                "on-end: repeat or stop");
        refused(
                request(List.of(member("a", 6, 1, 600), member("b", 1, 1, 1)), OnEnd.STOP),
                "too few rows for the first step",
                "on-end: repeat or redistribute");
    }

    private static void refused(MixtureRequest request, String... words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> MixturePlanner.plan(request))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
    }
}
