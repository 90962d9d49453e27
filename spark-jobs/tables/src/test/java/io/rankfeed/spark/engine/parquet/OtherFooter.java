package io.rankfeed.spark.engine.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** Copies a Parquet file with another footer. */
final class OtherFooter {
    /** The length of the footer, then the magic. */
    private static final int TRAILER_BYTES = 8;

    private OtherFooter() {}

    static void copy(Path from, Path to, Consumer<FileMetaData> change) throws IOException {
        byte[] bytes = Files.readAllBytes(from);
        int end = bytes.length - TRAILER_BYTES;
        int start = end - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, end - start));
        change.accept(footer);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        copy.write(bytes, 0, start);
        Util.writeFileMetaData(footer, copy);
        byte[] length = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(copy.size() - start)
                .array();
        copy.write(length);
        copy.write(Arrays.copyOfRange(bytes, bytes.length - Integer.BYTES, bytes.length));
        Files.write(to, copy.toByteArray());
    }

    /** No references to a page index, as Arrow's writer makes footers by default. */
    static void withoutPageIndex(FileMetaData footer) {
        footer.getRow_groups().forEach(group -> group.getColumns().forEach(OtherFooter::withoutPageIndex));
    }

    /** Without those of the first column chunk and of about half of the others. */
    static Consumer<FileMetaData> withoutSomePageIndexes(Random random) {
        return footer -> {
            withoutPageIndex(footer.getRow_groups().get(0).getColumns().get(0));
            for (RowGroup group : footer.getRow_groups()) {
                group.getColumns().stream()
                        .filter(chunk -> random.nextBoolean())
                        .forEach(OtherFooter::withoutPageIndex);
            }
        };
    }

    private static void withoutPageIndex(ColumnChunk chunk) {
        chunk.unsetOffset_index_offset();
        chunk.unsetOffset_index_length();
        chunk.unsetColumn_index_offset();
        chunk.unsetColumn_index_length();
    }
}
