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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
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
import org.apache.spark.sql.execution.command.DDLUtils;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.TextBasedFileFormat;
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat;
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat;
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.datasources.xml.XmlFileFormat;
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

    private static final String CSV = "CSV";
    private static final String XML = "XML";

    /** Spark's own readers of values in text. */
    private static final Map<Class<? extends FileFormat>, String> PARSED =
            Map.of(CSVFileFormat.class, CSV, JsonFileFormat.class, "JSON", XmlFileFormat.class, XML);

    /** Properties that Hive's readers know in Hive alone. */
    private static final List<String> SKIPPED_LINES = List.of("skip.header.line.count", "skip.footer.line.count");

    /** Properties of tables that Spark reads by itself, by the names of columns. */
    private static final List<String> BY_POSITION =
            List.of("parquet.column.index.access", "orc.force.positional.evolution");

    /** Input formats that select no files and no rows, of the tables that Spark reads without them. */
    private static final Set<String> WHOLE_FILES = Set.of(
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "parquet.hive.DeprecatedParquetInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat");

    /** @throws ConfigException if it is not a table with files, or Spark would read it as another one */
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
            refuseIgnored(source, metadata, relation);
            refuseInputFormat(source, metadata, relation);
            refuseLenient(source, relation);
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

    /**
     * The files that are read, sorted; those of a partition that is elsewhere under the partition's name.
     *
     * @throws ConfigException if Spark does not read all files of the table, or other ones
     */
    public List<SourceFile> files(String source, Configuration conf) {
        SourceFiles folder = new SourceFiles(source, new Path(location).toString(), conf);
        List<SourceFile> all = new ArrayList<>();
        List<SourceFile> direct = new ArrayList<>();
        if (partitions.isEmpty()) {
            add(folder, "", all, direct);
        }
        String root = RowAddress.canonical(folder.root().toUri()) + "/";
        for (Partition partition : partitions) {
            SourceFiles files = new SourceFiles(source, new Path(partition.location()).toString(), conf);
            String at = RowAddress.canonical(files.root().toUri());
            String prefix = at.startsWith(root) ? at.substring(root.length()) : partition.name();
            add(files, prefix + "/", all, direct);
        }
        all.sort(Comparator.comparing(SourceFile::relative, CanonicalJson::compareCodePoints));
        if (relation instanceof HiveTableRelation) {
            refuseUnread(source, all, conf.getBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, false) ? all : direct);
            return all;
        }
        String[] read = rows.inputFiles();
        List<SourceFile> files = SourceFiles.among(all, read);
        refuseUnread(source, all, files);
        if (files.size() != read.length) {
            throw new ConfigException("sources." + source + ": Spark reads " + read.length + " files of the table at "
                    + folder.root() + ", but only " + files.size() + " are in its folder or its partitions and not"
                    + " hidden; write the table again");
        }
        return files;
    }

    /** @param direct gets the files that are in no folder below the one that is listed */
    private static void add(SourceFiles folder, String prefix, List<SourceFile> all, List<SourceFile> direct) {
        for (SourceFile file : folder.list(name -> true, prefix)) {
            all.add(file);
            if (file.relative().indexOf('/', prefix.length()) < 0) {
                direct.add(file);
            }
        }
    }

    private static void refuseUnread(String source, List<SourceFile> all, List<SourceFile> read) {
        if (read.size() < all.size()) {
            Set<SourceFile> known = new HashSet<>(read);
            SourceFile unread = all.stream()
                    .filter(file -> !known.contains(file))
                    .findFirst()
                    .orElseThrow();
            throw new ConfigException("sources." + source + ": " + unread.path() + " is in the folder of the table, and"
                    + " Spark does not read it: it reads files directly in the folder of the table, or of a partition"
                    + " that the metastore has; move the file there, or add its partition with MSCK REPAIR TABLE");
        }
    }

    /** Refuses properties that change rows or values in Hive, and that Spark ignores. */
    private static void refuseIgnored(String source, CatalogTable table, LogicalPlan relation) {
        for (String property : relation instanceof HiveTableRelation ? SKIPPED_LINES : BY_POSITION) {
            Option<String> value = table.properties()
                    .get(property)
                    .orElse(() -> table.storage().properties().get(property));
            if (value.isDefined() && !value.get().matches("(?i)0|false")) {
                throw new ConfigException("sources." + source + ": the table has the property " + property + " = "
                        + value.get() + ", which Spark ignores: it would read other rows or values than Hive; name the"
                        + " table's folder as a source of its own, or write the table without the property");
            }
        }
    }

    /** Refuses an input format that can select rows, as Hudi's does, where Spark reads all files by itself. */
    private static void refuseInputFormat(String source, CatalogTable table, LogicalPlan relation) {
        Option<String> format = table.storage().inputFormat();
        boolean isIgnored = DDLUtils.isHiveTable(table) && relation instanceof LogicalRelation;
        if (isIgnored && format.isDefined() && !WHOLE_FILES.contains(format.get())) {
            throw new ConfigException("sources." + source + ": the table has the input format " + format.get()
                    + ", which Spark ignores: it would read all files of the folder, and so other rows than Hive; add"
                    + " --conf spark.sql.hive.convertMetastoreParquet=false (or convertMetastoreOrc) and the jar of the"
                    + " format, or write the rows as a plain table");
        }
    }

    /** Refuses tables of Spark's own readers of text that replace what they cannot parse, or that ignore the names of columns. */
    private static void refuseLenient(String source, LogicalPlan relation) {
        if (!(relation instanceof LogicalRelation table && table.relation() instanceof HadoopFsRelation files)) {
            return;
        }
        Optional<String> format = PARSED.entrySet().stream()
                .filter(parsed -> parsed.getKey().isInstance(files.fileFormat()))
                .map(Map.Entry::getValue)
                .findFirst();
        if (format.isEmpty()) {
            return;
        }
        Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        options.putAll(CollectionConverters.asJava(files.options()));
        if (!options.getOrDefault("mode", "").equalsIgnoreCase("FAILFAST")) {
            throw lenient(source, format.get(), "gives null for what it cannot parse", "'mode' = 'FAILFAST'");
        }
        boolean isByPosition = Boolean.parseBoolean(options.getOrDefault("enforceSchema", "true"));
        if (format.get().equals(CSV) && Boolean.parseBoolean(options.get("header")) && isByPosition) {
            throw lenient(source, CSV, "finds columns by position and ignores the header", "'enforceSchema' = 'false'");
        }
    }

    private static ConfigException lenient(String source, String format, String does, String option) {
        String folder = format.equals(XML)
                ? ""
                : "name its folder as a " + (format.equals(CSV) ? "csv" : "jsonl") + " source, or ";
        return new ConfigException("sources." + source + ": Spark's " + format + " reader " + does + " in this table; "
                + folder + "set the option: ALTER TABLE … SET SERDEPROPERTIES (" + option + ")");
    }

    /**
     * Refuses the partition of null where Hive's readers read it: Spark gives its name as the value, or cannot convert it.
     *
     * @param chosen the rows of the table after the source's condition, which excludes partitions
     */
    public void refuseNullPartition(String source, Dataset<Row> chosen) {
        LogicalPlan leaf =
                chosen.queryExecution().optimizedPlan().collectLeaves().head();
        if (!(leaf instanceof HiveTableRelation table)) {
            return;
        }
        List<String> columns = CollectionConverters.asJava(table.partitionCols()).stream()
                .map(Attribute::name)
                .toList();
        Stream<String> read = table.prunedPartitions().isDefined()
                ? CollectionConverters.asJava(table.prunedPartitions().get()).stream()
                        .map(partition -> name(columns, partition))
                : partitions.stream().map(Partition::name);
        read.filter(name -> name.contains("=" + ExternalCatalogUtils.DEFAULT_PARTITION_NAME()))
                .findFirst()
                .ifPresent(name -> {
                    throw new ConfigException("sources." + source + ": partition " + name + " has null in a partition"
                            + " column, which Spark reads as another value from tables of this format; exclude it by"
                            + " IS NOT NULL under sources." + source + ".where, or write the table as ORC or Parquet");
                });
    }

    private static String name(List<String> columns, CatalogTablePartition partition) {
        Map<String, String> values = CollectionConverters.asJava(partition.spec());
        return columns.stream()
                .map(column -> ExternalCatalogUtils.getPartitionPathString(column, values.get(column)))
                .collect(Collectors.joining("/"));
    }
}
