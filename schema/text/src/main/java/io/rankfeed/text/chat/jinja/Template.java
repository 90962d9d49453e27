package io.rankfeed.text.chat.jinja;

import io.rankfeed.text.chat.jinja.library.Functions;
import io.rankfeed.text.chat.jinja.node.Scope;
import io.rankfeed.text.chat.jinja.parse.Parser;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A template that was parsed. Any number of threads may render it at once. */
public final class Template {
    private final Parser.Parsed parsed;

    private Template(Parser.Parsed parsed) {
        this.parsed = parsed;
    }

    /** @throws TemplateError if it is not Jinja, or has a tag, filter or test that is not supported */
    public static Template parse(String source) {
        try {
            return new Template(Parser.parse(source));
        } catch (StackOverflowError e) {
            throw tooDeep();
        }
    }

    /** The names that it reads anywhere. */
    public Set<String> reads() {
        return parsed.reads();
    }

    /** Whether it has {@code generation} blocks. */
    public boolean hasGeneration() {
        return parsed.hasGeneration();
    }

    /**
     * Renders it.
     *
     * @throws TemplateError if it cannot be evaluated, exceeds a limit, or refuses the variables
     */
    public Marked render(Variables variables) {
        Map<String, Object> all = new HashMap<>(Functions.ALL);
        all.putAll(variables.values());
        Run run = new Run(all);
        try {
            parsed.body().run(Scope.of(run, parsed.unset()));
            return Marked.of(run.output().text());
        } catch (StackOverflowError e) {
            throw tooDeep();
        }
    }

    private static TemplateError tooDeep() {
        return TemplateError.of("the template is nested too deep");
    }
}
