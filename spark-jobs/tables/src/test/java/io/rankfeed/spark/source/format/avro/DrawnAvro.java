package io.rankfeed.spark.source.format.avro;

import io.rankfeed.spark.source.format.ReadFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.spark.sql.RowFactory;

/** Tables of drawn values, which Avro's own library writes. */
final class DrawnAvro {
    /** A field of each type that is read, and a few that are not. */
    static final String FIELDS = """
            {"name": "boolean", "type": "boolean"}, {"name": "int", "type": ["null", "int"]},
            {"name": "long", "type": "long"}, {"name": "float", "type": ["float", "null"]},
            {"name": "double", "type": "double"}, {"name": "string", "type": ["null", "string"]},
            {"name": "bytes", "type": "bytes"}, {"name": "null", "type": "null"},
            {"name": "enum", "type": {"type": "enum", "name": "E", "symbols": ["A", "B", "C"]}},
            {"name": "fixed", "type": {"type": "fixed", "name": "F", "size": 3}},
            {"name": "either", "type": ["null", "int", "string"]},
            {"name": "array", "type": {"type": "array", "items": ["null", "string"]}},
            {"name": "map", "type": ["null", {"type": "map", "values": "long"}]},
            {"name": "record", "type": {"type": "record", "name": "R", "fields": [
                {"name": "n", "type": "int"}, {"name": "a", "type": {"type": "array", "items": "float"}}]}},
            {"name": "records", "type": {"type": "array", "items": "R"}},
            {"name": "tree", "type": ["null", {"type": "record", "name": "Tree", "fields": [
                {"name": "down", "type": ["null", "Tree"]}]}]},
            {"name": "date", "type": {"type": "int", "logicalType": "date"}},
            {"name": "time-millis", "type": {"type": "int", "logicalType": "time-millis"}},
            {"name": "time-micros", "type": {"type": "long", "logicalType": "time-micros"}},
            {"name": "timestamp-millis", "type": {"type": "long", "logicalType": "timestamp-millis"}},
            {"name": "timestamp-micros", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
            {"name": "local-millis", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
            {"name": "local-micros", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
            {"name": "uuid", "type": {"type": "string", "logicalType": "uuid"}},
            {"name": "decimal", "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 3}},
            {"name": "fixed decimal", "type":
                {"type": "fixed", "name": "D", "size": 9, "logicalType": "decimal", "precision": 20, "scale": 3}}""";

    private final SplittableRandom random;

    DrawnAvro(long seed) {
        random = new SplittableRandom(seed);
    }

    /** @param rows the values of columns that have a type, {@link ReadFile#comparable} */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Table(byte[] bytes, List<List<Object>> rows) {}

    static Schema schema(String fields) {
        return new Schema.Parser(org.apache.avro.NameValidator.NO_VALIDATION)
                .parse("{\"type\": \"record\", \"name\": \"Row\", \"fields\": [" + fields + "]}");
    }

    /** Writes blocks of some lengths. */
    Table write(String codec, Schema schema, int... blocks) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(CodecFactory.fromString(codec));
            writer.create(schema, bytes);
            for (int length : blocks) {
                for (int i = 0; i < length; i++) {
                    GenericRecord record = new GenericData.Record(schema);
                    List<Object> values = new ArrayList<>();
                    for (Schema.Field field : schema.getFields()) {
                        Drawn drawn = draw(field.schema(), 0);
                        record.put(field.pos(), drawn.avro());
                        if (AvroTypes.inSpark(field.schema()) != null) {
                            values.add(ReadFile.comparable(drawn.spark()));
                        }
                    }
                    writer.append(record);
                    rows.add(values);
                }
                writer.sync();
            }
        }
        return new Table(bytes.toByteArray(), rows);
    }

    private record Drawn(Object avro, Object spark) {
        Drawn(Object both) {
            this(both, both);
        }
    }

    private Drawn draw(Schema schema, int depth) {
        long number = random.nextLong();
        String logical =
                schema.getLogicalType() == null ? "" : schema.getLogicalType().getName();
        return switch (schema.getType()) {
            case NULL -> new Drawn(null);
            case BOOLEAN -> new Drawn(number > 0);
            case INT -> integer(logical, (int) number);
            case LONG -> time(logical, number >> random.nextInt(60));
            case FLOAT -> new Drawn(number / 7f);
            case DOUBLE -> new Drawn(number / 7d);
            case STRING -> new Drawn("ab漢😀".substring(0, new int[] {0, 1, 3, 5}[random.nextInt(4)]));
            case BYTES, FIXED -> binary(schema, logical, number);
            case ENUM -> {
                String symbol = schema.getEnumSymbols().get(random.nextInt(3));
                yield new Drawn(new GenericData.EnumSymbol(schema, symbol), symbol);
            }
            case UNION ->
                draw(
                        schema.getTypes()
                                .get(
                                        depth > 3
                                                ? 0
                                                : random.nextInt(
                                                        schema.getTypes().size())),
                        depth);
            case ARRAY -> {
                List<Drawn> items = drawn(schema.getElementType(), random.nextInt(4), depth);
                yield new Drawn(
                        items.stream().map(Drawn::avro).toList(),
                        items.stream().map(Drawn::spark).toArray());
            }
            case MAP -> {
                Map<String, Object> avro = new LinkedHashMap<>();
                Map<String, Object> spark = new LinkedHashMap<>();
                for (Drawn value : drawn(schema.getValueType(), random.nextInt(4), depth)) {
                    String key = "k" + avro.size();
                    avro.put(key, value.avro());
                    spark.put(key, value.spark());
                }
                yield new Drawn(avro, spark);
            }
            case RECORD -> {
                GenericRecord avro = new GenericData.Record(schema);
                Object[] spark = new Object[schema.getFields().size()];
                for (Schema.Field field : schema.getFields()) {
                    Drawn value = draw(field.schema(), depth + 1);
                    avro.put(field.pos(), value.avro());
                    spark[field.pos()] = value.spark();
                }
                yield new Drawn(avro, RowFactory.create(spark));
            }
        };
    }

    private List<Drawn> drawn(Schema schema, int count, int depth) {
        List<Drawn> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(draw(schema, depth));
        }
        return values;
    }

    private static Drawn integer(String logical, int number) {
        return new Drawn(number, logical.equals("date") ? LocalDate.ofEpochDay(number) : (Object) number);
    }

    private static Drawn time(String logical, long number) {
        if (!logical.contains("timestamp")) {
            return new Drawn(number);
        }
        long value = number % 8_000_000_000_000_000L;
        Instant instant = Instant.EPOCH.plus(value, logical.endsWith("millis") ? ChronoUnit.MILLIS : ChronoUnit.MICROS);
        return new Drawn(
                value, logical.startsWith("local") ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC) : instant);
    }

    private static Drawn binary(Schema schema, String logical, long number) {
        boolean isFixed = schema.getType() == Schema.Type.FIXED;
        byte[] bytes = new byte[isFixed ? schema.getFixedSize() : 8];
        ByteBuffer.allocate(Long.BYTES)
                .putLong(number)
                .get(0, bytes, Math.max(0, bytes.length - 8), Math.min(8, bytes.length));
        if (bytes.length > 8) {
            bytes[0] = (byte) (number < 0 ? -1 : 0);
        }
        return new Drawn(
                isFixed ? new GenericData.Fixed(schema, bytes) : ByteBuffer.wrap(bytes),
                logical.equals("decimal") ? BigDecimal.valueOf(number, 3) : bytes);
    }
}
