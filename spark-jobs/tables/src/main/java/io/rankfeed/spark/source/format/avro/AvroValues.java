package io.rankfeed.spark.source.format.avro;

import io.rankfeed.spark.source.format.BadValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Decodes the values of a block in their order. */
final class AvroValues {
    private static final int MAX_DEPTH = 500;
    /** The maximum number of items without bytes, so that a corrupted count does not allocate memory. */
    private static final int MAX_WITHOUT_BYTES = 1 << 24;

    private final AvroBytes in;
    private int depth;
    private long withoutBytes;

    AvroValues(AvroBytes in) {
        this.in = in;
    }

    /** Reads a value whose schema has a type in Spark. A value of a union that has none is skipped and null. */
    @Nullable
    Object read(Schema schema) {
        LogicalType logical = schema.getLogicalType();
        return switch (schema.getType()) {
            case NULL -> null;
            case BOOLEAN -> in.readBoolean();
            case INT -> logical instanceof LogicalTypes.Date ? LocalDate.ofEpochDay(in.readInt()) : in.readInt();
            case LONG -> time(in.readLong(), logical);
            case FLOAT -> in.readFloat();
            case DOUBLE -> in.readDouble();
            case STRING -> in.readString();
            case ENUM -> schema.getEnumSymbols().get(index(schema.getEnumSymbols(), "symbols"));
            case BYTES -> bytes(in.readBytes(), logical);
            case FIXED -> bytes(in.readFixed(schema.getFixedSize()), logical);
            case UNION -> read(schema.getTypes().get(index(schema.getTypes(), "types")));
            case ARRAY -> nested(() -> array(schema.getElementType()));
            case MAP -> nested(() -> map(schema.getValueType()));
            case RECORD -> nested(() -> record(schema));
        };
    }

    private interface Reader {
        Object read();
    }

    /** Values of a recursive record may be nested as deep as a block is long. */
    private Object nested(Reader reader) {
        if (depth == MAX_DEPTH) {
            throw BadValue.unsupported("values are nested more than " + MAX_DEPTH + " deep");
        }
        depth++;
        Object value = reader.read();
        depth--;
        return value;
    }

    private int index(List<?> list, String what) {
        int index = in.readInt();
        if (index < 0 || index >= list.size()) {
            throw BadValue.damaged("number " + index + " of " + list.size() + " " + what);
        }
        return index;
    }

    private @Nullable Object[] array(Schema items) {
        List<@Nullable Object> values = new ArrayList<>();
        for (long count = in.readCount(); count > 0; count = in.readCount()) {
            for (long i = 0; i < count; i++) {
                int before = in.position();
                values.add(read(items));
                if (in.position() == before && ++withoutBytes > MAX_WITHOUT_BYTES) {
                    throw BadValue.damaged("an array of " + count + " items without bytes");
                }
            }
        }
        return values.toArray();
    }

    /** Spark takes maps of Scala alone. */
    private Object map(Schema items) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (long count = in.readCount(); count > 0; count = in.readCount()) {
            for (long i = 0; i < count; i++) {
                String key = in.readString();
                if (values.containsKey(key)) {
                    throw BadValue.damaged("duplicate key '" + key + "' in a map");
                }
                values.put(key, read(items));
            }
        }
        return CollectionConverters.asScala(values);
    }

    private Object record(Schema schema) {
        @Nullable Object[] values = new Object[schema.getFields().size()];
        for (Field field : schema.getFields()) {
            values[field.pos()] = read(field.schema());
        }
        return RowFactory.create(values);
    }

    private static Object time(long value, @Nullable LogicalType logical) {
        if (logical instanceof LogicalTypes.TimestampMillis) {
            return Instant.EPOCH.plus(micros(value), ChronoUnit.MICROS);
        } else if (logical instanceof LogicalTypes.TimestampMicros) {
            return Instant.EPOCH.plus(value, ChronoUnit.MICROS);
        } else if (logical instanceof LogicalTypes.LocalTimestampMillis) {
            return local(micros(value));
        }
        return logical instanceof LogicalTypes.LocalTimestampMicros ? local(value) : (Object) value;
    }

    private static LocalDateTime local(long micros) {
        return LocalDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    }

    private static long micros(long millis) {
        try {
            return Math.multiplyExact(millis, 1000);
        } catch (ArithmeticException e) {
            throw BadValue.damaged("timestamp of " + millis + " ms is out of range");
        }
    }

    private static Object bytes(byte[] bytes, @Nullable LogicalType logical) {
        if (!(logical instanceof LogicalTypes.Decimal type)) {
            return bytes;
        } else if (bytes.length == 0) {
            throw BadValue.damaged("a decimal of 0 bytes");
        }
        BigDecimal decimal = new BigDecimal(new BigInteger(bytes), type.getScale());
        if (decimal.precision() > type.getPrecision()) {
            throw BadValue.damaged("a decimal has more than " + type.getPrecision() + " digits");
        }
        return decimal;
    }
}
