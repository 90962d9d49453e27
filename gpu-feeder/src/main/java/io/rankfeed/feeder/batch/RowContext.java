package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.Rejections;
import java.util.function.Supplier;

/**
 * The objects that columns of images and texts need in addition to rows.
 *
 * @param workers shared by the process; asked for only where there are images
 * @param rejections receives the rows that are fed as zeros or empty
 * @param stages receives the times of the stages
 */
public record RowContext(Supplier<ImageWorkers> workers, Rejections rejections, StageTable stages) {
    /** Creates a context whose times nobody reads. */
    public RowContext(Supplier<ImageWorkers> workers, Rejections rejections) {
        this(workers, rejections, new StageTable());
    }

    /** Creates a context for plans without images; rejections are not logged. */
    public static RowContext withoutImages() {
        return new RowContext(
                () -> {
                    throw new IllegalStateException("no images were planned");
                },
                new Rejections(line -> {}));
    }
}
