package io.rankfeed.text.chat.jinja.node;

import java.util.List;

/** A node that has a value. */
public interface Expression {
    Object value(Scope scope);

    /** The expressions within, in the order in which Jinja's compiler visits them. */
    default List<Expression> parts() {
        return List.of();
    }

    /** Tells which names it reads. */
    default void names(Names names) {
        parts().forEach(part -> part.names(names));
    }
}
