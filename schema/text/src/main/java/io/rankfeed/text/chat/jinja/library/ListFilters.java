package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Budget;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Group;
import io.rankfeed.text.chat.jinja.value.Lazy;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Operators;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.Run;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The filters of lists and mappings. */
final class ListFilters {
    private static final String NAMED = "case_sensitive=False attribute=None";
    private static final Parameters ATTRIBUTE = new Parameters("the filter 'map'", "attribute default=None");

    private ListFilters() {}

    static void addTo(Registry filters) {
        filters.add("list", "value", Arguments.Bound::items);
        filters.add("items", "value", ListFilters::items);
        filters.add("first", "value", bound -> {
            Iterator<Object> items = Values.items(bound.value(), bound.budget());
            return items.hasNext() ? items.next() : new Undefined("the first item of an empty value");
        });
        filters.add("last", "value", bound -> {
            if (bound.value() instanceof Lazy) {
                throw TemplateError.of("the filter 'last' cannot be applied to a generator; write |list before it");
            }
            List<Object> items = bound.items();
            if (items.isEmpty()) {
                return new Undefined("the last item of an empty value");
            }
            Object last = items.get(items.size() - 1);
            // Jinja takes it by its index, which keeps safe text safe; an iteration does not.
            return bound.value() instanceof Text text && text.isSafe() ? ((Text) last).safe() : last;
        });
        filters.add("reverse", "value", ListFilters::reverse);
        filters.add("sort", "value reverse=False " + NAMED, ListFilters::sort);
        filters.add("unique", "value " + NAMED, ListFilters::unique);
        filters.add("min", "value " + NAMED, bound -> extreme(bound, "<"));
        filters.add("max", "value " + NAMED, bound -> extreme(bound, ">"));
        filters.add("sum", "value attribute=None start=0", ListFilters::sum);
        filters.add("groupby", "value attribute default=None case_sensitive=False", ListFilters::groups);
        filters.add("dictsort", "value case_sensitive=False by='key' reverse=False", ListFilters::sorted);
        filters.add("batch", "value linecount fill_with=None", ListFilters::batches);
        filters.add("slice", "value slices fill_with=None", ListFilters::slices);
        filters.put("map", ListFilters::map);
        for (String name : List.of("select", "reject", "selectattr", "rejectattr")) {
            filters.put(name, (arguments, run) -> select(name, arguments, run));
        }
    }

    private static Object items(Arguments.Bound bound) {
        return new Lazy(() -> {
            if (bound.value() instanceof Undefined) {
                return Collections.emptyIterator();
            } else if (bound.value() instanceof Dict dict) {
                return dict.items().iterator();
            }
            throw bound.wrong("value", "a dict");
        });
    }

    private static Object reverse(Arguments.Bound bound) {
        List<Object> items = bound.items();
        Collections.reverse(items);
        if (bound.value() instanceof Text text) {
            Text.Builder out = new Text.Builder();
            items.forEach(item -> out.append((Text) item));
            return text.isSafe() ? out.text().safe() : out.text();
        }
        return bound.value() instanceof Lazy ? items : new Lazy(items::iterator);
    }

    private static Object sort(Arguments.Bound bound) {
        Object attribute = bound.get("attribute");
        List<Object> paths = attribute instanceof Text text ? PythonStr.split(text, ",", -1) : List.of(attribute);
        List<Key> keys = paths.stream()
                .map(path -> new Key(path, None.NONE, bound.isTrue("case_sensitive"), bound.budget()))
                .toList();
        return sortedBy(
                bound.items(),
                item -> new ArrayList<>(keys.stream().map(key -> key.of(item)).toList()),
                order(bound));
    }

    private static Comparator<Object> order(Arguments.Bound bound) {
        return Key.order(bound.index("reverse", Integer.SIZE) != 0, bound.budget());
    }

    private static List<Object> sortedBy(
            List<Object> items, java.util.function.Function<Object, Object> key, Comparator<Object> order) {
        List<Object[]> keyed = new ArrayList<>(items.size());
        items.forEach(item -> keyed.add(new Object[] {key.apply(item), item}));
        try {
            keyed.sort((a, b) -> order.compare(a[0], b[0]));
        } catch (IllegalArgumentException e) {
            throw TemplateError.unsupported("the sort of values without an order, such as NaN,");
        }
        return new ArrayList<>(keyed.stream().map(pair -> pair[1]).toList());
    }

    private static Object unique(Arguments.Bound bound) {
        Key key = Key.of(bound);
        Set<Object> seen = new HashSet<>();
        return Lazy.filtered(() -> Values.items(bound.value(), bound.budget()), item -> {
            bound.budget().elements(4);
            return seen.add(Dict.normal(key.of(item)));
        });
    }

    private static Object extreme(Arguments.Bound bound, String operator) {
        Key key = Key.of(bound);
        List<Object> items = bound.items();
        if (items.isEmpty()) {
            return new Undefined("the minimum or maximum of an empty value");
        }
        Object found = items.get(0);
        Object best = key.of(found);
        for (Object item : items.subList(1, items.size())) {
            Object value = key.of(item);
            if (Values.isOrdered(operator, value, best, bound.budget())) {
                found = item;
                best = value;
            }
        }
        return found;
    }

    private static Object sum(Arguments.Bound bound) {
        Object total = bound.get("start");
        if (total instanceof Text) {
            throw bound.wrong("start", "a number or a list");
        }
        for (Object item : Key.values(bound)) {
            bound.budget().step();
            total = Operators.operate("+", total, item, bound.budget());
        }
        return total;
    }

