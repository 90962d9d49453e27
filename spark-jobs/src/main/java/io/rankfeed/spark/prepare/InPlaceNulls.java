package io.rankfeed.spark.prepare;

import static org.apache.spark.sql.functions.max;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import io.rankfeed.spark.prepare.query.PreparedQuery;
import io.rankfeed.spark.source.Sources;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;

/** Which columns of a table that is not written have a null. Read are only those of which no footer tells. */
final class InPlaceNulls {
    private InPlaceNulls() {}

    /** By place in the layout. */
    static BitSet of(PreparedQuery query, Sources sources, Configuration conf) {
        Set<String> none = withoutNulls(sources.all().get(0).files(), conf);
        List<PreparedColumn> columns = query.layout().columns();
        int[] asked = IntStream.range(0, columns.size())
                .filter(i -> !none.contains(columns.get(i).name()))
                .toArray();
        BitSet nulls = new BitSet();
        if (asked.length > 0) {
            Row found = query.rows()
                    .select(IntStream.of(asked)
                            .mapToObj(i ->
                                    max(Columns.named(columns.get(i).name()).isNull()))
                            .toArray(Column[]::new))
                    .first();
            IntStream.range(0, asked.length).filter(found::getBoolean).forEach(i -> nulls.set(asked[i]));
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
