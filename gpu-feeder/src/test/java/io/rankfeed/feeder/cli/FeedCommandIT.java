package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.serve.protocol.FrameType;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code rankfeed feed} as a process: signals, locks, remaining files, exit codes. */
@Timeout(300)
class FeedCommandIT {
    private static final String HELLO = "{\"feed\":\"train\",\"rank\":0,\"localRank\":0,\"world\":1,\"localWorld\":1,"
            + "\"pid\":1,\"startTime\":1,\"plan\":null,\"step\":0,\"columns\":null}";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    void signal_serving_drainsAndLeavesNothing(String signal, int exitCode) throws Exception {
        Path report = folder.resolve("reports/feeder.json");
        try (FeederChild feeder = FeederChild.serving(folder, "a", "--report", report.toString());
                SocketChannel trainer = attached(feeder.rendezvous("a"))) {
            assertThat(trainer.isConnected()).isTrue();
            assertThat(feeder.segments()).hasSize(1);
            assertThat(report).exists();
            Files.move(report.getParent(), folder.resolve("elsewhere"));
            Files.writeString(report.getParent(), "in the way");
            feeder.signal(signal);
            assertThat(feeder.exitCode()).as(feeder.log()).isEqualTo(exitCode);
            assertThat(feeder.segments()).isEmpty();
            assertThat(feeder.runs()).isEmpty();
            assertThat(feeder.log()).contains("as run 'a'", "rows/s").containsOnlyOnce("feeding continues without it");
        }
    }

    @Test
    void feeder_sameRun_isRefusedWithPidOfTheFirst() throws Exception {
        try (FeederChild first = FeederChild.serving(folder, "a")) {
            try (FeederChild second =
                    FeederChild.start(folder, "feed", FeederChild.GOLDEN.toString(), "--run", "a", "--in-place")) {
                assertThat(second.exitCode()).as(second.log()).isEqualTo(4);
                assertThat(second.log()).contains("run 'a' is fed already").contains("pid " + first.process.pid());
            }
            try (FeederChild other = FeederChild.serving(folder, "b", "--in-place")) {
                assertThat(other.process.isAlive()).isTrue();
            }
            assertThat(first.process.isAlive()).isTrue();
            assertThat(first.rendezvous("a")).isDirectoryContaining("glob:**/feeder.json");
            assertThat(first.rendezvous("a")).isDirectoryContaining("glob:**/rank-0.sock");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "another"})
    void killedFeeder_nextStart_removesItsFiles(String nextRun) throws Exception {
        try (FeederChild killed = FeederChild.serving(folder, "a");
                SocketChannel trainer = attached(killed.rendezvous("a"))) {
            assertThat(trainer.isConnected()).isTrue();
            Files.writeString(killed.rendezvous("a").resolve("rank-77.sock"), "");
            killed.signal("KILL");
            assertThat(killed.exitCode()).isEqualTo(137);
            assertThat(killed.segments()).hasSize(1);
            Files.delete(killed.rendezvous("a").resolve("feeder.json"));
            try (FeederChild next = FeederChild.serving(folder, nextRun, "--in-place")) {
                assertThat(next.segments()).isEmpty();
                assertThat(next.rendezvous("a").resolve("rank-77.sock")).doesNotExist();
                assertThat(next.runs()).containsExactly(next.rendezvous(nextRun));
                next.signal("TERM");
                assertThat(next.exitCode()).isEqualTo(143);
                assertThat(next.runs()).isEmpty();
            }
        }
    }

    @Test
    void signal_duringSync_leavesNothing() throws Exception {
        Manifest golden = ManifestJson.read(FeederChild.GOLDEN);
        Path copy = Files.createDirectories(
                folder.resolve("cache/rankfeed").resolve(golden.dataset()).resolve(golden.id()));
        try (FileChannel other = FileChannel.open(
                        copy.resolve("_sync.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock();
                FeederChild feeder = FeederChild.start(folder, "feed", FeederChild.GOLDEN.toString(), "--run", "a")) {
            assertThat(lock.isValid()).isTrue();
            feeder.until("waiting", () -> log(feeder).contains("waiting for process"));
            assertThat(feeder.rendezvous("a").resolve("feeder.lock")).exists();
            feeder.signal("TERM");
            assertThat(feeder.exitCode()).as(feeder.log()).isEqualTo(143);
            assertThat(feeder.runs()).isEmpty();
            assertThat(feeder.log().lines()).as(feeder.log()).hasSize(1);
        }
    }

    private static String log(FeederChild feeder) {
        try {
            return feeder.log();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | no such folder            | feed /nowhere/at/all",
                "4 | report /dev/null/r cannot | feed GOLDEN --report /dev/null/r",
                "2 | choose one of 1, 2        | feed GOLDEN --world 3",
                "4 | (1.0 KiB) of --memory     | feed GOLDEN --world 2 --memory 1KiB",
            })
    void mistake_isOneLineWithExitCodeAndCopiesNothing(int exitCode, String said, String words) throws Exception {
        String[] line = words.replace("GOLDEN", FeederChild.GOLDEN.toString()).split(" ");
        try (FeederChild child = FeederChild.start(folder, line)) {
            assertThat(child.exitCode()).as(child.log()).isEqualTo(exitCode);
            assertThat(child.log()).contains(said);
            assertThat(child.log().lines()).hasSize(1);
            assertThat(child.runs()).isEmpty();
            assertThat(folder.resolve("cache")).doesNotExist();
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | did you mean 'train'      | feed GOLDEN --feeds trian",
                "2 | must match                | feed GOLDEN --run ../x",
                "2 | run id '..' must match    | feed GOLDEN@..",
                "2 | --warld                   | feed GOLDEN --warld 3",
                "2 | no version is there       | feed GOLDEN/lanes",
                "2 | feeder has no client      | feed hdfs://name:8020/versions/0123456789abcdef",
                "2 | there are ranks 0 to 1    | feed GOLDEN --ranks 0-2",
                "2 | is not a list of ranks       | feed GOLDEN --ranks 3-1",
                "2 | 2 to 4096 slots           | feed GOLDEN --depth 1",
                "2 | 'latest' is reserved      | feed GOLDEN --run latest",
                "2 | 'latest' is reserved      | feed GOLDEN --run latest --dry-run",
                "2 | run name 'a/b' must match | feed GOLDEN --run a/b --dry-run",
                "2 | 128MB                     | feed GOLDEN --memory 128MB",
                "2 | at most a day             | feed GOLDEN --grace 2d",
            })
    void mistake_isOneLineWithExitCodeAndCopiesNothing_more(int exitCode, String said, String words) throws Exception {
        mistake_isOneLineWithExitCodeAndCopiesNothing(exitCode, said, words);
    }

    private static SocketChannel attached(Path rendezvous) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(rendezvous.resolve("rank-0.sock")));
        byte[] json = HELLO.getBytes(StandardCharsets.UTF_8);
        send(channel, 1, json.length, FrameType.PROTOCOL_VERSION);
        channel.write(ByteBuffer.wrap(json));
        ByteBuffer welcome = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        while (welcome.hasRemaining()) {
            channel.read(welcome);
        }
        assertThat(welcome.get(0)).as("WELCOME").isEqualTo((byte) 2);
        send(channel, 3, 0, 0);
        return channel;
    }

    private static void send(SocketChannel channel, int type, int arg, long token) throws IOException {
        channel.write(ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(type)
                .putInt(arg)
                .putLong(token)
                .flip());
    }
}
