package io.rankfeed.spark.chat.jinja.node;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Values;
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
    public static final class Output extends Statement {
        private final Expression expression;

        public Output(Expression expression) {
            this.expression = expression;
        }

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

    public static final class Jump extends Statement {
        private final Flow flow;

        public Jump(Flow flow) {
            this.flow = flow;
        }

        @Override
        public Flow run(Scope scope) {
            return flow;
        }
    }

    public static final class If extends Statement {
        private final Expression test;
        private final Body then;
        /** Each without branches of its own. */
        private final List<If> elifs;

        private final Body otherwise;

        public If(Expression test, Body then, List<If> elifs, Body otherwise) {
            this.test = test;
            this.then = then;
            this.elifs = elifs;
            this.otherwise = otherwise;
        }

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

    public static final class Set extends Statement {
        private final Target target;
        private final Expression expression;

        public Set(Target target, Expression expression) {
            this.target = target;
            this.expression = expression;
        }

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

    public static final class MacroDefinition extends Statement {
        private final Macro.Definition definition;

        public MacroDefinition(Macro.Definition definition) {
            this.definition = definition;
        }

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
    public static final class CallBlock extends Statement {
        private final Calls.Call call;
        private final Macro.Definition body;

        public CallBlock(Calls.Call call, Macro.Definition body) {
            this.call = call;
            this.body = body;
        }

        @Override
        public Flow run(Scope scope) {
            Arguments given = call.arguments().values(scope);
            Map<String, Object> named = new LinkedHashMap<>(given.named());
            if (named.put("caller", new Macro(body, scope)) != null) {
                throw TemplateError.of("the call of a call block has an argument 'caller'");
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
