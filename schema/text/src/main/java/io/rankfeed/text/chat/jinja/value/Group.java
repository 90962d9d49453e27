package io.rankfeed.text.chat.jinja.value;

import java.util.List;

/** A group of {@code groupby}: a tuple of a value, {@code grouper}, and the {@code list} of the items that have it. */
public final class Group extends Tuple {
    public Group(Object grouper, List<Object> items) {
        super(List.of(grouper, items));
    }
}
