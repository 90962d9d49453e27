package io.rankfeed.feeder.diagnose;

import io.rankfeed.feeder.machine.Finding;
import io.rankfeed.feeder.timing.Part;
import io.rankfeed.feeder.timing.Share;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.report.Picture;
import io.rankfeed.report.Report;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A diagnosis for users: the answer in some lines, every number as a fact, the stages and the machine as tables, one picture. */
public final class DiagnosisReport {
    private static final double MILLIS = 1e3;

    /** A prediction that is further off, as a part of the measurement, does not describe the feed. */
    private static final double FAR_OFF = 0.15;

    private static final String OFF =
            ": both sides wait for each other or for processors; end other programs, or compare settings with"
                    + " rankfeed bench";
    private static final String IN_TURN =
            "but the trainers also wait for batches: the ring is full at some times and empty at others, so compare"
                    + " --depth and --workers with rankfeed bench";
    private static final List<Integer> COLORS = List.of(0x0072B2, 0xE69F00, 0x56B4E9, 0x009E73, 0xD55E00, 0x999999);

    private final FeedDiagnosis diagnosis;
    private final FeedStretch stretch;
    private final String formats;
    private final Report report = new Report();

    private DiagnosisReport(FeedDiagnosis diagnosis, Collection<String> formats) {
        this.diagnosis = diagnosis;
        this.formats = String.join(", ", formats);
        stretch = diagnosis.stretch();
    }

    /**
     * @param exitCode of the trainers, if they ended before the measurement did
     * @param findings of the machine
     * @param formats of the existing datasets whose files are read; empty where lanes have the rows
     */
    public static Report of(FeedDiagnosis diagnosis, int exitCode, List<Finding> findings, Collection<String> formats) {
        DiagnosisReport all = new DiagnosisReport(diagnosis, formats);
        if (exitCode != 0) {
            all.report.answer("warning: the trainers ended with " + exitCode
                    + "; what they took until then is measured, and what they print is on stderr");
        }
        all.answers();
        all.facts();
        all.report.fact("trainersExitCode", (long) exitCode);
        all.stages();
        Finding.table(all.report, findings);
        all.report.picture("diagnosis", all.picture());
        return all.report;
    }

    private void answers() {
        report.answer(bottleneck())
                .answer(String.format(
                        Locale.ROOT,
                        "utilization: %.2f; the trainers wait %s of the time",
                        diagnosis.utilization(),
                        Share.percent(diagnosis.bottleneck().dataWait())))
                .answer(String.format(
                        Locale.ROOT,
                        "rows/s: %,.0f measured; %s from the feeder,%s %s for the trainers; the smallest is %.1f %% off%s",
                        diagnosis.measuredThroughput(),
                        rate(diagnosis.loadThroughput()),
                        transforms(),
                        rate(diagnosis.consumeThroughput()),
                        100 * diagnosis.predictionError(),
                        diagnosis.predictionError() > FAR_OFF ? OFF : ""))
                .answer(String.format(
                        Locale.ROOT,
                        "one batch of %,.0f rows: load %s, transform %s, copy %s, compute %s, wait %s",
                        (double) stretch.rows() / stretch.batches(),
                        millis(diagnosis.load()),
                        millis(diagnosis.transform()),
                        millis(diagnosis.transfer()),
                        millis(diagnosis.compute()),
                        millis(diagnosis.idle())))
                .answer("load against compute: " + ratio(diagnosis.load(), diagnosis.compute())
                        + "; load against copy: " + ratio(diagnosis.load(), diagnosis.transfer()))
                .answer(String.format(
                        Locale.ROOT,
                        "by these times %s take %.2f s without prefetch, %.2f s with it (%.2f times as fast)",
                        Plural.counted(stretch.batches(), "batch", "batches"),
                        diagnosis.secondsWithoutPrefetch(),
                        diagnosis.secondsWithPrefetch(),
                        diagnosis.prefetchSpeedup()))
                .answer(recommended())
                .answer("rings: " + ByteSize.rounded(diagnosis.ringBytes()) + " for "
                        + Plural.counted(stretch.ranks(), "rank"));
    }

    private String bottleneck() {
        if (diagnosis.isShort()) {
            return String.format(
                    Locale.ROOT,
                    "too short to judge: %s in %.2f s; %s",
                    Plural.counted(stretch.batches(), "batch", "batches"),
                    stretch.seconds(),
                    advice());
        }
        return String.format(
                Locale.ROOT,
                "bottleneck: %s (%s, %s of its side's work); %s",
                diagnosis.part().word(),
                diagnosis.bottleneck().stage(),
                Share.percent(diagnosis.bottleneck().share()),
                advice());
    }

    private String advice() {
        if (diagnosis.isShort()) {
            return "measure a run with more steps";
        } else if (diagnosis.isInTurn()) {
            return IN_TURN;
        }
        return diagnosis.part() == Part.DISK && !formats.isEmpty()
                ? "samples are read at random from files of the format " + formats
                        + ": copy the dataset to a local SSD, give the machine memory for its page cache, or export its rows"
                        + " to lanes with a job"
                : diagnosis.part().advice();
    }

    private String transforms() {
        int workers = diagnosis.transformWorkers();
        return workers == 0
                ? ""
                : " " + rate(diagnosis.transformThroughput()) + " from " + Plural.counted(workers, "worker")
                        + " of the transform in each trainer,";
    }

