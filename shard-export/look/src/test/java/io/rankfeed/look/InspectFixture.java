package io.rankfeed.look;

import io.rankfeed.console.Console;
import io.rankfeed.console.Failures;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands as their users call them, and things to inspect. */
final class InspectFixture {
    private static final Path GOLDEN = Path.of("..", "..", "schema", "src", "test", "resources", "golden", "version");

    private InspectFixture() {}

    /** What a call gave. */
    record Answer(int exitCode, String out, String err) {}

    static Answer inspect(String... words) {
        return call(new InspectCommand(path -> LocalFiles.INSTANCE), words);
    }

    static Answer simulate(String... words) {
        return call(simulateCommand(), words);
    }

    static SimulateCommand simulateCommand() {
        return new SimulateCommand(path -> LocalFiles.INSTANCE, new SimulateCommand.Parts() {
            @Override
            public Order ofJob(String file, List<String> assignments) {
                throw new ConfigException(file + " " + assignments);
            }

            @Override
            public void measure(SimulateCommand.Measured batches, ReportOutput output, CommandSpec spec) {
                spec.commandLine().getOut().println(batches);
            }

            @Override
            public String moreMemory() {
                return "more memory";
            }
        });
    }

    private static Answer call(Object command, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Console.commandLine(command, InspectCommand.class, Failures.AS_THROWN);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionExceptionHandler((e, at, parsed) -> {
            at.getErr().println(e instanceof RankfeedException ? e.getMessage() : "bug: " + e);
            return e instanceof RankfeedException known ? known.exitCode() : 1;
        });
        return new Answer(line.execute(words), out.toString(), err.toString());
    }

    /** A copy of the golden version, to be damaged. */
    static Path goldenVersion(Path target) throws IOException {
        return copy(GOLDEN, target);
    }

    /** A copy of the dataset with the golden version whose order is next to it. */
    static Path goldenDataset(Path target) throws IOException {
        return copy(GOLDEN.resolveSibling("dataset"), target);
    }

    private static Path copy(Path from, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Path copy = target.resolve(from.relativize(file).toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return target;
    }

    /** Row groups of exactly {@code rowsPerGroup} rows, but for the last. */
    static Path parquet(Path file, int rows, int rowsPerGroup) throws IOException {
        Files.createDirectories(file.getParent());
        MessageType schema =
                MessageTypeParser.parseMessageType("message m { required int64 id; optional binary text (STRING); }");
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .withCompressionCodec(CompressionCodecName.SNAPPY)
                .withRowGroupRowCountLimit(rowsPerGroup)
                .build()) {
            for (int row = 0; row < rows; row++) {
                writer.write(groups.newGroup().append("id", (long) row).append("text", "row " + row));
            }
        }
        return file;
    }
}
