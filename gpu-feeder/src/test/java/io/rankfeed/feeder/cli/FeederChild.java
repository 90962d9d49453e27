package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.RankfeedFeeder;
import io.rankfeed.feeder.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The feeder's command line in a process of its own, with run and shared-memory folders of its own. */
final class FeederChild implements AutoCloseable {
    static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");
    private static final long DEADLINE_SECONDS = 60;

    final Process process;
    private final Path folder;
    private final Path log;

    private FeederChild(Process process, Path folder, Path log) {
        this.process = process;
        this.folder = folder;
        this.log = log;
    }

    /** @param folder gets the folders {@code run} and {@code shm} */
    static FeederChild start(Path folder, String... words) throws IOException {
        return startAtHome(folder, folder, words);
    }

    /** @param home the project's folder, as the launcher would name it */
    static FeederChild startAtHome(Path folder, Path home, String... words) throws IOException {
        return startBehind(List.of(), System.getProperty("java.class.path"), folder, home, words);
    }

    /** @param before the words before those of Java, as in {@code prlimit --nofile=64} */
    static FeederChild startBehind(List<String> before, String classPath, Path folder, Path home, String... words)
            throws IOException {
        Files.createDirectories(folder.resolve("run"));
        Files.createDirectories(folder.resolve("shm"));
        // A build in the background of a shell ignores SIGINT, and its children inherit that.
        List<String> line = new ArrayList<>(before);
        line.addAll(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Drankfeed.shm=" + folder.resolve("shm"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                RankfeedFeeder.class.getName()));
        line.addAll(List.of(words));
        Path log = Files.createTempFile(folder, "feeder", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("XDG_RUNTIME_DIR", folder.resolve("run").toString());
        builder.environment().put("RANKFEED_HOME", home.toString());
        builder.environment().put("RANKFEED_LAUNCHER", home.resolve("rankfeed").toString());
        builder.environment().put("RANKFEED_COMMAND", "./rankfeed");
        builder.environment()
                .put(
                        "RANKFEED_EXAMPLES",
                        home.resolve("gpu-feeder/python/examples").toString());
        builder.environment()
                .put("RANKFEED_PYTHON_ENV", home.resolve(".envs/train").toString());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return new FeederChild(builder.start(), folder, log);
    }

    /** Starts {@code feed} of the golden version with a run name, and waits until it serves. */
    static FeederChild serving(Path folder, String run, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("feed", GOLDEN.toString(), "--run", run));
        line.addAll(List.of(words));
        FeederChild child = start(folder, line.toArray(String[]::new));
        child.until("serving", () -> Files.exists(child.rendezvous(run).resolve("feeder.json")));
        return child;
    }

    Path rendezvous(String run) {
        return folder.resolve("run/rankfeed").resolve(run);
    }

    List<String> segments() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("shm"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    List<Path> runs() throws IOException {
        Path base = folder.resolve("run/rankfeed");
        if (!Files.exists(base)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(base)) {
            return files.toList();
        }
    }

    /** Sends a signal by its name. */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    int exitCode() throws Exception {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + log());
        }
        return process.exitValue();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    /** Waits for a condition; fails after a minute, or when the process has ended. */
    void until(String what, BooleanSupplier isSo) throws Exception {
        try {
            Waiting.until(what, isSo, process::isAlive);
        } catch (AssertionError e) {
            throw new AssertionError("not " + what + ": " + log(), e);
        }
    }

    /** Ends the process and its descendants. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
