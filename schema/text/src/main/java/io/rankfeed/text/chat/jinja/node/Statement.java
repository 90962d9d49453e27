package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.List;

/** A node that does something. */
public interface Statement {
    Flow run(Scope scope);

    /** Tells which names it reads and sets in the frame that it is in. */
    default void names(Names names) {}

    /** Looks, when the names of the frame that it is in are known, for those of the frames that it opens. */
    default void frames(Names frame) {}

    /**
     * Statements one after the other.
     *
     * @param lines of the statements, for messages
     */
    record Body(List<Statement> statements, List<Integer> lines) implements Statement {
        public static final Body EMPTY = new Body(List.of(), List.of());

        @Override
        public Flow run(Scope scope) {
            for (int i = 0; i < statements.size(); i++) {
                try {
                    scope.budget().step();
                    Flow flow = statements.get(i).run(scope);
                    if (flow != Flow.NEXT) {
                        return flow;
                    }
                } catch (TemplateError e) {
                    throw e.at(lines.get(i));
                }
            }
            return Flow.NEXT;
        }

        @Override
        public void names(Names names) {
            statements.forEach(statement -> statement.names(names));
        }

        @Override
        public void frames(Names frame) {
            statements.forEach(statement -> statement.frames(frame));
        }
    }
}
