package io.rankfeed.feeder.remote;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.run.VersionCommit;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the version that a user named by its folder, its address, or a run of its dataset. */
public final class VersionLocation {
    /** Describes the argument of commands that read a version on this node. */
    public static final String DESCRIPTION =
            "The folder of a version, with manifest.json; or ROOT/DATASET@latest, or ROOT/DATASET@RUN-ID.";

    /** Describes the argument of commands that read a version or a mixture on this node. */
    public static final String OR_MIXTURE = "The folder of a version, with manifest.json; or ROOT/DATASET@latest, or"
            + " ROOT/DATASET@RUN-ID; or a mixture, as in ROOT/mixtures/NAME.";

    private VersionLocation() {}

    /**
     * Resolves a user's argument to a folder or an address.
     *
     * @throws ConfigException if they name a run that made no version
     */
    public static String resolved(String words) {
        return located(words).folder();
    }

    /**
     * Resolves a user's argument to a folder or an address, and to the plan of the run in the version's name. No plan for a version that is
     * named by its folder or address.
     *
     * @throws ConfigException if they name a run that made no version
     */
    public static VersionName.Located located(String words) {
        return VersionName.parse(words)
                .map(name -> name.located(store(words), line -> System.err.println("rankfeed: " + line)))
                .orElseGet(() -> new VersionName.Located(words, Optional.empty()));
    }

    /**
     * The plan over the version that a user named: the one that the user wrote, otherwise that of the run in the version's name. Empty for
     * a version that is named by its folder or address.
     */
    public static Optional<String> plan(String words, Optional<String> written) {
        return written.or(() -> VersionName.parse(words).flatMap(name -> name.order(store(words))));
    }

    /**
     * The plan by which the run in the version's name exported. Empty for a version that is named by its folder or address, and where
     * another run has become the latest one.
     *
     * @param version as it was opened
     */
    public static Optional<String> exportedBy(String words, OpenVersion version) {
        return VersionName.parse(words)
                .flatMap(name -> name.commit(store(words)))
                .filter(commit -> commit.version().equals(version.manifest().id())
                        && commit.order().equals(Optional.of(version.order().plan())))
                .flatMap(VersionCommit::plan);
    }

    /**
     * The store of a path of this node, or of an address.
     *
     * @throws ConfigException if no client here knows the address
     */
    public static Store store(String path) {
        return RemoteFolder.isAddress(path) && !path.startsWith("file:") ? RemoteFiles.of(path) : LocalFiles.INSTANCE;
    }

    /** Whether the argument may name another version when it is resolved again. */
    public static boolean isLatest(String words) {
        return VersionName.parse(words).filter(VersionName::isLatest).isPresent();
    }

    public static ArtifactSource of(String words) {
        return at(resolved(words));
    }

    /** @param location a folder of this node, or an address */
    public static ArtifactSource at(String location) {
        String path = LocalFiles.withoutScheme(location);
        return RemoteFolder.isAddress(path) ? RemoteFolder.at(path) : OpenVersion.folderAt(Path.of(path));
    }

    /** Finds a version on this node, for a command that reads no store. */
    public static Path local(String words, String command) {
        return Path.of(locatedHere(words, command).folder());
    }

    /** Finds a version on this node with the plan of the run in its name, for a command that reads no store. */
    public static VersionName.Located locatedHere(String words, String command) {
        String location = LocalFiles.withoutScheme(words);
        return RemoteFolder.isAddress(location)
                ? new VersionName.Located(RemoteFolder.local(location, command).toString(), Optional.empty())
                : located(location);
    }
}
