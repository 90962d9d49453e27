package io.rankfeed.feeder.batch;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * A column as a trainer or a feed file asks for it.
 *
 * @param name a field of the schema, or {@link ColumnPlan#ROW_ID}
 * @param layout empty: ragged for string and binary, padded for ragged numbers, fixed for the rest
 * @param padValue what fills a padded tensor; must fit its dtype
 */
public record ColumnRequest(String name, Optional<Layout> layout, BigDecimal padValue) {
    public static ColumnRequest of(String name) {
        return new ColumnRequest(name, Optional.empty(), BigDecimal.ZERO);
    }

    public static ColumnRequest of(String name, Layout layout) {
        return new ColumnRequest(name, Optional.of(layout), BigDecimal.ZERO);
    }

    public static ColumnRequest padded(String name, long padValue) {
        return new ColumnRequest(name, Optional.of(Layout.PADDED), BigDecimal.valueOf(padValue));
    }
}
