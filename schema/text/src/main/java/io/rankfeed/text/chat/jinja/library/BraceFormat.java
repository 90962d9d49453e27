package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Budget;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Repr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code 'text'.format(…)} with fields such as {@code {}}, {@code {0}}, {@code {name.key[1]!r}}; without format specs. */
public final class BraceFormat {
    private static final Pattern FIELD = Pattern.compile("\\{\\{|\\}\\}|\\{([^{}:!]*)(?:!([rs]))?(?::(d)?)?\\}|[{}]");
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]]+)|\\[([^\\]]+)\\]");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final Arguments arguments;
    private final Budget budget;
    private int next;
    private boolean isNumbered;

    public BraceFormat(Arguments arguments, Budget budget) {
        this.arguments = arguments;
        this.budget = budget;
    }

    public Text format(Text format) {
        Text.Builder out = new Text.Builder();
        Matcher matcher = FIELD.matcher(format.toString());
        int begin = 0;
        while (matcher.find()) {
            out.append(format, begin, matcher.start());
            begin = matcher.end();
            if (matcher.group().equals("{{") || matcher.group().equals("}}")) {
                out.append(matcher.group().charAt(0));
            } else if (matcher.group(1) == null) {
                throw TemplateError.unsupported("a format specification or a single brace in the method 'format'");
            } else {
                Object value = value(matcher.group(1));
                if (matcher.group(3) != null && Numbers.integer(value) == null) {
                    throw TemplateError.of("the format ':d' cannot write a value of type " + Values.typeName(value));
                } else if (matcher.group(3) != null && value instanceof Boolean) {
                    value = Numbers.narrow(java.math.BigInteger.valueOf((boolean) value ? 1 : 0));
                }
                Text written = "r".equals(matcher.group(2))
                        ? new Repr(budget).of(value)
                        : plain(value, matcher.group(2) != null);
                budget.allocate(written.length());
                out.append(written);
            }
        }
        budget.allocate(format.length());
        return out.append(format, begin, format.length()).text();
    }

    private Text plain(Object value, boolean isConverted) {
        if (!isConverted && value instanceof Undefined undefined) {
            throw undefined.error();
        }
        return Values.text(value, budget);
    }

    private Object value(String field) {
        int end = 0;
        while (end < field.length() && field.charAt(end) != '.' && field.charAt(end) != '[') {
            end++;
        }
        Object value = first(field.substring(0, end));
        Matcher step = STEP.matcher(field).region(end, field.length());
        while (end < field.length()) {
            if (!step.region(end, field.length()).lookingAt()) {
                throw TemplateError.of("invalid field '" + field + "' of the method 'format'");
            }
            String key = step.group(2);
            value = key == null
                    ? Attributes.attribute(value, step.group(1))
                    : Attributes.item(value, NUMBER.matcher(key).matches() ? Long.valueOf(key) : Text.of(key), budget);
            end = step.end();
        }
        return value;
    }

    private Object first(String name) {
        if (name.isEmpty() || NUMBER.matcher(name).matches()) {
            if (next > 0 && name.isEmpty() == isNumbered) {
                throw TemplateError.of("the method 'format' requires numbers in all fields or in none");
            }
            isNumbered = !name.isEmpty();
            int index = name.isEmpty() ? next : Integer.parseInt(name);
            next++;
            if (index >= arguments.positional().size()) {
                throw TemplateError.of("missing argument " + index + " of the method 'format'");
            }
            return arguments.positional().get(index);
        }
        Object value = arguments.named().get(name);
        if (value == null) {
            throw TemplateError.of("missing argument '" + name + "' of the method 'format'");
        }
        return value;
    }
}
