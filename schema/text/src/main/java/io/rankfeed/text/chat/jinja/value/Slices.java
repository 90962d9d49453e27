package io.rankfeed.text.chat.jinja.value;

import java.util.ArrayList;
import java.util.List;

/** {@code begin:end:step} of a subscript; {@link None} for what is omitted. */
public record Slices(Object begin, Object end, Object step) {
    public Object of(Object value, Budget budget) {
        if (!(value instanceof Text || value instanceof List)) {
            throw TemplateError.of("a value of type " + Values.typeName(value) + " has no slices");
        }
        int length = (int) Values.length(value);
        int by = step == None.NONE ? 1 : Numbers.index(step);
        if (by == 0) {
            throw TemplateError.of("the step of a slice is zero");
        }
        int from = bound(begin, by > 0 ? 0 : length - 1, length, by);
        int to = bound(end, by > 0 ? length : -1, length, by);
        long span = by > 0 ? (long) to - from : (long) from - to;
        int count = (int) Math.max(0, -Math.floorDiv(-span, Math.abs((long) by)));
        budget.elements(value instanceof Text && by == 1 ? count / 8 : value instanceof Text ? 8L * length : count);
        if (value instanceof Text text) {
            return PythonStr.sliced(text, count == 0 ? 0 : from, count, by);
        } else if (value instanceof Range range) {
            return range.sliced(from, to, by);
        }
        List<?> list = (List<?>) value;
        List<Object> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(list.get(from + i * by));
        }
        return value instanceof Tuple ? new Tuple(items) : items;
    }

    private static int bound(Object given, int otherwise, int length, int step) {
        if (given == None.NONE) {
            return otherwise;
        }
        int index = Numbers.index(given);
        int fromStart = index < 0 ? index + length : index;
        int lowest = step > 0 ? 0 : -1;
        return Math.max(lowest, Math.min(fromStart, step > 0 ? length : length - 1));
    }
}
