package io.rankfeed.feeder.remote;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.run.VersionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens the version that a user named by its folder, its address, or a run of its dataset. */
public final class VersionLocation {
    private static final VersionName.Runs LOCAL = new VersionName.Runs() {
        @Override
        public List<String> names(String address) {
            Path folder = Path.of(address);
            if (!Files.isDirectory(folder)) {
                return List.of();
            }
            try (Stream<Path> runs = Files.list(folder)) {
                return runs.map(run -> run.getFileName().toString()).sorted().toList();
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("cannot read " + folder, e), e);
            }
        }

        @Override
        public Optional<byte[]> read(String file) {
            Path path = Path.of(file);
            return Files.exists(path)
                    ? Optional.of(StrictJson.readCapped(path, VersionName.MAX_RUN_BYTES))
                    : Optional.empty();
        }

        @Override
        public void warn(String line) {
            System.err.println("rankfeed: " + line);
        }
    };

    private VersionLocation() {}

    /**
     * Resolves a user's argument to a folder or an address.
     *
     * @throws ConfigException if they name a run that made no version
     */
    public static String resolved(String words) {
        return VersionName.parse(words)
                .map(name -> name.folder(RemoteFolder.isAddress(words) ? RemoteRuns.of(words) : LOCAL))
                .orElse(words);
    }

    /** Whether the argument may name another version when it is resolved again. */
    public static boolean isLatest(String words) {
        return VersionName.parse(words).filter(VersionName::isLatest).isPresent();
    }

    public static ArtifactSource of(String words) {
        String location = resolved(words);
        return RemoteFolder.isAddress(location) ? RemoteFolder.at(location) : OpenVersion.folderAt(Path.of(location));
    }

    /** Finds a version on this node, for a command that reads no store. */
    public static Path local(String words, String command) {
        if (!RemoteFolder.isAddress(words)) {
            return Path.of(resolved(words));
        }
        return RemoteFolder.local(words, command);
    }
}
