package io.rankfeed.export.format.store;

import io.rankfeed.export.format.DrawnRows;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.WrittenSet;
import io.rankfeed.schema.SampleSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sets of chosen rows, and their files. */
final class StoreFiles {
    static final long FIRST_ID = 1000;

    private StoreFiles() {}

    /** Rows with these values and consecutive ids. */
    static DrawnRows rows(SampleSchema schema, List<List<byte @Nullable []>> values) {
        return new DrawnRows(
                schema,
                LongStream.range(FIRST_ID, FIRST_ID + values.size()).boxed().toList(),
                values);
    }

    static void write(Format format, DrawnRows rows, FormatOptions options, Path root) throws IOException {
        write(format, rows, Math.max(1, rows.ids().size()), options, root);
    }

    static void write(Format format, DrawnRows rows, long partRows, FormatOptions options, Path root)
            throws IOException {
        WrittenSet.of(format, WrittenSet.set(rows, partRows, options), rows)
                .files()
                .copyTo(root);
    }

    static byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    static byte[] floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }
}
