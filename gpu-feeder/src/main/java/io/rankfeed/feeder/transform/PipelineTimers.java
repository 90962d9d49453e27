package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.timing.ReadTimer;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimer;
import io.rankfeed.feeder.transform.step.Step;
import java.util.List;
import java.util.Locale;

/** The timers of a pipeline, one for each of its steps. Steps of one kind share one, also those of other pipelines of the feed. */
public final class PipelineTimers {
    final ReadTimer reads;
    final StageTimer pixels;
    private final List<StageTimer> steps;

    public PipelineTimers(BoundPipeline bound, StageTable stages) {
        reads = new ReadTimer(stages);
        pixels = stages.stage(Stage.ASSEMBLE.id());
        steps = bound.pipeline().steps().stream()
                .map(step -> stages.stage(name(step)))
                .toList();
    }

    /** Creates timers that nobody reads, for any pipeline. */
    private PipelineTimers() {
        StageTable stages = new StageTable();
        reads = new ReadTimer(stages);
        pixels = stages.stage(Stage.ASSEMBLE.id());
        steps = List.of();
    }

    static PipelineTimers unread() {
        return new PipelineTimers();
    }

    StageTimer step(int index) {
        return index < steps.size() ? steps.get(index) : pixels;
    }

    /** As in a feed file, with underscores: {@code random_crop}. */
    private static String name(Step step) {
        return step.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }
}
