package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;

/** Compares the feeds of a plan over a version with the lanes that the version has (docs/format/order-2.md, section 8). */
final class PlanCheck {
    private PlanCheck() {}

    /**
     * @param stored the order whose lanes the version has
     * @param words the plan as the user named it
     * @throws ConfigException if the feed is of another version
     * @throws CorruptDataException if its lanes, strata or rows are not those of the version
     */
    static void require(Feed feed, Order stored, Manifest.Version version, String words) {
        String where = "plan " + words + ", feed '" + feed.name() + "'";
        switch (feed) {
            case TrainFeed train -> {
                if (train.members().size() > 1) {
                    throw new ConfigException(where + ": is a mixture of several versions; a plan draws from one");
                }
                Member member = train.members().getFirst();
                Member.Source source = member.source()
                        .orElseThrow(() -> new ConfigException(
                                where + ": names no version; plan over this version with rankfeed plan"));
                if (!source.dataset().equals(version.dataset())
                        || !source.version().equals(version.id())) {
                    throw new ConfigException(where + ": is a plan over version " + source.version() + " of dataset '"
                            + source.dataset() + "', and not over version " + version.id() + " of dataset '"
                            + version.dataset() + "'; plan over this version with rankfeed plan");
                }
                boolean fits = stored.feed(source.feed()).orElse(null) instanceof TrainFeed lanes
                        && source.feed().equals(feed.name())
                        && lanes.lanes() == member.lanes()
                        && rows(lanes).equals(rows(train));
                require(fits, where, version);
            }
            case SequentialFeed list -> {
                boolean fits = stored.feed(list.name()).orElse(null) instanceof SequentialFeed lanes
                        && lanes.lanes() == list.lanes()
                        && lanes.rows() == list.rows();
                require(fits, where, version);
            }
        }
    }

    private static List<Map.Entry<String, Long>> rows(TrainFeed feed) {
        return feed.strata().stream()
                .map(stratum -> Map.entry(stratum.name(), stratum.rows()))
                .toList();
    }

    private static void require(boolean fits, String where, Manifest.Version version) {
        if (!fits) {
            throw new CorruptDataException(
                    where, "has other lanes, strata or rows than version " + version.id() + "; plan again");
        }
    }
}
