package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code rankfeed feed --metrics} as a process, from the copy of its version to its end. */
@Timeout(300)
class MetricsIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The status and the body; empty where nobody listens. */
    private static String get(int port, String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void copyThenService_areShown() throws Exception {
        Manifest golden = ManifestJson.read(FeederChild.GOLDEN);
        Path copy = Files.createDirectories(
                folder.resolve("cache/rankfeed").resolve(golden.dataset()).resolve(golden.id()));
        int port = freePort();
        String[] words = {"feed", FeederChild.GOLDEN.toString(), "--run", "a", "--metrics", "127.0.0.1:" + port};
        try (FileChannel other =
                FileChannel.open(copy.resolve("_sync.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = other.lock();
            try (FeederChild feeder = FeederChild.start(folder, words)) {
                feeder.until("alive", () -> get(port, "/healthz").startsWith("200"));
                assertThat(get(port, "/readyz")).startsWith("503");
                assertThat(get(port, "/metrics")).contains("rankfeed_ready 0.0", "rankfeed_cache_bytes 0.0");
                lock.release();
                feeder.until("ready", () -> get(port, "/readyz").startsWith("200"));
                assertThat(get(port, "/metrics"))
                        .contains("rankfeed_ready 1.0", "version=\"" + golden.id() + "\"", "run=\"a\"")
                        .containsPattern("(?m)^rankfeed_cache_bytes [1-9]")
                        .containsPattern("(?m)^rankfeed_sync_bytes ([1-9].*)\\R(#.*\\R)*rankfeed_sync_done_bytes \\1$");
                feeder.signal("TERM");
                assertThat(feeder.exitCode()).as(feeder.log()).isEqualTo(143);
                assertThat(feeder.log()).contains("status page and metrics at http://127.0.0.1:" + port + "/");
                assertThat(feeder.runs()).isEmpty();
            }
        }
    }

    @Test
    void restarts_areCounted() throws Exception {
        int port = freePort();
        Path stop = folder.resolve("stop");
        String command = "while [ ! -e " + stop + " ]; do sleep 0.05; done";
        String address = "127.0.0.1:" + port;
        String golden = FeederChild.GOLDEN.toString();
        try (FeederChild run = FeederChild.start(
                folder, "feed", golden, "--in-place", "--run", "a", "--metrics", address, "--", "sh", "-c", command)) {
            run.until("served", () -> get(port, "/metrics").contains("rankfeed_ready 1.0"));
            assertThat(get(port, "/metrics")).contains("rankfeed_restarts_total 0.0");
            byte[] ready = Files.readAllBytes(run.rendezvous("a").resolve("feeder.json"));
            long pid = StrictJson.parse(ready, "feeder.json").path("pid").asLong();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            run.until("served again", () -> get(port, "/metrics").contains("rankfeed_restarts_total 1.0"));
            Files.writeString(stop, "");
            assertThat(run.exitCode()).as(run.log()).isZero();
        }
    }

    @Test
    void portInUse_endsBeforeTheCopy() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FeederChild feeder = FeederChild.start(
                        folder,
                        "feed",
                        FeederChild.GOLDEN.toString(),
                        "--metrics",
                        "127.0.0.1:" + taken.getLocalPort())) {
            assertThat(feeder.exitCode()).as(feeder.log()).isEqualTo(4);
            assertThat(feeder.log()).contains("choose another port").hasLineCount(1);
            assertThat(folder.resolve("cache")).doesNotExist();
        }
    }

    @Test
    void addressOfAllInterfacesWithoutAToken_isRefused() throws Exception {
        try (FeederChild feeder = FeederChild.start(
                folder, "feed", FeederChild.GOLDEN.toString(), "--metrics", "0.0.0.0:0", "--dry-run")) {
            assertThat(feeder.exitCode()).as(feeder.log()).isEqualTo(2);
            assertThat(feeder.log()).contains("set a token with --metrics-token-file");
        }
    }
}
