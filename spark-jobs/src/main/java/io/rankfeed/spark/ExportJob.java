package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code export} command. */
@Command(
        name = "export",
        description = "Write the version: the lanes that feeders read, one set per virtual rank. Runs prepare and"
                + " sample first if their results do not exist.",
        footer = {
            "  ./rankfeed export conf/jobs/codecontests.yaml",
            "  spark-submit --class io.rankfeed.spark.ExportJob rankfeed-spark-jobs.jar \\",
            "      conf/jobs/codecontests.yaml"
        })
public final class ExportJob extends JobCommand {
    ExportJob() {
        super(Goal.EXPORT);
    }

    /** Returns where it is done; ends the JVM with the exit code of a failure. */
    public static void main(String[] args) {
        Cli.main(new ExportJob(), args);
    }
}
