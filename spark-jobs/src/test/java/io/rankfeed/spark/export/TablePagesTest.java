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
        "1024, 0.01, SCAN",
        "1024, 0.001, CHOSEN",
        // 100 KiB: pages of ten rows.
        "102400, 0.01, CHOSEN",
        "102400, 0.2, CHOSEN",
        "102400, 0.5, SCAN",
        "10, 0.001, SCAN"
    })
    void reading_ofScatteredRows_dependsOnPages(long rowBytes, double share, Export.Reading expected) {
        SplittableRandom random = new SplittableRandom(7);
        LongStream chosen = LongStream.range(0, ROWS).filter(row -> random.nextDouble() < share);
        assertThat(reading(rowBytes, chosen)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.01, CHOSEN", "0.9, CHOSEN", "0.97, SCAN", "1, SCAN"})
    void reading_ofRowsTogether_dependsOnTheirShare(double share, Export.Reading expected) {
        assertThat(reading(1024, LongStream.range(0, (long) (ROWS * share)))).isEqualTo(expected);
    }

    @Test
    void of_filesOfUnequalLength_countsTheirLastPages() {
        TablePages pages = TablePages.of(List.of(
                new DataFile("a", 1 << 21, 2048), new DataFile("b", 1 << 20, 1024), new DataFile("c", 1 << 10, 1)));
        assertThat(pages).isEqualTo(new TablePages(1024, 4));
        assertThat(TablePages.of(List.of())).isEqualTo(new TablePages(1, 0));
        assertThat(TablePages.of(List.of(new DataFile("a", 1L << 40, 3)))).isEqualTo(new TablePages(1, 3));
    }

    private static Export.Reading reading(long rowBytes, LongStream chosen) {
        TablePages pages = TablePages.of(List.of(new DataFile("a", rowBytes * ROWS, ROWS)));
        long read = chosen.map(row -> row / pages.rows()).distinct().count();
        return Export.Reading.of(read, pages.count());
    }
}
