package io.rankfeed.spark.source;

import io.rankfeed.job.Job;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.parquet.ReadColumns;
import io.rankfeed.spark.engine.parquet.StreamedFiles;
import io.rankfeed.spark.file.LineChoice;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.binary.BinarySource;
import io.rankfeed.spark.source.format.FormatSource;
import io.rankfeed.spark.source.format.OrcSource;
import io.rankfeed.spark.source.format.arrow.ArrowFormat;
import io.rankfeed.spark.source.format.arrow.HuggingFaceSource;
import io.rankfeed.spark.source.format.avro.AvroFormat;
import io.rankfeed.spark.source.format.csv.CsvSource;
import io.rankfeed.spark.source.format.lmdb.LmdbFormat;
import io.rankfeed.spark.source.format.mds.MdsSource;
import io.rankfeed.spark.source.format.tfrecord.TfRecordFormat;
import io.rankfeed.spark.source.format.webdataset.WebDatasetFormat;
import io.rankfeed.spark.source.jsonl.JsonlSource;
import io.rankfeed.spark.source.jsonl.LineIndexFile;
import io.rankfeed.spark.source.jsonl.TextSource;
import io.rankfeed.spark.source.metadata.MetadataSource;
import io.rankfeed.spark.source.open.FileColumns;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.PartitionFolders;
import io.rankfeed.spark.source.parquet.ParquetSource;
import io.rankfeed.spark.source.petastorm.PetastormSource;
import io.rankfeed.spark.source.table.DeltaSource;
import io.rankfeed.spark.source.table.HiveSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The open sources of a job. Each is a view with the source's name. */
public final class Sources {
    /** For jobs of which every source is read whole. */
    public static final LineChoice NO_CHOICE = (source, file, metadata) -> {
        throw new ConfigException("sources." + source
                + ".read: chosen reads the lines that feeds choose, and none does; write read: all");
    };

    private final List<OpenSource> sources;
    private final List<LineIndexFile> indices;

    private Sources(List<OpenSource> sources, List<LineIndexFile> indices) {
        this.sources = sources;
        this.indices = indices;
    }

    /**
     * Finds, checks and identifies every source, and registers its view.
     *
     * @param indices the folder of the line indexes of JSON lines files
     * @param choice called for each source whose lines are chosen by its metadata
     * @throws ConfigException if one is not there or has other columns
     * @throws CorruptDataException if a file's footer is damaged
     * @throws EnvironmentException if a file system or the metastore fails
     */
    public static Sources open(SparkSession spark, Job job, Path indices, LineChoice choice) {
        Configuration conf = spark.sparkContext().hadoopConfiguration();
        // Off by default in Parquet: a flipped bit would pass.
        conf.setBoolean("parquet.page.verify-checksum.enabled", true);
        List<OpenSource> opened = new ArrayList<>();
        List<LineIndexFile> made = new ArrayList<>();
        for (Map.Entry<String, SourceSection> entry : job.sources().entrySet()) {
            OpenSource source = entry.getValue().metadata().isPresent()
                    ? MetadataSource.open(spark, indices, entry.getKey(), entry.getValue(), choice, made)
                    : open(
                            spark,
                            conf,
                            entry.getKey(),
                            entry.getValue(),
                            job.prepare().onBadRow());
            if (source.identity() instanceof FolderInput) {
                Path folder = new Path(entry.getValue().location());
                StreamedFiles.refuseOthers(spark, source.name(), folder, source.files(), conf);
            }
            source.rows().drop(RowAddress.FILE, RowAddress.ROW).createOrReplaceTempView(source.name());
            opened.add(source);
        }
        return new Sources(opened, made);
    }

