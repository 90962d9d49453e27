package io.rankfeed.schema.store;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A file system or object store, for reading. Every operation throws {@link EnvironmentException} if the store cannot be read, and
 * {@link ConfigException} if its client is missing. Several threads may use a store.
 */
public interface Store {
    /** Finds the store of a path or an address. */
    interface Finder {
        /** @throws ConfigException if there is no client for the address, or the words are not a path */
        Store of(String path);
    }

    /**
     * Describes what is at a path, which may be relative for a store of this machine; empty if nothing is.
     *
     * @throws ConfigException if the words are not a path
     */
    Optional<StoredFile> find(String path);

    /** Lists what is directly in a folder, by name; empty if the folder does not exist. */
    List<StoredFile> list(String folder);

    /**
     * Reads a part of a file.
     *
     * @throws CorruptDataException if the file does not exist, or ends before
     */
    byte[] read(String file, long fromByte, int bytes);

    /** Whether files are in blocks of one size, which their readers are scheduled by. */
    default boolean hasBlocks() {
        return false;
    }

    /** Whether a path is a symbolic link. An artifact has none: a link points to data that is not under its folder. */
    default boolean isLink(String path) {
        return false;
    }

    /**
     * Reads a file of an artifact as a whole.
     *
     * @throws CorruptDataException if it does not exist, is a symbolic link, or is longer than {@code maxBytes}
     */
    default byte[] read(String file, long maxBytes) {
        if (isLink(file)) {
            throw new CorruptDataException(file, "is a symbolic link; an artifact has none");
        }
        StoredFile found = find(file)
                .filter(one -> !one.isFolder())
                .orElseThrow(() -> new CorruptDataException(file, "does not exist"));
        if (found.bytes() > maxBytes) {
            throw new CorruptDataException(file, "has " + found.bytes() + " bytes; at most " + maxBytes + " are read");
        }
        return read(file, 0, (int) found.bytes());
    }

    /** Lists what readers of tables see in a folder, by name: not what starts with an underscore or a dot. */
    default List<StoredFile> entries(String folder) {
        return list(folder).stream().filter(entry -> !entry.isHidden()).toList();
    }

    /** Lists all files below a folder that readers of tables see, by path. */
    default List<StoredFile> files(String folder) {
        List<StoredFile> files = new ArrayList<>();
        Deque<String> folders = new ArrayDeque<>(List.of(folder));
        while (!folders.isEmpty()) {
            for (StoredFile entry : entries(folders.pop())) {
                if (entry.isFolder()) {
                    folders.push(entry.path());
                } else {
                    files.add(entry);
                }
            }
        }
        files.sort(Comparator.comparing(StoredFile::path));
        return files;
    }

    /** The last part of a path. */
    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The folder that a path is in; empty for a path of one part. */
    static String folder(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
