package io.rankfeed.schema.order;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An {@code order.json}.
 *
 * @param plan id of the plan
 * @param storage how lanes are cut into files; of a version only
 * @param feeds sorted by name
 */
public record Order(String dataset, String plan, Optional<Storage> storage, List<Feed> feeds) {
    public static final String FILE_NAME = "order.json";

    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /** @throws IllegalArgumentException if the parts contradict each other */
    public Order {
        feeds = List.copyOf(feeds);
        Rules.require(DATASET.matcher(dataset).matches(), "dataset '" + dataset + "' is none");
        Rules.require(ID.matcher(plan).matches(), "plan '" + plan + "' is not an id of 16 hexadecimal digits");
        Rules.require(!feeds.isEmpty(), "there is no feed");
        Rules.requireSorted(feeds.stream().map(Feed::name).toList(), "feeds");
    }

    public Optional<Feed> feed(String name) {
        return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
    }

    /**
     * The sizes by which a version's lanes are divided into files and record batches.
     *
     * @param batchRows rows of a record batch
     * @param shardRows rows of a file, a multiple of {@code batchRows}
     */
    public record Storage(int batchRows, long shardRows) {
        public Storage {
            Rules.require(
                    batchRows > 0 && shardRows > 0 && shardRows % batchRows == 0,
                    "storage: shardRows " + shardRows + " is not a multiple of batchRows " + batchRows);
        }
    }
}
