package io.rankfeed.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A short form of {@link PlanRequest}: a plain run of one epoch; each test changes what it is about. */
final class RequestBuilder {
    int lanes = 4;
    int batch = 8;
    int epochs = 1;
    long rows = 80;
    EpochMode mode = EpochMode.STREAM;
    RowOrder order = RowOrder.GLOBAL;
    BalanceWithin within = BalanceWithin.BATCH;
    PoolSpan pool = PoolSpan.RUN;
    OnShortage onShortage = OnShortage.ERROR;
    ZeroQuota zeroQuota = ZeroQuota.REFUSE;
    Shares shares = Shares.NEAREST;
    final List<PlanRequest.Available> strata = new ArrayList<>();
    final List<PlanRequest.Stage> stages = new ArrayList<>();

    RequestBuilder stratum(String name, long available) {
        strata.add(new PlanRequest.Available(name, available));
        return this;
    }

    /** Weights as {@code name=weight}, in a line. */
    RequestBuilder stage(String until, String... weights) {
        Map<String, BigDecimal> named = new LinkedHashMap<>();
        for (String weight : weights) {
            int at = weight.indexOf('=');
            named.put(weight.substring(0, at), new BigDecimal(weight.substring(at + 1)));
        }
        stages.add(new PlanRequest.Stage(new BigDecimal(until), named));
        return this;
    }

    PlanRequest build() {
        return new PlanRequest(
                "train",
                42,
                lanes,
                batch,
                epochs,
                rows,
                mode,
                order,
                within,
                pool,
                onShortage,
                zeroQuota,
                shares,
                strata,
                stages);
    }

    TrainFeed plan() {
        return OrderPlanner.plan(build());
    }

    /** The plan of a changed request. */
    static TrainFeed plan(Consumer<RequestBuilder> change) {
        RequestBuilder request = new RequestBuilder();
        change.accept(request);
        return request.plan();
    }

    /** The request is rejected with a message of one line that contains these words. */
    static void assertRefused(Consumer<RequestBuilder> change, String... words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> plan(change))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
    }
}
