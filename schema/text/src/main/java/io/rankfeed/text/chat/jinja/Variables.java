package io.rankfeed.text.chat.jinja;

import io.rankfeed.text.chat.jinja.library.Functions;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** The variables of a template. */
public final class Variables {
    /** Exclusive. */
    public static final int MAX_SOURCE = Text.MAX_MARK;

    private final Map<String, Object> values = new HashMap<>();

    /**
     * Sets a variable.
     *
     * @param json a text, a number, a boolean, a list, a mapping, or null for None
     */
    public Variables set(String name, @Nullable Object json) {
        values.put(name, Values.of(json));
        return this;
    }

    /**
     * Sets the conversation. A span of the result knows its turn where the template loops over the messages.
     *
     * @param sources the source of the texts in a member of message n, by the member's name and n, from 0; less than
     *     {@link #MAX_SOURCE}
     */
    public Variables setMessages(List<Map<String, Object>> messages, ToIntBiFunction<String, Integer> sources) {
        List<Object> list = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            int number = i;
            Dict message = new Dict(Math.min(number + 1, MAX_SOURCE - 1));
            messages.get(i)
                    .forEach((name, value) ->
                            message.put(Values.of(name), Values.of(value, sources.applyAsInt(name, number))));
            list.add(message);
        }
        values.put("messages", list);
        return this;
    }

    /** Sets the day whose midnight {@code strftime_now} formats. */
    public Variables setDate(LocalDate date) {
        values.put("strftime_now", Functions.dateFunction(date));
        return this;
    }

    public Map<String, Object> values() {
        return values;
    }
}
