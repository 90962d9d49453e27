package io.rankfeed.feeder.transform;

import java.util.ArrayDeque;

/**
 * A pool of workers, one per thread that transforms images at the same time, created when first needed. Safe for use by several
 * threads.
 */
public final class ImageWorkers implements AutoCloseable {
    private final CanvasMaker maker;
    private final DecodeBudget budget;
    private final ArrayDeque<ImageWorker> idle = new ArrayDeque<>();

    /** @param budget of all workers together */
    public ImageWorkers(CanvasMaker maker, DecodeBudget budget) {
        this.maker = maker;
        this.budget = budget;
    }

    /** A worker that is not in use and whose times nobody reads; give it back after use. */
    public ImageWorker take() {
        return take(PipelineTimers.unread());
    }

    /**
     * A worker that is not in use; give it back after use.
     *
     * @param timers of the pipeline that it is for
     */
    public ImageWorker take(PipelineTimers timers) {
        ImageWorker worker;
        synchronized (idle) {
            worker = idle.poll();
        }
        if (worker == null) {
            return new ImageWorker(maker.make(), budget, timers);
        }
        worker.timedBy(timers);
        return worker;
    }

    public void giveBack(ImageWorker worker) {
        synchronized (idle) {
            idle.push(worker);
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(ImageWorker::close);
            idle.clear();
        }
    }
}
