package io.rankfeed.sampling.order;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.Segment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Reads a golden order of format 2 step by step: combs and pools as they are, windows and batches written out. */
final class StoredOrder {
    private final JsonNode golden;
    private final long seed;
    private final int lanes;
    private final int window;
    private final List<Segment> segments;
    private final List<StoredPool> pools = new ArrayList<>();

    StoredOrder(JsonNode golden) {
        this.golden = golden;
        this.seed = number("seed");
        this.lanes = (int) number("lanes");
        this.window = (int) number("window");
        this.segments = GoldenPlans.segments(golden.get("order"));
        EpochMode mode =
                EpochMode.valueOf(GoldenPlans.of(golden, "mode").asText().toUpperCase(Locale.ROOT));
        for (JsonNode member : GoldenPlans.of(golden, "members")) {
            RowCycles cycles = RowCycles.valueOf(
                    member.get("cycles").asText().replace('-', '_').toUpperCase(Locale.ROOT));
            for (JsonNode stratum : member.get("strata")) {
                long rows = Math.max(1, stratum.get("rows").asLong()); // a stratum without rows is never drawn
                pools.add(new StoredPool(
                        seed, pools.size(), rows, member.get("lanes").asInt(), lanes, cycles, mode));
            }
        }
    }

    private long number(String name) {
        return GoldenPlans.of(golden, name).asLong();
    }

    /** The first 16 hex digits of the rank's run, as in order-1000.json. */
    String digest(int rank, int world) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < segments.size(); i++) {
            JsonNode json = golden.get("order").get("segments").get(i);
            int rowsPerLane = (json.has("batch") ? json.get("batch").asInt() : (int) number("batch")) / lanes;
            Segment segment = segments.get(i);
            Comb comb = new Comb(segment, lanes);
            for (long step = segment.step(); step < segment.end(); step++) {
                digest.update(batch(segment, comb, rowsPerLane, step, rank, world));
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private byte[] batch(Segment segment, Comb comb, int rowsPerLane, long step, int rank, int world) {
        int share = lanes / world;
        int rows = rowsPerLane * share;
        ByteBuffer bytes = ByteBuffer.allocate(rows * 12).order(ByteOrder.LITTLE_ENDIAN);
        boolean planned = GoldenPlans.of(golden, "order").asText().equals("planned");
        for (int i = 0; i < rows; i++) {
            long x = planned ? i : Permutation.at(rows, Mix.key(seed, 4, step, rank, world), i);
            int lane = (int) (rank + x % share * world);
            long at = step;
            int slot = (int) (x / share);
            if (window > 1) {
                long epoch = number("stepsPerEpoch");
                long low = Math.max(segment.step(), step - step % epoch);
                long high = Math.min(segment.end(), step - step % epoch + epoch);
                long first = step - (step - low) % window;
                long slots = (Math.min(first + window, high) - first) * rowsPerLane;
                long y = Permutation.at(slots, Mix.key(seed, 5, first, lane), (step - first) * rowsPerLane + slot);
                at = first + y / rowsPerLane;
                slot = (int) (y % rowsPerLane);
            }
            long shift = comb.shift(at, comb.lead(lane));
            int stratum = comb.stratumAt(comb.tooth(slot, shift));
            long draw = comb.drawNumber(stratum, lane, at, slot, shift);
            long quota = segment.quotas().get(stratum);
            bytes.putInt(stratum).putLong(pools.get(stratum).row(quota, segment.number(), lane, draw));
        }
        return bytes.array();
    }
}
