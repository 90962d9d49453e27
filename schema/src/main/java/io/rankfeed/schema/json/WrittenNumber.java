package io.rankfeed.schema.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.NumericNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A number with a point or an exponent, which as a text is what is in the line, and as a number the nearest one: the
 * float of 1.00000005960464477540 is not that of its double, and -0.0 has a sign.
 */
sealed class WrittenNumber extends NumericNode permits NegativeZero {
    private static final long serialVersionUID = 1L;

    private final String written;

    WrittenNumber(String written) {
        this.written = written;
    }

    @Override
    public String asText() {
        return written;
    }

    @Override
    public float floatValue() {
        return Float.parseFloat(written);
    }

    @Override
    public double doubleValue() {
        return Double.parseDouble(written);
    }

    @Override
    public Number numberValue() {
        return doubleValue();
    }

    @Override
    public int intValue() {
        return (int) doubleValue();
    }

    @Override
    public long longValue() {
        return (long) doubleValue();
    }

    @Override
    public BigDecimal decimalValue() {
        return new BigDecimal(written);
    }

    @Override
    public BigInteger bigIntegerValue() {
        return decimalValue().toBigInteger();
    }

    @Override
    public boolean canConvertToInt() {
        return false;
    }

    @Override
    public boolean canConvertToLong() {
        return false;
    }

    @Override
    public JsonToken asToken() {
        return JsonToken.VALUE_NUMBER_FLOAT;
    }

    @Override
    public JsonParser.NumberType numberType() {
        return JsonParser.NumberType.DOUBLE;
    }

    @Override
    public void serialize(JsonGenerator out, SerializerProvider provider) throws IOException {
        out.writeNumber(written);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WrittenNumber fraction && written.equals(fraction.written);
    }

    @Override
    public int hashCode() {
        return written.hashCode();
    }
}
