package io.rankfeed.spark.inspect;

import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How a command prints its report. */
final class ReportOutput {
    @Option(names = "--json", description = "Prints the same as one JSON object. Default: off, text.")
    private boolean json;

    void print(Report report, PrintWriter out) {
        if (json) {
            out.println(ReportJson.text(report));
        } else {
            ReportText.lines(report).forEach(out::println);
        }
        out.flush();
    }
}
