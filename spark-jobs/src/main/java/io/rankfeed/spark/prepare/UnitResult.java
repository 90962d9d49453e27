package io.rankfeed.spark.prepare;

import io.rankfeed.spark.run.WrittenFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the writing of one unit gave.
 *
 * @param unit its number
 * @param files in order
 * @param tail name of the scratch file with the rows that filled no block; null if there are none
 * @param nulls columns that hold a null
 * @param rows rows in all, the tail's included
 * @param oversized rows that are longer than a block
 * @param encodes how many times rows were encoded
 */
record UnitResult(
        int unit,
        ArrayList<WrittenFile> files,
        @Nullable String tail,
        BitSet nulls,
        long rows,
        long oversized,
        long encodes)
        implements Serializable {
    static String file(int unit, int number) {
        return String.format(Locale.ROOT, "data/part-%05d-%05d.parquet", unit, number);
    }

    static List<WrittenFile> filesOf(List<UnitResult> results) {
        return results.stream().flatMap(result -> result.files().stream()).toList();
    }
}
