package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureCheck;
import io.rankfeed.schema.mixture.MixtureColumns;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The order that a node feeds, with the opened versions of its members: one version, or those of a mixture. Immutable. */
public final class OpenOrder {
    private final String id;
    private final Order order;
    private final FedColumns columns;
    /** By dataset and id. */
    private final Map<String, OpenVersion> versions;
    /** By dataset, the folder of its files where it is not that of the import. */
    private final Map<String, Path> folders;

    private OpenOrder(
            String id, Order order, FedColumns columns, Map<String, OpenVersion> versions, Map<String, Path> folders) {
        this.id = id;
        this.order = order;
        this.columns = columns;
        this.versions = versions;
        this.folders = folders;
    }

    /** A version, with the order by which it was opened. */
    public static OpenOrder of(OpenVersion version) {
        Manifest.Version manifest = version.manifest();
        return new OpenOrder(
                manifest.id(),
                version.order(),
                FedColumns.of(manifest),
                Map.of(key(manifest.dataset(), manifest.id()), version),
                Map.of());
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
        MixtureColumns columns = MixtureCheck.require(
                mixture,
                member -> versions.computeIfAbsent(key(member), unopened -> opener.apply(member))
                        .stated(),
                file);
        return new OpenOrder(mixture.id(), mixture.order(), FedColumns.of(columns), versions, Map.of());
    }

    private static String key(Member member) {
        Member.Source source = member.source().orElseThrow();
        return key(source.dataset(), source.version());
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

    /** Whether the order is a mixture, and not one version's. */
    public boolean isMixture() {
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

    /** The formats of the existing datasets that its versions are over, sorted; empty where lanes have the rows. */
    public SortedSet<String> formats() {
        return versions.values().stream()
                .flatMap(version -> version.manifest().inputs().stream())
                .filter(Input.ExternalInput.class::isInstance)
                .map(input -> ((Input.ExternalInput) input).format())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns this order with its versions where {@code toNode} has copied them, each with the lanes that are needed of it. */
    public OpenOrder moved(LaneSelection lanes, BiFunction<OpenVersion, LaneSelection, OpenVersion> toNode) {
        Map<String, OpenVersion> moved = new LinkedHashMap<>();
        versions.forEach((key, version) -> moved.put(key, toNode.apply(version, needed(key, lanes))));
        return new OpenOrder(id, order, columns, moved, folders);
    }

    /** Returns this order with the files of imported versions in other folders than those of the import, by dataset. */
    public OpenOrder withFilesAt(Map<String, Path> elsewhere) {
        return new OpenOrder(id, order, columns, versions, elsewhere);
    }

    /** All versions of the order. */
    public Collection<OpenVersion> versions() {
        return versions.values();
    }

    /** The size of the files of these lanes that are needed, in all versions. */
    public long laneBytes(LaneSelection lanes) {
        return versions.entrySet().stream()
                .mapToLong(version -> needed(version.getKey(), lanes)
                        .bytes(version.getValue().manifest().files()))
                .reduce(0, Math::addExact);
    }

    /** A mixture draws from some feeds of a version; a version may be fed as a whole. */
    private LaneSelection needed(String key, LaneSelection lanes) {
        return lanes.of(order.feeds().stream()
                .filter(TrainFeed.class::isInstance)
                .flatMap(feed -> ((TrainFeed) feed).members().stream())
                .flatMap(member -> member.source().stream())
                .filter(source ->
                        isMixture() && key(source.dataset(), source.version()).equals(key))
                .map(Member.Source::feed)
                .collect(Collectors.toSet()));
    }

    /** The memory that the columns which members lack take while feeds are mapped. */
    public long filledBytes(Collection<String> feeds) {
        long bytes = 0;
        for (String name : isMixture() ? feeds : List.<String>of()) {
            List<Member> members = ((TrainFeed) feed(name)).members();
            for (int m = 0; m < members.size(); m++) {
                OpenVersion version = version(members.get(m));
                bytes += columns.filledBytes(
                        m, version.schema(), version.storage().batchRows());
            }
        }
        return bytes;
    }

    /**
     * Maps the lanes of a feed that are selected, of all its members, and their shared rows. The mapping lives until it is closed.
     *
     * @throws CorruptDataException if a file is missing or its structure is not that of the manifest
     */
    public LaneCache map(String feedName, LaneSelection lanes) {
        return map(feedName, lanes, ExternalFiles.MAX_MAPPED);
    }

    /** @param maxMapped the most external files that are mapped; of more, each read opens its file */
    public LaneCache map(String feedName, LaneSelection lanes, int maxMapped) {
        return switch (feed(feedName)) {
            case TrainFeed train ->
                LaneMapping.map(
                        train.members().stream()
                                .map(member -> version(member)
                                        .lanes(member.source()
                                                .map(Member.Source::feed)
                                                .orElse(train.name())))
                                .toList(),
                        columns,
                        train,
                        lanes,
                        folders,
                        maxMapped);
            case SequentialFeed list ->
                LaneMapping.map(List.of(only().lanes(list.name())), columns, list, lanes, folders, maxMapped);
        };
    }

    private OpenVersion version(Member member) {
        return member.source().isEmpty() ? only() : Objects.requireNonNull(versions.get(key(member)));
    }

    /** The versions that a feed draws from: one for each of its members. */
    public List<OpenVersion> versions(Feed feed) {
        return feed instanceof TrainFeed train
                ? train.members().stream().map(this::version).toList()
                : List.of(only());
    }

    private OpenVersion only() {
        return versions.values().iterator().next();
    }
}
