package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.ArtifactPath;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.mixture.MixtureCheck;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.PlanCheck;
import io.rankfeed.schema.order.StoredFeed;
import io.rankfeed.schema.order.StoredFeeds;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A version whose manifest and stored rows were read and agree: every lane file that the rows ask for is listed, with its
 * rows, and no other. Immutable; opens lane files only when {@link #map} asks for them.
 */
public final class OpenVersion {
    static final String WHICH =
            "give the folder that export wrote, as in <root>/<dataset>/versions/0123456789abcdef, or <root>/<dataset>@latest";
    private static final ArtifactPath MANIFEST = new ArtifactPath(Manifest.FILE_NAME);
    /** Files that a version may have in addition to its lanes. */
    private static final List<String> OTHER_FILES = List.of(
            Manifest.CARD_FILE_NAME,
            Selection.FILE_NAME,
            Order.FILE_NAME,
            External.FILE_NAME,
            External.DAMAGED_FILE_NAME);

    private final ArtifactSource source;
    private final Manifest.Version manifest;
    private final SampleSchema schema;
    private final StoredFeeds stored;
    private final Optional<Order> order;

    /** @param order the order by which the lanes are read */
    private OpenVersion(
            ArtifactSource source,
            Manifest.Version manifest,
            SampleSchema schema,
            StoredFeeds stored,
            Optional<Order> order) {
        this.source = source;
        this.manifest = manifest;
        this.schema = schema;
        this.stored = stored;
        this.order = order;
    }

    /** Opens a folder of this node that a user named. @throws ConfigException if there is none */
    public static ArtifactFolder folderAt(Path path) {
        if (!Files.isDirectory(path)) {
            throw new ConfigException(NotAVersion.describe(path).orElse(path + ": no such folder; " + WHICH));
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
            throw NotAVersion.describe(root).map(ConfigException::new).orElseGet(() -> incomplete(root.toString()));
        }
        return ManifestJson.read(root);
    }

    private static Manifest inStore(ArtifactSource source) {
        String file = source.address(MANIFEST);
        try (SeekableByteChannel channel = source.open(MANIFEST)) {
            return ManifestJson.parse(SourceFile.read(channel, channel.size(), file), file);
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

    /**
     * Opens a version that may be in a store; before {@link #map}, it must be {@linkplain #movedTo moved} to this node. A version of
     * format 1 has an order of its own, any other is read {@linkplain #by by one}.
     */
    public static OpenVersion open(ArtifactSource source) {
        Manifest.Version manifest = manifestOf(source);
        ArtifactFile entry = manifest.file(Order.FILE_NAME)
                .or(() -> manifest.file(Selection.FILE_NAME))
                .orElseThrow(() -> new CorruptDataException(
                        source.address(MANIFEST), "lists neither " + Selection.FILE_NAME + " nor " + Order.FILE_NAME));
        String file = source.address(entry.path());
        byte[] bytes = SourceFile.checked(source, entry);
        Optional<Order> order = Optional.empty();
        Optional<StoredFeeds> stored;
        Optional<String> dataset;
        if (entry.path().value().equals(Order.FILE_NAME)) {
            Order own = OrderJson.parse(bytes, file);
            order = Optional.of(own);
            stored = StoredFeeds.of(own);
            dataset = own.dataset();
            requirePlan(own, manifest, file);
        } else {
            Selection selection = SelectionJson.parse(bytes, file);
            stored = selection.stored();
            dataset = Optional.of(selection.dataset());
            requireInput(entry, manifest, file);
        }
        requireDataset(dataset, manifest, file);
        OpenVersion version = new OpenVersion(
                source,
                manifest,
                manifest.schema(),
                stored.orElseThrow(
                        () -> new CorruptDataException(file, "has no storage; it is a plan's, not a version's")),
                order);
        version.checkAgreement(file);
        return version;
    }

    /** Returns this version at the path to which a sync copied it; the files there were checked against this manifest. */
    public OpenVersion movedTo(Path path) {
        return new OpenVersion(ArtifactFolder.at(path), manifest, schema, stored, order);
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
        return new OpenVersion(source, manifest, schema, stored, Optional.of(plan));
    }

    /** What this version states of itself, for the check of a mixture. */
    public MixtureCheck.Stated stated() {
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

    /**
     * The plan by which the lanes are read: the one in the version, or {@linkplain #by another}.
     *
     * @throws IllegalStateException if there is neither
     */
    public Order order() {
        return order.orElseThrow(() -> new IllegalStateException(source.address() + " was opened without an order"));
    }

    /** Whether an {@link #order} is known. */
    public boolean hasOrder() {
        return order.isPresent();
    }

    /** The stored rows of a lane's feed. */
    Optional<StoredFeed> storedFeed(String name) {
        return stored.feed(name);
    }

    /** The number of rows in a record batch and in a file. */
    public Order.Storage storage() {
        return stored.storage();
    }

    /**
     * Reads which rows of its table the version stores; empty in a version that an older release exported.
     *
     * @throws CorruptDataException if the file is damaged, or is of other rows than the version's own plan
     */
    public Optional<Selection> selection() {
        return manifest.file(Selection.FILE_NAME).map(entry -> {
            String file = source.address(entry.path());
            Selection selection = SelectionJson.parse(SourceFile.checked(source, entry), file);
            if (!selection.stored().equals(Optional.of(stored))) {
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
        return MemberLanes.of(local(), manifest, storedFeed(feedName).orElseThrow(), storage());
    }

    private static void requireDataset(Optional<String> dataset, Manifest manifest, String file) {
        if (!dataset.equals(Optional.of(manifest.dataset()))) {
            throw new CorruptDataException(
                    file,
                    "is of dataset '" + dataset.orElse("none") + "', manifest.json of '" + manifest.dataset() + "'");
        }
    }

    private static void requireInput(ArtifactFile selection, Manifest manifest, String file) {
        if (!manifest.inputs().contains(new Input.SelectionInput(selection.sha256()))) {
            throw new CorruptDataException(file, "is not the selection which manifest.json was made from");
        }
    }

    private static void requirePlan(Order stored, Manifest manifest, String file) {
        boolean samePlan = manifest.inputs().stream()
                .anyMatch(input -> input instanceof Input.ArtifactInput plan
                        && plan.format() == ArtifactFormat.PLAN
                        && plan.id().equals(stored.plan()));
        if (!samePlan) {
            throw new CorruptDataException(
                    file, "is of plan " + stored.plan() + ", which manifest.json was not made from");
        }
    }

    /** @param file that states the stored rows */
    private void checkAgreement(String file) {
        String manifestFile = source.address(MANIFEST);
        List<FeedLanes> feeds =
                stored.feeds().stream().map(feed -> lanes(feed, file)).toList();
        checkCounts(feeds, manifestFile);
        checkFiles(feeds, manifestFile);
    }

    /** Compares the counts first: numbers that agree with the manifest's list of files are safe to enumerate. */
    private void checkCounts(List<FeedLanes> feeds, String manifestFile) {
        long rows = 0;
        long files = OTHER_FILES.stream()
                .filter(name -> manifest.file(name).isPresent())
                .count();
        for (FeedLanes feed : feeds) {
            rows += feed.rows();
            for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
                files += feed.fileCount(lane);
            }
        }
        if (rows != manifest.rows()) {
            throw new CorruptDataException(manifestFile, "says " + manifest.rows() + " rows, its feeds have " + rows);
        }
        if (files != manifest.files().size()) {
            throw new CorruptDataException(
                    manifestFile,
                    "lists " + manifest.files().size() + " files; the lanes of its feeds, "
                            + String.join(", ", OTHER_FILES) + " are " + files);
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
                                manifestFile, "does not list " + wanted.name().path() + ", which its feeds ask for");
                    }
                    if (file.rows().orElse(wanted.rows()) != wanted.rows()) {
                        throw new CorruptDataException(
                                manifestFile,
                                file.path() + " has " + file.rows().getAsLong() + " rows, its feed asks for "
                                        + wanted.rows());
                    }
                }
            }
        }
    }

    private FeedLanes lanes(StoredFeed feed, String file) {
        try {
            return FeedLanes.of(feed, storage());
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException(file, "feed '" + feed.name() + "': " + e.getMessage(), e);
        }
    }
}
