package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;

/** Compares the feeds of plans and mixtures with the lanes that versions have (docs/format/order-2.md, section 8). */
final class PlanCheck {
    private PlanCheck() {}

    /**
     * @param words the plan as the user named it
     * @throws ConfigException if the feed is of another version
     * @throws CorruptDataException if its lanes, strata or rows are not those of the version
     */
    static void require(Feed feed, OpenVersion version, String words) {
        String where = "plan " + words + ", feed '" + feed.name() + "'";
        switch (feed) {
            case TrainFeed train -> {
                if (train.members().size() > 1) {
                    throw new ConfigException(where + ": is a mixture of several versions; a plan draws from one");
                }
                Member member = train.members().getFirst();
                Manifest.Version manifest = version.manifest();
                Member.Source source = member.source()
                        .orElseThrow(() -> new ConfigException(
                                where + ": names no version; plan over this version with rankfeed plan"));
                if (!source.dataset().equals(manifest.dataset())
                        || !source.version().equals(manifest.id())) {
                    throw new ConfigException(where + ": is a plan over version " + source.version() + " of dataset '"
                            + source.dataset() + "', and not over version " + manifest.id() + " of dataset '"
                            + manifest.dataset() + "'; plan over this version with rankfeed plan");
                }
                requireFit(source.feed().equals(feed.name()), where, version);
                require(member, source, version, where);
            }
            case SequentialFeed list -> {
                boolean fits = version.storedFeed(list.name()).orElse(null) instanceof SequentialFeed lanes
                        && lanes.lanes() == list.lanes()
                        && lanes.rows() == list.rows();
                requireFit(fits, where, version);
            }
        }
    }

    /**
     * @param source of the member, which is in this version
     * @param where begins the message
     * @throws CorruptDataException if its lanes, strata or rows are not those of the version
     */
    static void require(Member member, Member.Source source, OpenVersion version, String where) {
        boolean fits = version.storedFeed(source.feed()).orElse(null) instanceof TrainFeed lanes
                && lanes.lanes() == member.lanes()
                && rows(lanes.strata()).equals(rows(member.strata()));
        requireFit(fits, where, version);
    }

    private static List<Map.Entry<String, Long>> rows(List<Stratum> strata) {
        return strata.stream()
                .map(stratum -> Map.entry(stratum.name(), stratum.rows()))
                .toList();
    }

    private static void requireFit(boolean fits, String where, OpenVersion version) {
        if (!fits) {
            throw new CorruptDataException(
                    where,
                    "has other lanes, strata or rows than version "
                            + version.manifest().id() + "; plan again");
        }
    }
}
