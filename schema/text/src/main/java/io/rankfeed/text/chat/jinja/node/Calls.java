package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.library.Registry;
import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The nodes of calls, filters and tests. */
public final class Calls {
    private Calls() {}

    /** The result of a call, which may be a new text. */
    private static Object counted(Object result, Scope scope) {
        if (result instanceof Text text) {
            scope.budget().allocate(text.length());
        }
        return result;
    }

    /** The arguments of a call as they are written. */
    public record CallArguments(
            List<Expression> positional,
            Map<String, Expression> named,
            Optional<Expression> unpacked,
            Optional<Expression> unpackedNamed) {
        public static final CallArguments NONE =
                new CallArguments(List.of(), Map.of(), Optional.empty(), Optional.empty());

        public Arguments values(Scope scope) {
            List<Object> values = new ArrayList<>(positional.size());
            positional.forEach(argument -> values.add(argument.value(scope)));
            Map<String, Object> byName = new LinkedHashMap<>();
            named.forEach((name, argument) -> byName.put(name, argument.value(scope)));
            unpacked.ifPresent(list -> values.addAll(Values.list(list.value(scope), scope.budget())));
            if (unpackedNamed.isPresent()) {
                if (!(unpackedNamed.get().value(scope) instanceof Dict dict)) {
                    throw TemplateError.of("the argument after ** must be a dict");
                }
                for (Dict.Entry entry : dict.entries()) {
                    if (!(entry.key() instanceof Text name) || byName.put(name.toString(), entry.value()) != null) {
                        throw TemplateError.of(
                                "the keys of the argument after ** must be strings that name no other argument");
                    }
                }
            }
            return new Arguments(values, byName);
        }

        public List<Expression> parts() {
            return Stream.of(positional.stream(), named.values().stream(), unpacked.stream(), unpackedNamed.stream())
                    .flatMap(parts -> parts)
                    .toList();
        }
    }

    public record Call(Expression function, CallArguments arguments) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            return call(scope, arguments.values(scope));
        }

        public Object call(Scope scope, Arguments values) {
            Object called = function.value(scope);
            if (called instanceof Function callable) {
                return counted(callable.call(values, scope.run()), scope);
            }
            Values.requireDefined(called);
            throw TemplateError.of("a value of type " + Values.typeName(called) + " cannot be called");
        }

        @Override
        public List<Expression> parts() {
            return Stream.concat(Stream.of(function), arguments.parts().stream())
                    .toList();
        }
    }

    /** A filter or a test. */
    public record Applied(Registry registry, Expression object, String name, CallArguments arguments)
            implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            Object value = object.value(scope);
            Arguments values = arguments.values(scope).after(value);
            return counted(registry.named(name).call(values, scope.run()), scope);
        }

        @Override
        public List<Expression> parts() {
            return Stream.concat(Stream.of(object), arguments.parts().stream()).toList();
        }
    }
}
