package io.rankfeed.feeder.governor;

/**
 * The settings that a governor changes.
 *
 * @param workers threads that help with a batch
 * @param readAhead batches that are ready ahead of a trainer
 */
public record Tuning(int workers, int readAhead) {
    Tuning withWorkers(int number) {
        return new Tuning(number, readAhead);
    }

    Tuning withReadAhead(int batches) {
        return new Tuning(workers, batches);
    }
}
