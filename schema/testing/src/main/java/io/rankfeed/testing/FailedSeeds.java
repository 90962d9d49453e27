package io.rankfeed.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints the command that repeats a failed property test. */
public final class FailedSeeds implements TestWatcher {
    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        String command = Seed.repeated(
                context.getRequiredTestClass(), context.getRequiredTestMethod().getName());
        if (!command.isEmpty()) {
            System.out.println("repeat it with: " + command);
        }
    }
}
