package io.rankfeed.feeder.tensor;

import io.rankfeed.feeder.transform.Pipeline;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A column as a trainer or a feed file asks for it.
 *
 * @param name a field of the schema, {@link ColumnPlan#ROW_ID}, or a new name where there is a recipe
 * @param layout empty: ragged for string and binary, padded for ragged numbers, fixed for the rest
 * @param padValue what fills a padded tensor; must fit its dtype
 * @param recipe how the column is made of fields; empty: it is the field
 */
public record ColumnRequest(String name, Optional<Layout> layout, BigDecimal padValue, Optional<Recipe> recipe) {
    public static ColumnRequest of(String name) {
        return new ColumnRequest(name, Optional.empty(), BigDecimal.ZERO, Optional.empty());
    }

    public static ColumnRequest of(String name, Layout layout) {
        return new ColumnRequest(name, Optional.of(layout), BigDecimal.ZERO, Optional.empty());
    }

    public static ColumnRequest padded(String name, long padValue) {
        return new ColumnRequest(name, Optional.of(Layout.PADDED), BigDecimal.valueOf(padValue), Optional.empty());
    }

    public static ColumnRequest made(String name, Recipe recipe) {
        return new ColumnRequest(name, Optional.empty(), BigDecimal.ZERO, Optional.of(recipe));
    }

    /** The steps that make its images, if any do. */
    public Optional<Pipeline> pipeline() {
        return recipe.filter(Recipe.Images.class::isInstance).map(images -> ((Recipe.Images) images).pipeline());
    }
}
