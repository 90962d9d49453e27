package io.rankfeed.spark.format;

import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatOptions;
import io.rankfeed.export.format.known.Formats;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.SchemaJson;
import io.rankfeed.schema.json.StrictJson;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sets of files of an artifact, one for each feed and rank, whose parts are numbered over all of them. The sets of a rank are in a
 * folder of the rank, if the format has ranks. Serialized to the tasks.
 */
final class Sets implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A {@link FileSet} without what all have. */
    private record Size(String split, String root, long rows, long partRows) implements Serializable {}

    private final String format;
    private final String schemaJson;
    private final long shardRows;
    private final long shardBytes;
    private final HashMap<String, String> others;
    private final ArrayList<Size> sizes = new ArrayList<>();
    private final ArrayList<Integer> firstParts = new ArrayList<>();
    /** By feed the number of the set of its first rank. */
    private final HashMap<String, Integer> firstSets = new HashMap<>();

    private int parts;
    private transient @Nullable List<FileSet> files;

    Sets(Format format, SampleSchema schema, FormatOptions options) {
        this.format = format.name();
        this.schemaJson = CanonicalJson.compactText(SchemaJson.toJson(schema));
        this.shardRows = options.shardRows();
        this.shardBytes = options.shardBytes();
        this.others = new HashMap<>(options.others());
    }

    /**
     * Adds the sets of a feed, one for each rank.
     *
     * @param roots of the ranks
     */
    void add(String feed, List<FileSet> ofRanks, List<String> roots) {
        firstSets.put(feed, sizes.size());
        for (int rank = 0; rank < roots.size(); rank++) {
            FileSet set = ofRanks.get(rank);
            sizes.add(new Size(set.split(), roots.get(rank), set.rows(), set.partRows()));
            firstParts.add(parts);
            parts = Math.addExact(parts, set.parts());
        }
    }

    Format format() {
        return Formats.named(format);
    }

    List<FileSet> all() {
        List<FileSet> known = files;
        if (known == null) {
            SampleSchema schema = SchemaJson.fromJson(
                    JsonObject.root(StrictJson.parse(schemaJson.getBytes(StandardCharsets.UTF_8), "schema"), "schema"));
            FormatOptions options = new FormatOptions(shardRows, shardBytes, Map.copyOf(others));
            known = sizes.stream()
                    .map(size -> new FileSet(size.split(), schema, size.rows(), size.partRows(), options))
                    .toList();
            files = known;
        }
        return known;
    }

    /** The path of the folder that the paths of a set's files are relative to: empty, or one that ends with a slash. */
    String root(int set) {
        return sizes.get(set).root();
    }

    /** The sets of each root. */
    Map<String, List<FileSet>> byRoot() {
        Map<String, List<FileSet>> byRoot = new LinkedHashMap<>();
        for (int set = 0; set < sizes.size(); set++) {
            byRoot.computeIfAbsent(root(set), unnamed -> new ArrayList<>()).add(all().get(set));
        }
        return byRoot;
    }

    /** Parts of all sets. */
    int parts() {
        return parts;
    }

    int firstPart(int set) {
        return firstParts.get(set);
    }

    /** The set of a part. */
    int setOf(int part) {
        int low = 0;
        int high = firstParts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstParts.get(middle) <= part) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** A row's destination: its part (upper 32 bits) and its index in the part. */
    long destination(String feed, int rank, long position) {
        int set = Objects.requireNonNull(firstSets.get(feed)) + rank;
        long partRows = sizes.get(set).partRows();
        return (firstParts.get(set) + position / partRows) << Integer.SIZE | position % partRows;
    }

    static int partOf(long destination) {
        return (int) (destination >>> Integer.SIZE);
    }

    static long indexOf(long destination) {
        return destination & 0xFFFF_FFFFL;
    }
}
