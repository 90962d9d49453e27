package io.rankfeed.feeder.supervise;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * {@code prctl(PR_SET_CHILD_SUBREAPER, 1)}. Grandchildren whose parent dies then
 * become ours instead of init's, so that none can hide from the end of the run.
 */
final class Subreaper {
    private static final int PR_SET_CHILD_SUBREAPER = 36;

    private Subreaper() {}

    /** @return false where the kernel or the JVM's flags do not let us; then only known descendants are ended */
    @SuppressWarnings("restricted")
    static boolean become() {
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle prctl = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("prctl"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));
            return (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            return false;
        }
    }
}
