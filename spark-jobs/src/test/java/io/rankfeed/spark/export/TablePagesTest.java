package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePagesTest {
    private static final int ROWS = 200_000;

    @ParameterizedTest
    @CsvSource({
        // 1 KiB: each page of 1,024 rows has a chosen one, of 1 % too.
        "1024, 0.001, CHOSEN",
        "1024, 0.01, CHOSEN",
        "1024, 0.2, CHOSEN",
        "1024, 0.3, SCAN",
        // 100 KiB: pages of ten rows.
        "102400, 0.01, CHOSEN",
        "102400, 0.2, CHOSEN",
        "102400, 0.5, SCAN",
        "10, 0.001, CHOSEN"
    })
    void reading_ofScatteredRows_dependsOnPagesAndRows(long rowBytes, double share, Export.Reading expected) {
        DataFile file = new DataFile("a", rowBytes * ROWS, ROWS, 1, true);
        assertThat(reading(List.of(file), 1, scattered(share))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.01, CHOSEN", "0.6, CHOSEN", "0.65, SCAN", "1, SCAN"})
    void reading_ofRowsTogether_dependsOnTheirShare(double share, Export.Reading expected) {
        LongStream chosen = LongStream.range(0, (long) (ROWS * share));
        DataFile file = new DataFile("a", 1024 * ROWS, ROWS, 1, true);
        assertThat(reading(List.of(file), 1, chosen.toArray())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        // 45 rows, in 17 of the 20 row groups; and 5.
        "0.0002, SCAN",
        "0.00002, CHOSEN"
    })
    void reading_withoutPageIndex_dependsOnRowGroups(double share, Export.Reading expected) {
        DataFile file = new DataFile("a", 1024 * ROWS, ROWS, 20, false);
        assertThat(reading(List.of(file), 1, scattered(share))).isEqualTo(expected);
    }

    @Test
    void reading_ofOneFileWithoutPageIndexAmongOthers_isThatOfTheOthers() {
        List<DataFile> files = Stream.concat(
                        Stream.of(new DataFile("a", 1024 * ROWS, ROWS, 1, false)),
                        IntStream.range(0, 9).mapToObj(i -> new DataFile("b" + i, 1024 * ROWS, ROWS, 1, true)))
                .toList();
        assertThat(reading(files, 1, scattered(0.001))).isEqualTo(Export.Reading.CHOSEN);
        assertThat(reading(files.subList(0, 1), 1, scattered(0.001))).isEqualTo(Export.Reading.SCAN);
    }

    @Test
    void reading_ofUnequalFilesWithoutPageIndex_countsTheRowsThatAreRead() {
        List<DataFile> files = new ArrayList<>(List.of(new DataFile("big", 1L << 30, 1_000_000, 1, false)));
        IntStream.range(0, 1000).forEach(i -> files.add(new DataFile("small" + i, 1 << 17, 100, 1, false)));
        // One row of the large file: all of its rows are read.
        assertThat(TablePages.of(files, 1).fasterFor(List.of(stretch(0, 1, 1)))).isEqualTo(Export.Reading.SCAN);
        assertThat(TablePages.of(files, 1).fasterFor(List.of(stretch(7, 1, 1)))).isEqualTo(Export.Reading.CHOSEN);
    }

    @Test
    void reading_byFewerTasks_costsTheirShare() {
        // A scan divides the file among eight tasks, as it has eight row groups.
        List<DataFile> one = List.of(new DataFile("a", 1024 * ROWS, ROWS, 8, true));
        assertThat(reading(one, 2, scattered(0.0001))).isEqualTo(Export.Reading.CHOSEN);
        assertThat(reading(one, 8, scattered(0.0001))).isEqualTo(Export.Reading.CHOSEN);
        assertThat(reading(one, 2, scattered(0.01))).isEqualTo(Export.Reading.SCAN);
        List<DataFile> oneGroup = List.of(new DataFile("a", 1024 * ROWS, ROWS, 1, true));
        assertThat(reading(oneGroup, 8, scattered(0.01))).isEqualTo(Export.Reading.CHOSEN);
    }

    @Test
    void reading_ofRowsThatArePlannedOften_countsThemOnce() {
        List<DataFile> files = List.of(new DataFile("a", 1024 * ROWS, ROWS, 1, true));
        RowDestinations.Stretch often = new RowDestinations.Stretch(0, "", 0, 3 * ROWS, ROWS / 100, 195);
        assertThat(TablePages.of(files, 1).fasterFor(List.of(often))).isEqualTo(Export.Reading.CHOSEN);
    }

    @Test
    void rowsByFile_areOfAPageOrARowGroup() {
        List<DataFile> files = List.of(
                new DataFile("a", 1 << 21, 2048, 1, true),
                new DataFile("b", 1 << 20, 1024, 4, false),
                new DataFile("c", 1 << 10, 1, 1, true));
        assertThat(TablePages.of(files, 1).rowsByFile()).containsExactly(1024, 256, 1024);
        assertThat(TablePages.of(List.of(new DataFile("a", 1L << 40, 3, 1, true)), 1)
                        .rowsByFile())
                .containsExactly(1);
    }

    @Test
    void reading_ofNoRows_isAScan() {
        assertThat(TablePages.of(List.of(), 1).fasterFor(List.of())).isEqualTo(Export.Reading.SCAN);
        DataFile empty = new DataFile("a", 100, 0, 0, false);
        assertThat(TablePages.of(List.of(empty), 1).rowsByFile()).containsExactly(1);
        assertThat(TablePages.of(List.of(empty), 1).fasterFor(List.of())).isEqualTo(Export.Reading.SCAN);
    }

    private static long[] scattered(double share) {
        SplittableRandom random = new SplittableRandom(7);
        return LongStream.range(0, ROWS)
                .filter(row -> random.nextDouble() < share)
                .toArray();
    }

    /** The reading of the same rows of each file. */
    private static Export.Reading reading(List<DataFile> files, int cores, long[] chosen) {
        TablePages pages = TablePages.of(files, cores);
        return pages.fasterFor(IntStream.range(0, files.size())
                .mapToObj(file -> {
                    long ofPage = pages.rowsByFile()[file];
                    long read = LongStream.of(chosen)
                            .map(row -> row / ofPage)
                            .distinct()
                            .count();
                    return stretch(file, chosen.length, read);
                })
                .toList());
    }

    private static RowDestinations.Stretch stretch(int file, long rows, long pages) {
        return new RowDestinations.Stretch(file, "", 0, rows, rows, pages);
    }
}
