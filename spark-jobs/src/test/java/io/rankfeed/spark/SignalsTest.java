package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.apache.logging.log4j.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class SignalsTest {
    @Command(name = "stub")
    private record Stub(Callable<Integer> body) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return body.call();
        }
    }

    /** For a JVM of its own, which a signal ends. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws IOException {
            Signals.watch();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("code " + Signals.exitCode())));
            System.out.println("waiting");
            System.in.read(); // until the test ends
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM 143", "INT 130"})
    void signal_endsTheJvmWithItsCodeWhichHooksKnow(String signal) throws IOException, InterruptedException {
        String[] words = signal.split(" ", -1);
        Process process = jvm(Waiting.class, words[0]);
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(process.waitFor()).isEqualTo(Integer.parseInt(words[1]));
            assertThat(lines.lines()).contains("code " + words[1]);
        } finally {
            process.destroyForcibly();
        }
    }

    /** For a JVM of its own: its threads fail when the shutdown begins, as those of Spark do. */
    static final class Failing {
        private Failing() {}

        public static void main(String[] args) {
            CountDownLatch shutdown = new CountDownLatch(1);
            CountDownLatch failed = new CountDownLatch(2);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                shutdown.countDown();
                awaited(failed);
                LogManager.getLogger(Failing.class).error("the scheduler has stopped");
            }));
            Thread other = new Thread(() -> {
                awaited(shutdown);
                failed.countDown();
                throw new IllegalStateException("in a thread");
            });
            Cli.main(
                    new Stub(() -> {
                        Signals.advise("run the same command again");
                        other.start();
                        System.out.println("waiting");
                        awaited(shutdown);
                        failed.countDown();
                        throw new RejectedExecutionException("in the main thread");
                    }),
                    args);
        }

        private static void awaited(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void signal_threadsLoggingAndThrowing_isTheLastLine() throws IOException, InterruptedException {
        Process process = jvm(Failing.class, "INT");
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(process.waitFor()).isEqualTo(130);
            assertThat(lines.lines()).containsExactly("rankfeed: stopped by SIGINT; run the same command again");
        } finally {
            process.destroyForcibly();
        }
    }

    /** A JVM that printed "waiting" and then got the signal. */
    private static Process jvm(Class<?> main, String signal) throws IOException, InterruptedException {
        // A build in the background of a script has the interrupt ignored, and its children would, too.
        Process process = new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectErrorStream(true)
                .start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.equals("waiting")) {
            line = lines.readLine();
        }
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        return process;
    }
}
