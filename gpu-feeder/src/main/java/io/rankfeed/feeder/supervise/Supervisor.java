package io.rankfeed.feeder.supervise;

import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a feeder and a command together, until the command ends. A signal to this process ends both first: no process, no
 * segment and no socket of the run stays behind.
 */
public final class Supervisor {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SupervisedRun run;
    private final FeederProcess feeder;
    private final Thread hook = new Thread(this::endAll, "rankfeed-end");
    private final Object ending = new Object();
    private final Interrupt interrupt = Interrupt.listen();
    private @Nullable Process command;
    private boolean isEnded;
    private boolean isEnding;

    private Supervisor(SupervisedRun run) {
        this.run = run;
        feeder = new FeederProcess(run);
    }

    /**
     * Starts the feeder, the command once the feeder serves, and waits.
     *
     * @return the command's exit code; the feeder's, where that failed for good
     * @throws ConfigException if the command does not exist
     */
    public static int run(SupervisedRun run) throws InterruptedException {
        return new Supervisor(run).run();
    }

    private int run() throws InterruptedException {
        Program.require(run.command().getFirst(), System.getenv().getOrDefault("PATH", ""));
        Subreaper.become();
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            feeder.start();
            OptionalInt failed = feeder.firstServing().join();
            if (failed.isPresent()) {
                return failed.getAsInt();
            }
            Process launched = launch();
            if (launched == null) {
                // A signal came first; the virtual machine is ending with its code.
                return 1;
            }
            CompletableFuture<Object> first = CompletableFuture.anyOf(launched.onExit(), feeder.givenUp());
            Object ended = first.join();
            if (ended instanceof Integer feederCode) {
                run.log().accept("the command is ended, because the feeder ended");
                return feederCode;
            }
            return launched.exitValue();
        } finally {
            endAll();
        }
    }

    private synchronized @Nullable Process launch() {
        if (isEnding) {
            return null;
        }
        ProcessBuilder builder = new ProcessBuilder(run.command()).inheritIO();
        run.prepare(builder.environment());
        builder.environment()
                .put(
                        MarkedProcesses.name(),
                        MarkedProcesses.value(
                                run.name(), ProcessHandle.current().pid()));
        try {
            command = builder.start();
            return command;
        } catch (IOException e) {
            throw new ConfigException(
                    "the command after -- cannot be started: " + e.getMessage() + "; try it without rankfeed", e);
        }
    }

    /**
     * Ends the command's processes, then the feeder, then deletes the files of the run. A second caller waits for the
     * first.
     */
    private void endAll() {
        Process launched;
        synchronized (this) {
            isEnding = true;
            launched = command;
        }
        synchronized (ending) {
            if (isEnded) {
                return;
            }
            isEnded = true;
            try {
                feeder.startNoMore();
                if (launched != null) {
                    interrupt.letEnd(launched, feeder.pid(), GRACE_NANOS);
                }
                ProcessTree.end(feeder.pid(), GRACE_NANOS);
                feeder.stop();
                ProcessTree.end(0, GRACE_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                run.cleanUp().run();
            }
        }
    }
}
