package io.rankfeed.schema.config;

/**
 * Thrown by a record's constructor for a value that cannot be. The binder turns it into a ConfigException that names
 * file, line and key; thrown anywhere else it is a bug.
 */
public final class BadValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String what;

    /**
     * @param key the key in this record, kebab-case; empty for the record as a whole
     * @param what what is wrong with it and what to write instead
     */
    public BadValue(String key, String what) {
        super(key.isEmpty() ? what : key + ": " + what);
        this.key = key;
        this.what = what;
    }

    String key() {
        return key;
    }

    String what() {
        return what;
    }
}
