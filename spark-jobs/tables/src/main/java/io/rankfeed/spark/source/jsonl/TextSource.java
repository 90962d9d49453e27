package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.spark.engine.InputChanges;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.BadLine;
import io.rankfeed.spark.file.ComputedIterator;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import io.rankfeed.spark.source.open.OpenSource;
import io.rankfeed.spark.source.open.SourceColumns;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Text: a row {@code value STRING} for each line, blank lines included. The address of a row is the number of its line. */
public final class TextSource {
    private static final List<String> ENDINGS = List.of(".txt", ".text", ".txt.gz", ".text.gz");
    private static final StructType SCHEMA = new StructType()
            .add("value", DataTypes.StringType, false)
            .add(RowAddress.FILE, DataTypes.StringType, false)
            .add(RowAddress.ROW, DataTypes.LongType, false);

    private TextSource() {}

    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        List<SourceFile> files = folder.list(TextSource::isText);
        if (files.isEmpty()) {
            throw new ConfigException(
                    "sources." + name + ": no file in " + folder.root() + " ends in one of " + ENDINGS);
        }
        return InputChanges.blaming(files, conf, () -> {
            List<LineRange> ranges = LineRange.of(spark, conf, files, JsonlSource.RANGE_BYTES);
            JavaRDD<LineRange> tasks =
                    JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(ranges, ranges.size());
            TaskConfiguration hadoop = new TaskConfiguration(conf);
            boolean fails = onBadRow == OnBadRow.FAIL;
            Dataset<Row> rows =
                    spark.createDataFrame(tasks.flatMap(range -> rows(range, hadoop.value(), fails)), SCHEMA);
            Map<String, String> displayNames = files.stream()
                    .collect(Collectors.toMap(file -> file.path().toString(), file -> name + "/" + file.relative()));
            return new OpenSource(
                    name,
                    SourceColumns.chosen(name, rows, section),
                    true,
                    new FolderInput(FileFormat.TEXT, name, ContentDigests.of(spark, conf, files)),
                    files,
                    fails
                            ? Optional.empty()
                            : Optional.of(tasks.flatMap(range -> badLines(
                                    range, hadoop.value(), displayNames.getOrDefault(range.file(), range.file())))),
                    List.of());
        });
    }

    public static boolean isText(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    private static Iterator<Row> rows(LineRange range, Configuration conf, boolean fails) {
        String address = RowAddress.of(new Path(range.file()));
        JsonlLines lines = new JsonlLines(range, conf, true);
        return new ComputedIterator<>() {
            @Override
            protected @Nullable Row compute() {
                while (lines.hasNext()) {
                    Line line = lines.next();
                    if (fails || !line.isTooLong()) {
                        return RowFactory.create(line.text(), address, line.number());
                    }
                }
                return null;
            }
        };
    }

    private static Iterator<BadLine> badLines(LineRange range, Configuration conf, String displayName) {
        String address = RowAddress.of(new Path(range.file()));
        Iterable<Line> lines = () -> new JsonlLines(range, conf, true);
        return StreamSupport.stream(lines.spliterator(), false)
                .filter(Line::isTooLong)
                .flatMap(line -> bad(line, address, displayName))
                .iterator();
    }

    private static Stream<BadLine> bad(Line line, String address, String displayName) {
        try {
            line.text();
            return Stream.empty();
        } catch (CorruptDataException e) {
            String at = displayName + ":" + (line.number() + 1);
            return Stream.of(new BadLine(Reason.MALFORMED_LINE, address, line.number(), line.what(e), at, line.held()));
        }
    }
}
