package io.rankfeed.feeder.serve;

import io.rankfeed.console.Log;
import io.rankfeed.feeder.ring.MemoryBudget;
import io.rankfeed.feeder.serve.admission.Admission;
import io.rankfeed.feeder.serve.admission.Catalog;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.serve.admission.ReadAhead;
import io.rankfeed.feeder.serve.admission.ReadyFile;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.SegmentQuarantine;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.protocol.Deadlines;
import io.rankfeed.feeder.serve.protocol.WireBuffers;
import io.rankfeed.feeder.serve.session.Session;
import io.rankfeed.feeder.serve.session.SessionRegistry;
import io.rankfeed.feeder.serve.session.StopRequest;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.ResourceFailure;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Serves one version to the ranks of one node, from {@link #start} until {@link #close}. */
public final class FeedServer implements AutoCloseable {
    private static final long LOOK_MILLIS = 500;
    private static final long DRAIN_NANOS = 3_000_000_000L;
    /** Connections of a rank in addition to one for each feed: clients that are connecting or disconnecting. */
    private static final int SPARE_CONNECTIONS = 16;

    private final RunClaim claim;
    private final SessionRegistry desk;
    private final SegmentQuarantine quarantine = new SegmentQuarantine();
    private final Log log;
    private final Selector selector;
    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private final Set<Session> connections = ConcurrentHashMap.newKeySet();
    private final int connectionsPerRank;
    private final WireBuffers buffers;
    private final ReadAhead readAhead;
    private final Deadlines deadlines;
    private final Thread acceptor;
    private volatile boolean isClosing;

    private FeedServer(RunClaim claim, Catalog catalog, ServeSettings settings, Deadlines deadlines, Log log)
            throws IOException {
        this.claim = claim;
        this.deadlines = deadlines;
        this.log = log;
        connectionsPerRank = settings.feeds().size() + SPARE_CONNECTIONS;
        MemoryBudget budget = new MemoryBudget(settings.memoryBytes());
        buffers = new WireBuffers(budget);
        readAhead = new ReadAhead(settings.slots() - 1);
        Admission admission = new Admission(catalog, settings, claim.rendezvous(), claim.memory(), budget, readAhead);
        desk = new SessionRegistry(catalog, settings, admission, quarantine, log);
        selector = Selector.open();
        acceptor = new Thread(this::letIn, "rankfeed-acceptor");
        acceptor.setDaemon(true);
    }

    /**
     * Binds a socket per rank and says so in {@code feeder.json}. The claim ends with the server, or with a failure here.
     *
     * @throws EnvironmentException if a socket cannot be bound
     */
    public static FeedServer start(RunClaim claim, Catalog catalog, ServeSettings settings, Log log) {
        return start(claim, catalog, settings, Deadlines.OF_RING, log);
    }

    static FeedServer start(RunClaim claim, Catalog catalog, ServeSettings settings, Deadlines deadlines, Log log) {
        boolean isStarted = false;
        try {
            FeedServer server = new FeedServer(claim, catalog, settings, deadlines, log);
            server.listen(settings);
            ReadyFile.write(claim.rendezvous(), catalog, settings);
            isStarted = true;
            return server;
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("sockets in " + claim.rendezvous().directory() + " cannot be bound", e), e);
        } finally {
            if (!isStarted) {
                claim.close();
            }
        }
    }

    /** Whether the feeder with this pid serves the run: every socket is bound. */
    public static boolean isReady(Rendezvous rendezvous, long pid) {
        return ReadyFile.pid(rendezvous) == pid;
    }

    private void listen(ServeSettings settings) throws IOException {
        for (int rank : settings.ranks()) {
            Path socket = claim.rendezvous().socket(rank);
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listeners.add(listener);
            listener.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT, rank);
        }
        acceptor.start();
    }

    private void letIn() {
        while (!isClosing) {
            try {
                selector.select(LOOK_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    accept((ServerSocketChannel) key.channel(), (int) key.attachment());
                }
                selector.selectedKeys().clear();
                quarantine.sweep();
            } catch (IOException | RuntimeException e) {
                if (!isClosing) {
                    log.warning(IoReason.of("a connection could not be accepted", e));
                    pause();
                }
            }
        }
    }

    /** Out of descriptors, accept fails at once and for ever: without a pause this would be a busy loop. */
    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(ServerSocketChannel listener, int rank) throws IOException {
        SocketChannel channel = listener.accept();
        if (channel == null) {
            return;
        }
        Session session = isClosing || !hasRoom(rank) ? null : session(channel, rank);
        if (session == null) {
            channel.close();
            return;
        }
        connections.add(session);
        Thread thread = new Thread(
                () -> {
                    try {
                        session.run();
                    } finally {
                        connections.remove(session);
                    }
                },
                "rankfeed-rank-" + rank);
        thread.setDaemon(true);
        start(thread, session, rank);
    }

    /** If no thread can be started, closes the connection; the server continues to accept others. */
    private void start(Thread thread, Session session, int rank) {
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            connections.remove(session);
            session.abandon();
            ResourceFailure.of(e)
                    .ifPresent(why -> log.warning("a connection of rank " + rank + " was closed: " + why.getMessage()));
        }
    }

    /**
     * Creates the session of a connection. Returns null, and logs a line, if memory or descriptors do not suffice for
     * it.
     */
    private @Nullable Session session(SocketChannel channel, int rank) {
        try {
            return new Session(channel, rank, desk, buffers, deadlines);
        } catch (IOException | EnvironmentException e) {
            log.warning(IoReason.of("a connection of rank " + rank + " was closed", e));
            return null;
        }
    }

    /** Makes room for a new connection: if a rank has too many, one that has not sent HELLO is closed. */
    private boolean hasRoom(int rank) {
        List<Session> same = connections.stream()
                .filter(session -> session.socketRank() == rank)
                .toList();
        if (same.size() < connectionsPerRank) {
            return true;
        }
        List<Session> silent = same.stream()
                .filter(session -> !session.isGreeted())
                .sorted(Comparator.comparingLong(Session::openedNanos))
                .toList();
        if (silent.isEmpty()) {
            log.warning("rank " + rank + " has " + same.size() + " connections; another one was closed");
            return false;
        }
        Session oldest = silent.get(0);
        connections.remove(oldest);
        oldest.stop(StopRequest.Mode.END);
        return true;
    }

    public Rendezvous rendezvous() {
        return claim.rendezvous();
    }

    /** What each rank took so far, and its ring, sorted by feed and rank. */
    public List<RankState> ranks() {
        return desk.ranks();
    }

    /** Changes how many batches are made ready ahead of each trainer; 1 or more. Rings with fewer slots are filled. */
    public void readAhead(int batches) {
        readAhead.set(batches);
    }

    /** The number of segments that a live process still has mapped after its session. */
    public int quarantined() {
        return quarantine.size();
    }

    /**
     * Drains every session and removes everything that this feeder made; leased slots stay readable for their trainers.
     * Calling it again does nothing.
     */
    @Override
    public synchronized void close() {
        if (isClosing) {
            return;
        }
        isClosing = true;
        selector.wakeup();
        closeListeners();
        long start = System.nanoTime();
        connections.forEach(session -> session.stop(StopRequest.Mode.DRAIN));
        try {
            acceptor.join(LOOK_MILLIS);
            for (Session session : List.copyOf(connections)) {
                session.awaitOver(Math.max(0, DRAIN_NANOS - (System.nanoTime() - start)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        quarantine.clear();
        claim.close();
    }

    private void closeListeners() {
        for (ServerSocketChannel listener : listeners) {
            try {
                listener.close();
            } catch (IOException e) {
                log.warning("a socket could not be closed: " + e.getMessage());
            }
        }
    }
}
