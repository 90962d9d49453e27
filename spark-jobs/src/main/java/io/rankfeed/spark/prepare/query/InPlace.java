package io.rankfeed.spark.prepare.query;

import static org.apache.spark.sql.functions.max;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.prepare.pack.GuardedPacker.Duplicates;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The rows stay in the files of their source ({@code rewrite: none}).
 *
 * @param rows how they would be written
 */
public record InPlace(Rewrite rows) implements Arrangement {
    @Override
    public PreparedQuery query() {
        return rows.query();
    }

    @Override
    public RowCounts count() {
        return rows.count();
    }

    @Override
    public SizeSample sizes() {
        return rows.sizes();
    }

    @Override
    public Dataset<Row> stored() {
        return rows.stored();
    }

    @Override
    public Duplicates duplicates() {
        return rows.duplicates();
    }

    /** Returns the columns that have a null, by their index in the layout. Only columns whose footers do not report it are read. */
    public BitSet nulls(Configuration conf) {
        Set<String> without = withoutNulls(query().sources().all().get(0).files(), conf);
        List<PreparedColumn> columns = query().layout().columns();
        int[] unknown = IntStream.range(0, columns.size())
                .filter(i -> !without.contains(columns.get(i).name()))
                .toArray();
        BitSet nulls = new BitSet();
        if (unknown.length > 0) {
            Row found = query().rows()
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
