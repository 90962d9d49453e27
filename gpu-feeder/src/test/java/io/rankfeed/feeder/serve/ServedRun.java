package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.fixture.Waiting;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.feeder.serve.protocol.Deadlines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A feeder under test in folders of its own, with what it logged. */
final class ServedRun implements AutoCloseable {

    final Path runtime;
    final Path shm;
    final CountingCatalog catalog;
    final Rendezvous rendezvous;
    final FeedServer server;
    final List<String> log = new CopyOnWriteArrayList<>();

    ServedRun(Path folder, OptionalInt world, int slots) throws IOException {
        this(folder, new CountingCatalog(5), world, slots);
    }

    ServedRun(Path folder, CountingCatalog catalog, OptionalInt world, int slots) throws IOException {
        this(folder, catalog, world, slots, Deadlines.OF_RING);
    }

    ServedRun(Path folder, CountingCatalog catalog, ServeSettings settings) throws IOException {
        this(folder, catalog, settings, Deadlines.OF_RING);
    }

    ServedRun(Path folder, CountingCatalog catalog, OptionalInt world, int slots, Deadlines deadlines)
            throws IOException {
        this(folder, catalog, settings(world, slots), deadlines);
    }

    private ServedRun(Path folder, CountingCatalog catalog, ServeSettings settings, Deadlines deadlines)
            throws IOException {
        runtime = Files.createDirectories(folder.resolve("run"));
        shm = Files.createDirectories(folder.resolve("shm"));
        this.catalog = catalog;
        rendezvous = Rendezvous.of("r", Map.of("XDG_RUNTIME_DIR", runtime.toString()));
        RunClaim claim = RunClaim.take(rendezvous, CountingCatalog.VERSION, new SharedMemory(shm));
        claim.requireSpace(catalog, settings, log::add);
        server = FeedServer.start(claim, catalog, settings, deadlines, event -> log.add(event.message()));
    }

    static ServeSettings settings(OptionalInt world, int slots) {
        return settings(world, slots, slots, Long.MAX_VALUE);
    }

    static ServeSettings settings(OptionalInt world, int minSlots, int slots, long memoryBytes) {
        return new ServeSettings(
                new TreeSet<>(List.of(0, 1, 2, 3)),
                world,
                new TreeSet<>(List.of("train", "valid")),
                Map.of(),
                Map.of("valid", "0011223344556677"),
                VersionNamed.LATEST,
                minSlots,
                slots,
                memoryBytes,
                0,
                7);
    }

    TestTrainer trainer(int rank) throws IOException {
        return new TestTrainer(rendezvous.socket(rank));
    }

    List<String> segments() throws IOException {
        try (Stream<Path> files = Files.list(shm)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Waits for a condition; fails after a minute. */
    static void until(String what, BooleanSupplier isSo) throws InterruptedException {
        Waiting.until(what, isSo, () -> true);
    }

    @Override
    public void close() {
        server.close();
    }
}
