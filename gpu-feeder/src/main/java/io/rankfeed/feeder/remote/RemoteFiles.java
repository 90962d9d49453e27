package io.rankfeed.feeder.remote;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a remote store. */
record RemoteFiles(RemoteStore store) implements Store {
    private static final Pattern ADDRESS = Pattern.compile("([^:/]+)://([^/]*)(.*)", Pattern.DOTALL);

    /** Fails as {@link RemoteFolder#at} does. */
    static RemoteFiles of(String address) {
        return new RemoteFiles(RemoteFolder.store(address));
    }

    @Override
    public Optional<StoredFile> find(String path) {
        try {
            return store.find(uri(path));
        } catch (IOException | LinkageError e) {
            throw RemoteFolder.failed(path, e);
        }
    }

    @Override
    public List<StoredFile> list(String folder) {
        try {
            return store.list(uri(folder));
        } catch (IOException | LinkageError e) {
            throw RemoteFolder.failed(folder, e);
        }
    }

    @Override
    public byte[] read(String file, long fromByte, int bytes) {
        try (SeekableByteChannel channel = store.open(uri(file))) {
            return LocalFiles.read(channel, fromByte, bytes);
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(file, "does not exist", e);
        } catch (EOFException e) {
            throw new CorruptDataException(file, fromByte, String.valueOf(e.getMessage()), e);
        } catch (IOException | LinkageError e) {
            throw RemoteFolder.failed(file, e);
        }
    }

    /** An address whose path may have any character, as names of folders have that are values of a column. */
    private static URI uri(String address) {
        Matcher parts = ADDRESS.matcher(address);
        try {
            if (!parts.matches()) {
                return new URI(address);
            }
            String authority = parts.group(2).isEmpty() ? null : parts.group(2);
            return new URI(parts.group(1), authority, parts.group(3).isEmpty() ? "/" : parts.group(3), null, null);
        } catch (URISyntaxException e) {
            throw new ConfigException(
                    address + " is not an address: " + e.getReason() + " at character " + e.getIndex(), e);
        }
    }
}
