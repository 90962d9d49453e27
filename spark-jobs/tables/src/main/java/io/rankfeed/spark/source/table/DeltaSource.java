package io.rankfeed.spark.source.table;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.manifest.Input.DeltaInput;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.DeltaSnapshot;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.open.ExpectedRows;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import io.rankfeed.spark.source.open.SourceFooters;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;

/**
 * A Delta table at one version: the one that is written, the one of a time that is written, else the latest; its number
 * is recorded. Its rows have no address, so the job needs a key.
 */
public final class DeltaSource {
    private static final String EXTENSION = "io.delta.sql.DeltaSparkSessionExtension";

    /** Skips files by the statistics in the log. */
    private static final String FILE_SKIPPING = "spark.databricks.delta.stats.skipping";

    /** Computes minimum and maximum from the statistics in the log. */
    private static final String METADATA_QUERIES = "spark.databricks.delta.optimizeMetadataQuery.enabled";

    private final SparkSession spark;
    private final String name;
    private final SourceSection section;
    private final SourceFiles folder;
    private final String path;

    private DeltaSource(SparkSession spark, Configuration conf, String name, SourceSection section) {
        this.spark = spark;
        this.name = name;
        this.section = section;
        this.folder = new SourceFiles(name, section.location(), conf);
        this.path = folder.root().toString();
    }

    public static OpenSource open(SparkSession spark, Configuration conf, String name, SourceSection section) {
        if (!spark.conf().get("spark.sql.extensions", "").contains(EXTENSION)) {
            throw new ConfigException("sources." + name + ": Delta is not set up in this Spark; submit with"
                    + " --packages io.delta:delta-spark_4.2_2.13:4.4.0 (or its jars) and --conf spark.sql.extensions="
                    + EXTENSION
                    + " --conf spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog");
        }
        DeltaSource source = new DeltaSource(spark, conf, name, section);
        try {
            return source.opened(conf);
        } catch (Exception e) {
            // Scala throws the checked AnalysisException without declaring them.
            throw source.unreadable(e, conf);
        }
    }

    private OpenSource opened(Configuration conf) {
        long latest = DeltaSnapshot.version(spark.read().format("delta").load(path));
        long version = version(latest);
        String table = spark.sql("DESCRIBE DETAIL delta." + Columns.quoted(path))
                .select("id")
                .first()
                .getString(0);
        // By its number, whatever is committed meanwhile.
        Dataset<Row> rows =
                spark.read().format("delta").option("versionAsOf", version).load(path);
        List<SourceFile> files = DeltaSnapshot.files(rows, folder, conf, gone -> vacuumed(gone, version, latest));
        List<String> columns = SourceColumns.read(name, rows, section);
        refuseWideDecimals(rows, columns, files, conf);
        if (hasType(rows, columns, DeltaSource::isInexact)) {
            spark.conf().set(FILE_SKIPPING, "false");
            spark.conf().set(METADATA_QUERIES, "false");
        }
        // Delta knows no row's index in its file, which deletion vectors would unsettle anyway.
        OpenSource source = new OpenSource(
                name, SourceColumns.chosen(name, rows, section), false, new DeltaInput(name, version, table), files);
        Dataset<Row> read = rows.select(functions.col("_metadata.file_path").as(RowAddress.FILE));
        return DeltaSnapshot.rowsByFile(rows)
                .map(logged -> source.expecting(new ExpectedRows(read, logged)))
                .orElse(source);
    }

    /** Reads the footers only if there are decimals: a table can have many files. */
    private void refuseWideDecimals(
            Dataset<Row> rows, List<String> columns, List<SourceFile> files, Configuration conf) {
        List<String> decimals = columns.stream()
                .filter(column -> hasType(rows, List.of(column), DecimalType.class::isInstance))
                .toList();
        if (!decimals.isEmpty()) {
            SourceFooters.refuseUnsupported(
                    "sources." + name, SourceFooters.read(files, conf), DeltaSnapshot.stored(rows, decimals));
        }
    }

    /** Whether statistics can exclude values: delta-rs leaves out NaN, and writes decimals as rounded floats. */
    private static boolean isInexact(DataType type) {
        return type instanceof FloatType || type instanceof DoubleType || type instanceof DecimalType;
    }

    /** Whether one of the columns has a type at any depth. */
    private static boolean hasType(Dataset<Row> rows, List<String> columns, Predicate<DataType> type) {
        return Arrays.stream(rows.schema().fields())
                .filter(field -> columns.stream().anyMatch(field.name()::equalsIgnoreCase))
                .anyMatch(field -> field.dataType().existsRecursively(type::test));
    }

    private long version(long latest) {
        if (section.timestamp().isPresent()) {
            return DeltaSnapshot.version(spark.read()
                    .format("delta")
                    .option("timestampAsOf", section.timestampInUtc().orElseThrow())
                    .load(path));
        }
        long version = section.version().orElse(latest);
        if (version > latest) {
            throw new ConfigException(
                    "sources." + name + ".version: " + version + " does not exist; the latest is " + latest);
        }
        return version;
    }

    private RankfeedException vacuumed(String file, long version, long latest) {
        return version < latest
                ? new ConfigException("sources." + name + ": version " + version + " of " + path + " needs " + file
                        + ", which is gone, as VACUUM takes the files of old versions; the latest version is " + latest)
                : new CorruptDataException(
                        file,
                        "is of the latest version (" + version + ") of the Delta table at " + path
                                + " and is gone; restore it, or repair the table (FSCK REPAIR TABLE)");
    }

    private RuntimeException unreadable(Exception e, Configuration conf) {
        if (e instanceof RankfeedException known) {
            return known;
        }
        boolean delta =
                e instanceof AnalysisException || String.valueOf(e.getMessage()).contains("DELTA_");
        Optional<String> gap = delta ? DeltaSnapshot.gap(folder.root(), conf) : Optional.empty();
        if (gap.isPresent()) {
            return new CorruptDataException(path + "/_delta_log", gap.get(), e);
        }
        return delta
                ? new ConfigException(
                        "sources." + name + ": " + path + " cannot be read as a Delta table: "
                                + StorageFailures.firstLine(e),
                        e)
                : SparkFailures.translated(e);
    }
}
