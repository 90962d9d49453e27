package io.rankfeed.schema.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Input.ArtifactInput;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No value of a manifest can be changed by hand and be read. */
class ManifestDigestTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String SHA = "0123456789abcdef".repeat(4);
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("ids", DType.INT32, Shape.of(Shape.VARIABLE), false),
            new Field("pixel", DType.FLOAT64, Shape.of(3), true)));
    private static final Map<String, ColumnStatistics> STATISTICS = Map.of(
            "pixel",
            new ColumnStatistics(
                    12,
                    1,
                    OptionalDouble.of(-0.5),
                    OptionalDouble.of(255),
                    OptionalDouble.of(127.25),
                    OptionalDouble.of(3),
                    OptionalDouble.of(0.125),
                    false));

    static List<Manifest> manifests() {
        Contents contents = new Contents(
                "house",
                NODES.objectNode().put("seed", 42).put("digest", "of the job"),
                List.of(
                        new ArtifactInput(ArtifactFormat.PLAN, "0".repeat(16), SHA),
                        new FolderInput(FileFormat.PARQUET, "a", List.of(new InputFile("x/ü.parquet", 5, SHA)))),
                7,
                List.of(
                        ArtifactFile.of("order.json", 5, SHA),
                        ArtifactFile.of("lanes/train/l.arrow", 9, SHA, 7, new Footer(4, SHA))));
        return List.of(
                new Manifest.Version(
                        contents,
                        SCHEMA,
                        List.of("a/x.parquet", "a/\n  \"digest\": \"" + SHA + "\",\n"),
                        Map.of("ids", 12L),
                        Map.of(),
                        STATISTICS,
                        new Origin(List.of("id"), Map.of("t", 3L))),
                new Manifest.Prepared(contents, SCHEMA, List.of("a/x.parquet"), Map.of("null-key", 3L), STATISTICS),
                new Manifest.Plan(
                        contents,
                        Map.of(
                                "train",
                                new FeedDecisions(
                                        List.of(new FeedDecisions.Edge("loss", "q1", "0.25")),
                                        List.of(new FeedDecisions.Shortage(2, "high", 80, 77, 76, 0)),
                                        List.of("rare"),
                                        List.of(new FeedDecisions.Left(1, "rarest"))))));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void theDigestIsOfTheFileWithoutItsLine(Manifest manifest) {
        String text = new String(ManifestJson.toBytes(manifest), StandardCharsets.UTF_8);
        String rest = text.lines()
                .filter(line -> !line.startsWith("  \"digest\": "))
                .collect(Collectors.joining("\n", "", "\n"));
        assertThat(text).contains("\n  \"digest\": \"" + Sha256.hex(rest.getBytes(StandardCharsets.UTF_8)) + "\",\n");
        assertThat(ManifestJson.parse(text.getBytes(StandardCharsets.UTF_8), "manifest.json"))
                .isEqualTo(manifest);
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void everyScalarThatIsChangedIsRefused(Manifest manifest) {
        ObjectNode document = (ObjectNode) StrictJson.parse(ManifestJson.toBytes(manifest), "manifest.json");
        List<Runnable> changes = new ArrayList<>();
        List<Runnable> undone = new ArrayList<>();
        collect(document, changes, undone);
        assertThat(changes).hasSizeGreaterThan(25);
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).run();
            refused(CanonicalJson.indented(document), "");
            undone.get(i).run();
        }
        assertThat(CanonicalJson.indented(document)).isEqualTo(ManifestJson.toBytes(manifest));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void everyByteThatIsChangedIsRefused(Manifest manifest) {
        byte[] bytes = ManifestJson.toBytes(manifest);
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] ^= 1;
            refused(bytes, "");
            bytes[at] ^= 1;
        }
    }

    @Test
    void manifest_withoutDigest_isRefusedWithTheRemedy() {
        refused(
                CanonicalJson.indented(document().<ObjectNode>without("digest")),
                "has no line with the member 'digest': an older release wrote it, or it was reformatted; restore the"
                        + " file, or remove the folder and run the job that made it again");
    }

    @Test
    void theSameMeaningInOtherBytesIsRefused() {
        ObjectNode document = document();
        refused(CanonicalJson.compact(document), "it was reformatted");
        String text = new String(ManifestJson.toBytes(manifests().get(0)), StandardCharsets.UTF_8);
        refused(text.replace("\"rows\": 7,\n", "\"rows\":  7,\n"), "was changed after it was written");
        String sorted = "  \"id\": \"" + document.path("id").asText() + "\",\n";
        refused(text.replace(sorted, "").replace("{\n  \"columns\"", "{\n" + sorted + "  \"columns\""), "was changed");
        refused(text.replace("{\n  \"columns\"", "{\n  \"digest\": \"" + SHA + "\",\n  \"columns\""), "digest");
        refused(text + "\n", "was changed after it was written");
    }

    private static ObjectNode document() {
        return (ObjectNode) StrictJson.parse(ManifestJson.toBytes(manifests().get(0)), "manifest.json");
    }

    private static void refused(String text, String what) {
        refused(text.getBytes(StandardCharsets.UTF_8), what);
    }

    private static void refused(byte[] bytes, String what) {
        assertThatThrownBy(() -> ManifestJson.parse(bytes, "/out/manifest.json"))
                .as(new String(bytes, StandardCharsets.UTF_8))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("/out/manifest.json")
                .hasMessageContaining(what);
    }

    private static void collect(JsonNode node, List<Runnable> changes, List<Runnable> undone) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(member -> {
                if (member.getValue().isContainerNode()) {
                    collect(member.getValue(), changes, undone);
                } else {
                    JsonNode before = member.getValue();
                    changes.add(() -> object.set(member.getKey(), changed(before)));
                    undone.add(() -> object.set(member.getKey(), before));
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int at = i;
                JsonNode before = array.get(at);
                if (before.isContainerNode()) {
                    collect(before, changes, undone);
                } else {
                    changes.add(() -> array.set(at, changed(before)));
                    undone.add(() -> array.set(at, before));
                }
            }
        }
    }

    /** The nearest other value of its kind: a digit more, another word. */
    private static JsonNode changed(JsonNode scalar) {
        if (scalar.isIntegralNumber()) {
            return NODES.numberNode(scalar.longValue() + 1);
        }
        if (scalar.isBoolean()) {
            return NODES.booleanNode(!scalar.booleanValue());
        }
        String text = scalar.textValue();
        if (text == null || text.isEmpty()) {
            return NODES.textNode("x");
        }
        char last = text.charAt(text.length() - 1);
        char other = last == '5' ? '6' : Character.isLetterOrDigit(last) ? '5' : 'x';
        return NODES.textNode(text.substring(0, text.length() - 1) + other);
    }
}
