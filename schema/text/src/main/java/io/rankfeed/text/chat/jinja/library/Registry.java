package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Undefined;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The filters, the tests, or the methods of a type, by name. The first argument of each is what it is applied to. */
public final class Registry {
    private final String kind;
    private final Set<String> unsupported;
    private final Set<String> changing;
    private final Map<String, Function> all = new HashMap<>();

    /**
     * @param kind for messages
     * @param unsupported names that Jinja has in addition, separated by spaces
     * @param changing methods that change a value, which Jinja's sandbox hides
     */
    Registry(String kind, String unsupported, String changing) {
        this.kind = kind;
        this.unsupported = words(unsupported);
        this.changing = words(changing);
    }

    private static Set<String> words(String names) {
        return names.isEmpty() ? Set.of() : Set.of(names.split(" ", -1));
    }

    /** Computes the result from bound arguments. */
    interface Body {
        Object of(Arguments.Bound bound);
    }

    /**
     * @param names of one function, separated by spaces
     * @param parameters as {@link Parameters} takes them
     */
    void add(String names, String parameters, Body body) {
        for (String name : names.split(" ", -1)) {
            Parameters taken = new Parameters(shown(name), parameters);
            put(name, (arguments, run) -> body.of(taken.bind(arguments, run)));
        }
    }

    void put(String name, Function function) {
        all.put(name, (arguments, run) -> {
            if (!arguments.positional().isEmpty() && arguments.positional().get(0) instanceof Text text) {
                run.budget().search(text, arguments.from(1).positional());
            }
            return function.call(arguments, run);
        });
    }

    private String shown(String name) {
        return "the " + kind + " '" + name + "'";
    }

    public boolean has(String name) {
        return all.containsKey(name) || unsupported.contains(name);
    }

    public String unknown(String name) {
        return "unknown " + kind + " '" + name + "'";
    }

    /** @throws TemplateError if there is none */
    public Function named(String name) {
        Function function = all.get(name);
        if (function == null) {
            throw unsupported.contains(name) ? TemplateError.unsupported(shown(name)) : TemplateError.of(unknown(name));
        }
        return function;
    }

    /** The method of a value; null if its type has none of this name. */
    @Nullable
    Object method(Object value, String name) {
        if (changing.contains(name)) {
            return new Undefined(shown(name) + ", which changes a value,");
        } else if (!has(name)) {
            return null;
        }
        Function method = named(name);
        return (Function) (arguments, run) -> method.call(arguments.after(value), run);
    }
}
