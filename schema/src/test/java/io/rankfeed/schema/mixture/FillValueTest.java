package io.rankfeed.schema.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FillValueTest {
    private static Field field(String dtype, String shape) {
        Shape of = shape.equals("-")
                ? Shape.scalar()
                : new Shape(Arrays.stream(shape.split(" ", -1))
                        .map(dim -> dim.equals("*") ? Shape.VARIABLE : Integer.parseInt(dim))
                        .toList());
        return new Field("a", DType.fromId(dtype), of, false);
    }

    private static List<String> values(String words) {
        return words.equals("-") ? List.of() : List.of(words.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "bool,     -,   true,        true,        01",
        "int8,     -,   -1,          -1,          ff",
        "int32,    2,   7 7,         7,           0700000007000000",
        "int32,    2,   7 8,         7 8,         0700000008000000",
        "int64,    -,   1e3,         1000,        e803000000000000",
        "uint64,   -,   18446744073709551615, 18446744073709551615, ffffffffffffffff",
        "float16,  -,   1,           1.0,         003c",
        "bfloat16, -,   1.001,       1.0,         803f",
        "float32,  2 2, 0.5,         0.5,         0000003f0000003f0000003f0000003f",
        "float32,  -,   0.1000,      0.1,         cdcccc3d",
        "float64,  -,   -1.50,       -1.5,        000000000000f8bf",
        "int16,    *,   -,           -,           ''",
        "int16,    *,   1 1,         1 1,         01000100",
        "int16,    * 2, 1 2 3 4,     1 2 3 4,     0100020003000400"
    })
    void numbers_inShortestForm_haveTheirBytes(String dtype, String shape, String words, String shortest, String hex) {
        Field field = field(dtype, shape);
        FillValue value = FillValue.of(field, values(words));
        assertThat(value.values()).isEqualTo(values(shortest));
        assertThat(FillValue.of(field, value.values())).isEqualTo(value);
        assertThat(HexFormat.of().formatHex(value.bytes(field))).isEqualTo(hex);
    }

    @Test
    void halfOfASurrogatePair_isRefused() {
        assertThatThrownBy(() -> FillValue.of(field("string", "-"), List.of("a\uD800")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("fill of column 'a': has half of a surrogate pair");
    }

    @Test
    void texts_areTheirUtf8() {
        FillValue text = FillValue.of(field("string", "-"), List.of("é"));
        assertThat(text.items()).containsExactly("é".getBytes(StandardCharsets.UTF_8));
        assertThat(text.length(field("string", "-"))).isEqualTo(2);
        FillValue list = FillValue.of(field("binary", "*"), List.of("a", ""));
        assertThat(list.items()).hasSize(2);
        assertThat(list.length(field("binary", "*"))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "bool,    -,   1,       '1' must be true or false",
        "int8,    -,   128,     128 is not a valid int8",
        "uint8,   -,   0.5,     0.5 is not a valid uint8",
        "float16, -,   70000,   70000 is not a valid float16",
        "float32, -,   NaN,     'NaN' must be a number",
        "int32,   -,   1e9999,  '1e9999' must be a number",
        "int32,   3,   1 2,     has 2 values",
        "int32,   3,   -,       has 0 values",
        "int32,   -,   1 2,     give one",
        "int16,   * 2, 1 2 3,   a multiple of 2",
        "string,  -,   a b,     has 2 values"
    })
    void value_ofOtherTypeOrShape_isRefused(String dtype, String shape, String words, String what) {
        assertThatThrownBy(() -> FillValue.of(field(dtype, shape), values(words)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("fill of column 'a'")
                .hasMessageContaining(what);
    }
}
