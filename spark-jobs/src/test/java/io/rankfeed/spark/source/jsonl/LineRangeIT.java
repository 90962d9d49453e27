package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.prepare.PrepareFixture;
import io.rankfeed.spark.run.PreparedTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read in ranges, against the same files read from begin to end. */
class LineRangeIT {
    private static final Configuration CONF = new Configuration();

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = 1)
    void ranges_drawnLineEnds_haveTheLinesOfTheWholeFiles(int seed) throws IOException {
        Random random = new Random(seed);
        List<JsonlLines.Line> expected = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "\ufeff" : "");
            for (int piece = random.nextInt(50); piece > 0; piece--) {
                text.append(List.of("\n", "\n", "\r\n", "\r", "\n\r", "\n\n", " ", "a", "bcdefg", "ü€")
                        .get(random.nextInt(10)));
            }
            Files.writeString(folder.resolve(String.format("%03d.jsonl", i)), text);
        }
        List<SourceFile> files = new SourceFiles("t", folder.toString(), CONF).list(JsonlSource::isJsonLines);
        files.forEach(file -> new JsonlLines(file.path().toString(), CONF).forEachRemaining(expected::add));

        for (long rangeBytes : new long[] {1, 3, 20, 1000}) {
            List<LineRange> ranges = LineRange.of(PrepareFixture.session(), CONF, files, rangeBytes);
            List<JsonlLines.Line> found = new ArrayList<>();
            ranges.forEach(range -> new JsonlLines(range, CONF).forEachRemaining(found::add));

            assertThat(found).as("ranges of %d bytes", rangeBytes).isEqualTo(expected);
            assertThat(ranges.size() > files.size()).isEqualTo(rangeBytes < 1000);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @Tag("nightly")
    @ValueSource(ints = {2, 3, 4, 5})
    void ranges_moreDrawnLineEnds_haveTheLinesOfTheWholeFiles(int seed) throws IOException {
        ranges_drawnLineEnds_haveTheLinesOfTheWholeFiles(seed);
    }

    /** 36 MiB in lines of about 1 KiB; every 1,000th one is no row. */
    @Test
    void largeFile_withBadLines_givesTheNumberOfEachLine() throws IOException {
        Path file = folder.resolve("large.jsonl");
        int lines = 36_000;
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            String filler = "x".repeat(1000);
            for (int line = 0; line < lines; line++) {
                out.write(line % 1000 == 7 ? "{\"id\": \"" : "{\"id\": " + line + ", \"text\": \"" + filler + "\"}");
                out.write(line % 3 == 0 ? "\r\n" : "\n");
            }
        }

        PreparedTable table = PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {jsonl: '" + file + "', line: number}",
                "sql: SELECT id, number FROM t\non-bad-row: quarantine");

        List<Row> rows = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(table).resolve("data").toString())
                .orderBy("id")
                .collectAsList();
        assertThat(rows.stream().map(row -> row.getLong(0)))
                .containsExactlyElementsOf(LongStream.range(0, lines)
                        .filter(line -> line % 1000 != 7)
                        .boxed()
                        .toList());
        assertThat(rows).allSatisfy(row -> assertThat(row.getLong(0)).isEqualTo(row.getLong(1)));
        assertThat(table.manifest().badRows()).isEqualTo(Map.of("malformed-line", (long) lines / 1000));
    }
}
