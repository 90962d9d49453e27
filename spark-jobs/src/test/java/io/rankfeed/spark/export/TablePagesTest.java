package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePagesTest {
    private static final int ROWS = 200_000;

    @ParameterizedTest
    @CsvSource({
        // 1 KiB: each page of 1,024 rows has a chosen one, of 1 % too; not so of 0.1 %.
        "1024, 0.001, CHOSEN",
        "1024, 0.2, CHOSEN",
        "1024, 0.3, SCAN",
        // 100 KiB: pages of ten rows.
        "102400, 0.01, CHOSEN",
        "102400, 0.2, CHOSEN",
        "102400, 0.5, SCAN",
        "10, 0.001, CHOSEN"
    })
    void reading_ofScatteredRows_dependsOnPages(long rowBytes, double share, Export.Reading expected) {
        SplittableRandom random = new SplittableRandom(7);
        LongStream chosen = LongStream.range(0, ROWS).filter(row -> random.nextDouble() < share);
        assertThat(reading(rowBytes, chosen)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.01, CHOSEN", "0.6, CHOSEN", "0.65, SCAN", "1, SCAN"})
    void reading_ofRowsTogether_dependsOnTheirShare(double share, Export.Reading expected) {
        assertThat(reading(1024, LongStream.range(0, (long) (ROWS * share)))).isEqualTo(expected);
    }

    @Test
    void of_filesOfUnequalLength_countsTheirLastPages() {
        TablePages pages = TablePages.of(List.of(
                new DataFile("a", 1 << 21, 2048, 0),
                new DataFile("b", 1 << 20, 1024, 0),
                new DataFile("c", 1 << 10, 1, 0)));
        assertThat(pages).isEqualTo(new TablePages(1024, 4, 3073, false));
        assertThat(TablePages.of(List.of())).isEqualTo(new TablePages(1, 0, 0, false));
        assertThat(TablePages.of(List.of(new DataFile("a", 1L << 40, 3, 0)))).isEqualTo(new TablePages(1, 3, 3, false));
    }

    @ParameterizedTest
    @CsvSource({
        // About 40 rows, in 17 of the 20 row groups; and about 4.
        "0.0002, SCAN",
        "0.00002, CHOSEN"
    })
    void reading_withoutPageIndex_dependsOnRowGroups(double share, Export.Reading expected) {
        SplittableRandom random = new SplittableRandom(7);
        LongStream chosen = LongStream.range(0, ROWS).filter(row -> random.nextDouble() < share);
        assertThat(reading(1024, 20, chosen)).isEqualTo(expected);
    }

    @Test
    void of_filesWithAndWithoutPageIndex_isTheirMean() {
        // Eight pages of 1 MiB, and a row group of the same length.
        TablePages pages =
                TablePages.of(List.of(new DataFile("a", 1 << 23, 8192, 0), new DataFile("b", 1 << 23, 8192, 1)));
        assertThat(pages).isEqualTo(new TablePages(16384 / 9, 10, 16384, true));
    }

    private static Export.Reading reading(long rowBytes, LongStream chosen) {
        return reading(rowBytes, 0, chosen);
    }

    private static Export.Reading reading(long rowBytes, int wholeGroups, LongStream chosen) {
        TablePages pages = TablePages.of(List.of(new DataFile("a", rowBytes * ROWS, ROWS, wholeGroups)));
        long[] rows = chosen.toArray();
        long read =
                LongStream.of(rows).map(row -> row / pages.rows()).distinct().count();
        return pages.fasterFor(read, rows.length);
    }
}
