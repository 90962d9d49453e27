package io.rankfeed.text.chat.jinja.node;

import java.util.Set;

/**
 * A frame of a template, with the names that it sets and that have no value when it begins. {@link Names} finds them.
 */
public final class Frame {
    private Set<String> unset = Set.of();

    public void unset(Names names) {
        unset = names.unset();
    }

    public Set<String> unset() {
        return unset;
    }
}
