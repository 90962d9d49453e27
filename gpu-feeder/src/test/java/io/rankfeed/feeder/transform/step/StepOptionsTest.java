package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.config.BadValue;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepOptionsTest {
    private static final List<Integer> BLACK = List.of(0, 0, 0);
    private static final List<Integer> GRAY = List.of(9, 9, 9);

    @Test
    void interpolation_areaOfMove_isRefused() {
        assertThatThrownBy(() -> moved(Interpolation.AREA, Border.CONSTANT, BLACK))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining("write nearest, bilinear or bicubic");
    }

    @Test
    void color_otherBorder_isRefused() {
        assertThatThrownBy(() -> moved(Interpolation.NEAREST, Border.REFLECT, GRAY))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining("[9, 9, 9] has no effect");
        assertThat(moved(Interpolation.NEAREST, Border.REFLECT, BLACK).border()).isEqualTo(Border.REFLECT);
        assertThat(moved(Interpolation.NEAREST, Border.CONSTANT, GRAY).value()).isEqualTo(GRAY);
    }

    @Test
    void color_notThreeBytes_isRefused() {
        for (List<Integer> value : List.of(List.<Integer>of(), List.of(1, 2), List.of(1, 2, 256), List.of(-1, 2, 3))) {
            assertThatThrownBy(() -> new Pad(1, 1, value)).isInstanceOf(BadValue.class);
            assertThatThrownBy(() -> moved(Interpolation.BILINEAR, Border.CONSTANT, value))
                    .isInstanceOf(BadValue.class);
        }
    }

    private static ShiftScaleRotate moved(Interpolation interpolation, Border border, List<Integer> value) {
        return new ShiftScaleRotate(0.1, 0.1, 10, 1, interpolation, border, value);
    }
}
