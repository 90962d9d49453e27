package io.rankfeed.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Origin;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.TrainFeed;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A version of random int16 tokens, one stratum, written without Spark. */
final class TokenVersion {
    static final String FEED = "train";
    static final String COLUMN = "tokens";

    private static final String PLAN = "8899aabbccddeeff";
    private static final int BATCH_ROWS = 1024;
    private static final int SHARD_ROWS = 1 << 20;
    private static final int BUFFER_BYTES = 1 << 20;

    private TokenVersion() {}

    /** @param tokens of each row; if it is negative, rows have 1 to that many tokens */
    static void write(Path folder, TrainFeed order, int tokens) throws IOException {
        Shape shape = tokens > 0 ? Shape.of(tokens) : Shape.of(Shape.VARIABLE);
        SampleSchema schema = new SampleSchema(List.of(new Field(COLUMN, DType.INT16, shape, false)));
        List<ArtifactFile> files = new ArrayList<>();
        Files.createDirectories(folder.resolve("lanes").resolve(FEED));
        Random random = new Random(order.seed());
        long rows = order.strata().get(0).rows();
        for (int lane = 0; lane < order.lanes(); lane++) {
            String path = String.format(Locale.ROOT, "lanes/%s/lane-%05d-%05d.arrow", FEED, lane, 0);
            Path file = folder.resolve(path);
            LaneHeader header = new LaneHeader(FEED, Integer.toString(lane), schema, BATCH_ROWS);
            Footer footer;
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
                LaneWriter writer = new LaneWriter(header, out);
                for (long row = lane; row < rows; row += order.lanes()) {
                    byte[] value = new byte[2 * (tokens > 0 ? tokens : 1 + random.nextInt(-tokens))];
                    random.nextBytes(value);
                    writer.beginRow(row, 0, row);
                    writer.putBytes(0, value, 0, value.length);
                    writer.endRow();
                }
                footer = writer.finish();
            }
            files.add(ArtifactFile.of(path, Files.size(file), Sha256.hex(file), rows / order.lanes(), footer));
        }
        byte[] numbers = OrderJson.toBytes(
                new Order("bench", PLAN, Optional.of(new Order.Storage(BATCH_ROWS, SHARD_ROWS)), List.of(order)));
        Files.write(folder.resolve(Order.FILE_NAME), numbers);
        files.add(ArtifactFile.of(Order.FILE_NAME, numbers.length, Sha256.hex(numbers)));
        Manifest manifest = new Manifest.Version(
                new Contents(
                        "bench",
                        JsonNodeFactory.instance.objectNode().put("tokens", tokens),
                        List.of(new Input.ArtifactInput(ArtifactFormat.PLAN, PLAN, "b".repeat(64))),
                        rows,
                        files),
                schema,
                List.of("tokens"),
                tokens > 0 ? Map.of() : Map.of(COLUMN, (long) -tokens),
                Map.of(),
                Map.of(),
                Origin.NONE);
        Files.write(folder.resolve(Manifest.FILE_NAME), ManifestJson.toBytes(manifest));
    }
}
