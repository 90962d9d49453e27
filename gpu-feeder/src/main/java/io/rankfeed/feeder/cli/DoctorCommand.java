package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.feeder.machine.Finding;
import io.rankfeed.feeder.machine.Finding.Level;
import io.rankfeed.feeder.machine.Machine;
import io.rankfeed.feeder.machine.MachineRules;
import io.rankfeed.feeder.sync.CacheFolder;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.config.Plural;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks whether this machine suits a feed. */
@Command(
        name = "doctor",
        sortOptions = false,
        customSynopsis = "rankfeed doctor [OPTIONS]",
        description =
                "Check this machine for feeding: shared memory, processors, memory, the disk of the cache (writes a file of"
                        + " 128 MiB, reads it and deletes it), open files, pinned memory, huge pages, clock, Java, and torch and CUDA"
                        + " in the trainers' Python. Prints each finding, the most important first, with its remedy.",
        exitCodeList = "0:a feed works here, perhaps with warnings",
        footer = {"  rankfeed doctor --cache /local/rankfeed", "  srun --ntasks-per-node 1 rankfeed doctor --json"})
public final class DoctorCommand implements Callable<Integer> {
    private static final int EXIT_UNFIT = 4;

    /** Level, check, and what was found or what to do. */
    private static final String LINE = "%-8s %-14s %s";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description = "The folder that versions are copied to, as for feed. Default: the one that feed uses.")
    private Optional<Path> cache = Optional.empty();

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description = "The trainers' Python. Default: the one that rankfeed is installed in.")
    private String python = "";

    @Option(names = "--json", description = "Print one JSON object instead of text. Default: off.")
    private boolean isJson;

    @Override
    public Integer call() {
        Path folder = cache.orElseGet(() -> CacheFolder.of(System.getenv()));
        List<Finding> findings = MachineRules.findings(Machine.look(folder, python, System.getenv()));
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            Report report = new Report();
            Finding.table(report, findings);
            out.println(ReportOutput.json(report));
        } else {
            findings.forEach(one -> print(one, out));
            out.println(summary(findings));
        }
        return count(findings, Level.ERROR) == 0 ? 0 : EXIT_UNFIT;
    }

    private static void print(Finding one, PrintWriter out) {
        String line = String.format(Locale.ROOT, LINE, one.word(), one.check(), one.found());
        out.println(Console.printable(line));
        if (!one.remedy().isEmpty()) {
            out.println(Console.printable(String.format(Locale.ROOT, LINE, "", "", one.remedy())));
        }
    }

    private static String summary(List<Finding> findings) {
        return Plural.counted(count(findings, Level.ERROR), "error") + ", "
                + Plural.counted(count(findings, Level.WARNING), "warning");
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(one -> one.level() == level).count();
    }
}
