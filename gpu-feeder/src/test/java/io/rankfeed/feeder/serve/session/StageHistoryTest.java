package io.rankfeed.feeder.serve.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.ring.RingIdentity;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.ring.SegmentName;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.schema.DType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageHistoryTest {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final RingIdentity IDENTITY =
            new RingIdentity("0123456789abcdef", "fedcba9876543210", "train", 1, 2, 4, 7);
    private static final List<TensorSpec> TENSORS =
            List.of(new TensorSpec("image", DType.UINT8, Layout.FIXED, List.of(2, 3), 0, 64, 24, 0, 0));

    @TempDir
    private Path folder;

    private final StageHistory history = new StageHistory();

    private RingSegment segment(int connection) {
        SegmentName name = new SegmentName(1000, "00c0ffee", 1, "train", 71, connection);
        return RingSegment.create(new SharedMemory(folder), name, RingLayout.of(2, TENSORS, 128), IDENTITY, TENSORS);
    }

    /** Attaches a client, whose table has this stage and the others. */
    private void connect(int connection, int others) {
        try (RingSegment segment = segment(connection)) {
            history.attached(segment);
            StageTable table = new StageTable();
            table.moveTo(segment.stageTable());
            table.stage("fill").record(1_000);
            for (int other = 0; other < others; other++) {
                table.stage("s" + connection + "_" + other).record(1_000);
            }
            assertThat(history.read().attachedNanos()).isBetween(0L, HOUR_NANOS);
            history.detached();
        }
    }

    @Test
    void connections_areAdded() {
        connect(1, 0);
        long first = history.read().attachedNanos();
        connect(2, 0);
        assertThat(history.read().attachedNanos()).isBetween(first, HOUR_NANOS);
        assertThat(history.read().count("fill")).isEqualTo(2);
        assertThat(history.ring()).isEmpty();
    }

    @Test
    void namesOfClients_areLimited() {
        for (int connection = 1; connection <= 5; connection++) {
            connect(connection, 50);
        }
        assertThat(history.read().stages()).hasSize(StageHistory.MAX_NAMES).containsKey("fill");
        assertThat(history.read().count("fill")).isEqualTo(5);
    }
}
