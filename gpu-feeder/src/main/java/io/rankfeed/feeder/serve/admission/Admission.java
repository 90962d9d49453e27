package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.MemoryBudget;
import io.rankfeed.feeder.ring.RingIdentity;
import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.RingSegment;
import io.rankfeed.feeder.ring.SegmentName;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.Hello;
import io.rankfeed.feeder.serve.protocol.Refusal;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.Suggestion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Checks what a HELLO asks for and makes source and segment for it; every refusal has its code here. */
public final class Admission {
    private final Catalog catalog;
    private final ServeSettings settings;
    private final Rendezvous rendezvous;
    private final SharedMemory memory;
    private final String rendezvousHash;
    private final MemoryBudget budget;
    private final ReadAhead readAhead;
    private final long chosenBytes;
    private final Map<RankFeed, AtomicLong> generations = new ConcurrentHashMap<>();

    /** @param readAhead of every trainer */
    public Admission(
            Catalog catalog,
            ServeSettings settings,
            Rendezvous rendezvous,
            SharedMemory memory,
            MemoryBudget budget,
            ReadAhead readAhead) {
        this.catalog = catalog;
        this.settings = settings;
        this.rendezvous = rendezvous;
        this.memory = memory;
        this.budget = budget;
        this.readAhead = readAhead;
        chosenBytes = SpaceCheck.chosenBytes(settings, memory);
        rendezvousHash = SegmentName.hashOf(rendezvous.directory());
    }

    /** Checks a HELLO, except for its world and columns, and returns the feed that it asks for. */
    public FeedFacts check(int socketRank, Hello hello) {
        if (hello.plan().isPresent() && !hello.plan().get().equals(catalog.plan())) {
            throw new Refusal(
                    ErrorCode.WRONG_PLAN,
                    "plan " + hello.plan().get() + " is requested, run '" + rendezvous.run() + "' feeds plan "
                            + catalog.plan() + "; feed the requested plan, or resume from a cursor of this one");
        }
        if (hello.rank() != socketRank || hello.rank() >= hello.world()) {
            throw new Refusal(
                    ErrorCode.WRONG_RANK,
                    "rank " + hello.rank() + " of a world of " + hello.world() + " at the socket of rank "
                            + socketRank);
        }
        FeedFacts facts = catalog.feeds().stream()
                .filter(feed ->
                        feed.name().equals(hello.feed()) && settings.feeds().contains(feed.name()))
                .findFirst()
                .orElseThrow(() -> new Refusal(
                        ErrorCode.CONFIG,
                        "no feed '" + hello.feed() + "' here" + Suggestion.hint(hello.feed(), settings.feeds())));
        if (hello.step() > facts.totalSteps()) {
            throw new Refusal(
                    ErrorCode.PROTOCOL,
                    "HELLO asks for step " + hello.step() + "; feed '" + facts.name() + "' has steps 0 to "
                            + facts.totalSteps());
        }
        return facts;
    }

    /** Opens the batch source and makes the ring segment for a HELLO that passed {@link #check}. */
    public Attachment make(Hello hello, FeedFacts facts, Meter meter) {
        BatchSource source;
        try {
            source = catalog.open(facts.name(), hello.rank(), hello.world(), settings.resolved(hello));
        } catch (ConfigException e) {
            throw new Refusal(ErrorCode.BAD_COLUMN, e);
        }
        boolean isKept = false;
        try {
            long generation = generations
                    .computeIfAbsent(new RankFeed(hello.rank(), facts.name()), key -> new AtomicLong())
                    .incrementAndGet();
            RingSegment segment = segment(hello, facts, source, generation);
            source.stages().moveTo(segment.stageTable());
            isKept = true;
            return new Attachment(hello, facts, source, segment, generation, meter, readAhead);
        } finally {
            if (!isKept) {
                source.close();
            }
        }
    }

    /**
     * The slots of a ring: with a range of them as many as leave half of the memory free if every rank's feeds have such a ring.
     * Trainers may hold slots, so a ring that is made again is not smaller because fewer were read ahead.
     */
    private int slots(Hello hello, BatchSource source) {
        long rings = (long) settings.feeds().size() * Math.max(1, settings.ranksOf(hello.world()));
        int slots = settings.slots();
        while (slots > settings.minSlots()
                && RingLayout.of(slots, source.tensors(), source.slotBytes()).lengthBytes() > chosenBytes / rings) {
            slots = Math.max(settings.minSlots(), slots / 2 + 1);
        }
        return slots;
    }

    private RingSegment budgeted(SegmentName name, RingLayout layout, RingIdentity identity, BatchSource source) {
        budget.take(layout.lengthBytes(), "segment " + name.fileName() + " needs");
        boolean isMade = false;
        try {
            RingSegment segment = RingSegment.create(memory, name, layout, identity, source.tensors());
            isMade = true;
            return segment;
        } finally {
            if (!isMade) {
                budget.giveBack(layout.lengthBytes());
            }
        }
    }

    /** Returns the memory of an attachment whose segment is closed to the budget. */
    public void giveBack(Attachment attachment) {
        budget.giveBack(attachment.segment().layout().lengthBytes());
    }

    private RingSegment segment(Hello hello, FeedFacts facts, BatchSource source, long generation) {
        RingIdentity identity = new RingIdentity(
                catalog.plan(),
                catalog.version(),
                facts.name(),
                hello.rank(),
                hello.world(),
                source.maxRows(),
                generation);
        SegmentName name = new SegmentName(
                rendezvous.uid(),
                rendezvousHash,
                hello.rank(),
                facts.name(),
                ProcessHandle.current().pid(),
                generation);
        try {
            RingLayout layout = RingLayout.of(slots(hello, source), source.tensors(), source.slotBytes());
            return budgeted(name, layout, identity, source);
        } catch (EnvironmentException e) {
            throw new Refusal(ErrorCode.SHM_FULL, e);
        }
    }
}
