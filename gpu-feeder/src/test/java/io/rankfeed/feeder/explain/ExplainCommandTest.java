package io.rankfeed.feeder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.Origin;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void batch_rows_haveIdentityStratumAndSource(int seed) throws IOException {
        Random random = new Random(seed);
        RowValues values = new RowValues(RandomVersions.schema(random), seed, 5);
        TestVersion version = TestVersion.write(dir, RandomVersions.order(random), values);
        TrainFeed feed = (TrainFeed) OpenVersion.open(version.folder()).feed("train");
        int epoch = feed.epochs() - 1;
        long step = feed.stepsPerEpoch() / 2;

        CommandRun run = CommandRun.of(
                new ExplainCommand(), version.folder(), "--epoch", epoch, "--step", step, "--rank", 0, "--world", 1);

        assertThat(run.err()).isEmpty();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(2 + feed.batch());
        for (int position = 0; position < feed.batch(); position++) {
            OrderLookup.Row row = new OrderLookup(feed).rowAt(epoch * feed.stepsPerPass() + step, 0, 1, position);
            String[] words = lines.get(2 + position).split("\t", -1);
            assertThat(words[0]).isEqualTo(Integer.toString(position));
            assertThat(words[1]).isEqualTo(Long.toString(values.rowId("train", row.stratum(), row.index())));
            assertThat(words[2]).isEqualTo(feed.strata().get(row.stratum()).name());
            assertThat(words[3]).isEqualTo(Long.toString(row.index()));
            assertThat(words[6]).startsWith("lanes/train/");
            assertThat(words[7]).isEqualTo("samples/part-" + row.stratum() % 2 + ".parquet");
            assertThat(words[8]).isEqualTo(Long.toString(row.index()));
        }
    }

    @Test
    void batch_ofDamagedLanes_printsNothing() throws IOException {
        Random random = new Random(7);
        RowValues values = new RowValues(RandomVersions.schema(random), 7, 5);
        TestVersion version = TestVersion.write(dir, RandomVersions.order(random), values);
        try (Stream<Path> lanes = Files.walk(version.folder().resolve("lanes/train"))) {
            for (Path lane : lanes.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(lane);
                bytes[bytes.length / 2] ^= 1;
                Files.write(lane, bytes);
            }
        }

        CommandRun run = CommandRun.of(new ExplainCommand(), version.folder(), "--step", 0);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void row_everyWorld_isFoundAtAllItsSteps(int seed) throws IOException {
        Random random = new Random(seed);
        RowValues values = new RowValues(RandomVersions.schema(random), seed, 5);
        TestVersion version = TestVersion.write(dir, RandomVersions.order(random), values);
        TrainFeed feed = (TrainFeed) OpenVersion.open(version.folder()).feed("train");
        int world = feed.lanes() % 2 == 0 ? 2 : 1;
        int stratum = random.nextInt(feed.strata().size());
        while (feed.strata().get(stratum).rows() == 0) {
            stratum = (stratum + 1) % feed.strata().size();
        }
        long index = random.nextLong(feed.strata().get(stratum).rows());
        List<String> wanted = new ArrayList<>();
        for (long step = 0; step < feed.steps(); step++) {
            for (int rank = 0; rank < world; rank++) {
                for (int position = 0; position < feed.batch() / world; position++) {
                    if (new OrderLookup(feed)
                            .rowAt(step, rank, world, position)
                            .equals(new OrderLookup.Row(stratum, index))) {
                        wanted.add(step / feed.stepsPerEpoch() + " " + step % feed.stepsPerEpoch() + " " + step + " "
                                + rank + " " + position);
                    }
                }
            }
        }

        CommandRun run = CommandRun.of(
                new ExplainCommand(),
                version.folder(),
                "--row",
                values.rowId("train", stratum, index),
                "--world",
                world);

        assertThat(run.err()).isEmpty();
        List<String[]> lines =
                run.out().lines().skip(2).map(line -> line.split("\t", -1)).toList();
        assertThat(lines.stream().map(words -> String.join(" ", words[0], words[1], words[2], words[5], words[6])))
                .as("seed %d", seed)
                .containsExactlyElementsOf(wanted);
        String name = feed.strata().get(stratum).name();
        String at = Long.toString(index);
        assertThat(lines).allSatisfy(words -> {
            Segment segment = feed.segmentAt(Long.parseLong(words[2]));
            boolean staged = feed.mode() == EpochMode.STREAM;
            assertThat(words[3]).isEqualTo(staged ? Long.toString(segment.stage()) : "-");
            assertThat(words[4]).isEqualTo(Long.toString(segment.number()));
            assertThat(words[8]).isEqualTo(name);
            assertThat(words[9]).isEqualTo(at);
        });
        assertThat(run.out())
                .contains(
                        "seen " + Plural.counted(wanted.size(), "time") + " in the run", "plan " + TestVersion.PLAN_ID);
    }

    @Test
    void row_keyOfAnyTypeOrSource_isFound() {
        assertThat(RowKey.of(List.of("17"), List.of()).rowIds())
                .contains(
                        17L,
                        new KeyEncoding().integer(17).rowId(),
                        new KeyEncoding().string("17").rowId());
        assertThat(RowKey.of(List.of("p_1", "true", "-3"), List.of()).rowIds())
                .contains(
                        new KeyEncoding().string("p_1").bool(true).integer(-3).rowId(),
                        new KeyEncoding()
                                .string("p_1")
                                .string("true")
                                .string("-3")
                                .rowId())
                .hasSize(4);
        CommandRun run = CommandRun.of(
                new ExplainCommand(), GOLDEN, "--feed", "valid", "--row", "samples/part-0.parquet:209", "--world", 2);
        assertThat(run.out()).contains("seen 1 time in");
        assertThat(run.out().lines().skip(2)).singleElement().asString().startsWith("0\t2\t2\t-\t-\t1\t0\t");
        CommandRun spaced = CommandRun.of(
                new ExplainCommand(), GOLDEN, "--feed", "valid", "--row", "samples/part-0.parquet: 209", "--world", 2);
        assertThat(spaced.out().lines().skip(1))
                .isEqualTo(run.out().lines().skip(1).toList());
    }

    @Test
    void key_impossible_isRefusedWithReason() {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("name", DType.STRING, Shape.scalar(), false),
                new Field("id", DType.INT32, Shape.scalar(), false),
                new Field("right", DType.BOOL, Shape.scalar(), false)));
        assertThat(misfit(schema, "id", "17")).isEmpty();
        assertThat(misfit(schema, "id", "p_17"))
                .contains("'p_17' is not a whole number, as key column 'id' is (int32)");
        assertThat(misfit(schema, "right", "1")).contains("'1' is neither true nor false, as key column 'right' is");
        assertThat(misfit(schema, "name id", "17", "x"))
                .hasValueSatisfying(why -> assertThat(why).startsWith("'x' is no"));
        assertThat(misfit(schema, "name id", "17"))
                .contains("the key is name, id; give one --row for each, in this order");
        assertThat(misfit(schema, "name gone", "17", "x")).isEmpty();
        assertThat(misfit(schema, "name id", "t/a.parquet:17")).isEmpty();
        assertThat(misfit(schema, "id", "t/a.parquet:17")).isEmpty();
    }

    private static Optional<String> misfit(SampleSchema schema, String key, String... words) {
        return RowKey.misfit(List.of(words), new Origin(List.of(key.split(" ")), Map.of()), schema);
    }

    @Test
    void columns_requested_areShown() {
        CommandRun run =
                CommandRun.of(new ExplainCommand(), GOLDEN, "--step", 0, "--columns", "text,label,box,ids,score");
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(1)).endsWith("\tsource_row\ttext\tlabel\tbox\tids\tscore");
        assertThat(lines.subList(2, lines.size())).allSatisfy(line -> {
            String[] words = line.split("\t", -1);
            assertThat(words).hasSize(14);
            assertThat(words[10]).matches("-?[0-9]+");
            assertThat(words[11]).startsWith("float32[2");
            assertThat(words[12]).matches("[0-5] x int32");
        });
    }

    @Test
    void row_keyAndTableVersion_areShown() throws IOException {
        Random random = new Random(1);
        TestVersion version = TestVersion.write(
                dir, RandomVersions.order(random), new RowValues(RandomVersions.schema(random), 1, 5));
        Manifest.Version plain = TestVersion.manifest(version.folder());
        String column = plain.schema().names().get(0);
        // "gone" is a column of the key that was not exported.
        TestVersion.writeManifest(
                version.folder(),
                TestVersion.with(plain, plain.files(), new Origin(List.of(column, "gone"), Map.of("solutions", 12L))));

        String[] lines = CommandRun.of(new ExplainCommand(), version.folder(), "--step", 0)
                .out()
                .split("\n", -1);
        assertThat(lines[0]).endsWith(", table solutions at version 12");
        assertThat(lines[1]).endsWith("\tsource_row\t" + column);
    }

    @Test
    void sequentialFeed_shortLastStep_isListed() {
        SequentialFeed feed = (SequentialFeed) OpenVersion.open(GOLDEN).feed("valid");

        CommandRun run = CommandRun.of(
                new ExplainCommand(), GOLDEN, "--feed", "valid", "--step", feed.steps() - 1, "--rank", 1, "--world", 2);

        assertThat(run.out().lines().skip(2)).hasSize(1).allMatch(line -> line.endsWith("\t209"));
    }

    @Test
    void step_withoutEpoch_countsOverTheRun() {
        String ofRun = CommandRun.of(new ExplainCommand(), GOLDEN, "--step", 7).out();
        String ofEpoch = CommandRun.of(new ExplainCommand(), GOLDEN, "--epoch", 1, "--step", 2)
                .out();
        assertThat(ofRun).isEqualTo(ofEpoch).contains("epoch 1, step 2 (global step 7 of 10,");
    }

    @Test
    void argument_unknown_isRefusedWithKnownOnes() {
        refused("--step 5 does not exist; steps of epoch 1 are 0 to 4", "--step", 5, "--epoch", 1);
        refused("--step 10 does not exist; steps of the run are 0 to 9", "--step", 10);
        refused("--step -1 does not exist", "--step", -1);
        refused("--epoch 2 does not exist; epochs of the run are 0 to 1", "--step", 0, "--epoch", 2);
        refused("did you mean 'train'", "--step", 0, "--feed", "trian");
        refused("does not divide", "--step", 0, "--world", 3);
        refused("world size 0", "--step", 0, "--world", 0);
        refused("world size 0", "--step", 0, "--world", 0, "--feed", "valid");
        refused("rank 2 is not one of", "--step", 0, "--world", 2, "--rank", 2);
        refused("give either --step", "--epoch", 0);
        refused("give either --step", "--step", 0, "--row", "a");
        refused("has no such row; rows of this version have no key; name one by its source", "--row", "nobody");
        refused("has no such row; a version holds only", "--row", "123456789");
        refused("does not divide", "--row", "nobody", "--world", 3);
        refused("did you mean 'label'", "--step", 0, "--columns", "lable");
    }

    private static void refused(String message, Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = GOLDEN;
        System.arraycopy(args, 0, all, 1, args.length);
        CommandRun run = CommandRun.of(new ExplainCommand(), all);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
