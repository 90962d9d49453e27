package io.rankfeed.spark.sample;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Job;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.selection.SelectedFeed;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.Phase;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.select.FeedLists;
import io.rankfeed.spark.sample.select.FeedRows;
import io.rankfeed.spark.sample.select.PlanFiles;
import io.rankfeed.spark.sample.select.PlannedFeed;
import io.rankfeed.spark.sample.select.RowsFile;
import io.rankfeed.spark.sample.select.SelectedRows;
import io.rankfeed.spark.sample.strata.Quantiles;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The phase that makes the plan. */
public final class Sample extends Phase<Plan> {
    private final FeedLists lists;
    private final Supplier<PreparedFrame> frame;

    private Sample(JobContext context, PreparedTable prepared, FeedLists lists, Supplier<PreparedFrame> frame) {
        super(context, ArtifactFormat.PLAN, meaning(context.job()), inputs(prepared, lists));
        this.lists = lists;
        this.frame = frame;
    }

    private static List<Input> inputs(PreparedTable prepared, FeedLists lists) {
        List<Input> inputs = new ArrayList<>(
                List.of(new Input.ArtifactInput(ArtifactFormat.PREPARED, prepared.id(), prepared.manifestSha256())));
        inputs.addAll(lists.identities());
        return inputs;
    }

    /**
     * Makes the plan, or finds it made.
     *
     * @throws ConfigException if a feed cannot be planned as written: shortage, unbinned value, contradiction
     * @throws CorruptDataException if the prepared table is damaged
     * @throws EnvironmentException if the file system fails
     */
    public static Plan run(JobContext context, PreparedTable prepared) {
        return run(context, prepared, () -> {
            context.step("sample: read the prepared table");
            return PreparedFrame.open(context, prepared);
        });
    }

    /**
     * Makes or finds the plan over a table that is computed while it is read.
     *
     * @param frame the table's rows; asked for where the plan is not there yet
     */
    public static Plan run(JobContext context, PreparedTable prepared, Supplier<PreparedFrame> frame) {
        return run(context, () -> new Sample(context, prepared, FeedLists.of(context), frame).artifact());
    }

    /** Returns what {@link #run} would plan. Reads metadata columns of the prepared table, and writes nothing. */
    public static List<FeedReport> preview(JobContext context, PreparedTable prepared, ConfigErrors errors) {
        PreparedFrame frame = PreparedFrame.open(context, prepared);
        return preview(context, section -> FeedLists.rows(frame, section), errors);
    }

    /**
     * Previews a plan whose table does not exist yet.
     *
     * @param rowsFor for a feed, rows with the columns that it names
     * @param errors gets what {@link #run} would refuse
     * @return the feeds that can be planned, or could if their strata were not too short
     */
    public static List<FeedReport> preview(
            JobContext context, Function<FeedSection, Dataset<Row>> rowsFor, ConfigErrors errors) {
        List<FeedReport> reports = new ArrayList<>();
        Optional<FeedLists> lists = errors.of(() -> FeedLists.of(context));
        if (lists.isEmpty()) {
            return reports;
        }
        Map<String, FeedPlanner> planners = new TreeMap<>();
        context.job().sample().forEach((name, section) -> errors.of(() -> rowsFor.apply(section))
                .ifPresent(rows -> planners.put(
                        name, new FeedPlanner(rows, name, section, lists.get().chosen(name, section)))));
        errors.of(() -> FeedPlanner.quantiles(planners.values()))
                .ifPresent(quantiles -> planners.forEach((name, planner) -> {
                    context.progress().phase("sample: strata of feed " + name);
                    planner.preview(quantiles, errors).ifPresent(reports::add);
                }));
        return reports;
    }

    @Override
    protected Plan write() {
        return lists.blaming(() -> {
            PreparedFrame table = frame.get();
            return table.blaming(() -> write(table, planned(table)));
        });
    }

    @Override
    protected Plan open(byte[] manifest) {
        return PlanFolder.open(context, folder.path());
    }

