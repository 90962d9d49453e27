package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.plain.PlainValuesWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

class PlainNumbersTest {
    private static final long SEED = 9;

    @Test
    void numbersAreTheBytesThatTheLibraryWritesPageAfterPage() throws IOException {
        Random random = new Random(SEED);
        try (ValuesWriter library = new PlainValuesWriter(64, 1 << 20, new HeapByteBufferAllocator());
                ValuesWriter ours = new PlainNumbers()) {
            for (int page = 0; page < 5; page++) {
                int count = random.nextInt(10_000);
                for (int i = 0; i < count; i++) {
                    writeOne(random, library, ours);
                }
                assertThat(ours.getBufferedSize()).isEqualTo(library.getBufferedSize());
                assertThat(bytes(ours)).isEqualTo(bytes(library));
                assertThat(ours.getEncoding()).isEqualTo(library.getEncoding());
                library.reset();
                ours.reset();
            }
        }
    }

    @Test
    void onlyColumnsOfNumbersWithoutADictionaryHaveThem() {
        MessageType schema = MessageTypeParser.parseMessageType(
                "message m { optional int64 plain; optional int64 repeats; optional binary text; optional boolean flag; }");
        ParquetProperties properties = ParquetProperties.builder()
                .withDictionaryEncoding("plain", false)
                .withDictionaryEncoding("text", false)
                .withValuesWriterFactory(new PlainNumbers.Factory())
                .build();
        for (ColumnDescriptor column : schema.getColumns()) {
            try (ValuesWriter writer = properties.newValuesWriter(column)) {
                assertThat(writer instanceof PlainNumbers)
                        .as("%s", column)
                        .isEqualTo(column.getPath()[0].equals("plain"));
            }
        }
    }

    private static byte[] bytes(ValuesWriter writer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.getBytes().writeAllTo(out);
        return out.toByteArray();
    }

    private static void writeOne(Random random, ValuesWriter... writers) {
        int kind = random.nextInt(4);
        long bits = random.nextLong();
        for (ValuesWriter writer : writers) {
            switch (kind) {
                case 0 -> writer.writeInteger((int) bits);
                case 1 -> writer.writeLong(bits);
                case 2 -> writer.writeFloat(Float.intBitsToFloat((int) bits));
                default -> writer.writeDouble(Double.longBitsToDouble(bits));
            }
        }
    }
}
