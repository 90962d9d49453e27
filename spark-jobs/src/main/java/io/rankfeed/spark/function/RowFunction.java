package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A function bound to the types of its arguments. Equal ones give equal values, so that Spark may compute them once.
 *
 * @param settings what decides the values in addition to the arguments
 * @param value of a row of arguments
 */
record RowFunction<R>(
        String name,
        DataType resultType,
        ArrayList<DataType> inputs,
        boolean isResultNullable,
        Object settings,
        Value<R> value)
        implements ScalarFunction<R> {
    /** Computes the value for a row of arguments. */
    interface Value<R> extends Serializable {
        @Nullable
        R of(InternalRow row);
    }

    /** A function that may give null. */
    static <R> RowFunction<R> of(
            String name, DataType result, List<Argument> arguments, Object settings, Value<R> value) {
        return new RowFunction<>(name, result, types(arguments), true, settings, value);
    }

    /** A function that never gives null. */
    static <R> RowFunction<R> notNull(
            String name, DataType result, List<Argument> arguments, Object settings, Value<R> value) {
        return new RowFunction<>(name, result, types(arguments), false, settings, value);
    }

    private static ArrayList<DataType> types(List<Argument> arguments) {
        return new ArrayList<>(arguments.stream().map(Argument::type).toList());
    }

    @Override
    public String canonicalName() {
        return "rankfeed." + name;
    }

    @Override
    public DataType[] inputTypes() {
        return inputs.toArray(DataType[]::new);
    }

    @Override
    public @Nullable R produceResult(InternalRow row) {
        return value.of(row);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowFunction<?> function
                && name.equals(function.name)
                && resultType.equals(function.resultType)
                && inputs.equals(function.inputs)
                && settings.equals(function.settings);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, resultType, inputs, settings);
    }
}
