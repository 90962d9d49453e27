package io.rankfeed.images;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Captures what libpng and libjpeg print on {@code stderr}, and what OpenCV logs. The variable {@code stderr} of glibc
 * then points to another stream. Descriptor 2, Java's {@code System.err} and messages of the virtual machine are not
 * changed. Other C libraries do not allow this, so nothing is captured with them.
 */
final class NativeMessages {
    private static final String SET_LOG =
            "_ZN2cv5utils7logging8internal24replaceWriteLogMessageExEPFvNS1_8LogLevelEPKcS5_iS5_S5_E";
    private static final String GET_LEVEL = "_ZN2cv5utils7logging11getLogLevelEv";
    private static final String SET_LEVEL = "_ZN2cv5utils7logging11setLogLevelENS1_8LogLevelE";
    private static final int ERROR_LEVEL = 2;
    /** OpenCV's function that logs libtiff's errors; warnings come from another one. */
    private static final String TIFF_ERROR_HANDLER = "TIFF_Error";

    private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
    private static final int UNBUFFERED = 2;
    private static final int MAX_LINE_CHARS = 1000;

    private static final ThreadLocal<StringBuilder> LINE = ThreadLocal.withInitial(StringBuilder::new);
    private static final ThreadLocal<String> TIFF_ERROR = ThreadLocal.withInitial(() -> "");
    private static volatile Consumer<String> receiver = line -> {};
    private static boolean isRedirected;
    private static boolean isLogCaptured;
    private static int levelOfUser;

    private NativeMessages() {}

    /**
     * Captures OpenCV's errors from now on, also if its log level is silent. For a TIFF with corrupted compressed data,
     * OpenCV returns pixels and reports the error only in its log.
     */
    static synchronized void captureLog() {
        if (!isLogCaptured) {
            isLogCaptured = true;
            try {
                raiseLogLevel();
                redirectLog();
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("the log of OpenCV cannot be captured", e);
            }
        }
    }

    /** The first error of libtiff on this thread since the last call; empty if there was none. */
    static String takeTiffError() {
        String error = TIFF_ERROR.get();
        TIFF_ERROR.remove();
        return error;
    }

    /** @param lines receives each line, on the thread that decodes */
    static synchronized void redirect(Consumer<String> lines) {
        receiver = lines;
        if (!isRedirected) {
            isRedirected = true;
            try {
                redirectStderr();
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("native messages cannot be redirected", e);
            }
        }
    }

    @SuppressWarnings("restricted")
    private static void redirectStderr() throws Throwable {
        Linker linker = Linker.nativeLinker();
        SymbolLookup libc = linker.defaultLookup();
        if (libc.find("gnu_get_libc_version").isEmpty()) {
            return;
        }
        MethodHandle write = MethodHandles.lookup()
                .findStatic(
                        NativeMessages.class,
                        "write",
                        MethodType.methodType(long.class, MemorySegment.class, MemorySegment.class, long.class));
        MemorySegment writeStub =
                linker.upcallStub(write, FunctionDescriptor.of(SIZE, POINTER, POINTER, SIZE), Arena.global());
        // cookie_io_functions_t: read, write, seek, close.
        MemoryLayout functions = MemoryLayout.structLayout(POINTER, POINTER, POINTER, POINTER);
        MethodHandle open = linker.downcallHandle(
                libc.findOrThrow("fopencookie"), FunctionDescriptor.of(POINTER, POINTER, POINTER, functions));
        MethodHandle setBuffer = linker.downcallHandle(
                libc.findOrThrow("setvbuf"), FunctionDescriptor.of(INT, POINTER, POINTER, INT, SIZE));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate(functions);
            table.setAtIndex(ValueLayout.ADDRESS, 1, writeStub);
            MemorySegment stream = (MemorySegment) open.invokeExact(MemorySegment.NULL, arena.allocateFrom("w"), table);
            if (stream.address() != 0 && (int) setBuffer.invokeExact(stream, MemorySegment.NULL, UNBUFFERED, 0L) == 0) {
                libc.findOrThrow("stderr")
                        .reinterpret(ValueLayout.ADDRESS.byteSize())
                        .set(ValueLayout.ADDRESS, 0, stream);
            }
        }
    }

    @SuppressWarnings("restricted")
    private static void raiseLogLevel() throws Throwable {
        SymbolLookup opencv = SymbolLookup.loaderLookup();
        Linker linker = Linker.nativeLinker();
        levelOfUser = (int) linker.downcallHandle(opencv.findOrThrow(GET_LEVEL), FunctionDescriptor.of(INT))
                .invokeExact();
        int before = (int) linker.downcallHandle(opencv.findOrThrow(SET_LEVEL), FunctionDescriptor.of(INT, INT))
                .invokeExact(Math.max(levelOfUser, ERROR_LEVEL));
        assert before == levelOfUser;
    }

    @SuppressWarnings("restricted")
    private static void redirectLog() throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle log = MethodHandles.lookup()
                .findStatic(
                        NativeMessages.class,
                        "log",
                        MethodType.methodType(
                                void.class,
                                int.class,
                                MemorySegment.class,
                                MemorySegment.class,
                                int.class,
                                MemorySegment.class,
                                MemorySegment.class));
        // Level, tag, file, line, function, message.
        MemorySegment stub = linker.upcallStub(
                log, FunctionDescriptor.ofVoid(INT, POINTER, POINTER, INT, POINTER, POINTER), Arena.global());
        linker.downcallHandle(SymbolLookup.loaderLookup().findOrThrow(SET_LOG), FunctionDescriptor.ofVoid(POINTER))
                .invokeExact(stub);
    }

    /** C calls this method, so it must not throw. */
    @SuppressWarnings({"restricted", "unused"})
    private static long write(MemorySegment cookie, MemorySegment bytes, long size) {
        try {
            byte[] text = bytes.reinterpret(size).toArray(ValueLayout.JAVA_BYTE);
            StringBuilder line = LINE.get();
            for (byte character : text) {
                if (character == '\n') {
                    send(line.toString());
                    line.setLength(0);
                } else if (line.length() < MAX_LINE_CHARS) {
                    line.append((char) (character & 0xFF));
                }
            }
        } catch (RuntimeException | Error e) {
            return size;
        }
        return size;
    }

    /** C++ calls this method, so it must not throw. */
    @SuppressWarnings({"restricted", "unused"})
    private static void log(
            int level, MemorySegment tag, MemorySegment file, int number, MemorySegment function, MemorySegment text) {
        try {
            String message = string(text);
            if (TIFF_ERROR_HANDLER.equals(string(function))) {
                if (TIFF_ERROR.get().isEmpty()) {
                    TIFF_ERROR.set(message);
                }
            } else if (level <= levelOfUser) {
                send(message);
            }
        } catch (RuntimeException | Error e) {
            return;
        }
    }

    @SuppressWarnings("restricted")
    private static String string(MemorySegment text) {
        if (text.address() == 0) {
            return "";
        }
        MemorySegment chars = text.reinterpret(MAX_LINE_CHARS + 1L);
        byte[] bytes = new byte[MAX_LINE_CHARS];
        int length = 0;
        while (length < MAX_LINE_CHARS && chars.get(ValueLayout.JAVA_BYTE, length) != 0) {
            bytes[length] = chars.get(ValueLayout.JAVA_BYTE, length);
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static void send(String line) {
        if (!line.isBlank()) {
            receiver.accept(line.strip());
        }
    }
}
