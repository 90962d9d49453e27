package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of statements, but loops. */
public final class Statements {
    /** A name that no template can write: what the body of a {@code filter} block wrote. */
    public static final String BODY = "{body}";

    private Statements() {}

    /** Text of the template, or the text of a value. */
    public record Output(Expression expression) implements Statement {
        @Override
        public Flow run(Scope scope) {
            scope.run().write(Values.text(expression.value(scope), scope.budget()));
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            expression.names(names);
        }
    }

    public record Jump(Flow flow) implements Statement {
        @Override
        public Flow run(Scope scope) {
            return flow;
        }
    }

    /** @param elifs without branches of their own */
    public record If(Expression test, Body then, List<If> elifs, Body otherwise) implements Statement {
        @Override
        public Flow run(Scope scope) {
            if (Values.isTrue(test.value(scope))) {
                return then.run(scope);
            }
            for (If elif : elifs) {
                scope.budget().step();
                if (Values.isTrue(elif.test.value(scope))) {
                    return elif.then.run(scope);
                }
            }
            return otherwise.run(scope);
        }

        @Override
        public void names(Names names) {
            test.names(names);
            Names ofThen = names.branch();
            then.names(ofThen);
            Names ofElifs = names.branch();
            elifs.forEach(elif -> elif.names(ofElifs));
            Names ofElse = names.branch();
            otherwise.names(ofElse);
            names.join(List.of(ofThen, ofElifs, ofElse));
        }

        @Override
        public void frames(Names frame) {
            then.frames(frame);
            elifs.forEach(elif -> elif.frames(frame));
            otherwise.frames(frame);
        }
    }

    public record Set(Target target, Expression expression) implements Statement {
        @Override
        public Flow run(Scope scope) {
            target.check(scope);
            target.assign(expression.value(scope), scope);
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            expression.names(names);
            target.store(names);
        }
    }

    public record MacroDefinition(Macro.Definition definition) implements Statement {
        @Override
        public Flow run(Scope scope) {
            scope.set(definition.name().orElseThrow(), new Macro(definition, scope));
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            names.store(definition.name().orElseThrow());
        }

        @Override
        public void frames(Names frame) {
            definition.analyze(frame);
        }
    }

    /** A call with a body, which the called macro gets as {@code caller}. */
    public record CallBlock(Calls.Call call, Macro.Definition body) implements Statement {
        @Override
        public Flow run(Scope scope) {
            Arguments given = call.arguments().values(scope);
            Map<String, Object> named = new LinkedHashMap<>(given.named());
            if (named.put("caller", new Macro(body, scope)) != null) {
                throw TemplateError.of("duplicate argument 'caller'; the call block sets it");
            }
            Object value = call.call(scope, new Arguments(new ArrayList<>(given.positional()), named));
            scope.run().write(Blocks.requireText(value));
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            call.names(names);
        }

        @Override
        public void frames(Names frame) {
            body.analyze(frame);
        }
    }
}