    private String recommended() {
        if (diagnosis.part() == Part.TRAINER && !diagnosis.isInTurn()) {
            return "recommended: --workers " + stretch.workers() + " --depth " + stretch.depth() + ", as they are";
        }
        return String.format(
                Locale.ROOT,
                "recommended: --workers %d (%d for each of %s: min(%d processors / ranks, 8), at least 2), --depth %d (99 %% of the"
                        + " loads take at most %s); now %d and %d",
                diagnosis.workers(),
                diagnosis.workersOfRank(),
                Plural.counted(stretch.ranks(), "rank"),
                stretch.processors(),
                diagnosis.depth(),
                millis(diagnosis.slowLoad()),
                stretch.workers(),
                stretch.depth());
    }

    private void facts() {
        report.fact("feed", stretch.feed())
                .fact("formats", formats)
                .fact("bottleneck", diagnosis.part().word())
                .fact("isShort", diagnosis.isShort() ? "yes" : "no")
                .fact("bottleneckStage", diagnosis.bottleneck().stage())
                .fact("bottleneckShare", diagnosis.bottleneck().share())
                .fact("advice", advice())
                .fact("ranks", (long) stretch.ranks())
                .fact("batches", stretch.batches())
                .fact("rows", stretch.rows())
                .fact("seconds", stretch.seconds())
                .fact("utilization", diagnosis.utilization())
                .fact("dataWait", diagnosis.bottleneck().dataWait())
                .fact("slotWait", diagnosis.bottleneck().slotWait())
                .fact("measuredRowsPerSecond", diagnosis.measuredThroughput())
                .fact("loadRowsPerSecond", number(diagnosis.loadThroughput()))
                .fact("transformRowsPerSecond", number(diagnosis.transformThroughput()))
                .fact("consumeRowsPerSecond", number(diagnosis.consumeThroughput()))
                .fact("predictedRowsPerSecond", number(diagnosis.predictedThroughput()))
                .fact("predictionError", diagnosis.predictionError())
                .fact("loadSeconds", diagnosis.load())
                .fact("slowLoadSeconds", diagnosis.slowLoad())
                .fact("transformSeconds", diagnosis.transform())
                .fact("transformWorkers", (long) diagnosis.transformWorkers())
                .fact("copySeconds", diagnosis.transfer())
                .fact("computeSeconds", diagnosis.compute())
                .fact("waitSeconds", diagnosis.idle())
                .fact("secondsWithoutPrefetch", diagnosis.secondsWithoutPrefetch())
                .fact("secondsWithPrefetch", diagnosis.secondsWithPrefetch())
                .fact("prefetchSpeedup", diagnosis.prefetchSpeedup())
                .fact("ringBytes", new Report.Bytes(diagnosis.ringBytes()))
                .fact("workers", (long) stretch.workers())
                .fact("depth", (long) stretch.depth())
                .fact("recommendedWorkers", (long) diagnosis.workers())
                .fact("recommendedDepth", (long) diagnosis.depth())
                .fact("processors", (long) stretch.processors());
    }

    private void stages() {
        Report.Table table = report.table("stages", "stage", "count", "meanMillis", "seconds");
        for (Map.Entry<String, StageTimes.Sum> stage : stretch.times().stages().entrySet()) {
            table.add(
                    stage.getKey(),
                    stage.getValue().count(),
                    stretch.mean(stage.getKey()) * MILLIS,
                    stage.getValue().nanos() / 1e9);
        }
    }

    /** The times of one batch as bars: the feeder's side above the trainer's. */
    private Picture picture() {
        int left = 110;
        int width = 640;
        int line = 34;
        Picture picture = new Picture(left + width + 130, 40 + 6 * line);
        picture.text(
                left,
                20,
                "one batch of feed " + stretch.feed() + "; bottleneck: "
                        + diagnosis.part().word(),
                Picture.Anchor.START);
        double longest = Math.max(diagnosis.load(), stretch.stepSeconds());
        int at = 0;
        for (Map.Entry<String, Double> bar : List.of(
                Map.entry("load", diagnosis.load()),
                Map.entry("transform", diagnosis.transform()),
                Map.entry("copy", diagnosis.transfer()),
                Map.entry("compute", diagnosis.compute()),
                Map.entry("wait", diagnosis.idle()),
                Map.entry("step", stretch.stepSeconds()))) {
            double y = 36.0 + at * line;
            double length = longest > 0 ? Math.min(1, bar.getValue() / longest) * width : 0;
            picture.text(left - 8.0, y + 15, bar.getKey(), Picture.Anchor.END);
            picture.rectangle(left, y, length, 22, COLORS.get(at), bar.getKey() + " " + millis(bar.getValue()));
            picture.text(left + length + 6, y + 15, millis(bar.getValue()), Picture.Anchor.START);
            at++;
        }
        return picture;
    }

    private static String ratio(double load, double other) {
        if (other <= 0) {
            return "-";
        }
        double ratio = load / other;
        String meaning = ratio > FeedDiagnosis.MATTERS
                ? "input-bound"
                : ratio * FeedDiagnosis.MATTERS < 1 ? "loading is hidden" : "about equal";
        return String.format(Locale.ROOT, "%.2f (%s)", ratio, meaning);
    }

    private static String rate(double rowsPerSecond) {
        return rowsPerSecond == Double.MAX_VALUE ? "any number" : String.format(Locale.ROOT, "%,.0f", rowsPerSecond);
    }

    private static Object number(double rowsPerSecond) {
        return rowsPerSecond == Double.MAX_VALUE ? Report.NONE : rowsPerSecond;
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%,.2f ms", seconds * MILLIS);
    }
}
