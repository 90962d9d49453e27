package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of each format, on every Java: they change with the format's page only. */
@Tag("java17")
class GoldenFormatsTest {
    @ParameterizedTest
    @CsvSource({
        "enn, 3d58bd9f15d26ffd",
        "huggingface, 8362666cf70bcd2f",
        "image-mmap, b77dc85fa0c39b52",
        "lmdb, f46d89ed4b93ce87",
        "megatron, f628831c0c8b51be",
        "mds, 0f19f8ba1e5f17df",
        "tfrecord, 008e97b63138970e",
        "webdataset, 8e0ae1acec9cc280"
    })
    void bytes_areThoseOfBefore(String name, String digest) throws IOException {
        DrawnRows rows = DrawnRows.of(schema(name), 20, 5);
        WrittenSet written = WrittenSet.of(Formats.named(name), WrittenSet.set(rows, 20, FormatOptions.none()), rows);
        StringBuilder lines = new StringBuilder();
        written.files()
                .digests()
                .forEach((path, sha256) ->
                        lines.append(path).append(' ').append(sha256).append('\n'));
        assertThat(Sha256.hex(lines.toString().getBytes(StandardCharsets.UTF_8)))
                .startsWith(digest);
    }

    @ParameterizedTest
    @MethodSource("names")
    void bytes_ofASecondTime_areEqual(String name) throws IOException {
        DrawnRows rows = DrawnRows.of(schema(name), 40, Seed.of(GoldenFormatsTest.class));
        Map<String, String> first = digests(name, rows);
        assertThat(first).hasSizeGreaterThan(1);
        assertThat(digests(name, rows)).isEqualTo(first);
    }

    private static Stream<String> names() {
        return Formats.names().stream();
    }

    private static Map<String, String> digests(String name, DrawnRows rows) throws IOException {
        return WrittenSet.of(Formats.named(name), WrittenSet.set(rows, 40, FormatOptions.none()), rows)
                .files()
                .digests();
    }

    private static SampleSchema schema(String name) {
        return switch (name) {
            case "enn" ->
                new SampleSchema(List.of(
                        new Field("X", DType.FLOAT32, Shape.of(6), false),
                        new Field("Y", DType.INT16, Shape.of(2), false)));
            case "image-mmap" -> images();
            case "megatron" ->
                new SampleSchema(List.of(new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false)));
            default -> others();
        };
    }

    private static SampleSchema images() {
        return DrawnRows.schema(
                field -> field.name().equals("binary") || field.dtype() == DType.STRING || Format.isNumber(field));
    }

    private static SampleSchema others() {
        return DrawnRows.schema(field -> field.kind() != Field.Kind.LIST || field.dtype() == DType.STRING);
    }
}
