package io.rankfeed.spark.init;

import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageBytes;
import io.rankfeed.schema.image.ImageHeader;
import io.rankfeed.spark.engine.Columns;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;

/**
 * A column of the table in the draft's query.
 *
 * @param name in the prepared table
 * @param expression in SQL; empty if the column is left out
 * @param use what the draft makes of it
 */
record DraftColumn(ColumnProfile profile, String name, String expression, Use use) {
    /** The use of a column in a job. */
    enum Use {
        PLAIN,
        TEXT,
        LABEL,
        IMAGE,
        LEFT_OUT
    }

    private static final int MAX_NAME_CHARS = 50;
    private static final String NOT_NAMES =
            "(?i)_?row_id|_source|_source_row|_checksum|_member|__rf_.*|true|false|null|current_path";

    private static final int TEXT_CHARS = 32;
    private static final int MAX_LABELS = 1000;
    private static final int MAX_LABEL_CHARS = 200;
    private static final int ROWS_PER_LABEL = 5;

    /** @param rows of the profile */
    static DraftColumn of(ColumnProfile profile, long rows, boolean isKeyOrSplit) {
        String name = name(profile.name());
        String column = Columns.quoted(profile.name());
        DataType type = profile.type();
        String image = image(profile, column);
        if (!image.isEmpty()) {
            return new DraftColumn(profile, name, image, Use.IMAGE);
        } else if (type.equals(DataTypes.StringType)) {
            return new DraftColumn(profile, name, column, isKeyOrSplit ? Use.PLAIN : ofText(profile, rows));
        }
        String expression = expression(type, column);
        return new DraftColumn(profile, name, expression, expression.isEmpty() ? Use.LEFT_OUT : Use.PLAIN);
    }

    /** Formats the column for {@code columns:} of the query. */
    String selected() {
        String own = Columns.quoted(name);
        return expression.equals(own) || expression.equals(name) ? name : expression + " AS " + name;
    }

    /** Whether a job can take it from its file: no query, no other name, and no list with a missing element. */
    boolean isAsStored() {
        return (use == Use.PLAIN || use == Use.IMAGE)
                && selected().equals(profile.name())
                && profile.nullElements() == 0;
    }

    /** Whether it is a number of each row, or a list of them. */
    boolean holdsNumbers() {
        DataType type = profile.type() instanceof ArrayType list ? list.elementType() : profile.type();
        return !expression.startsWith("to_json") && !(type instanceof StringType) && !(type instanceof BinaryType);
    }

    /** Whether it is a list of messages, each with a role and a content. */
    boolean isConversation() {
        return profile.type() instanceof ArrayType list
                && list.elementType() instanceof StructType message
                && Set.of(message.fieldNames()).containsAll(Set.of("role", "content"));
    }

    /** A comment: type, nulls, values. */
    String remark(long rows) {
        StringBuilder remark = new StringBuilder(profile.type().simpleString());
        if (remark.length() > 60) {
            remark.setLength(60);
            remark.append('…');
        }
        if (profile.type() instanceof DecimalType decimal && isRounded(decimal)) {
            remark.append(", rounded to the nearest double (CAST AS STRING is exact)");
        }
        if (profile.nulls() > 0) {
            remark.append(String.format(Locale.ROOT, ", %.1f %% null", 100.0 * profile.nulls() / Math.max(1, rows)));
        }
        if (profile.distinct() > 0) {
            remark.append(String.format(Locale.ROOT, ", about %,d values", profile.distinct()));
        }
        if (profile.maxLength() > 0) {
            String unit = profile.type() instanceof StringType
                    ? "characters"
                    : profile.type() instanceof BinaryType ? "bytes" : "elements";
            remark.append(String.format(
                    Locale.ROOT,
                    ", %,.0f %s on average, %,d at most",
                    profile.meanLength(),
                    unit,
                    profile.maxLength()));
        }
        return remark.toString();
    }

    private static Use ofText(ColumnProfile profile, long rows) {
        if (profile.distinct() >= 2
                && profile.distinct() <= MAX_LABELS
                && profile.distinct() * ROWS_PER_LABEL <= rows
                && profile.maxLength() <= MAX_LABEL_CHARS) {
            return Use.LABEL;
        }
        // Addresses and names of files are long, too, but have no words.
        long withWords = profile.samples().stream()
                .filter(value -> value.toString().strip().contains(" "))
                .count();
        boolean hasWords = 2 * withWords >= profile.samples().size();
        return profile.meanLength() >= TEXT_CHARS && hasWords ? Use.TEXT : Use.PLAIN;
    }

    /** A column of image files, or of structs with one, as other libraries write them; else nothing. */
    private static String image(ColumnProfile profile, String column) {
        boolean isBinary = profile.type() instanceof BinaryType;
        boolean hasBytes = profile.type() instanceof StructType struct
                && Arrays.stream(struct.fields())
                        .anyMatch(field -> field.name().equals("bytes") && field.dataType() instanceof BinaryType);
        if (!isBinary && !hasBytes) {
            return "";
        }
        boolean isImage = !profile.samples().isEmpty()
                && profile.samples().stream()
                        .map(value -> value instanceof Row row ? row.<Object>getAs("bytes") : value)
                        .allMatch(value -> value instanceof byte[] bytes && isImage(bytes));
        return isImage ? isBinary ? column : column + ".bytes" : "";
    }

    private static boolean isImage(byte[] bytes) {
        try {
            new ImageHeader().read(ImageBytes.of(bytes));
            return true;
        } catch (BrokenImageException e) {
            return false;
        }
    }

    /** Casts of whole numbers to BIGINT are exact, or fail if a number is too large. */
    private static boolean isRounded(DecimalType decimal) {
        return decimal.scale() > 0 || decimal.precision() > 20;
    }

    private static String expression(DataType type, String column) {
        if (type instanceof StringType) {
            return "CAST(" + column + " AS STRING)"; // of another collation
        } else if (type instanceof DecimalType decimal) {
            return "CAST(" + column + " AS " + (isRounded(decimal) ? "DOUBLE" : "BIGINT") + ")";
        } else if (type instanceof DateType) {
            return "unix_date(" + column + ")";
        } else if (type instanceof TimestampType) {
            return "unix_micros(" + column + ")";
        } else if (type instanceof TimestampNTZType) {
            return "unix_micros(CAST(" + column + " AS TIMESTAMP))";
        } else if (type instanceof BooleanType || type instanceof NumericType || type instanceof BinaryType) {
            return column;
        } else if (type instanceof ArrayType list) {
            DataType element = list.elementType();
            boolean isNumber = element instanceof NumericType && !(element instanceof DecimalType);
            boolean isFlat = isNumber
                    || element instanceof BooleanType
                    || element.equals(DataTypes.StringType)
                    || element instanceof BinaryType;
            return isFlat ? column : Columns.json(column, type);
        }
        boolean isJson = type instanceof StructType || type instanceof MapType || type instanceof VariantType;
        return isJson ? Columns.json(column, type) : "";
    }

    /** Letters, digits and {@code _}, and none of the names that the prepared table has itself, or that are values in SQL. */
    private static String name(String given) {
        String plain = given.replaceAll("[^A-Za-z0-9_]", "_");
        plain = plain.substring(0, Math.min(plain.length(), MAX_NAME_CHARS));
        if (!plain.matches("[A-Za-z_].*") || plain.matches(NOT_NAMES)) {
            return "c_" + plain;
        }
        return plain;
    }
}
