package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.ReadFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.spark.sql.RowFactory;

/** Tables of drawn values, which Arrow's own library writes. */
final class DrawnArrow implements AutoCloseable {
    static final DictionaryEncoding CITIES = new DictionaryEncoding(7, false, new ArrowType.Int(16, true));

    private final BufferAllocator memory = new RootAllocator();
    private final SplittableRandom random;

    DrawnArrow(long seed) {
        random = new SplittableRandom(seed);
    }

    /** How a table is written. */
    record Form(boolean isFile, CodecType codec) {
        static List<Form> all() {
            List<Form> forms = new ArrayList<>();
            for (CodecType codec : List.of(CodecType.NO_COMPRESSION, CodecType.LZ4_FRAME, CodecType.ZSTD)) {
                forms.add(new Form(true, codec));
                forms.add(new Form(false, codec));
            }
            return forms;
        }
    }

    /** @param rows their values, {@link ReadFile#comparable} */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Table(byte[] bytes, List<List<Object>> rows) {}

    static Field field(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.nullable(type), List.of(children));
    }

    /** A field of each type that is read. */
    static List<Field> everyType() {
        List<Field> fields = new ArrayList<>();
        for (int bits = 8; bits <= 64; bits *= 2) {
            fields.add(field("int" + bits, new ArrowType.Int(bits, true)));
            fields.add(field("uint" + bits, new ArrowType.Int(bits, false)));
        }
        fields.add(field("bool", ArrowType.Bool.INSTANCE));
        fields.add(field("float", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)));
        fields.add(field("double", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)));
        fields.add(field("string", ArrowType.Utf8.INSTANCE));
        fields.add(field("large string", ArrowType.LargeUtf8.INSTANCE));
        fields.add(field("binary", ArrowType.Binary.INSTANCE));
        fields.add(field("large binary", ArrowType.LargeBinary.INSTANCE));
        fields.add(field("fixed", new ArrowType.FixedSizeBinary(3)));
        fields.add(field("date", new ArrowType.Date(org.apache.arrow.vector.types.DateUnit.DAY)));
        fields.add(field("decimal", new ArrowType.Decimal(30, 4, 128)));
        for (TimeUnit unit : TimeUnit.values()) {
            fields.add(field("local " + unit, new ArrowType.Timestamp(unit, null)));
            fields.add(field("instant " + unit, new ArrowType.Timestamp(unit, "UTC")));
        }
        Field string = field("item", ArrowType.Utf8.INSTANCE);
        fields.add(field("list", ArrowType.List.INSTANCE, field("item", ArrowType.List.INSTANCE, string)));
        fields.add(field("large list", ArrowType.LargeList.INSTANCE, string));
        fields.add(field("fixed list", new ArrowType.FixedSizeList(2), string));
        Field number = field("n", new ArrowType.Int(32, true));
        fields.add(field("struct", ArrowType.Struct.INSTANCE, number, field("s", ArrowType.List.INSTANCE, string)));
        Field key = new Field("key", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null);
        Field entry = new Field("entries", FieldType.notNullable(ArrowType.Struct.INSTANCE), List.of(key, number));
        fields.add(field("map", new ArrowType.Map(false), entry));
        fields.add(field("null", ArrowType.Null.INSTANCE));
        fields.add(new Field("city", new FieldType(true, CITIES.getIndexType(), CITIES), null));
        return fields;
    }

    /** Writes record batches of some lengths. */
    Table write(Form form, List<Field> fields, int... batches) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), memory);
                MapDictionaryProvider dictionaries = new MapDictionaryProvider(cities());
                ArrowWriter writer = writer(form, root, dictionaries, Channels.newChannel(bytes))) {
            for (int length : batches) {
                root.allocateNew();
                for (int row = 0; row < length; row++) {
                    List<Object> values = new ArrayList<>();
                    for (FieldVector vector : root.getFieldVectors()) {
                        values.add(ReadFile.comparable(set(vector, row)));
                    }
                    rows.add(values);
                }
                root.setRowCount(length);
                writer.writeBatch();
            }
            writer.end();
        }
        return new Table(bytes.toByteArray(), rows);
    }

    private static ArrowWriter writer(
            Form form, VectorSchemaRoot root, MapDictionaryProvider dictionaries, WritableByteChannel out) {
        CompressionCodec.Factory codecs = form.codec() == CodecType.NO_COMPRESSION
                ? NoCompressionCodec.Factory.INSTANCE
                : CommonsCompressionFactory.INSTANCE;
        return form.isFile()
                ? new ArrowFileWriter(root, dictionaries, out, Map.of(), IpcOption.DEFAULT, codecs, form.codec())
                : new ArrowStreamWriter(root, dictionaries, out, IpcOption.DEFAULT, codecs, form.codec());
    }

    private Dictionary cities() {
        VarCharVector cities = new VarCharVector("cities", memory);
        for (int i = 0; i < 3; i++) {
            cities.setSafe(i, city(i).getBytes(StandardCharsets.UTF_8));
        }
        cities.setValueCount(3);
        return new Dictionary(cities, CITIES);
    }

    private static String city(int index) {
        return "city " + "é".repeat(index);
    }

    /** Sets a value of a vector to a drawn one, and returns what it is in Spark. */
    private Object set(FieldVector vector, int row) {
        boolean isNull = vector.getField().isNullable() && random.nextInt(5) == 0;
        if (vector instanceof NullVector || (isNull && !(vector instanceof FixedSizeListVector))) {
            vector.setNull(row);
            return null;
        } else if (vector.getField().getDictionary() != null) {
            ((BaseIntVector) vector).setWithPossibleTruncate(row, row % 3);
            return city(row % 3);
        } else if (vector instanceof BaseVariableWidthVector || vector instanceof BaseLargeVariableWidthVector) {
            return variable(vector, row);
        } else if (vector instanceof BaseFixedWidthVector fixed) {
            return fixed(fixed, vector.getField().getType(), row);
        } else if (vector instanceof MapVector map) {
            int from = map.startNewValue(row);
            Map<Object, Object> entries = new LinkedHashMap<>();
            StructVector entry = (StructVector) map.getDataVector();
            for (int i = 0; i < 2; i++) {
                entry.setIndexDefined(from + i);
                ((VarCharVector) entry.getChildByOrdinal(0)).setSafe(from + i, new byte[] {(byte) ('a' + i)});
                entries.put("" + (char) ('a' + i), set((FieldVector) entry.getChildByOrdinal(1), from + i));
            }
            map.endValue(row, 2);
            return entries;
        } else if (vector instanceof ListVector list) {
            Object[] items = items(list.getDataVector(), list.startNewValue(row), random.nextInt(4));
            list.endValue(row, items.length);
            return items;
        } else if (vector instanceof LargeListVector list) {
            Object[] items = items(list.getDataVector(), (int) list.startNewValue(row), random.nextInt(4));
            list.endValue(row, items.length);
            return items;
        } else if (vector instanceof FixedSizeListVector list) {
            return items(list.getDataVector(), list.startNewValue(row), list.getListSize());
        }
        StructVector struct = (StructVector) vector;
        struct.setIndexDefined(row);
        return RowFactory.create(struct.getChildrenFromFields().stream()
                .map(child -> set(child, row))
                .toArray());
    }

    private Object[] items(FieldVector items, int from, int count) {
        Object[] values = new Object[count];
        Arrays.setAll(values, i -> set(items, from + i));
        return values;
    }

    private Object variable(FieldVector vector, int row) {
        boolean isText = vector.getField().getType() instanceof ArrowType.Utf8
                || vector.getField().getType() instanceof ArrowType.LargeUtf8;
        String text = "ab漢😀".substring(0, new int[] {0, 1, 3, 5}[random.nextInt(4)]);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (vector instanceof BaseVariableWidthVector small) {
            small.setSafe(row, bytes);
        } else {
            ((BaseLargeVariableWidthVector) vector).setSafe(row, bytes);
        }
        return isText ? text : bytes;
    }

    private Object fixed(BaseFixedWidthVector vector, ArrowType type, int row) {
        long number = random.nextLong();
        if (vector instanceof BitVector bits) {
            bits.setSafe(row, (int) (number & 1));
            return (number & 1) == 1;
        } else if (vector instanceof Float4Vector floats) {
            floats.setSafe(row, number / 7f);
            return number / 7f;
        } else if (vector instanceof Float8Vector doubles) {
            doubles.setSafe(row, number / 7d);
            return number / 7d;
        } else if (vector instanceof FixedSizeBinaryVector bytes) {
            byte[] value = {(byte) number, (byte) (number >> 8), 0};
            bytes.setSafe(row, value);
            return value;
        } else if (vector instanceof DecimalVector decimals) {
            BigDecimal value = BigDecimal.valueOf(number, 4);
            decimals.setSafe(row, value);
            return value;
        }
        while (vector.getValueCapacity() <= row) {
            vector.reAlloc();
        }
        int bytes = vector.getTypeWidth();
        long value = type instanceof ArrowType.Timestamp ? number % 8_000_000_000_000_000L / 1000 * 1000 : number;
        if (type instanceof ArrowType.Timestamp timestamp && timestamp.getUnit() == TimeUnit.SECOND) {
            value /= 1_000_000;
        }
        vector.setIndexDefined(row);
        if (bytes == 8) {
            vector.getDataBuffer().setLong(8L * row, value);
        } else if (bytes == 4) {
            vector.getDataBuffer().setInt(4L * row, (int) value);
        } else if (bytes == 2) {
            vector.getDataBuffer().setShort(2L * row, (short) value);
        } else {
            vector.getDataBuffer().setByte(row, (byte) value);
        }
        return inSpark(type, value);
    }

    private static Object inSpark(ArrowType type, long value) {
        if (type instanceof ArrowType.Date) {
            int days = (int) value;
            return LocalDate.ofEpochDay(days);
        } else if (type instanceof ArrowType.Timestamp timestamp) {
            ChronoUnit unit =
                    switch (timestamp.getUnit()) {
                        case SECOND -> ChronoUnit.SECONDS;
                        case MILLISECOND -> ChronoUnit.MILLIS;
                        case MICROSECOND -> ChronoUnit.MICROS;
                        case NANOSECOND -> ChronoUnit.NANOS;
                    };
            Instant instant = Instant.EPOCH.plus(value, unit);
            return timestamp.getTimezone() == null ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC) : instant;
        }
        ArrowType.Int number = (ArrowType.Int) type;
        BigInteger unsigned = BigInteger.valueOf(value).mod(BigInteger.TWO.pow(number.getBitWidth()));
        return switch (number.getBitWidth() + (number.getIsSigned() ? 0 : 1)) {
            case 8 -> (byte) value;
            case 16 -> (short) value;
            case 32 -> (int) value;
            case 64 -> value;
            case 9 -> unsigned.shortValueExact();
            case 17 -> unsigned.intValueExact();
            case 33 -> unsigned.longValueExact();
            default -> new BigDecimal(unsigned);
        };
    }

    @Override
    public void close() {
        memory.close();
    }
}
