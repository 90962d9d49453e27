package io.rankfeed.export.format.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The scale of all features and labels, of finite numbers as float64, and whether float32 holds the integers among them.
 * A survey gathers one for each part.
 */
final class EnnScale {
    private static final int BYTES = 3 * Double.BYTES + 2;
    private static final double MIN_NORMAL = Float.MIN_NORMAL;

    /** The bits of an infinity as float32. */
    private static final int INFINITE = 0x7F80_0000;

    private int[] floats = new int[0];
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double minPositive = Double.POSITIVE_INFINITY;
    private boolean nonFinite;
    private boolean wideIntegers;

    static EnnScale merged(List<byte[]> results) {
        EnnScale merged = new EnnScale();
        for (byte[] result : results) {
            ByteBuffer bytes = ByteBuffer.wrap(result);
            merged.min = Math.min(merged.min, bytes.getDouble());
            merged.max = Math.max(merged.max, bytes.getDouble());
            merged.minPositive = Math.min(merged.minPositive, bytes.getDouble());
            merged.nonFinite |= bytes.get() != 0;
            merged.wideIntegers |= bytes.get() != 0;
        }
        return merged;
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putDouble(min)
                .putDouble(max)
                .putDouble(minPositive)
                .put((byte) (nonFinite ? 1 : 0))
                .put((byte) (wideIntegers ? 1 : 0))
                .array();
    }

    void add(double value) {
        double magnitude = Math.abs(value);
        if (!(magnitude <= Double.MAX_VALUE)) {
            nonFinite = true;
            return;
        }
        min = Math.min(min, value);
        max = Math.max(max, value);
        if (magnitude < minPositive && magnitude > 0) {
            minPositive = magnitude;
        }
    }

    /**
     * Adds float32 values. Integers in the order of floats are compared in a loop that the compiler vectorizes; only an
     * array with a number that is not finite is read one by one.
     */
    void addFloats(byte[] array, int offset, int lengthBytes) {
        int count = lengthBytes / Float.BYTES;
        if (floats.length < count) {
            floats = new int[count];
        }
        ByteBuffer.wrap(array, offset, lengthBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(floats, 0, count);
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        int largest = 0;
        int smallest = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            int bits = floats[i];
            int magnitude = bits & Integer.MAX_VALUE;
            int ordered = bits ^ (bits >> 31 & Integer.MAX_VALUE);
            low = Math.min(low, ordered);
            high = Math.max(high, ordered);
            largest = Math.max(largest, magnitude);
            // Zero becomes the largest int.
            smallest = Math.min(smallest, magnitude - 1 ^ Integer.MIN_VALUE);
        }
        if (largest >= INFINITE) {
            for (int i = 0; i < count; i++) {
                add(Float.intBitsToFloat(floats[i]));
            }
        } else if (count > 0) {
            add(Float.intBitsToFloat(low ^ (low >> 31 & Integer.MAX_VALUE)));
            add(Float.intBitsToFloat(high ^ (high >> 31 & Integer.MAX_VALUE)));
            if (smallest != Integer.MAX_VALUE) {
                minPositive = Math.min(minPositive, Float.intBitsToFloat((smallest ^ Integer.MIN_VALUE) + 1));
            }
        }
    }

    /** Notes an integer that float32 does not hold. */
    void addWideInteger() {
        wideIntegers = true;
    }

    private boolean hasScale() {
        return max >= min;
    }

    private double maxAbs() {
        return Math.max(Math.abs(min), Math.abs(max));
    }

    /** Whether ENN stores float32. Integers that would be rounded keep float64; ENN's own writer rounds them. */
    boolean isFloat32(boolean forbidUnderflow) {
        if (!hasScale() && !nonFinite) {
            return true;
        }
        return !nonFinite
                && maxAbs() <= Float.MAX_VALUE
                && !(forbidUnderflow && minPositive < MIN_NORMAL)
                && !wideIntegers;
    }

    void describe(ObjectNode meta) {
        meta.put("has_scale", hasScale()).put("has_nonfinite", nonFinite);
        put(meta, "scale_max_abs", hasScale(), maxAbs());
        put(meta, "scale_min_value", hasScale(), min);
        put(meta, "scale_max_value", hasScale(), max);
        put(meta, "scale_min_positive", minPositive <= Double.MAX_VALUE, minPositive);
        meta.putNull("scale_is_integral");
    }

    private static void put(ObjectNode meta, String name, boolean present, double value) {
        if (present) {
            meta.put(name, value);
        } else {
            meta.putNull(name);
        }
    }
}
