package io.rankfeed.feeder.remote;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.MissingClient;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.manifest.ArtifactPath;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/** The folder of one artifact in a remote store. */
public final class RemoteFolder implements ArtifactSource {
    private static final RetryPolicy PATIENCE =
            new RetryPolicy(RetryPolicy.Time.SYSTEM, line -> System.err.println("rankfeed: " + Redaction.text(line)));
    private static final String JARS = "name in RANKFEED_REMOTE";
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    private final String address;
    private final RemoteStore store;

    RemoteFolder(String address, RemoteStore store) {
        this.address = address;
        this.store = store;
    }

    /** Whether words name an address in a store rather than a path of this node. */
    public static boolean isAddress(String words) {
        return ADDRESS.matcher(words).matches();
    }

    /**
     * Returns a folder of this node, for commands that read only local folders.
     *
     * @param command its name
     * @throws ConfigException if it is an address, with what to do
     */
    public static Path local(String words, String command) {
        if (isAddress(words)) {
            throw new ConfigException(words + ": " + command + " reads folders of this node. Bring the version with"
                    + " 'rankfeed feed " + words + "', which checks every byte on the way, and name its copy,"
                    + " <cache>/<dataset>/<version id>; or mount the store and name the folder there");
        }
        return Path.of(words);
    }

    /**
     * Returns the folder at an address for which {@link #isAddress} is true. Does not connect.
     *
     * @throws ConfigException if it is not an address that a client here knows
     */
    public static RemoteFolder at(String words) {
        return new RemoteFolder(words.replaceFirst("/+$", ""), store(words));
    }

    /** Returns the client for an address; throws the exceptions of {@link #at}. */
    static RemoteStore store(String words) {
        List<RemoteStore> stores = ServiceLoader.load(RemoteStore.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (stores.isEmpty()) {
            throw new ConfigException(words + " is in a remote store, for which this feeder has no client: put"
                    + " rankfeed-remote.jar on its classpath (./rankfeed does; RANKFEED_REMOTE adds further jars), or"
                    + " give a local or mounted folder");
        }
        URI uri = uri(words);
        return stores.stream()
                .filter(candidate -> candidate.knows(uri.getScheme()))
                .findFirst()
                .map(store -> new RetryingStore(store, PATIENCE))
                .orElseThrow(() -> new ConfigException(words + ": no client here reads " + uri.getScheme()
                        + ": addresses; " + MissingClient.remedy(uri.getScheme(), JARS)));
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public SeekableByteChannel open(ArtifactPath path) {
        String file = address(path);
        try {
            return store.open(uri(file));
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(file, "is listed in manifest.json but missing", e);
        } catch (IOException | LinkageError e) {
            throw failed(file, e);
        }
    }

    /** Returns the exception for a file or folder that the store failed to read. */
    static RankfeedException failed(String address, Throwable e) {
        Optional<ConfigException> missing = MissingClient.of(address, e, JARS);
        return missing.isPresent()
                ? missing.get()
                : new EnvironmentException(IoReason.of("cannot read " + address, e), e);
    }

    private static URI uri(String words) {
        try {
            return new URI(words);
        } catch (URISyntaxException e) {
            throw new ConfigException(
                    words + " is not an address: " + e.getReason() + " at character " + e.getIndex(), e);
        }
    }
}
