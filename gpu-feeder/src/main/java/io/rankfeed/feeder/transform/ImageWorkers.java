package io.rankfeed.feeder.transform;

import java.util.ArrayDeque;

/** The workers of a process: as many as threads work at once, each made when it is first needed. Safe for use by several threads. */
public final class ImageWorkers implements AutoCloseable {
    private final CanvasMaker maker;
    private final ArrayDeque<ImageWorker> idle = new ArrayDeque<>();

    public ImageWorkers(CanvasMaker maker) {
        this.maker = maker;
    }

    /** One that is not in use; to be given back. */
    public ImageWorker take() {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
        }
        return new ImageWorker(maker.make());
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
