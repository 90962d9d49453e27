package io.rankfeed.spark.engine.parquet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Predicate;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.FilePruningRunner;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Makes Spark read exactly the listed files, with the partition values of their folders. Spark's own listing
 * silently ignores files below plain folders, or all files above {@code column=value} folders.
 */
public final class ListedFiles implements FileIndex {
    /**
     * A folder with files.
     *
     * @param values of the partition columns: strings, numbers, booleans and nulls
     */
    public record Folder(List<@Nullable Object> values, List<FileStatus> files) {
        private PartitionDirectory forSpark() {
            Object[] row = values.stream()
                    .map(value -> value instanceof String text ? UTF8String.fromString(text) : value)
                    .toArray();
            return PartitionDirectory.apply(new GenericInternalRow(row), files.toArray(FileStatus[]::new));
        }
    }

    /** A format that Spark reads. */
    public static final class Format {
        public static final Format ORC = new Format(new ExactOrc());

        private final FileFormat reader;

        private Format(FileFormat reader) {
            this.reader = reader;
        }

        public static Format parquet(RowDecoded byRow) {
            return new Format(new CheckedParquet(byRow));
        }
    }

    private final Path root;
    private final StructType partitions;
    private final List<Folder> folders;

    private ListedFiles(Path root, StructType partitions, List<Folder> folders) {
        this.root = root;
        this.partitions = partitions;
        this.folders = folders;
    }

    /**
     * The rows of all files: the columns that they store, then those of their folders.
     *
     * @param root the source's folder, for names in plans
     */
    public static Dataset<Row> rows(
            SparkSession spark,
            Path root,
            StructType stored,
            StructType partitions,
            List<Folder> folders,
            Format format) {
        return spark.baseRelationToDataFrame(new HadoopFsRelation(
                new ListedFiles(root, partitions, folders),
                partitions,
                stored.asNullable(),
                Option.empty(),
                format.reader,
                // Off by default in Parquet: a flipped bit would pass.
                Map$.MODULE$.from(CollectionConverters.asScala(Map.of("parquet.page.verify-checksum.enabled", "true"))),
                spark));
    }

    /**
     * Reads the rows of an artifact's files. One task reads each file.
     *
     * @param root the artifact's folder, for names in plans
     */
    public static Dataset<Row> rows(
            SparkSession spark, Path root, StructType stored, List<FileStatus> files, ArtifactFooters footers) {
        return rows(
                spark,
                root,
                stored,
                new StructType(),
                List.of(new Folder(List.of(), files)),
                new Format(new CheckedParquet(footers)));
    }

    /** The columns that a Parquet file has, in Spark's types. */
    public static StructType stored(SparkSession spark, FileStatus file) {
        return new ParquetFileFormat()
                .inferSchema(spark, Map$.MODULE$.empty(), seq(Stream.of(file)))
                .get();
    }

    @Override
    public Seq<Path> rootPaths() {
        return seq(Stream.of(root));
    }

    @Override
    public Seq<PartitionDirectory> listFiles(Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
        Optional<BasePredicate> wanted = CollectionConverters.asJava(partitionFilters).stream()
                .reduce(And::new)
                .map(this::onValues);
        // Conditions on a row's file exclude files, as conditions on its partition do.
        FilePruningRunner byName = new FilePruningRunner(dataFilters);
        return seq(folders.stream()
                .map(Folder::forSpark)
                .filter(folder -> wanted.isEmpty() || wanted.get().eval(folder.values()))
                .map(byName::prune));
    }

    /** Binds the condition to the partition values, whose order is that of the partition columns. */
    private BasePredicate onValues(Expression condition) {
        List<Attribute> known =
                CollectionConverters.asJava(condition.references().toSeq());
        Stream<Attribute> attributes = CollectionConverters.asJava(DataTypeUtils.toAttributes(partitions)).stream()
                .map(column -> known.stream()
                        .filter(attribute -> attribute.name().equals(column.name()))
                        .findFirst()
                        .orElse(column));
        return Predicate.create(condition, seq(attributes));
    }

    @Override
    public String[] inputFiles() {
        return statuses().map(file -> file.getPath().toUri().toString()).toArray(String[]::new);
    }

    @Override
    public void refresh() {}

    @Override
    public long sizeInBytes() {
        return statuses().mapToLong(FileStatus::getLen).sum();
    }

    @Override
    public StructType partitionSchema() {
        return partitions;
    }

    private Stream<FileStatus> statuses() {
        return folders.stream().flatMap(folder -> folder.files().stream());
    }

    private static <T> Seq<T> seq(Stream<T> elements) {
        return CollectionConverters.asScala(elements.toList()).toSeq();
    }
}
