package io.rankfeed.spark.generate;

import io.rankfeed.sampling.plan.quota.Quotas;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The number of rows of each kind in a generated set. The figures are those published for the instruction set derived
 * from DeepMind's CodeContests (one row per solution): 3,691,981 train rows, 47.52 % of them correct; difficulty 7:
 * 86.7 %, 2: 6.4 %, 1: 4.4 %, 11: 2.1 %, 6: 0.4 %, and 1,981 rows unknown; valid 14,725 rows with 8,184 correct; test
 * 14,851 with 8,038. Every count at another size is the largest-remainder share of these, so counts are exact, and the
 * published ones come out at the published size.
 *
 * <p>What is not published is chosen: the unknown rows are half −1, half 0; valid and test have the train split's
 * difficulty shares and no unknown.
 *
 * @param splits train, valid, test
 */
record CodeContestsShape(List<Split> splits) implements Serializable {
    static final long TRAIN_ROWS = 3_691_981;
    static final long UNKNOWN_ROWS = 1_981;
    /** Valid and test never get smaller than this: a validation feed needs a few batches. */
    static final long MIN_ROWS = 64;

    private static final List<Integer> KNOWN = List.of(7, 2, 1, 11, 6);
    private static final long[] KNOWN_PER_MILLE = {867, 64, 44, 21, 4};
    private static final List<Integer> UNKNOWN = List.of(-1, 0);

    /**
     * A split. Rows of a difficulty have consecutive positions; {@link CodeContestsRows} shuffles positions into row
     * numbers.
     *
     * @param difficulties a count per difficulty, in a fixed order; together {@code rows}
     */
    record Split(String name, long rows, long correct, List<Count> difficulties) implements Serializable {}

    /** Rows of one difficulty. */
    record Count(int difficulty, long rows) implements Serializable {}

    /** @param trainRows 1 to {@link #TRAIN_ROWS} */
    static CodeContestsShape of(long trainRows) {
        if (trainRows < 1 || trainRows > TRAIN_ROWS) {
            throw new IllegalArgumentException("train rows " + trainRows);
        }
        long unknown = share(trainRows, UNKNOWN_ROWS, TRAIN_ROWS);
        return new CodeContestsShape(List.of(
                split("train", trainRows, share(trainRows, 4_752, 10_000), unknown),
                heldOut("valid", trainRows, 14_725, 8_184),
                heldOut("test", trainRows, 14_851, 8_038)));
    }

    private static Split heldOut(String name, long trainRows, long publishedRows, long publishedCorrect) {
        // Nearest, not share(): the held-out rows are in addition to the train rows, not among them.
        long rows = Math.max(MIN_ROWS, (publishedRows * trainRows * 2 + TRAIN_ROWS) / (2 * TRAIN_ROWS));
        return split(name, rows, share(rows, publishedCorrect, publishedRows), 0);
    }

    private static Split split(String name, long rows, long correct, long unknown) {
        List<Count> counts = new ArrayList<>();
        add(counts, KNOWN, apportion(rows - unknown, KNOWN_PER_MILLE));
        add(counts, UNKNOWN, apportion(unknown, 1, 1));
        return new Split(name, rows, correct, List.copyOf(counts));
    }

    private static void add(List<Count> counts, List<Integer> difficulties, long[] rows) {
        for (int i = 0; i < rows.length; i++) {
            counts.add(new Count(difficulties.get(i), rows[i]));
        }
    }

    private static long share(long rows, long part, long whole) {
        return apportion(rows, part, whole - part)[0];
    }

    private static long[] apportion(long rows, long... weights) {
        return Quotas.apportion(
                rows, LongStream.of(weights).mapToObj(BigDecimal::valueOf).toList());
    }

    long rows() {
        return splits.stream().mapToLong(Split::rows).sum();
    }
}
