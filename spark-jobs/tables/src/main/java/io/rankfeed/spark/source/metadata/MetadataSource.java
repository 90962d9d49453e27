package io.rankfeed.spark.source.metadata;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.LineChoice;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.jsonl.ColumnCase;
import io.rankfeed.spark.source.jsonl.JsonlParser;
import io.rankfeed.spark.source.jsonl.JsonlSource;
import io.rankfeed.spark.source.jsonl.LineChunk;
import io.rankfeed.spark.source.jsonl.LineIndex;
import io.rankfeed.spark.source.jsonl.LineIndexFile;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * JSON lines with a metadata JSON next to them: the lines are chosen by the metadata, and those alone are read. Columns
 * are the lines' own, then what the metadata has next to them, then {@link #DRAW_INDEX} where a list was drawn.
 */
public final class MetadataSource {
    /** The index of a row in the list. */
    static final String DRAW_INDEX = "draw_index";

    private static final int MAX_TASKS = 4096;

    private final SparkSession spark;
    private final Configuration conf;
    private final String name;
    private final SourceSection section;
    private final SourceFile file;
    private final SourceFile metadataFile;
    private final MetadataTable metadata;
    private final LineIndex index;

    private MetadataSource(
            SparkSession spark,
            Path indices,
            String name,
            SourceSection section,
            SourceFile file,
            SourceFile metadataFile,
            List<LineIndexFile> made) {
        this.spark = spark;
        this.conf = spark.sparkContext().hadoopConfiguration();
        this.name = name;
        this.section = section;
        this.file = file;
        this.metadataFile = metadataFile;
        this.metadata = read(metadataFile);
        this.index = LineIndexFile.open(spark, conf, indices, file, made);
        if (metadata.rows() != index.lines()) {
            throw new CorruptDataException(
                    metadata.file(),
                    "has " + metadata.rows() + " rows, and " + file.path() + " has " + index.lines()
                            + " lines; a line that was skipped, a blank one too, shifts all behind it: make the"
                            + " metadata again");
        }
    }

    /**
     * Opens a source that has the key {@code metadata}.
     *
     * @param indices the folder of the line indexes
     * @param made gets the index of the file's lines, if it was not there
     */
    public static OpenSource open(
            SparkSession spark,
            Path indices,
            String name,
            SourceSection section,
            LineChoice choice,
            List<LineIndexFile> made) {
        Configuration conf = spark.sparkContext().hadoopConfiguration();
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        SourceFile file = only(name, folder.list(JsonlSource::isJsonLines), "jsonl");
        if (file.relative().endsWith(".gz")) {
            throw new ConfigException("sources." + name + ": " + file.path()
                    + " is packed, so that no line of it can be read alone; unpack it, or leave metadata: out");
        }
        SourceFiles beside = new SourceFiles(name, section.metadata().orElseThrow(), conf);
        SourceFile metadataFile = only(name, beside.list(any -> true, "metadata/"), "metadata");
        return InputChanges.blaming(List.of(file, metadataFile), conf, () -> new MetadataSource(
                        spark, indices, name, section, file, metadataFile, made)
                .opened(choice));
    }

