package io.rankfeed.spark.sample.table;

import io.rankfeed.spark.engine.Columns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;

/**
 * A function of columns that are not null. Each subclass is public and has a public method {@code invoke}, which the code that
 * Spark generates calls with the arguments in Spark's own types: no row and no object of Scala is made for them.
 */
public abstract class DirectFunction<R> implements ScalarFunction<R> {
    private static final long serialVersionUID = 1L;

    private final String name;
    /** Lists, because a type alone is not known to be serializable. */
    private final ArrayList<DataType> result;

    private final ArrayList<DataType> inputs;

    protected DirectFunction(String name, DataType result, DataType... inputs) {
        this.name = name;
        this.result = new ArrayList<>(List.of(result));
        this.inputs = new ArrayList<>(List.of(inputs));
    }

    /** The function's value of these columns. */
    public final Column of(Column... arguments) {
        return Columns.computed(this, arguments);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String canonicalName() {
        return "rankfeed." + name;
    }

    @Override
    public final DataType[] inputTypes() {
        return inputs.toArray(DataType[]::new);
    }

    @Override
    public final DataType resultType() {
        return result.get(0);
    }

    @Override
    public final boolean isResultNullable() {
        return false;
    }
}
