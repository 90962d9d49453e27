package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A rank's whole run in 16 hex digits, as docs/format/plan.md, section 9, defines them. */
public final class OrderDigest {
    private OrderDigest() {}

    static String of(TrainFeed order, int rank, int world) {
        EpochOrder epochOrder = new EpochOrder(order, rank, world);
        BatchRows batch = new BatchRows(epochOrder.rowsPerBatch());
        ByteBuffer bytes = ByteBuffer.allocate(batch.capacity() * 12).order(ByteOrder.LITTLE_ENDIAN);
        MessageDigest digest = sha256();
        for (long step = 0; step < order.steps(); step++) {
            epochOrder.fill(step, batch);
            bytes.clear();
            for (int i = 0; i < batch.size(); i++) {
                bytes.putInt(batch.stratum(i)).putLong(batch.index(i));
            }
            digest.update(bytes.array(), 0, bytes.position());
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    /** The digest of a run whose batches were computed one by one. */
    static String of(List<List<OrderLookup.Row>> run) {
        MessageDigest digest = sha256();
        for (List<OrderLookup.Row> batch : run) {
            ByteBuffer bytes = ByteBuffer.allocate(batch.size() * 12).order(ByteOrder.LITTLE_ENDIAN);
            batch.forEach(row -> bytes.putInt(row.stratum()).putLong(row.index()));
            digest.update(bytes.array());
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
