package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.Claim.Rhythm;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ClaimTest {
    private static final Rhythm QUICK = new Rhythm(Duration.ofMillis(20), Duration.ofMillis(400));
    private static final Rhythm PATIENT = new Rhythm(Duration.ofMillis(20), Duration.ofHours(1));

    private java.nio.file.Path folder;
    private FileSystem fs;
    private Path path;

    @BeforeEach
    void open(@TempDir java.nio.file.Path root) throws IOException {
        folder = Files.createDirectory(root.resolve("artifact"));
        path = new Path(folder.toUri());
        fs = Storage.of(path, new Configuration());
    }

    @Test
    void claim_concurrent_hasOneOwnerThatOthersReport() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Object>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String application = "app-" + i;
            results.add(threads.submit(() -> {
                start.await();
                try {
                    return Claim.take(fs, path, application);
                } catch (EnvironmentException e) {
                    return e;
                }
            }));
        }
        start.countDown();
        List<Claim> held = new ArrayList<>();
        for (Future<Object> result : results) {
            Object given = result.get(30, TimeUnit.SECONDS);
            if (given instanceof Claim claim) {
                held.add(claim);
            } else {
                assertThat((EnvironmentException) given)
                        .hasMessageContaining("another job (application app-")
                        .hasMessageContaining("pid " + ProcessHandle.current().pid());
            }
        }
        threads.shutdown();
        assertThat(held).hasSize(1);
        assertThat(names()).containsExactly("_claim-00001");
        held.get(0).close();
        assertThat(folder).doesNotExist();
        Claim.take(fs, path, "next").close();
    }

    @Test
    void claim_ownerGone_isTakenOverAtOnce() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Owner self = Owner.self("dead");
        Owner dead = new Owner("dead", self.host(), self.processes(), gone.pid(), "12345", self.since(), "a");
        Claim old = Claim.take(fs, path, dead, new Rhythm(Duration.ofHours(1), Duration.ofHours(1)));

        try (Claim claim = Claim.take(fs, path, self, PATIENT)) {
            assertThat(names()).containsExactly("_claim-00002");
            claim.refuseLost();
            assertThatThrownBy(old::refuseLost)
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("took over");
            old.beat();
            assertThat(names()).containsExactly("_claim-00002");

            // It fell asleep within a beat, and ends it now.
            Files.write(folder.resolve("_claim-00001"), dead.toBytes(7));
            assertThatThrownBy(old::refuseLost).isInstanceOf(EnvironmentException.class);
            assertThatThrownBy(() -> Claim.refuseLost(fs, old.file())).isInstanceOf(EnvironmentException.class);
            claim.refuseLost();
            old.close();
            assertThat(names()).containsExactly("_claim-00002");
        }
    }

    @Test
    void claim_pidReused_isTakenOver() throws IOException {
        Owner self = Owner.self("later");
        Owner earlier = new Owner("earlier", self.host(), self.processes(), self.pid(), "1", self.since(), "a");
        Files.write(folder.resolve("_claim-00004"), earlier.toBytes(0));

        try (Claim claim = Claim.take(fs, path, self, PATIENT)) {
            assertThat(claim.file().getName()).isEqualTo("_claim-00005");
            assertThat(names()).containsExactly("_claim-00005");
        }
    }

    @Test
    void claim_ofAnotherMachine_isKeptWhileItChanges() throws IOException {
        Owner far = new Owner("far", "elsewhere", "another boot", 1, "1", "today", "a");
        try (Claim theirs = Claim.take(fs, path, far, QUICK)) {
            assertThatThrownBy(() -> Claim.take(fs, path, Owner.self("here"), PATIENT))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("application far")
                    .hasMessageContaining("elsewhere");
            theirs.refuseLost();
        }
    }

    @Test
    void claim_unchangedOrEmpty_isTakenOverAfterTheLapse() throws IOException {
        Owner far = new Owner("far", "elsewhere", "another boot", 1, "1", "today", "a");
        for (byte[] left : List.of(far.toBytes(3), new byte[0], "{\"pid\":".getBytes(StandardCharsets.UTF_8))) {
            Files.createDirectories(folder);
            Files.write(folder.resolve("_claim-00001"), left);
            try (Claim claim = Claim.take(fs, path, Owner.self("here"), QUICK)) {
                claim.refuseLost();
                assertThat(names()).containsExactly("_claim-00002");
            }
        }
    }

    @Test
    void claim_ownerOfAnotherUser_isKeptWhileItChanges() throws Exception {
        Process unseen = new ProcessBuilder("true").start();
        unseen.waitFor();
        Owner self = Owner.self("here");
        String others = self.processes().replaceFirst(" user .*", " user 1");
        Owner theirs = new Owner("theirs", self.host(), others, unseen.pid(), "12345", self.since(), "a");
        try (Claim claim = Claim.take(fs, path, theirs, QUICK)) {
            assertThatThrownBy(() -> Claim.take(fs, path, self, PATIENT))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("application theirs");
            claim.refuseLost();
        }
    }

    @Test
    void folder_removedWhileClaimed_isCreatedAgain() throws IOException {
        AtomicBoolean first = new AtomicBoolean(true);
        FileSystem removing = new FilterFileSystem(fs) {
            @Override
            public FileStatus[] listStatus(Path folder) throws IOException {
                if (first.compareAndSet(true, false)) {
                    fs.delete(folder, false);
                }
                return fs.listStatus(folder);
            }
        };
        try (Claim claim = Claim.take(removing, path, "here")) {
            claim.refuseLost();
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void aHolderWhoseClaimWentDoesNotBringItBack() throws IOException {
        try (Claim claim = Claim.take(fs, path, "here")) {
            Files.delete(folder.resolve("_claim-00001"));
            claim.beat();
            assertThat(names()).isEmpty();
            assertThatThrownBy(claim::refuseLost).isInstanceOf(EnvironmentException.class);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
