package io.rankfeed.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import org.junit.jupiter.api.Test;

class ShapeTest {
    @Test
    void elementsOfAVariableShapeAreThoseOfOneStep() {
        assertThat(Shape.of(Shape.VARIABLE, 3, 4).elements()).isEqualTo(12);
        assertThat(Shape.of(64, 64, 3).elements()).isEqualTo(12_288);
        assertThat(Shape.scalar().elements()).isEqualTo(1);
    }

    @Test
    void onlyTheFirstDimensionMayVary() {
        assertThatThrownBy(() -> Shape.of(3, Shape.VARIABLE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("[3, null]");
    }

    @Test
    void zeroAndNegativeDimensionsAreRefused() {
        assertThatThrownBy(() -> Shape.of(0)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> Shape.of(-2)).isInstanceOf(ConfigException.class);
    }

    @Test
    void aShapeThatOverflowsIsRefused() {
        assertThatThrownBy(() -> Shape.of(1 << 30, 1 << 30, 1 << 30, 1 << 30))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("2^31");
    }
}
