package io.rankfeed.spark.prepare;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.Row;

/** A prepared table that is a Petastorm dataset, with a column of every type. */
final class PetastormTables {
    private static final List<String> NUMBERS = List.of(
            "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
            "float64");

    private PetastormTables() {}

    /**
     * All scalars, a tensor of every element type, ragged ones, nulls; keyed by {@code id}.
     *
     * @param input of {@link PrepareFixture#table}
     */
    static PreparedTable everyType(Path input, Path root) {
        StringBuilder tensors = new StringBuilder("tensors:\n  pairs: {shape: [null, 2]}\n");
        for (String type : NUMBERS) {
            tensors.append("  t_")
                    .append(type)
                    .append(": {dtype: ")
                    .append(type)
                    .append(", shape: [6]}\n");
        }
        return PrepareFixture.prepare(
                root,
                "  t: {parquet: '" + input + "'}",
                "sql: >-\n  SELECT " + columns("IF(id % 3 = 0, NULL, concat(encode(note, 'UTF-8'), unhex('0000')))")
                        + " FROM t\n" + tensors + "key: [id]\nblock: 64 KiB\npetastorm: true");
    }

    /** The rows that went in, as JSON, by {@code id}; binary in hexadecimal. */
    static List<String> rowsAsJson(Path input) {
        PrepareFixture.session().read().parquet(input.toString()).createOrReplaceTempView("petastorm_rows");
        return PrepareFixture.session()
                .sql("SELECT " + columns("IF(id % 3 = 0, NULL, concat(hex(encode(note, 'UTF-8')), '0000'))")
                        + " FROM petastorm_rows ORDER BY id")
                .toJSON()
                .collectAsList();
    }

    private static String columns(String raw) {
        StringJoiner sql = new StringJoiner(", ")
                .add("id, label, CAST(id % 100 AS TINYINT) AS i8, CAST(id AS SMALLINT) AS i16, CAST(id AS INT) AS i32")
                .add("IF(id % 7 = 0, CAST('NaN' AS FLOAT), CAST(id AS FLOAT) / 3) AS f32")
                .add("IF(id % 7 = 0, CAST('-Infinity' AS DOUBLE), CAST(id AS DOUBLE) / 3) AS f64")
                .add("note, tokens")
                .add(raw + " AS raw")
                .add("IF(id % 5 = 0, NULL, transform(tokens, x -> array(x, id))) AS pairs");
        for (String type : NUMBERS) {
            String element = type.equals("bool") ? "id % 2 = 0" : "CAST(id % 100 AS INT)";
            sql.add("array(" + String.join(", ", Collections.nCopies(6, element)) + ") AS t_" + type);
        }
        return sql.toString();
    }

    /** By {@code id}, without their addresses. */
    static List<Row> rows(PreparedTable table) {
        String unused = "dataset: d\nroot: r\nsources: {t: {parquet: p}}\nprepare: {select: {from: t}}\n";
        JobContext context = JobContext.of(
                PrepareFixture.session(),
                JobFile.read("test.yaml", unused.getBytes(StandardCharsets.UTF_8), List.of()),
                Progress.NONE);
        return PreparedFrame.open(context, table)
                .rows()
                .drop(PreparedFrame.FILE, PreparedFrame.ROW, "_source", "_source_row", "_checksum")
                .orderBy("id")
                .collectAsList();
    }
}
