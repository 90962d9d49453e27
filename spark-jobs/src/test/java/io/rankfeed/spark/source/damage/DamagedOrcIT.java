package io.rankfeed.spark.source.damage;

import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.source.damage.SoundFiles.SoundFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads ORC files with drawn damage as prepare does: rows, exit code 2 or exit code 3; in bounded memory, the heap of the tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamagedOrcIT {
    private SparkSession spark;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path made) {
        spark = LocalSpark.session(1);
        folder = made;
    }

    @Test
    @Timeout(900)
    void orc_damaged_isRefusedOrRead() throws IOException {
        read(8, 3_000);
    }

    /** ORC's reader 2.3 counts to 2³² for every 8 values of a run that is cut off: 10,000 files would take hours. */
    @Test
    @Tag("nightly")
    void orc_manyDamaged_areRefusedOrRead() throws IOException {
        read(200, 5_000_000);
    }

    /** ORC has no checksums of its own: any values may come out. */
    private void read(int count, long firstSeed) throws IOException {
        Map<SoundFile, Path> files = SoundFiles.orc(spark, Files.createTempDirectory(folder, "sound"));
        List<SoundFile> sounds = List.copyOf(files.keySet());
        // The reader of ORC fills a list up to a damaged length beyond the end of its data.
        DamageOutcomes outcomes = new DamageOutcomes(spark, 300);
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
}
