package io.rankfeed.spark.source.binary;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.FileTasks;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.PrunedFilteredScan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A row per file, empty files included, many files per task. A file is opened only where the query needs its content. Spark's own
 * {@code binaryFile} skips empty files.
 */
final class BinaryFiles extends BaseRelation implements PrunedFilteredScan {
    /** The largest array that a JVM allocates. */
    private static final long MAX_FILE_BYTES = Integer.MAX_VALUE - 8;

    private static final StructType SCHEMA = new StructType()
            .add("path", DataTypes.StringType, false)
            .add("length", DataTypes.LongType, false)
            .add("content", DataTypes.BinaryType, false)
            .add(RowAddress.FILE, DataTypes.StringType, false)
            .add(RowAddress.ROW, DataTypes.LongType, false);

    private final SparkSession spark;
    private final TaskConfiguration hadoop;
    private final List<SourceFile> files;

    /** @throws ConfigException if a file is larger than a value can be */
    BinaryFiles(SparkSession spark, Configuration conf, String source, List<SourceFile> files) {
        this.spark = spark;
        this.hadoop = new TaskConfiguration(conf);
        this.files = files;
        for (SourceFile file : files) {
            if (file.lengthBytes() > MAX_FILE_BYTES) {
                throw new ConfigException("sources." + source + ": " + file.path() + " has " + file.lengthBytes()
                        + " bytes; a value has at most " + MAX_FILE_BYTES + "; exclude the file with glob:");
            }
        }
    }

    @Override
    public SQLContext sqlContext() {
        return spark.sqlContext();
    }

    @Override
    public StructType schema() {
        return SCHEMA;
    }

    @Override
    public RDD<Row> buildScan(String[] columns, Filter[] filters) {
        List<List<File>> tasks = FileTasks.of(files.stream()
                        .filter(file -> Stream.of(filters).allMatch(filter -> mayMatch(file, filter)))
                        .toList())
                .stream()
                .map(task -> task.stream().map(File::of).toList())
                .toList();
        TaskConfiguration conf = hadoop;
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(tasks, Math.max(1, tasks.size()))
                .flatMap(task -> task.stream()
                        .map(file -> file.row(columns, conf.value()))
                        .iterator())
                .rdd();
    }

    /** Spark applies all filters again; this one only avoids opening files that none of them needs. */
    private static boolean mayMatch(SourceFile file, Filter filter) {
        return !(filter instanceof EqualTo equal && equal.attribute().equals(RowAddress.FILE))
                || equal.value().equals(RowAddress.of(file.path()));
    }

    private record File(String path, String relative, long lengthBytes) implements Serializable {
        static File of(SourceFile file) {
            return new File(file.path().toString(), file.relative(), file.lengthBytes());
        }

        Row row(String[] columns, Configuration conf) {
            Object[] values = new Object[columns.length];
            for (int i = 0; i < columns.length; i++) {
                values[i] = switch (columns[i]) {
                    case "path" -> relative;
                    case "length" -> lengthBytes;
                    case "content" -> content(conf);
                    case RowAddress.FILE -> RowAddress.of(new Path(path));
                    case RowAddress.ROW -> 0L;
                    default -> throw new IllegalArgumentException("unknown column " + columns[i]);
                };
            }
            return RowFactory.create(values);
        }

        private byte[] content(Configuration conf) {
            Path file = new Path(path);
            byte[] bytes = new byte[(int) lengthBytes];
            try (FSDataInputStream in = Storage.of(file, conf).open(file)) {
                in.readFully(bytes);
                if (in.read() < 0) {
                    return bytes;
                }
            } catch (EOFException e) {
                throw new EnvironmentException(changed(), e);
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("cannot read " + path, e), e);
            }
            throw new EnvironmentException(changed());
        }

        private String changed() {
            return path + " changed while the job read it; run the job again when its inputs no longer change";
        }
    }
}
