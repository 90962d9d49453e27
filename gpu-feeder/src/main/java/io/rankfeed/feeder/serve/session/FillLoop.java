package io.rankfeed.feeder.serve.session;

import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.ring.SlotFacts;
import io.rankfeed.feeder.serve.admission.Attachment;
import io.rankfeed.feeder.serve.admission.ReadAhead;
import io.rankfeed.feeder.serve.protocol.Deadlines;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.feeder.serve.protocol.Refusal;
import io.rankfeed.feeder.serve.protocol.Wire;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimer;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Feed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Runs a session after its WELCOME: one thread takes back released slots, fills free slots and hands them over, across
 * epochs, until the run ends or either side does. The life of a slot is docs/format/ring.md, section 5.
 */
final class FillLoop implements Wire.Receiver {
    private static final long FLUSH_NANOS = 500_000_000L;
    private static final long PAUSE_MILLIS = ReadAhead.MAX_PAUSE_NANOS / 1_000_000;

    private final Attachment attachment;
    private final Wire wire;
    private final StopRequest stop;
    private final Deadlines deadlines;
    private final Session.Reception reception;
    private final RingSegment segment;
    private final SlotLedger ledger;
    private final SlotSizes sizes;
    private final long totalSteps;
    private final StageTimer slotWaits;
    private final StageTimer fills;
    private long nextStep;
    private long blockedSince;
    private long nextSequence = 1;
    private int stream;
    private boolean isEosSent;
    private boolean isBye;
    private String clientError = "";
    private volatile boolean isAttached;

    /** @param reception is called when a client resumes (it attaches first and sends its step afterwards), and when a stage begins */
    FillLoop(Attachment attachment, Wire wire, StopRequest stop, Deadlines deadlines, Session.Reception reception) {
        this.attachment = attachment;
        this.wire = wire;
        this.stop = stop;
        this.deadlines = deadlines;
        this.reception = reception;
        segment = attachment.segment();
        ledger = new SlotLedger(segment.layout().slots());
        sizes = new SlotSizes(segment.layout().columns());
        totalSteps = attachment.facts().totalSteps();
        nextStep = attachment.hello().step();
        StageTable stages = attachment.source().stages();
        slotWaits = stages.stage(Stage.WAIT_SLOT.id());
        fills = stages.stage(Stage.FILL.id());
    }

    int slots() {
        return segment.layout().slots();
    }

    long clientPid() {
        return attachment.hello().pid();
    }

    boolean isClientDead() {
        return isAttached && !segment.isClientLocked();
    }

    /**
     * Runs until the end.
     *
     * @return why it ended; empty after BYE
     * @throws IOException if the client was killed
     * @throws Refusal if the client broke the protocol
     */
    String run() throws IOException {
        try {
            return runToEnd();
        } catch (InternalError | CorruptDataException e) {
            // The JVM reports a lost page late, as a failure of a later read or write, so the segment is checked first.
            if (segment.isTruncated()) {
                throw new Refusal(
                        ErrorCode.SEGMENT,
                        "segment " + segment.file()
                                + " was truncated by another process while it was in use; restart the"
                                + " trainer, and make sure that nothing else writes to the file");
            }
            throw e;
        }
    }

    private String runToEnd() throws IOException {
        long deadline = System.nanoTime() + deadlines.attachedNanos();
        while (stop.mode() == StopRequest.Mode.NONE) {
            if (!wire.isBackedUp() && !wire.receive(this)) {
                return "the trainer closed without BYE";
            }
            if (isBye || !clientError.isEmpty()) {
                return clientError;
            }
            if (!isAttached) {
                wire.awaitUntil(deadline, deadlines.missingAttached());
            } else {
                try {
                    if (wire.isBackedUp() || !handOver()) {
                        wire.await(ledger.hasFree() && nextStep < totalSteps ? PAUSE_MILLIS : 0);
                    }
                } catch (IOException e) {
                    // Frames that a client sent before it closed can still be read: a BYE has the number of batches
                    // that it took.
                    wire.receive(this);
                    if (!isBye && clientError.isEmpty()) {
                        throw e;
                    }
                }
            }
        }
        if (stop.mode() == StopRequest.Mode.DRAIN) {
            wire.send(FrameType.DRAIN, 0, stream, 0);
            wire.flushWithin(FLUSH_NANOS);
            return "";
        }
        return "it was replaced by the rank's next client";
    }

