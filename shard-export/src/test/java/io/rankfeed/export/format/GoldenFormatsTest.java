package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of each format, on every Java: they change with the format's page only. */
@Tag("java17")
class GoldenFormatsTest {
    @ParameterizedTest
    @CsvSource({
        "image-mmap, b77dc85fa0c39b52",
        "mds, 0f19f8ba1e5f17df",
        "tfrecord, 008e97b63138970e",
        "webdataset, 8e0ae1acec9cc280"
    })
    void bytes_areThoseOfBefore(String name, String digest) throws IOException {
        DrawnRows rows = DrawnRows.of(name.equals("image-mmap") ? images() : others(), 20, 5);
        WrittenSet written = WrittenSet.of(Formats.named(name), WrittenSet.set(rows, 20, FormatOptions.none()), rows);
        StringBuilder lines = new StringBuilder();
        written.files()
                .digests()
                .forEach((path, sha256) ->
                        lines.append(path).append(' ').append(sha256).append('\n'));
        assertThat(Sha256.hex(lines.toString().getBytes(StandardCharsets.UTF_8)))
                .startsWith(digest);
    }

    private static SampleSchema images() {
        return DrawnRows.schema(
                field -> field.name().equals("binary") || field.dtype() == DType.STRING || Format.isNumber(field));
    }

    private static SampleSchema others() {
        return DrawnRows.schema(field -> field.kind() != Field.Kind.LIST || field.dtype() == DType.STRING);
    }
}
