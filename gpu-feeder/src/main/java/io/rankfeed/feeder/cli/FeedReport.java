package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.Share;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rows that each rank read, as a file: integers only, one entry per feed and rank. A feeder that was killed and
 * restarted adds to what its predecessor wrote.
 *
 * @param ranks by feed and rank
 * @param strata rows of each rank by stage and stratum
 * @param rejected images that were fed as zeros and texts that were fed empty, by "column: reason"; rows prepared and not
 *     taken are counted too
 */
public record FeedReport(
        SortedMap<RankFeed, RankState> ranks,
        SortedMap<RankFeed, SortedMap<Integer, SortedMap<String, Long>>> strata,
        SortedMap<String, Long> rejected) {
    /** The report of a feeder that has served nobody. */
    static final FeedReport EMPTY = new FeedReport(new TreeMap<>());

    private static final long MAX_BYTES = 64L << 20;
    private static final double MILLIS = 1e3;
    private static final long MILLI_NANOS = 1_000_000;

    private FeedReport(SortedMap<String, Long> rejected) {
        this(new TreeMap<>(), new TreeMap<>(), rejected);
    }

    static FeedReport of(Collection<RankState> ranks, VersionCatalog catalog) {
        FeedReport report = new FeedReport(new TreeMap<>(catalog.rejections()));
        ranks.forEach(rank -> report.add(rank, rank.strata(catalog)));
        return report;
    }

    /** Adds two reports up, as if one feeder had served both. */
    static FeedReport sum(FeedReport earlier, FeedReport later) {
        FeedReport sum = new FeedReport(new TreeMap<>());
        for (FeedReport part : List.of(earlier, later)) {
            part.ranks.values().forEach(rank -> sum.add(rank, part.strata.getOrDefault(rank.key(), new TreeMap<>())));
            part.rejected.forEach((reason, count) -> sum.rejected.merge(reason, count, Long::sum));
        }
        return sum;
    }

    private void add(RankState rank, SortedMap<Integer, SortedMap<String, Long>> strataOfRank) {
        ranks.merge(rank.key(), rank, RankState::plus);
        SortedMap<Integer, SortedMap<String, Long>> all = strata.computeIfAbsent(rank.key(), absent -> new TreeMap<>());
        strataOfRank.forEach((stage, rows) -> rows.forEach((name, count) ->
                all.computeIfAbsent(stage, absent -> new TreeMap<>()).merge(name, count, Long::sum)));
    }

    /** Writes the report atomically. */
    void write(Path file) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        ranks.values().forEach(rank -> list.add(json(rank)));
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("ranks", list);
        ObjectNode counts = json.putObject("rejected");
        rejected.forEach(counts::put);
        try {
            WholeFile.write(file, CanonicalJson.indented(json));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("report " + file + " cannot be written", file, e), e);
        }
    }

    private ObjectNode json(RankState rank) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("feed", rank.key().feed());
        json.put("rank", rank.key().rank());
        json.put("world", rank.world());
        json.put("rows", rank.rows());
        json.put("steps", rank.batches());
        json.put("connections", rank.connections());
        json.put("millis", Math.round(rank.seconds() * MILLIS));
        json.put("attachedMillis", rank.times().attachedNanos() / MILLI_NANOS);
        json.put("waitedMillis", rank.times().nanos(Stage.WAIT_BATCH.id()) / MILLI_NANOS);
        ObjectNode stages = json.putObject("strata");
        strata.getOrDefault(rank.key(), new TreeMap<>())
                .forEach((stage, rows) -> rows.forEach(stages.putObject(Integer.toString(stage))::put));
        return json;
    }

    /**
     * Reads a report that {@link #write} wrote.
     *
     * @throws io.rankfeed.schema.failure.CorruptDataException if it breaks its format
     */
    public static FeedReport read(Path file) {
        JsonObject json = JsonObject.root(
                StrictJson.parse(StrictJson.readCapped(file, MAX_BYTES), file.toString()), file.toString());
        FeedReport report = new FeedReport(counts(json.object("rejected")));
        for (JsonObject rank : json.objects("ranks")) {
            JsonObject stages = rank.object("strata");
            SortedMap<Integer, SortedMap<String, Long>> strata = new TreeMap<>();
            stages.names().forEach(stage -> strata.put(Integer.valueOf(stage), counts(stages.object(stage))));
            report.add(rank(rank), strata);
        }
        return report;
    }

    private static SortedMap<String, Long> counts(JsonObject json) {
        SortedMap<String, Long> counts = new TreeMap<>();
        json.names().forEach(name -> counts.put(name, json.integer(name, 0, Long.MAX_VALUE)));
        return counts;
    }

    private static RankState rank(JsonObject json) {
        long attached = json.integer("attachedMillis", 0, Long.MAX_VALUE / MILLI_NANOS) * MILLI_NANOS;
        long waited = json.integer("waitedMillis", 0, Long.MAX_VALUE / MILLI_NANOS) * MILLI_NANOS;
        return new RankState(
                new RankFeed(json.intBetween("rank", 0, Integer.MAX_VALUE), json.text("feed")),
                json.intBetween("world", 1, Integer.MAX_VALUE),
                json.integer("rows", 0, Long.MAX_VALUE),
                json.integer("steps", 0, Long.MAX_VALUE),
                json.integer("connections", 0, Long.MAX_VALUE),
                json.integer("millis", 0, Long.MAX_VALUE) / MILLIS,
                List.of(),
                Optional.empty(),
                0,
                new StageTimes(attached, new TreeMap<>(Map.of(Stage.WAIT_BATCH.id(), new StageTimes.Sum(0, waited)))));
    }

    /**
     * Formats the report as human-readable lines: a line per rank, then its rows per stage (without stages per epoch)
     * and stratum.
     */
    public List<LogEvent> table() {
        if (ranks.isEmpty()) {
            return List.of(LogEvent.info("no trainer attached"));
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "%-8s %5s %12s %9s %12s %9s", "feed", "rank", "rows", "steps", "rows/s", "data wait"));
        for (RankState rank : ranks.values()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-8s %5d %,12d %,9d %,12.0f %9s",
                    rank.key().feed(),
                    rank.key().rank(),
                    rank.rows(),
                    rank.batches(),
                    rank.rowsPerSecond(),
                    Share.percent(rank.times().dataWait())));
            strata.getOrDefault(rank.key(), new TreeMap<>())
                    .forEach((stage, rows) -> lines.add("    stage or epoch " + stage + ": " + text(rows)));
        }
        return Stream.concat(lines.stream().map(LogEvent::info), rejections().stream())
                .toList();
    }

    /** Formats the reasons for which rows were fed as zeros or empty. */
    List<LogEvent> rejections() {
        List<LogEvent> lines = new ArrayList<>();
        rejected.forEach((reason, count) -> lines.add(counted("rejected and fed as zeros or empty", reason, count)));
        return lines;
    }

    /** Formats how often something happened for a reason. */
    static LogEvent counted(String what, String reason, long count) {
        return LogEvent.warning(String.format(Locale.ROOT, "%s: %s, %,d times", what, reason, count))
                .with("reason", reason)
                .with("count", count);
    }

    private static String text(Map<String, Long> rows) {
        List<String> parts = new ArrayList<>();
        rows.forEach((stratum, count) -> parts.add(String.format(Locale.ROOT, "%s %,d", stratum, count)));
        return String.join(", ", parts);
    }
}
