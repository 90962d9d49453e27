package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.JobContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs over files that {@code export.formats} writes. */
class OtherFormatsIT extends FormatJob {
    private static final String TEXT = "concat(id, ' ', coalesce(name, 'none'), ' ', lower(hex(blob)), ' ', pair[1])";
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("id", DType.INT64, Shape.scalar(), false),
            new Field("name", DType.STRING, Shape.scalar(), true),
            new Field("blob", DType.BINARY, Shape.scalar(), false),
            new Field("pair", DType.INT64, Shape.of(2), false)));

    private final DrawnRows drawn = withIds(DrawnRows.of(SCHEMA, 40, 11));

    /** The rows with ascending ids, for their order. */
    private static DrawnRows withIds(DrawnRows rows) {
        IntStream.range(0, rows.values().size())
                .forEach(row -> rows.values().get(row).set(0, little(row)));
        return rows;
    }

    private static byte[] little(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private void export(String format) throws IOException {
        export(format, drawn, 15, Map.of());
    }

    private void export(String format, DrawnRows rows, int partRows, Map<String, String> options) throws IOException {
        WrittenSet.of(Formats.named(format), WrittenSet.set(rows, partRows, new FormatOptions(0, 0, options)), rows)
                .files()
                .copyTo(folder.resolve("in"));
    }

    private List<String> expected() {
        return drawn.values().stream()
                .map(row -> ByteBuffer.wrap(row.get(0))
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong() + " "
                        + (row.get(1) == null ? "none" : new String(row.get(1), StandardCharsets.UTF_8)) + " "
                        + HexFormat.of().formatHex(row.get(2)) + " "
                        + ByteBuffer.wrap(row.get(3))
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong(Long.BYTES))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webdataset|in|from_json(json, 'id BIGINT').id AS id, name_txt AS name, blob_bin AS blob, pair_npy AS"
                        + " pair",
                "tfrecord|in|id, cast(name AS string) AS name, blob, pair",
                "huggingface|in/train|id, name, blob, pair",
                "mds|in/train|id, if(`name.valid` = 0, NULL, name) AS name, blob, pair"
            })
    void files_ofExport_haveItsRows(String format, String location, String columns) throws IOException {
        export(format);
        String source = format + ": '" + folder.resolve(location) + "'";
        assertThat(texts(source, columns, TEXT)).isEqualTo(expected());
    }

    @Test
    void entriesOfLmdb_areTheRowsUnderTheirIndexes() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("number", DType.INT64, Shape.scalar(), false),
                new Field("blob", DType.BINARY, Shape.scalar(), false)));
        DrawnRows rows = withIds(DrawnRows.of(schema, 200, 12));
        rows.values().get(7).set(1, new byte[9_000]);
        export("lmdb", rows, 200, Map.of("value", "blob"));
        String source = "lmdb: '" + folder.resolve("in/train") + "'";

        String values =
                "cast(cast(key AS string) AS int) AS id, value FROM t WHERE cast(key AS string) RLIKE '^[0-9]+$'";
        assertThat(query(source, "SELECT concat(id, ' ', lower(hex(value))) FROM (SELECT " + values + ") ORDER BY id"))
                .isEqualTo(IntStream.range(0, 200)
                        .mapToObj(row -> row + " "
                                + HexFormat.of()
                                        .formatHex(rows.values().get(row).get(1)))
                        .toList());
        String others = "SELECT concat(cast(key AS string), ' ', coalesce(from_json(cast(value AS string),"
                + " 'number BIGINT').number, cast(value AS string))) FROM t"
                + " WHERE cast(key AS string) IN ('__len__', 'meta:7')";
        assertThat(query(source, others)).containsExactlyInAnyOrder("__len__ 200", "meta:7 7");
        String query =
                "sql: SELECT cast(key AS string) AS name, value FROM t WHERE NOT startswith(cast(key AS string), 'meta:')\nkey: [name]";
        assertThat(prepare(source, query).manifest().rows()).isEqualTo(201);
    }

    private List<String> texts(String source, String columns, String text) {
        return query(source, "SELECT " + text + " FROM (SELECT " + columns + " FROM t) ORDER BY id");
    }

    private List<String> query(String source, String query) {
        JobContext context = context(source, "select: {from: t}");
        context.openSources().refuseOtherCounts();
        return context.spark().sql(query).collectAsList().stream()
                .map(row -> row.getString(0))
                .toList();
    }

    /** One file has one value in each row, the other has lists. */
    @Test
    void features_thatAreListsInOneFile_areListsInAll() throws IOException {
        export("tfrecord");
        SampleSchema schema = new SampleSchema(List.of(
                new Field("id", DType.INT64, Shape.scalar(), false),
                new Field("pair", DType.INT64, Shape.scalar(), false)));
        DrawnRows one = DrawnRows.of(schema, 1, 5);
        WrittenSet.of(Formats.named("tfrecord"), WrittenSet.set(one, 5, new FormatOptions(0, 0, Map.of())), one)
                .files()
                .copyTo(folder.resolve("in/more"));
        List<String> sizes =
                texts("tfrecord: '" + folder.resolve("in") + "'", "id, pair", "cast(size(pair) AS string)");
        assertThat(sizes).hasSize(41).containsOnly("1", "2").containsOnlyOnce("1");
    }

    @Test
    void recordFile_damaged_endsTheJobWithFileAndByte() throws IOException {
        export("tfrecord");
        Path file;
        try (var files = Files.walk(folder.resolve("in"))) {
            file = files.filter(path -> path.toString().endsWith(".tfrecord"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[40] ^= 1;
        Files.write(file, bytes);
        assertRefused(
                "tfrecord: '" + folder.resolve("in") + "'",
                "sql: SELECT id FROM t\nkey: [id]",
                CorruptDataException.class,
                file.getFileName() + ", byte 12: the checksum of record 0 does not match");
    }

    @Test
    void datasetDict_namesItsSplits() throws IOException {
        export("huggingface");
        assertRefused(
                "huggingface: '" + folder.resolve("in") + "'",
                "select: {from: t}",
                ConfigException.class,
                "has several splits; name the folder of one",
                "in/train");
        assertRefused("huggingface: '" + folder + "'", "select: {from: t}", ConfigException.class, "has no state.json");
    }

    @Test
    void dataset_withoutAListedFile_isCorrupted() throws IOException {
        export("huggingface");
        try (var files = Files.list(folder.resolve("in/train"))) {
            Files.delete(files.filter(path -> path.toString().endsWith(".arrow"))
                    .findFirst()
                    .orElseThrow());
        }
        assertThatThrownBy(() -> texts("huggingface: '" + folder.resolve("in/train") + "'", "id", "id"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContainingAll("state.json: lists data-", "which does not exist");
    }
}
