package io.rankfeed.spark.source.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.source.damage.SoundFiles.SoundFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads files with drawn damage as prepare does: rows, exit code 2 or exit code 3; in bounded memory, the heap of the tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamagedFilesIT {
    private static final int ROWS = 60;

    private SparkSession spark;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path made) {
        spark = LocalSpark.session(1);
        folder = made;
    }

    @Test
    @Timeout(300)
    void aDamagedParquetFileIsRefusedOrReadAsPromised() throws IOException {
        readDamaged(200, 7_000);
    }

    @Test
    @Tag("nightly")
    @Timeout(3600)
    void manyDamagedParquetFilesAreRefusedOrReadAsPromised() throws IOException {
        readDamaged(10_000, 1_000_000);
    }

    @Test
    @Timeout(300)
    void aDamagedOrcFileIsRefusedOrRead() throws IOException {
        readDamagedOrc(200, 3_000);
    }

    @Test
    @Tag("nightly")
    @Timeout(3600)
    void manyDamagedOrcFilesAreRefusedOrRead() throws IOException {
        readDamagedOrc(10_000, 5_000_000);
    }

    private void readDamaged(int count, long firstSeed) throws IOException {
        List<SoundFile> files = SoundFiles.parquet(spark, folder);
        Outcomes outcomes = new Outcomes();
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            // Similar seeds give java.util.Random similar first numbers.
            SplittableRandom random = new SplittableRandom(seed);
            SoundFile sound = files.get(random.nextInt(files.size()));
            boolean inFooter = random.nextBoolean();
            DrawnDamage damage = DrawnDamage.drawn(
                    sound.bytes(),
                    inFooter ? sound.footerStart() : 0,
                    inFooter ? sound.bytes().length : sound.footerStart(),
                    random);
            Path file = folder.resolve("damaged-" + seed + ".parquet");
            outcomes.add(seed, sound, damage, file, "{parquet: '" + file + "'}", read -> judged(sound, inFooter, read));
            Files.delete(file);
        }
        outcomes.report("parquet", firstSeed);
    }

    /** ORC has no checksums of its own: any values may come out. */
    private void readDamagedOrc(int count, long firstSeed) throws IOException {
        Map<SoundFile, Path> files = SoundFiles.orc(spark, folder);
        List<SoundFile> sounds = List.copyOf(files.keySet());
        Outcomes outcomes = new Outcomes();
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SoundFile sound = sounds.get(random.nextInt(sounds.size()));
            DrawnDamage damage = DrawnDamage.drawn(
                    sound.bytes(), random.nextBoolean() ? sound.footerStart() : 0, sound.bytes().length, random);
            outcomes.add(
                    seed,
                    sound,
                    damage,
                    files.get(sound),
                    "{hive: " + sound.name() + "}",
                    read -> read.rows().equals(sound.rows()) ? "the same rows" : "other rows");
            Files.write(files.get(sound), sound.bytes());
        }
        outcomes.report("orc", firstSeed);
    }

    private final class Outcomes {
        private final Map<String, Integer> counts = new TreeMap<>();
        private final List<String> broken = new ArrayList<>();

        void add(
                long seed,
                SoundFile sound,
                DrawnDamage damage,
                Path file,
                String source,
                Function<SourceRead, String> judge)
                throws IOException {
            Files.write(file, damage.bytes());
            Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
            long start = System.nanoTime();
            SourceRead read = SourceRead.of(spark, source);
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            String outcome = read.failure() == null ? judge.apply(read) : refused(file, read);
            counts.merge(outcome, 1, Integer::sum);
            if (outcome.startsWith("broken") || seconds > 20) {
                broken.add(String.format(
                        Locale.ROOT,
                        "seed %d, %s, %s: %s, %d s, %s",
                        seed,
                        sound.name(),
                        damage.what(),
                        outcome,
                        seconds,
                        read.failure()));
                System.out.println(broken.get(broken.size() - 1));
            }
        }

        void report(String format, long firstSeed) {
            System.out.println(format + ", from seed " + firstSeed + ": " + counts);
            assertThat(broken).isEmpty();
        }
    }

    private static String refused(Path file, SourceRead read) {
        String message = String.valueOf(read.failure().getMessage());
        boolean isPlain = !message.contains("Exception") && !message.contains("Error:") && !message.contains("null");
        if (read.exitCode() != 2 && read.exitCode() != 3) {
            return "broken: exit code " + read.exitCode();
        }
        return !message.contains(file.getFileName().toString()) && !message.startsWith("an input file: ")
                ? "broken: no file"
                : isPlain ? "refused" : "broken: words";
    }

    private static String judged(SoundFile sound, boolean inFooter, SourceRead read) {
        if (read.rows().equals(sound.rows())) {
            return "the same rows";
        } else if (inFooter) {
            return "other rows, footer";
        } else if (sound.hasChecksums()) {
            return "broken: other rows in spite of checksums";
        }
        return read.rows().size() == ROWS ? "other values without checksums" : "broken: other number of rows";
    }
}
