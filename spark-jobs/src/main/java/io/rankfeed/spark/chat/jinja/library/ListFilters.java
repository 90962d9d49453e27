package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.Function;
import io.rankfeed.spark.chat.jinja.value.Group;
import io.rankfeed.spark.chat.jinja.value.Lazy;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.Operators;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.Run;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The filters of lists and mappings. */
public final class ListFilters {
    private static final String NAMED = "case_sensitive=False attribute=None";

    private ListFilters() {}

    public static Map<String, Function> all() {
        Map<String, Function> all = new HashMap<>();
        all.put("list", of("list", "value", (bound, run) -> Items.of(bound, run).list()));
        all.put("items", of("items", "value", (bound, run) -> items(bound)));
        all.put("first", of("first", "value", (bound, run) -> {
            Iterator<Object> items = Values.items(bound.get("value"), run.budget());
            return items.hasNext() ? items.next() : new Undefined("the first item of nothing");
        }));
        all.put("last", of("last", "value", (bound, run) -> {
            Object value = bound.get("value");
            if (value instanceof Lazy) {
                throw TemplateError.of("last: a generator has no last item; write |list before it");
            }
            List<Object> items = Items.of(bound, run).list();
            return items.isEmpty() ? new Undefined("the last item of nothing") : items.get(items.size() - 1);
        }));
        all.put("reverse", of("reverse", "value", ListFilters::reverse));
        all.put("sort", of("sort", "value reverse=False " + NAMED, ListFilters::sort));
        all.put("unique", of("unique", "value " + NAMED, ListFilters::unique));
        all.put("min", of("min", "value " + NAMED, (bound, run) -> extreme(bound, run, "<")));
        all.put("max", of("max", "value " + NAMED, (bound, run) -> extreme(bound, run, ">")));
        all.put("sum", of("sum", "value attribute=None start=0", ListFilters::sum));
        all.put("groupby", of("groupby", "value attribute default=None case_sensitive=False", ListFilters::groups));
        all.put("dictsort", of("dictsort", "value case_sensitive=False by='key' reverse=False", ListFilters::sorted));
        all.put("batch", of("batch", "value linecount fill_with=None", ListFilters::batches));
        all.put("slice", of("slice", "value slices fill_with=None", ListFilters::slices));
        all.put("map", ListFilters::map);
        all.put("select", (arguments, run) -> select("select", arguments, run));
        all.put("reject", (arguments, run) -> select("reject", arguments, run));
        all.put("selectattr", (arguments, run) -> select("selectattr", arguments, run));
        all.put("rejectattr", (arguments, run) -> select("rejectattr", arguments, run));
        return all;
    }

    private static Function of(String name, String parameters, Filters.Filter filter) {
        return Filters.filter(name, parameters, filter);
    }

    /** An iterator that looks at nothing before its first item is asked for. */
    private static Lazy deferred(Supplier<Iterator<Object>> items) {
        return Lazy.mapped(
                new Iterator<>() {
                    private final List<Iterator<Object>> made = new ArrayList<>(1);

                    private Iterator<Object> made() {
                        if (made.isEmpty()) {
                            made.add(items.get());
                        }
                        return made.get(0);
                    }

                    @Override
                    public boolean hasNext() {
                        return made().hasNext();
                    }

                    @Override
                    public Object next() {
                        return made().next();
                    }
                },
                item -> item);
    }

    private static Object items(Arguments.Bound bound) {
        Object value = bound.get("value");
        return deferred(() -> {
            if (value instanceof Undefined) {
                return Collections.emptyIterator();
            } else if (value instanceof Dict dict) {
                return dict.items().iterator();
            }
            throw bound.wrong("value", "a mapping");
        });
    }

    private static Object reverse(Arguments.Bound bound, Run run) {
        Object value = bound.get("value");
        List<Object> items = Items.of(bound, run).list();
        Collections.reverse(items);
        if (value instanceof Text text) {
            Text.Builder out = new Text.Builder();
            items.forEach(item -> out.append((Text) item));
            return text.isSafe() ? out.text().safe() : out.text();
        }
        return value instanceof Lazy ? items : Lazy.of(items);
    }

