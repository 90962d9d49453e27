package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.console.LogEvent;
import io.rankfeed.feeder.serve.admission.RankReport;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rows that each rank read, as a file: integers only, one entry per feed and rank. A feeder that was killed and
 * restarted adds to what its predecessor wrote.
 *
 * @param ranks sorted by feed and rank
 * @param rejected images that were fed as zeros and texts that were fed empty, by "column: reason"; rows prepared and not
 *     taken are counted too
 */
public record FeedReport(List<RankReport> ranks, SortedMap<String, Long> rejected) {
    /** The report of a feeder that has served nobody. */
    static final FeedReport EMPTY = new FeedReport(List.of(), new TreeMap<>());

    private static final long MAX_BYTES = 64L << 20;
    private static final double MILLIS = 1e3;

    /** Adds two reports up, as if one feeder had served both. */
    static FeedReport sum(FeedReport earlier, FeedReport later) {
        SortedMap<String, RankReport> byRank = new TreeMap<>();
        SortedMap<String, Long> rejected = new TreeMap<>();
        for (FeedReport part : List.of(earlier, later)) {
            for (RankReport rank : part.ranks()) {
                byRank.merge(String.format(Locale.ROOT, "%s/%09d", rank.feed(), rank.rank()), rank, FeedReport::sum);
            }
            part.rejected().forEach((reason, images) -> rejected.merge(reason, images, Long::sum));
        }
        return new FeedReport(List.copyOf(byRank.values()), rejected);
    }

    private static RankReport sum(RankReport a, RankReport b) {
        SortedMap<Integer, SortedMap<String, Long>> strata = new TreeMap<>();
        for (RankReport part : List.of(a, b)) {
            part.strata()
                    .forEach((stage, rows) ->
                            rows.forEach((name, count) -> strata.computeIfAbsent(stage, key -> new TreeMap<>())
                                    .merge(name, count, Long::sum)));
        }
        return new RankReport(
                a.feed(),
                a.rank(),
                b.world(),
                a.rows() + b.rows(),
                a.steps() + b.steps(),
                a.connections() + b.connections(),
                a.seconds() + b.seconds(),
                a.attachedSeconds() + b.attachedSeconds(),
                a.waitedSeconds() + b.waitedSeconds(),
                strata);
    }

    /** Writes the report atomically. */
    void write(Path file) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        ranks.forEach(rank -> list.add(json(rank)));
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("ranks", list);
        ObjectNode counts = json.putObject("rejected");
        rejected.forEach(counts::put);
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Path temporary = file.resolveSibling(
                    "." + file.getFileName() + "." + ProcessHandle.current().pid());
            Files.write(temporary, CanonicalJson.indented(json));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("report " + file + " cannot be written", file, e), e);
        }
    }

    private static ObjectNode json(RankReport rank) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("feed", rank.feed());
        json.put("rank", rank.rank());
        json.put("world", rank.world());
        json.put("rows", rank.rows());
        json.put("steps", rank.steps());
        json.put("connections", rank.connections());
        json.put("millis", Math.round(rank.seconds() * MILLIS));
        json.put("attachedMillis", Math.round(rank.attachedSeconds() * MILLIS));
        json.put("waitedMillis", Math.round(rank.waitedSeconds() * MILLIS));
        ObjectNode stages = json.putObject("strata");
        rank.strata().forEach((stage, rows) -> rows.forEach(stages.putObject(Integer.toString(stage))::put));
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
        List<RankReport> ranks = new ArrayList<>();
        for (JsonObject rank : json.objects("ranks")) {
            ranks.add(rank(rank));
        }
        SortedMap<String, Long> rejected = new TreeMap<>();
        JsonObject counts = json.object("rejected");
        counts.names().forEach(reason -> rejected.put(reason, counts.integer(reason, 0, Long.MAX_VALUE)));
        return new FeedReport(ranks, rejected);
    }

    private static RankReport rank(JsonObject json) {
        SortedMap<Integer, SortedMap<String, Long>> strata = new TreeMap<>();
        JsonObject stages = json.object("strata");
        for (String stage : stages.names()) {
            SortedMap<String, Long> rows = new TreeMap<>();
            JsonObject counts = stages.object(stage);
            counts.names().forEach(name -> rows.put(name, counts.integer(name, 0, Long.MAX_VALUE)));
            strata.put(Integer.valueOf(stage), rows);
        }
        return new RankReport(
                json.text("feed"),
                json.intBetween("rank", 0, Integer.MAX_VALUE),
                json.intBetween("world", 1, Integer.MAX_VALUE),
                json.integer("rows", 0, Long.MAX_VALUE),
                json.integer("steps", 0, Long.MAX_VALUE),
                json.integer("connections", 0, Long.MAX_VALUE),
                json.integer("millis", 0, Long.MAX_VALUE) / MILLIS,
                json.integer("attachedMillis", 0, Long.MAX_VALUE) / MILLIS,
                json.integer("waitedMillis", 0, Long.MAX_VALUE) / MILLIS,
                strata);
    }

    /**
     * Formats the report as human-readable lines: a line per rank, then its rows per stage (without stages per epoch)
     * and stratum.
     */
    public List<LogEvent> table() {
        List<String> lines = new ArrayList<>();
        if (ranks.isEmpty()) {
            return List.of(LogEvent.info("no trainer attached"));
        }
        lines.add(String.format(
                Locale.ROOT, "%-8s %5s %12s %9s %12s %9s", "feed", "rank", "rows", "steps", "rows/s", "data wait"));
        for (RankReport rank : ranks) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-8s %5d %,12d %,9d %,12.0f %9s",
                    rank.feed(),
                    rank.rank(),
                    rank.rows(),
                    rank.steps(),
                    rank.rowsPerSecond(),
                    FeedTimes.percent(rank.dataWait())));
            rank.strata().forEach((stage, rows) -> lines.add("    stage or epoch " + stage + ": " + text(rows)));
        }
        return Stream.concat(lines.stream().map(LogEvent::info), rejections().stream())
                .toList();
    }

    /** Formats the reasons for which rows were fed as zeros or empty. */
    List<LogEvent> rejections() {
        return rejected.entrySet().stream()
                .map(each -> counted("rejected and fed as zeros or empty", each.getKey(), each.getValue()))
                .toList();
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
