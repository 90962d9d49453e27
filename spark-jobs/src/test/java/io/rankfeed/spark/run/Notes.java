package io.rankfeed.spark.run;

import java.util.ArrayList;
import java.util.List;

/** Keeps the notes of a job. */
public record Notes(List<String> lines) implements Progress {
    public Notes() {
        this(new ArrayList<>());
    }

    @Override
    public void phase(String name) {}

    @Override
    public void note(String line) {
        lines.add(line);
    }

    @Override
    public void detail(String line) {}

    @Override
    public void debug(String line) {
        lines.add(line);
    }

    @Override
    public void ended() {}
}
