package io.rankfeed.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The golden version: a whole artifact in a few dozen kilobytes. Feed {@code train}: 15 rows of stratum easy, 11 of
 * hard, two lanes, a batch of 4, two epochs of 5 steps, two stages (3 : 1 to 0.4 of the run, then 1 : 1), seed 42. Feed
 * {@code valid}: 11 rows in order. Row i of easy's list is row i of the source, of hard's row 100 + i, of valid's 200 + i.
 */
final class GoldenVersion {
    static final Path FOLDER = Path.of("../schema/src/test/resources/golden/version");
    static final int BATCH_ROWS = 4;
    static final int SHARD_ROWS = 8;
    static final int LANES = 2;
    static final int[] TRAIN_ROWS = {15, 11};
    static final int VALID_ROWS = 11;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final SortedMap<String, byte[]> files = new TreeMap<>();
    private final Map<String, Integer> rowsOfFile = new TreeMap<>();
    private final SortedMap<String, byte[]> footerOfFile = new TreeMap<>();
    private final long[] maxLength = new long[GoldenRow.SCHEMA.fields().size()];
    private final long[] maxItems = new long[GoldenRow.SCHEMA.fields().size()];

    /** Every file of the version by its path, the manifest too. */
    static SortedMap<String, byte[]> files() throws IOException {
        GoldenVersion version = new GoldenVersion();
        for (int lane = 0; lane < LANES; lane++) {
            version.lane("train", Integer.toString(lane), trainLane(lane));
            version.lane("valid", Integer.toString(lane), validLane(lane));
        }
        version.lane("train", LaneHeader.SHARED, sharedRows());
        version.files.put("order.json", CanonicalJson.indented(order()));
        ObjectNode manifest = version.manifest();
        manifest.put("digest", Sha256.hex(CanonicalJson.indented(manifest)));
        version.files.put("manifest.json", CanonicalJson.indented(manifest));
        return version.files;
    }

    /** Source rows of a train lane by ordinal: easy's, then hard's, each i div V. */
    static List<Integer> trainLane(int lane) {
        return IntStream.range(0, TRAIN_ROWS.length)
                .flatMap(stratum ->
                        IntStream.range(0, TRAIN_ROWS[stratum] / LANES).map(row -> 100 * stratum + row * LANES + lane))
                .boxed()
                .toList();
    }

    /** Source rows of the shared file: of each stratum the last n mod V. */
    static List<Integer> sharedRows() {
        return IntStream.range(0, TRAIN_ROWS.length)
                .flatMap(stratum -> IntStream.range(TRAIN_ROWS[stratum] / LANES * LANES, TRAIN_ROWS[stratum])
                        .map(index -> 100 * stratum + index))
                .boxed()
                .toList();
    }

    static List<Integer> validLane(int lane) {
        return IntStream.iterate(lane, index -> index < VALID_ROWS, index -> index + LANES)
                .map(index -> 200 + index)
                .boxed()
                .toList();
    }

    static String path(String feed, String lane, int shard) {
        return lane.equals(LaneHeader.SHARED)
                ? String.format("lanes/%s/shared-%05d.arrow", feed, shard)
                : String.format("lanes/%s/lane-%05d-%05d.arrow", feed, Integer.parseInt(lane), shard);
    }

    private void lane(String feed, String lane, List<Integer> rows) throws IOException {
        for (int from = 0; from < rows.size(); from += SHARD_ROWS) {
            List<Integer> shard = rows.subList(from, Math.min(from + SHARD_ROWS, rows.size()));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            LaneWriter writer = new LaneWriter(new LaneHeader(feed, lane, GoldenRow.SCHEMA, BATCH_ROWS), bytes);
            for (int row : shard) {
                new GoldenRow(row).writeTo(writer);
            }
            int footer = writer.finish().bytes();
            Arrays.setAll(maxLength, field -> Math.max(maxLength[field], writer.maxLength(field)));
            Arrays.setAll(maxItems, field -> Math.max(maxItems[field], writer.maxItems(field)));
            String path = path(feed, lane, from / SHARD_ROWS);
            files.put(path, bytes.toByteArray());
            rowsOfFile.put(path, shard.size());
            footerOfFile.put(path, Arrays.copyOfRange(bytes.toByteArray(), bytes.size() - footer, bytes.size()));
        }
    }

