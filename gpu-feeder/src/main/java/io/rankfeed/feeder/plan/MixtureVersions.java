package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.mixture.MixtureSource;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.selection.Selection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The versions of a mixture's members.
 *
 * @param root the folder that has all their datasets, absolute, or its address
 * @param orders by member the plan of its feed, over its version
 * @param versions by member
 */
record MixtureVersions(String root, SortedMap<String, TrainFeed> orders, SortedMap<String, Manifest.Version> versions) {
    /** @throws ConfigException if one is not there, cannot be a member, or is not below the root of the others */
    static MixtureVersions open(Map<String, MixtureSource> members) {
        SortedMap<String, TrainFeed> orders = new TreeMap<>();
        SortedMap<String, Manifest.Version> versions = new TreeMap<>();
        SortedMap<String, String> roots = new TreeMap<>();
        members.forEach((name, member) -> {
            try {
                VersionName.Located named = VersionLocation.located(member.version());
                ArtifactSource source = VersionLocation.at(named.folder());
                OpenVersion version = PlanOption.open(source, member.plan().or(named::order));
                orders.put(name, order(version, member, source.address()));
                versions.put(name, version.manifest());
                roots.put(name, root(version.manifest(), source.address()));
            } catch (ConfigException e) {
                throw new ConfigException("member '" + name + "': " + e.getMessage(), e);
            }
        });
        String first = roots.firstKey();
        String expected = Objects.requireNonNull(roots.get(first));
        roots.forEach((name, root) -> {
            if (!root.equals(expected)) {
                throw new ConfigException("member '" + name + "' is below " + root + " and member '" + first
                        + "' is below " + expected + "; a mixture finds its members below one root, as in"
                        + " ROOT/DATASET/versions/ID. Copy or export the versions below the same root");
            }
        });
        return new MixtureVersions(expected, orders, versions);
    }

    private static TrainFeed order(OpenVersion version, MixtureSource member, String address) {
        List<TrainFeed> training = version.order().feeds().stream()
                .filter(TrainFeed.class::isInstance)
                .map(TrainFeed.class::cast)
                .toList();
        if (member.feed().isPresent() && !(version.feed(member.feed().get()) instanceof TrainFeed)) {
            throw new ConfigException(
                    "feed '" + member.feed().get() + "' is sequential; a mixture draws from feeds that train");
        } else if (training.isEmpty()) {
            throw new ConfigException("the version has no feed that trains, and a mixture draws from such feeds; name"
                    + " another version");
        } else if (member.feed().isEmpty() && training.size() > 1) {
            throw new ConfigException("the version has " + Plural.counted(training.size(), "feed") + " that train: "
                    + training.stream().map(Feed::name).toList() + "; name one with feed");
        }
        TrainFeed feed = training.stream()
                .filter(one -> member.feed().isEmpty()
                        || one.name().equals(member.feed().get()))
                .findFirst()
                .orElseThrow();
        if (isOrdered(feed, version, address)) {
            throw new ConfigException("feed '" + feed.name()
                    + "' has stages with order-by, which a mixture cannot keep; export a version without them");
        }
        return feed.isStored()
                ? feed
                : feed.over(new Member.Source(
                        version.manifest().dataset(), version.manifest().id(), feed.name()));
    }

    /** Whether stages of a feed have an order. A plan over a version keeps lists in order for these, and in feeds that it does not set. */
    private static boolean isOrdered(TrainFeed feed, OpenVersion version, String address) {
        boolean isStored = feed.isStored();
        if (isStored && feed.members().getFirst().cycles() != RowCycles.LIST_FIRST) {
            return false;
        }
        // A version's default order keeps the list of its first cycle without such stages, too.
        Optional<Selection> selection = version.selection();
        if (selection.isPresent()) {
            return selection.get().feed(feed.name()).orElseThrow() instanceof SelectedTrain train
                    && !train.list().ordered().isEmpty();
        } else if (isStored) {
            return true;
        }
        return OwnPlan.find(version, Optional.empty(), address, VersionLocation.store(address))
                .map(own -> PlanSettings.own(own.settings(feed)).bind(FeedSection.class))
                .filter(settings -> settings.stages().stream()
                        .anyMatch(stage -> stage.orderBy().isPresent()))
                .isPresent();
    }

    private static String root(Manifest.Version manifest, String address) {
        String root = MixtureName.root(address);
        String expected = MixtureName.version(root, manifest.dataset(), manifest.id());
        if (!address.equals(expected)) {
            throw new ConfigException(address + " is not at ROOT/" + manifest.dataset() + "/versions/" + manifest.id()
                    + ", where a mixture finds this version; name it where it was exported");
        }
        return root;
    }
}
