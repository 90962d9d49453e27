package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;

/** A function by its name, before it is known what it is called with. */
public interface SqlFunction {
    String name();

    /** The syntax of a call, for messages. */
    String usage();

    /** @throws ConfigException if it cannot be called so */
    ScalarFunction<?> bind(List<Argument> arguments);

    /** @throws ConfigException if there are fewer or more arguments */
    default void refuseUnless(List<Argument> arguments, int min, int max) {
        if (arguments.size() < min || arguments.size() > max) {
            throw new ConfigException(
                    name() + " has " + arguments.size() + " arguments here; write " + usage() + " (docs/functions.md)");
        }
    }
}
