package io.rankfeed.schema.order;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Manifest;
import java.util.List;
import java.util.Map;

/** Compares a plan over a version with the lanes that the version has (docs/format/plan.md, section 10.1). */
public final class PlanCheck {
    private PlanCheck() {}

    /**
     * @param stored the rows of the version
     * @param words the plan as the user named it
     * @throws ConfigException if the plan is over another version
     * @throws CorruptDataException if its lanes, strata or rows are not those of the version
     */
    public static void require(Order plan, StoredFeeds stored, Manifest.Version version, String words) {
        for (Feed feed : plan.feeds()) {
            require(feed, stored, version, "plan " + words + ", feed '" + feed.name() + "'");
        }
    }

    private static void require(Feed feed, StoredFeeds stored, Manifest.Version version, String where) {
        if (feed instanceof TrainFeed train) {
            if (train.members().size() > 1) {
                throw new ConfigException(where + ": is a mixture of several versions; a plan draws from one");
            }
            Member member = train.members().get(0);
            Member.Source source = member.source()
                    .orElseThrow(() -> new ConfigException(
                            where + ": names no version; plan over this version with rankfeed plan"));
            if (!source.dataset().equals(version.dataset()) || !source.version().equals(version.id())) {
                throw new ConfigException(where + ": is a plan over version " + source.version() + " of dataset '"
                        + source.dataset() + "', and not over version " + version.id() + " of dataset '"
                        + version.dataset() + "'; plan over this version with rankfeed plan");
            }
            requireFit(source.feed().equals(feed.name()), where, version);
            requireMember(member, source, stored, version, where);
        } else if (feed instanceof SequentialFeed list) {
            boolean fits = stored.feed(list.name())
                    .filter(lanes ->
                            lanes.strata().isEmpty() && lanes.lanes() == list.lanes() && lanes.rows() == list.rows())
                    .isPresent();
            requireFit(fits, where, version);
        }
    }

    /**
     * Compares a member of a plan or a mixture with the lanes of its version.
     *
     * @param source of the member, which is in this version
     * @param where the beginning of the message
     * @throws CorruptDataException if its lanes, strata or rows are not those of the version
     */
    public static void requireMember(
            Member member, Member.Source source, StoredFeeds stored, Manifest.Version version, String where) {
        boolean fits = stored.feed(source.feed())
                .filter(lanes ->
                        lanes.lanes() == member.lanes() && rows(lanes.strata()).equals(rows(member.strata())))
                .isPresent();
        requireFit(fits, where, version);
    }

    private static List<Map.Entry<String, Long>> rows(List<Stratum> strata) {
        return strata.stream()
                .map(stratum -> Map.entry(stratum.name(), stratum.rows()))
                .toList();
    }

    private static void requireFit(boolean fits, String where, Manifest.Version version) {
        if (!fits) {
            throw new CorruptDataException(
                    where, "has other lanes, strata or rows than version " + version.id() + "; plan again");
        }
    }
}
