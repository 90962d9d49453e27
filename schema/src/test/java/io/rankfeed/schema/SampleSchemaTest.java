package io.rankfeed.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleSchemaTest {
    @Test
    void kindFollowsFromDtypeAndShape() {
        assertThat(field("x", DType.FLOAT32, Shape.of(3)).kind()).isEqualTo(Field.Kind.FIXED);
        assertThat(field("x", DType.INT32, Shape.of(Shape.VARIABLE)).kind()).isEqualTo(Field.Kind.RAGGED);
        assertThat(field("x", DType.STRING, Shape.scalar()).kind()).isEqualTo(Field.Kind.BYTES);
    }

    @Test
    void aNameThatNoColumnMayHaveIsRefused() {
        for (String name : List.of("", "1a", "a.valid", "a b", "ä", "a".repeat(64))) {
            assertThatThrownBy(() -> field(name, DType.BOOL, Shape.scalar())).isInstanceOf(ConfigException.class);
        }
    }

    @Test
    void aNameTwiceIsRefused() {
        Field x = field("x", DType.BOOL, Shape.scalar());
        assertThatThrownBy(() -> new SampleSchema(List.of(x, x)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'x' is listed twice");
    }

    @Test
    void anUnknownFieldIsAnsweredWithTheNearest() {
        SampleSchema schema = new SampleSchema(List.of(field("input_ids", DType.INT32, Shape.scalar())));
        assertThatThrownBy(() -> schema.field("input_id")).hasMessageContaining("did you mean 'input_ids'?");
    }

    @Test
    void anUnknownDtypeIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> DType.fromId("flaot32")).hasMessageContaining("did you mean 'float32'?");
    }

    @Test
    void wireCodesAreTheirIndexInTheTable() {
        int code = 1;
        for (DType type : DType.values()) {
            assertThat(type.wireCode()).isEqualTo(code++);
        }
    }

    private static Field field(String name, DType dtype, Shape shape) {
        return new Field(name, dtype, shape, false);
    }
}
