package io.rankfeed.images;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Calls {@code mallopt(M_MMAP_THRESHOLD, …)} of glibc. Without this call glibc raises the threshold to 32 MiB and keeps
 * smaller blocks that threads free.
 */
final class NativeMemory {
    private static final int M_MMAP_THRESHOLD = -3;
    private static final int BLOCK_BYTES = 1 << 20;

    private NativeMemory() {}

    /** Returns blocks of 1 MiB and more to the system when they are freed. Does nothing without glibc. */
    @SuppressWarnings("restricted")
    static void freeLargeBlocksAtOnce() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> mallopt = linker.defaultLookup().find("mallopt");
        if (mallopt.isPresent()) {
            MethodHandle set = linker.downcallHandle(
                    mallopt.get(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            try {
                int ignored = (int) set.invokeExact(M_MMAP_THRESHOLD, BLOCK_BYTES);
            } catch (Throwable e) {
                throw new IllegalStateException("mallopt", e);
            }
        }
    }
}
