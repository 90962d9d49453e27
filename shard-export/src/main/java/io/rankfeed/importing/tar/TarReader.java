package io.rankfeed.importing.tar;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of a tar, one after the other: USTAR with prefixes, pax headers and the long names of GNU. */
public final class TarReader {
    private static final int BLOCK = 512;
    private static final int CHECKSUM_OFFSET = 148;
    private static final int CHECKSUM_BYTES = 8;
    private static final int PREFIX_OFFSET = 345;
    /** Names and pax headers; more than any file system accepts. */
    private static final int MAX_META_BYTES = 1 << 20;

    /** In place of bytes that are not UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private final ForwardBytes file;
    /** Of the headers for all members that follow. */
    private final Map<String, String> common = new HashMap<>();

    private long at;
    private boolean hasEnd;

    /**
     * A member.
     *
     * @param offset of its header in the file
     * @param dataOffset of its content in the file, which has all of it
     */
    public record Member(String name, long offset, long dataOffset, long bytes, boolean isRegular) {}

    public TarReader(ForwardBytes file) {
        this.file = file;
    }

    /** The offset of the next header, in bytes. */
    public long position() {
        return at;
    }

    /** Whether the last member is followed by a block of zeros, so that the file was not cut between two members. */
    public boolean hasEnd() {
        return hasEnd;
    }

    /**
     * Returns the next member, null after the last one.
     *
     * @throws CorruptDataException if no header follows, or the file ends in the member; nothing after it can be read
     * @throws ConfigException if the member is sparse, or its name is not UTF-8
     */
    public @Nullable Member next() {
        Map<String, String> pax = new HashMap<>(common);
        String longName = "";
        while (!file.isEnd(at)) {
            long offset = at;
            byte[] header = file.read(offset, BLOCK, "the header of a member");
            if (isZero(header)) {
                hasEnd = true;
                return null;
            }
            requireChecksum(header, offset);
            char type = (char) header[156];
            long bytes = number(header, 124, 12, offset, "size");
            if (type == 'x' || type == 'X' || type == 'g') {
                Map<String, String> records = PaxRecords.parse(file, offset, meta(offset, bytes));
                pax.putAll(records);
                if (type == 'g') {
                    common.putAll(records);
                }
            } else if (type == 'L') {
                longName = text(meta(offset, bytes), 0, (int) bytes);
            } else if (type == 'K') {
                meta(offset, bytes);
            } else {
                return member(header, offset, type, pax, longName, bytes);
            }
        }
        return null;
    }

    private Member member(
            byte[] header, long offset, char type, Map<String, String> pax, String longName, long headerBytes) {
        if (type == 'S' || pax.keySet().stream().anyMatch(key -> key.startsWith("GNU.sparse."))) {
            throw unsupported(offset, "a sparse member is not read; write the tar without --sparse");
        }
        String name = pax.getOrDefault("path", longName.isEmpty() ? name(header) : longName);
        if (name.indexOf(NOT_UTF_8) >= 0) {
            // Keys that differ only there would be one sample.
            throw unsupported(offset, "the name of member '" + name + "' is not UTF-8; rename the member");
        }
        // The old format has folders as files whose names end with a slash.
        boolean isRegular = type == '0' || type == '7' || (type == 0 && !name.endsWith("/"));
        boolean hasContent = isRegular || (type != 0 && "123456".indexOf(type) < 0);
        long bytes = hasContent ? PaxRecords.size(pax, headerBytes, file, offset) : 0;
        long dataOffset = offset + BLOCK;
        if (bytes > file.lengthBytes() - dataOffset) {
            throw file.damage(
                    offset,
                    "member '" + name + "' of " + bytes + " bytes does not fit into the file's " + file.lengthBytes());
        }
        at = end(dataOffset, bytes);
        return new Member(name, offset, dataOffset, bytes, isRegular);
    }

    /** The exception for a member of a sound file. */
    private ConfigException unsupported(long offset, String what) {
        return new ConfigException(String.valueOf(file.damage(offset, what).getMessage()));
    }

    /** Reads the content of a header that is a member of its own, and moves behind it. */
    private byte[] meta(long offset, long bytes) {
        if (bytes > MAX_META_BYTES) {
            throw file.damage(
                    offset, "a name or pax header of " + bytes + " bytes; at most " + MAX_META_BYTES + " are read");
        }
        byte[] content = file.read(offset + BLOCK, bytes, "a name or pax header");
        at = end(offset + BLOCK, bytes);
        return content;
    }

    private static long end(long dataOffset, long bytes) {
        return dataOffset + (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }

    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        boolean isUstar = text(header, 257, 6).equals("ustar") && header[262] == 0;
        String prefix = isUstar ? text(header, PREFIX_OFFSET, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /** A text that ends with the first zero byte, or with the field. */
    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    /** A number in octal digits, or in base 256 if the first bit is set. */
    private long number(byte[] header, int from, int length, long offset, String what) {
        if ((header[from] & 0x80) != 0) {
            long value = header[from] & 0x7F;
            for (int i = from + 1; i < from + length; i++) {
                if (value >> 54 != 0) {
                    throw file.damage(offset + from, "the " + what + " of a member is negative, or exceeds 2^62");
                }
                value = value << 8 | (header[i] & 0xFF);
            }
            return value;
        }
        String digits = text(header, from, length).strip();
        if (!digits.matches("[0-7]{0,12}")) {
            throw file.damage(offset + from, "the " + what + " of a member is not a number");
        }
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    /** The sum of the header's bytes, with spaces for the checksum; some programs add signed bytes. */
    private void requireChecksum(byte[] header, long offset) {
        long stated = number(header, CHECKSUM_OFFSET, CHECKSUM_BYTES, offset, "checksum");
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean isChecksum = i >= CHECKSUM_OFFSET && i < CHECKSUM_OFFSET + CHECKSUM_BYTES;
            unsigned += isChecksum ? ' ' : header[i] & 0xFF;
            signed += isChecksum ? ' ' : header[i];
        }
        if (stated != unsigned && stated != signed) {
            throw file.damage(offset, "is not the header of a member: its checksum does not match");
        }
    }

    private static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
