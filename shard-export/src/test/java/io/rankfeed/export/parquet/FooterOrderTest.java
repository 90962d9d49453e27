package io.rankfeed.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FooterOrderTest {
    private static final MessageType SCHEMA =
            MessageTypeParser.parseMessageType("message m { optional int32 a; optional binary b (UTF8); }");

    @TempDir
    Path folder;

    @Test
    void footer_anyOrder_hasTheBytesOfTheSortedOne() throws IOException {
        Path written = write();
        Path reversed = folder.resolve("reversed.parquet");
        Files.write(reversed, withReversedEncodings(Files.readAllBytes(written)));
        FooterOrder.sort(written, Files.size(written));
        byte[] sorted = Files.readAllBytes(written);
        FooterOrder.sort(reversed, Files.size(reversed));

        assertThat(Files.readAllBytes(reversed)).isEqualTo(sorted);
        for (ColumnChunk chunk : metadata(sorted).getRow_groups().get(0).getColumns()) {
            List<Encoding> encodings = chunk.getMeta_data().getEncodings();
            assertThat(encodings).hasSizeGreaterThan(1).isSorted();
        }
    }

    private Path write() throws IOException {
        Path file = folder.resolve("written.parquet");
        try (OutputStream out = Files.newOutputStream(file);
                ParquetWriter<Group> writer = ExampleParquetWriter.builder(new ParquetStream(out))
                        .withType(SCHEMA)
                        .build()) {
            SimpleGroupFactory rows = new SimpleGroupFactory(SCHEMA);
            for (int i = 0; i < 10; i++) {
                writer.write(rows.newGroup().append("a", i % 3).append("b", "b" + i % 2));
            }
        }
        return file;
    }

    private static byte[] withReversedEncodings(byte[] file) throws IOException {
        FileMetaData metadata = metadata(file);
        metadata.getRow_groups().get(0).getColumns().forEach(chunk -> {
            chunk.getMeta_data().getEncodings().sort(null);
            Collections.reverse(chunk.getMeta_data().getEncodings());
        });
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        byte[] changed = file.clone();
        System.arraycopy(footer.toByteArray(), 0, changed, file.length - 8 - footer.size(), footer.size());
        return changed;
    }

    private static FileMetaData metadata(byte[] file) throws IOException {
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        return Util.readFileMetaData(
                new ByteArrayInputStream(Arrays.copyOfRange(file, file.length - 8 - length, file.length - 8)));
    }
}
