package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.feeder.fixture.ImportedVersion;
import io.rankfeed.feeder.fixture.LibraryDatasets;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.fixture.TestMixture.Written;
import io.rankfeed.feeder.fixture.TestRows;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of versions over datasets have the values that the library of each format reads. */
class ReferencedBatchesTest {
    private static final long SHARD_BYTES = 64;

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "{0}, at most {1} mapped")
    @CsvSource({
        "npy, 16384",
        "npy, 0",
        "enn, 16384",
        "enn-several, 0",
        "enn-several, 16384",
        "image-mmap, 16384",
        "image-mmap, 0",
        "megatron, 16384",
        "megatron, 0",
        "huggingface, 16384",
        "huggingface, 1",
        "webdataset, 16384",
        "webdataset, 0",
        "tars, 16384",
        "tars, 0",
        "images, 16384",
        "images, 0"
    })
    void batches_ofEachFormat_haveTheLibrarysValues(String name, int maxMapped) throws IOException {
        ImportedVersion version =
                ImportedVersion.write(dir, "pets", LibraryDatasets.folder(name), LibraryDatasets.columns(name));
        TestRows rows = version.rows(LibraryDatasets.values(name));

        Set<Long> seen = new HashSet<>();
        for (int world = 1; world <= 2; world++) {
            for (int rank = 0; rank < world; rank++) {
                seen.addAll(check(OpenOrder.of(version.open()), rows, rank, world, maxMapped));
            }
        }

        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, (int) version.index().wholeRows())
                                .mapToObj(sample -> version.addresses().rowId(sample))
                                .toList());
    }

    /** One member has values and the other references; each lacks a column of the other. */
    @ParameterizedTest(name = "at most {0} mapped")
    @ValueSource(ints = {0, ExternalFiles.MAX_MAPPED})
    void batches_ofMixtureWithLanes_haveValuesOfBoth(int maxMapped) throws IOException {
        Random random = new Random(Seed.of(ReferencedBatchesTest.class));
        String name = "huggingface";
        ImportedVersion imported =
                ImportedVersion.write(dir, "pets", LibraryDatasets.folder(name), LibraryDatasets.columns(name));
        List<Field> fields = new ArrayList<>(imported.index().schema().fields());
        fields.removeIf(field -> field.name().equals("blob") || field.name().equals("vector"));
        fields.add(0, new Field("own", DType.INT64, Shape.of(2), false));
        SortedMap<String, Written> members = new TreeMap<>();
        members.put("lanes", TestMixture.version(dir, "plain", random, 4, new SampleSchema(fields)));
        members.put(
                "files", new Written(imported.folder(), imported.feed(), imported.rows(LibraryDatasets.values(name))));
        members.put("again", members.get("files"));
        TestMixture mixture = TestMixture.of(
                dir,
                members,
                Map.of(
                        "own", List.of("-7", "70000000000"),
                        "blob", List.of("none"),
                        "vector", List.of("1", "2", "3")),
                random);
        OpenOrder opened = NamedOrder.open(mixture.folder().toString(), Optional.empty());

        assertThat(check(opened, mixture.rows(), 0, 1, maxMapped)).isNotEmpty();
        assertThat(check(opened, mixture.rows(), 1, 2, maxMapped)).isNotEmpty();
    }

    /** Rules of texts read tokens after all columns of a row were measured, and again when they are copied. */
    @ParameterizedTest(name = "at most {0} mapped")
    @ValueSource(ints = {0, ExternalFiles.MAX_MAPPED})
    void texts_equalThoseOfLanesWithTheSameRows(int maxMapped) throws IOException {
        String name = "megatron";
        ImportedVersion version =
                ImportedVersion.write(dir, "pets", LibraryDatasets.folder(name), LibraryDatasets.columns(name));
        Order own =
                new Order("pets", TestVersion.PLAN_ID, Optional.of(new Order.Storage(2, 4)), List.of(version.feed()));
        TestVersion lanes = TestVersion.write(dir, own, version.rows(LibraryDatasets.values(name)));

        assertThat(texts(OpenOrder.of(version.open()), maxMapped))
                .isEqualTo(texts(OpenOrder.of(OpenVersion.open(lanes.folder())), maxMapped));
    }

    /** Returns the slots of all steps. */
    private static List<String> texts(OpenOrder opened, int maxMapped) {
        TextRules rules = ConfigDocument.parse("text", "{pad-side: left}".getBytes(StandardCharsets.UTF_8))
                .bind(TextRules.class);
        ColumnRequest request = ColumnRequest.made("input_ids", new Recipe.Text("tokens", rules, Optional.of(5L)));
        RankOrder order = RankOrder.train((TrainFeed) opened.feed(ImportedVersion.FEED), 0, 1);
        ColumnPlan plan = ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.of(List.of(request)), 0);
        List<String> slots = new ArrayList<>();
        try (GatherPool pool = new GatherPool(1);
                LaneCache cache = opened.map(ImportedVersion.FEED, LaneSelection.all(), maxMapped);
                Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            SlotSizes sizes = new SlotSizes(plan.tensors().size());
            BatchAssembler assembler =
                    new BatchAssembler(order, cache, plan, pool, RowContext.withoutImages(), SHARD_BYTES);
            for (long step = 0; step < order.steps(); step++) {
                slot.fill((byte) 0);
                assembler.fill(step, slot, sizes);
                slots.add(HexFormat.of().formatHex(slot.toArray(ValueLayout.JAVA_BYTE)));
            }
        }
        return slots;
    }

    /** Returns the ids of the rows of all batches. */
    private static Set<Long> check(OpenOrder opened, TestRows rows, int rank, int world, int maxMapped) {
        TrainFeed feed = (TrainFeed) opened.feed(ImportedVersion.FEED);
        RankOrder order = RankOrder.train(feed, rank, world);
        List<ColumnRequest> columns = new ArrayList<>(List.of(ColumnRequest.of(ColumnPlan.ROW_ID)));
        rows.schema().names().forEach(name -> columns.add(ColumnRequest.of(name)));
        ColumnPlan plan = ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.of(columns), 0);
        ExpectedBatch expected = new ExpectedBatch(plan, rows, feed.name());
        OrderLookup lookup = new OrderLookup(feed);
        Set<Long> seen = new HashSet<>();
        try (GatherPool pool = new GatherPool(1);
                LaneCache cache = opened.map(feed.name(), new LaneSelection(List.of(rank), world), maxMapped);
                Arena arena = Arena.ofShared()) {
            cache.verify(Verification.FIRST_ACCESS);
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            SlotSizes sizes = new SlotSizes(plan.tensors().size());
            BatchAssembler assembler =
                    new BatchAssembler(order, cache, plan, pool, RowContext.withoutImages(), SHARD_BYTES);
            for (long s = 0; s < order.steps(); s++) {
                long step = s;
                slot.fill((byte) 0x5A);
                int valid = assembler.fill(step, slot, sizes);
                assertThat(valid).isEqualTo(plan.rows());
                expected.check(slot, valid, sizes, position -> {
                    OrderLookup.Row row = lookup.rowAt(step, rank, world, position);
                    seen.add(rows.rowId(feed.name(), row.stratum(), row.index()));
                    return row;
                });
            }
        }
        return seen;
    }
}
