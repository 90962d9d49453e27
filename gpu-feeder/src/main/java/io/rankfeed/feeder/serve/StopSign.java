package io.rankfeed.feeder.serve;

/** What a session's own thread looks at between two batches; set by others. It only ever gets more urgent. */
final class StopSign {
    /** How a session is to stop. */
    enum Wish {
        NONE,
        /** Tell the client that nothing more comes. */
        DRAIN,
        /** As if the client had gone. */
        END
    }

    private volatile Wish wish = Wish.NONE;

    Wish wish() {
        return wish;
    }

    synchronized void raise(Wish wanted) {
        if (wanted.compareTo(wish) > 0) {
            wish = wanted;
        }
    }
}
