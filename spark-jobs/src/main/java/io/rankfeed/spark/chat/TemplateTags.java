package io.rankfeed.spark.chat;

import com.hubspot.jinjava.el.ext.NamedParameter;
import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.objects.Namespace;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;

/** Tags and functions of chat templates that the engine does not have, or has without limits. Public for the engine alone. */
public final class TemplateTags {
    /** Characters that no text has: noncharacters of Unicode. */
    static final char BEGIN = '\uFDD0';

    static final char END = '\uFDD1';

    /** When the current rendering must end, of {@link System#nanoTime}. */
    static final ThreadLocal<Long> DEADLINE = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

    static final String REFUSAL = "the template refuses it: ";

    private TemplateTags() {}

    /** Ends a rendering that takes too long. */
    static void requireTime() {
        if (System.nanoTime() > DEADLINE.get()) {
            throw new InterpretException("the template takes too long");
        }
    }

    /** {@code generation}: what is in it is the assistant's. */
    static final class Generation implements Tag {
        private static final long serialVersionUID = 1L;

        @Override
        public String getName() {
            return "generation";
        }

        @Override
        public String interpret(TagNode tag, JinjavaInterpreter interpreter) {
            StringBuilder out = new StringBuilder().append(BEGIN);
            for (Node child : tag.getChildren()) {
                out.append(child.render(interpreter).getValue());
            }
            return out.append(END).toString();
        }
    }

    /** {@code namespace(name=value, …)}. */
    public static Object namespace(Object... named) {
        Namespace namespace = new Namespace();
        for (Object one : named) {
            if (!(one instanceof NamedParameter parameter)) {
                throw new InterpretException("namespace: write name=value");
            }
            namespace.put(parameter.getName(), parameter.getValue());
        }
        return namespace;
    }

    /** {@code raise_exception(message)}: the template refuses the conversation. */
    @SuppressWarnings("DoNotCallSuggester")
    public static Object refuse(Object message) {
        throw new InterpretException(REFUSAL + message);
    }
}