    private static Object sort(Arguments.Bound bound, Run run) {
        Comparator<Object> order = Items.order(bound.flag("reverse"), run.budget());
        Object attribute = bound.get("attribute");
        List<Object> paths = attribute instanceof Text text ? PythonStr.split(text, ",", -1) : List.of(attribute);
        List<Items.Key> keys = paths.stream()
                .map(path -> new Items.Key(path, None.NONE, bound.isTrue("case_sensitive"), run.budget()))
                .toList();
        return sortedBy(
                Items.of(bound, run).list(),
                item -> new ArrayList<>(keys.stream().map(key -> key.of(item)).toList()),
                order);
    }

    private static List<Object> sortedBy(
            List<Object> items, java.util.function.Function<Object, Object> key, Comparator<Object> order) {
        List<Object[]> keyed = new ArrayList<>(items.size());
        items.forEach(item -> keyed.add(new Object[] {key.apply(item), item}));
        try {
            keyed.sort((a, b) -> order.compare(a[0], b[0]));
        } catch (IllegalArgumentException e) {
            throw TemplateError.unsupported("sorting values that have no order, such as NaN,");
        }
        return new ArrayList<>(keyed.stream().map(pair -> pair[1]).toList());
    }

    private static Object unique(Arguments.Bound bound, Run run) {
        Items.Key key = key(bound, run, "attribute");
        Set<Object> seen = new HashSet<>();
        return deferred(() -> Lazy.filtered(Values.items(bound.get("value"), run.budget()), item -> {
            run.budget().elements(4);
            return seen.add(Dict.normal(key.of(item)));
        }));
    }

    private static Items.Key key(Arguments.Bound bound, Run run, String attribute) {
        return new Items.Key(bound.get(attribute), None.NONE, bound.isTrue("case_sensitive"), run.budget());
    }

    private static Object extreme(Arguments.Bound bound, Run run, String operator) {
        Items.Key key = key(bound, run, "attribute");
        List<Object> items = Items.of(bound, run).list();
        if (items.isEmpty()) {
            return new Undefined("the least or greatest item of nothing");
        }
        Object found = items.get(0);
        Object best = key.of(found);
        for (Object item : items.subList(1, items.size())) {
            Object value = key.of(item);
            if (Values.isOrdered(operator, value, best, run.budget())) {
                found = item;
                best = value;
            }
        }
        return found;
    }

    private static Object sum(Arguments.Bound bound, Run run) {
        Object total = bound.get("start");
        if (total instanceof Text) {
            throw bound.wrong("start", "no text");
        }
        for (Object item : Items.of(bound, run).values(bound.get("attribute"))) {
            run.budget().step();
            total = Operators.operate("+", total, item, run.budget());
        }
        return total;
    }

    private static Object groups(Arguments.Bound bound, Run run) {
        boolean isCaseSensitive = bound.isTrue("case_sensitive");
        Items.Key key = new Items.Key(bound.get("attribute"), bound.get("default"), isCaseSensitive, run.budget());
        Items.Key shown = new Items.Key(bound.get("attribute"), bound.get("default"), true, run.budget());
        List<Object> items = sortedBy(Items.of(bound, run).list(), key::of, Items.order(false, run.budget()));
        List<Object> groups = new ArrayList<>();
        for (int i = 0; i < items.size(); ) {
            int end = i + 1;
            while (end < items.size() && Values.isEqual(key.of(items.get(i)), key.of(items.get(end)), run.budget())) {
                end++;
            }
            groups.add(new Group(shown.of(items.get(i)), new ArrayList<>(items.subList(i, end))));
            i = end;
        }
        return groups;
    }

    private static Object sorted(Arguments.Bound bound, Run run) {
        if (!(bound.get("value") instanceof Dict dict)) {
            throw bound.wrong("value", "a mapping");
        }
        String by = bound.text("by").toString();
        if (!by.equals("key") && !by.equals("value")) {
            throw TemplateError.of("dictsort: by must be 'key' or 'value'");
        }
        Items.Key key =
                new Items.Key(by.equals("key") ? 0L : 1L, None.NONE, bound.isTrue("case_sensitive"), run.budget());
        return sortedBy(dict.items(), key::of, Items.order(bound.flag("reverse"), run.budget()));
    }

