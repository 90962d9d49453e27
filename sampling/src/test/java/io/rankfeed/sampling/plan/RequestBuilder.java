package io.rankfeed.sampling.plan;

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
public final class RequestBuilder {
    public int lanes = 4;
    public int batch = 8;
    public int epochs = 1;
    public long rows = 80;
    public EpochMode mode = EpochMode.STREAM;
    public RowOrder order = RowOrder.GLOBAL;
    public BalanceWithin within = BalanceWithin.BATCH;
    public PoolSpan pool = PoolSpan.RUN;
    public OnShortage onShortage = OnShortage.ERROR;
    public ZeroQuota zeroQuota = ZeroQuota.REFUSE;
    public Shares shares = Shares.NEAREST;
    public final List<PlanRequest.Available> strata = new ArrayList<>();
    public final List<PlanRequest.Stage> stages = new ArrayList<>();

    public RequestBuilder stratum(String name, long available) {
        strata.add(new PlanRequest.Available(name, available));
        return this;
    }

    /** Weights as {@code name=weight}, in a line. */
    public RequestBuilder stage(String until, String... weights) {
        Map<String, BigDecimal> named = new LinkedHashMap<>();
        for (String weight : weights) {
            int at = weight.indexOf('=');
            named.put(weight.substring(0, at), new BigDecimal(weight.substring(at + 1)));
        }
        stages.add(new PlanRequest.Stage(new BigDecimal(until), named));
        return this;
    }

    public PlanRequest build() {
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

    public TrainFeed plan() {
        return OrderPlanner.plan(build());
    }

    /** The plan of a changed request. */
    public static TrainFeed plan(Consumer<RequestBuilder> change) {
        RequestBuilder request = new RequestBuilder();
        change.accept(request);
        return request.plan();
    }

    /** The request is rejected with a message of one line that contains these words. */
    public static void assertRefused(Consumer<RequestBuilder> change, String... words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> plan(change))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
    }
}
