package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with a line that is longer than lines may be, between sound ones. */
class LongLinesIT {
    private static final long BYTES = (64L << 20) + 1 + new Random().nextInt(1 << 20);
    private static final String WHAT = "has " + BYTES + " bytes; a line has at most 67108864";

    @TempDir
    private Path folder;

    @Test
    void line_tooLong_endsTheJobOrIsABadRow() throws IOException {
        Path file = folder.resolve("t.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            write(out);
        }
        for (String schema : new String[] {"", ", schema: 'id INT'"}) {
            String source = "  t: {jsonl: '" + file + "'" + schema + "}";
            assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, "select: {from: t}"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("t.jsonl.gz:2: " + WHAT);
        }
        String source = "  t: {jsonl: '" + file + "', schema: 'id INT'}";
        for (String word : new String[] {"drop", "quarantine"}) {
            PreparedTable table = PrepareFixture.prepare(
                    folder.resolve("out"), source, "select: {from: t}\nquarantine-at-most: 1\non-bad-row: " + word);
            assertThat(table.manifest().rows()).isEqualTo(2);
            assertThat(table.manifest().badRows()).containsExactly(Map.entry("malformed-line", 1L));
        }
        Row kept = PrepareFixture.session()
                .read()
                .parquet(PrepareFixture.folder(PrepareFixture.prepare(
                                folder.resolve("out"),
                                source,
                                "select: {from: t}\nquarantine-at-most: 1\non-bad-row: quarantine"))
                        .resolve("quarantine")
                        .toString())
                .collectAsList()
                .get(0);
        assertThat(kept.<String>getAs("message")).startsWith("t/t.jsonl.gz:2 " + WHAT);
        assertThat(kept.<Long>getAs("source_row")).isOne();
        assertThat(kept.<String>getAs("content")).isEmpty();
    }

    @Test
    void line_tooLongWithMetadata_endsTheJob() throws IOException {
        Path file = folder.resolve("t.jsonl");
        try (OutputStream out = Files.newOutputStream(file)) {
            write(out);
        }
        Files.writeString(folder.resolve("m.json"), "{\"metadata\": [{\"a\": 1}, {\"a\": 2}, {\"a\": 3}]}");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"),
                        "  t: {jsonl: '" + file + "', metadata: '" + folder.resolve("m.json") + "'}",
                        "select: {from: t}"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("t.jsonl:2: " + WHAT);
    }

    private static void write(OutputStream out) throws IOException {
        out.write("{\"id\": 1}\n".getBytes(StandardCharsets.UTF_8));
        byte[] piece = new byte[1 << 16];
        for (long left = BYTES; left > 0; left -= piece.length) {
            out.write(piece, 0, (int) Math.min(left, piece.length));
        }
        out.write("\n{\"id\": 3}\n".getBytes(StandardCharsets.UTF_8));
    }
}
