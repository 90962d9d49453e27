package io.rankfeed.export.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextTest {
    @ParameterizedTest
    @CsvSource({
        "3, 3.0",
        "-2147483649, -2147483649.0",
        "123456789012, 123456789012.0",
        "9007199254740993, 9007199254740992.0",
        "9.2e18, 9.2E+18",
        "-0.0, -0.0",
        "0.1, 0.1",
        "NaN, NaN",
        "-Infinity, -Infinity"
    })
    void float64_isNeverReadAsAnInteger(double value, String text) {
        FormatRow row = new FormatRow(new SampleSchema(List.of(new Field("x", DType.FLOAT64, Shape.scalar(), false))));
        row.begin(0);
        row.putBits(0, Double.doubleToRawLongBits(value));
        row.end();
        ByteBuilder json = new ByteBuilder();
        JsonText.appendNumber(row, 0, DType.FLOAT64, json);
        assertThat(new String(json.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo(text);
    }
}
