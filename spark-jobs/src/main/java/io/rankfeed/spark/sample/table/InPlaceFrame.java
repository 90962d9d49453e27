package io.rankfeed.spark.sample.table;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.export.parquet.ParquetTail;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.file.FileChanges;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.source.Sources;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;

/** A prepared table whose rows stay in the files of its source: they become what a prepared table would hold as they are read. */
public final class InPlaceFrame implements PreparedFrame {
    private final Manifest.Prepared manifest;
    private final List<DataFile> dataFiles;
    private final StructType stored;
    private final Dataset<Row> storedRows;
    private final List<String> key;
    private final Sources sources;
    private final Configuration conf;
    private final boolean whole;

    private InPlaceFrame(JobContext context, PreparedTable table, Sources sources) {
        this.manifest = table.manifest();
        this.key = context.job().prepare().rowKey();
        this.sources = sources;
        this.conf = context.hadoop();
        OpenSource source = sources.all().get(0);
        this.dataFiles = dataFiles(source.files(), conf);
        this.stored = source.rows().drop(RowAddress.FILE, RowAddress.ROW).schema();
        MessageType file =
                ParquetFooter.read(source.files().get(0).path(), conf).schema();
        this.whole = Arrays.stream(stored.fieldNames()).allMatch(file::containsField);
        List<String> canonical =
                source.files().stream().map(SourceFile::canonical).toList();
        this.storedRows = source.rows()
                .withColumn(FILE, new FileIndex(canonical).of(col(RowAddress.FILE)))
                .withColumnRenamed(RowAddress.ROW, ROW)
                .drop(RowAddress.FILE);
    }

    /** @throws EnvironmentException if a file is not the one that the manifest knows by its length and footer */
    static InPlaceFrame open(JobContext context, PreparedTable table) {
        Sources sources = context.openSources();
        refuseOthers(table, sources);
        return sources.blaming(context.hadoop(), () -> new InPlaceFrame(context, table, sources));
    }

    private static List<DataFile> dataFiles(List<SourceFile> files, Configuration conf) {
        return ParquetTail.ofEach(files, file -> {
            ParquetFooter footer = ParquetFooter.read(file.path(), conf);
            return new DataFile(
                    file.path().toString(),
                    file.lengthBytes(),
                    footer.rows(),
                    footer.rowGroups().size(),
                    footer.hasPageIndex());
        });
    }

    @Override
    public Manifest.Prepared manifest() {
        return manifest;
    }

    @Override
    public List<DataFile> dataFiles() {
        return dataFiles;
    }

    @Override
    public StructType stored() {
        return stored;
    }

    @Override
    public Dataset<Row> rows() {
        return rows(storedRows, List.of());
    }

    /** The columns as they are in the files, and the address of each row. */
    public Dataset<Row> storedRows() {
        return storedRows;
    }

    @Override
    public Optional<RowChecksum> checksums() {
        return Optional.empty();
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    /** The stored columns that rows with these ones are made of. */
    public List<String> storedFor(List<String> columns) {
        TreeSet<String> names = new TreeSet<>(columns);
        names.addAll(key);
        return List.copyOf(names);
    }

    /**
     * @param stored some of the columns as they are stored, the address of each row, and other columns
     * @param others names of those that are kept as they are
     */
    public Dataset<Row> rows(Dataset<Row> stored, List<String> others) {
        List<Column> columns = new ArrayList<>();
        others.forEach(name -> columns.add(Columns.named(name)));
        List<String> files = manifest.sources();
        List<String> names = List.of(stored.columns());
        for (Field field : manifest.schema().fields()) {
            if (names.contains(field.name())) {
                columns.add(prepared(field, stored, files));
            }
        }
        columns.add(col(FILE));
        columns.add(col(ROW));
        columns.add(col(FILE).as(SOURCE));
        columns.add(col(ROW).as(SOURCE_ROW));
        Dataset<Row> rows = stored.select(columns.toArray(Column[]::new));
        return rows.withColumn(ROW_ID, KeyedRows.id(files, rows, key));
    }

    private static Column prepared(Field field, Dataset<Row> stored, List<String> files) {
        Column column = Columns.named(field.name());
        if (field.shape().rank() == 0) {
            return column;
        }
        Metadata metadata = new TensorMetadata(field.dtype(), field.shape(), 0).toMetadata();
        return new ListBytes(field, stored.schema().apply(field.name()).dataType(), files)
                .of(column, col(FILE), col(ROW))
                .as(field.name(), metadata);
    }

    @Override
    public <T> T blaming(Supplier<T> work) {
        return sources.blaming(conf, work::get);
    }

    @Override
    public void refuseChanges() {
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
