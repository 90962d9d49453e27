package io.rankfeed.export.format.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The scale of all features and labels, of finite numbers as float64, and whether float32 holds the integers among them.
 * A survey gathers one for each part.
 */
final class EnnScale {
    private static final int BYTES = 3 * Double.BYTES + 2;
    private static final double MIN_NORMAL = Float.MIN_NORMAL;

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

    /** Adds float32 values, many at a time. */
    void addFloats(byte[] array, int offset, int lengthBytes) {
        float low = Float.POSITIVE_INFINITY;
        float high = Float.NEGATIVE_INFINITY;
        float positive = Float.POSITIVE_INFINITY;
        boolean finite = true;
        for (int at = offset; at < offset + lengthBytes; at += Float.BYTES) {
            float value = (float) LittleEndian.FLOAT.get(array, at);
            float magnitude = Math.abs(value);
            if (magnitude <= Float.MAX_VALUE) {
                low = Math.min(low, value);
                high = Math.max(high, value);
                positive = magnitude > 0 ? Math.min(positive, magnitude) : positive;
            } else {
                finite = false;
            }
        }
        nonFinite |= !finite;
        min = Math.min(min, low);
        max = Math.max(max, high);
        minPositive = Math.min(minPositive, positive);
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

    /** Whether ENN stores float32. Integers that would be rounded keep float64, which ENN's own writer does not see to. */
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
