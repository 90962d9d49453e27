package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQL that a message suggests for an unsupported type gives the exact value, or fails. */
class SqlHintsIT {
    private static final long SEED = 5;
    private static final int ROWS = 60;
    private static final Pattern HINT = Pattern.compile("write in the job's SQL: (.*?) AS x(;|$)");

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);

    @Test
    void decimals_keepEveryDigit() {
        compareDecimals(new int[][] {{38, 10}});
        assertThatThrownBy(() -> hinted("DECIMAL(20,0)", List.of(new BigDecimal("9223372036854775808"))))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("9223372036854775808");
    }

    @Test
    @Tag("nightly")
    void decimals_ofMoreTypes_keepEveryDigit() {
        compareDecimals(new int[][] {{9, 2}, {18, 0}, {4, 1}, {18, 18}, {25, 2}, {38, 0}, {30, 0}, {9, 0}});
    }

    private void compareDecimals(int[][] types) {
        for (int[] type : types) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                values.add(decimal(type[0], type[1]));
            }
            assertThat(hinted("DECIMAL(" + type[0] + "," + type[1] + ")", values))
                    .extracting(value -> new BigDecimal(value.toString()).setScale(type[1]))
                    .isEqualTo(values);
        }
    }

    @Test
    void decimalWithFraction_hintSaysThatADoubleRounds() {
        assertThat(refused("DECIMAL(25,2)", List.of(new BigDecimal("0.10"))))
                .endsWith("write in the job's SQL: CAST(x AS STRING) AS x; or, rounded to the nearest double: CAST(x AS"
                        + " DOUBLE)");
        assertThat(refused("ARRAY<DECIMAL(9,2)>", List.of(List.of(new BigDecimal("0.10")))))
                .contains("transform(x, x -> CAST(x AS STRING)) AS x; or, rounded")
                .endsWith("transform(x, x -> CAST(x AS DOUBLE))");
    }

    @Test
    void datesAndTimes_keepDaysAndMicroseconds() {
        List<Object> instants = instants();
        List<Object> dates = instants.stream()
                .map(t -> (Object) LocalDate.ofInstant((Instant) t, ZoneOffset.UTC))
                .toList();
        assertThat(hinted("DATE", dates))
                .isEqualTo(dates.stream()
                        .map(d -> (int) ((LocalDate) d).toEpochDay())
                        .toList());
        assertThat(hinted("TIMESTAMP", instants))
                .isEqualTo(instants.stream()
                        .map(t -> ChronoUnit.MICROS.between(Instant.EPOCH, (Instant) t))
                        .toList());
    }

    @Test
    @Tag("nightly")
    void timesWithoutZoneAndInJson_keepTheirMicroseconds() {
        List<Object> instants = instants();
        List<Object> local = instants.stream()
                .map(t -> (Object) LocalDateTime.ofInstant((Instant) t, ZoneOffset.UTC))
                .toList();
        assertThat(hinted("TIMESTAMP_NTZ", local))
                .isEqualTo(local.stream()
                        .map(t ->
                                ChronoUnit.MICROS.between(Instant.EPOCH, ((LocalDateTime) t).toInstant(ZoneOffset.UTC)))
                        .toList());
        // Within a map, as JSON.
        assertThat(hinted(
                        "MAP<STRING, TIMESTAMP>",
                        instants.stream().map(t -> (Object) Map.of("a", t)).toList()))
                .allSatisfy(json -> assertThat(json.toString()).matches(".*\\.[0-9]{6}Z\"}"))
                .isEqualTo(instants.stream()
                        .map(t -> "{\"a\":\"" + written((Instant) t) + "\"}")
                        .toList());
        assertThat(hinted(
                        "ARRAY<ARRAY<TIMESTAMP_NTZ>>",
                        local.stream().map(t -> (Object) List.of(List.of(t))).toList()))
                .isEqualTo(local.stream()
                        .map(t -> "[[\""
                                + written(((LocalDateTime) t).toInstant(ZoneOffset.UTC))
                                        .replace("Z", "") + "\"]]")
                        .toList());
    }

    @Test
    void type_unknownToJson_isReadAsWritten() throws Exception {
        Path lines = Files.writeString(folder.resolve("a.jsonl"), "{\"x\": \"2024-02-29\"}\n{\"x\": \"1969-12-31\"}\n");
        String message = json("DATE", lines, "x");
        assertThat(message).endsWith("write in the job's SQL: unix_date(to_date(`x`, 'yyyy-MM-dd'))");
        String sql = message.substring(message.lastIndexOf("SQL: ") + 5);
        assertThat(values(prepare("jsonl: '" + lines + "', schema: 'x STRING'", sql)))
                .isEqualTo(List.of(19782, -1));
        for (String bad : List.of("2024-02-29T10:00:00", "2024-2-29", "2023-02-29", "20240229")) {
            Files.writeString(lines, "{\"x\": \"" + bad + "\"}\n");
            assertThatThrownBy(() -> prepare("jsonl: '" + lines + "', schema: 'x STRING'", sql))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("row 0");
        }
        assertThat(json("DECIMAL(25,2)", lines, "x"))
                .endsWith("CAST(`x` AS DECIMAL(25,2)) rounds to 2 digits after the point");
        assertThat(json("TIMESTAMP", lines, "x")).endsWith("truncates all digits below a microsecond");
        assertThat(json("MAP<STRING, INT>", lines, "x")).endsWith("take STRING, which has the value as written");
    }

    private List<Object> instants() {
        return random.longs(ROWS, -60_000_000_000_000_000L, 250_000_000_000_000_000L)
                .mapToObj(micros -> (Object) Instant.EPOCH.plus(micros, ChronoUnit.MICROS))
                .toList();
    }

    private static String written(Instant instant) {
        String text = instant.toString().replace('T', ' ').replace("Z", "");
        int point = text.indexOf('.');
        String fraction = point < 0 ? "" : text.substring(point + 1);
        return (point < 0 ? text : text.substring(0, point)) + "." + (fraction + "000000").substring(0, 6) + "Z";
    }

    private BigDecimal decimal(int precision, int scale) {
        int digits = 1 + random.nextInt(precision);
        BigInteger unscaled = new BigInteger(digits * 4, random).mod(BigInteger.TEN.pow(digits));
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }

    private List<Object> hinted(String type, List<Object> values) {
        Matcher hint = HINT.matcher(refused(type, values));
        assertThat(hint.find()).isTrue();
        return values(prepare("parquet: '" + folder.resolve("t") + "'", hint.group(1)));
    }

    private String refused(String type, List<Object> values) {
        List<Row> rows = values.stream().map(RowFactory::create).toList();
        PrepareFixture.session()
                .createDataFrame(rows, StructType.fromDDL("x " + type))
                .coalesce(1)
                .write()
                .mode("overwrite")
                .parquet(folder.resolve("t").toString());
        return refusal("parquet: '" + folder.resolve("t") + "'");
    }

    private String json(String type, Path lines, String column) {
        return refusal("jsonl: '" + lines + "', schema: '" + column + " " + type + "'");
    }

    private String refusal(String source) {
        Throwable refused = catchThrowable(() -> prepare(source, "x"));
        assertThat(refused).isInstanceOf(ConfigException.class);
        return String.valueOf(refused.getMessage());
    }

    private Path prepare(String source, String sql) {
        return PrepareFixture.folder(PrepareFixture.prepare(
                folder.resolve("out"), "  t: {" + source + "}", "sql: >-\n  SELECT " + sql + " AS x FROM t"));
    }

    private static List<Object> values(Path table) {
        return PrepareFixture.session()
                .read()
                .parquet(table.resolve("data").toString())
                .orderBy("_source", "_source_row")
                .collectAsList()
                .stream()
                .map(row -> row.<Object>getAs("x"))
                .toList();
    }
}