    private Plan write(PreparedFrame frame, List<PlannedFeed> feeds) {
        List<WrittenFile> files = new ArrayList<>();
        List<SelectedFeed> selected = new ArrayList<>();
        long rows = 0;
        for (PlannedFeed feed : feeds) {
            String name = feed.feed().name();
            context.progress().phase("sample: rows of feed " + name);
            context.step("sample: choose and order the rows of feed " + name);
            FeedRows feedRows = FeedRows.of(feed.feed());
            rows += feedRows.total();
            List<RowsFile> written = locatingBadRow(
                    frame,
                    () -> feed.write(frame, context.job().prepare().rowKey(), new PlanFiles(name, feedRows, folder)));
            written.forEach(file -> files.add(file.file()));
            selected.add(SelectedRows.of(
                    feed, written.stream().map(RowsFile::rowDigest).toList()));
            FaultPoints.reached("sample.after-feed");
        }
        lists.refuseChanges();
        frame.refuseChanges();
        Order order = new Order(
                context.job().dataset(),
                id(),
                Optional.empty(),
                feeds.stream().map(PlannedFeed::feed).toList());
        files.add(PlanFolder.writeOrder(folder, order));
        files.add(
                PlanFolder.writeSelection(folder, new Selection(context.job().dataset(), Optional.empty(), selected)));
        Manifest manifest = new Manifest.Plan(
                contents(rows, files.stream().map(WrittenFile::listed).toList()),
                feeds.stream()
                        .filter(feed -> !feed.decisions().isEmpty())
                        .collect(Collectors.toMap(feed -> feed.feed().name(), PlannedFeed::decisions)));
        return commit(files, manifest);
    }

    private List<PlannedFeed> planned(PreparedFrame frame) {
        List<PlannedFeed> feeds = new ArrayList<>();
        ConfigErrors errors = new ConfigErrors();
        Map<String, FeedPlanner> planners = new TreeMap<>();
        context.job()
                .sample()
                .forEach((name, section) -> planners.put(
                        name,
                        new FeedPlanner(FeedLists.rows(frame, section), name, section, lists.chosen(name, section))));
        context.step("sample: compute quantiles");
        Quantiles quantiles = locatingBadRow(frame, () -> FeedPlanner.quantiles(planners.values()));
        // The order of a job file's keys must not change a plan.
        planners.forEach((name, planner) -> {
            FeedSection section = planner.section();
            context.progress().phase("sample: strata of feed " + name);
            context.step("sample: count the strata of feed " + name);
            errors.of(() -> locatingBadRow(frame, () -> planner.plan(frame.rowCount(), quantiles)))
                    .ifPresent(feed -> {
                        // What was decided is reported at the job's end, where the plan exists already too.
                        FeedReport.of(feed.feed(), List.of(), section, feed.strata(), feed.dropped())
                                .lines()
                                .forEach(context.progress()::detail);
                        feeds.add(feed);
                    });
        });
        errors.throwIfAny();
        return feeds;
    }

    /** Does work over the feeds' rows; if a value fails, names its row. */
    private <T> T locatingBadRow(PreparedFrame frame, Supplier<T> work) {
        return FailingFeedRow.locatingBadRow(
                context.spark(), frame, context.job().sample(), work);
    }

    private static ObjectNode meaning(Job job) {
        if (job.sample().isEmpty()) {
            throw new ConfigException("the job has no feed to sample; add sample: with at least one feed");
        }
        ObjectNode feeds = JsonNodeFactory.instance.objectNode();
        job.sample().forEach((name, section) -> {
            ObjectNode feed = ConfigJson.toJson(section);
            // Where a list is is not a meaning; what it says is an input.
            section.list().ifPresent(list -> feed.withObject("/list").remove(List.of("parquet", "text")));
            feeds.set(name, feed);
        });
        ObjectNode meaning = JsonNodeFactory.instance.objectNode();
        meaning.set("sample", feeds);
        return meaning;
    }
}
