package io.rankfeed.spark.format;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.shiftright;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.job.FormatSection;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.spark.engine.InternalRows;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The phase that writes the rows of a version in another format, in the order of the run. */
final class FormatExport extends Phase<FormattedCopy> {
    private static final int MAX_TASKS = 4096;
    private static final String DESTINATION = "destination";

    private final VersionLanes version;
    private final FormatRequest request;

    private FormatExport(JobContext context, VersionLanes version, FormatRequest request) {
        super(
                context,
                ArtifactFormat.FORMATTED,
                meaning(request),
                List.of(
                        new Input.ArtifactInput(
                                ArtifactFormat.VERSION, version.manifest().id(), version.manifestSha256()),
                        new Input.OrderInput(version.order().plan(), Sha256.hex(OrderJson.toBytes(version.order())))));
        this.version = version;
        this.request = request;
    }

    /**
     * Writes the files, or finds them written.
     *
     * @throws ConfigException if the format cannot store a column
     * @throws CorruptDataException if the version is damaged
     * @throws EnvironmentException if the file system fails
     */
    static FormattedCopy run(JobContext context, VersionLanes version, FormatSection section) {
        context.progress().phase("format " + section.format().word());
        return run(context, () -> {
            FormatRequest request = FormatRequest.of(section, version.manifest().schema());
            request.check(version.order().feeds().stream().map(Feed::name).toList());
            return new FormatExport(context, version, request).artifact();
        });
    }

    @Override
    protected FormattedCopy write() {
        String name = request.format().name();
        JavaSparkContext spark =
                JavaSparkContext.fromSparkContext(context.spark().sparkContext());
        context.step("format " + name + ": order rows");
        List<Feed> feeds = version.order().feeds();
        Positions positions =
                Positions.write(spark, OrderJson.toBytes(version.order()), feeds, request.ranks(), folder);
        Sets sets = sets(positions);
        sets.all().forEach(request.format()::check);
        JavaRDD<InternalRow> sorted = sorted(spark, positions, sets);
        FormatParts parts = new FormatParts(sets, folder);
        if (parts.needSurvey()) {
            context.step("format " + name + ": survey rows");
            parts.survey(sorted);
        }
        context.step("format " + name + ": write files");
        return commit(parts.write(sorted));
    }

    private FormattedCopy commit(List<WrittenFile> files) {
        long rows = version.manifest().rows();
        return commit(
                files,
                new Manifest.Formatted(
                        contents(rows, files.stream().map(WrittenFile::listed).toList()), request.schema()));
    }

    private Sets sets(Positions positions) {
        Sets sets = new Sets(request.format(), request.schema(), request.options());
        for (Feed feed : version.order().feeds()) {
            long[] rows = positions.rowsByRank(feed.name());
            double meanBytes = version.meanBytes(feed.name(), request.schema(), context.hadoop());
            List<FileSet> ofRanks = new ArrayList<>();
            for (int rank = 0; rank < rows.length; rank++) {
                ofRanks.add(request.set(feed.name(), rows[rank], (long) (rows[rank] * meanBytes)));
            }
            sets.add(feed.name(), ofRanks, request.roots());
        }
        return sets;
    }

    private JavaRDD<InternalRow> sorted(JavaSparkContext spark, Positions positions, Sets sets) {
        List<RoutedLanes.Lane> lanes = version.lanes();
        RoutedLanes routed = new RoutedLanes(
                version.path().toString(),
                CanonicalJson.compactText(SchemaJson.toJson(version.manifest().schema())),
                request.schema().names(),
                version.batchRows(),
                positions,
                sets,
                new TaskConfiguration(context.hadoop()));
        Dataset<Row> rows = InternalRows.query(
                context.spark(),
                spark.parallelize(lanes, Math.max(1, lanes.size())).mapPartitions(routed),
                new StructType().add(DESTINATION, DataTypes.LongType, false).add("row", DataTypes.BinaryType, false));
        int tasks = Math.min(MAX_TASKS, sets.parts());
        Column part = shiftright(col(DESTINATION), Integer.SIZE).cast("int");
        return InternalRows.of(
                rows.repartitionById(tasks, pmod(part, lit(tasks))).sortWithinPartitions(DESTINATION));
    }

    /** Returns the options that decide the bytes; "all columns" is the same as naming them all. */
    private static ObjectNode meaning(FormatRequest request) {
        FormatSection section = request.section();
        ObjectNode meaning = JsonNodeFactory.instance.objectNode();
        ObjectNode format = meaning.putObject("format");
        format.put("format", request.format().name());
        ArrayNode columns = format.putArray("columns");
        request.schema().names().forEach(columns::add);
        section.ranks().ifPresent(ranks -> format.put("ranks", ranks));
        section.shardRows().ifPresent(rows -> format.put("shard-rows", rows));
        section.shardBytes().map(ByteSize::toString).ifPresent(bytes -> format.put("shard-bytes", bytes));
        ObjectNode options = format.putObject("options");
        new TreeMap<>(section.options()).forEach(options::put);
        return meaning;
    }

    @Override
    protected FormattedCopy open(byte[] bytes) {
        Manifest manifest = ManifestJson.parse(bytes, new Path(folder.path(), Manifest.FILE_NAME).toString());
        return new FormattedCopy(request.format().name(), folder.path(), manifest);
    }
}