    private OpenSource opened(LineChoice choice) {
        // It was read as a whole, and is not read again.
        InputChanges.refuse(List.of(metadataFile), conf);
        int[] list = section.draw()
                .map(draw -> DrawnLines.of("sources." + name, draw, metadata))
                .orElseGet(() -> section.read() == SourceSection.Read.CHOSEN
                        ? choice.of(name, name + "/" + file.relative(), rows())
                        : IntStream.range(0, metadata.rows()).toArray());
        int[] indexOf = new int[section.draw().isPresent() ? metadata.rows() : 0];
        if (indexOf.length > 0) {
            for (int i = 0; i < list.length; i++) {
                indexOf[list[i]] = i;
            }
        }
        List<LineChunk> chunks = LineChunk.of(
                file.path().toString(), Arrays.stream(list).sorted().toArray(), index);
        JavaRDD<LineChunk> tasks = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(chunks, Math.max(1, Math.min(chunks.size(), MAX_TASKS)));
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        StructType lines = section.schema()
                .map(ddl -> JsonlSource.written(name, ddl))
                .orElseGet(() -> JsonlSource.inferred(
                        name, spark, tasks.flatMap(chunk -> chunk.read(hadoop.value())), OnBadRow.FAIL));
        Dataset<Row> rows = rows(tasks, lines, indexOf, hadoop);
        List<SourceFile> files = List.of(file);
        FolderInput identity = new FolderInput(
                FileFormat.JSONL,
                name,
                List.of(
                        new InputFile(metadataFile.relative(), metadataFile.lengthBytes(), metadata.sha256()),
                        new InputFile(file.relative(), file.lengthBytes(), index.sha256())));
        return new OpenSource(name, SourceColumns.chosen(name, rows, section), true, identity, files);
    }

    private Dataset<Row> rows(JavaRDD<LineChunk> tasks, StructType lines, int[] indexOf, TaskConfiguration hadoop) {
        Set<String> ofLines = Set.of(lines.fieldNames());
        for (String column : lines.fieldNames()) {
            metadata.otherCase(column).ifPresent(other -> {
                throw new CorruptDataException(
                        metadata.file(),
                        "has the key '" + other + "', and the lines of " + file.path() + " have '" + column + "'; "
                                + ColumnCase.REMEDY);
            });
        }
        boolean drawn = indexOf.length > 0;
        StructType schema = lines;
        StructType more = new StructType();
        for (StructField column : metadata.schema().fields()) {
            if (!ofLines.contains(column.name())) {
                schema = schema.add(column);
                more = more.add(column);
            }
        }
        if (drawn) {
            if (Arrays.stream(schema.fieldNames()).anyMatch(DRAW_INDEX::equalsIgnoreCase)) {
                throw new ConfigException("sources." + name + ": the lines or the metadata have a key '" + DRAW_INDEX
                        + "', which names a row's index in the list; write schema: without it");
            }
            schema = schema.add(DRAW_INDEX, DataTypes.LongType, false);
        }
        schema =
                schema.add(RowAddress.FILE, DataTypes.StringType, false).add(RowAddress.ROW, DataTypes.LongType, false);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        Broadcast<MetadataTable> table = context.broadcast(metadata);
        Broadcast<int[]> indices = context.broadcast(indexOf);
        MetadataLines parser = new MetadataLines(new JsonlParser(lines, hadoop, OnBadRow.FAIL), table, more, indices);
        return spark.createDataFrame(tasks.flatMap(chunk -> parser.rows(chunk, hadoop.value())), schema);
    }

    /** Returns the metadata as rows, one for each line of the source. */
    private Dataset<Row> rows() {
        StructType schema = metadata.schema();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        Broadcast<MetadataTable> table = context.broadcast(metadata);
        JavaRDD<Row> rows = spark.range(metadata.rows()).toJavaRDD().map(line -> {
            StructField[] fields = schema.fields();
            @Nullable Object[] values = new @Nullable Object[fields.length + 1];
            for (int i = 0; i < fields.length; i++) {
                values[i] = MetadataLines.value(table.value(), fields[i], line.intValue());
            }
            values[fields.length] = line;
            return RowFactory.create(values);
        });
        return spark.createDataFrame(rows, schema.add(RowAddress.ROW, DataTypes.LongType, false));
    }

    private MetadataTable read(SourceFile beside) {
        Path path = beside.path();
        try (InputStream in = new BufferedInputStream(Storage.of(path, conf).open(path), 1 << 16)) {
            return MetadataTable.read(path.toString(), in);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + path, e), e);
        }
    }

    private static SourceFile only(String name, List<SourceFile> files, String key) {
        if (files.size() != 1) {
            throw new ConfigException("sources." + name + "." + key + ": must be one file, as metadata describes the"
                    + " lines of one; there are " + files.size());
        }
        return files.get(0);
    }
}
