package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.digest.Xxh64;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.file.FileChanges;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.table.PreparedFrame.DataFile;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;

/** Makes of rows that are in a source's own files what a prepared table would hold. */
public final class InPlaceRows {
    private final Manifest.Prepared manifest;
    private final List<String> key;
    private final Sources sources;
    private final Configuration conf;
    private final boolean whole;

    private InPlaceRows(
            Manifest.Prepared manifest, List<String> key, Sources sources, Configuration conf, boolean whole) {
        this.manifest = manifest;
        this.key = key;
        this.sources = sources;
        this.conf = conf;
        this.whole = whole;
    }

    /** @throws EnvironmentException if a file is not the one that the manifest knows by its length and footer */
    static PreparedFrame open(JobContext context, PreparedTable table) {
        Sources sources = Sources.open(context);
        refuseOthers(table, sources);
        return sources.blaming(context.hadoop(), () -> opened(context, table, sources));
    }

    private static PreparedFrame opened(JobContext context, PreparedTable table, Sources sources) {
        OpenSource source = sources.all().get(0);
        StructType stored = source.rows().drop(RowAddress.FILE, RowAddress.ROW).schema();
        MessageType file = ParquetFooter.read(source.files().get(0).path(), context.hadoop())
                .schema();
        boolean whole = Arrays.stream(stored.fieldNames()).allMatch(file::containsField);
        InPlaceRows shape =
                new InPlaceRows(table.manifest(), context.job().prepare().rowKey(), sources, context.hadoop(), whole);
        List<String> canonical =
                source.files().stream().map(SourceFile::canonical).toList();
        Dataset<Row> rows = source.rows()
                .withColumn(PreparedFrame.FILE, new FileIndex(canonical).of(col(RowAddress.FILE)))
                .withColumnRenamed(RowAddress.ROW, PreparedFrame.ROW)
                .drop(RowAddress.FILE);
        return new PreparedFrame(table.manifest(), shape.dataFiles(), stored, shape.rows(rows), Optional.of(shape));
    }

    private List<DataFile> dataFiles() {
        List<SourceFile> files = sources.all().get(0).files();
        List<Long> rows = ParquetTail.ofEach(
                files, file -> ParquetFooter.read(file.path(), conf).rows());
        return IntStream.range(0, files.size())
                .mapToObj(i -> new DataFile(
                        files.get(i).path().toString(), files.get(i).lengthBytes(), rows.get(i)))
                .toList();
    }

    /** Whether the files hold every column; those of partitions are in none. */
    public boolean isWhole() {
        return whole;
    }

    /** The stored columns that rows with these ones are made of. */
    public List<String> storedFor(List<String> columns) {
        TreeSet<String> names = new TreeSet<>(columns);
        names.addAll(key);
        return List.copyOf(names);
    }

    /** @param stored some of the columns as they are stored, and the address of each row */
    public Dataset<Row> rows(Dataset<Row> stored) {
        List<Column> columns = new ArrayList<>();
        List<String> files = manifest.sources();
        List<String> names = List.of(stored.columns());
        for (Field field : manifest.schema().fields()) {
            if (names.contains(field.name())) {
                columns.add(prepared(field, stored, files));
            }
        }
        columns.add(col(PreparedFrame.FILE));
        columns.add(col(PreparedFrame.ROW));
        columns.add(col(PreparedFrame.FILE).as(PreparedFrame.SOURCE));
        columns.add(col(PreparedFrame.ROW).as(PreparedFrame.SOURCE_ROW));
        Dataset<Row> rows = stored.select(columns.toArray(Column[]::new));
        UDF1<byte[], Long> hashed = encoded -> Xxh64.hash(encoded, 0);
        return rows.withColumn(
                PreparedFrame.ROW_ID, udf(hashed, DataTypes.LongType).apply(new KeyedRows(files, rows, key).key()));
    }

    private static Column prepared(Field field, Dataset<Row> stored, List<String> files) {
        Column column = Columns.named(field.name());
        if (field.shape().rank() == 0) {
            return column;
        }
        Metadata metadata = new TensorMetadata(field.dtype(), field.shape(), 0).toMetadata();
        return new ListBytes(field, stored.schema().apply(field.name()).dataType(), files)
                .of(column, col(PreparedFrame.FILE), col(PreparedFrame.ROW))
                .as(field.name(), metadata);
    }

    <T> T blaming(Supplier<T> work) {
        return sources.blaming(conf, work::get);
    }

    void refuseChanges() {
        sources.refuseChanges(conf);
    }

    private static void refuseOthers(PreparedTable table, Sources sources) {
        List<String> changes = FileChanges.between(
                table.manifest().inputs().get(0), sources.identities().get(0));
        if (!changes.isEmpty()) {
            throw new EnvironmentException(changes.get(0) + " since prepared table " + table.id()
                    + " recorded it; nothing was committed: run the job again when its inputs no longer change");
        }
    }
}
