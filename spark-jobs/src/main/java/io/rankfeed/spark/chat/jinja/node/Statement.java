package io.rankfeed.spark.chat.jinja.node;

import java.util.List;

/** A node that does something. */
public abstract class Statement {
    public abstract Flow run(Scope scope);

    /** Tells which names it reads and sets in the frame that it is in. */
    public void names(Names names) {}

    /** Looks, when the names of the frame that it is in are known, for those of the frames that it opens. */
    public void frames(Names frame) {}

    /** Statements one after the other. */
    public static final class Body extends Statement {
        private final List<Statement> statements;

        public Body(List<Statement> statements) {
            this.statements = statements;
        }

        @Override
        public Flow run(Scope scope) {
            for (Statement statement : statements) {
                scope.budget().step();
                Flow flow = statement.run(scope);
                if (flow != Flow.NEXT) {
                    return flow;
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
