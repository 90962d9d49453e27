package io.rankfeed.spark.export;

import io.rankfeed.sampling.order.Mix;
import io.rankfeed.schema.digest.Xxh64;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/**
 * Selects the row groups in place that are also read whole for comparison, because rows in place have no checksums: one
 * in a hundred, by path and number, and the first one that is read of the first, the middle and the last file.
 */
final class Audit implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int ONE_IN = 100;

    private final HashSet<Integer> always;

    /** @param files numbers of the files that are read */
    Audit(List<Integer> files) {
        always = files.isEmpty()
                ? new HashSet<>()
                : new HashSet<>(
                        Set.copyOf(List.of(files.get(0), files.get(files.size() / 2), files.get(files.size() - 1))));
    }

    /** Whether a row group is read whole. Stateful: for one forward reading of the file. */
    IntPredicate of(int file, String path) {
        AtomicBoolean first = new AtomicBoolean(always.contains(file));
        long seed = Xxh64.hash(path.getBytes(StandardCharsets.UTF_8), 0);
        return group -> first.getAndSet(false) || Long.remainderUnsigned(Mix.key(seed, group), ONE_IN) == 0;
    }
}
