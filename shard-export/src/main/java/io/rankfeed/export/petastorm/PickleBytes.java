package io.rankfeed.export.petastorm;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The bytes of a pickle, read forward; every length is compared with what is left before anything is allocated. */
final class PickleBytes {
    private static final int MAX_LINE_BYTES = 1 << 16;

    private final byte[] bytes;
    private int at;

    PickleBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    int at() {
        return at;
    }

    int left() {
        return bytes.length - at;
    }

    int u8() throws PickleDamage {
        require(1);
        return bytes[at++] & 0xFF;
    }

    /** A little-endian unsigned number of 1 to 4 bytes that must fit an int. */
    int unsigned(int size) throws PickleDamage {
        long value = littleEndian(size);
        if (value > Integer.MAX_VALUE) {
            throw damage("has a length or index of " + value);
        }
        return (int) value;
    }

    long littleEndian(int size) throws PickleDamage {
        require(size);
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes[at + i] & 0xFFL) << (8 * i);
        }
        at += size;
        return value;
    }

    /** A two's complement number of up to 8 bytes. */
    long signed(int size) throws PickleDamage {
        if (size > 8) {
            throw damage("has an integer of " + size + " bytes");
        }
        if (size == 0) {
            return 0;
        }
        int unused = 64 - 8 * size;
        return (littleEndian(size) << unused) >> unused;
    }

    String text(int length, Charset charset) throws PickleDamage {
        require(length);
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        try {
            String text = decoder.decode(ByteBuffer.wrap(bytes, at, length)).toString();
            at += length;
            return text;
        } catch (CharacterCodingException e) {
            throw damage("has text that is not " + charset);
        }
    }

    /** Up to a line feed, which is not part of it. */
    String line() throws PickleDamage {
        int end = at;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
            if (end - at > MAX_LINE_BYTES) {
                throw damage("has a line without end");
            }
        }
        if (end == bytes.length) {
            throw damage("ends within a line");
        }
        String line = text(end - at, StandardCharsets.US_ASCII);
        at++;
        return line;
    }

    void require(long length) throws PickleDamage {
        if (length < 0 || length > left()) {
            throw damage("wants " + length + " bytes where " + left() + " are left");
        }
    }

    PickleDamage damage(String what) {
        return new PickleDamage(at, what);
    }
}
