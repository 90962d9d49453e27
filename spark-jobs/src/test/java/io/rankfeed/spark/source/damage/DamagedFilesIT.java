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

    private void readDamaged(int count, long firstSeed) throws IOException {
        List<SoundFile> files = SoundFiles.parquet(spark, folder);
        Map<String, Integer> outcomes = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            // Similar seeds give java.util.Random similar first numbers.
            SplittableRandom random = new SplittableRandom(seed);
            SoundFile sound = files.get(random.nextInt(files.size()));
            boolean inFooter = random.nextBoolean();
            DrawnDamage damage = inFooter
                    ? DrawnDamage.drawn(sound.bytes(), sound.footerStart(), sound.bytes().length, random)
                    : DrawnDamage.drawn(sound.bytes(), 0, sound.footerStart(), random);
            Path file = folder.resolve("damaged-" + seed + ".parquet");
            Files.write(file, damage.bytes());
            long start = System.nanoTime();
            SourceRead read = SourceRead.of(spark, "{parquet: '" + file + "'}");
            long millis = (System.nanoTime() - start) / 1_000_000;
            Files.delete(file);
            String which = String.format(Locale.ROOT, "seed %d, %s, %s", seed, sound.name(), damage.what());
            String outcome = judged(sound, damage, inFooter, read);
            outcomes.merge(outcome, 1, Integer::sum);
            if (outcome.startsWith("broken") || millis > 20_000) {
                broken.add(which + ": " + outcome + " " + millis + " ms " + read.failure());
            }
        }
        System.out.println("parquet, from seed " + firstSeed + ": " + outcomes);
        assertThat(broken).isEmpty();
    }

    private static String judged(SoundFile sound, DrawnDamage damage, boolean inFooter, SourceRead read) {
        if (read.failure() != null) {
            String message = String.valueOf(read.failure().getMessage());
            boolean isPlain = !message.contains("Exception") && !message.contains("Error:") && !message.contains("null");
            boolean isKnown = read.exitCode() == 2 || read.exitCode() == 3;
            return !isKnown
                    ? "broken: exit code " + read.exitCode()
                    : !message.contains("damaged-") ? "broken: no file" : !isPlain ? "broken: words" : "refused";
        }
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
