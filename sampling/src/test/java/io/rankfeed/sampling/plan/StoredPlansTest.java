package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Plans over the lists of a version: their cycles, and what is refused. */
class StoredPlansTest {
    private static final StoredLists STORED = new StoredLists(StoredRequests.SOURCE, 8, false, true, false);

    @Test
    void lanes_thatDoNotDivideTheStored_areRefusedWithTheDivisors() {
        assertRefused(lanes(3, 12), "lanes 3 do not divide the 8 lanes of the version", "[1, 2, 4, 8]");
        assertRefused(lanes(16, 16), "lanes 16 do not divide the 8 lanes of the version");
    }

    @Test
    void planned_hashList_isRefused() {
        assertRefused(w -> w.order = RowOrder.PLANNED, "order: planned", "hash order", "order: global");
        StoredLists listed = new StoredLists(StoredRequests.SOURCE, 8, false, false, false);
        RequestBuilder planned = request(w -> w.order = RowOrder.PLANNED);
        assertThat(cycles(planned, listed)).isEqualTo(RowCycles.LIST);
    }

    @Test
    void cycles_ofADefaultOrder_beginWithTheList() {
        RequestBuilder request = request(w -> {});
        assertThat(cycles(request, STORED)).isEqualTo(RowCycles.SHUFFLED);
        StoredLists first = new StoredLists(StoredRequests.SOURCE, 8, false, true, true);
        assertThat(cycles(request, first)).isEqualTo(RowCycles.LIST_FIRST);
    }

    private static RowCycles cycles(RequestBuilder request, StoredLists stored) {
        return OrderPlanner.planned(request.build(), stored)
                .feed()
                .members()
                .get(0)
                .cycles();
    }

    @Test
    void pool_ofAnEpoch_isRefused() {
        assertRefused(w -> w.pool = PoolSpan.EPOCH, "pool: epoch", "leave pool out");
    }

    @Test
    void strata_withTooFewRows_areRefusedWithWhatIsMissing() {
        Consumer<RequestBuilder> scarce = w -> {
            w.rows = 400;
            w.epochs = 2;
        };
        assertRefused(
                scarce,
                "stratum 'a': epoch 0 wants 200 rows, the version has 100; short too: 'b' (200 of 101)",
                "on-shortage: repeat or redistribute",
                "export a version with more rows");
        RequestBuilder request = request(scarce);
        request.strata.set(1, new PlanRequest.Available("b", 0));
        request.onShortage = OnShortage.REPEAT;
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> OrderPlanner.planned(request.build(), STORED))
                .withMessageContaining("stratum 'b': 400 rows needed, but the version has none; set its weight to 0")
                .withMessageContaining("export a version with more rows");
    }

    /** Where the version has all that there is, an export of everything is no remedy. */
    @Test
    void shortage_ofACompleteVersion_isNoMatterOfTheExport() {
        StoredLists complete = new StoredLists(StoredRequests.SOURCE, 8, true, true, false);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> OrderPlanner.planned(request(w -> w.rows = 400).build(), complete))
                .withMessageContaining("epoch 0 wants 200 rows, the version has 100")
                .withMessageNotContaining("export");
    }

    @Test
    void passOrPadded_withOtherRowsThanStored_isRefused() {
        assertRefused(
                single(EpochMode.PASS, 42, 43),
                "mode pass: each epoch wants 43 rows, the version has 42",
                "with more rows");
        assertRefused(single(EpochMode.PADDED, 42, 43), "mode padded: each epoch wants 43 rows, the version has 42");
        assertRefused(single(EpochMode.PADDED, 42, 41), "a padded epoch has all of them; request 42");
        assertRefused(
                single(EpochMode.PASS, 15, 15),
                "mode pass: an epoch takes equally many rows of each of the 8 lanes of the version, so 8 of its 15",
                "lower the batch");
    }

    @Test
    void batches_thatChange_areRefusedWhereTheyCannot() {
        assertRefused(batches(8, 10), "stage 1: batch 10 is not a multiple of lanes 4", "batch 12 or lanes 2");
        assertRefused(batches(8, 0), "stage 1: batch 0 must be between 1");
        assertRefused(batches(8, 128), "stage 1: an epoch of 80 rows does not fill one batch of 128");
        assertRefused(
                batches(8, 12).andThen(w -> w.within = BalanceWithin.EPOCH), "8 to 12 rows", "balance-within: batch");
        assertRefused(batches(8, 12).andThen(w -> w.shares = Shares.GROWING), "8 to 12 rows", "nested: true");
        assertRefused(batches(8, 12).andThen(w -> w.epochs = 65_537), "at most 65536 epochs", "65537");
    }

    private static Consumer<RequestBuilder> lanes(int lanes, int batch) {
        return w -> {
            w.lanes = lanes;
            w.batch = batch;
        };
    }

    private static Consumer<RequestBuilder> batches(int... batches) {
        return w -> {
            w.stages.clear();
            for (int i = 0; i < batches.length; i++) {
                StageEnd end = i == batches.length - 1 ? new StageEnd.Run() : new StageEnd.Rows(40);
                w.stages.add(new PlanRequest.Stage(
                        end, Map.of("a", BigDecimal.ONE), List.of(), Map.of(), OptionalInt.of(batches[i])));
            }
        };
    }

    private static Consumer<RequestBuilder> single(EpochMode mode, long stored, long rows) {
        return w -> {
            w.mode = mode;
            w.batch = 12;
            w.rows = rows;
            w.stages.clear();
            w.strata.clear();
            w.stratum("all", stored);
        };
    }

    private static Consumer<RequestBuilder> prepared(Consumer<RequestBuilder> change) {
        Consumer<RequestBuilder> plain =
                w -> w.stratum("a", 100).stratum("b", 101).stage("1", "a=1", "b=1");
        return plain.andThen(change);
    }

    private static RequestBuilder request(Consumer<RequestBuilder> change) {
        RequestBuilder request = new RequestBuilder();
        prepared(change).accept(request);
        return request;
    }

    private static void assertRefused(Consumer<RequestBuilder> change, String... words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> OrderPlanner.planned(request(change).build(), STORED))
                .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
    }
}
