package io.rankfeed.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Wishes written shortly: a plain run of one epoch, of which each test changes what it is about. */
final class Wishes {
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
    final List<OrderWishes.Available> strata = new ArrayList<>();
    final List<OrderWishes.Stage> stages = new ArrayList<>();

    Wishes stratum(String name, long available) {
        strata.add(new OrderWishes.Available(name, available));
        return this;
    }

    /** Weights as {@code name=weight}, in a line. */
    Wishes stage(String until, String... weights) {
        Map<String, BigDecimal> named = new LinkedHashMap<>();
        for (String weight : weights) {
            int at = weight.indexOf('=');
            named.put(weight.substring(0, at), new BigDecimal(weight.substring(at + 1)));
        }
        stages.add(new OrderWishes.Stage(new BigDecimal(until), named));
        return this;
    }

    OrderWishes toWishes() {
        return new OrderWishes(
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

    Order plan() {
        return OrderPlanner.plan(toWishes());
    }

    /** The plan of wishes that a test changes. */
    static Order plan(Consumer<Wishes> change) {
        Wishes wishes = new Wishes();
        change.accept(wishes);
        return wishes.plan();
    }

    /** Such wishes are refused in one line that holds these words. */
    static void assertRefused(Consumer<Wishes> change, String... words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> plan(change))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
    }
}
