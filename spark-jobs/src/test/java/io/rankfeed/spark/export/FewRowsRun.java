package io.rankfeed.spark.export;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PlanFolder;
import io.rankfeed.spark.sample.Sample;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** An export whose way of reading is given, in a JVM of its own. For {@code bench/run few}; no test runs it. */
public final class FewRowsRun {
    private FewRowsRun() {}

    /**
     * Arguments: the job file, CHOSEN or SCAN, and what is set in the job. Prints one line: the seconds of the export, the
     * estimated part of the pages that have a chosen row, which way export selects, and the version.
     */
    public static void main(String[] words) throws IOException {
        Path file = Path.of(words[0]);
        List<String> sets = List.of(words).subList(2, words.length);
        JobContext context = JobContext.of(
                LocalSpark.builder("local[2]").getOrCreate(),
                JobFile.read(file.toString(), Files.readAllBytes(file), sets),
                Progress.NONE);
        PreparedTable table = Prepare.run(context);
        Plan plan = Sample.run(context, table);
        long startNanos = System.nanoTime();
        Version version = Export.run(context, table, plan, Export.Reading.valueOf(words[1]));
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf(Locale.ROOT, "%.2f %s %s%n", seconds, selected(context, table, plan), version.path());
    }

    private static String selected(JobContext context, PreparedTable table, Plan plan) {
        List<PreparedFrame.DataFile> files = PreparedFrame.open(context, table).dataFiles();
        TablePages pages = TablePages.of(files, context.spark().sparkContext().defaultParallelism());
        Manifest manifest = PlanFolder.manifest(context, plan.path());
        CacheUnits units = new CacheUnits(plan.order(), context.job().export().shardRows());
        long[] ofPage = pages.rowsByFile();
        RowDestinations destinations = RowDestinations.write(
                PlannedRows.of(context, plan, manifest, units),
                manifest.rows(),
                ofPage,
                context.attempt(new org.apache.hadoop.fs.Path(context.job().root() + "/few-rows")));
        long chosen = destinations.stretches().stream()
                .mapToLong(RowDestinations.Stretch::pages)
                .sum();
        long all = IntStream.range(0, files.size())
                .mapToLong(i -> files.get(i).hasPageIndex()
                        ? (files.get(i).rows() + ofPage[i] - 1) / ofPage[i]
                        : files.get(i).rowGroups())
                .sum();
        return String.format(Locale.ROOT, "%.4f %s", (double) chosen / all, pages.fasterFor(destinations.stretches()));
    }
}
