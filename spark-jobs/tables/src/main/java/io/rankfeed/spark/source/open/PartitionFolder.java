package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.file.SourceFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;

/**
 * A folder named {@code column=value}.
 *
 * @param written its name
 * @param value unescaped; empty for Hive's default partition, which is null
 */
record PartitionFolder(String written, String column, Optional<String> value) {
    private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

    /** The partition folders of a file, the outermost first. */
    static List<PartitionFolder> of(SourceFile file) {
        List<PartitionFolder> folders = new ArrayList<>();
        String[] names = file.relative().split("/", -1);
        for (int i = 0; i < names.length - 1; i++) {
            int equals = names[i].indexOf('=');
            if (equals > 0) {
                String value = unescaped(names[i].substring(equals + 1), file);
                folders.add(new PartitionFolder(
                        names[i],
                        unescaped(names[i].substring(0, equals), file),
                        Optional.of(value).filter(text -> !text.equals(NULL))));
            }
        }
        return folders;
    }

    /** Decodes escapes: Hive escapes only ASCII, Arrow every byte of UTF-8. Other characters remain. */
    private static String unescaped(String written, SourceFile file) {
        if (!written.contains("%")) {
            return written;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < written.length(); ) {
            if (isEscape(written, at)) {
                bytes.write(HexFormat.fromHexDigits(written, at + 1, at + 3));
                at += 3;
            } else {
                String letter = Character.toString(written.codePointAt(at));
                bytes.writeBytes(letter.getBytes(StandardCharsets.UTF_8));
                at += letter.length();
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigException(
                    file.path() + ": the escapes in the folder's name '" + written
                            + "' are not UTF-8; rename the folder, with %25 for a percent sign",
                    e);
        }
    }

    private static boolean isEscape(String written, int at) {
        return written.charAt(at) == '%'
                && at + 2 < written.length()
                && HexFormat.isHexDigit(written.charAt(at + 1))
                && HexFormat.isHexDigit(written.charAt(at + 2));
    }

    /** The value in this type; empty if it is not of the type. */
    static Optional<Object> parsed(String value, DataType type) {
        boolean isWhole = value.matches("-?[0-9]+");
        boolean isReal = value.matches("-?([0-9.]+([eE][-+]?[0-9]+)?|Infinity)|NaN");
        try {
            if (type instanceof StringType) {
                return Optional.of(value);
            } else if (type instanceof BooleanType) {
                return value.matches("(?i)true|false") ? Optional.of(Boolean.valueOf(value)) : Optional.empty();
            } else if (type instanceof FloatType && isReal) {
                return Optional.of(Float.valueOf(value));
            } else if (type instanceof DoubleType && isReal) {
                return Optional.of(Double.valueOf(value));
            } else if (!isWhole) {
                return Optional.empty();
            } else if (type instanceof ByteType) {
                return Optional.of(Byte.valueOf(value));
            } else if (type instanceof ShortType) {
                return Optional.of(Short.valueOf(value));
            } else if (type instanceof IntegerType) {
                return Optional.of(Integer.valueOf(value));
            }
            return type instanceof LongType ? Optional.of(Long.valueOf(value)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
