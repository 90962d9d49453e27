package io.rankfeed.spark.source.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.parquet.example.data.simple.NanoTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parquet files of Hive tables with timestamps of local time: these are refused before the first row. */
class HiveTimestampsIT extends HiveFiles {
    /** Hive writes 12:00 in Zurich as 11:00 UTC, and reads it as 12:00 everywhere. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "hive_schema, Europe/Zurich, that Hive wrote in the time zone Europe/Zurich",
                "hive_schema, Etc/UTC, -",
                "hive_schema, -, that Hive wrote in a time zone that the file does not state",
                "schema, -, -",
            })
    void timestamps_ofLocalTime_areRefused(String root, @Nullable String zone, @Nullable String why)
            throws IOException {
        NanoTime noon = new NanoTime(2_440_588, 12 * 3_600_000_000_000L);
        Map<String, String> footer = zone == null ? Map.of() : Map.of("writer.time.zone", zone);
        Path table = written(root, "int96 x", footer, row -> row.append("x", noon));
        table("TIMESTAMP", table);
        if (why != null) {
            assertRefused(
                    "hive: formats.t",
                    BY_ID,
                    ConfigException.class,
                    table + "/a.parquet: column 'x' has timestamps " + why);
            assertThat(texts("hive: formats.t, columns: [id]", "CAST(id AS STRING)"))
                    .containsExactly("1");
        } else {
            assertThat(texts("hive: formats.t", "CAST(x AS STRING)")).containsExactly("1970-01-01 12:00:00");
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "flink_schema, -, that Flink wrote in a time zone that the file does not state",
                "spark_schema, -, -",
                "trino_schema, Etc/UTC, -"
            })
    void timestamps_ofOtherWriters_areReadOrRefused(String root, @Nullable String zone, @Nullable String why)
            throws IOException {
        timestamps_ofLocalTime_areRefused(root, zone, why);
    }

    /** Hive counts days before 1582-10-15 in the calendar of that time, unless the footer says otherwise: here 0001-01-01. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "hive_schema, -719164, -, -",
                "hive_schema, -141427, -, 1582-10-15",
                "schema, -719162, -, 0001-01-01"
            })
    void dates_ofOtherCalendar_areRefused(String root, int day, @Nullable String proleptic, @Nullable String read)
            throws IOException {
        Map<String, String> footer = proleptic == null ? Map.of() : Map.of("writer.date.proleptic", proleptic);
        table("DATE", written(root, "int32 x (DATE)", footer, row -> row.append("x", day)));
        if (read == null) {
            assertRefused(
                    "hive: formats.t",
                    BY_ID,
                    ConfigException.class,
                    "/a.parquet: column 'x' is required int32 x (DATE) in the file and DATE in the table, which Spark reads as"
                            + " other days");
        } else {
            assertThat(texts("hive: formats.t", "CAST(x AS STRING)")).containsExactly(read);
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"hive_schema, -719162, true, 0001-01-01", "hive_schema, -719164, false, -"})
    void dates_ofStatedCalendar_areReadOrRefused(
            String root, int day, @Nullable String proleptic, @Nullable String read) throws IOException {
        dates_ofOtherCalendar_areRefused(root, day, proleptic, read);
    }
}
