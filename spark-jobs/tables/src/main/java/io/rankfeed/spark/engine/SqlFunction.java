package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;

/**
 * A function by its name, before it is known what it is called with.
 *
 * @param usage the syntax of a call, for messages
 * @param takes whether a call may have that many arguments
 * @param binding gives the function for arguments; throws {@link ConfigException} if it cannot be called so
 */
public record SqlFunction(
        String name, String usage, IntPredicate takes, Function<List<Argument>, ScalarFunction<?>> binding) {
    ScalarFunction<?> bind(List<Argument> arguments) {
        if (!takes.test(arguments.size())) {
            throw new ConfigException(
                    name + " has " + arguments.size() + " arguments here; write " + usage + " (docs/functions.md)");
        }
        return binding.apply(arguments);
    }
}
