package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.List;
import java.util.Optional;

/** The nodes of statements with a body in a frame of its own. */
public final class Blocks {
    private Blocks() {}

    /** A statement with a body in a frame of its own. */
    interface Framed extends Statement {
        Statement.Body body();

        Frame frame();

        @Override
        default void frames(Names around) {
            Names inner = new Names(around);
            inside(inner);
            frame().unset(inner);
            body().frames(inner);
        }

        default void inside(Names inner) {
            body().names(inner);
        }
    }

    /**
     * {@code set} with a body, and {@code filter}: what the body writes, filtered.
     *
     * @param target empty where the filtered text is written
     */
    public record Captured(Optional<Target> target, Expression filtered, Statement.Body body, Frame frame)
            implements Framed {
        @Override
        public Flow run(Scope scope) {
            target.ifPresent(assigned -> assigned.check(scope));
            Scope inner = scope.inner(frame.unset());
            Flow[] flow = new Flow[1];
            Text text = scope.run().captured(() -> flow[0] = body.run(inner));
            if (flow[0] != Flow.NEXT) {
                return flow[0];
            }
            inner.set(Statements.BODY, text);
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
        public void inside(Names inner) {
            Framed.super.inside(inner);
            if (target.isEmpty()) {
                filtered.names(inner);
            }
            inner.parameter(Statements.BODY);
        }
    }

    static Text requireText(Object value) {
        if (value instanceof Text text) {
            return text.plain();
        }
        throw TemplateError.of("the result of a block must be a text, not a value of type " + Values.typeName(value));
    }

    public record With(List<Target> targets, List<Expression> values, Statement.Body body, Frame frame)
            implements Framed {
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
        public void inside(Names inner) {
            targets.forEach(target -> target.parameter(inner));
            Framed.super.inside(inner);
        }
    }

    public record Generation(Statement.Body body, Frame frame) implements Framed {
        @Override
        public Flow run(Scope scope) {
            Scope inner = scope.inner(frame.unset());
            Text text = scope.run().captured(() -> body.run(inner));
            scope.run().write(text.generated());
            return Flow.NEXT;
        }
    }
}
