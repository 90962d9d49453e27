package io.rankfeed.schema.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Drawn selections, and their files with drawn damage. */
class SelectionPropertyTest {
    private static final String LETTERS = "ab/ \"\\\né€😀";

    private final List<ListOrder.By> orders =
            List.of(new ListOrder.Hash(7), new ListOrder.Table(), new ListOrder.Given(), new ListOrder.Column("é"));

    private static LongStream seeds() {
        return Seed.several(SelectionPropertyTest.class, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void selection_written_isReadAgain(long seed) {
        Selection selection = drawn(new Random(seed));
        byte[] bytes = SelectionJson.toBytes(selection);
        Selection read = SelectionJson.parse(bytes, "selection.json");
        assertThat(read).isEqualTo(selection);
        assertThat(SelectionJson.toBytes(read)).isEqualTo(bytes);
    }

    /** A file with other bytes is refused, or says another thing that is valid. */
    @ParameterizedTest
    @MethodSource("seeds")
    void file_damaged_isRefusedOrAnotherSelection(long seed) {
        Random random = new Random(seed);
        byte[] bytes = SelectionJson.toBytes(drawn(random));
        for (int i = 0; i < 20; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            try {
                Selection read = SelectionJson.parse(damaged, "selection.json");
                assertThat(SelectionJson.parse(SelectionJson.toBytes(read), "again"))
                        .isEqualTo(read);
            } catch (CorruptDataException e) {
                assertThat(e).hasMessageStartingWith("selection.json");
            }
        }
    }

    private Selection drawn(Random random) {
        List<SelectedFeed> feeds = new ArrayList<>();
        for (String name : List.of("a", "b_2", "c-x")) {
            int lanes = 1 + random.nextInt(16);
            long rows = random.nextInt(3) * (long) RowDigests.ROWS + random.nextInt(2);
            feeds.add(
                    random.nextInt(4) == 0
                            ? new SelectedSequential(name, lanes, rows, digests(rows))
                            : train(random, name, lanes));
        }
        int batchRows = 1 + random.nextInt(4096);
        Order.Storage storage = new Order.Storage(batchRows, (long) batchRows * (1 + random.nextInt(9)));
        return new Selection("d", random.nextInt(4) > 0 ? Optional.of(storage) : Optional.empty(), feeds);
    }

    private SelectedTrain train(Random random, String name, int lanes) {
        List<String> columns = IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> text(random) + i)
                .toList();
        TreeSet<String> names = new TreeSet<>(CanonicalJson::compareCodePoints);
        IntStream.rangeClosed(0, random.nextInt(6)).forEach(i -> names.add(text(random) + i));
        List<SelectedStratum> strata = new ArrayList<>();
        for (String stratum : names) {
            long rows = random.nextInt(2) * (1L + random.nextInt(1 << 22));
            strata.add(new SelectedStratum(
                    stratum, columns.stream().map(column -> text(random)).toList(), rows + random.nextInt(9), rows));
        }
        ListOrder.By by = orders.get(random.nextInt(orders.size()));
        List<ListOrder.OrderedStage> ordered = new ArrayList<>();
        for (int i = 0; by instanceof ListOrder.Hash && i < random.nextInt(3); i++) {
            ordered.add(new ListOrder.OrderedStage(text(random), ranges(random, strata)));
        }
        return new SelectedTrain(
                name,
                lanes,
                columns,
                new ListOrder(by, ordered),
                strata,
                digests(strata.stream().mapToLong(SelectedStratum::rows).sum()));
    }

    private static List<ListOrder.Range> ranges(Random random, List<SelectedStratum> strata) {
        List<ListOrder.Range> ranges = new ArrayList<>();
        for (int s = 0; s < strata.size(); s++) {
            long rows = strata.get(s).rows();
            if (rows > 0 && random.nextBoolean()) {
                long from = random.nextLong(rows);
                ranges.add(new ListOrder.Range(s, from, from + 1 + random.nextLong(rows - from)));
            }
        }
        return ranges;
    }

    private static String text(Random random) {
        int[] letters = LETTERS.codePoints().toArray();
        int[] drawn = new int[1 + random.nextInt(4)];
        Arrays.setAll(drawn, i -> letters[random.nextInt(letters.length)]);
        return new String(drawn, 0, drawn.length);
    }

    private static List<String> digests(long rows) {
        return Collections.nCopies((int) RowDigests.count(rows), "0123456789abcdef".repeat(4));
    }
}
