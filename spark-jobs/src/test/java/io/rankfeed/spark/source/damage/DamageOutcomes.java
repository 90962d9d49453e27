package io.rankfeed.spark.source.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.source.damage.SoundFiles.SoundFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;

/** Counts what reading damaged files gives, and collects what breaks the promises. */
final class DamageOutcomes {
    private static final Pattern INTERNAL = Pattern.compile("Exception|Error:|\\bnull\\b");

    private final SparkSession spark;
    private final int seconds;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    /** @param seconds that reading one file may take on a loaded machine */
    DamageOutcomes(SparkSession spark, int seconds) {
        this.spark = spark;
        this.seconds = seconds;
    }

    void add(
            long seed,
            SoundFile sound,
            DrawnDamage damage,
            Path file,
            String source,
            Function<SourceRead, String> judge)
            throws IOException {
        Files.deleteIfExists(file);
        Files.write(file, damage.bytes());
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        long start = System.nanoTime();
        SourceRead read = SourceRead.of(spark, source);
        long taken = (System.nanoTime() - start) / 1_000_000_000;
        String outcome = read.failure() == null ? judge.apply(read) : refused(file, read);
        counts.merge(outcome, 1, Integer::sum);
        if (outcome.startsWith("broken") || taken > seconds) {
            broken.add(String.format(
                    Locale.ROOT,
                    "seed %d, %s, %s: %s, %d s, %s",
                    seed,
                    sound.name(),
                    damage.what(),
                    outcome,
                    taken,
                    read.failure()));
            System.out.println(broken.get(broken.size() - 1));
        }
    }

    void report(String format, long firstSeed) {
        System.out.println(format + ", from seed " + firstSeed + ": " + counts);
        assertThat(broken).isEmpty();
    }

    private static String refused(Path file, SourceRead read) {
        String message = String.valueOf(read.failure().getMessage());
        boolean isPlain = !INTERNAL.matcher(message).find();
        if (read.exitCode() != 2 && read.exitCode() != 3) {
            return "broken: exit code " + read.exitCode();
        }
        return !message.contains(file.getFileName().toString()) && !message.startsWith("an input file: ")
                ? "broken: no file"
                : isPlain ? "refused" : "broken: words";
    }
}
