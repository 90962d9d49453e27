package io.rankfeed.schema.failure;

/**
 * Bytes of an input or an artifact are not what they must be: exit code 3. The message names the file and, where
 * there is one, the byte.
 */
public final class CorruptDataException extends RankfeedException {
    private static final long serialVersionUID = 1L;

    /** @param offset byte offset in the file at which the damage was found */
    public CorruptDataException(String file, long offset, String what) {
        super(file + ", byte " + offset + ": " + what, null);
    }

    public CorruptDataException(String file, String what) {
        super(file + ": " + what, null);
    }

    public CorruptDataException(String file, long offset, String what, Throwable cause) {
        super(file + ", byte " + offset + ": " + what, cause);
    }

    public CorruptDataException(String file, String what, Throwable cause) {
        super(file + ": " + what, cause);
    }

    @Override
    public int exitCode() {
        return 3;
    }
}
