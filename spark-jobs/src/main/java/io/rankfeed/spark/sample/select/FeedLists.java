package io.rankfeed.spark.sample.select;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.PlannedList;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.table.PreparedFrame;
import io.rankfeed.spark.sample.table.TableOrder;
import io.rankfeed.spark.source.ListFiles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The lists of a job's feeds, by feed. */
public record FeedLists(JobContext context, Map<String, ListFiles> files) {
    /** @throws io.rankfeed.schema.failure.ConfigException if one is not there, or no list */
    public static FeedLists of(JobContext context) {
        Map<String, ListFiles> files = new TreeMap<>();
        ConfigErrors errors = new ConfigErrors();
        context.job().sample().forEach((feed, section) -> section.list()
                .ifPresent(list -> errors.of(() -> ListFiles.of(context.spark(), context.hadoop(), feed, list))
                        .ifPresent(found -> files.put(feed, found))));
        errors.throwIfAny();
        return new FeedLists(context, files);
    }

    /** @throws io.rankfeed.schema.failure.ConfigException naming every list of which there is no file */
    public static void refuseMissing(JobContext context) {
        ConfigErrors errors = new ConfigErrors();
        context.job().sample().forEach((feed, section) -> section.list()
                .ifPresent(list -> errors.check(() -> ListFiles.refuseMissing(context.hadoop(), feed, list))));
        errors.throwIfAny();
    }

    public List<Input> identities() {
        return files.values().stream().map(ListFiles::identity).toList();
    }

    /** Looks again after the work. */
    public void refuseChanges() {
        files.values().forEach(list -> list.refuseChanges(context.hadoop()));
    }

    /** Runs work. Throws {@link io.rankfeed.schema.failure.EnvironmentException} if it fails and a list changed. */
    public <T> T blaming(Supplier<T> work) {
        Supplier<T> all = work;
        for (ListFiles list : files.values()) {
            Supplier<T> inner = all;
            all = () -> list.blaming(context.hadoop(), inner::get);
        }
        return all.get();
    }

    /** The rows of a table with the columns that the feed's list names. */
    public static Dataset<Row> rows(PreparedFrame frame, FeedSection section) {
        boolean byIndex =
                section.list().filter(list -> list.of() == PlannedList.Of.INDEX).isPresent();
        return byIndex ? TableOrder.numbered(frame) : frame.rows();
    }

    /** Chooses of a feed's {@linkplain #rows rows} those of its list; all where it has none. */
    public UnaryOperator<Dataset<Row>> chosen(String feed, FeedSection section) {
        return section.list()
                .<UnaryOperator<Dataset<Row>>>map(list -> rows -> {
                    ListFiles of = Objects.requireNonNull(files.get(feed));
                    return ListedRows.of(
                            of,
                            of.entries(context.spark(), context.hadoop()),
                            list,
                            context.job().prepare().rowKey(),
                            rows);
                })
                .orElse(rows -> rows);
    }
}
