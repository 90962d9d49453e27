package io.rankfeed.feeder.quickstart;

import io.rankfeed.feeder.cli.FeedReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The summary that a quickstart prints at its end: the rows of each rank, the paths of results, and commands to try
 * next.
 *
 * @param versions by what they were made from, in the order of the training
 * @param ranks that trained
 */
record QuickstartSummary(QuickstartFiles files, SequencedMap<QuickstartPart, Path> versions, int ranks) {
    void print(PrintWriter out) {
        versions.keySet().forEach(part -> {
            out.println();
            out.println(
                    part.dataset() + ": what each rank got (rows of each stratum, by stage of the curriculum, from 0;"
                            + " rows/s with the training's own work in it)");
            FeedReport.read(files.report(part)).table().forEach(line -> out.println("  " + line.message()));
            out.println(part.remark());
        });
        out.println();
        out.println("Where things are:");
        versions.forEach((part, version) -> {
            out.println("  " + part.dataset());
            out.println("    input     " + part.input());
            out.println("    job       " + files.job(part));
            out.println("    version   " + version);
            out.println("    reports   " + files.reports(part));
        });
        Installation installation = files.installation();
        String launcher = "  " + installation.command() + " ";
        out.println();
        out.println("What to try next:");
        Map.Entry<QuickstartPart, Path> last = versions.lastEntry();
        Path version = last.getValue();
        out.println(launcher + "inspect " + version);
        out.println(launcher + "verify " + version);
        out.println(launcher + "explain " + version + " --epoch 0 --step 0 --rank 0 --world " + ranks);
        out.println(launcher + "quickstart --ranks 4          the same global batches on 4 ranks");
        String words = String.join(" ", last.getKey().feed());
        out.println(launcher + "feed " + version + (words.isEmpty() ? "" : " " + words) + " --world 2 -- "
                + installation.python().resolve("bin/torchrun")
                + " --nproc-per-node 2 " + installation.examples() + "/"
                + String.join(" ", last.getKey().trainer()));
        out.println("  a table of your own: copy " + files.job(last.getKey()) + ", then " + installation.command()
                + " pipeline COPY --dry-run");
        out.flush();
    }
}
