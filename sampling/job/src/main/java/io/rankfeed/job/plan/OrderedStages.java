package io.rankfeed.job.plan;

import io.rankfeed.job.Stage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.ListOrder.OrderedStage;
import io.rankfeed.schema.selection.ListOrder.Range;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The stages of a plan that go from easy to hard: they can draw only what a stage of the export has put in that order. */
public final class OrderedStages {
    private OrderedStages() {}

    /** @throws ConfigException if one draws other rows than the version's lists have in its order */
    static void check(TrainFeed feed, List<Stage> stages, SelectedTrain stored) {
        for (int i = 0; i < stages.size(); i++) {
            if (stages.get(i).orderBy().isPresent()) {
                check(feed, i, stages.get(i).orderBy().get(), stored);
            }
        }
    }

    private static void check(TrainFeed feed, int number, String by, SelectedTrain stored) {
        String where = "feed '" + feed.name() + "': stage " + number + ", order-by: ";
        List<OrderedStage> same = stored.list().ordered().stream()
                .filter(stage -> stage.by().equals(by))
                .toList();
        if (same.isEmpty()) {
            List<String> known = stored.list().ordered().stream()
                    .map(OrderedStage::by)
                    .distinct()
                    .toList();
            throw new ConfigException(where + "no list of the version has the order of '" + by + "'"
                    + (known.isEmpty() ? "" : Suggestion.hint(by, known)) + "; export a version with this stage");
        }
        List<Range> drawn = drawn(feed, number);
        if (same.stream().noneMatch(stage -> stage.ranges().equals(drawn))) {
            throw new ConfigException(where + "draws " + shown(drawn, stored) + ", but the version has the order of '"
                    + by + "' in "
                    + same.stream().map(stage -> shown(stage.ranges(), stored)).collect(Collectors.joining(" or in "))
                    + "; keep the shares, rows and batch of the export up to this stage's end, or leave order-by out");
        }
    }

    /** Returns the stages of an export that have an order, with the list indices that are in this order. */
    public static List<OrderedStage> of(TrainFeed feed, List<Stage> stages) {
        return IntStream.range(0, stages.size())
                .filter(stage -> stages.get(stage).orderBy().isPresent())
                .mapToObj(stage -> new OrderedStage(stages.get(stage).orderBy().orElseThrow(), drawn(feed, stage)))
                .toList();
    }

    /** List indices that a stage draws: in its first cycle a list is drawn from its beginning. */
    static List<Range> drawn(TrainFeed feed, int stage) {
        List<Segment> segments = feed.segments().stream()
                .filter(segment -> segment.stage() == stage)
                .toList();
        List<Range> ranges = new ArrayList<>();
        for (int s = 0; s < feed.strata().size() && !segments.isEmpty(); s++) {
            long from = segments.get(0).base().get(s) * feed.lanes();
            long to = from;
            for (Segment segment : segments) {
                to += segment.quotas().get(s) * feed.lanes();
            }
            if (to > from) {
                ranges.add(new Range(s, from, to));
            }
        }
        return ranges;
    }

    private static String shown(List<Range> ranges, SelectedTrain stored) {
        return ranges.stream()
                .limit(3)
                .map(range -> "rows " + range.from() + " to " + range.to() + " of stratum '"
                        + stored.strata().get(range.stratum()).name() + "'")
                .collect(Collectors.joining(", ", "", ranges.size() > 3 ? ", …" : ""));
    }
}
