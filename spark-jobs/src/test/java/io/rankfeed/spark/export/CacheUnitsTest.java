package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.OrderFile;
import io.rankfeed.schema.order.OrderJson;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CacheUnitsTest {
    private static final OrderFile GOLDEN =
            OrderJson.read(Path.of("../schema/src/test/resources/golden/version/order.json"));

    @Test
    void unitsAreTheFilesOfTheGoldenVersion() {
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
    void aRowsUnitFollowsFromFeedLaneAndOrdinal() {
        CacheUnits units = new CacheUnits(GOLDEN, 8);

        assertThat(units.unitOf(0, 0, 7)).isZero();
        assertThat(units.unitOf(0, 1, 8)).isEqualTo(3);
        assertThat(units.unitOf(0, -1, 1)).isEqualTo(4);
        assertThat(units.unitOf(1, 1, 4)).isEqualTo(6);
    }
}
