package io.rankfeed.look;

import io.rankfeed.console.Console;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.store.Store;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Reports what is at a path. */
@Command(
        name = "inspect",
        sortOptions = false,
        description = {
            "Describe an artifact or table: a Parquet file or directory of any origin, a prepared table, a"
                    + " plan, a version, a run, or a whole dataset. Prints the answer in at most ten lines, and all"
                    + " tables with --verbose. Rates how the row groups of a table fit blocks, and draws them. Reads"
                    + " footers, manifests and orders, no rows; to check every byte of a version, use verify. Of a"
                    + " folder every broken file is named, on stderr; the others are judged all the same, and the exit"
                    + " code is 3."
        },
        exitCodeList = "0:described",
        footer = {
            "  ./rankfeed inspect build/rankfeed/codecontests",
            "  ./rankfeed inspect hdfs://nn/warehouse/clicks --pictures pictures",
            "  ./rankfeed inspect /data/clicks --block '128 MiB' --json"
        })
public final class InspectCommand implements Callable<Integer> {
    private static final int DAMAGED = 3;

    private final Store.Finder stores;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description =
                    "A file or a folder: of this machine, of HDFS, or of any other Hadoop file system whose client is"
                            + " there; or ROOT/DATASET@latest, or ROOT/DATASET@RUN-ID, for a version.")
    private String path = "";

    @Option(
            names = "--block",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "The block size to compare row groups with, as in '128 MiB'. Default: that of the job that made a"
                            + " prepared table, else the file system's.")
    private @Nullable ByteSize block;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    /** @param stores those that the program can read */
    public InspectCommand(Store.Finder stores) {
        this.stores = stores;
    }

    @Override
    public Integer call() {
        Report report = Inspection.of(
                path,
                Optional.ofNullable(block),
                stores,
                line -> Console.print(spec.commandLine().getErr(), line));
        report.damages().forEach(damage -> Console.print(spec.commandLine().getErr(), damage));
        if (!report.isEmpty()) {
            output.print(report, spec.commandLine());
        }
        return report.damages().isEmpty() ? 0 : DAMAGED;
    }

    /** Sizes as job files write them. */
    static final class SizeConverter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String value) {
            try {
                ByteSize size = ByteSize.parse(value);
                if (size.bytes() > 0) {
                    return size;
                }
                throw new TypeConversionException("a block has at least one byte");
            } catch (BadValue e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
