package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parquet files of Hive tables whose numbers Spark reads as others: these are refused before the first row. */
class HiveNumbersIT extends HiveFiles {
    /** Spark reads 1.25 as 125. */
    @ParameterizedTest
    @CsvSource({"9, INT", "9, DOUBLE"})
    void decimal_declaredAsOtherNumber_isRefused(int digits, String type) {
        Path table = folder.resolve("table");
        spark.sql("SELECT id, CAST(1.25 AS DECIMAL(" + digits + ", 2)) AS x FROM range(1)")
                .write()
                .parquet(table.toString());
        spark.sql("CREATE EXTERNAL TABLE formats.t (id BIGINT, x " + type + ") STORED AS PARQUET LOCATION '" + table
                + "'");
        assertRefused(
                "hive: formats.t",
                BY_ID,
                ConfigException.class,
                "column 'x' is required int",
                " in the file and " + type + " in the table, which Spark reads without its decimal point");
        assertThat(texts("hive: formats.t, columns: [id]", "CAST(id AS STRING)"))
                .containsExactly("0");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"18, BIGINT", "9, DATE"})
    void decimal_declaredAsMoreTypes_isRefused(int digits, String type) {
        decimal_declaredAsOtherNumber_isRefused(digits, type);
    }

    /** Spark reads 300000 as the SMALLINT -27680, and 4294967295 as the DOUBLE -1. */
    @ParameterizedTest
    @CsvSource({"int32 x, 300000, SMALLINT, ''", "'int32 x (INTEGER(32,false))', 7, DOUBLE, 7.0"})
    void numbers_outsideTheTypeOfTheTable_areRefused(String column, int value, String type, String read)
            throws IOException {
        table(type, written(column, Map.of(), row -> row.append("x", value)));
        if (read.isEmpty()) {
            long stored = column.contains("32,false") ? Integer.toUnsignedLong(value) : value;
            assertRefused(
                    "hive: formats.t",
                    BY_ID,
                    ConfigException.class,
                    "column 'x' is required int32 x",
                    " and " + type + " in the table, which Spark reads as other numbers: those of the file are from "
                            + stored + " to " + stored);
            assertThat(texts("hive: formats.t, columns: [id]", "CAST(id AS STRING)"))
                    .containsExactly("1");
        } else {
            assertThat(texts("hive: formats.t", "CAST(x AS STRING)")).containsExactly(read);
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "int32 x, 300, SMALLINT, 300",
        "'int32 x (INTEGER(8,false))', 255, TINYINT, ''",
        "'int32 x (INTEGER(32,false))', -1, DOUBLE, ''",
        "'int32 x (INTEGER(32,false))', -1, INT, ''"
    })
    void moreNumbers_outsideTheTypeOfTheTable_areRefused(String column, int value, String type, String read)
            throws IOException {
        numbers_outsideTheTypeOfTheTable_areRefused(column, value, type, read);
    }

    /** Hive's own names of the groups of lists and maps are others than Parquet's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group x (MAP) { repeated group map { required int32 key; required group value { required int32 a; } } }"
                        + " | MAP<INT, STRUCT<a: TINYINT>> | x.map.value.a",
            })
    void nestedNumbers_outsideTheTypeOfTheTable_areRefused(String column, String type, String path) throws IOException {
        Path table = written(column, Map.of(), row -> filled(row, 300_000));
        table(type, table);
        assertRefused(
                "hive: formats.t",
                BY_ID,
                ConfigException.class,
                "sources.t: file:" + table + "/a.parquet: column '" + path + "' is required int32 ",
                " in the table, which Spark reads as other numbers: those of the file are from 300000 to 300000");
        assertThat(texts("hive: formats.t, columns: [id]", "CAST(id AS STRING)"))
                .containsExactly("1");
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group x { required int32 a; } | STRUCT<a: SMALLINT> | x.a",
                "group x (LIST) { repeated group bag { required int32 array_element; } }"
                        + " | ARRAY<SMALLINT> | x.bag.array_element",
            })
    void moreNestedNumbers_outsideTheTypeOfTheTable_areRefused(String column, String type, String path)
            throws IOException {
        nestedNumbers_outsideTheTypeOfTheTable_areRefused(column, type, path);
    }

    @Test
    void nestedNumbers_ofTheTypeOfTheTable_areRead() throws IOException {
        String column =
                "group x (LIST) { repeated group bag { required group e { required int32 a; optional int32 b; } } }";
        table("ARRAY<STRUCT<A: TINYINT, c: STRING>>", written(column, Map.of(), row -> filled(row, 7)));
        assertThat(texts("hive: formats.t", "to_json(x)")).containsExactly("[{\"A\":7}]");
    }

    /** Spark reads 1.25 as 125, and decimals in bytes as these bytes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group x { required int32 a (DECIMAL(9, 2)); } | STRUCT<a: INT> | without its decimal point",
                "binary x (DECIMAL(20, 2)) | STRING | as the bytes of the number",
                "fixed_len_byte_array(9) x (DECIMAL(20, 2)) | BINARY | as the bytes of the number",
            })
    void decimals_declaredAsOtherTypes_areRefused(String column, String type, String why) throws IOException {
        UnaryOperator<Group> values = column.startsWith("group")
                ? row -> filled(row, 125)
                : row -> row.append("x", Binary.fromConstantByteArray(new byte[9]));
        table(type, written(column, Map.of(), values));
        assertRefused("hive: formats.t", BY_ID, ConfigException.class, "which Spark reads " + why, "as a DECIMAL");
    }

    /** Spark reads 2^64 - 1 as -1. */
    @Test
    void unsignedNumbers_aboveBigint_areRefused() throws IOException {
        table("BIGINT", written("int64 x (INTEGER(64,false))", Map.of(), row -> row.append("x", -1L)));
        assertRefused(
                "hive: formats.t",
                BY_ID,
                ConfigException.class,
                "which Spark reads as negative ones above 2^63 - 1; declare the column as a DECIMAL(20, 0)");
    }

    private static Group filled(Group row, int number) {
        fill(row.addGroup("x"), number);
        return row;
    }

    /** Writes a number into every required number of a group, at any depth. */
    private static void fill(Group group, int number) {
        for (Type field : group.getType().getFields()) {
            if (field.isPrimitive() && !field.isRepetition(Type.Repetition.OPTIONAL)) {
                group.append(field.getName(), number);
            } else if (!field.isPrimitive()) {
                fill(group.addGroup(field.getName()), number);
            }
        }
    }
}
