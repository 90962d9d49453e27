package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps a feeder process alive: a thread waits for its end and starts it again if the policy says so. */
final class FeederProcess {
    private static final long LOOK_MILLIS = 10;
    private static final long DRAIN_SECONDS = 10;

    private final SupervisedRun run;
    private final RestartPolicy policy = new RestartPolicy();
    private final CompletableFuture<OptionalInt> firstServing = new CompletableFuture<>();
    private final CompletableFuture<Integer> givenUp = new CompletableFuture<>();
    private final Thread keeper = new Thread(this::keep, "rankfeed-keeper");
    private @Nullable Process process;
    private long starts;
    private boolean isStopping;

    FeederProcess(SupervisedRun run) {
        this.run = run;
        keeper.setDaemon(true);
    }

    void start() {
        keeper.start();
    }

    /** Completes empty when the feeder serves for the first time, or with its exit code if it never serves. */
    CompletableFuture<OptionalInt> firstServing() {
        return firstServing;
    }

    /** Completes with the exit code of the feeder when it is not started again. */
    CompletableFuture<Integer> givenUp() {
        return givenUp;
    }

    synchronized long pid() {
        return process == null ? 0 : process.pid();
    }

    private void keep() {
        try {
            OptionalLong pause = OptionalLong.of(0);
            int exitCode = 0;
            while (pause.isPresent()) {
                Thread.sleep(pause.getAsLong());
                long start = System.nanoTime();
                Process mine = launch();
                if (mine == null) {
                    return;
                }
                RestartPolicy.Reached reached = awaitServing(mine);
                exitCode = mine.waitFor();
                if (isStopping()) {
                    return;
                }
                long lived = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                pause = policy.pauseMillis(exitCode, reached, lived);
                if (!policy.isHopelessStart(exitCode)) {
                    run.log()
                            .accept("the feeder ended with " + exitCode
                                    + (pause.isPresent() ? "; starting it again" : "; not starting it again")
                                    + policy.exhausted(exitCode)
                                            .map(why -> ": " + why)
                                            .orElse(""));
                }
            }
            giveUp(exitCode);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            run.log().accept(String.valueOf(e.getMessage()));
            giveUp(e instanceof EnvironmentException environment ? environment.exitCode() : 1);
        }
    }

    private void giveUp(int exitCode) {
        int code = exitCode == 0 ? 1 : exitCode;
        firstServing.complete(OptionalInt.of(code));
        givenUp.complete(code);
    }

    private synchronized @Nullable Process launch() {
        if (isStopping) {
            return null;
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(run.feeder()).inheritIO();
            builder.environment().put(SupervisedRun.RESTARTS, Long.toString(starts));
            process = builder.start();
            starts++;
            return process;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("the feeder cannot be started", e), e);
        }
    }

    private RestartPolicy.Reached awaitServing(Process mine) throws InterruptedException {
        while (!mine.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (run.isReady().test(mine.pid())) {
                firstServing.complete(OptionalInt.empty());
                return RestartPolicy.Reached.SERVING;
            }
        }
        return RestartPolicy.Reached.STARTING;
    }

    private synchronized boolean isStopping() {
        return isStopping;
    }

    /** After this call, the feeder is not started again. */
    synchronized void startNoMore() {
        isStopping = true;
    }

    /** Drains the feeder and returns when its process has ended. */
    void stop() throws InterruptedException {
        Process last;
        synchronized (this) {
            isStopping = true;
            last = process;
        }
        if (last != null) {
            last.destroy();
            if (!last.waitFor(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                last.destroyForcibly();
                last.waitFor(DRAIN_SECONDS, TimeUnit.SECONDS);
            }
        }
        keeper.interrupt();
    }
}
