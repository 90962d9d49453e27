package io.rankfeed.spark.source.metadata;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.JsonFault;
import io.rankfeed.schema.json.JsonTree;
import io.rankfeed.spark.source.jsonl.ColumnCase;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A metadata JSON, {@code {"metadata": [{"is_correct": true, "difficulty": 7}, …], …}}: what it says of each line of the
 * JSON lines file next to it, in their order. Columns are words of few values, so each is a dictionary and a number a row.
 */
final class MetadataTable implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final String ROWS = "metadata";
    private static final int MAX_CHARS = 40;

    /** {@code -0}: a whole number that keeps its sign in a DOUBLE column. No other value is a Float. */
    private static final Float NEGATIVE_ZERO = -0.0f;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** A column while it grows. */
    private static final class Column implements Serializable {
        private static final long serialVersionUID = 1L;

        final ArrayList<Object> values = new ArrayList<>();
        final HashMap<Object, Integer> numbers = new HashMap<>();
        final int firstRow;

        Column(int firstRow) {
            this.firstRow = firstRow;
        }

        /** 1 + number of the value, 0 for none. */
        int[] ofRow = new int[1024];

        void set(int row, Object value) {
            if (row >= ofRow.length) {
                ofRow = Arrays.copyOf(ofRow, Math.max(row + 1, ofRow.length + (ofRow.length >> 1)));
            }
            ofRow[row] = 1
                    + numbers.computeIfAbsent(value, v -> {
                        values.add(v);
                        return values.size() - 1;
                    });
        }

        @Nullable
        Object at(int row) {
            int number = row < ofRow.length ? ofRow[row] : 0;
            return number == 0 ? null : values.get(number - 1);
        }
    }

    private final String file;
    private final LinkedHashMap<String, Column> columns = new LinkedHashMap<>();
    private final HashMap<String, String> folded = new HashMap<>();
    private final LinkedHashSet<String> firstKeys = new LinkedHashSet<>();
    private String sha256 = "";
    private int rows = -1;

    private MetadataTable(String file) {
        this.file = file;
    }

    /**
     * Reads the file to its end.
     *
     * @throws CorruptDataException if it is no such JSON
     * @throws ConfigException if values of a key differ in kind
     */
    static MetadataTable read(String file, InputStream bytes) {
        MetadataTable table = new MetadataTable(file);
        MessageDigest digest = Sha256.digest();
        try (JsonParser json = JSON.createParser(new DigestInputStream(bytes, digest))) {
            table.document(json);
        } catch (StreamConstraintsException e) {
            throw new CorruptDataException(
                    file, "is larger than JSON is read: " + JsonFault.of(e) + at(e.getLocation()), e);
        } catch (JsonProcessingException e) {
            throw new CorruptDataException(file, "is not JSON: " + JsonFault.of(e) + at(e.getLocation()), e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
        table.sha256 = Sha256.hexOf(digest.digest());
        table.schema();
        return table;
    }

    private static String at(@Nullable JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    int rows() {
        return rows;
    }

    String file() {
        return file;
    }

    String sha256() {
        return sha256;
    }

    Set<String> names() {
        return columns.keySet();
    }

    /** The keys of the first row. */
    Set<String> firstKeys() {
        return firstKeys;
    }

    /** Boolean, Long, BigDecimal, String, the Double -0.0 or {@link #NEGATIVE_ZERO}; null where the row has none. */
    @Nullable
    Object value(String column, int row) {
        Column found = columns.get(column);
        return found == null ? null : found.at(row);
    }

    /** Returns the columns; a column of whole numbers and others is of doubles. */
    StructType schema() {
        StructType schema = new StructType();
        for (Map.Entry<String, Column> column : columns.entrySet()) {
            schema = schema.add(column.getKey(), type(column.getKey(), column.getValue()));
        }
        return schema;
    }

    private DataType type(String name, Column column) {
        List<Class<?>> kinds = new ArrayList<>();
        column.values.stream().map(Object::getClass).distinct().forEach(kinds::add);
        if (kinds.size() == 1) {
            Class<?> kind = kinds.get(0);
            return kind == Boolean.class
                    ? DataTypes.BooleanType
                    : kind == Long.class || kind == Float.class
                            ? DataTypes.LongType
                            : Number.class.isAssignableFrom(kind) ? DataTypes.DoubleType : DataTypes.StringType;
        } else if (kinds.stream().allMatch(kind -> kind == Long.class || kind == Float.class)) {
            return DataTypes.LongType;
        } else if (kinds.stream().allMatch(Number.class::isAssignableFrom)) {
            column.values.stream()
                    .filter(value -> value instanceof Long whole && !isExact(BigDecimal.valueOf(whole)))
                    .findFirst()
                    .ifPresent(whole -> {
                        throw new ConfigException(file + ": '" + name + "' has fractions and the whole number " + whole
                                + ", which no double holds exactly; write the column as strings");
                    });
            return DataTypes.DoubleType;
        }
        throw new ConfigException(file + ": values of '" + name + "' differ in kind: " + column.values.get(0) + " and "
                + column.values.stream()
                        .filter(value ->
                                value.getClass() != column.values.get(0).getClass())
                        .findFirst()
                        .orElseThrow()
                + "; make the file again with one kind");
    }

    private void document(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new CorruptDataException(file, "is not a JSON object with a list '" + ROWS + "'");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = json.currentName().equals(ROWS);
            json.nextToken();
            if (wanted) {
                list(json);
            } else {
                json.skipChildren();
            }
        }
        if (rows < 0) {
            throw new CorruptDataException(file, "has no list '" + ROWS + "'");
        }
        if (json.nextToken() != null) {
            throw new CorruptDataException(file, "has text after its object");
        }
    }

    private void list(JsonParser json) throws IOException {
        rows = 0;
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new CorruptDataException(file, "'" + ROWS + "' is not a list");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new CorruptDataException(file, ROWS + "[" + rows + "] is not an object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (rows == 0) {
                    firstKeys.add(name);
                }
                json.nextToken();
                Object value = scalar(json);
                if (value != null) {
                    columns.computeIfAbsent(name, this::column).set(rows, value);
                }
            }
            rows++;
        }
    }

    private Column column(String name) {
        if (columns.size() == SampleSchema.MAX_FIELDS) {
            throw new CorruptDataException(
                    file,
                    ROWS + "[" + rows + "] has the key '" + shortened(name) + "', one more than the "
                            + SampleSchema.MAX_FIELDS + " different keys that are read; make the file with fewer keys");
        }
        String other = folded.putIfAbsent(ColumnCase.folded(name), name);
        if (other != null) {
            throw new CorruptDataException(
                    file,
                    ROWS + "[" + rows + "] has the key '" + name + "', and " + ROWS + "["
                            + Objects.requireNonNull(columns.get(other)).firstRow + "] has '" + other + "'; "
                            + ColumnCase.REMEDY);
        }
        return new Column(rows);
    }

    /** The key that differs from a column's name only in case. */
    Optional<String> otherCase(String column) {
        return Optional.ofNullable(folded.get(ColumnCase.folded(column))).filter(key -> !key.equals(column));
    }

    /** The number as written. Only a double keeps the sign of -0.0. */
    private Number finite(JsonParser json) throws IOException {
        double value = json.getDoubleValue();
        if (!Double.isFinite(value)) {
            throw damage("'" + shortened(json.getText()) + "' is not a double", json);
        }
        BigDecimal written = json.getDecimalValue();
        return written.signum() == 0 && json.getText().startsWith("-") ? (Number) (-0.0) : written;
    }

    private BigDecimal whole(JsonParser json) throws IOException {
        if (!isExact(json.getDecimalValue())) {
            throw damage("'" + shortened(json.getText()) + "' is a whole number that no double holds exactly", json);
        }
        return json.getDecimalValue();
    }

    private static boolean isExact(BigDecimal whole) {
        double nearest = whole.doubleValue();
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(whole) == 0;
    }

    private static String shortened(String written) {
        return written.length() <= MAX_CHARS ? written : written.substring(0, MAX_CHARS) + "…";
    }

    private String text(JsonParser json) throws IOException {
        String text = json.getText();
        if (JsonTree.hasHalfPair(text)) {
            throw damage("a text has half of a surrogate pair (\\ud800 to \\udfff), which is not a character", json);
        }
        return text;
    }

    private CorruptDataException damage(String what, JsonParser json) {
        return new CorruptDataException(file, ROWS + "[" + rows + "]: " + what + at(json.currentTokenLocation()));
    }

    /** Lists and objects are ignored: no stratum is made of them. */
    private @Nullable Object scalar(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> text(json);
            case VALUE_NUMBER_FLOAT -> finite(json);
            case VALUE_NUMBER_INT ->
                json.getText().equals("-0")
                        ? NEGATIVE_ZERO
                        : json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                                ? (Object) whole(json)
                                : (Object) json.getLongValue();
            default -> {
                json.skipChildren();
                yield null;
            }
        };
    }
}
