package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.serve.admission.Attachment;
import io.rankfeed.feeder.serve.admission.FeedStage;
import io.rankfeed.feeder.serve.protocol.Deadlines;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.feeder.serve.protocol.Hello;
import io.rankfeed.feeder.serve.protocol.Refusal;
import io.rankfeed.feeder.serve.protocol.Wire;
import io.rankfeed.feeder.serve.protocol.WireBuffers;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection of one trainer, on a thread of its own: HELLO, WELCOME, then the fill loop until either side ends.
 * Whatever goes wrong here ends this connection and no other.
 */
public final class Session implements Runnable {
    private static final long FLUSH_NANOS = 500_000_000L;
    private static final int MAX_ERROR_CHARS = 4000;

    private final Wire wire;
    private final int socketRank;
    private final Reception reception;
    private final Deadlines deadlines;
    private final StopRequest stop = new StopRequest();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable FillLoop loop;
    private volatile boolean isGreeted;
    private final long openedNanos = System.nanoTime();

    /** The part of the server in a session. */
    interface Reception {
        /**
         * Checks a HELLO and creates the source and the segment that it needs.
         *
         * @throws Refusal if it cannot be served
         */
        Attachment admit(Session session, int socketRank, Hello hello);

        byte[] welcome(Attachment attachment);

        /** Ends a session that was admitted; the attachment belongs to the server again. */
        void retire(Session session, Attachment attachment);

        /** Logs that a stage of the plan begins with the batch that was just handed over. */
        void began(Attachment attachment, FeedStage stage);

        /** Logs a line for the user. */
        void note(String line);

        /** Reports that the connection is closed. */
        void closed(Session session, String what, String why);
    }

    public Session(SocketChannel channel, int socketRank, Reception reception, WireBuffers buffers, Deadlines deadlines)
            throws IOException {
        this.wire = new Wire(channel, buffers);
        this.socketRank = socketRank;
        this.reception = reception;
        this.deadlines = deadlines;
    }

    /** Requests a stop of the session; any thread may call this. */
    public void stop(StopRequest.Mode wish) {
        stop.raise(wish);
        wire.wakeup();
    }

    /** Waits until the session is over; returns false after the timeout. */
    public boolean awaitOver(long timeoutNanos) throws InterruptedException {
        return over.await(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Closes the connection of a session that will not run. */
    public void abandon() {
        close("");
    }

    /** The time at which the connection was opened, on the clock of {@link System#nanoTime}. */
    public long openedNanos() {
        return openedNanos;
    }

    public int socketRank() {
        return socketRank;
    }

    /** Whether a HELLO was received. */
    public boolean isGreeted() {
        return isGreeted;
    }

    /**
     * Whether the client has attached and no live process holds its lock; a fork of a dead client may keep the socket
     * open.
     */
    boolean isClientDead() {
        FillLoop mine = loop;
        return mine != null && mine.isClientDead();
    }

    /** The pid that the client reported, for a message; empty before the client was admitted. */
    String clientPidNote() {
        FillLoop mine = loop;
        return mine == null ? "" : " (pid " + mine.clientPid() + ")";
    }

    @Override
    public void run() {
        String why = "";
        try {
            why = serve();
        } catch (Refusal e) {
            why = refuse(e.code(), e.text());
        } catch (RankfeedException e) {
            why = refuse(ErrorCode.of(e), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            why = "the trainer ended (" + e.getMessage() + ")";
        } catch (RuntimeException | Error e) {
            // A defect must not take the other ranks along.
            StackTraceElement[] trace = e.getStackTrace();
            why = refuse(ErrorCode.INTERNAL, "defect: " + e + (trace.length > 0 ? " at " + trace[0] : ""));
        } finally {
            close(why);
        }
    }

    private String serve() throws IOException {
        Greeting greeting = new Greeting();
        Hello hello = greeting.hello();
        long deadline = openedNanos + deadlines.helloNanos();
        while (hello == null) {
            if (stop.mode() != StopRequest.Mode.NONE || !wire.receive(greeting)) {
                return "";
            }
            hello = greeting.hello();
            if (hello == null) {
                wire.awaitUntil(deadline, deadlines.missingHello());
            }
        }
        isGreeted = true;
        Attachment attachment = reception.admit(this, socketRank, hello);
        FillLoop mine = new FillLoop(attachment, wire, stop, deadlines, reception);
        loop = mine;
        try {
            wire.sendLongPayload(
                    FrameType.WELCOME,
                    mine.slots(),
                    FrameType.PROTOCOL_VERSION,
                    reception.welcome(attachment),
                    System.nanoTime() + deadlines.attachedNanos(),
                    deadlines.missingAttached());
            return mine.run();
        } finally {
            reception.retire(this, attachment);
        }
    }

    private String refuse(ErrorCode code, String message) {
        String shown = message.length() <= MAX_ERROR_CHARS ? message : message.substring(0, MAX_ERROR_CHARS) + "…";
        try {
            wire.sendPayload(FrameType.ERROR, 0, code.exitCode(), Payloads.error(code, shown));
            wire.flushWithin(FLUSH_NANOS);
        } catch (IOException e) {
            return code.id() + ": " + shown + " (and the trainer ended)";
        }
        return code.id() + ": " + shown;
    }

    private void close(String why) {
        FillLoop mine = loop;
        try (wire) {
            over.countDown();
        } catch (IOException e) {
            // The descriptor is gone either way, and nobody waits for its last bytes.
        }
        reception.closed(this, mine == null ? "a client of rank " + socketRank : mine.toString(), why);
    }
}
