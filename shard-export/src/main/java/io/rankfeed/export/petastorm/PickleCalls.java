package io.rankfeed.export.petastorm;

import io.rankfeed.export.petastorm.PickleNode.Instance;
import io.rankfeed.export.petastorm.PickleNode.Mapping;
import io.rankfeed.export.petastorm.PickleNode.Name;
import io.rankfeed.export.petastorm.PickleNode.Nothing;
import io.rankfeed.export.petastorm.PickleNode.Sequence;
import io.rankfeed.export.petastorm.PickleNode.Text;
import io.rankfeed.export.petastorm.PickleNode.Tuple;
import java.util.ArrayList;
import java.util.List;

/** Converts the calls in a pickle of a Unischema into nodes; no call is made. One object serves one pickle. */
final class PickleCalls {
    /** The members of a UnischemaField, in the order of its tuple. */
    static final List<String> FIELD = List.of("name", "numpy_dtype", "shape", "codec", "nullable");

    /** Pairs of all ordered dicts together: a list that is recalled would otherwise be copied without end. */
    private static final int MAX_PAIRS = 1 << 16;

    private int pairs;

    /** Handles both REDUCE and NEWOBJ. @throws PickleDamage if the call does not make a part of a Unischema */
    PickleNode call(int at, PickleNode callee, PickleNode arguments) throws PickleDamage {
        if (!(callee instanceof Name name) || !(arguments instanceof Tuple args)) {
            throw new PickleDamage(at, "calls what is not a class");
        }
        if (name.equals(PickleNames.RECONSTRUCTOR)) {
            return reconstructed(at, args.items());
        } else if (name.equals(PickleNames.RESTORE)) {
            return restored(at, args.items());
        } else if (name.equals(PickleNames.ORDERED_DICT)) {
            return orderedDict(at, args.items());
        } else if (name.equals(PickleNames.FIELD)) {
            return field(at, args.items());
        } else if (PickleNames.isStateful(name) && args.items().isEmpty()) {
            return new Instance(name, List.of());
        }
        throw refused(at, name);
    }

    void build(int at, PickleNode built, PickleNode state) throws PickleDamage {
        if (!(built instanceof Instance instance)
                || !PickleNames.isStateful(instance.of())
                || !(state instanceof Mapping mapping)) {
            throw new PickleDamage(at, "gives a state to what has none");
        }
        instance.build(mapping);
    }

    /** {@code copyreg._reconstructor(class, base, state)}: protocols 0 and 1. */
    private static PickleNode reconstructed(int at, List<PickleNode> args) throws PickleDamage {
        if (args.size() == 3 && args.get(0) instanceof Name of) {
            boolean plain = args.get(1).equals(PickleNames.OBJECT) && args.get(2) == Nothing.NONE;
            if (plain && PickleNames.isStateful(of)) {
                return new Instance(of, List.of());
            } else if (args.get(1).equals(PickleNames.TUPLE)
                    && of.equals(PickleNames.FIELD)
                    && args.get(2) instanceof Sequence values) {
                return field(at, values.items());
            }
            throw refused(at, of);
        }
        throw refused(at, PickleNames.RECONSTRUCTOR);
    }

    /** {@code pyspark.serializers._restore(name, members, values)}: Spark's way with named tuples. */
    private static PickleNode restored(int at, List<PickleNode> args) throws PickleDamage {
        if (args.size() == 3
                && args.get(0) instanceof Text type
                && type.value().equals(PickleNames.FIELD.name())
                && args.get(1) instanceof Sequence members
                && args.get(2) instanceof Sequence values
                && members.items().size() == FIELD.size()
                && values.items().size() == FIELD.size()) {
            List<String> names = new ArrayList<>();
            for (PickleNode member : members.items()) {
                names.add(member instanceof Text text ? text.value() : "");
            }
            List<PickleNode> ordered = new ArrayList<>();
            for (String member : FIELD) {
                int found = names.indexOf(member);
                if (found < 0) {
                    throw refused(at, PickleNames.RESTORE);
                }
                ordered.add(values.items().get(found));
            }
            return field(at, ordered);
        }
        throw refused(at, PickleNames.RESTORE);
    }

    private PickleNode orderedDict(int at, List<PickleNode> args) throws PickleDamage {
        Mapping mapping = new Mapping();
        if (args.isEmpty()) {
            return mapping;
        }
        if (args.size() != 1 || !(args.get(0) instanceof Sequence items)) {
            throw refused(at, PickleNames.ORDERED_DICT);
        }
        pairs += items.items().size();
        if (pairs > MAX_PAIRS) {
            throw new PickleDamage(at, "has more than " + MAX_PAIRS + " pairs");
        }
        for (PickleNode item : items.items()) {
            if (!(item instanceof Sequence pair) || pair.items().size() != 2) {
                throw refused(at, PickleNames.ORDERED_DICT);
            }
            mapping.put(pair.items().get(0), pair.items().get(1));
        }
        return mapping;
    }

    private static Instance field(int at, List<PickleNode> values) throws PickleDamage {
        if (values.size() != FIELD.size()) {
            throw refused(at, PickleNames.FIELD);
        }
        return new Instance(PickleNames.FIELD, values);
    }

    private static PickleDamage refused(int at, Name name) {
        return new PickleDamage(at, "calls " + name + " as no Unischema does");
    }
}
