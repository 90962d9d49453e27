package io.rankfeed.spark.prepare.pack;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.Serializable;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The bad rows of a query: how many for each reason, and the first one in the order of the source. */
public final class BadRows implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * A bad row.
     *
     * @param source number of its file; -1 where the query does not say
     * @param place human-readable: file and row
     * @param message what is wrong with it
     */
    public record Found(int source, long row, String place, String message) implements Serializable {
        private static final Comparator<Found> ORDER = Comparator.comparingInt(Found::source)
                .thenComparingLong(Found::row)
                .thenComparing(Found::message);
    }

    private final TreeMap<String, Long> counts = new TreeMap<>();
    private @Nullable Found first;

    public void add(Reason reason, Found found) {
        counts.merge(reason.id(), 1L, Long::sum);
        keepFirst(found);
    }

    public BadRows and(BadRows other) {
        other.counts.forEach((reason, count) -> counts.merge(reason, count, Long::sum));
        if (other.first != null) {
            keepFirst(other.first);
        }
        return this;
    }

    @Nullable
    public Found first() {
        return first;
    }

    /** Formats the counts, as in "3 bad rows (image-broken 2, unfit-tensor 1)". */
    public String counted() {
        long rows = counts.values().stream().mapToLong(Long::longValue).sum();
        return Plural.counted(rows, "bad row") + " " + reasons(counts);
    }

    /** Formats the reasons, as in "(image-broken 2, unfit-tensor 1)". */
    public static String reasons(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private void keepFirst(Found found) {
        first = first == null || Found.ORDER.compare(found, first) < 0 ? found : first;
    }
}
