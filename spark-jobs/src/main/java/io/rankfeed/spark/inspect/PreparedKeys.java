package io.rankfeed.spark.inspect;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.job.PackSection;
import io.rankfeed.look.Artifact;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * What people call rows of a plan: the values of their key, or the source file and row in it, as {@code explain --row} takes
 * them. They are in the prepared table next to the plan, of which only the files of the wanted rows are read.
 */
record PreparedKeys(Artifact prepared) {
    /** Finds the keys of a plan's rows; empty if the prepared table no longer exists, or is in place, because its rows have no ids. */
    static Optional<PreparedKeys> of(Artifact plan) {
        return plan.manifest().inputs().stream()
                .filter(input -> input instanceof Input.ArtifactInput made && made.format() == ArtifactFormat.PREPARED)
                .map(input -> plan.sibling(ArtifactFormat.PREPARED, ((Input.ArtifactInput) input).id()))
                .filter(folder ->
                        plan.store().find(folder + "/" + Manifest.FILE_NAME).isPresent())
                .map(folder -> new PreparedKeys(Artifact.open(plan.store(), folder)))
                .filter(keys -> !keys.prepared.prepared().isInPlace())
                .findFirst();
    }

    /** @param fileOf by row id the number of the file that holds the row */
    Map<Long, String> of(SparkSession spark, Map<Long, Integer> fileOf) {
        if (fileOf.isEmpty()) {
            return Map.of();
        }
        List<String> files = prepared.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .map(ArtifactFile::path)
                .map(path -> PlanRows.address(prepared, path.value()))
                .toList();
        Dataset<Row> rows = spark.read()
                .parquet(fileOf.values().stream().distinct().map(files::get).toArray(String[]::new))
                .where(col(PreparedFrame.ROW_ID).isin(fileOf.keySet().toArray()));
        List<String> key = new ArrayList<>();
        JsonNode prepare = prepared.manifest().job().path("prepare");
        prepare.path("key")
                .forEach(name -> key.add(prepare.has("pack") ? PackSection.first(name.asText()) : name.asText()));
        Map<Long, String> called = new HashMap<>();
        if (key.isEmpty()) {
            rows.select(PreparedFrame.ROW_ID, PreparedFrame.SOURCE, PreparedFrame.SOURCE_ROW)
                    .collectAsList()
                    .forEach(row -> called.put(
                            row.getLong(0),
                            row.getInt(1) < 0
                                    ? "row " + row.getLong(2)
                                    : prepared.prepared().sources().get(row.getInt(1)) + ":" + row.getLong(2)));
        } else {
            Column[] values =
                    key.stream().map(name -> Columns.named(name).cast("string")).toArray(Column[]::new);
            rows.select(col(PreparedFrame.ROW_ID), concat_ws("/", values))
                    .collectAsList()
                    .forEach(row -> called.put(row.getLong(0), row.getString(1)));
        }
        return called;
    }
}
