package io.rankfeed.feeder.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A trainer in a process of its own, which holds the lock as a real one does. Obeys a word a line: {@code take} prints the
 * first row id of the next batch and keeps the batch, {@code look} prints the first row id of the first batch again,
 * {@code hang-up} closes the socket and stays.
 */
final class TrainerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    private TrainerProcess(Process process) {
        this.process = process;
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a trainer and waits until it is attached. */
    static TrainerProcess start(Path socket, int rank, int world) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrainerProcess.class.getName(),
                        socket.toString(),
                        Integer.toString(rank),
                        Integer.toString(world))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        TrainerProcess trainer = new TrainerProcess(process);
        trainer.expect("attached");
        return trainer;
    }

    String ask(String word) throws IOException {
        process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return Objects.requireNonNull(answers.readLine(), "the trainer process ended");
    }

    private void expect(String line) throws IOException {
        String answer = answers.readLine();
        if (!line.equals(answer)) {
            throw new IOException("the trainer process said " + answer);
        }
    }

    /** Kills the process with SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(args[1]);
        List<TestTrainer.Batch> taken = new ArrayList<>();
        try (TestTrainer trainer = new TestTrainer(Path.of(args[0]))) {
            trainer.greet(TestTrainer.hello("train", rank, Integer.parseInt(args[2]), 0));
            FileChannel segment = trainer.map();
            FileLock lock = segment.lock();
            trainer.send(TestTrainer.ATTACHED, 0, 0, 0);
            System.out.println(lock.isValid() ? "attached" : "no lock");
            BufferedReader words = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String word = words.readLine(); word != null; word = words.readLine()) {
                switch (word) {
                    case "take" -> {
                        TestTrainer.Batch batch = Objects.requireNonNull(trainer.next());
                        taken.add(batch);
                        System.out.println(batch.rowIds().getFirst());
                    }
                    case "look" -> {
                        TestTrainer.Batch first = taken.getFirst();
                        TestTrainer.Frame ready =
                                new TestTrainer.Frame(TestTrainer.READY, first.slot(), 0, first.sequence(), null);
                        System.out.println(trainer.batch(ready).rowIds().getFirst());
                    }
                    default -> {
                        trainer.hangUp();
                        System.out.println("hung up");
                    }
                }
            }
        }
    }
}
