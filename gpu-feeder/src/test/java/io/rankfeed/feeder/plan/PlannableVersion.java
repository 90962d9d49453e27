package io.rankfeed.feeder.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.JobFile;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.job.plan.FeedNumbers;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * A version with the plan that it was exported by next to it: feed {@code train} of dataset {@code d}.
 *
 * @param folder of the version
 * @param orders the folder of plans over versions of the dataset; not made
 */
record PlannableVersion(Path folder, Path orders) {
    static final List<CountedStratum> LEVELS =
            List.of(new CountedStratum("high", List.of("high"), 60), new CountedStratum("low", List.of("low"), 40));

    /** @param keys of the feed, as the inside of a YAML map */
    static PlannableVersion write(Path root, String keys, List<CountedStratum> strata) throws IOException {
        FeedSection section = section(keys);
        FeedNumbers numbers = FeedNumbers.of("train", section, strata, List.of(), section.onShortage());
        FeedDecisions decisions = numbers.decisions();
        Order order =
                new Order("d", TestVersion.PLAN_ID, Optional.of(new Order.Storage(4, 16)), List.of(numbers.feed()));
        RowValues values = new RowValues(RandomVersions.schema(new Random(1)), 1, 5);
        Path written = TestVersion.write(root, order, values).folder();
        Manifest.Version version = TestVersion.manifest(written);

        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.putObject("sample").set("train", ConfigJson.toJson(section));
        List<Input> prepared = List.of(version.inputs().get(0));
        byte[] plan = ManifestJson.toBytes(new Manifest.Plan(
                new Contents("d", job, prepared, version.rows(), List.of()),
                decisions.isEmpty() ? Map.of() : Map.of("train", decisions)));
        Path plans = Files.createDirectories(root.resolve("d/plans").resolve(TestVersion.PLAN_ID));
        Files.write(plans.resolve(Manifest.FILE_NAME), plan);

        List<Input> inputs = List.of(
                version.inputs().get(0),
                new Input.ArtifactInput(ArtifactFormat.PLAN, TestVersion.PLAN_ID, Sha256.hex(plan)));
        Manifest.Version manifest = new Manifest.Version(
                new Contents("d", version.job(), inputs, version.rows(), version.files()),
                version.schema(),
                version.sources(),
                version.maxLengths(),
                version.maxItems(),
                version.statistics(),
                version.origin());
        TestVersion.writeManifest(written, manifest);
        Path folder = Files.createDirectories(root.resolve("d/versions")).resolve(manifest.id());
        Files.move(written, folder);
        return new PlannableVersion(folder, root.resolve("d/orders"));
    }

    static FeedSection section(String keys) {
        String yaml = String.join(
                "\n",
                "dataset: d",
                "root: /r",
                "sources: {t: {parquet: /in}}",
                "prepare: {select: {from: t}}",
                "sample: {train: {" + keys + "}}");
        return Objects.requireNonNull(JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of())
                .sample()
                .get("train"));
    }
}
