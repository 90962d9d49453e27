package io.rankfeed.text.chat.jinja.value;

import org.jspecify.annotations.Nullable;

/** A value that can be called: a function, a method of a value, a macro. */
public interface Function {
    Object call(Arguments arguments, Run run);

    /** An attribute of it; null where it has none of this name. */
    default @Nullable Object attribute(String name) {
        return null;
    }
}
