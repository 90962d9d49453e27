package io.rankfeed.text.chat.jinja.value;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One evaluation of a template: its variables, its budget, and the output so far. */
public final class Run {
    private final Map<String, Object> variables;
    private final Budget budget = new Budget();
    private Text.Builder output = new Text.Builder();

    public Run(Map<String, Object> variables) {
        this.variables = variables;
    }

    public @Nullable Object variable(String name) {
        return variables.get(name);
    }

    public Budget budget() {
        return budget;
    }

    public void write(Text text) {
        budget.allocate(text.length() + 16L);
        output.append(text);
    }

    public Text.Builder output() {
        return output;
    }

    /** Runs statements, and returns the text that they write instead of appending it to the output. */
    public Text captured(Runnable statements) {
        Text.Builder before = output;
        output = new Text.Builder();
        try {
            statements.run();
            return output.text();
        } finally {
            output = before;
        }
    }
}
