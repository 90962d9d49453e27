package io.rankfeed.spark.chat.jinja.node;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** A statement with a body in a frame of its own. */
    public abstract static class Framed extends Statement {
        final Body body;
        final Frame frame = new Frame();

        Framed(Body body) {
            this.body = body;
        }

        @Override
        public void frames(Names around) {
            Names inner = new Names(around);
            inside(inner);
            frame.unset(inner);
            body.frames(inner);
        }

        void inside(Names inner) {
            body.names(inner);
        }
    }

    /** {@code set} with a body, and {@code filter}: what the body writes, filtered. */
    public static final class Captured extends Framed {
        /** Empty where the filtered text is written. */
        private final Optional<Target> target;

        private final Expression filtered;

        public Captured(Optional<Target> target, Expression filtered, Body body) {
            super(body);
            this.target = target;
            this.filtered = filtered;
        }

        @Override
        public Flow run(Scope scope) {
            target.ifPresent(assigned -> assigned.check(scope));
            Scope inner = scope.inner(frame.unset());
            Flow[] flow = new Flow[1];
            Text text = scope.run().captured(() -> flow[0] = body.run(inner));
            if (flow[0] != Flow.NEXT) {
                return flow[0];
            }
            inner.set(BODY, text);
            Object value = filtered.value(inner);
            if (target.isPresent()) {
                target.get().assign(value, scope);
            } else {
                scope.run().write(requireText(value));
            }
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            if (target.isPresent()) {
                target.get().store(names);
            } else {
                filtered.names(names);
            }
        }

        @Override
        void inside(Names inner) {
            super.inside(inner);
            if (target.isEmpty()) {
                filtered.names(inner);
            }
            inner.parameter(BODY);
        }
    }

    private static Text requireText(Object value) {
        if (value instanceof Text text) {
            return text.plain();
        }
        throw TemplateError.of("the result of a block must be a text, not a " + Values.typeName(value));
    }

    public static final class With extends Framed {
        private final List<Target> targets;
        private final List<Expression> values;

        public With(List<Target> targets, List<Expression> values, Body body) {
            super(body);
            this.targets = targets;
            this.values = values;
        }

        @Override
        public Flow run(Scope scope) {
            Scope inner = scope.inner(frame.unset());
            for (int i = 0; i < targets.size(); i++) {
                targets.get(i).assign(values.get(i).value(scope), inner);
            }
            return body.run(inner);
        }

        @Override
        public void names(Names names) {
            values.forEach(value -> value.names(names));
        }

        @Override
        void inside(Names inner) {
            targets.forEach(target -> target.parameter(inner));
            super.inside(inner);
        }
    }

    public static final class Generation extends Framed {
        public Generation(Body body) {
            super(body);
        }

        @Override
        public Flow run(Scope scope) {
            Scope inner = scope.inner(frame.unset());
            Text text = scope.run().captured(() -> body.run(inner));
            scope.run().write(text.generated());
            return Flow.NEXT;
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
        private final Expressions.Call call;
        private final Macro.Definition body;

        public CallBlock(Expressions.Call call, Macro.Definition body) {
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
            scope.run().write(requireText(value));
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
