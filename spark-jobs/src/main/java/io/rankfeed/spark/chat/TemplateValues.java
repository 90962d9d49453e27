package io.rankfeed.spark.chat;

import com.hubspot.jinjava.el.ext.JinjavaBeanELResolver;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.util.ForLoop;
import java.beans.FeatureDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELResolver;
import jinjava.javax.el.MethodNotFoundException;
import jinjava.javax.el.PropertyNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * What an expression of a template reaches: items of mappings, lists and strings, the loop, and a few methods of Python. No property or
 * method of a Java object.
 */
final class TemplateValues extends ELResolver {
    /** Only for the engine's own filters and tests. */
    private final JinjavaBeanELResolver engine = new JinjavaBeanELResolver();

    private static boolean isOfEngine(Object base) {
        return base instanceof Filter || base instanceof ExpTest;
    }

    @Override
    public @Nullable Object getValue(ELContext context, @Nullable Object base, Object property) {
        if (base == null) {
            return null;
        } else if (isOfEngine(base)) {
            return engine.getValue(context, base, property);
        }
        context.setPropertyResolved(true);
        if (base instanceof Map<?, ?> map) {
            return map.get(String.valueOf(property));
        } else if (base instanceof List<?> list) {
            int at = index(property, list.size());
            return at < 0 ? null : list.get(at);
        } else if (base instanceof CharSequence text) {
            int at = index(property, text.length());
            return at < 0 ? null : String.valueOf(text.charAt(at));
        } else if (base instanceof ForLoop loop) {
            return of(loop, String.valueOf(property));
        }
        throw new PropertyNotFoundException("no property '" + property + "' in templates");
    }

    /** −1 where there is none; Python's negative indices count from the end. */
    private static int index(Object property, int size) {
        long number;
        try {
            number = property instanceof Number given ? given.longValue() : Long.parseLong(String.valueOf(property));
        } catch (NumberFormatException e) {
            return -1;
        }
        long at = number < 0 ? number + size : number;
        return at >= 0 && at < size ? (int) at : -1;
    }

    private static Object of(ForLoop loop, String property) {
        return switch (property) {
            case "index" -> (long) loop.getIndex();
            case "index0" -> (long) loop.getIndex0();
            case "revindex" -> (long) loop.getRevindex();
            case "revindex0" -> (long) loop.getRevindex0();
            case "first" -> loop.isFirst();
            case "last" -> loop.isLast();
            case "length" -> (long) loop.getLength();
            default -> throw new PropertyNotFoundException("loop." + property + " is unsupported");
        };
    }

    @Override
    public @Nullable Object invoke(
            ELContext context,
            @Nullable Object base,
            Object method,
            Class<?> @Nullable [] types,
            Object @Nullable [] arguments) {
        if (base == null) {
            throw new MethodNotFoundException("method '" + method + "' of nothing");
        } else if (isOfEngine(base)) {
            return engine.invoke(context, base, method, types, arguments);
        }
        context.setPropertyResolved(true);
        String name = String.valueOf(method);
        List<Object> given = arguments == null ? List.of() : Arrays.asList(arguments);
        try {
            if (base instanceof CharSequence text) {
                return PythonText.method(
                        text.toString(),
                        name,
                        given.stream().map(String::valueOf).toList());
            } else if (base instanceof Map<?, ?> map) {
                return ofMap(map, name, given);
            } else if (base instanceof List<?> list && name.equals("append") && given.size() == 1) {
                return append(list, given.get(0));
            }
        } catch (UnsupportedOperationException e) {
            throw new MethodNotFoundException("method '" + name + "' is unsupported", e);
        }
        throw new MethodNotFoundException("method '" + name + "' is unsupported");
    }

    private static @Nullable Object ofMap(Map<?, ?> map, String name, List<Object> given) {
        return switch (name + "/" + given.size()) {
            case "items/0" -> {
                List<List<Object>> items = new ArrayList<>();
                map.forEach((key, value) -> items.add(Arrays.asList(key, value)));
                yield items;
            }
            case "keys/0" -> new ArrayList<Object>(map.keySet());
            case "values/0" -> new ArrayList<Object>(map.values());
            case "get/1" -> map.get(given.get(0));
            case "get/2" -> map.containsKey(given.get(0)) ? map.get(given.get(0)) : given.get(1);
            default -> throw new UnsupportedOperationException(name);
        };
    }

    /** Of a list that the template made; those of the conversation cannot be changed. */
    @SuppressWarnings("unchecked")
    private static @Nullable Object append(List<?> list, @Nullable Object item) {
        ((List<Object>) list).add(item);
        return null;
    }

    @Override
    public Class<?> getType(ELContext context, @Nullable Object base, Object property) {
        return Object.class;
    }

    @Override
    public void setValue(ELContext context, @Nullable Object base, Object property, @Nullable Object value) {
        throw new UnsupportedOperationException("templates cannot set " + Objects.toString(property));
    }

    @Override
    public boolean isReadOnly(ELContext context, @Nullable Object base, Object property) {
        return true;
    }

    @Override
    public Iterator<FeatureDescriptor> getFeatureDescriptors(ELContext context, @Nullable Object base) {
        return Collections.emptyIterator();
    }

    @Override
    public Class<?> getCommonPropertyType(ELContext context, @Nullable Object base) {
        return Object.class;
    }
}
