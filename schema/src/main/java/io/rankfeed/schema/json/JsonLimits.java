package io.rankfeed.schema.json;

/**
 * The limits of a JSON file (docs/format/manifest.md, section 6). They are checked while it is read, so that a hostile
 * file costs no more time and memory than a valid one.
 */
public enum JsonLimits {
    /**
     * The limits of all files but the manifests of prepared tables, so also of every file that a training node reads:
     * at most 64 MiB, 2,097,152 values, 262,144 objects and lists.
     */
    SERVED(64L << 20, 1 << 21, 1 << 18),
    /** The manifest of a prepared table, which lists every input file: 256 MiB, 8,388,608 values, 2,097,152 objects and lists. */
    PREPARED(256L << 20, 1 << 23, 1 << 21);

    /** The folder of prepared tables within that of their dataset. */
    private static final String PREPARED_FOLDER = "prepared";

    /** The maximum number of members in one object, in every file. */
    static final int MAX_MEMBERS = 1 << 16;

    static final int MAX_DEPTH = 32;
    static final int MAX_STRING_CHARS = 1 << 20;

    private final long bytes;
    private final int values;
    private final int containers;

    JsonLimits(long bytes, int values, int containers) {
        this.bytes = bytes;
        this.values = values;
        this.containers = containers;
    }

    /** The most bytes. */
    public long maxBytes() {
        return bytes;
    }

    /** The most values: objects, lists, strings, numbers and words, each counted. */
    public int maxValues() {
        return values;
    }

    /** The most objects and lists among the values; each takes ten times the memory of a number. */
    public int maxContainers() {
        return containers;
    }

    /** The limits for the manifest in a folder, by the name of the folder's parent. */
    public static JsonLimits ofManifestBelow(String parentName) {
        return parentName.equals(PREPARED_FOLDER) ? PREPARED : SERVED;
    }
}
