package io.rankfeed.schema.store;

/**
 * A file or a folder of a store.
 *
 * @param path absolute, as users write it: a file of this machine without a scheme, any other with its scheme and authority
 * @param bytes the length of the file; 0 for a folder
 * @param blockBytes the size of the file system's blocks
 */
public record StoredFile(String path, boolean isFolder, long bytes, long blockBytes) {
    /** The last part of the path. */
    public String name() {
        return Store.name(path);
    }

    /** Whether readers of tables ignore the name. */
    boolean isHidden() {
        return name().startsWith("_") || name().startsWith(".");
    }
}
