package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.Namespace;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.List;

/** The left side of an assignment. */
public interface Target {
    void assign(Object value, Scope scope);

    /** Refuses, before the value is computed, what cannot be assigned to. */
    default void check(Scope scope) {}

    void store(Names names);

    default void parameter(Names names) {
        store(names);
    }

    record Variable(String name) implements Target {
        @Override
        public void assign(Object value, Scope scope) {
            scope.set(name, value);
        }

        @Override
        public void store(Names names) {
            names.store(name);
        }

        @Override
        public void parameter(Names names) {
            names.parameter(name);
        }
    }

    /** An attribute of a namespace. */
    record Attribute(String space, String name) implements Target {
        @Override
        public void check(Scope scope) {
            if (!(scope.get(space) instanceof Namespace)) {
                throw TemplateError.of("'" + space + "' is not a namespace, so '" + name + "' of it cannot be set");
            }
        }

        @Override
        public void assign(Object value, Scope scope) {
            ((Namespace) scope.get(space)).set(name, value);
        }

        @Override
        public void store(Names names) {
            names.read(space);
        }
    }

    /** A list of targets; the value must have as many items. */
    record Unpacked(List<Target> targets) implements Target {
        @Override
        public void check(Scope scope) {
            targets.forEach(target -> target.check(scope));
        }

        @Override
        public void assign(Object value, Scope scope) {
            Values.requireDefined(value);
            List<Object> items = Values.list(value, scope.budget());
            if (items.size() != targets.size()) {
                throw TemplateError.of(items.size() + " values cannot be assigned to " + targets.size() + " names");
            }
            for (int i = 0; i < items.size(); i++) {
                targets.get(i).assign(items.get(i), scope);
            }
        }

        @Override
        public void store(Names names) {
            targets.forEach(target -> target.store(names));
        }

        @Override
        public void parameter(Names names) {
            targets.forEach(target -> target.parameter(names));
        }
    }
}
