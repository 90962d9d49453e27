package io.rankfeed.export.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.ArrowTable;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Crc32c;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.junit.jupiter.api.Test;

class LaneWriterTest {
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("label", DType.INT32, Shape.scalar(), false),
            new Field("box", DType.FLOAT32, Shape.of(2, 3), false),
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), false),
            new Field("text", DType.STRING, Shape.scalar(), true),
            new Field("score", DType.FLOAT64, Shape.scalar(), true),
            new Field("good", DType.BOOL, Shape.scalar(), false)));

    @Test
    void arrowJavaReadsEveryKindOfColumn() throws IOException {
        ArrowTable table = ArrowTable.read(file(5, 2));

        assertThat(table.batchRows()).containsExactly(2, 2, 1);
        assertThat(table.columns().keySet())
                .containsExactly(
                        "_row_id",
                        "_source",
                        "_source_row",
                        "label",
                        "box",
                        "ids",
                        "text",
                        "text.valid",
                        "score",
                        "score.valid",
                        "good");
        assertThat(table.columns().get("_row_id")).containsExactly(100L, 101L, 102L, 103L, 104L);
        assertThat(table.columns().get("_source")).containsOnly(-1);
        assertThat(table.columns().get("_source_row")).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(table.columns().get("label")).containsExactly(0, -1, -2, -3, -4);
        assertThat(table.columns().get("box").get(3)).isEqualTo(List.of(3f, 4f, 5f, 6f, 7f, 8f));
        assertThat(table.columns().get("ids"))
                .containsExactly(List.of(), List.of(0), List.of(0, 1), List.of(0, 1, 2), List.of(0, 1, 2, 3));
        assertThat(table.columns().get("text").stream().map(Object::toString)).containsExactly("", "ä1", "", "ä3", "");
        assertThat(table.columns().get("text.valid")).containsExactly((byte) 0, (byte) 1, (byte) 0, (byte) 1, (byte) 0);
        assertThat(table.columns().get("score")).containsExactly(0.5, 0.0, 2.5, 0.0, 4.5);
        assertThat(table.columns().get("score.valid"))
                .containsExactly((byte) 1, (byte) 0, (byte) 1, (byte) 0, (byte) 1);
        assertThat(table.columns().get("good")).containsExactly((byte) 1, (byte) 0, (byte) 1, (byte) 0, (byte) 1);
    }

    @Test
    void schema_ofLane_hasDtypesAndShapesAndNoNulls() throws IOException {
        ArrowTable table = ArrowTable.read(file(1, 2));

        assertThat(table.schema().getFields())
                .allSatisfy(field -> assertThat(field.isNullable()).isFalse());
        assertThat(table.schema().findField("box").getMetadata())
                .containsEntry("rankfeed.dtype", "float32")
                .containsEntry("rankfeed.shape", "[2,3]");
        assertThat(table.schema().findField("ids").getMetadata()).containsEntry("rankfeed.shape", "[null]");
        assertThat(table.schema().findField("good").getMetadata())
                .containsEntry("rankfeed.dtype", "bool")
                .containsEntry("rankfeed.shape", "[]");
    }

    @Test
    void file_withoutFooter_isAStream() throws IOException {
        assertThat(ArrowTable.rowsAsStream(file(5, 2))).isEqualTo(5);
    }

    @Test
    void bodiesAndBuffers_lengths_areMultiplesOf64() throws IOException {
        byte[] file = file(7, 3);
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        Footer footer = footer(bytes);

        assertThat(footer.recordBatchesLength()).isEqualTo(3);
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            Block block = footer.recordBatches(i);
            long body = block.offset() + block.metaDataLength();
            assertThat(block.offset() % 64).isZero();
            assertThat(body % 64).isZero();
            assertThat(block.bodyLength() % 64).isZero();
            Message message = Message.getRootAsMessage(bytes.slice((int) block.offset() + 8, block.metaDataLength() - 8)
                    .order(ByteOrder.LITTLE_ENDIAN));
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            assertThat(message.bodyLength()).isEqualTo(block.bodyLength());
            long end = 0;
            for (int b = 0; b < batch.buffersLength(); b++) {
                Buffer buffer = batch.buffers(b);
                assertThat(buffer.offset()).isEqualTo(end);
                assertThat(buffer.length() % 64).isZero();
                end += buffer.length();
            }
            assertThat(end).isEqualTo(block.bodyLength());
        }
    }

    @Test
    void theFooterKeepsTheChecksumOfEachBatch() throws IOException {
        byte[] file = file(7, 3);
        Footer footer = footer(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN));
        List<String> crcs = new ArrayList<>();
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            Block block = footer.recordBatches(i);
            int length = Math.toIntExact(block.metaDataLength() + block.bodyLength());
            crcs.add(HexFormat.of().toHexDigits(Crc32c.of(ByteBuffer.wrap(file, (int) block.offset(), length))));
        }

        assertThat(ArrowTable.read(file).metadata())
                .containsEntry("rankfeed.cache", "1")
                .containsEntry("rankfeed.feed", "train")
                .containsEntry("rankfeed.lane", "3")
                .containsEntry("rankfeed.crc32c", String.join(",", crcs));
    }

    @Test
    void equalRowsGiveEqualBytes() throws IOException {
        assertThat(file(5, 2)).isEqualTo(file(5, 2));
    }

    @Test
    void theLongestValuesAreKnownAtTheEnd() throws IOException {
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "3", SCHEMA, 2), new ByteArrayOutputStream());
        fill(writer, 5);

        assertThat(writer.rows()).isEqualTo(5);
        assertThat(writer.maxLength(1)).isZero();
        assertThat(writer.maxLength(2)).isEqualTo(4);
        assertThat(writer.maxLength(3)).isEqualTo(3);
    }

    @Test
    void aValueOfAnotherLengthIsDamage() throws IOException {
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "3", SCHEMA, 2), new ByteArrayOutputStream());
        writer.beginRow(1, 0, 0);

        assertThatThrownBy(() -> writer.putBytes(1, new byte[23], 0, 23))
                .isInstanceOf(CorruptDataException.class)
                .hasMessage("column 'box': a value of 23 bytes is not a valid float32 [2, 3]: not 24 bytes");
        assertThatThrownBy(() -> writer.putBytes(2, new byte[6], 0, 6))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("not a multiple of 4 bytes");
        assertThatThrownBy(() -> writer.putMissing(0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("column 'label'");
    }

    @Test
    void aRowOfWhichAFieldWasForgottenIsRefused() throws IOException {
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "3", SCHEMA, 2), new ByteArrayOutputStream());
        writer.beginRow(1, 0, 0);
        writer.putBits(0, 7);

        assertThatThrownBy(writer::endRow).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void file_withoutRows_isRefused() throws IOException {
        LaneWriter writer = new LaneWriter(new LaneHeader("train", "3", SCHEMA, 2), new ByteArrayOutputStream());

        assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
    }

    private static byte[] file(int rows, int batchRows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        fill(new LaneWriter(new LaneHeader("train", "3", SCHEMA, batchRows), bytes), rows);
        return bytes.toByteArray();
    }

    private static void fill(LaneWriter writer, int rows) throws IOException {
        for (int row = 0; row < rows; row++) {
            writer.beginRow(100 + row, -1, row);
            writer.putBits(0, -row);
            ByteBuffer box = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 6; i++) {
                box.putFloat(row + i);
            }
            writer.putBytes(1, box.array(), 0, 24);
            ByteBuffer ids = ByteBuffer.allocate(4 * row).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < row; i++) {
                ids.putInt(i);
            }
            writer.putBytes(2, ids.array(), 0, 4 * row);
            if (row % 2 == 1) {
                byte[] text = ("ä" + row).getBytes(StandardCharsets.UTF_8);
                writer.putBytes(3, text, 0, text.length);
                writer.putMissing(4);
            } else {
                writer.putMissing(3);
                writer.putBits(4, Double.doubleToLongBits(row + 0.5));
            }
            writer.putBits(5, row % 2 == 0 ? 1 : 0);
            writer.endRow();
        }
        writer.finish();
    }

    private static Footer footer(ByteBuffer file) {
        int length = file.getInt(file.capacity() - 10);
        return Footer.getRootAsFooter(
                file.slice(file.capacity() - 10 - length, length).order(ByteOrder.LITTLE_ENDIAN));
    }
}
