package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.TextBasedFileFormat;
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What the metastore knows of a table, and how Spark reads it.
 *
 * @param partitions the partitions of the metastore, by their location; empty if the table has none, or keeps them in its folder
 */
public record HiveTable(URI location, List<Partition> partitions, LogicalPlan relation, Dataset<Row> rows) {
    private record Partition(String name, URI location) {}

    /** Options of Spark's text formats with which a record is not a line, or a line has another end. */
    private static final Set<String> OTHER_LINES = Set.of("multiline", "wholetext", "linesep");

    /** @throws ConfigException if it is not a table with files */
    public static HiveTable of(SparkSession spark, String source, String table, Dataset<Row> rows) {
        try {
            SessionCatalog catalog = spark.sessionState().catalog();
            TableIdentifier id = spark.sessionState().sqlParser().parseTableIdentifier(table);
            Optional<CatalogTable> known =
                    catalog.isTempView(id) ? Optional.empty() : Optional.of(catalog.getTableMetadata(id));
            CatalogTable metadata = known.filter(
                            found -> found.storage().locationUri().isDefined())
                    .orElseThrow(() -> new ConfigException("sources." + source + ": " + table
                            + " is a view, whose data has no identity; name its tables as sources and its query in"
                            + " prepare.sql"));
            LogicalPlan relation =
                    rows.queryExecution().analyzed().collectLeaves().head();
            boolean partitioned = !metadata.partitionColumnNames().isEmpty()
                    && (relation instanceof HiveTableRelation || metadata.tracksPartitionsInCatalog());
            List<Partition> partitions = new ArrayList<>();
            if (partitioned) {
                for (CatalogTablePartition partition :
                        CollectionConverters.asJava(catalog.listPartitions(id, Option.empty()))) {
                    partitions.add(new Partition(
                            name(CollectionConverters.asJava(metadata.partitionColumnNames()), partition),
                            partition.location()));
                }
            }
            return new HiveTable(metadata.location(), partitions, relation, rows);
        } catch (Exception e) {
            // Spark's Scala throws AnalysisException, a checked one, without declaring them.
            if (e instanceof AnalysisException) {
                throw new ConfigException("sources." + source + ": " + StorageFailures.firstLine(e), e);
            }
            throw SparkFailures.translated(e);
        }
    }

    public boolean isParquet() {
        return relation instanceof LogicalRelation table
                && table.relation() instanceof HadoopFsRelation files
                && files.fileFormat() instanceof ParquetFileFormat;
    }

    /** The stored columns, if timestamps in them are read in the JVM's time zone: by Hive's readers, and from ORC. */
    public StructType storedInJvmZone() {
        if (relation instanceof HiveTableRelation table) {
            return without(
                    CollectionConverters.asJava(table.partitionCols()).stream().map(Attribute::name));
        }
        return relation instanceof LogicalRelation table
                        && table.relation() instanceof HadoopFsRelation files
                        && files.fileFormat() instanceof OrcFileFormat
                ? without(Arrays.stream(files.partitionSchema().fieldNames()))
                : new StructType();
    }

    private StructType without(Stream<String> partitions) {
        Set<String> names = partitions.collect(Collectors.toSet());
        return new StructType(Arrays.stream(rows.schema().fields())
                .filter(field -> !names.contains(field.name()))
                .toArray(StructField[]::new));
    }

    /** Whether Spark reads the files line by line, and LF, CR or both end a line. */
    public boolean hasLines(Configuration conf) {
        if (relation instanceof HiveTableRelation table) {
            Option<String> format = table.tableMeta().storage().inputFormat();
            return format.isDefined()
                    && format.get().equals(TextInputFormat.class.getName())
                    && conf.get("textinputformat.record.delimiter") == null;
        }
        return relation instanceof LogicalRelation table
                && table.relation() instanceof HadoopFsRelation files
                && files.fileFormat() instanceof TextBasedFileFormat
                && CollectionConverters.asJava(files.options()).keySet().stream()
                        .noneMatch(option -> OTHER_LINES.contains(option.toLowerCase(Locale.ROOT)));
    }

    /** The files that are read, sorted; those of a partition that is elsewhere under the partition's name. */
    public List<SourceFile> files(String source, Configuration conf) {
        SourceFiles folder = new SourceFiles(source, new Path(location).toString(), conf);
        List<SourceFile> all = new ArrayList<>();
        if (partitions.isEmpty()) {
            all.addAll(folder.list(file -> true));
        }
        String root = RowAddress.canonical(folder.root().toUri()) + "/";
        for (Partition partition : partitions) {
            SourceFiles files = new SourceFiles(source, new Path(partition.location()).toString(), conf);
            String at = RowAddress.canonical(files.root().toUri());
            String prefix = at.startsWith(root) ? at.substring(root.length()) : partition.name();
            all.addAll(files.list(file -> true, prefix + "/"));
        }
        all.sort(Comparator.comparing(SourceFile::relative, CanonicalJson::compareCodePoints));
        if (relation instanceof HiveTableRelation) {
            return all;
        }
        String[] read = rows.inputFiles();
        List<SourceFile> files = SourceFiles.among(all, read);
        if (files.size() != read.length) {
            throw new ConfigException("sources." + source + ": Spark reads " + read.length + " files of the table at "
                    + folder.root() + ", but only " + files.size() + " are in its folder or its partitions and not"
                    + " hidden; write the table again");
        }
        return files;
    }

    private static String name(List<String> columns, CatalogTablePartition partition) {
        Map<String, String> values = CollectionConverters.asJava(partition.spec());
        return columns.stream()
                .map(column -> ExternalCatalogUtils.getPartitionPathString(column, values.get(column)))
                .collect(Collectors.joining("/"));
    }
}
