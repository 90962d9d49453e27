package io.rankfeed.spark.source.format;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.spark.file.FileTasks;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.PartitionFolders.FolderValues;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.PrunedFilteredScan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Files of a {@link RowFormat} as a table: their columns, those of their folders, and the address of each row. */
final class FormatTable extends BaseRelation implements PrunedFilteredScan {
    private final SparkSession spark;
    private final TaskConfiguration hadoop;
    private final RowFormat format;
    private final StructType stored;
    private final List<SourceFile> files;
    private final Map<String, FilePart> parts;
    private final StructType folders;
    private final boolean skipsBadRows;

    /**
     * @param stored the columns of the files
     * @param files what each states of itself
     * @param folders values of the files, in their order
     */
    FormatTable(
            SparkSession spark,
            Configuration conf,
            RowFormat format,
            StructType stored,
            List<StoredFile> files,
            FolderValues folders,
            boolean skipsBadRows) {
        this.spark = spark;
        this.hadoop = new TaskConfiguration(conf);
        this.format = format;
        this.stored = stored.asNullable();
        this.files = files.stream().map(StoredFile::file).toList();
        this.folders = folders.columns();
        this.skipsBadRows = skipsBadRows;
        List<String> names = Arrays.asList(stored.fieldNames());
        this.parts = IntStream.range(0, files.size())
                .mapToObj(i -> FilePart.of(
                        files.get(i),
                        names,
                        folders.columns(),
                        folders.ofFiles().get(i)))
                .collect(Collectors.toMap(FilePart::file, part -> part));
    }

    @Override
    public SQLContext sqlContext() {
        return spark.sqlContext();
    }

    @Override
    public StructType schema() {
        return new StructType(Stream.of(stored, folders)
                        .flatMap(columns -> Arrays.stream(columns.fields()))
                        .toArray(StructField[]::new))
                .add(RowAddress.FILE, DataTypes.StringType, false)
                .add(RowAddress.ROW, DataTypes.LongType, false);
    }

    @Override
    public RDD<Row> buildScan(String[] columns, Filter[] filters) {
        RowFormat read = format;
        TaskConfiguration conf = hadoop;
        boolean skips = skipsBadRows;
        return tasks(filters)
                .<Row>flatMap(task -> new FormatRows(read, task, columns, conf.value(), skips))
                .rdd();
    }

    /** The files that may have rows for the filters, of which Spark applies all again. */
    JavaRDD<List<FilePart>> tasks(Filter... filters) {
        List<List<FilePart>> tasks = FileTasks.of(files).stream()
                .map(task -> task.stream()
                        .map(file ->
                                Objects.requireNonNull(parts.get(file.path().toString())))
                        .filter(part -> Stream.of(filters).allMatch(filter -> mayMatch(part, filter)))
                        .toList())
                .filter(task -> !task.isEmpty())
                .toList();
        return JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(tasks, Math.max(1, tasks.size()));
    }

    private boolean mayMatch(FilePart part, Filter filter) {
        if (!(filter instanceof EqualTo equal)) {
            return true;
        } else if (equal.attribute().equals(RowAddress.FILE)) {
            return equal.value().equals(part.address());
        }
        return !folders.getFieldIndex(equal.attribute()).isDefined()
                || equal.value().equals(part.folders().get(equal.attribute()));
    }
}
