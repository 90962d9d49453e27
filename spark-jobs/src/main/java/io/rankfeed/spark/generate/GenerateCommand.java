package io.rankfeed.spark.generate;

import io.rankfeed.console.ProgressOption;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.run.ConsoleProgress;
import io.rankfeed.spark.run.Sessions;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Makes an input to try things with. */
@Command(
        name = "generate",
        description = {
            "Write a seeded input in the shape of CodeContests: one row per solution of a programming"
                    + " problem, with the published shares of correct rows and difficulties, exact at every size. The"
                    + " same rows, seed and format are the same files; a set that exists already is kept."
        },
        footer = "  ./rankfeed generate codecontests --rows 40000 --seed 42 --out build/input/codecontests")
public final class GenerateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KIND",
            defaultValue = GeneratedSet.KIND,
            description = "Kind of data set: ${DEFAULT-VALUE}, the only kind.")
    private String kind = GeneratedSet.KIND;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "40000",
            description = "Rows of the train split, at most 3691981, the published size. Valid and test are scaled with"
                    + " them. Default: ${DEFAULT-VALUE}.")
    private long rows;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "42",
            description = "Seed of all random numbers. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "The output folder; any Hadoop path. Required.")
    private String out = "";

    @Option(
            names = "--format",
            paramLabel = "parquet|jsonl|delta",
            defaultValue = "parquet",
            converter = FormatConverter.class,
            description = "Output format. Default: ${DEFAULT-VALUE}.")
    private GeneratedSet.Format format = GeneratedSet.Format.PARQUET;

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    public Integer call() {
        if (!kind.equals(GeneratedSet.KIND)) {
            throw new ParameterException(
                    spec.commandLine(), "unknown kind '" + kind + "'; the only one is " + GeneratedSet.KIND);
        }
        if (rows < 1 || rows > CodeContestsShape.TRAIN_ROWS) {
            throw new ParameterException(
                    spec.commandLine(), "--rows " + rows + " must be 1 to " + CodeContestsShape.TRAIN_ROWS);
        }
        boolean isOwnSession = SparkSession.getActiveSession().isEmpty()
                && SparkSession.getDefaultSession().isEmpty();
        SparkSession spark = isOwnSession ? newSession() : SparkSession.active();
        try {
            return generate(spark);
        } catch (RuntimeException e) {
            throw SparkFailures.translated(e);
        } finally {
            if (isOwnSession) {
                spark.stop();
            }
        }
    }

    private int generate(SparkSession spark) {
        GeneratedSet set = new GeneratedSet(rows, seed, format);
        CodeContestsRows content = new CodeContestsRows(seed, CodeContestsShape.of(rows));
        GeneratedFolder folder = new GeneratedFolder(
                out,
                set,
                spark.sparkContext().applicationId(),
                spark.sparkContext().hadoopConfiguration());
        PrintWriter screen = spec.commandLine().getOut();
        if (folder.exists()) {
            screen.println(folder.path() + " holds this set already.");
            screen.flush();
            return 0;
        }
        ConsoleProgress console = new ConsoleProgress(System.err, progress.style());
        spark.sparkContext().addSparkListener(console);
        try {
            console.phase("generate");
            RowsWriter.write(spark, content, format, folder.attempt());
            folder.commit();
            console.note(Plural.counted(content.shape().rows(), "row"));
        } finally {
            spark.sparkContext().removeSparkListener(console);
            folder.discard();
        }
        ShapeTable.lines(content.shape()).forEach(screen::println);
        List<FileStatus> files = folder.files();
        screen.printf(
                Locale.ROOT,
                "%s: %s, %s, %s%n",
                folder.path(),
                Plural.counted(files.size(), "file"),
                ByteSize.rounded(files.stream().mapToLong(FileStatus::getLen).sum()),
                format.word());
        screen.flush();
        return 0;
    }

    private SparkSession newSession() {
        return Sessions.of(
                "rankfeed generate",
                new SparkConf(),
                format == GeneratedSet.Format.DELTA ? Set.of(Sessions.Need.DELTA) : Set.of());
    }

    /** Converts a word in lower case, as users write it. */
    static final class FormatConverter implements ITypeConverter<GeneratedSet.Format> {
        @Override
        public GeneratedSet.Format convert(String value) {
            return Arrays.stream(GeneratedSet.Format.values())
                    .filter(format -> format.word().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + value + "' is not parquet, jsonl or delta"));
        }
    }
}
