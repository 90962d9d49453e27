package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Budget;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Function;
import io.rankfeed.text.chat.jinja.value.Group;
import io.rankfeed.text.chat.jinja.value.Namespace;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.Range;
import io.rankfeed.text.chat.jinja.value.Slices;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code value.name} and {@code value[key]}: attributes come first for one, items for the other, as in Jinja's sandbox. */
public final class Attributes {
    private Attributes() {}

    public static Object attribute(Object object, String name) {
        Values.requireDefined(object);
        Object attribute = own(object, name);
        if (attribute != null) {
            return attribute;
        }
        Object item = object instanceof Dict dict ? dict.get(name) : null;
        return item == null ? missing(object, Text.of(name)) : item;
    }

    /** Returns the attribute; an item of the same name is ignored. */
    public static Object only(Object object, String name) {
        Values.requireDefined(object);
        Object attribute = own(object, name);
        return attribute == null ? missing(object, Text.of(name)) : attribute;
    }

    public static Object item(Object object, Object key, Budget budget) {
        Values.requireDefined(object);
        if (key instanceof Slices slice) {
            return slice.of(object, budget);
        }
        Object item = itemOrNull(object, key);
        if (item == null && key instanceof Text name) {
            item = own(object, name.toString());
        }
        return item == null ? missing(object, key) : item;
    }

    private static @Nullable Object itemOrNull(Object object, Object key) {
        if (object instanceof Dict dict) {
            try {
                return dict.get(key);
            } catch (TemplateError e) {
                return null;
            }
        } else if (Numbers.integer(key) == null || !(object instanceof Text || object instanceof List)) {
            return null;
        }
        int length = (int) Values.length(object);
        int index = Numbers.index(key);
        int at = index < 0 ? index + length : index;
        if (at < 0 || at >= length) {
            return null;
        }
        return object instanceof Text text ? PythonStr.sliced(text, at, 1, 1) : ((List<?>) object).get(at);
    }

    /** An attribute of Python's object; null where it has none, an error where the sandbox forbids it. */
    private static @Nullable Object own(Object object, String name) {
        if (name.startsWith("_")) {
            return null;
        } else if (object instanceof Namespace space) {
            return space.attributes().get(name);
        } else if (object instanceof Function function) {
            return function.attribute(name);
        } else if (object instanceof Group group && name.equals("grouper")) {
            return group.get(0);
        } else if (object instanceof Group group && name.equals("list")) {
            return group.get(1);
        } else if (object instanceof Text text) {
            if (text.isSafe()) {
                throw TemplateError.unsupported("the attribute '" + name + "' of a safe text");
            }
            return Methods.OF_TEXTS.method(object, name);
        } else if (object instanceof Dict) {
            return Methods.OF_DICTS.method(object, name);
        } else if (object instanceof Tuple || object instanceof Range) {
            return Methods.OF_TUPLES.method(object, name);
        } else if (object instanceof List) {
            return Methods.OF_LISTS.method(object, name);
        }
        return Numbers.isNumber(object) ? Methods.OF_NUMBERS.method(object, name) : null;
    }

    private static Undefined missing(Object object, Object key) {
        String shown = key instanceof Text || Numbers.isNumber(key) ? key.toString() : Values.typeName(key);
        return new Undefined("'" + shown + "' of a value of type " + Values.typeName(object));
    }
}
