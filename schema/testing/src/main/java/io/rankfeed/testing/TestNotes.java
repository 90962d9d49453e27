package io.rankfeed.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints the command that repeats a failed property test, and the reason of a test that cannot run here. */
public final class TestNotes implements TestWatcher {
    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        boolean isNightly = context.getTags().contains("nightly");
        String command = Seed.repeated(context.getRequiredTestClass(), method(context), isNightly);
        if (!command.isEmpty()) {
            System.out.println("repeat it with: " + command);
        }
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        System.out.println("SKIPPED " + context.getRequiredTestClass().getSimpleName() + "." + method(context) + ": "
                + cause.getMessage());
    }

    private static String method(ExtensionContext context) {
        return context.getRequiredTestMethod().getName();
    }
}
