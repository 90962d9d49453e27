package io.rankfeed.export;

/** The cache's one alignment: of every body, every buffer and every declared buffer length. */
final class Alignment {
    static final int BYTES = 64;

    private Alignment() {}

    static long up(long position) {
        return (position + BYTES - 1) & -BYTES;
    }
}
