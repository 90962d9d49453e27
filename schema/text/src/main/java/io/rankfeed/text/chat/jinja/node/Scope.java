package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.Budget;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.Undefined;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a frame: the template, one iteration of a loop, a call of a macro, the body of a block. Variables end
 * with their frame, and a frame sees those of the frames around it.
 */
public final class Scope {
    /** The value of a variable that is set later in the frame. It hides the variable of the caller with its name. */
    private enum Mark {
        UNSET
    }

    private final Run run;
    private final @Nullable Scope around;
    private final Map<String, Object> values = new HashMap<>();

    private Scope(Run run, @Nullable Scope around) {
        this.run = run;
        this.around = around;
    }

    public static Scope of(Run run, Set<String> unset) {
        return new Scope(run, null).hide(unset);
    }

    /** @param unset names that {@link Names} found to have no value when the frame begins */
    public Scope inner(Set<String> unset) {
        return new Scope(run, this).hide(unset);
    }

    private Scope hide(Set<String> unset) {
        unset.forEach(name -> values.put(name, Mark.UNSET));
        return this;
    }

    public Run run() {
        return run;
    }

    public Budget budget() {
        return run.budget();
    }

    public void set(String name, Object value) {
        values.put(name, value);
    }

    public Object get(String name) {
        Object value = find(name);
        return value == null ? new Undefined("'" + name + "'") : value;
    }

    private @Nullable Object find(String name) {
        for (Scope scope = this; scope != null; scope = scope.around) {
            Object value = scope.values.get(name);
            if (value != null) {
                return value == Mark.UNSET ? null : value;
            }
        }
        return run.variable(name);
    }
}
