package io.rankfeed.schema.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** {@code -0}: the whole number 0, which keeps its sign as a string and as a floating-point number. */
final class NegativeZero extends WrittenNumber {
    static final String WRITTEN = "-0";

    private static final long serialVersionUID = 1L;

    NegativeZero() {
        super(WRITTEN);
    }

    @Override
    public boolean isIntegralNumber() {
        return true;
    }

    @Override
    public boolean canConvertToInt() {
        return true;
    }

    @Override
    public boolean canConvertToLong() {
        return true;
    }

    @Override
    public JsonToken asToken() {
        return JsonToken.VALUE_NUMBER_INT;
    }

    @Override
    public JsonParser.NumberType numberType() {
        return JsonParser.NumberType.INT;
    }
}
