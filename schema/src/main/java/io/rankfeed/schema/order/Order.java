package io.rankfeed.schema.order;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An {@code order.json} or {@code mixture.json}.
 *
 * @param dataset empty in a mixture, whose members name theirs
 * @param plan id of the plan, of the order or of the mixture
 * @param storage how lanes are cut into files; of a version only
 * @param feeds sorted by name
 */
public record Order(Optional<String> dataset, String plan, Optional<Storage> storage, List<Feed> feeds) {
    public static final String FILE_NAME = "order.json";

    /** @throws IllegalArgumentException if the parts contradict each other */
    public Order {
        feeds = List.copyOf(feeds);
        dataset.ifPresent(Rules::requireDataset);
        Rules.requireId(plan, "plan");
        Rules.require(!feeds.isEmpty(), "there is no feed");
        Rules.requireSorted(feeds.stream().map(Feed::name).toList(), "feeds");
        for (Feed feed : feeds) {
            if (dataset.isEmpty()) {
                requireMixture(feed);
            } else if (feed instanceof TrainFeed train) {
                requireOneMember(train, dataset.get());
            }
        }
        Rules.require(
                feeds.stream().allMatch(feed -> !(feed instanceof TrainFeed) || isStored(feed))
                        || feeds.stream().noneMatch(Order::isStored),
                "all feeds that train must draw from versions, or none");
        Rules.require(
                storage.isEmpty() || (dataset.isPresent() && feeds.stream().noneMatch(Order::isStored)),
                "an order over versions has no storage of its own");
    }

    /** The order of a plan over one dataset. */
    public Order(String dataset, String plan, Optional<Storage> storage, List<Feed> feeds) {
        this(Optional.of(dataset), plan, storage, feeds);
    }

    private static boolean isStored(Feed feed) {
        return feed instanceof TrainFeed train && train.isStored();
    }

    private static void requireMixture(Feed feed) {
        Rules.require(
                feed instanceof TrainFeed train && train.isStored(),
                "feed '" + feed.name()
                        + "' of a mixture must be a train feed, and its members must name their versions");
    }

    private static void requireOneMember(TrainFeed feed, String dataset) {
        Member only = feed.members().get(0);
        Rules.require(
                feed.members().size() == 1 && only.name().equals(feed.name()),
                "feed '" + feed.name() + "' must have one member, with its name");
        only.source()
                .ifPresent(source -> Rules.require(
                        source.dataset().equals(dataset),
                        "feed '" + feed.name() + "' draws from dataset '" + source.dataset() + "', not '" + dataset
                                + "'"));
    }

    /** The ids of the versions that a plan draws from; none where the order is a version's own. */
    public Set<String> versions() {
        return feeds.stream()
                .filter(TrainFeed.class::isInstance)
                .flatMap(feed -> ((TrainFeed) feed).members().stream())
                .flatMap(member -> member.source().stream())
                .map(Member.Source::version)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the order of a plan as one over the version that was exported by it, with its id. Each step has the same rows. */
    public Order over(String version) {
        String name = dataset.orElseThrow();
        List<Feed> over = feeds.stream()
                .map(feed -> feed instanceof TrainFeed train
                        ? train.over(new Member.Source(name, version, train.name()))
                        : feed)
                .toList();
        return OrderId.identified(new Order(name, OrderId.NONE, Optional.empty(), over));
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
