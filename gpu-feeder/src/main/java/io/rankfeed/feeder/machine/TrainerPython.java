package io.rankfeed.feeder.machine;

import io.rankfeed.feeder.supervise.MarkedProcesses;
import io.rankfeed.feeder.supervise.ProcessWatch;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * The Python of the trainers, as {@code python -m rankfeed.machine} describes it. What is not there is empty.
 *
 * @param program that was asked
 * @param failure why it gave no answer
 * @param version of Python
 * @param torch its version, or why it cannot be imported after {@code "!"}
 * @param cuda the version that torch was built for
 * @param devices names of the CUDA devices that torch finds
 * @param pinning why shared memory cannot be pinned for the first of them
 */
public record TrainerPython(
        String program,
        String failure,
        String version,
        String torch,
        String cuda,
        List<String> devices,
        String pinning) {
    /** The import of torch alone takes seconds, and on the disk of another machine many more. */
    private static final Duration ANSWER_TIME = Duration.ofSeconds(60);

    /** Marks what the program starts. */
    private static final String RUN = "doctor";

    /** The Python of the environment in {@code RANKFEED_PYTHON_ENV}, else {@code python3} of the search path. */
    public static String program(Map<String, String> environment) {
        Path own = Path.of(environment.getOrDefault("RANKFEED_PYTHON_ENV", ""), "bin", "python");
        return own.isAbsolute() && Files.isExecutable(own) ? own.toString() : "python3";
    }

    static TrainerPython ask(String program) {
        return ask(program, ANSWER_TIME);
    }

    /** @param time after which the program and all that it started are ended */
    static TrainerPython ask(String program, Duration time) {
        try (ProcessWatch watch = ProcessWatch.start(RUN, MarkedProcesses.class)) {
            // -P: modules in the current folder are not imported.
            ProcessBuilder builder = new ProcessBuilder(program, "-P", "-m", "rankfeed.machine");
            watch.mark(builder);
            long end = System.nanoTime() + time.toNanos();
            Process process = builder.start();
            process.getOutputStream().close();
            CompletableFuture<String> out = text(process.getInputStream()::readAllBytes);
            CompletableFuture<String> err = text(process.getErrorStream()::readAllBytes);
            try {
                String answer = out.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new TimeoutException();
                }
                if (process.exitValue() == 0) {
                    return of(program, answer);
                }
                String messages = err.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                return failed(program, reason(program, messages));
            } catch (TimeoutException e) {
                return failed(
                        program,
                        "gave no answer in " + time.toSeconds() + " s; if torch is on a slow disk, run doctor again");
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return failed(program, IoReason.of(e));
        } catch (ExecutionException e) {
            return failed(program, IoReason.of(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(program, "interrupted");
        }
    }

    private interface Bytes {
        byte[] read() throws IOException;
    }

    private static CompletableFuture<String> text(Bytes bytes) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                text.complete(new String(bytes.read(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }

    /** @param answer the JSON object that the module printed */
    static TrainerPython of(String program, String answer) {
        try {
            JsonObject json =
                    JsonObject.root(StrictJson.parse(answer.getBytes(StandardCharsets.UTF_8), program), program);
            return new TrainerPython(
                    program,
                    "",
                    json.text("python"),
                    json.text("torch"),
                    json.text("cuda"),
                    json.texts("devices"),
                    json.text("pinning"));
        } catch (CorruptDataException e) {
            return failed(program, String.valueOf(e.getMessage()));
        }
    }

    private static TrainerPython failed(String program, String why) {
        return new TrainerPython(program, why, "", "", "", List.of(), "");
    }

    /** The last line of what Python wrote, without its own path, which it writes in full. */
    static String reason(String program, String messages) {
        List<String> lines = messages.strip().lines().toList();
        return lines.isEmpty()
                ? "ended without a word"
                : lines.getLast().replaceFirst("^.*?" + Pattern.quote(program) + ": ", "");
    }
}
