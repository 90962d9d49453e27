package io.rankfeed.spark.blocks;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The tables that row groups are compared with blocks with. Each row is a function of its number alone. */
@SuppressWarnings("ImmutableEnumChecker") // nobody adds to the schemas
enum BlockTable {
    PRODUCTS(
            5_000,
            new StructType()
                    .add("title", DataTypes.StringType)
                    .add("price", DataTypes.DoubleType)
                    .add("image", DataTypes.BinaryType)) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            return new Object[] {"product " + id % 900, random.nextInt(10_000) / 100.0, jpeg(random)};
        }
    },
    TOKENS(
            1_350,
            new StructType()
                    .add("input_ids", DataTypes.createArrayType(DataTypes.IntegerType, false))
                    .add("is_correct", DataTypes.BooleanType)) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            int[] tokens = new int[256 + random.nextInt(513)];
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = (int) (50_000 * Math.pow(random.nextDouble(), 4));
            }
            return new Object[] {tokens, random.nextBoolean()};
        }
    },
    NARROW(
            44,
            new StructType()
                    .add("shop", DataTypes.IntegerType)
                    .add("price", DataTypes.DoubleType)
                    .add("weight", DataTypes.DoubleType)
                    .add("handle", DataTypes.StringType)) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            String handle = Long.toHexString(random.nextLong());
            return new Object[] {random.nextInt(1000), random.nextDouble(), random.nextDouble(), handle};
        }
    },
    WIDE(5_400, wide()) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            return IntStream.range(0, COLUMNS)
                    .mapToObj(c -> c % 2 == 0 ? (Object) random.nextDouble() : random.nextLong(1L << (c / 10)))
                    .toArray();
        }
    },
    LARGE(2_000_000, new StructType().add("scan", DataTypes.BinaryType)) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            return new Object[] {noise(random, 1_000_000 + random.nextInt(2_000_000))};
        }
    },
    SKEWED(950, new StructType().add("kind", DataTypes.IntegerType).add("blob", DataTypes.BinaryType)) {
        @Override
        Object[] values(SplittableRandom random, long id) {
            int length = (int) Math.min(700_000, 150 / Math.pow(1 - random.nextDouble(), 0.9));
            return new Object[] {random.nextInt(7), noise(random, length)};
        }
    };

    private static final int COLUMNS = 600;

    private final int bytesPerRow;
    private final StructType columns;

    BlockTable(int bytesPerRow, StructType columns) {
        this.bytesPerRow = bytesPerRow;
        this.columns = columns;
    }

    abstract Object[] values(SplittableRandom random, long id);

    /** About so many bytes of it, once encoded, in {@code files} files. */
    Dataset<Row> of(SparkSession spark, long bytes, int files) {
        StructType schema = new StructType().add("id", DataTypes.LongType);
        for (var field : columns.fields()) {
            schema = schema.add(field);
        }
        return spark.range(0, bytes / bytesPerRow, 1, files)
                .map((MapFunction<Long, Row>) this::row, Encoders.row(schema));
    }

    private Row row(long id) {
        Object[] values = values(new SplittableRandom(id), id);
        Object[] row = new Object[values.length + 1];
        row[0] = id;
        System.arraycopy(values, 0, row, 1, values.length);
        return RowFactory.create(row);
    }

    private static StructType wide() {
        StructType columns = new StructType();
        for (int c = 0; c < 600; c++) {
            columns = columns.add("c" + c, c % 2 == 0 ? DataTypes.DoubleType : DataTypes.LongType);
        }
        return columns;
    }

    private static byte[] noise(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] jpeg(SplittableRandom random) {
        int side = 40 + random.nextInt(90);
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        int color = random.nextInt();
        int[] pixels = IntStream.range(0, side * side)
                .map(i -> (color + i * 3) ^ random.nextInt(0x404040))
                .toArray();
        image.setRGB(0, 0, side, side, pixels, 0, side);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "jpeg", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
