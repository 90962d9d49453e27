package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.transform.Pipeline;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A column as a trainer or a feed file asks for it.
 *
 * @param name a field of the schema, {@link ColumnPlan#ROW_ID}, or a new name where there is a pipeline
 * @param layout empty: ragged for string and binary, padded for ragged numbers, fixed for the rest
 * @param padValue what fills a padded tensor; must fit its dtype
 * @param pipeline how the column is made of a field; empty: it is the field
 * @param maxImages most images of a rank's batch, where the field has lists; empty: as many as there can be
 */
public record ColumnRequest(
        String name,
        Optional<Layout> layout,
        BigDecimal padValue,
        Optional<Pipeline> pipeline,
        Optional<Integer> maxImages) {
    public ColumnRequest(String name, Optional<Layout> layout, BigDecimal padValue, Optional<Pipeline> pipeline) {
        this(name, layout, padValue, pipeline, Optional.empty());
    }

    public static ColumnRequest of(String name) {
        return new ColumnRequest(name, Optional.empty(), BigDecimal.ZERO, Optional.empty());
    }

    public static ColumnRequest of(String name, Layout layout) {
        return new ColumnRequest(name, Optional.of(layout), BigDecimal.ZERO, Optional.empty());
    }

    public static ColumnRequest padded(String name, long padValue) {
        return new ColumnRequest(name, Optional.of(Layout.PADDED), BigDecimal.valueOf(padValue), Optional.empty());
    }

    public static ColumnRequest made(String name, Pipeline pipeline, Optional<Integer> maxImages) {
        return new ColumnRequest(name, Optional.empty(), BigDecimal.ZERO, Optional.of(pipeline), maxImages);
    }
}
