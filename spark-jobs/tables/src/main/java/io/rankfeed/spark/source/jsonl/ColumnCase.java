package io.rankfeed.spark.source.jsonl;

import io.rankfeed.schema.failure.ConfigException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Columns are case-insensitive in SQL, keys of JSON are not: of two keys that differ only in case, one would be lost. */
public final class ColumnCase {
    /** The remedy in messages. */
    public static final String REMEDY =
            "names of columns are case-insensitive: write the key with the same case in every object, or rename one";

    private ColumnCase() {}

    /** Equal for two names that are one name in SQL, as by {@link String#equalsIgnoreCase}. */
    public static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            folded.append(Character.toLowerCase(Character.toUpperCase(name.charAt(i))));
        }
        return folded.toString();
    }

    /** The names of the schema by their folded names. */
    static Map<String, String> names(StructType schema) {
        Map<String, String> names = new HashMap<>();
        for (StructField field : schema.fields()) {
            names.put(folded(field.name()), field.name());
        }
        return names;
    }

    /** @throws ConfigException if two columns of a declared schema are one column in SQL */
    public static void refuseDeclared(String source, StructType schema) {
        refuseDeclared("sources." + source + ".schema", schema, "");
    }

    private static void refuseDeclared(String where, DataType type, String path) {
        if (type instanceof ArrayType list) {
            refuseDeclared(where, list.elementType(), path);
        } else if (type instanceof StructType struct) {
            Map<String, String> names = new HashMap<>();
            for (StructField field : struct.fields()) {
                String other = names.putIfAbsent(folded(field.name()), field.name());
                if (other != null) {
                    throw new ConfigException(where + ": columns '" + path + other + "' and '" + path + field.name()
                            + "' have the same name; keep one of them");
                }
                refuseDeclared(where, field.dataType(), path + field.name() + ".");
            }
        }
    }
}
