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

/** Finds the columns of a Parquet source that have a null, where its rows are not read because they stay in its files. */
public final class SourceNulls {
    private SourceNulls() {}

    /** The columns that have a null, by their index in the layout. Only columns whose footers do not report it are read. */
    public static BitSet of(PreparedQuery query, Configuration conf) {
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
