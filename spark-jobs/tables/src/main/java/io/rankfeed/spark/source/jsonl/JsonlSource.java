package io.rankfeed.spark.source.jsonl;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** JSON lines: the address of a row is the number of its line. */
public final class JsonlSource {
    private static final String SPARKS_CORRUPT_COLUMN = "_corrupt_record";
    private static final List<String> ENDINGS =
            List.of(".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz");
    static final long RANGE_BYTES = 16L << 20;

    private JsonlSource() {}

    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.list(JsonlSource::isJsonLines);
        if (files.isEmpty()) {
            throw new ConfigException(
                    "sources." + name + ": no file in " + folder.root() + " ends in one of " + ENDINGS);
        }
        return InputChanges.blaming(files, conf, () -> opened(spark, conf, name, section, onBadRow, files));
    }

    private static OpenSource opened(
            SparkSession spark,
            Configuration conf,
            String name,
            SourceSection section,
            OnBadRow onBadRow,
            List<SourceFile> files) {
        List<LineRange> ranges = LineRange.of(spark, conf, files, RANGE_BYTES);
        JavaRDD<LineRange> tasks =
                JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(ranges, ranges.size());
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        StructType schema = section.schema()
                .map(ddl -> written(name, ddl))
                .orElseGet(() ->
                        inferred(name, spark, tasks.flatMap(range -> new JsonlLines(range, hadoop.value())), onBadRow));
        StructType addressed =
                schema.add(RowAddress.FILE, DataTypes.StringType, false).add(RowAddress.ROW, DataTypes.LongType, false);
        JsonlParser parser = new JsonlParser(schema, hadoop, onBadRow);
        JavaRDD<Row> parsed = tasks.mapPartitions(parser);
        Dataset<Row> rows = spark.createDataFrame(parsed, addressed);
        if (section.line().isPresent()) {
            rows = numbered(name, section.line().get(), rows, schema);
        }
        FolderInput identity = new FolderInput(FileFormat.JSONL, name, ContentDigests.of(spark, conf, files));
        return new OpenSource(
                name,
                SourceColumns.chosen(name, rows, section),
                true,
                identity,
                files,
                onBadRow == OnBadRow.FAIL ? Optional.empty() : Optional.of(badLines(name, files, tasks, parser)),
                List.of());
    }

    private static Dataset<Row> numbered(String name, String column, Dataset<Row> rows, StructType schema) {
        if (Arrays.stream(schema.fieldNames()).anyMatch(column::equalsIgnoreCase)) {
            throw new ConfigException("sources." + name + ".line: the lines have a column '" + column
                    + "'; choose another name for the line's number");
        }
        return rows.withColumn(column, functions.col(RowAddress.ROW));
    }

    private static JavaRDD<BadLine> badLines(
            String name, List<SourceFile> files, JavaRDD<LineRange> tasks, JsonlParser parser) {
        Map<String, String> displayNames = files.stream()
                .collect(Collectors.toMap(file -> file.path().toString(), file -> name + "/" + file.relative()));
        return tasks.flatMap(range -> parser.badLines(range, displayNames.getOrDefault(range.file(), range.file())));
    }

    /** Parses the key {@code schema} of a source. @throws ConfigException if JSON has no values of a column's type */
    public static StructType written(String name, String ddl) {
        StructType schema = StructType.fromDDL(ddl);
        ColumnCase.refuseDeclared(name, schema);
        for (StructField field : schema.fields()) {
            if (!JsonlParser.holds(field.dataType())) {
                throw new ConfigException("sources." + name + ".schema: column '" + field.name() + "' is "
                        + field.dataType().simpleString()
                        + ", which is not read from JSON; take STRING, which has the value as written"
                        + conversion(Columns.quoted(field.name()), field.dataType()));
            }
        }
        return schema;
    }

    /** The SQL that converts the text, and its effect on the value. */
    private static String conversion(String column, DataType type) {
        if (type instanceof DecimalType decimal) {
            return ". In the job's SQL CAST(" + column + " AS " + type.sql() + ") rounds to "
                    + Plural.counted(decimal.scale(), "digit") + " after the point";
        }
        return switch (type.typeName()) {
            case "date" -> ", and write in the job's SQL: unix_date(to_date(" + column + ", 'yyyy-MM-dd'))";
            case "timestamp", "timestamp_ntz" ->
                ". In the job's SQL unix_micros(CAST(" + column
                        + " AS TIMESTAMP)) truncates all digits below a microsecond";
            default -> "";
        };
    }

    /**
     * The lines' text. Of what Spark would pass over, a key twice among it, each line is asked before; what is not an object
     * is left out where bad rows are.
     */
    private static Iterator<String> texts(Iterator<Line> lines, OnBadRow onBadRow, LineKeys found) {
        Iterable<Line> all = () -> lines;
        return StreamSupport.stream(all.spliterator(), false)
                .filter(line -> isText(line, onBadRow, found))
                .map(Line::text)
                .iterator();
    }

    private static boolean isText(Line line, OnBadRow onBadRow, LineKeys found) {
        try {
            ObjectNode object = JsonLine.object(line);
            if (object.findValue("") != null) {
                throw line.refused("has an empty key, which can be no column; write schema: with the columns to read");
            }
            found.add(new LineKeys.Parsed(line, object));
            return true;
        } catch (CorruptDataException e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw e;
            }
            return false;
        }
    }

    /** Whether a file is of JSON lines, plain or compressed, by its name. */
    public static boolean isJsonLines(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    /** Returns the number of keys in a type, including nested ones. */
    private static int keys(DataType type) {
        return type instanceof StructType struct
                ? Arrays.stream(struct.fields())
                        .mapToInt(field -> 1 + keys(field.dataType()))
                        .sum()
                : type instanceof ArrayType list ? keys(list.elementType()) : 0;
    }

    /** A type that lines are read into: whole numbers beyond 64 bits, for Spark decimals, are kept as they are written. */
    private static DataType read(DataType found) {
        if (found instanceof ArrayType list) {
            return DataTypes.createArrayType(read(list.elementType()), list.containsNull());
        } else if (found instanceof StructType struct) {
            return new StructType(Arrays.stream(struct.fields())
                    .map(field -> DataTypes.createStructField(field.name(), read(field.dataType()), field.nullable()))
                    .toArray(StructField[]::new));
        }
        return found instanceof DecimalType ? DataTypes.StringType : found;
    }

    /** Spark's inference over every line. */
    public static StructType inferred(String name, SparkSession spark, JavaRDD<Line> lines, OnBadRow onBadRow) {
        LineKeys found = new LineKeys();
        spark.sparkContext().register(found);
        JavaRDD<String> texts = lines.mapPartitions(part -> texts(part, onBadRow, found));
        StructType schema = spark.read()
                .json(spark.createDataset(texts.rdd(), Encoders.STRING()))
                .schema();
        // Spark merges keys of different lines that differ only in case, but not those of one line.
        found.refuseOtherCase(schema);
        int keys = keys(schema);
        if (keys > SampleSchema.MAX_FIELDS) {
            throw new ConfigException("sources." + name + ": its lines have " + keys + " different keys, more than "
                    + SampleSchema.MAX_FIELDS + " columns; write schema: with those to read");
        }
        return new StructType(Arrays.stream(schema.fields())
                .filter(field -> !field.name().equals(SPARKS_CORRUPT_COLUMN))
                .map(field -> DataTypes.createStructField(field.name(), read(field.dataType()), field.nullable()))
                .toArray(StructField[]::new));
    }
}
