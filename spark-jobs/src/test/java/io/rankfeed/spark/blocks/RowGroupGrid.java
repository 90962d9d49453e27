package io.rankfeed.spark.blocks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Each table × block × codec, prepared by rankfeed and written by Spark's own Parquet writer onto an HDFS in this JVM:
 * how the row groups are laid out, how long it took, and how much of the processor; of several rounds, in which either goes first in
 * turn, the least. For {@code bench/run rowgroups}; no test runs it.
 *
 * <p>Arguments: {@code tables=A,B blocks=16,64 codecs=snappy,zstd groups=20 rounds=2 folder=DIR out=FILE}. Inputs are kept in the
 * folder; a line of the table is added to the file as soon as it is known.
 */
public final class RowGroupGrid {
    private static final String HEAD = """
            | table | block | codec | row groups | crossing | fill | encodes | stock: row groups | crossing | fill | s | stock s | ratio | CPU s | stock CPU s | ratio |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
            """;

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Hdfs hdfs;
    private final Preparing preparing;
    private final SparkSession spark = Preparing.session();
    private final Path folder;
    private final int groups;
    private final int rounds;

    private RowGroupGrid(Hdfs hdfs, Path folder, int groups, int rounds) {
        this.hdfs = hdfs;
        this.preparing = new Preparing(hdfs);
        this.folder = folder;
        this.groups = groups;
        this.rounds = rounds;
    }

    public static void main(String[] words) throws IOException {
        Map<String, String> options = new HashMap<>(Map.of(
                "tables", "PRODUCTS,TOKENS,NARROW,WIDE,LARGE,SKEWED",
                "blocks", "16,64,128",
                "codecs", "snappy,zstd",
                "groups", "20",
                "rounds", "2"));
        Stream.of(words).forEach(word -> options.put(word.split("=", 2)[0], word.split("=", 2)[1]));
        Path folder = Path.of(options.get("folder")).toAbsolutePath();
        Path out = Path.of(options.get("out"));
        Files.createDirectories(folder);
        if (!Files.exists(out)) {
            Files.writeString(out, HEAD);
        }
        try (Hdfs hdfs = new Hdfs(Files.createTempDirectory(folder, "hdfs-"))) {
            RowGroupGrid grid = new RowGroupGrid(
                    hdfs, folder, Integer.parseInt(options.get("groups")), Integer.parseInt(options.get("rounds")));
            grid.line(BlockTable.TOKENS, 4, "zstd"); // a first one for the compiler
            System.out.print(HEAD);
            for (String block : options.get("blocks").split(",", -1)) {
                for (String table : options.get("tables").split(",", -1)) {
                    for (String codec : options.get("codecs").split(",", -1)) {
                        String line = grid.line(BlockTable.valueOf(table), Integer.parseInt(block), codec);
                        Files.writeString(out, line, StandardOpenOption.APPEND);
                        System.out.print(line);
                    }
                }
            }
        }
    }

    private String line(BlockTable table, int blockMib, String codec) throws IOException {
        long blockBytes = (long) blockMib << 20;
        Path input = folder.resolve(table + "-" + groups * blockMib);
        if (!Files.exists(input.resolve("_SUCCESS"))) {
            table.of(spark, groups * blockBytes, 4)
                    .write()
                    .mode(SaveMode.Overwrite)
                    .parquet(input.toString());
        }
        Best stock = null;
        Best ours = null;
        for (int turn = 0; turn < 2 * rounds; turn++) {
            // Stock, ours, ours, stock and so on: neither always comes after the other.
            if ((turn + 1) / 2 % 2 == 0) {
                stock = Best.of(stock, stock(input, blockBytes, codec));
            } else {
                ours = Best.of(ours, ours(input, blockMib, codec));
            }
        }
        return String.format(
                Locale.ROOT,
                "| %s | %d MiB | %s | %d | %d | %.3f | %.2f | %d | %d | %.3f | %.1f | %.1f | %.2f | %.1f | %.1f | %.2f |%n",
                table.name().toLowerCase(Locale.ROOT),
                blockMib,
                codec,
                ours.laid().rowGroups(),
                ours.laid().crossing(),
                ours.laid().fill(),
                ours.encodes(),
                stock.laid().rowGroups(),
                stock.laid().crossing(),
                stock.laid().fill(),
                ours.seconds(),
                stock.seconds(),
                ours.seconds() / stock.seconds(),
                ours.cpuSeconds(),
                stock.cpuSeconds(),
                ours.cpuSeconds() / stock.cpuSeconds());
    }

    /** What a writer's rounds gave: the least wall clock and, of the whole JVM, the least CPU time. */
    private record Best(Laid laid, double encodes, double seconds, double cpuSeconds) {
        static Best of(Best before, Best now) {
            return before == null
                    ? now
                    : new Best(
                            now.laid,
                            now.encodes,
                            Math.min(before.seconds, now.seconds),
                            Math.min(before.cpuSeconds, now.cpuSeconds));
        }
    }

    private Best stock(Path input, long blockBytes, String codec) throws IOException {
        org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(hdfs.uri("/stock"));
        Clock clock = new Clock();
        Preparing.stock(spark.read().parquet(input.toString()), target.toString(), blockBytes, codec);
        Best best = clock.read(() -> Laid.of(hdfs.files(), target), 1);
        hdfs.files().delete(target, true);
        return best;
    }

    private Best ours(Path input, int blockMib, String codec) throws IOException {
        Clock clock = new Clock();
        Preparing.Outcome outcome = preparing.run(input, "block: " + blockMib + " MiB\ncompression: " + codec);
        Best best = clock.read(() -> Laid.of(hdfs.files(), outcome.data()), outcome.encodesPerRowGroup());
        hdfs.files().delete(new org.apache.hadoop.fs.Path(hdfs.uri("/rankfeed")), true);
        return best;
    }

    private static final class Clock {
        private final long startNanos = System.nanoTime();
        private final long startCpuNanos = PROCESS.getProcessCpuTime();

        /** @param laid asked after the time is taken */
        Best read(Supplier<Laid> laid, double encodes) {
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            double cpuSeconds = (PROCESS.getProcessCpuTime() - startCpuNanos) / 1e9;
            return new Best(laid.get(), encodes, seconds, cpuSeconds);
        }
    }
}