    private static Object batches(Arguments.Bound bound, Run run) {
        return deferred(() -> {
            int count = bound.index("linecount");
            List<Object> items = Items.of(bound, run).list();
            List<Object> batches = new ArrayList<>();
            // A count below 0 gives one batch, as no batch ever has so many items, and 0 an empty one before it.
            if (count == 0 && !items.isEmpty()) {
                batches.add(new ArrayList<>());
            }
            int size = count <= 0 ? Math.max(1, items.size()) : count;
            for (int i = 0; i < items.size(); i += size) {
                List<Object> batch = new ArrayList<>(items.subList(i, Math.min(items.size(), i + size)));
                run.budget().elements(8L + Math.max(0, count));
                while (!bound.isNone("fill_with") && batch.size() < count) {
                    batch.add(bound.get("fill_with"));
                }
                batches.add(batch);
            }
            return batches.iterator();
        });
    }

    private static Object slices(Arguments.Bound bound, Run run) {
        return deferred(() -> {
            List<Object> items = Items.of(bound, run).list();
            int count = bound.index("slices");
            if (count == 0) {
                throw TemplateError.of("slice: division by zero");
            }
            run.budget().elements(Math.max(0, count));
            int most = Math.floorMod(items.size(), count);
            int size = Math.floorDiv(items.size(), count);
            List<Object> slices = new ArrayList<>();
            int begin = 0;
            for (int i = 0; i < count; i++) {
                int end = begin + size + (i < most ? 1 : 0);
                List<Object> slice = new ArrayList<>(items.subList(begin, end));
                if (!bound.isNone("fill_with") && i >= most) {
                    slice.add(bound.get("fill_with"));
                }
                slices.add(slice);
                begin = end;
            }
            return slices.iterator();
        });
    }

    private static Object map(Arguments arguments, Run run) {
        Object value = first(arguments);
        Arguments rest = arguments.from(1);
        return deferred(() -> {
            if (!Values.isTrue(value)) {
                return Collections.emptyIterator();
            }
            Iterator<Object> items = Values.items(value, run.budget());
            if (rest.positional().isEmpty()) {
                Arguments.Bound bound = rest.bind("map", "attribute default=None");
                Items.Key key = new Items.Key(bound.get("attribute"), bound.get("default"), true, run.budget());
                return Lazy.mapped(items, key::of);
            }
            Object name = rest.positional().get(0);
            return Lazy.mapped(items, item -> {
                run.budget().step();
                return Filters.named(name(name)).call(rest.from(1).after(item), run);
            });
        });
    }

    private static String name(Object name) {
        if (name instanceof Text text) {
            return text.toString();
        }
        throw TemplateError.of("the name of a filter or test must be a text");
    }

    private static Object first(Arguments arguments) {
        if (arguments.positional().isEmpty() || arguments.named().containsKey("value")) {
            throw TemplateError.of("a filter needs one value");
        }
        return arguments.positional().get(0);
    }

    private static Object select(String filter, Arguments arguments, Run run) {
        boolean isKept = filter.startsWith("select");
        boolean ofAttribute = filter.endsWith("attr");
        Object value = first(arguments);
        Arguments rest = arguments.from(1);
        return deferred(() -> {
            if (!Values.isTrue(value)) {
                return Collections.emptyIterator();
            } else if (ofAttribute && rest.positional().isEmpty()) {
                throw TemplateError.of(filter + ": the name of the attribute is missing");
            }
            int at = ofAttribute ? 1 : 0;
            Object path = ofAttribute ? rest.positional().get(0) : None.NONE;
            Items.Key key = new Items.Key(path, None.NONE, true, run.budget());
            boolean hasTest = rest.positional().size() > at;
            if (!hasTest && !rest.named().isEmpty()) {
                throw TemplateError.unsupported(filter + " with arguments and without a test");
            }
            return Lazy.filtered(Values.items(value, run.budget()), item -> {
                run.budget().step();
                Object seen = key.of(item);
                Object held = hasTest
                        ? Tests.named(name(rest.positional().get(at)))
                                .call(rest.from(at + 1).after(seen), run)
                        : seen;
                return Values.isTrue(held) == isKept;
            });
        });
    }
}
