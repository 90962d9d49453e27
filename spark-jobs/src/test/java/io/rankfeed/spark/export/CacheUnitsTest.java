package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.ExportSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.SequentialFeed;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheUnitsTest {
    private static final Order GOLDEN =
            OrderJson.read(Path.of("../schema/src/test/resources/golden/version/order.json"));

    @Test
    void units_areTheFilesOfTheGoldenVersion() {
        CacheUnits units = new CacheUnits(GOLDEN, 8);

        assertThat(units.all().stream().map(CacheUnits.Unit::path))
                .containsExactly(
                        "lanes/train/lane-00000-00000.arrow",
                        "lanes/train/lane-00000-00001.arrow",
                        "lanes/train/lane-00001-00000.arrow",
                        "lanes/train/lane-00001-00001.arrow",
                        "lanes/train/shared-00000.arrow",
                        "lanes/valid/lane-00000-00000.arrow",
                        "lanes/valid/lane-00001-00000.arrow");
        assertThat(units.all().stream().map(CacheUnits.Unit::rows)).containsExactly(8L, 4L, 8L, 4L, 2L, 6L, 5L);
    }

    @Test
    void files_moreThanNames_areRefusedWithTheMinimum() {
        long most = 100_000L * 96;
        Feed feed = new SequentialFeed("train", 2, 64, 2 * most, 2 * most / 64);
        CacheUnits.refuseTooMany(feed, new ExportSection(List.of(), 32, 96));
        Feed larger = new SequentialFeed("train", 2, 64, 2 * most + 64, 2 * most / 64 + 1);
        assertThatThrownBy(() -> CacheUnits.refuseTooMany(larger, new ExportSection(List.of(), 32, 96)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("export.shard-rows: 96 cuts a lane of feed 'train' into 100001 files")
                .hasMessageContaining("take at least 128");
    }

    @Test
    void unitOfRow_followsFromFeedLaneAndOrdinal() {
        CacheUnits units = new CacheUnits(GOLDEN, 8);

        assertThat(units.unitOf(0, 0, 7)).isZero();
        assertThat(units.unitOf(0, 1, 8)).isEqualTo(3);
        assertThat(units.unitOf(0, -1, 1)).isEqualTo(4);
        assertThat(units.unitOf(1, 1, 4)).isEqualTo(6);
    }
}
