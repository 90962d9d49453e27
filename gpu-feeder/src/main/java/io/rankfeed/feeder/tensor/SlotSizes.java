package io.rankfeed.feeder.tensor;

/** The used part of each tensor of a slot; written by the thread that fills the slot, and reused for the next one. */
public final class SlotSizes {
    private final long[] usedBytes;
    private final long[] widths;
    private long tokens;
    private long paddedTokens;

    /** @param tensors number of tensors of the slot */
    public SlotSizes(int tensors) {
        usedBytes = new long[tensors];
        widths = new long[tensors];
    }

    /**
     * States the size of a tensor.
     *
     * @param used bytes of its values
     * @param width padded, dense: values along the variable dimension, at least 1; bounds: the longest sequence; else 0
     */
    public void tensor(int number, long used, long width) {
        usedBytes[number] = used;
        widths[number] = width;
    }

    /** States how many elements padded rows and texts have in all, without and with padding. */
    public void tokens(long count, long withPadding) {
        tokens = count;
        paddedTokens = withPadding;
    }

    public long usedBytes(int tensor) {
        return usedBytes[tensor];
    }

    /** Bytes of the values of all tensors. */
    public long usedBytes() {
        long all = 0;
        for (long bytes : usedBytes) {
            all += bytes;
        }
        return all;
    }

    public long width(int tensor) {
        return widths[tensor];
    }

    public long tokens() {
        return tokens;
    }

    public long paddedTokens() {
        return paddedTokens;
    }
}
