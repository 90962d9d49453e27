package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.SegmentName;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The right to feed a run, held from before its version is copied until the feeder ends. Once it is taken nothing is left
 * of a dead feeder, neither of this run nor of another one of this user. A process takes one at most.
 */
public final class RunClaim implements AutoCloseable {
    private final Rendezvous rendezvous;
    private final SharedMemory memory;
    private final FeederLock lock;
    private boolean isClosed;

    private RunClaim(Rendezvous rendezvous, SharedMemory memory, FeederLock lock) {
        this.rendezvous = rendezvous;
        this.memory = memory;
        this.lock = lock;
    }

    /**
     * Takes the run's lock and clears what earlier feeders left.
     *
     * @param version that will be fed
     * @throws EnvironmentException if another feeder has the run
     */
    public static RunClaim take(Rendezvous rendezvous, String version, SharedMemory memory) {
        RunClaim claim = new RunClaim(rendezvous, memory, FeederLock.take(rendezvous, ReadyFile.lockText(version)));
        boolean isClear = false;
        try {
            clear(rendezvous, memory);
            rendezvous.neighbors().forEach(run -> sweep(run, memory));
            memory.sweepOrphans(rendezvous.uid());
            isClear = true;
            return claim;
        } finally {
            if (!isClear) {
                claim.close();
            }
        }
    }

    /**
     * Removes the files that a killed feeder of a run left. Does nothing if a live feeder has the run, or if it cannot
     * take the lock.
     */
    public static void sweep(Rendezvous rendezvous, SharedMemory memory) {
        try {
            Optional<FeederLock> free = FeederLock.takeFree(rendezvous);
            if (free.isPresent()) {
                try {
                    clear(rendezvous, memory);
                } finally {
                    free.get().close();
                }
            }
            // Also where there is no lock: a feeder that makes this directory now makes it again.
            RendezvousFiles.removeDirectory(rendezvous);
        } catch (IOException | EnvironmentException e) {
            // What is left of a dead run harms no other.
        }
    }

    private static void clear(Rendezvous rendezvous, SharedMemory memory) {
        memory.sweep(rendezvous.uid(), SegmentName.hashOf(rendezvous.directory()));
        RendezvousFiles.clear(rendezvous);
    }

    /**
     * Checks whether the rings of the run will fit. The files of the catalog need not exist yet.
     *
     * @param log receives each feed whose size depends on the request of a trainer
     * @return the bytes that they need, with connection buffers
     * @throws EnvironmentException if they do not fit
     */
    public long requireSpace(Catalog catalog, ServeSettings settings, Consumer<String> log) {
        return SpaceCheck.require(catalog, settings, memory, log);
    }

    public Rendezvous rendezvous() {
        return rendezvous;
    }

    public SharedMemory memory() {
        return memory;
    }

    /** Removes the files of the rendezvous and releases the lock. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            RendezvousFiles.clear(rendezvous);
            lock.close();
            RendezvousFiles.removeDirectory(rendezvous);
        }
    }
}
