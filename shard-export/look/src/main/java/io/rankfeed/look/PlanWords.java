package io.rankfeed.look;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of commands that read a version by a plan over it. */
public class PlanWords {
    @Option(
            names = "--plan",
            paramLabel = "PLAN",
            description = "A plan over the version: its name, its id, or its path. Default: the version's own plan.")
    private Optional<String> plan = Optional.empty();

    /** The plan as the user wrote it; empty for the version's own. */
    public Optional<String> written() {
        return plan;
    }
}
