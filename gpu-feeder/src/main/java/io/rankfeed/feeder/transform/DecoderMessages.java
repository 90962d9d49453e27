package io.rankfeed.feeder.transform;

import io.rankfeed.schema.failure.Printable;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Counts the lines that native decoders print about images, by reason: the line with N for each number. Thread-safe.
 */
public final class DecoderMessages implements Consumer<String> {
    /** Bounds the map: the content of a file determines what is printed. */
    private static final int MAX_REASONS = 50;

    private static final int MAX_CHARS = 200;
    private static final String OTHER = "other messages";
    private static final Pattern NUMBER = Pattern.compile("0x[0-9a-fA-F]+|[0-9]+(\\.[0-9]+)*");

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Consumer<String> log;

    /** @param log receives the first line of each reason */
    public DecoderMessages(Consumer<String> log) {
        this.log = log;
    }

    @Override
    public void accept(String line) {
        String shown = Printable.of(line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS));
        String reason = NUMBER.matcher(shown).replaceAll("N");
        boolean isCounted = counts.containsKey(reason) || counts.size() < MAX_REASONS;
        counts.computeIfAbsent(isCounted ? reason : OTHER, key -> {
                    log.accept(
                            "an image decoder reports \"" + shown + "\"; more messages of this kind are only counted");
                    return new LongAdder();
                })
                .increment();
    }

    /** The number of lines by reason. */
    public Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((key, adder) -> sums.put(key, adder.sum()));
        return sums;
    }
}
