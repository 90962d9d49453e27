package io.rankfeed.feeder.serve.session;

import io.rankfeed.console.Log;
import io.rankfeed.feeder.serve.admission.Admission;
import io.rankfeed.feeder.serve.admission.Attachment;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.FeedFacts;
import io.rankfeed.feeder.serve.admission.FeedStage;
import io.rankfeed.feeder.serve.admission.Meter;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.serve.admission.SegmentQuarantine;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.World;
import io.rankfeed.feeder.serve.protocol.ErrorCode;
import io.rankfeed.feeder.serve.protocol.Hello;
import io.rankfeed.feeder.serve.protocol.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Keeps one session per rank and feed, decides between an old and a new client, and reclaims their segments. */
public final class SessionRegistry implements Session.Reception {
    /** The time to wait for a client that is disconnecting (docs/format/ring.md, section 6). */
    private static final long YIELD_NANOS = 2_000_000_000L;

    private static final long LOOK_NANOS = 20_000_000L;

    private final Catalog catalog;
    private final ServeSettings settings;
    private final Admission admission;
    private final World world;
    private final SegmentQuarantine quarantine;
    private final Log log;
    private final Map<RankFeed, Session> sessions = new ConcurrentHashMap<>();
    private final Map<RankFeed, Meter> meters = new ConcurrentSkipListMap<>();
    private final Map<RankFeed, StageHistory> stages = new ConcurrentHashMap<>();
    private final Map<RankFeed, Integer> worlds = new ConcurrentHashMap<>();

    public SessionRegistry(
            Catalog catalog, ServeSettings settings, Admission admission, SegmentQuarantine quarantine, Log log) {
        this.catalog = catalog;
        this.settings = settings;
        this.admission = admission;
        this.quarantine = quarantine;
        this.log = log;
        world = new World(settings.world());
    }

    @Override
    public Attachment admit(Session session, int socketRank, Hello hello) {
        FeedFacts facts = admission.check(socketRank, hello);
        RankFeed key = new RankFeed(hello.rank(), facts.name());
        claim(key, session);
        boolean isIn = false;
        boolean isKept = false;
        try {
            awaitWorld(hello.world());
            world.enter(hello.world(), catalog.lanes(facts.name()));
            isIn = true;
            quarantine.sweep();
            Meter meter = meters.computeIfAbsent(key, absent -> new Meter());
            Attachment attachment = admission.make(hello, facts, meter);
            worlds.put(key, hello.world());
            stages.computeIfAbsent(key, absent -> new StageHistory()).attached(attachment.segment());
            isKept = true;
            log.write(SessionEvents.attached(key, hello));
            return attachment;
        } finally {
            if (!isKept) {
                sessions.remove(key, session);
                if (isIn) {
                    world.leave();
                }
            }
        }
    }

    private void claim(RankFeed key, Session session) {
        long start = System.nanoTime();
        Session old = sessions.putIfAbsent(key, session);
        while (old != null) {
            endIfDead(old);
            if (System.nanoTime() - start > YIELD_NANOS) {
                throw new Refusal(
                        ErrorCode.BUSY,
                        key + " has a live client already" + old.clientPidNote()
                                + "; end it first, give each trainer a rank of its own (RANK), or feed this one under"
                                + " another --run");
            }
            pause(old::awaitOver);
            old = sessions.putIfAbsent(key, session);
        }
    }

    /**
     * Waits until no client of another world size is attached. A run that restarts with another world size may connect
     * before the ends of its old clients are noticed.
     */
    private void awaitWorld(int asked) {
        long start = System.nanoTime();
        while (world.isHeldAgainst(asked) && System.nanoTime() - start <= YIELD_NANOS) {
            sessions.values().forEach(SessionRegistry::endIfDead);
            pause(world::awaitLeave);
        }
    }

    private static void endIfDead(Session session) {
        if (session.isClientDead()) {
            session.stop(StopRequest.Mode.END);
        }
    }

    private static void pause(Pause pause) {
        try {
            pause.await(LOOK_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(ErrorCode.ENVIRONMENT, "the feeder is stopping");
        }
    }

    /** An event to wait for. */
    private interface Pause {
        void await(long timeoutNanos) throws InterruptedException;
    }

    @Override
    public byte[] welcome(Attachment attachment) {
        return Payloads.welcome(attachment, catalog, settings);
    }

    @Override
    public void retire(Session session, Attachment attachment) {
        attachment.meter().detached();
        stages.computeIfAbsent(attachment.key(), absent -> new StageHistory()).detached();
        try {
            quarantine.add(attachment.segment());
        } finally {
            attachment.source().close();
            admission.giveBack(attachment);
            world.leave();
            sessions.remove(attachment.key(), session);
        }
    }

    @Override
    public void began(Attachment attachment, FeedStage stage) {
        // All ranks begin a stage at the same step: those of a node are one line.
        if (attachment.hello().rank() == settings.ranks().first()) {
            log.write(SessionEvents.began(attachment.facts(), stage));
        }
    }

    @Override
    public void note(String line) {
        log.info(line);
    }

    @Override
    public void closed(Session session, String what, String why) {
        if (!why.isEmpty()) {
            log.write(SessionEvents.ended(session.socketRank(), what, why));
        }
    }

    /** What each rank took so far, and its ring, sorted by feed and rank. */
    public List<RankState> ranks() {
        List<RankState> ranks = new ArrayList<>();
        meters.forEach((key, meter) -> {
            StageHistory history = stages.computeIfAbsent(key, absent -> new StageHistory());
            ranks.add(RankState.of(key, worlds.getOrDefault(key, 1), meter, history.ring(), history.read()));
        });
        return ranks;
    }
}
