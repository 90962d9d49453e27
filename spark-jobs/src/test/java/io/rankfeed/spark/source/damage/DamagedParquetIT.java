package io.rankfeed.spark.source.damage;

import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.source.damage.SoundFiles.SoundFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads Parquet files with drawn damage as prepare does: rows, exit code 2 or exit code 3; in bounded memory, the heap of the tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamagedParquetIT {
    private static final int ROWS = 60;

    private SparkSession spark;
    private Path folder;
    private List<SoundFile> files;

    @BeforeAll
    void start(@TempDir Path made) throws IOException {
        spark = LocalSpark.session(1);
        folder = made;
        files = SoundFiles.parquet(spark, Files.createDirectory(folder.resolve("sound")));
    }

    @Test
    @Timeout(300)
    void parquet_damaged_isRefusedOrReadAsPromised() throws IOException {
        read(12, 7_000);
    }

    /** Before: no end for cut levels; exit code 4 for indices beyond a dictionary and footers that Thrift refuses. */
    @Test
    void parquet_formerlyAcceptedDamage_isRefused() throws IOException {
        read(List.of(1_000_788L, 1_001_495L, 1_004_110L));
    }

    @Test
    @Tag("nightly")
    void parquet_manyDamaged_areRefusedOrReadAsPromised() throws IOException {
        read(10_000, 1_000_000);
    }

    private void read(int count, long firstSeed) throws IOException {
        read(LongStream.range(firstSeed, firstSeed + count).boxed().toList());
    }

    private void read(List<Long> seeds) throws IOException {
        DamageOutcomes outcomes = new DamageOutcomes(spark, 20);
        for (long seed : seeds) {
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
        outcomes.report("parquet", seeds.get(0));
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
