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
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** Copies a Parquet file without references to its page index, as Arrow's writer makes it by default. */
final class WithoutPageIndex {
    /** The length of the footer, then the magic. */
    private static final int TRAILER_BYTES = 8;

    private WithoutPageIndex() {}

    /** @param whole whether all column chunks lose their page index; otherwise the first one, and half of the others */
    static void copy(Path from, Path to, boolean whole, Random random) throws IOException {
        byte[] bytes = Files.readAllBytes(from);
        int end = bytes.length - TRAILER_BYTES;
        int start = end - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, end - start));
        boolean isFirst = true;
        for (RowGroup group : footer.getRow_groups()) {
            for (ColumnChunk chunk : group.getColumns()) {
                if (!isFirst && !whole && random.nextBoolean()) {
                    continue;
                }
                isFirst = false;
                chunk.unsetOffset_index_offset();
                chunk.unsetOffset_index_length();
                chunk.unsetColumn_index_offset();
                chunk.unsetColumn_index_length();
            }
        }
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
}