    private static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        return switch (section.kind()) {
            case PARQUET -> ParquetSource.open(spark, conf, name, section);
            case HIVE -> HiveSource.open(spark, conf, name, section);
            case DELTA -> DeltaSource.open(spark, conf, name, section);
            case ORC -> OrcSource.open(spark, conf, name, section);
            case AVRO -> FormatSource.open(spark, conf, name, section, FileFormat.AVRO, new AvroFormat(), onBadRow);
            case ARROW -> FormatSource.open(spark, conf, name, section, FileFormat.ARROW, new ArrowFormat(), onBadRow);
            case CSV -> CsvSource.open(spark, conf, name, section, onBadRow);
            case TEXT -> TextSource.open(spark, conf, name, section, onBadRow);
            case JSONL -> JsonlSource.open(spark, conf, name, section, onBadRow);
            case BINARY -> BinarySource.open(spark, conf, name, section);
            case PETASTORM -> PetastormSource.open(spark, conf, name, section);
            case WEBDATASET ->
                FormatSource.open(spark, conf, name, section, FileFormat.WEBDATASET, new WebDatasetFormat(), onBadRow);
            case TFRECORD ->
                FormatSource.open(spark, conf, name, section, FileFormat.TFRECORD, new TfRecordFormat(), onBadRow);
            case HUGGINGFACE -> HuggingFaceSource.open(spark, conf, name, section, onBadRow);
            case MDS -> MdsSource.open(spark, conf, name, section, onBadRow);
            case LMDB -> FormatSource.open(spark, conf, name, section, FileFormat.LMDB, new LmdbFormat(), onBadRow);
        };
    }

    public List<Input> identities() {
        return sources.stream().map(OpenSource::identity).toList();
    }

    /**
     * Checks the columns that a query reads of files that may differ in others.
     *
     * @return messages about columns that some files do not have
     * @throws ConfigException naming a column that has two types, or the file that does not have it
     */
    public List<String> missingColumns(Dataset<Row> query) {
        return sources.stream()
                .flatMap(source -> source.columns().filter(FileColumns::differ).stream()
                        .flatMap(columns -> columns.missing(ReadColumns.of(query, source.rows())).stream()))
                .toList();
    }

    /** Messages about their rows before any condition, and about folders that add no columns. */
    public List<String> messages() {
        List<String> messages = new ArrayList<>();
        for (OpenSource source : sources) {
            source.rowsInFiles()
                    .ifPresent(rows -> messages.add(String.format(
                            Locale.ROOT,
                            "source %s: %s in %s, before any condition",
                            source.name(),
                            Plural.counted(rows, "row"),
                            Plural.counted(source.files().size(), "file"))));
            if (source.identity() instanceof FolderInput input
                    && (input.format() == FileFormat.JSONL || input.format() == FileFormat.TEXT)) {
                PartitionFolders.ignored(source.name(), source.files()).ifPresent(messages::add);
            }
        }
        return messages;
    }

    /** Returns the bytes of the files of all sources. */
    public long lengthBytes() {
        return sources.stream().mapToLong(OpenSource::lengthBytes).sum();
    }

    public List<OpenSource> all() {
        return sources;
    }

    public Optional<OpenSource> find(String name) {
        return sources.stream().filter(source -> source.name().equals(name)).findFirst();
    }

    /** Keeps what was found out about the sources' lines, for later jobs. */
    public void keepIndices(Configuration conf) {
        indices.forEach(index -> index.keep(conf));
    }

    /** @throws CorruptDataException if Spark reads other rows than the files of a source have */
    public void refuseOtherCounts() {
        sources.forEach(OpenSource::refuseOtherCount);
    }

    /** Looks at every file once more. @throws EnvironmentException if one changed since it was opened */
    public void refuseChanges(Configuration conf) {
        sources.forEach(source -> InputChanges.refuse(source.files(), conf));
    }

    /** Runs work over the sources. Throws {@link EnvironmentException} if it fails and a file changed. */
    public <T> T blaming(Configuration conf, Callable<T> work) {
        List<SourceFile> files =
                sources.stream().flatMap(source -> source.files().stream()).toList();
        return InputChanges.blaming(files, conf, work);
    }
}
