package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a function's call, as the analysis of the query knows it.
 *
 * @param type of its values
 * @param constant its value, where it is the same in every row and not null
 * @param sql as people read it
 */
public record Argument(DataType type, Optional<Object> constant, String sql) {
    static Argument of(Expression expression) {
        @Nullable Object value = expression.foldable() ? expression.eval(null) : null;
        return new Argument(expression.dataType(), Optional.ofNullable(value), expression.sql());
    }

    public boolean isText() {
        return type instanceof StringType;
    }

    public boolean isBinary() {
        return type.equals(DataTypes.BinaryType);
    }

    public boolean isNull() {
        return type.equals(DataTypes.NullType);
    }

    /** @throws ConfigException if it is neither a text nor NULL */
    public void refuseUnlessText(String function, String what, String wanted) {
        if (!isText() && !isNull()) {
            throw refused(function, what, wanted);
        }
    }

    /** @throws ConfigException if it is not a text that is written in the query */
    public String text(String function, String what) {
        if (isText() && constant.isPresent()) {
            return constant.get().toString();
        }
        throw refused(function, what, "a text between quotes, the same for every row");
    }

    /** @throws ConfigException if it is no such number that is written in the query */
    public int number(String function, String what, int min, int max) {
        if (constant.isPresent() && constant.get() instanceof Integer number && number >= min && number <= max) {
            return number;
        }
        throw refused(function, what, "a whole number from " + min + " to " + max + ", the same for every row");
    }

    public ConfigException refused(String function, String what, String wanted) {
        return new ConfigException(function + ": " + what + " is " + sql + " (" + type.simpleString() + "); it must be "
                + wanted + " (docs/functions.md)");
    }
}
