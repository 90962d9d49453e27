package io.rankfeed.export.petastorm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value out of a pickle: data alone. A name is two strings, an instance a name with what its pickle says of it. Nodes
 * may contain themselves (a pickle can be written so), hence they are compared by identity and never walked blindly.
 */
sealed interface PickleNode {
    enum Nothing implements PickleNode {
        NONE
    }

    record Flag(boolean value) implements PickleNode {}

    record Whole(long value) implements PickleNode {}

    record Text(String value) implements PickleNode {}

    /** A class or function by its name. */
    record Name(String module, String name) implements PickleNode {
        @Override
        public String toString() {
            return module + "." + name;
        }
    }

    /** A list or a tuple. */
    sealed interface Sequence extends PickleNode {
        List<PickleNode> items();
    }

    /** Cannot be added to. */
    final class Tuple implements Sequence {
        private final List<PickleNode> items;

        Tuple(List<PickleNode> items) {
            this.items = List.copyOf(items);
        }

        @Override
        public List<PickleNode> items() {
            return items;
        }
    }

    /** A list, to which items can be added. */
    final class Listing implements Sequence {
        private final List<PickleNode> items;

        Listing(List<PickleNode> items) {
            this.items = new ArrayList<>(items);
        }

        @Override
        public List<PickleNode> items() {
            return items;
        }
    }

    /** A dict or an OrderedDict, in the order of the pickle; a key that is set again keeps both entries, the last one counts. */
    final class Mapping implements PickleNode {
        record Entry(PickleNode key, PickleNode value) {}

        private final List<Entry> entries = new ArrayList<>();

        void put(PickleNode key, PickleNode value) {
            entries.add(new Entry(key, value));
        }

        List<Entry> entries() {
            return entries;
        }

        /** The value of a text key, or null. */
        @Nullable
        PickleNode find(String key) {
            for (int i = entries.size() - 1; i >= 0; i--) {
                if (entries.get(i).key() instanceof Text text && text.value().equals(key)) {
                    return entries.get(i).value();
                }
            }
            return null;
        }
    }

    /** The node of an object of a class, which is not created: its arguments and, once it is built, its state. */
    final class Instance implements PickleNode {
        private final Name of;
        private final List<PickleNode> args;
        private Mapping state = new Mapping();

        Instance(Name of, List<PickleNode> args) {
            this.of = of;
            this.args = List.copyOf(args);
        }

        Name of() {
            return of;
        }

        List<PickleNode> args() {
            return args;
        }

        Mapping state() {
            return state;
        }

        void build(Mapping built) {
            state = built;
        }
    }
}
