package io.rankfeed.spark.function;

import io.rankfeed.spark.engine.Argument;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;

/** A function bound to the types of its arguments. Equal ones give equal values, so that Spark may compute them once. */
abstract class RowFunction<R> implements ScalarFunction<R> {
    private static final long serialVersionUID = 1L;

    private record Signature(String name, DataType result, ArrayList<DataType> inputs) implements Serializable {}

    private final Signature signature;

    RowFunction(String name, DataType result, List<Argument> arguments) {
        this.signature = new Signature(
                name,
                result,
                new ArrayList<>(arguments.stream().map(Argument::type).toList()));
    }

    @Override
    public final String name() {
        return signature.name();
    }

    @Override
    public final String canonicalName() {
        return "rankfeed." + name();
    }

    @Override
    public final DataType[] inputTypes() {
        return signature.inputs().toArray(DataType[]::new);
    }

    @Override
    public final DataType resultType() {
        return signature.result();
    }

    /** Returns what decides the function's values in addition to the arguments. */
    abstract Object settings();

    @Override
    public final boolean equals(Object other) {
        return other instanceof RowFunction<?> function
                && signature.equals(function.signature)
                && settings().equals(function.settings());
    }

    @Override
    public final int hashCode() {
        return 31 * signature.hashCode() + settings().hashCode();
    }
}
