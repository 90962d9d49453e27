package io.rankfeed.spark.prepare;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.prepare.RowGroupEncoder.Encoded;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a sequence of rows into files that fill a block: encode, measure, re-cut. The cuts depend on the rows alone.
 * One object per unit of work.
 */
final class RowGroupCutter implements AutoCloseable {
    private static final long SAMPLE_BYTES = 2L << 20;
    private static final int ENOUGH_TRIES = 8;

    private final RowGroupEncoder encoder;
    private final RowLog log;
    private final long blockBytes;
    private final Consumer<Encoded> sink;
    private BlockFit fit;
    private @Nullable Encoded best;
    private int wanted = Integer.MAX_VALUE;
    private int tries;
    private long encodes;

    /** @param sink is given each file as it is cut; it must not keep it */
    RowGroupCutter(RowGroupEncoder encoder, RowLog log, long blockBytes, Consumer<Encoded> sink) {
        this.encoder = encoder;
        this.log = log;
        this.blockBytes = blockBytes;
        this.sink = sink;
        this.fit = new BlockFit(blockBytes);
    }

    void add(UnsafeRow row) {
        log.append(row);
        if (wanted == Integer.MAX_VALUE && log.lengthBytes() >= Math.min(SAMPLE_BYTES, blockBytes)) {
            wanted = log.rows();
        }
        while (log.rows() >= wanted) {
            attempt(wanted);
        }
    }

    /**
     * Cuts what is left as far as it fills blocks.
     *
     * @return the rows that are left over, fewer than a block, still in the log; their encoded form, or null if none
     */
    @Nullable
    Encoded finish() {
        while (log.rows() > 0) {
            if (wanted <= log.rows()) {
                attempt(wanted);
            } else if (fit.fitRows() == log.rows() && best != null) {
                Encoded rest = best;
                best = null;
                return rest;
            } else {
                attempt(log.rows());
            }
        }
        return null;
    }

    /** How many times rows were encoded. */
    long encodes() {
        return encodes;
    }

    private void attempt(int rows) {
        Encoded encoded = encoder.encode(log, rows);
        encodes++;
        tries++;
        fit.measured(rows, encoded.lengthBytes());
        if (encoded.lengthBytes() <= blockBytes && fit.fitRows() == rows) {
            keep(encoded);
        } else {
            encoded.close();
        }
        boolean filled = best != null && BlockFit.fills(best.lengthBytes(), blockBytes);
        if (fit.isSettled() && fit.fitRows() == 0) {
            throw tooLarge(encoded.lengthBytes());
        } else if (best != null && (filled || fit.isSettled() || (tries >= ENOUGH_TRIES && fit.isBounded()))) {
            accept(best);
        } else {
            wanted = fit.next();
        }
    }

    private void keep(Encoded encoded) {
        if (best != null) {
            best.close();
        }
        best = encoded;
    }

    private void accept(Encoded accepted) {
        int likely = fit.nextFrom(accepted.rows(), accepted.lengthBytes());
        sink.accept(accepted);
        accepted.close();
        best = null;
        log.drop(accepted.rows());
        fit = new BlockFit(blockBytes);
        tries = 0;
        wanted = likely;
    }

    private ConfigException tooLarge(long bytes) {
        return new ConfigException("a row of " + ByteSize.rounded(bytes) + " does not fit a block of "
                + new ByteSize(blockBytes) + "; raise prepare.block to at least " + (bytes / (1 << 20) + 1) + " MiB");
    }

    @Override
    public void close() {
        if (best != null) {
            best.close();
            best = null;
        }
        log.close();
    }
}
