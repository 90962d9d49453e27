package io.rankfeed.spark.prepare.query;

import static org.apache.spark.sql.functions.max;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/** The Parquet source of a table whose rows stay in its files ({@code rewrite: none}). */
public final class InPlaceSource {
    /** After advice to write SQL, which rows in place do not have. */
    static final String NO_SQL = "; rows in place have no SQL: name the other columns under columns: of the source, or"
            + " write prepare: {sql: …} and not prepare: none (rewrite: none)";

    private static final String REMEDY =
            "name the other columns under columns: of the source, or remove prepare: none (rewrite: none)";

    private InPlaceSource() {}

    /** @throws io.rankfeed.schema.failure.ConfigException if files do not have the same columns, or Spark lacks the type of one */
    public static void refuseDifferentFiles(PreparedQuery query) {
        query.sources().all().get(0).columns().ifPresent(columns -> {
            List<String> names = List.of(query.rows().columns());
            columns.refuseDifferences(
                    names,
                    "rows in place need each column in every file, and required in all files or in none: " + REMEDY
                            + ", which writes null where a file lacks the column");
            columns.refuseConverted(names, "rows in place need a type that Spark has: " + REMEDY);
        });
    }

    /** The columns that have a null, by their index in the layout. Only columns whose footers do not report it are read. */
    public static BitSet nulls(PreparedQuery query, Configuration conf) {
        Set<String> without = withoutNulls(query.sources().all().get(0).files(), conf);
        List<PreparedColumn> columns = query.layout().columns();
        int[] unknown = IntStream.range(0, columns.size())
                .filter(i -> !without.contains(columns.get(i).name()))
                .toArray();
        BitSet nulls = new BitSet();
        if (unknown.length > 0) {
            Row found = query.rows()
                    .select(IntStream.of(unknown)
                            .mapToObj(i ->
                                    max(Columns.named(columns.get(i).name()).isNull()))
                            .toArray(Column[]::new))
                    .first();
            IntStream.range(0, unknown.length).filter(found::getBoolean).forEach(i -> nulls.set(unknown[i]));
        }
        return nulls;
    }

    /** Columns that have no null in any file; partition columns, which no file holds, are not among them. */
    private static Set<String> withoutNulls(List<SourceFile> files, Configuration conf) {
        List<Set<String>> byFile = ParquetTail.ofEach(
                files, file -> ParquetFooter.read(file.path(), conf).columnsWithoutNulls());
        Set<String> without = new HashSet<>(byFile.get(0));
        byFile.forEach(without::retainAll);
        return without;
    }
}
