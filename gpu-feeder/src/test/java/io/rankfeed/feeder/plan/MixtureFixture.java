package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.OrderPlanner;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.sampling.plan.Shares;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The file of a mixture of two small versions: {@code a} in 4 lanes with a label, {@code b} in 6 lanes without. */
record MixtureFixture(Path dir, Path root, Path file) {
    static final Field TEXT = new Field("text", DType.STRING, Shape.scalar(), false);
    static final Field LABEL = new Field("label", DType.INT16, Shape.scalar(), false);

    static MixtureFixture write(Path dir) throws IOException {
        MixtureFixture mixtures = new MixtureFixture(dir, dir.resolve("data"), dir.resolve("mix.yaml"));
        Path a = mixtures.version(mixtures.root(), "first", 4, TEXT, LABEL);
        Path b = mixtures.version(mixtures.root(), "second", 6, TEXT);
        Files.writeString(mixtures.file(), """
                members:
                  a: {version: %s, feed: train}
                  b: %s
                weights: {a: 3, b: 1}
                batch: 8
                rows: 24
                epochs: 2
                seed: 7
                fill: {label: -1}
                """.formatted(a, b));
        return mixtures;
    }

    /** Writes a version with two strata below a root, of which a run of one epoch takes 24 rows. */
    Path version(Path below, String dataset, int lanes, Field... fields) throws IOException {
        return version(below, dataset, lanes, List.of(), fields);
    }

    /** Writes such a version with more feeds, whose names come later. */
    Path version(Path below, String dataset, int lanes, List<Feed> more, Field... fields) throws IOException {
        PlanRequest request = new PlanRequest(
                "train",
                1,
                lanes,
                lanes,
                1,
                24,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                PoolSpan.RUN,
                OnShortage.REPEAT,
                ZeroQuota.ALLOW,
                Shares.NEAREST,
                List.of(new PlanRequest.Available("x", 30), new PlanRequest.Available("y", 25)),
                List.of(new PlanRequest.Stage(BigDecimal.ONE, Map.of("x", BigDecimal.ONE, "y", BigDecimal.ONE))));
        List<Feed> feeds = new ArrayList<>(List.of(OrderPlanner.plan(request)));
        feeds.addAll(more);
        Order order = new Order(dataset, TestVersion.PLAN_ID, Optional.of(new Order.Storage(4, 8)), feeds);
        RowValues values = new RowValues(new SampleSchema(List.of(fields)), 5, 9);
        Path written = TestVersion.write(dir, order, values).folder();
        Path versions = Files.createDirectories(below.resolve(dataset).resolve("versions"));
        return Files.move(
                written, versions.resolve(TestVersion.manifest(written).id()));
    }

    /** Runs {@code plan --mixture} with the file. */
    CommandRun plan(Object... words) {
        List<Object> all = new ArrayList<>(List.of("--mixture", file));
        all.addAll(List.of(words));
        return CommandRun.of(new PlanCommand(), all.toArray());
    }

    Mixture written(String name) {
        return MixtureName.at(root + "/mixtures/" + name, LocalFiles.INSTANCE).mixture();
    }
}
