package io.rankfeed.spark.chat;

import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter of every output, and {@code string}: values as Python writes them. */
final class PythonOutput implements Filter {
    /** Of the filter that is added to every output. */
    static final String NAME = "rankfeed_output";

    private final String name;

    PythonOutput(String name) {
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    /** Python writes None for a null and nothing for a missing value; the engine has null for both, so both are refused. */
    @Override
    public Object filter(@Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
        if (value == null) {
            throw new InterpretException("the template writes a value that is missing or null");
        } else if (value instanceof Boolean bool) {
            return bool ? "True" : "False";
        } else if (value instanceof Double || value instanceof Float) {
            return PythonText.real(((Number) value).doubleValue());
        } else if (value instanceof Map || value instanceof Collection) {
            throw new InterpretException("the template writes a list or a mapping without tojson");
        }
        return value.toString();
    }
}
