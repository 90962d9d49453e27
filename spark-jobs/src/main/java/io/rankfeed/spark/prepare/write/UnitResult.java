package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.WrittenFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the writing of one unit gave.
 *
 * @param unit its number
 * @param files in order
 * @param tail name of the scratch file with the rows that filled no block; null if there are none
 * @param nulls columns that hold a null
 * @param oversized rows that are longer than a block
 * @param encodes how many times rows were encoded
 * @param bad how many rows were not taken, by reason
 * @param quarantined files of them
 * @param sums of the columns that are measured; empty where the rows were measured before
 * @param ids of the rows, where they are to be compared
 */
public record UnitResult(
        int unit,
        ArrayList<WrittenFile> files,
        @Nullable String tail,
        BitSet nulls,
        long oversized,
        long encodes,
        TreeMap<String, Long> bad,
        ArrayList<WrittenFile> quarantined,
        ArrayList<NumberSums> sums,
        @Nullable RowIds ids)
        implements Serializable {
    static String file(int unit, int number) {
        return String.format(Locale.ROOT, "data/part-%05d-%05d.parquet", unit, number);
    }

    public static Map<String, Long> badOf(List<UnitResult> results) {
        TreeMap<String, Long> all = new TreeMap<>();
        results.forEach(result -> result.bad().forEach((reason, rows) -> all.merge(reason, rows, Long::sum)));
        return all;
    }

    /** Whether two rows have one id, where ids are compared. */
    public static boolean anyIdTwice(List<UnitResult> results) {
        return RowIds.anyTwice(
                results.stream().map(UnitResult::ids).filter(Objects::nonNull).toList());
    }

    public static List<WrittenFile> filesOf(List<UnitResult> results) {
        return results.stream().flatMap(result -> result.files().stream()).toList();
    }
}
