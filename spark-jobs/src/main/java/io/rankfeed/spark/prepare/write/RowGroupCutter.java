package io.rankfeed.spark.prepare.write;

import io.rankfeed.spark.prepare.write.RowGroupEncoder.Encoded;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a sequence of rows into files that fill a block: encode, measure, re-cut. The cuts depend on the rows alone.
 * Rows keep their order but where a row is so large that a block could not be filled with it: smaller ones from behind
 * it then go before. One object per unit of work.
 */
final class RowGroupCutter implements AutoCloseable {
    private static final long SAMPLE_BYTES = 2L << 20;
    private static final int ENOUGH_TRIES = 8;
    private static final int PACKED_TRIES = 3;

    /** A row that leaves more than this part of what is wanted is worth a search for others. */
    private static final double GAP = 0.03;

    /** The destination of the rows. */
    interface Sink {
        /** @param group to be closed by the sink, now or later */
        void filled(Encoded group);

        /**
         * One row, the first of the log, that is longer than a block.
         *
         * @param row to be closed by the sink, now or later
         * @throws io.rankfeed.schema.failure.ConfigException if there may be none
         */
        void oversized(Encoded row);
    }

    private final RowGroupEncoder encoder;
    private final RowLog log;
    private final long blockBytes;
    private final Sink sink;
    private final SizeModel model = new SizeModel();
    private BlockFit fit;
    private @Nullable Encoded best;
    private long wantedBytes;
    private long awaitedBytes;
    private int tries;
    private int packedTries;
    private boolean ended;
    private long encodes;

    RowGroupCutter(RowGroupEncoder encoder, RowLog log, long blockBytes, Sink sink) {
        this.encoder = encoder;
        this.log = log;
        this.blockBytes = blockBytes;
        this.sink = sink;
        this.fit = new BlockFit(blockBytes, model.targetFill());
        want(Math.min(SAMPLE_BYTES, blockBytes));
    }

    void add(UnsafeRow row) {
        log.append(row);
        while (log.lengthBytes() >= awaitedBytes) {
            attempt();
        }
    }

    /** Cuts what still fills blocks, as far as can be foreseen; the others stay in the log. */
    void finishFull() {
        ended = true;
        while (log.lengthBytes() >= wantedBytes) {
            attempt();
        }
    }

    /**
     * Cuts what still fills blocks.
     *
     * @return the rows that are left over, fewer than a block, encoded; null if none are
     */
    @Nullable
    Encoded finish() {
        ended = true;
        while (log.rows() > 0) {
            if (best != null && best.cut().rows() == log.rows()) {
                Encoded rest = best;
                best = null;
                return rest;
            }
            attempt();
        }
        return null;
    }

    /** The number of times that rows were encoded. */
    long encodes() {
        return encodes;
    }

    private void attempt() {
        GroupRows cut = log.first(wantedBytes, fit.leastRows(), fit.mostRows());
        if (leavesGap(cut)) {
            long aheadBytes = cut.rawBytes() + cut.nextBytes() + wantedBytes;
            if (!ended && log.lengthBytes() < aheadBytes) {
                awaitedBytes = aheadBytes;
                return;
            }
            cut = log.packed(cut, wantedBytes);
        }
        Encoded encoded = encoder.encode(log, cut);
        encodes++;
        tries++;
        if (!cut.apart().isEmpty()) {
            judgePacked(encoded);
        } else {
            judge(encoded);
        }
    }

    private boolean leavesGap(GroupRows cut) {
        return model.isKnown()
                && packedTries < PACKED_TRIES
                && cut.nextBytes() > 0
                && wantedBytes - cut.rawBytes() > GAP * wantedBytes;
    }

    /** The bounds of {@link BlockFit} are numbers of consecutive rows, which say nothing about rows apart; so a few tries decide. */
    private void judgePacked(Encoded encoded) {
        packedTries++;
        long bytes = encoded.lengthBytes();
        long rawBytes = encoded.cut().rawBytes();
        boolean fits = bytes <= blockBytes;
        boolean foreseen = model.bytes(rawBytes) >= bytes * 0.98;
        keepOrClose(encoded, fits && (best == null || bytes > best.lengthBytes()));
        if (best != null
                && (BlockFit.fills(best.lengthBytes(), blockBytes)
                        || packedTries >= PACKED_TRIES
                        || (fits && foreseen))) {
            accept(best);
        } else {
            model.learn(rawBytes, bytes);
            want(model.rawBytes(model.targetFill() * blockBytes));
        }
    }

    private void judge(Encoded encoded) {
        GroupRows cut = encoded.cut();
        long bytes = encoded.lengthBytes();
        fit.measured(cut, bytes);
        if (fit.isSettled() && fit.fitRows() == 0) {
            sink.oversized(encoded);
            goOn(cut);
            return;
        }
        boolean isBest = bytes <= blockBytes && fit.fitRows() == cut.rows();
        keepOrClose(encoded, isBest);
        boolean filled = best != null && BlockFit.fills(best.lengthBytes(), blockBytes);
        boolean noMoreFits = isBest && cut.nextBytes() * (double) bytes / cut.rawBytes() > 1.1 * (blockBytes - bytes);
        boolean isEnough = tries >= ENOUGH_TRIES && fit.isBounded();
        if (best != null && (filled || noMoreFits || isEnough || fit.isSettled())) {
            accept(best);
        } else {
            want(fit.nextRawBytes());
        }
    }

    private void keepOrClose(Encoded encoded, boolean better) {
        Encoded old = better ? best : encoded;
        if (better) {
            best = encoded;
        }
        if (old != null) {
            old.close();
        }
    }

    private void accept(Encoded accepted) {
        model.learn(accepted.cut().rawBytes(), accepted.lengthBytes());
        best = null;
        sink.filled(accepted);
        goOn(accepted.cut());
    }

    private void goOn(GroupRows done) {
        log.drop(done);
        fit = new BlockFit(blockBytes, model.targetFill());
        tries = 0;
        packedTries = 0;
        want(model.isKnown() ? model.rawBytes(model.targetFill() * blockBytes) : Math.min(SAMPLE_BYTES, blockBytes));
    }

    private void want(long rawBytes) {
        wantedBytes = rawBytes;
        awaitedBytes = rawBytes;
    }

    @Override
    public void close() {
        if (best != null) {
            best.close();
        }
        log.close();
    }
}
