package io.rankfeed.schema.digest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/** XXH64 as its specification (0.1.1) writes it. */
public final class Xxh64 {
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Xxh64() {}

    public static long hash(byte[] bytes, long seed) {
        return hash(bytes, 0, bytes.length, seed);
    }

    public static long hash(byte[] bytes, int offset, int lengthBytes, long seed) {
        Objects.checkFromIndexSize(offset, lengthBytes, bytes.length);
        int at = offset;
        int end = offset + lengthBytes;
        long h;
        if (lengthBytes >= 32) {
            long a = seed + P1 + P2;
            long b = seed + P2;
            long c = seed;
            long d = seed - P1;
            for (; at <= end - 32; at += 32) {
                a = round(a, (long) LONG.get(bytes, at));
                b = round(b, (long) LONG.get(bytes, at + 8));
                c = round(c, (long) LONG.get(bytes, at + 16));
                d = round(d, (long) LONG.get(bytes, at + 24));
            }
            h = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
            h = merge(merge(merge(merge(h, a), b), c), d);
        } else {
            h = seed + P5;
        }
        return avalanche(tail(h + lengthBytes, bytes, at, end));
    }

    private static long tail(long start, byte[] bytes, int from, int end) {
        long h = start;
        int at = from;
        for (; at <= end - 8; at += 8) {
            h = Long.rotateLeft(h ^ round(0, (long) LONG.get(bytes, at)), 27) * P1 + P4;
        }
        if (at <= end - 4) {
            h = Long.rotateLeft(h ^ (Integer.toUnsignedLong((int) INT.get(bytes, at)) * P1), 23) * P2 + P3;
            at += 4;
        }
        for (; at < end; at++) {
            h = Long.rotateLeft(h ^ ((bytes[at] & 0xFF) * P5), 11) * P1;
        }
        return h;
    }

    private static long round(long accumulator, long lane) {
        return Long.rotateLeft(accumulator + lane * P2, 31) * P1;
    }

    private static long merge(long h, long accumulator) {
        return (h ^ round(0, accumulator)) * P1 + P4;
    }

    private static long avalanche(long start) {
        long h = (start ^ (start >>> 33)) * P2;
        h = (h ^ (h >>> 29)) * P3;
        return h ^ (h >>> 32);
    }
}
