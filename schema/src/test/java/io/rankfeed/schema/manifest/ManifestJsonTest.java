package io.rankfeed.schema.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Input.ArtifactInput;
import io.rankfeed.schema.manifest.Input.DeltaInput;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.HiveInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.schema.manifest.Input.OrderInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestJsonTest {
    private static final String SHA = "0123456789abcdef".repeat(4);

    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), false),
            new Field("label", DType.INT64, Shape.scalar(), true)));

    private final Contents contents = new Contents(
            "codecontests",
            job(),
            List.of(
                    new ArtifactInput(ArtifactFormat.PREPARED, "0".repeat(16), SHA),
                    new FolderInput(FileFormat.PARQUET, "a", List.of(new InputFile("x y/ü.parquet", 5, SHA))),
                    new HiveInput("b", "db.t", List.of()),
                    new DeltaInput("c", 12, "id")),
            7,
            List.of(
                    ArtifactFile.of("order.json", 5, SHA),
                    ArtifactFile.of("lanes/train/l.arrow", 9, SHA, 7, new Footer(4, SHA))));

    private final Manifest.Version version = version(Origin.NONE);

    private final String text = new String(ManifestJson.toBytes(version), StandardCharsets.UTF_8);

    @Test
    void aManifestSurvivesItsBytes() {
        Manifest read = parse(text);
        assertThat(read).isEqualTo(version);
        assertThat(ManifestJson.toBytes(read)).isEqualTo(ManifestJson.toBytes(version));
        assertThat(read.files())
                .extracting(file -> file.path().value())
                .containsExactly("lanes/train/l.arrow", "order.json");
        assertThat(read.totalBytes()).isEqualTo(14);
        assertThat(read.file("order.json")).isPresent();
    }

    @Test
    void decisions_readAndWritten_areEqualAndNotInTheId() {
        Manifest bare = plan(Map.of());
        Manifest plan = plan(Map.of(
                "train",
                new FeedDecisions(
                        List.of(new FeedDecisions.Edge("loss", "q1", "0.25")),
                        List.of(new FeedDecisions.Shortage(2, "high", 80, 77, 76, 0)),
                        List.of("rare"),
                        List.of(new FeedDecisions.Left(1, "rarest")))));
        Manifest read = parse(new String(ManifestJson.toBytes(plan), StandardCharsets.UTF_8));
        assertThat(read).isEqualTo(plan);
        assertThat(plan.id()).isEqualTo(bare.id());
        assertThat(new String(ManifestJson.toBytes(bare), StandardCharsets.UTF_8))
                .doesNotContain("decisions");
        assertThatThrownBy(() -> parse(new String(ManifestJson.toBytes(plan), StandardCharsets.UTF_8)
                        .replace("\"repeated\": 0", "\"repeated\": 77")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("are inconsistent");
    }

    private static Manifest plan(Map<String, FeedDecisions> decisions) {
        return new Manifest.Plan(new Contents("d", job(), List.of(), 9, List.of()), decisions);
    }

    @Test
    void badRowsAndStatisticsSurviveTheirBytes() {
        ColumnStatistics label = new ColumnStatistics(
                2,
                1,
                OptionalDouble.of(-0.1),
                OptionalDouble.of(1e300),
                OptionalDouble.of(1 / 3.0),
                OptionalDouble.of(0),
                OptionalDouble.empty(),
                false);
        Manifest prepared = prepared(Map.of("null-key", 3L), Map.of("label", label));
        String json = new String(ManifestJson.toBytes(prepared), StandardCharsets.UTF_8);
        assertThat(parse(json)).isEqualTo(prepared);
        assertThat(json).contains("\"mean\": \"0.3333333333333333\"", "\"null-key\": 3");
        assertThatThrownBy(() -> parse(json.replace("\"1.0E300\"", "\"NaN\"")))
                .hasMessageContaining("not a finite number");
        assertThatThrownBy(() -> parse(json.replace("\"null-key\": 3", "\"null-key\": 0")))
                .hasMessageContaining("must be 1 to");
        assertThatThrownBy(() -> prepared(Map.of(), Map.of("other", label)))
                .hasMessageContaining("'other' is not a column of numbers");
    }

    private Manifest prepared(Map<String, Long> badRows, Map<String, ColumnStatistics> statistics) {
        return new Manifest.Prepared(
                new Contents("d", job(), List.of(), 7, List.of()), SCHEMA, List.of(), badRows, statistics);
    }

    private Manifest.Version version(Origin origin) {
        return new Manifest.Version(
                contents, SCHEMA, List.of("a/x.parquet"), Map.of("ids", 12L), Map.of(), Map.of(), origin);
    }

    @Test
    void formattedCopy_readAndWritten_isEqual() {
        Manifest.Formatted copy = new Manifest.Formatted(
                new Contents(
                        "d",
                        job(),
                        List.of(
                                new ArtifactInput(ArtifactFormat.VERSION, "0".repeat(16), SHA),
                                new OrderInput("1".repeat(16), SHA)),
                        7,
                        List.of(ArtifactFile.of("train/shard.00000.mds", 9, SHA, 7))),
                SCHEMA);
        String json = new String(ManifestJson.toBytes(copy), StandardCharsets.UTF_8);
        assertThat(parse(json)).isEqualTo(copy);
        assertThat(json).contains("\"format\": \"rankfeed.formatted\"", "\"kind\": \"version\"", "\"kind\": \"order\"");
        assertThatThrownBy(() -> new ArtifactInput(ArtifactFormat.FORMATTED, "0".repeat(16), SHA))
                .hasMessageContaining("nothing is made from a formatted copy");
    }

    @Test
    void versionOverADataset_hasFormat2() {
        External external = new External(3, 1L << 50, Map.of("ids", 1, "label", 0), 2);
        Manifest over = overDataset(SHA, Optional.of(external));
        String json = new String(ManifestJson.toBytes(over), StandardCharsets.UTF_8);

        assertThat(parse(json)).isEqualTo(over);
        assertThat(json).contains("\"formatVersion\": 2", "\"damaged\": 2", "\"kind\": \"external\"");
        assertThat(text).contains("\"formatVersion\": 1").doesNotContain("external");
        assertThatThrownBy(() -> parse(json.replace("\"formatVersion\": 2", "\"formatVersion\": 1")))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is 1, but its inputs make it 2");
        assertThatThrownBy(() -> parse(text.replace("\"formatVersion\": 1", "\"formatVersion\": 2")))
                .hasMessageContaining("is 2, but its inputs make it 1");
        assertThatThrownBy(() -> overDataset("f".repeat(64), Optional.of(external)))
                .hasMessageContaining("the digest of that file");
        assertThatThrownBy(() -> overDataset(SHA, Optional.empty())).hasMessageContaining("has external");
        assertThatThrownBy(() -> overDataset(SHA, Optional.of(new External(3, 1, Map.of("ids", 0), 0))))
                .hasMessageContaining("are not the fields");
        assertThatThrownBy(() -> new External(3, 1, Map.of("ids", 3), 0)).hasMessageContaining("columns {ids=3}");
    }

    private static Manifest overDataset(String listed, Optional<External> external) {
        Contents contents = new Contents(
                "d",
                job(),
                List.of(new Input.ExternalInput("pets", "webdataset", SHA)),
                7,
                List.of(ArtifactFile.of(External.FILE_NAME, 5, listed)));
        return new Manifest.Version(
                contents, SCHEMA, List.of(), Map.of("ids", 12L), Map.of(), Map.of(), Origin.NONE, external);
    }

    @Test
    void filesOfLanesAndNoOthersHaveAFooter() {
        for (ArtifactFile file : List.of(
                ArtifactFile.of("lanes/train/l.arrow", 9, SHA, 7),
                ArtifactFile.of("order.json", 9, SHA, 7, new Footer(4, SHA)))) {
            Contents other = new Contents("d", job(), List.of(), 7, List.of(file));
            assertThatThrownBy(() ->
                            new Manifest.Version(other, SCHEMA, List.of(), Map.of(), Map.of(), Map.of(), Origin.NONE))
                    .hasMessageContaining(file.path().value())
                    .hasMessageContaining("footer");
        }
        assertThatThrownBy(() -> ArtifactFile.of("lanes/l", 3, SHA, 7, new Footer(4, SHA)))
                .hasMessageContaining("3 bytes with a footer of 4");
    }

    @Test
    void theOriginOfAVersionSurvivesItsBytes() {
        Origin origin = Origin.of(List.of("id"), version.inputs());
        assertThat(origin.tables()).isEqualTo(Map.of("c", 12L));
        Manifest known = version(origin);
        assertThat(ManifestJson.parse(ManifestJson.toBytes(known), "m.json")).isEqualTo(known);
        assertThat(known.id()).isEqualTo(version.id());
    }

    @Test
    void theIdIsTheDigestOfTheMeaningAlone() {
        Manifest other = new Manifest.Version(
                new Contents("other", version.job(), version.inputs(), 9, List.of()),
                SCHEMA,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Origin.NONE);
        assertThat(other.id()).isEqualTo(version.id()).matches("[0-9a-f]{16}");
        assertThat(Manifest.idOf(ArtifactFormat.VERSION, job().put("seed", 43), version.inputs()))
                .isNotEqualTo(version.id());
        assertThat(Manifest.idOf(ArtifactFormat.PLAN, JsonNodeFactory.instance.objectNode(), List.of()))
                .isEqualTo(Sha256.hex("{\"format\":\"rankfeed.plan\",\"formatVersion\":1,\"inputs\":[],\"job\":{}}"
                                .getBytes(StandardCharsets.UTF_8))
                        .substring(0, 16));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"formatVersion\": 1     | \"formatVersion\": 3                 | 'formatVersion' is 3; must be 1 to"
                        + " 2",
                "\"formatVersion\": 1     | \"formatVersion\": 4611686018427387904 | 'formatVersion' is 46",
                "\"rankfeed.version\"     | \"rankfeed.versio\"                  | 'format' must be one of",
                "\"seed\": 42             | \"seed\": 44                         | 'id' is",
                "\"seed\": 42             | \"seed\": 0.5                        | no canonical form",
                "\"codecontests\"         | \"../x\"                             | dataset '../x'",
                "\"rows\": 7              | \"rows\": -1                         | must be 0 to",
                "\"rows\": 7              | \"rows\": 7, \"extra\": 1             | 'files[0].extra' is unknown",
                "\"sources\": [           | \"x\": 1, \"sources\": [             | 'x' is unknown",
                "\"order.json\"           | \"../order.json\"                    | is not a path inside an artifact",
                "\"order.json\"           | \"/order.json\"                      | is not a path inside an artifact",
                "\"order.json\"           | \"lanes/train/l.arrow\"              | is not sorted, or a duplicate",
                "\"order.json\"           | \"lanes/train/l.arrow.\\u0000\"      | is not a path inside an artifact",
                "\"lanes/train/l.arrow\"  | \"Order.json\"                       | differ only in case",
                "\"maxLength\": 12        | \"maxLength\": -1                    | must be 0 to",
                "\"ids\": {               | \"label\": {                         | is not a column of variable length",
                "\"kind\": \"hive\"       | \"kind\": \"hve\"                    | 'hve' is unknown",
                "\"dtype\": \"int32\"     | \"dtype\": \"int3\"                  | unknown dtype 'int3'",
                "\"bytes\": 9             | \"bytes\": 9223372036854775808      | must be an integer",
                "\"bytes\": 9             | \"bytes\": 4611686018427387904      | 2^62 bytes or more",
                "\"bytes\": 9             | \"bytes\": \"9\"                     | must be an integer"
            })
    void whatBreaksARuleIsNotRead(String right, String wrong, String what) {
        assertThat(text).contains(right);
        assertThatThrownBy(() -> parse(text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong))))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("manifest.json")
                .hasMessageContaining(what);
    }

    @Test
    void aTruncatedManifestIsRefusedWhereverItEnds() {
        for (int end = 0; end < text.length() - 2; end++) {
            String cut = text.substring(0, end);
            assertThatThrownBy(() -> ManifestJson.parse(cut.getBytes(StandardCharsets.UTF_8), "manifest.json"))
                    .as("cut at %d", end)
                    .isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void aFolderWithoutManifestIsNoArtifact(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> ManifestJson.read(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("manifest.json: does not exist");
        Files.write(folder.resolve("manifest.json"), ManifestJson.toBytes(version));
        assertThat(ManifestJson.read(folder)).isEqualTo(version);
    }

    private static ObjectNode job() {
        return JsonNodeFactory.instance.objectNode().put("seed", 42);
    }

    /** With the digest of what it became: the rules hold for a manifest that agrees with itself, too. */
    private static Manifest parse(String json) {
        return ManifestJson.parse(ManifestDigest.renewed(json.getBytes(StandardCharsets.UTF_8)), "manifest.json");
    }
}
