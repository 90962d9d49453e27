package io.rankfeed.schema.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheLayoutTest {
    private final byte[] bytes = CacheFixture.file();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = Files.write(folder.resolve("lane-00003-00000.arrow"), bytes);
    }

    @Test
    void whatWasWrittenIsFound() throws IOException {
        CacheLayout layout = read();
        assertThat(layout.schema()).isEqualTo(CacheFixture.SCHEMA);
        assertThat(layout.rows()).isEqualTo(CacheFixture.ROWS);
        assertThat(layout.batches()).extracting(CacheBatch::rows).containsExactly(7, 7, 7, 2);
        assertThat(layout.columns())
                .extracting(CacheColumn::name)
                .containsExactly(
                        "_row_id",
                        "_source",
                        "_source_row",
                        "label",
                        "flag",
                        "flag.valid",
                        "image",
                        "half",
                        "score",
                        "ids",
                        "ids.valid",
                        "pairs",
                        "text",
                        "text.valid",
                        "blob",
                        "names",
                        "names.valid",
                        "files");
        assertThat(layout.column("ids.valid")).isEqualTo(10);
        assertThat(layout.column("nothing")).isEqualTo(-1);
        layout.require(CacheFixture.SCHEMA, CacheFixture.FEED, CacheFixture.LANE, CacheFixture.BATCH_ROWS);
    }

    @Test
    void buffers_ofABatch_areAlignedAndDisjoint() throws IOException {
        for (CacheBatch batch : read().batches()) {
            long before = batch.bodyOffset();
            assertThat(batch.offset() % 64).isZero();
            for (int c = 0; c < batch.body().columns().size(); c++) {
                assertThat(batch.offsetsOffset(c)).isEqualTo(before);
                assertThat(batch.valuesOffset(c) % 64).isZero();
                assertThat(batch.valuesOffset(c)).isGreaterThanOrEqualTo(before);
                before = batch.valuesOffset(c) + batch.valuesBytes(c);
            }
            assertThat(batch.end()).isEqualTo(before);
        }
    }

    @Test
    void anotherFileThanTheOneMeantIsRefused() throws IOException {
        CacheLayout layout = read();
        SampleSchema other = new SampleSchema(List.of(new Field("x", DType.INT8, Shape.scalar(), false)));
        assertThatThrownBy(() -> layout.require(other, "train", CacheFixture.LANE, 7))
                .hasMessageContaining("fields");
        assertThatThrownBy(() -> layout.require(CacheFixture.SCHEMA, "valid", CacheFixture.LANE, 7))
                .hasMessageContaining("wanted is 'valid', lane 3");
        assertThatThrownBy(() -> layout.require(CacheFixture.SCHEMA, "train", OptionalInt.empty(), 7))
                .hasMessageContaining("shared");
        assertThatThrownBy(() -> layout.require(CacheFixture.SCHEMA, "train", CacheFixture.LANE, 8))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has 7 rows in its first batch; the order says 8");
    }

    @Test
    void theNameOfAProvenanceColumnIsRefused() {
        SampleSchema schema = new SampleSchema(List.of(new Field("_source", DType.INT8, Shape.scalar(), false)));
        assertThatThrownBy(() -> CacheColumn.of(schema)).isInstanceOf(ConfigException.class);
    }

    @Test
    void aBatchThatOffsetsCannotAddressIsRefused() {
        assertThatThrownBy(() -> BatchBody.of(List.of(CacheColumn.ROW_ID), 0, new long[1], new long[1]))
                .isInstanceOf(IllegalArgumentException.class);
        CacheColumn text = new CacheColumn("text", DType.STRING, Shape.scalar());
        assertThatThrownBy(() -> BatchBody.of(List.of(text), 1, new long[1], new long[] {1L << 31}))
                .hasMessageContaining("2^31 - 1");
    }

    private CacheLayout read() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            CacheLayout layout = CacheLayout.read(channel, file.toString());
            new CacheVerifier(layout, channel).verifyAll();
            return layout;
        }
    }
}
