package io.rankfeed.text.chat.jinja.value;

/**
 * A value that is missing: it is false, empty, and written as nothing; every other use is an error.
 *
 * @param what for messages, such as {@code 'tools'}
 */
public record Undefined(String what) {
    public TemplateError error() {
        return TemplateError.of(what + " is undefined");
    }

    /** Python compares the types alone. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Undefined;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
