package io.rankfeed.feeder.tensor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.FedColumns;
import io.rankfeed.feeder.transform.Normalization;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Versions measure the values of columns; a mixture of several has no such statistics. */
class MixtureStatisticsTest {
    @Test
    void normalize_fromVersion_isRefusedInAMixture() {
        Field image = new Field("image", DType.UINT8, Shape.of(2, 2, 3), false);
        FedColumns columns = new FedColumns(
                new SampleSchema(List.of(image)), Map.of(), Map.of(), Map.of(), Map.of(), FedColumns.Kind.MIXTURE);
        Normalization measured = new Normalization(
                Optional.of(Normalization.From.VERSION),
                Optional.empty(),
                Optional.empty(),
                Normalization.Type.FLOAT32,
                true);
        Pipeline pipeline = new Pipeline(
                "image", List.of(), PixelLayout.NHWC, OnBroken.FAIL, Optional.empty(), Optional.of(measured));
        ColumnSelection made =
                ColumnSelection.of(List.of(ColumnRequest.made("x", new Recipe.Images(pipeline, Optional.empty()))));
        assertThatThrownBy(() -> ColumnPlan.of(columns, 4, made, 0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'x': from: version of normalize: a mixture has no statistics of columns;"
                        + " write mean and std")
                .hasMessageNotContaining("prepare.statistics");
    }
}
