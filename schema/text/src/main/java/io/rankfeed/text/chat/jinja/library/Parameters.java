package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parameters of a function. */
public final class Parameters {
    /** @param value where a call has none; null where it must have one */
    private record Parameter(String name, @Nullable Object value) {
        static Parameter of(String written) {
            int equals = written.indexOf('=');
            return equals < 0
                    ? new Parameter(written, null)
                    : new Parameter(written.substring(0, equals), constant(written.substring(equals + 1)));
        }
    }

    private final String function;
    private final String written;
    private final List<Parameter> all;
    private final boolean arePositional;

    /**
     * @param function for messages
     * @param written as in Python, such as {@code "value width=4 first=False"}, with a slash at the end where none can be
     *     given by name; a default is an integer, a quoted text, True, False, None or 0.0
     */
    public Parameters(String function, String written) {
        this.function = function;
        this.written = written;
        this.arePositional = written.endsWith("/");
        this.all = Stream.of(written.replace(" /", "").split(" ", -1))
                .map(Parameter::of)
                .toList();
    }

    private static Object constant(String written) {
        return switch (written) {
            case "0.0" -> 0.0;
            case "None" -> None.NONE;
            case "True" -> true;
            case "False" -> false;
            default ->
                written.startsWith("'")
                        ? Text.of(written.substring(1, written.length() - 1))
                        : (Object) Long.valueOf(written);
        };
    }

    /** Binds arguments as Python does. */
    public Arguments.Bound bind(Arguments arguments, Run run) {
        List<Object> positional = arguments.positional();
        Map<String, Object> named = arguments.named();
        if (positional.size() > all.size()) {
            throw refused("too many arguments");
        }
        Map<String, Object> values = new HashMap<>();
        int taken = 0;
        for (int i = 0; i < all.size(); i++) {
            Parameter parameter = all.get(i);
            if (i < positional.size()) {
                values.put(parameter.name(), positional.get(i));
            } else if (named.containsKey(parameter.name()) && !arePositional) {
                values.put(parameter.name(), named.get(parameter.name()));
                taken++;
            } else if (parameter.value() != null) {
                values.put(parameter.name(), parameter.value());
            } else {
                throw refused("missing argument '" + parameter.name() + "'");
            }
        }
        if (taken < named.size()) {
            throw refused(named, positional.size());
        }
        return new Arguments.Bound(function, values, run);
    }

    private TemplateError refused(Map<String, Object> named, int positional) {
        List<String> names = all.stream().map(Parameter::name).toList();
        String name = named.keySet().stream()
                .filter(key -> arePositional
                        || !names.subList(positional, names.size()).contains(key))
                .findFirst()
                .orElseThrow();
        if (!names.contains(name) || name.equals("value")) {
            return refused("unknown argument '" + name + "'");
        }
        return refused(
                (arePositional ? "an argument that cannot be given by name, '" : "duplicate argument '") + name + "'");
    }

    private TemplateError refused(String what) {
        String takes = written.replaceFirst("^value ?", "").replace(" ", ", ");
        return TemplateError.of(what + " of " + function
                + (takes.length() < 2 ? ", which takes none" : "; its parameters are: " + takes));
    }
}
