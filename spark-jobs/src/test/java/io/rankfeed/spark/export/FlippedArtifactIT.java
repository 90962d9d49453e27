package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flips bits of prepared files and of plans: sample and export refuse the file, or give the same lanes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlippedArtifactIT {
    private SparkSession spark;
    private Path root;
    private Path dataset;
    private PreparedTable prepared;
    private JobContext context;
    private SortedMap<String, String> sound;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        spark = LocalSpark.session(1);
        root = folder;
        Path table = PipelineRun.table(spark, root.resolve("in"), 1);
        context = PipelineRun.context(spark, root, table, PipelineRun.SHUFFLED);
        PipelineRun.run(context, Export.Reading.SCAN);
        prepared = Prepare.run(context);
        dataset = root.resolve("d");
        sound = lanes();
        assertThat(sound).isNotEmpty();
    }

    @Test
    @Timeout(300)
    void bit_flippedInAnArtifact_isRefusedOrHarmless() throws IOException {
        flip(3, 3_000);
    }

    @Test
    @Tag("nightly")
    void manyBits_flippedInArtifacts_areRefusedOrHarmless() throws IOException {
        flip(300, 40_000);
    }

    private void flip(int count, long firstSeed) throws IOException {
        Map<String, Integer> outcomes = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        List<Path> prepared = files("prepared");
        List<Path> plan = files("plans");
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean ofPlan = random.nextInt(4) == 0;
            List<Path> among = ofPlan ? plan : prepared;
            Path file = among.get(random.nextInt(among.size()));
            Export.Reading reading = random.nextBoolean() ? Export.Reading.SCAN : Export.Reading.CHOSEN;
            byte[] whole = Files.readAllBytes(file);
            byte[] bytes = whole.clone();
            // Half of the flips in what is not page data.
            int footer = footerStart(whole);
            int at = random.nextBoolean()
                    ? footer + random.nextInt(whole.length - footer)
                    : random.nextInt(whole.length);
            int bit = random.nextInt(8);
            bytes[at] ^= (byte) (1 << bit);
            Files.write(file, bytes);
            String kind = (ofPlan ? "plan " : "prepared ") + (at >= footer ? "footer" : "data");
            String which = String.format(
                    Locale.ROOT,
                    "seed %d, %s, byte %d of %d, bit %d, %s",
                    seed,
                    root.relativize(file),
                    at,
                    whole.length,
                    bit,
                    reading);
            String outcome = outcome(ofPlan, reading, file);
            Files.write(file, whole);
            outcomes.merge(kind + ": " + outcome, 1, Integer::sum);
            if (outcome.startsWith("broken")) {
                System.out.println(which + ": " + outcome);
                broken.add(which + ": " + outcome);
            }
        }
        System.out.println("flips from seed " + firstSeed + ": " + outcomes);
        assertThat(broken).isEmpty();
    }

    private String outcome(boolean ofPlan, Export.Reading reading, Path file) throws IOException {
        Utils.deleteRecursively(dataset.resolve("versions").toFile());
        Path plans = dataset.resolve("plans");
        Path kept = dataset.resolve("plans-kept");
        if (!ofPlan) {
            Files.move(plans, kept);
        }
        try {
            Plan plan = Sample.run(context, prepared);
            Export.run(context, prepared, plan, reading);
            return lanes().equals(sound) ? "harmless" : "broken: other lanes";
        } catch (CorruptDataException e) {
            boolean named =
                    String.valueOf(e.getMessage()).contains(file.getFileName().toString());
            return named ? "refused" : "broken: no file: " + e;
        } catch (Exception e) {
            return "broken: " + SparkFailures.translated(e);
        } finally {
            if (!ofPlan) {
                Utils.deleteRecursively(plans.toFile());
                Files.move(kept, plans);
            }
        }
    }

    private static int footerStart(byte[] bytes) {
        if (bytes.length < 8 || bytes[bytes.length - 1] != '1' || bytes[bytes.length - 2] != 'R') {
            return 0;
        }
        return bytes.length
                - 8
                - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    }

    /** The files that sample and export read. */
    private List<Path> files(String kind) throws IOException {
        try (Stream<Path> walk = Files.walk(dataset.resolve(kind))) {
            return walk.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".parquet") || file.endsWith("order.json"))
                    .filter(file -> !file.toString().contains("_delta_log"))
                    .sorted()
                    .toList();
        }
    }

    private SortedMap<String, String> lanes() throws IOException {
        SortedMap<String, String> lanes = new TreeMap<>();
        PreparedFixture.digests(dataset.resolve("versions")).forEach((path, digest) -> {
            if (path.contains("/lanes/")) {
                lanes.put(path, digest);
            }
        });
        return lanes;
    }
}
