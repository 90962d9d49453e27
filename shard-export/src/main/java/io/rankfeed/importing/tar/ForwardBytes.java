package io.rankfeed.importing.tar;

import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.CorruptDataException;

/** The bytes of a file that is read forward: no offset is before the end of the range that was read last. */
public interface ForwardBytes {
    /** The length in bytes; {@link Long#MAX_VALUE} if it is known only at the end. */
    long lengthBytes();

    /** Whether the file ends at an offset. @throws CorruptDataException if a file of unknown length ends before it */
    boolean isEnd(long offset);

    /** Returns a range. @throws CorruptDataException if the file does not have all of it */
    byte[] read(long offset, long bytes, String what);

    /** The exception for bytes that are not what they must be. */
    CorruptDataException damage(long offset, String what);

    /** A file of known length. */
    static ForwardBytes of(FileBytes file) {
        return new ForwardBytes() {
            @Override
            public long lengthBytes() {
                return file.lengthBytes();
            }

            @Override
            public boolean isEnd(long offset) {
                return offset >= file.lengthBytes();
            }

            @Override
            public byte[] read(long offset, long bytes, String what) {
                return file.read(offset, bytes, what).array();
            }

            @Override
            public CorruptDataException damage(long offset, String what) {
                return file.damage(offset, what);
            }
        };
    }
}
