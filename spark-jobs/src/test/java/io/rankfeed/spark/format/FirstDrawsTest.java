package io.rankfeed.spark.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders whose rows by step and lane are known from docs/format/plan.md, "Golden". */
class FirstDrawsTest {
    /**
     * Stratum A has one row, B six, over four lanes: 0 to 3 in the lanes, A, 4 and 5 shared. The lanes draw 0AA3, AA23, AA24, A15A, 45AA,
     * 01AA. Numbers: 0 to 3 are the rows of the lanes, 4 is A, 5 and 6 are rows 4 and 5 of B.
     */
    private static TrainFeed scarce(int epochs) {
        return new TrainFeed(
                "train",
                42,
                4,
                4,
                epochs,
                6 / epochs,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                1,
                List.of(new Stratum("A", 1, 1), new Stratum("B", 6, 6)),
                List.of(new Segment(0, 6, 0, List.of(3L, 3L), List.of(0L, 0L), 1, 2)));
    }

    @Test
    void rows_areThoseOfTheRankThatDrawsThemFirst() {
        assertThat(byRank(scarce(1), 4))
                .containsExactly(List.of(0L), List.of(4L, 1L), List.of(2L, 6L), List.of(3L, 5L));
    }

    /** The first of two epochs does not draw row 1 and the shared row 5, of ordinal 2. */
    @Test
    void rows_thatTheFirstEpochLeavesOut_comeLast() {
        assertThat(byRank(scarce(2), 4))
                .containsExactly(List.of(0L), List.of(4L, 1L), List.of(2L, 6L), List.of(3L, 5L));
        // One step draws 0, A and 3; the others follow by stratum and index: 1, 2, 4 of ordinal 1, 5 of ordinal 2.
        assertThat(byRank(scarce(6), 4))
                .containsExactly(List.of(0L), List.of(4L, 1L, 5L), List.of(2L, 6L), List.of(3L));
    }

    @Test
    void epochOfAPass_beginsWithTheRowsOfItsFirstBatch() {
        TrainFeed pass = new TrainFeed(
                "train",
                42,
                4,
                8,
                2,
                12,
                EpochMode.PASS,
                RowOrder.GLOBAL,
                1,
                List.of(new Stratum("all", 103, 96)),
                List.of(
                        new Segment(0, 12, 0, List.of(24L), List.of(0L), 5, 8),
                        new Segment(12, 12, 1, List.of(24L), List.of(24L), 5, 7)));
        // Row i of the list is row i div 4 of lane i mod 4, of 24 rows.
        assertThat(byRank(pass, 1).get(0).subList(0, 8))
                .isEqualTo(IntStream.of(4, 2, 6, 0, 1, 5, 7, 3)
                        .mapToObj(i -> i % 4 * 24L + i / 4)
                        .toList());
        assertThat(byRank(pass, 2).get(0).subList(0, 4))
                .isEqualTo(IntStream.of(2, 0, 6, 4)
                        .mapToObj(i -> i % 4 * 24L + i / 4)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void sequentialFeed_isInTheOrderOfItsList(int ranks) {
        SequentialFeed list = new SequentialFeed("valid", 4, 8, 21, 3);
        FirstDraws draws = new FirstDraws(list, ranks);
        List<List<Long>> found = byRank(list, ranks);
        for (int rank = 0; rank < ranks; rank++) {
            int of = rank;
            assertThat(found.get(rank))
                    .isEqualTo(IntStream.range(0, 21)
                            .filter(i -> i % ranks == of)
                            .mapToObj(i -> draws.number(i % 4, i / 4))
                            .toList());
        }
        assertThat(draws.rows()).isEqualTo(21);
    }

    /** The numbers of each rank, whose positions must count from 0. */
    private static List<List<Long>> byRank(Feed feed, int ranks) {
        List<List<Long>> found = new ArrayList<>();
        IntStream.range(0, ranks).forEach(rank -> found.add(new ArrayList<>()));
        long[] counts = new FirstDraws(feed, ranks).visit((number, rank, position) -> {
            assertThat(position).isEqualTo(found.get(rank).size());
            found.get(rank).add(number);
        });
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(counts[rank]).isEqualTo(found.get(rank).size());
        }
        return found;
    }
}
