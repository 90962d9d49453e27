package io.rankfeed.feeder.cache;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureColumns;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The order that a node feeds, with the opened versions of its members: one version, or those of a mixture. Immutable. */
public final class OpenOrder {
    private final String id;
    private final Order order;
    private final FedColumns columns;
    /** By dataset and id. */
    private final Map<String, OpenVersion> versions;

    private OpenOrder(String id, Order order, FedColumns columns, Map<String, OpenVersion> versions) {
        this.id = id;
        this.order = order;
        this.columns = columns;
        this.versions = versions;
    }

    /** A version, with the order by which it was opened. */
    public static OpenOrder of(OpenVersion version) {
        Manifest.Version manifest = version.manifest();
        return new OpenOrder(
                manifest.id(),
                version.order(),
                FedColumns.of(manifest),
                Map.of(key(manifest.dataset(), manifest.id()), version));
    }

    /**
     * A mixture, with the versions of its members.
     *
     * @param opener opens the version that a member draws from
     * @param file of the mixture, for messages
     * @throws CorruptDataException if its lanes, strata, rows or columns are not those of the versions
     */
    public static OpenOrder of(Mixture mixture, Function<Member, OpenVersion> opener, String file) {
        Map<String, OpenVersion> versions = new LinkedHashMap<>();
        SortedMap<String, Manifest.Version> manifests = new TreeMap<>();
        for (Member member : mixture.feed().members()) {
            Member.Source source = member.source().orElseThrow();
            String key = key(source.dataset(), source.version());
            OpenVersion version = versions.computeIfAbsent(key, unopened -> opener.apply(member));
            Manifest.Version manifest = version.manifest();
            if (!key(manifest.dataset(), manifest.id()).equals(key)) {
                throw new CorruptDataException(
                        version.source().address(),
                        "is version " + manifest.id() + " of dataset '" + manifest.dataset()
                                + "', and not the one that its folder names; copy the version again");
            }
            version.requireMember(member, source, file + ", member '" + member.name() + "'");
            manifests.put(member.name(), manifest);
        }
        return new OpenOrder(mixture.id(), mixture.order(), columns(mixture, manifests, file), versions);
    }

    private static FedColumns columns(Mixture mixture, SortedMap<String, Manifest.Version> manifests, String file) {
        Map<String, List<String>> fill = new TreeMap<>();
        mixture.fill().forEach((column, value) -> fill.put(column, value.values()));
        MixtureColumns columns;
        try {
            columns = MixtureColumns.of(manifests, fill);
        } catch (ConfigException e) {
            throw new CorruptDataException(file, e.getMessage() + "; plan the mixture again", e);
        }
        if (!columns.schema().equals(mixture.columns())) {
            throw new CorruptDataException(
                    file, "has other columns than the versions of its members; plan the mixture again");
        }
        return FedColumns.of(columns);
    }

    private static String key(String dataset, String version) {
        return dataset + "/" + version;
    }

    /** The id of the version, or of the mixture. */
    public String id() {
        return id;
    }

    /** Kind and id, for messages. */
    public String words() {
        return (isMixture() ? "mixture " : "version ") + id;
    }

    private boolean isMixture() {
        return order.dataset().isEmpty();
    }

    public Order order() {
        return order;
    }

    public FedColumns columns() {
        return columns;
    }

    /** @throws ConfigException if the feed is unknown; the message names those there are */
    public Feed feed(String name) {
        return order.feed(name)
                .orElseThrow(() -> new ConfigException("no feed '" + name + "'"
                        + Suggestion.hint(
                                name, order.feeds().stream().map(Feed::name).toList())));
    }

    /** Returns this order with its versions where {@code toNode} has copied them. */
    public OpenOrder moved(UnaryOperator<OpenVersion> toNode) {
        Map<String, OpenVersion> moved = new LinkedHashMap<>();
        versions.forEach((key, version) -> moved.put(key, toNode.apply(version)));
        return new OpenOrder(id, order, columns, moved);
    }

    /** The size of the files of these lanes, in all versions. */
    public long laneBytes(LaneSelection lanes) {
        return versions.values().stream()
                .flatMap(version -> version.manifest().files().stream())
                .filter(file -> LaneFileName.parse(file.path())
                        .filter(name -> lanes.contains(name.lane()))
                        .isPresent())
                .mapToLong(ArtifactFile::bytes)
                .reduce(0, Math::addExact);
    }

    /**
     * Maps the lanes of a feed that are selected, of all its members, and their shared rows. The mapping lives until it is closed.
     *
     * @throws CorruptDataException if a file is missing or its structure is not that of the manifest
     */
    public LaneCache map(String feedName, LaneSelection lanes) {
        return switch (feed(feedName)) {
            case TrainFeed train ->
                LaneMapping.map(
                        train.members().stream()
                                .map(member -> lanes(train, member))
                                .toList(),
                        columns,
                        memberOfStratum(train),
                        lanes);
            case SequentialFeed list -> LaneMapping.map(List.of(only().lanes(list.name())), columns, new int[0], lanes);
        };
    }

    private MemberLanes lanes(TrainFeed feed, Member member) {
        return member.source()
                .map(source -> Objects.requireNonNull(versions.get(key(source.dataset(), source.version())))
                        .lanes(source.feed()))
                .orElseGet(() -> only().lanes(feed.name()));
    }

    private OpenVersion only() {
        return versions.values().iterator().next();
    }

    private static int[] memberOfStratum(TrainFeed feed) {
        List<Member> members = feed.members();
        int[] memberOf = new int[members.size() == 1 ? 0 : feed.strata().size()];
        int end = 0;
        for (int m = 0; memberOf.length > 0 && m < members.size(); m++) {
            int first = end;
            end += members.get(m).strata().size();
            Arrays.fill(memberOf, first, end, m);
        }
        return memberOf;
    }
}
