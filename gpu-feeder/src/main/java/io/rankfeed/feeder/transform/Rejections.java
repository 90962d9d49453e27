package io.rankfeed.feeder.transform;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the rows that were fed as zeros or empty, by column and reason. Safe for use by several threads. */
public final class Rejections {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Consumer<String> log;

    /** @param log receives the first row of each column and reason */
    public Rejections(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Counts a row.
     *
     * @param row names the row and what is wrong
     * @param instead what is fed, as "zeros are fed"
     */
    public void add(String column, String reason, String row, String instead) {
        counts.computeIfAbsent(column + ": " + reason, key -> {
                    log.accept(row + "; " + instead + ", and more rows with " + reason + " are only counted");
                    return new LongAdder();
                })
                .increment();
    }

    /** The number of times that such a row was fed, by "column: reason". */
    public Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((key, adder) -> sums.put(key, adder.sum()));
        return sums;
    }
}
