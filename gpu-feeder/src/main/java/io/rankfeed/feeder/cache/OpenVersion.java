package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.ArtifactPath;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.mixture.MixtureCheck;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.PlanCheck;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A version whose manifest and order were read and agree: every lane file that the order's arithmetic asks for is
 * listed, with its rows, and no other. Immutable; opens lane files only when {@link #map} asks for them.
 */
public final class OpenVersion {
    private static final String WHICH =
            "give the folder that export wrote, as in <root>/<dataset>/versions/0123456789abcdef";
    private static final ArtifactPath ORDER = new ArtifactPath(Order.FILE_NAME);
    private static final ArtifactPath MANIFEST = new ArtifactPath(Manifest.FILE_NAME);
    /** Files that a version may have in addition to its order and lanes. */
    private static final List<String> OPTIONAL_FILES = List.of(Manifest.CARD_FILE_NAME, Selection.FILE_NAME);

    private final ArtifactSource source;
    private final Manifest.Version manifest;
    private final SampleSchema schema;
    private final Order stored;
    private final Order order;
    private final Order.Storage storage;

    /**
     * @param stored the order whose lanes the version has
     * @param order the order by which the lanes are read
     */
    private OpenVersion(
            ArtifactSource source,
            Manifest.Version manifest,
            SampleSchema schema,
            Order stored,
            Order order,
            Order.Storage storage) {
        this.source = source;
        this.manifest = manifest;
        this.schema = schema;
        this.stored = stored;
        this.order = order;
        this.storage = storage;
    }

    /** Opens a folder of this node that a user named. @throws ConfigException if there is none */
    public static ArtifactFolder folderAt(Path path) {
        if (!Files.isDirectory(path)) {
            throw new ConfigException(path + ": no such folder; " + WHICH);
        }
        return ArtifactFolder.at(path);
    }

    /**
     * Reads the manifest of a version that a user named.
     *
     * @throws ConfigException if no version is there
     * @throws CorruptDataException if the manifest is damaged
     */
    public static Manifest.Version manifestOf(ArtifactSource source) {
        Manifest manifest = source instanceof ArtifactFolder folder ? inFolder(folder.root()) : inStore(source);
        if (manifest instanceof Manifest.Version version) {
            return version;
        }
        throw new ConfigException(
                source.address() + " is a " + manifest.format().id() + ", no version; " + WHICH);
    }

    private static Manifest inFolder(Path root) {
        if (Files.notExists(root.resolve(Manifest.FILE_NAME), LinkOption.NOFOLLOW_LINKS)) {
            throw incomplete(root.toString());
        }
        return ManifestJson.read(root);
    }

    private static Manifest inStore(ArtifactSource source) {
        String file = source.address(MANIFEST);
        try (SeekableByteChannel channel = source.open(MANIFEST)) {
            return ManifestJson.parse(read(channel, channel.size(), file), file);
        } catch (CorruptDataException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                throw incomplete(source.address());
            }
            throw e;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    private static ConfigException incomplete(String address) {
        return new ConfigException(
                address + ": no version is there, or its export has not ended (no manifest.json); " + WHICH);
    }

    /**
     * Opens a version, one with every lane or one that a sync left with some ranks' lanes.
     *
     * @throws ConfigException if no version is there
     * @throws CorruptDataException if it is damaged, or at odds with itself
     */
    public static OpenVersion open(Path path) {
        return open(folderAt(path));
    }

    /** Opens a version that may be in a store; before {@link #map}, it must be {@linkplain #movedTo moved} to this node. */
    public static OpenVersion open(ArtifactSource source) {
        Manifest.Version manifest = manifestOf(source);
        String manifestFile = source.address(MANIFEST);
        SampleSchema schema = manifest.schema();
        ArtifactFile orderEntry = manifest.file(Order.FILE_NAME)
                .orElseThrow(() -> new CorruptDataException(manifestFile, "does not list " + Order.FILE_NAME));
        Order order = OrderJson.parse(readChecked(source, orderEntry), source.address(ORDER));
        Order.Storage storage = order.storage()
                .orElseThrow(() -> new CorruptDataException(
                        source.address(ORDER), "has no storage; it is a plan's, not a version's"));
        OpenVersion version = new OpenVersion(source, manifest, schema, order, order, storage);
        version.checkAgreement();
        return version;
    }

    /** Returns this version at the path to which a sync copied it; the files there were checked against this manifest. */
    public OpenVersion movedTo(Path path) {
        return new OpenVersion(ArtifactFolder.at(path), manifest, schema, stored, order, storage);
    }

    /**
     * Returns this version with a plan over it instead of its own.
     *
     * @param words the plan as the user named it
     * @throws ConfigException if it is a plan over another version
     * @throws CorruptDataException if its lanes, strata or rows are not those of this version
     */
    public OpenVersion by(Order plan, String words) {
        PlanCheck.require(plan, stored, manifest, words);
        return new OpenVersion(source, manifest, schema, stored, plan, storage);
    }

    /** What this version states of itself, for the check of a mixture. */
    MixtureCheck.Stated stated() {
        return new MixtureCheck.Stated(source.address(), manifest, stored);
    }

    /**
     * The folder of this version on this node.
     *
     * @throws IllegalStateException if the version is in a store and was not {@linkplain #movedTo copied}
     */
    public Path folder() {
        return local().root();
    }

    private ArtifactFolder local() {
        if (source instanceof ArtifactFolder folder) {
            return folder;
        }
        throw new IllegalStateException(source.address() + " was not copied to this node");
    }

    /** Where the files are read from. */
    public ArtifactSource source() {
        return source;
    }

    public Manifest.Version manifest() {
        return manifest;
    }

    public SampleSchema schema() {
        return schema;
    }

    /** The plan by which the lanes are read: the version's own, or {@linkplain #by another}. */
    public Order order() {
        return order;
    }

    /** The feed of a lane's files, whose numbers are those of the version's own plan. */
    Optional<Feed> storedFeed(String name) {
        return stored.feed(name);
    }

    /** The number of rows in a record batch and in a file. */
    public Order.Storage storage() {
        return storage;
    }

    /**
     * Reads which rows of its table the version stores; empty in a version that an older release exported.
     *
     * @throws CorruptDataException if the file is damaged, or is of other rows than the version's own plan
     */
    public Optional<Selection> selection() {
        return manifest.file(Selection.FILE_NAME).map(entry -> {
            String file = source.address(entry.path());
            Selection selection = SelectionJson.parse(readChecked(source, entry), file);
            if (!OwnRows.of(stored).equals(OwnRows.of(selection))) {
                throw new CorruptDataException(file, "has other feeds, lanes, strata or rows than order.json");
            }
            return selection;
        });
    }

    /** @throws ConfigException if the feed is unknown; the message names those there are */
    public Feed feed(String name) {
        return OpenOrder.of(this).feed(name);
    }

    /**
     * Maps the lanes of a feed that are selected, and its shared rows. The mapping lives until it is closed.
     *
     * @throws CorruptDataException if a file is missing or its structure is not that of the manifest
     */
    public LaneCache map(String feedName, LaneSelection lanes) {
        return OpenOrder.of(this).map(feedName, lanes);
    }

    /** The files of a feed, one of this version's own order. */
    MemberLanes lanes(String feedName) {
        return MemberLanes.of(local(), manifest, storedFeed(feedName).orElseThrow(), storage);
    }

    private void checkAgreement() {
        String orderFile = source.address(ORDER);
        String manifestFile = source.address(MANIFEST);
        if (!stored.dataset().equals(Optional.of(manifest.dataset()))) {
            throw new CorruptDataException(
                    orderFile,
                    "is of dataset '" + stored.dataset().orElse("none") + "', manifest.json of '" + manifest.dataset()
                            + "'");
        }
        boolean samePlan = manifest.inputs().stream()
                .anyMatch(input -> input instanceof Input.ArtifactInput plan
                        && plan.format() == ArtifactFormat.PLAN
                        && plan.id().equals(stored.plan()));
        if (!samePlan) {
            throw new CorruptDataException(
                    orderFile, "is of plan " + stored.plan() + ", which manifest.json was not made from");
        }
        List<FeedLanes> feeds =
                stored.feeds().stream().map(feed -> lanes(feed, orderFile)).toList();
        checkCounts(feeds, manifestFile);
        checkFiles(feeds, manifestFile);
    }

    /** Compares the counts first: numbers that agree with the manifest's list of files are safe to enumerate. */
    private void checkCounts(List<FeedLanes> feeds, String manifestFile) {
        long rows = 0;
        long files = 1
                + OPTIONAL_FILES.stream()
                        .filter(name -> manifest.file(name).isPresent())
                        .count();
        for (FeedLanes feed : feeds) {
            rows += feed.rows();
            for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
                files += feed.fileCount(lane);
            }
        }
        if (rows != manifest.rows()) {
            throw new CorruptDataException(
                    manifestFile, "says " + manifest.rows() + " rows, the feeds of order.json have " + rows);
        }
        if (files != manifest.files().size()) {
            throw new CorruptDataException(
                    manifestFile,
                    "lists " + manifest.files().size() + " files; order.json, its lanes, selection.json and a card are "
                            + files);
        }
    }

    private void checkFiles(List<FeedLanes> feeds, String manifestFile) {
        Map<ArtifactPath, ArtifactFile> listed = new HashMap<>();
        manifest.files().forEach(file -> listed.put(file.path(), file));
        for (FeedLanes feed : feeds) {
            for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
                for (FeedLanes.Expected wanted : feed.files(lane)) {
                    ArtifactFile file = listed.get(wanted.name().path());
                    if (file == null) {
                        throw new CorruptDataException(
                                manifestFile, "does not list " + wanted.name().path() + ", which order.json asks for");
                    }
                    if (file.rows().orElse(wanted.rows()) != wanted.rows()) {
                        throw new CorruptDataException(
                                manifestFile,
                                file.path() + " has " + file.rows().getAsLong() + " rows, order.json asks for "
                                        + wanted.rows());
                    }
                }
            }
        }
    }

    private FeedLanes lanes(Feed feed, String orderFile) {
        try {
            return FeedLanes.of(feed, storage);
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(orderFile, "feed '" + feed.name() + "': " + e.getMessage(), e);
        }
    }

    private static byte[] readChecked(ArtifactSource source, ArtifactFile entry) {
        String file = source.address(entry.path());
        try (SeekableByteChannel channel = source.open(entry.path())) {
            if (channel.size() != entry.bytes()) {
                throw new CorruptDataException(
                        file,
                        Math.min(channel.size(), entry.bytes()),
                        "the file has " + channel.size() + " bytes, manifest.json says " + entry.bytes());
            }
            byte[] bytes = read(channel, entry.bytes(), file);
            String found = Sha256.hex(bytes);
            if (!found.equals(entry.sha256())) {
                throw new CorruptDataException(
                        file, "its SHA-256 is " + found + ", manifest.json says " + entry.sha256());
            }
            return bytes;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    private static byte[] read(SeekableByteChannel channel, long lengthBytes, String file) throws IOException {
        if (lengthBytes > JsonLimits.SERVED.maxBytes()) {
            throw new CorruptDataException(
                    file, "has " + lengthBytes + " bytes; at most " + JsonLimits.SERVED.maxBytes() + " are read");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) lengthBytes);
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = channel.read(bytes);
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
