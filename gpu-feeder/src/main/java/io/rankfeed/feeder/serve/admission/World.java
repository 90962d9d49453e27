package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.Refusal;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The world size of a run: set at the start, or taken from the first client and kept while a client is attached. */
public final class World {
    private final OptionalInt said;
    private int current;
    private int clients;

    public World(OptionalInt said) {
        this.said = said;
        current = said.orElse(0);
    }

    /**
     * Adds a client.
     *
     * @param lanes number of lanes of the feed that it asks for
     * @throws Refusal if clients of another world are attached, or the world does not divide the lanes
     */
    public synchronized void enter(int world, int lanes) {
        if (lanes % world != 0) {
            throw new Refusal(
                    ErrorCode.WRONG_WORLD,
                    "world " + world + " does not divide the plan's " + lanes + " lanes; train with one of "
                            + divisors(lanes) + " ranks, or plan or export again with other lanes");
        }
        boolean fixed = said.isPresent() || clients > 0;
        if (fixed && world != current) {
            throw new Refusal(
                    ErrorCode.WRONG_WORLD,
                    "world " + world + ", but this run is fed for a world of " + current
                            + (said.isPresent() ? " (--world)" : " as long as its clients are attached"));
        }
        current = world;
        clients++;
    }

    public synchronized void leave() {
        clients--;
        notifyAll();
    }

    /** Whether clients of another world size are attached, which may leave; false if {@code --world} is set, because it does not change. */
    public synchronized boolean isHeldAgainst(int world) {
        return said.isEmpty() && clients > 0 && world != current;
    }

    /** Waits until a client leaves, at most for {@code timeoutNanos}. */
    public synchronized void awaitLeave(long timeoutNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, timeoutNanos);
    }

    /** Lists the world sizes that divide a number of lanes, for a message. */
    public static String divisors(int lanes) {
        return IntStream.rangeClosed(1, lanes)
                .filter(world -> lanes % world == 0)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }
}
