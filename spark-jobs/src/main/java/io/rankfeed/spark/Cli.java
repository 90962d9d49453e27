package io.rankfeed.spark;

import io.rankfeed.console.Console;
import io.rankfeed.console.PrintableStream;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.spark.engine.SparkFailures;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import scala.Option;
import scala.Tuple2;

/** The command line of the jobs. */
final class Cli {
    private Cli() {}

    /**
     * Runs a command. A failure ends the JVM with its exit code; success returns once Spark has stopped: YARN takes whatever
     * ends the JVM of a driver for a failure.
     */
    static void main(Object command, String[] args) {
        PrintableStream.install();
        restartLog();
        Signals.watch();
        for (Tuple2<String, String> setting : new SparkConf().getAll()) {
            Redaction.learn(setting._1(), setting._2());
        }
        int exitCode = Console.execute(line(command), args);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
        Option<SparkSession> session = SparkSession.getDefaultSession();
        if (session.isDefined()) {
            session.get().stop();
        }
    }

    /** Spark configures its log before {@link #main}, so it still writes to the original streams. */
    private static void restartLog() {
        if (LogManager.getContext(false) instanceof LoggerContext log) {
            log.stop();
            log.start();
        }
    }

    /** The command and its subcommands. */
    static CommandLine line(Object command) {
        return Console.commandLine(command, Cli.class, Cli::failures);
    }

    /** The failure behind Spark's exceptions, and those that were found together with it. */
    static List<? extends Throwable> failures(Throwable thrown) {
        return ErrorList.all(SparkFailures.translated(thrown)).toList();
    }
}
