package io.rankfeed.export;

import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.KeyEncoding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The golden version's row number n. Readers in any language check it by these formulas: label = n − 50; box[i] = n +
 * i/4; ids = n mod 6 values n·10 + i; text = "row n ✓", empty where n mod 5 = 0; blob = n mod 4 bytes of value n mod
 * 256; score = n/8, absent where n mod 3 = 0; good = n is even; names = n mod 3 texts "n.i ✓"; files absent where n mod
 * 4 = 0, else n mod 4 − 1 items, item i of i bytes of value n mod 256.
 */
record GoldenRow(int n) {
    static final String SOURCE = "samples/part-0.parquet";
    static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("label", DType.INT32, Shape.scalar(), false),
            new Field("box", DType.FLOAT32, Shape.of(2, 3), false),
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), false),
            new Field("text", DType.STRING, Shape.scalar(), false),
            new Field("blob", DType.BINARY, Shape.scalar(), false),
            new Field("score", DType.FLOAT64, Shape.scalar(), true),
            new Field("good", DType.BOOL, Shape.scalar(), false),
            new Field("names", DType.STRING, Shape.of(Shape.VARIABLE), false),
            new Field("files", DType.BINARY, Shape.of(Shape.VARIABLE), true)));

    long rowId() {
        return new KeyEncoding().address(SOURCE, n).rowId();
    }

    List<Float> box() {
        return IntStream.range(0, 6).mapToObj(i -> n + i / 4f).toList();
    }

    List<Integer> ids() {
        return IntStream.range(0, n % 6).mapToObj(i -> n * 10 + i).toList();
    }

    String text() {
        return n % 5 == 0 ? "" : "row " + n + " ✓";
    }

    byte[] blob() {
        byte[] bytes = new byte[n % 4];
        Arrays.fill(bytes, (byte) n);
        return bytes;
    }

    boolean hasScore() {
        return n % 3 != 0;
    }

    double score() {
        return hasScore() ? n / 8.0 : 0;
    }

    List<String> names() {
        return IntStream.range(0, n % 3).mapToObj(i -> n + "." + i + " ✓").toList();
    }

    List<byte[]> files() {
        return IntStream.range(0, Math.max(0, n % 4 - 1))
                .mapToObj(i -> {
                    byte[] file = new byte[i];
                    Arrays.fill(file, (byte) n);
                    return file;
                })
                .toList();
    }

    void writeTo(LaneWriter writer) throws IOException {
        writer.beginRow(rowId(), 0, n);
        writer.putBits(0, n - 50);
        ByteBuffer box = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        box().forEach(box::putFloat);
        writer.putBytes(1, box.array(), 0, 24);
        ByteBuffer ids = ByteBuffer.allocate(4 * (n % 6)).order(ByteOrder.LITTLE_ENDIAN);
        ids().forEach(ids::putInt);
        writer.putBytes(2, ids.array(), 0, ids.capacity());
        byte[] text = text().getBytes(StandardCharsets.UTF_8);
        writer.putBytes(3, text, 0, text.length);
        writer.putBytes(4, blob(), 0, n % 4);
        if (hasScore()) {
            writer.putBits(5, Double.doubleToLongBits(score()));
        } else {
            writer.putMissing(5);
        }
        writer.putBits(6, n % 2 == 0 ? 1 : 0);
        byte[] names = PackedList.of(names().stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toList());
        writer.putBytes(7, names, 0, names.length);
        if (n % 4 == 0) {
            writer.putMissing(8);
        } else {
            byte[] files = PackedList.of(files());
            writer.putBytes(8, files, 0, files.length);
        }
        writer.endRow();
    }
}
