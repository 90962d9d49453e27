package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.job.ExportSection;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheSizesTest {
    @Test
    void estimate_equalsWhatTheWriterWrites() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("n", DType.INT64, Shape.scalar(), true),
                new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false),
                new Field("text", DType.STRING, Shape.scalar(), false)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LaneWriter writer = new LaneWriter(new LaneHeader("f", "0", schema, 128), out);
        for (int row = 0; row < 4096; row++) {
            writer.beginRow(row, 0, row);
            writer.putBits(0, row);
            writer.putBytes(1, new byte[40], 0, 4 * (row % 10));
            writer.putBytes(2, new byte[100], 0, 50 + row % 2);
            writer.endRow();
        }
        writer.finish();

        CacheSizes sizes = CacheSizes.of(schema, Map.of("tokens", 18.0, "text", 50.5), 128);

        assertThat(sizes.bytesPerRow() * 4096).isCloseTo(out.size(), withinPercentage(8));
    }

    @Test
    void batch_above2GiB_isRefusedWithTheMaximum() {
        SampleSchema schema =
                new SampleSchema(List.of(new Field("image", DType.UINT8, Shape.of(1024, 1024, 3), false)));
        assertThatThrownBy(() -> Export.columns(schema, new ExportSection(List.of(), 1024, 1 << 20)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1024 rows of column 'image' are 3.0 GiB")
                .hasMessageContaining("take at most 682");
    }
}
