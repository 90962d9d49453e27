package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.library.Parameters;
import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.Lazy;
import io.rankfeed.text.chat.jinja.value.LoopContext;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.Optional;

/** A loop. */
public record For(
        Target target,
        Expression iterable,
        Optional<Expression> test,
        boolean isRecursive,
        Body body,
        Body otherwise,
        Frame frame,
        Frame ofTest,
        Frame ofElse)
        implements Statement {
    private static final Parameters LOOP = new Parameters("loop()", "value iterable /");

    @Override
    public Flow run(Scope scope) {
        Object items = iterable.value(scope);
        if (isRecursive) {
            scope.run().write(level(items, scope, 1));
            return Flow.NEXT;
        }
        return loop(items, scope, Optional.empty(), 1);
    }

    /** Runs one level of a recursive loop, and returns its text. */
    private Text level(Object items, Scope scope, int depth) {
        Function recursion = (arguments, run) -> {
            Arguments.Bound bound = LOOP.bind(arguments, run);
            return level(bound.get("iterable"), scope, bound.index("value"));
        };
        scope.budget().enter();
        try {
            return scope.run().captured(() -> loop(items, scope, Optional.of(recursion), depth));
        } finally {
            scope.budget().leave();
        }
    }

    private Flow loop(Object items, Scope scope, Optional<Function> recursion, int depth) {
        Object selected = test.isEmpty()
                ? items
                : Lazy.filtered(() -> Values.items(items, scope.budget()), item -> isSelected(item, scope));
        LoopContext loop = new LoopContext(selected, scope.budget(), recursion.orElse(null), depth);
        // As in Jinja, 'else' also runs where no iteration came to the end of the body.
        boolean runsElse = true;
        while (loop.hasNext()) {
            scope.budget().step();
            Scope iteration = scope.inner(frame.unset());
            Object item = loop.next();
            target.assign(item, iteration);
            iteration.set("loop", loop);
            int begin = scope.run().output().length();
            Flow flow = body.run(iteration);
            if (item instanceof Dict dict && dict.turn() > 0) {
                scope.run().output().turn(begin, dict.turn());
            }
            if (flow == Flow.BREAK) {
                break;
            }
            runsElse &= flow == Flow.CONTINUE;
        }
        return runsElse ? otherwise.run(scope.inner(ofElse.unset())) : Flow.NEXT;
    }

    private boolean isSelected(Object item, Scope scope) {
        Scope inner = scope.inner(ofTest.unset());
        target.assign(item, inner);
        return Values.isTrue(test.orElseThrow().value(inner));
    }

    @Override
    public void names(Names names) {
        iterable.names(names);
    }

    @Override
    public void frames(Names around) {
        Names inner = new Names(around);
        inner.parameter("loop");
        target.parameter(inner);
        body.names(inner);
        frame.unset(inner);
        body.frames(inner);
        Names other = new Names(around);
        otherwise.names(other);
        ofElse.unset(other);
        otherwise.frames(other);
        if (test.isPresent()) {
            Names ofTests = new Names(around);
            target.parameter(ofTests);
            test.get().names(ofTests);
            ofTest.unset(ofTests);
        }
    }
}
