package io.rankfeed.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.selection.RowDigests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The lanes of {@link GoldenVersion} as a version whose id does not cover its order: with its default order and its commit. */
final class GoldenDataset {
    static final Path FOLDER = Path.of("../schema/src/test/resources/golden/dataset");
    private static final String PLAN = "8899aabbccddeeff";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private GoldenDataset() {}

    /** Every file by its path below the dataset's folder. */
    static SortedMap<String, byte[]> files() throws IOException {
        SortedMap<String, byte[]> own = GoldenVersion.files();
        byte[] selection = CanonicalJson.indented(selection());
        ObjectNode manifest = (ObjectNode) new ObjectMapper().readTree(own.get("manifest.json"));
        manifest.remove(List.of("digest", "id"));
        ArrayNode inputs = manifest.putArray("inputs");
        inputs.addObject().put("kind", "prepared").put("id", "0011223344556677").put("sha256", "a".repeat(64));
        inputs.addObject().put("kind", "selection").put("sha256", Sha256.hex(selection));
        ArrayNode listed = (ArrayNode) manifest.get("files");
        ObjectNode last = (ObjectNode) listed.get(listed.size() - 1);
        last.put("path", "selection.json").put("bytes", selection.length).put("sha256", Sha256.hex(selection));
        ObjectNode meaning = manifest.deepCopy().retain("format", "formatVersion", "inputs", "job");
        String version = id(CanonicalJson.compact(meaning));
        manifest.put("id", version);
        manifest.put("digest", Sha256.hex(CanonicalJson.indented(manifest)));

        SortedMap<String, byte[]> files = new TreeMap<>();
        own.forEach((path, bytes) -> {
            if (path.startsWith("lanes/")) {
                files.put("versions/" + version + "/" + path, bytes);
            }
        });
        files.put("versions/" + version + "/selection.json", selection);
        files.put("versions/" + version + "/manifest.json", CanonicalJson.indented(manifest));
        ObjectNode order = order((ObjectNode) new ObjectMapper().readTree(own.get("order.json")), version);
        String id = id(CanonicalJson.indented(order));
        files.put("orders/" + id + "/order.json", CanonicalJson.indented(order.put("plan", id)));
        ObjectNode commit = JSON.objectNode().put("run", "golden").put("version", version);
        files.put(
                "commits/0000000001.json",
                CanonicalJson.indented(commit.put("order", id).put("plan", PLAN)));
        return files;
    }

    private static String id(byte[] bytes) {
        return Sha256.hex(bytes).substring(0, 16);
    }

    private static ObjectNode selection() {
        ObjectNode selection =
                JSON.objectNode().put("format", "rankfeed.selection").put("formatVersion", 1);
        selection.put("dataset", "golden");
        selection
                .putObject("storage")
                .put("batchRows", GoldenVersion.BATCH_ROWS)
                .put("shardRows", GoldenVersion.SHARD_ROWS);
        ArrayNode feeds = selection.putArray("feeds");
        ObjectNode train = feeds.addObject().put("name", "train").put("kind", "train");
        train.put("lanes", GoldenVersion.LANES).putArray("columns").add("difficulty");
        train.putObject("list").put("by", "hash").put("seed", 42).putArray("ordered");
        ArrayNode strata = train.putArray("strata");
        List<String> names = List.of("easy", "hard");
        for (int s = 0; s < names.size(); s++) {
            int rows = GoldenVersion.TRAIN_ROWS[s];
            ObjectNode stratum = strata.addObject().put("name", names.get(s));
            stratum.put("available", rows).put("rows", rows).putArray("values").add(names.get(s));
        }
        IntStream easy = IntStream.range(0, GoldenVersion.TRAIN_ROWS[0]);
        IntStream hard = IntStream.range(0, GoldenVersion.TRAIN_ROWS[1]).map(row -> 100 + row);
        digests(train, IntStream.concat(easy, hard));
        ObjectNode valid = feeds.addObject().put("name", "valid").put("kind", "sequential");
        valid.put("lanes", GoldenVersion.LANES).put("rows", GoldenVersion.VALID_ROWS);
        digests(valid, IntStream.range(0, GoldenVersion.VALID_ROWS).map(row -> 200 + row));
        return selection;
    }

    private static void digests(ObjectNode feed, IntStream rows) {
        RowDigests digests = new RowDigests();
        rows.forEach(row -> digests.add(new GoldenRow(row).rowId(), 0, row));
        digests.end().forEach(feed.putArray("rowDigests")::add);
    }

    /** The order of the golden version over another version, with zeros as its id. */
    private static ObjectNode order(ObjectNode order, String version) {
        order.remove("storage");
        order.put("formatVersion", 2).put("plan", "0".repeat(16));
        ObjectNode train = (ObjectNode) order.get("feeds").get(0);
        JsonNode own = train.remove("strata");
        ObjectNode member = train.putArray("members").addObject();
        member.put("name", "train")
                .put("dataset", "golden")
                .put("version", version)
                .put("feed", "train");
        member.put("lanes", GoldenVersion.LANES).put("cycles", "list-first");
        ArrayNode strata = member.putArray("strata");
        Stream.of(own.get(0), own.get(1)).forEach(stratum -> strata.add(((ObjectNode) stratum).without("available")));
        return order;
    }
}
