package io.rankfeed.text.chat.jinja.node;

import java.util.Set;

/** What {@link Names} found of a frame: the names that it sets and that have no value when it begins. */
public final class Frame {
    private Set<String> unset = Set.of();

    public void unset(Names names) {
        unset = names.unset();
    }

    public Set<String> unset() {
        return unset;
    }
}
