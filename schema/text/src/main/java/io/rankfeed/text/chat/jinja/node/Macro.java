package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Undefined;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A macro, or the body of a {@code call} block, in the scope in which it was defined. */
public record Macro(Definition definition, Scope around) implements Function {
    private static final String CALLER = "caller";

    /**
     * The definition of a macro, as it is written in the template.
     *
     * @param name of a macro; empty for the body of a call block
     * @param defaults of the last parameters
     * @param reads the names that its body reads
     */
    public record Definition(
            Optional<String> name,
            List<String> parameters,
            List<Expression> defaults,
            Statement.Body body,
            Set<String> reads,
            Frame frame) {
        public boolean takes(String special) {
            return reads.contains(special) && !parameters.contains(special);
        }

        public boolean usesCaller() {
            return reads.contains(CALLER);
        }

        /** Looks for the names of its frame. */
        public void analyze(Names outer) {
            Names inner = new Names(outer);
            parameters.forEach(inner::parameter);
            List.of(CALLER, "kwargs", "varargs").stream().filter(this::takes).forEach(inner::parameter);
            defaults.forEach(value -> value.names(inner));
            body.names(inner);
            frame.unset(inner);
            body.frames(inner);
        }
    }

    @Override
    public Object call(Arguments arguments, Run run) {
        Scope scope = around.inner(definition.frame.unset());
        List<String> parameters = definition.parameters;
        List<Object> positional = arguments.positional();
        Map<String, Object> named = new LinkedHashMap<>(arguments.named());
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            String name = parameters.get(i);
            Object given = i < positional.size() ? positional.get(i) : named.remove(name);
            scope.set(name, given == null ? new Undefined("the parameter '" + name + "'") : given);
            if (given == null) {
                missing.add(i);
            }
        }
        bindSpecial(scope, positional, named);
        run.budget().enter();
        try {
            return run.captured(() -> {
                missing.forEach(parameter -> setDefault(scope, parameter));
                definition.body.run(scope);
            });
        } finally {
            run.budget().leave();
        }
    }

    private void setDefault(Scope scope, int parameter) {
        int at = parameter - definition.parameters.size() + definition.defaults.size();
        if (at >= 0) {
            scope.set(
                    definition.parameters.get(parameter),
                    definition.defaults.get(at).value(scope));
        }
    }

    private void bindSpecial(Scope scope, List<Object> positional, Map<String, Object> named) {
        if (definition.takes(CALLER)) {
            Object caller = named.remove(CALLER);
            scope.set(CALLER, caller == null || caller == None.NONE ? new Undefined("'caller'") : caller);
        }
        int count = definition.parameters.size();
        if (definition.takes("kwargs")) {
            Dict rest = new Dict();
            named.forEach((name, value) -> rest.put(Text.of(name), value));
            scope.set("kwargs", rest);
        } else if (!named.isEmpty()) {
            throw TemplateError.of("unknown or duplicate argument '"
                    + named.keySet().iterator().next() + "' of " + shown());
        }
        List<Object> more = positional.size() > count ? positional.subList(count, positional.size()) : List.of();
        if (definition.takes("varargs")) {
            scope.set("varargs", new Tuple(new ArrayList<>(more)));
        } else if (!more.isEmpty()) {
            throw TemplateError.of("too many arguments of " + shown() + "; its number of parameters is " + count);
        }
    }

    private String shown() {
        return definition.name.map(name -> "macro '" + name + "'").orElse("the body of a call block");
    }

    @Override
    public @Nullable Object attribute(String attribute) {
        return switch (attribute) {
            case "name" -> definition.name.isPresent() ? Text.of(definition.name.get()) : None.NONE;
            case "arguments" ->
                new Tuple(definition.parameters.stream()
                        .map(name -> (Object) Text.of(name))
                        .toList());
            case "catch_kwargs" -> definition.takes("kwargs");
            case "catch_varargs" -> definition.takes("varargs");
            case CALLER -> definition.usesCaller();
            default -> null;
        };
    }
}
