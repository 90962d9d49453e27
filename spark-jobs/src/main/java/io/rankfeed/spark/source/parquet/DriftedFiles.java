package io.rankfeed.spark.source.parquet;

import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.source.open.SourceFooter;
import io.rankfeed.spark.source.open.SourceFooters;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** The files of a Parquet source that have another schema than its first one, where their rows may be left out. */
final class DriftedFiles {
    /** A file of such, and what is otherwise in it. */
    private record Drifted(String address, String place, String what, long rows) implements Serializable {
        Iterator<BadLine> lines() {
            return LongStream.range(0, rows)
                    .mapToObj(row ->
                            new BadLine(Reason.SCHEMA_DRIFT, address, row, what, place + ", row " + row + ":", ""))
                    .iterator();
        }
    }

    private final Map<SourceFile, Drifted> files;

    private DriftedFiles(Map<SourceFile, Drifted> files) {
        this.files = files;
    }

    /** @param source its name */
    static DriftedFiles among(String source, List<SourceFooter> footers) {
        Map<SourceFile, Drifted> files = new LinkedHashMap<>();
        for (SourceFooter footer : footers) {
            SourceFile file = footer.file();
            SourceFooters.drift(footers.get(0), footer)
                    .ifPresent(what -> files.put(
                            file,
                            new Drifted(
                                    RowAddress.of(file.path()), source + "/" + file.relative(), what, footer.rows())));
        }
        return new DriftedFiles(files);
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** The files that are like the first. */
    List<SourceFooter> others(List<SourceFooter> all) {
        return all.stream().filter(footer -> !files.containsKey(footer.file())).toList();
    }

    /** Every row of these files, by its place; what is in it is not read. */
    Optional<JavaRDD<BadLine>> rows(SparkSession spark) {
        return isEmpty()
                ? Optional.empty()
                : Optional.of(JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(new ArrayList<>(files.values()), files.size())
                        .flatMap(Drifted::lines));
    }
}