    private static Object groups(Arguments.Bound bound) {
        Budget budget = bound.budget();
        Key key = new Key(bound.get("attribute"), bound.get("default"), bound.isTrue("case_sensitive"), budget);
        Key shown = new Key(bound.get("attribute"), bound.get("default"), true, budget);
        List<Object> items = sortedBy(bound.items(), key::of, Key.order(false, budget));
        List<Object> groups = new ArrayList<>();
        for (int i = 0; i < items.size(); ) {
            int end = i + 1;
            while (end < items.size() && Values.isEqual(key.of(items.get(i)), key.of(items.get(end)), budget)) {
                end++;
            }
            groups.add(new Group(shown.of(items.get(i)), new ArrayList<>(items.subList(i, end))));
            i = end;
        }
        return groups;
    }

    private static Object sorted(Arguments.Bound bound) {
        if (!(bound.value() instanceof Dict dict)) {
            throw bound.wrong("value", "a dict");
        }
        long part = List.of("key", "value").indexOf(bound.text("by").toString());
        if (part < 0) {
            throw TemplateError.of("the argument 'by' of the filter 'dictsort' must be 'key' or 'value'");
        }
        Key key = new Key(part, None.NONE, bound.isTrue("case_sensitive"), bound.budget());
        return sortedBy(dict.items(), key::of, order(bound));
    }

    private static Object batches(Arguments.Bound bound) {
        return new Lazy(() -> {
            int count = bound.index("linecount");
            List<Object> items = bound.items();
            List<Object> batches = new ArrayList<>();
            // A count below 0 gives one batch, as no batch ever has so many items, and 0 an empty one before it.
            if (count == 0 && !items.isEmpty()) {
                batches.add(new ArrayList<>());
            }
            int size = count <= 0 ? Math.max(1, items.size()) : count;
            for (int i = 0; i < items.size(); i += size) {
                List<Object> batch = new ArrayList<>(items.subList(i, Math.min(items.size(), i + size)));
                bound.budget().elements(8L + Math.max(0, count));
                while (!bound.isNone("fill_with") && batch.size() < count) {
                    batch.add(bound.get("fill_with"));
                }
                batches.add(batch);
            }
            return batches.iterator();
        });
    }

    private static Object slices(Arguments.Bound bound) {
        return new Lazy(() -> {
            List<Object> items = bound.items();
            int count = bound.index("slices");
            if (count == 0) {
                throw TemplateError.of("the argument 'slices' of the filter 'slice' is 0");
            }
            bound.budget().elements(Math.max(0, count));
            int longer = Math.floorMod(items.size(), count);
            int size = Math.floorDiv(items.size(), count);
            List<Object> slices = new ArrayList<>();
            int begin = 0;
            for (int i = 0; i < count; i++) {
                int end = begin + size + (i < longer ? 1 : 0);
                List<Object> slice = new ArrayList<>(items.subList(begin, end));
                if (!bound.isNone("fill_with") && i >= longer) {
                    slice.add(bound.get("fill_with"));
                }
                slices.add(slice);
                begin = end;
            }
            return slices.iterator();
        });
    }

    private static Object map(Arguments arguments, Run run) {
        Object value = first("map", arguments);
        Arguments rest = arguments.from(1);
        return new Lazy(() -> {
            if (!Values.isTrue(value)) {
                return Collections.emptyIterator();
            }
            Supplier<Iterator<Object>> items = () -> Values.items(value, run.budget());
            if (rest.positional().isEmpty()) {
                Arguments.Bound bound = ATTRIBUTE.bind(rest, run);
                return Lazy.mapped(
                        items, new Key(bound.get("attribute"), bound.get("default"), true, run.budget())::of);
            }
            return Lazy.mapped(items, item -> {
                run.budget().step();
                return Filters.ALL.named(name(rest)).call(rest.from(1).after(item), run);
            });
        });
    }

    /** The name of a filter or test among the arguments. */
    private static String name(Arguments arguments) {
        if (arguments.positional().get(0) instanceof Text text) {
            return text.toString();
        }
        throw TemplateError.of("the name of a filter or test must be a str");
    }

    private static Object first(String filter, Arguments arguments) {
        if (arguments.positional().isEmpty() || arguments.named().containsKey("value")) {
            throw TemplateError.of("the filter '" + filter + "' has no argument 'value'");
        }
        return arguments.positional().get(0);
    }

    private static Object select(String filter, Arguments arguments, Run run) {
        boolean ofAttribute = filter.endsWith("attr");
        Object value = first(filter, arguments);
        List<Object> given = arguments.positional();
        Arguments rest = arguments.from(ofAttribute ? 2 : 1);
        return new Lazy(() -> {
            if (!Values.isTrue(value)) {
                return Collections.emptyIterator();
            } else if (ofAttribute && given.size() == 1) {
                throw TemplateError.of("the filter '" + filter + "' requires the name of an attribute");
            }
            Key key = new Key(ofAttribute ? given.get(1) : None.NONE, None.NONE, true, run.budget());
            boolean hasTest = !rest.positional().isEmpty();
            if (!hasTest && !rest.named().isEmpty()) {
                throw TemplateError.unsupported("the filter '" + filter + "' with arguments and without a test");
            }
            return Lazy.filtered(() -> Values.items(value, run.budget()), item -> {
                run.budget().step();
                Object seen = key.of(item);
                Object held =
                        hasTest ? Tests.ALL.named(name(rest)).call(rest.from(1).after(seen), run) : seen;
                return Values.isTrue(held) == filter.startsWith("select");
            });
        });
    }
}