    private ObjectNode manifest() {
        ObjectNode job = JSON.objectNode().put("batchRows", BATCH_ROWS).put("shardRows", SHARD_ROWS);
        ArrayNode columns = job.putArray("columns");
        GoldenRow.SCHEMA.names().forEach(columns::add);
        ArrayNode inputs = JSON.arrayNode();
        inputs.addObject().put("kind", "prepared").put("id", "0011223344556677").put("sha256", "a".repeat(64));
        inputs.addObject().put("kind", "plan").put("id", "8899aabbccddeeff").put("sha256", "b".repeat(64));
        ObjectNode manifest = JSON.objectNode();
        manifest.put("format", "rankfeed.version").put("formatVersion", 1);
        manifest.set("inputs", inputs);
        manifest.set("job", job);
        String id = Sha256.hex(CanonicalJson.compact(manifest)).substring(0, 16);
        manifest.put("id", id)
                .put("dataset", "golden")
                .put("rows", Arrays.stream(TRAIN_ROWS).sum() + VALID_ROWS);
        manifest.set("schema", SchemaJson.toJson(GoldenRow.SCHEMA));
        manifest.putArray("sources").add(GoldenRow.SOURCE);
        ArrayNode listed = manifest.putArray("files");
        files.forEach((path, bytes) -> {
            ObjectNode file = listed.addObject().put("path", path);
            file.put("bytes", bytes.length).put("sha256", Sha256.hex(bytes));
            if (rowsOfFile.containsKey(path)) {
                file.put("rows", rowsOfFile.get(path));
                byte[] footer = footerOfFile.get(path);
                file.putObject("footer").put("bytes", footer.length).put("sha256", Sha256.hex(footer));
            }
        });
        ObjectNode longest = manifest.putObject("columns");
        for (int field = 0; field < maxLength.length; field++) {
            if (maxLength[field] > 0) {
                longest.putObject(GoldenRow.SCHEMA.names().get(field)).put("maxLength", maxLength[field]);
            }
            if (maxItems[field] > 0) {
                longest.withObject(GoldenRow.SCHEMA.names().get(field)).put("maxItems", maxItems[field]);
            }
        }
        return manifest;
    }

    /** The numbers of the plan: docs/format/plan.md, section 3, over the wishes in the comment above. */
    private static ObjectNode order() {
        ObjectNode order = JSON.objectNode();
        order.put("format", "rankfeed.order").put("formatVersion", 1);
        order.put("dataset", "golden").put("plan", "8899aabbccddeeff");
        order.putObject("storage").put("batchRows", BATCH_ROWS).put("shardRows", SHARD_ROWS);
        ArrayNode feeds = order.putArray("feeds");
        ObjectNode train = feeds.addObject().put("name", "train").put("kind", "train");
        train.put("seed", 42)
                .put("lanes", LANES)
                .put("batch", 4)
                .put("epochs", 2)
                .put("stepsPerEpoch", 5);
        train.put("mode", "stream").put("order", "global").put("window", 1);
        ArrayNode strata = train.putArray("strata");
        strata.addObject().put("name", "easy").put("available", 15).put("rows", 15);
        strata.addObject().put("name", "hard").put("available", 11).put("rows", 11);
        ArrayNode segments = train.putArray("segments");
        segments.add(segment(0, 4, 0, new int[] {6, 2}, new int[] {0, 0}, 1, 0));
        segments.add(segment(4, 6, 1, new int[] {6, 6}, new int[] {6, 2}, 1, 1));
        ObjectNode valid = feeds.addObject().put("name", "valid").put("kind", "sequential");
        valid.put("lanes", LANES).put("batch", 4).put("rows", VALID_ROWS).put("steps", 3);
        return order;
    }

    private static JsonNode segment(int step, int steps, int number, int[] quotas, int[] base, int m, int c) {
        ObjectNode segment =
                JSON.objectNode().put("step", step).put("steps", steps).put("number", number);
        ArrayNode quotaList = segment.putArray("quotas");
        Arrays.stream(quotas).forEach(quotaList::add);
        ArrayNode baseList = segment.putArray("base");
        Arrays.stream(base).forEach(baseList::add);
        return segment.put("m", m).put("c", c);
    }
}
