package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.RejectedImageException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Rows whose image was fed as zeros, counted by column and reason. Safe for use by several threads. */
public final class Rejections {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Consumer<String> log;

    /** @param log receives the first row of each column and reason */
    public Rejections(Consumer<String> log) {
        this.log = log;
    }

    /** @param row names the row and what is wrong */
    public void add(String column, RejectedImageException.Reason reason, String row) {
        counts.computeIfAbsent(column + ": " + reason.id(), key -> {
                    log.accept(row + "; zeros are fed, and more rows with " + reason.id() + " are only counted");
                    return new LongAdder();
                })
                .increment();
    }

    /** Rows by "column: reason", each time that one was fed. */
    public Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((key, adder) -> sums.put(key, adder.sum()));
        return sums;
    }
}
