package io.rankfeed.look;

import static io.rankfeed.look.InspectFixture.inspect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.look.InspectFixture.Answer;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prepared tables and plans, made by hand: no Spark here. */
class ArtifactInspectTest {
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("id", DType.INT64, Shape.scalar(), false),
            new Field("text", DType.STRING, Shape.scalar(), true)));

    private static final FeedDecisions DECISIONS = new FeedDecisions(
            List.of(new FeedDecisions.Edge("loss", "q1", "0.5")),
            List.of(new FeedDecisions.Shortage(2, "high", 80, 77, 76, 0)),
            List.of("rare"));

    @TempDir
    private Path folder;

    @Test
    void aPreparedTableIsHeldAgainstTheBlockOfItsJob() throws IOException {
        Path table = prepared(250);
        JsonNode report = json(inspect(table.toString(), "--json"));
        assertThat(report.get("kind").asText()).isEqualTo("rankfeed.prepared");
        assertThat(report.get("rows").asLong()).isEqualTo(250);
        assertThat(report.get("rowGroups").asLong()).isEqualTo(3);
        assertThat(report.get("block").asLong()).isEqualTo(64 << 10);
        assertThat(report.at("/sources/0/name").asText()).isEqualTo("t/a.parquet");
        assertThat(report.at("/columns/1/nullable").asText()).isEqualTo("yes");
        assertThat(json(inspect(table.toString(), "--json", "--block", "1 MiB"))
                        .get("block")
                        .asLong())
                .isEqualTo(1 << 20);
    }

    @Test
    void aPreparedTableWhoseFilesHaveOtherRowsThanItsManifestIsDamaged() throws IOException {
        Answer answer = inspect(prepared(251).toString());
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.err()).contains("its files have 250 rows; the manifest lists 251");
    }

    @Test
    void aPlanReportsRowsPerRankOfEveryWorld() throws IOException {
        Order order = new Order(
                "hand", "0123456789abcdef", Optional.empty(), List.of(new SequentialFeed("valid", 4, 8, 29, 4)));
        byte[] bytes = OrderJson.toBytes(order);
        Path plan = Files.createDirectories(folder.resolve("plan"));
        Files.write(plan.resolve("order.json"), bytes);
        write(plan, ArtifactFormat.PLAN, 29, List.of(ArtifactFile.of("order.json", bytes.length, Sha256.hex(bytes))));
        assertThat(inspect(plan.toString()).out().lines())
                .hasSizeLessThanOrEqualTo(10)
                .contains(
                        "valid: fewer rows than wanted in stratum 'high'",
                        "valid: 4 steps of 8 rows, each of 29 rows once; 4 lanes");
        JsonNode report = json(inspect(plan.toString(), "--json"));
        assertThat(report.get("kind").asText()).isEqualTo("rankfeed.plan");
        assertThat(report.get("rowsPerRank")).hasSize(3);
        assertThat(report.at("/rowsPerRank/2").toString())
                .isEqualTo("{\"feed\":\"valid\",\"world\":4,\"steps\":4,\"batch\":2,\"least\":7,\"most\":8}");
        assertThat(report.at("/quantiles of valid/0").toString())
                .isEqualTo("{\"column\":\"loss\",\"bin\":\"q1\",\"atMost\":\"0.5\"}");
        assertThat(report.at("/shortages of valid/0").toString())
                .isEqualTo("{\"stage\":2,\"stratum\":\"high\",\"wanted\":80,\"available\":77,\"taken\":76,"
                        + "\"repeated\":0,\"moved\":-4}");
        assertThat(report.at("/rest of valid/0/stratum").asText()).isEqualTo("rare");
    }

    private Path prepared(long promisedRows) throws IOException {
        Path table = folder.resolve("table");
        Path file = InspectFixture.parquet(table.resolve("data/part-00000.parquet"), 250, 100);
        byte[] bytes = Files.readAllBytes(file);
        ArtifactFile listed = ArtifactFile.of("data/part-00000.parquet", bytes.length, Sha256.hex(bytes), promisedRows);
        write(table, ArtifactFormat.PREPARED, promisedRows, List.of(listed));
        return table;
    }

    private static void write(Path target, ArtifactFormat format, long rows, List<ArtifactFile> files)
            throws IOException {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        job.putObject("prepare").put("block", "64 KiB");
        boolean plan = format == ArtifactFormat.PLAN;
        Contents contents = new Contents("hand", job, List.of(), rows, files);
        Manifest manifest = plan
                ? new Manifest.Plan(contents, Map.of("valid", DECISIONS))
                : new Manifest.Prepared(contents, SCHEMA, List.of("t/a.parquet"), Map.of(), Map.of());
        Files.write(target.resolve("manifest.json"), ManifestJson.toBytes(manifest));
    }

    private static JsonNode json(Answer answer) throws IOException {
        assertThat(answer.exitCode()).as(answer.err()).isZero();
        return new JsonMapper().readTree(answer.out());
    }
}