    /** Fills and hands over one batch, or the end of the feed. Returns false if there is nothing to do. */
    private boolean handOver() throws IOException {
        if (nextStep < totalSteps) {
            if (!ledger.hasFree() || isFarAhead()) {
                blockedSince = blockedSince == 0 ? System.nanoTime() : blockedSince;
                return false;
            }
            int slot = ledger.next();
            long begun = System.nanoTime();
            slotWaits.record(blockedSince == 0 ? 0 : begun - blockedSince);
            blockedSince = 0;
            int rows = fill(slot);
            long filled = System.nanoTime();
            fills.record(filled - begun, sizes.usedBytes());
            ledger.lend(nextSequence, stream, rows);
            wire.send(FrameType.READY, slot, stream, nextSequence);
            attachment.facts().stageThatBegins(nextStep).ifPresent(stage -> reception.began(attachment, stage));
            nextSequence++;
            nextStep++;
            attachment.meter().ready(filled);
            return true;
        }
        if (isEosSent) {
            return false;
        }
        wire.send(FrameType.EOS, 0, stream, nextSequence);
        isEosSent = true;
        return true;
    }

    private boolean isFarAhead() {
        return ledger.lentCount() > attachment.readAhead().batches()
                && (blockedSince == 0 || System.nanoTime() - blockedSince < ReadAhead.MAX_PAUSE_NANOS);
    }

    private int fill(int slot) {
        Feed feed = attachment.facts().feed();
        segment.begin(slot, nextSequence);
        int rows = attachment.source().fill(nextStep, segment.slot(slot), sizes);
        int epoch = feed.epochAt(nextStep);
        int step = (int) (nextStep - feed.epochStart(epoch));
        segment.end(slot, nextSequence, new SlotFacts(nextStep, epoch, step, rows, stream), sizes);
        return rows;
    }

    @Override
    public void frame(FrameType type, int slot, int arg, long token) {
        if (isBye) {
            throw new Refusal(ErrorCode.PROTOCOL, type + " after BYE");
        }
        if (type == FrameType.BYE) {
            bye(arg);
        } else if (type == FrameType.ATTACHED && !isAttached) {
            isAttached = true;
            attachment.meter().attached(nextStep);
        } else if (type == FrameType.RELEASE && isAttached) {
            release(slot, arg, token);
        } else if (type == FrameType.SEEK && isAttached) {
            seek(arg, token);
        } else {
            throw new Refusal(
                    ErrorCode.PROTOCOL,
                    type + (isAttached ? " after ATTACHED" : " before ATTACHED") + " is not the client's to send");
        }
    }

    @Override
    public void payload(FrameType type, long token, byte[] utf8) {
        if (type != FrameType.ERROR) {
            throw new Refusal(ErrorCode.PROTOCOL, "a second " + type);
        }
        clientError = "the trainer reported " + new String(utf8, StandardCharsets.UTF_8);
    }

    private void release(int slot, int releasedStream, long sequence) {
        int rows = ledger.release(slot, releasedStream, sequence);
        if (releasedStream == stream) {
            attachment.meter().taken(rows, System.nanoTime());
        }
    }

    private void seek(int newStream, long step) {
        if (newStream != stream + 1) {
            throw new Refusal(ErrorCode.PROTOCOL, "SEEK to stream " + newStream + " after stream " + stream);
        }
        if (step < 0 || step > totalSteps) {
            throw new Refusal(ErrorCode.PROTOCOL, "SEEK to step " + step + "; steps are 0 to " + totalSteps);
        }
        if (stream == 0 && step != 0) {
            reception.note(this + " continues at step " + step);
        }
        stream = newStream;
        nextStep = step;
        isEosSent = false;
        attachment.meter().sought(step);
    }

    private void bye(int batchesHeld) {
        isBye = true;
        SlotLedger.LentRows kept = ledger.oldestLent(stream, batchesHeld);
        attachment.meter().takenAtEnd(kept.steps(), kept.rows(), System.nanoTime());
    }

    @Override
    public String toString() {
        return attachment.key() + " (pid " + attachment.hello().pid() + ")";
    }
}
